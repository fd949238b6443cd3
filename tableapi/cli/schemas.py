"""The verbs ``schema pull`` and ``schema check``: the columns of a target's tables as files of the project."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ir.errors import TableException
from ir.identifiers import ObjectIdentifier, fold, quote
from tableapi.catalog.catalog import CatalogTable
from tableapi.catalog.directory import DirectoryCatalog
from tableapi.catalog.object_files import write_object
from tableapi.catalog.statements import create_table
from tableapi.cli.checking import load
from tableapi.cli.deploying import matches
from tableapi.cli.output import ExitCode, Output, bullet_list, counted
from tableapi.environment.table_environment import parts_of
from tableapi.project.configuration import ProjectError
from tableapi.project.deployment import Deployment
from tableapi.project.table_files import declared_table
from tableapi.query_diff.schema_changes import compare_schemas


def _tables(deployment: Deployment, patterns: list[str]) -> Iterator[tuple[str, str, CatalogTable]]:
    """Yield the tables of a target that match, each with its database and name."""
    catalog = deployment.catalog
    for database in catalog.list_databases():
        views = set(catalog.list_views(database))
        for name in catalog.list_tables(database):
            if name in views or not matches(f"{database}.{name}", patterns):
                continue
            found = parts_of(deployment.environment).runtime.manager.find(
                ObjectIdentifier(name, database, deployment.configuration.catalog_name)
            )
            if isinstance(found, CatalogTable):
                yield database, name, found


def _view(deployment: Deployment, database: str, name: str) -> CatalogTable | None:
    """Return the columns of a view that a project knows as a table, because it is no view of the project."""
    catalog = deployment.catalog
    if not catalog.database_exists(database) or fold(name) not in map(fold, catalog.list_views(database)):
        return None
    identifier = ObjectIdentifier(name, database, deployment.configuration.catalog_name)
    return declared_table(parts_of(deployment.environment).runtime.manager.find(identifier))


def pull(output: Output, folder: Path, target: str, patterns: list[str]) -> ExitCode:
    """Write the tables of a target as files; only files whose content changes are written."""
    project = load(folder)
    deployment = Deployment.connect(project.configuration, target)
    catalog = DirectoryCatalog(
        project.configuration.catalog_name, project.configuration.catalog, project.configuration.database
    )
    show = output.progress("")
    tables = list(_tables(deployment, patterns))
    if not tables:
        raise ProjectError(f"The target {target} has no table that matches {', '.join(map(repr, patterns))}.")
    written, same = [], 0
    for number, (database, name, table) in enumerate(tables, 1):
        show(number, len(tables), f"{database}.{name}")
        if _write(catalog, database, name, declared_table(table)):
            written.append(f"{database}.{name}")
        else:
            same += 1
    for name in written:
        output.show(f"wrote {name}")
    output.show(f"{counted(len(written), 'table')} written, {same} unchanged.", "green")
    output.document(target=target, written=written, unchanged=same)
    return ExitCode.OK


def _write(catalog: DirectoryCatalog, database: str, name: str, table: CatalogTable) -> bool:
    """Write the file of a table unless it has the content already, and return whether it was written."""
    if not catalog.database_exists(database):
        catalog.create_database(database)
    path = catalog.file_of(database, name)
    content = write_object(create_table(quote(name), table), {})
    if path is not None:
        if path.parent.name != "tables":
            raise TableException(f"{path} is a view of the project, and a table at the target.")
        if path.read_bytes() == content:
            return False
        catalog.drop_table(database, name)
    catalog.create_table(database, name, table)
    return True


def check(output: Output, folder: Path, target: str, patterns: list[str]) -> ExitCode:
    """Report by column how the tables of the project differ from those of a target."""
    project = load(folder)
    deployment = Deployment.connect(project.configuration, target)
    there = {(fold(database), fold(name)): table for database, name, table in _tables(deployment, patterns)}
    drift: list[dict[str, Any]] = []
    checked = 0
    for database in project.catalog.list_databases():
        views = set(project.catalog.list_views(database))
        for name in project.catalog.list_tables(database):
            if name in views or not matches(f"{database}.{name}", patterns):
                continue
            checked += 1
            ours = project.catalog.get_table(database, name)
            theirs = there.get((fold(database), fold(name))) or _view(deployment, database, name)
            changes = ["The table does not exist at the target."] if theirs is None else _changes(ours, theirs)
            if changes:
                drift.append({"table": f"{database}.{name}", "changes": changes})
    for found in drift:
        output.show(found["table"], "bold")
        output.show(bullet_list(found["changes"]))
    if drift:
        output.show(f"{counted(len(drift), 'table')} of {checked} differ from the target {target}.", "red")
    else:
        output.show(f"{counted(checked, 'table')}: as at the target {target}.", "green")
    output.document(target=target, checked=checked, drift=drift)
    return ExitCode.FOUND if drift else ExitCode.OK


def _changes(ours: Any, theirs: CatalogTable) -> list[str]:
    """Return what the target has otherwise than the project, as sentences."""
    here, there = declared_table(ours), declared_table(theirs)
    # Spark reads every column of a table back as nullable, so that only the types count.
    old = here.schema.with_types([column.data_type.as_nullable() for column in here.schema.columns])
    new = there.schema.with_types([column.data_type.as_nullable() for column in there.schema.columns])
    changes = [f"At the target, {change.text}." for change in compare_schemas(old, new, {})]
    if tuple(map(fold, here.partition_keys)) != tuple(map(fold, there.partition_keys)):
        changes.append(
            f"At the target, the partition columns are [{', '.join(there.partition_keys)}], and not "
            f"[{', '.join(here.partition_keys)}]."
        )
    return changes
