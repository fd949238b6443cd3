"""Executes ALTER TABLE: in the catalog of the table if Spark does not have it, and in Spark otherwise."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ir.commands.alterations import AlterTable, RenameTable
from ir.errors import TableException
from ir.identifiers import ObjectIdentifier
from tableapi.catalog.altered_tables import alter_catalog_table
from tableapi.catalog.catalog import CatalogTable
from tableapi.result import TableResult
from tableapi.statements.dependent_views import change_with_views

if TYPE_CHECKING:
    from tableapi.queries.environment_parts import EnvironmentParts


def alter_in_catalog(environment: EnvironmentParts, command: AlterTable) -> TableResult:
    """Change a table of a catalog that Spark does not have. All changes are checked before the first is made.

    Raises:
        TableException: the catalog keeps no such change, or files of the table would not read as before.
        CatalogException: the catalog failed, and is unchanged.
    """
    manager, target = environment.runtime.manager, command.target
    catalog = manager.catalog(str(target.catalog))
    found = catalog.get_table(str(target.database), target.name)
    assert isinstance(found, CatalogTable), "the statement was checked"
    new = _new_name(command)
    changed = alter_catalog_table(target, found, [c for c in command.changes if not isinstance(c, RenameTable)])
    database = str(target.database)
    if changed is not found:
        try:
            change_with_views(environment, target, lambda: catalog.alter_table(database, target.name, changed))
        except TableException:
            catalog.alter_table(database, target.name, found)
            raise
    if new is not None:
        catalog.rename_table(database, target.name, new.name)
    return TableResult.ok()


def _new_name(command: AlterTable) -> ObjectIdentifier | None:
    """Return the new name of a table, None if the command has none.

    Raises:
        TableException: the new name is in another database.
    """
    renames = [change.new_target for change in command.changes if isinstance(change, RenameTable)]
    if not renames:
        return None
    if renames[-1].database != command.target.database:
        raise TableException(
            f"{command.target.as_summary_string()} stays in its database when it is renamed. Create a table in "
            f"{renames[-1].database} from a query over it, and drop this one."
        )
    return renames[-1]


def alter_declaration(environment: EnvironmentParts, command: AlterTable) -> None:
    """Change the declaration of a table that Spark has changed, so that it says the same."""
    declared = environment.runtime.manager.declared
    found = declared.find(command.target)
    if found is None:
        return
    spelled = declared.spelling(command.target) or command.target
    declared.remove(command.target)
    try:
        changed = alter_catalog_table(spelled, found, [c for c in command.changes if not isinstance(c, RenameTable)])
    except TableException:
        # Spark has made a change that a declaration does not keep; it is the table itself that counts now.
        return
    renames = [change.new_target for change in command.changes if isinstance(change, RenameTable)]
    declared.add(renames[-1] if renames else spelled, changed)
