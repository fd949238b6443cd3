"""The verbs ``schema pull`` and ``schema check``: the columns of a target's tables as files of the project."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ir.errors import TableException
from ir.identifiers import ObjectIdentifier, fold, fold_path, quote
from tableapi.catalog.catalog import Catalog, CatalogTable, CatalogView
from tableapi.catalog.directory import DirectoryCatalog
from tableapi.catalog.object_files import write_object
from tableapi.catalog.statements import create_table
from tableapi.cli.checking import load
from tableapi.cli.deploying import matches
from tableapi.cli.output import ExitCode, Output, bullet_list, counted
from tableapi.environment.table_environment import parts_of
from tableapi.project.configuration import Configuration, ProjectError
from tableapi.project.deployment import Deployment
from tableapi.project.project import Project
from tableapi.project.table_files import declared_table
from tableapi.query_diff.schema_changes import compare_schemas


def _catalogs(deployment: Deployment) -> Iterator[Catalog]:
    """Yield the catalog of the views, and the others that views read; a target of files has none of these."""
    yield deployment.catalog
    if deployment.settings.directory is None:
        yield from map(deployment.environment.get_catalog, deployment.configuration.catalogs)


def _shown(configuration: Configuration, table: ObjectIdentifier) -> str:
    """Return the name of a table as messages and patterns have it: those of other catalogs begin with the catalog."""
    parts = table.parts[1:] if fold(str(table.catalog)) == fold(configuration.catalog_name) else table.parts
    return ".".join(map(str, parts))


def _tables(deployment: Deployment, patterns: list[str]) -> Iterator[tuple[ObjectIdentifier, CatalogTable]]:
    """Yield the tables of a target that match, each with its full name."""
    manager = parts_of(deployment.environment).runtime.manager
    for catalog in _catalogs(deployment):
        for database in catalog.list_databases():
            views = set(catalog.list_views(database))
            for name in catalog.list_tables(database):
                identifier = ObjectIdentifier(name, database, catalog.name)
                if name not in views and matches(_shown(deployment.configuration, identifier), patterns):
                    found = manager.find(identifier)
                    if isinstance(found, CatalogTable):
                        yield identifier, found


def _view(deployment: Deployment, database: str, name: str) -> CatalogTable | None:
    """Return the columns of a view that a project knows as a table, because it is not a view of the project."""
    catalog = deployment.catalog
    if not catalog.database_exists(database) or fold(name) not in map(fold, catalog.list_views(database)):
        return None
    identifier = ObjectIdentifier(name, database, deployment.configuration.catalog_name)
    return declared_table(parts_of(deployment.environment).runtime.manager.find(identifier))


def pull(output: Output, folder: Path, target: str, patterns: list[str]) -> ExitCode:
    """Write the tables of a target as files; only files whose content changes are written."""
    configuration = load(folder).configuration
    deployment = Deployment.connect(configuration, target)
    files = {
        fold(name): DirectoryCatalog(name, path, database)
        for name, path, database in (
            (configuration.catalog_name, configuration.catalog, configuration.database),
            *[(name, path, "default") for name, path in configuration.catalogs.items()],
        )
    }
    show = output.progress("")
    tables = list(_tables(deployment, patterns))
    if not tables:
        raise ProjectError(f"The target {target} has no table that matches {', '.join(map(repr, patterns))}.")
    written, same = [], 0
    for number, (identifier, table) in enumerate(tables, 1):
        name = _shown(configuration, identifier)
        show(number, len(tables), name)
        catalog = files[fold(str(identifier.catalog))]
        if _write(catalog, str(identifier.database), identifier.name, declared_table(table)):
            written.append(name)
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
    there = {fold_path(identifier.parts): table for identifier, table in _tables(deployment, patterns)}
    drift: list[dict[str, Any]] = []
    checked = 0
    for identifier, ours in _tables_of(project, deployment, patterns):
        checked += 1
        theirs = there.get(fold_path(identifier.parts))
        if theirs is None and identifier.catalog == project.catalog.name:
            theirs = _view(deployment, str(identifier.database), identifier.name)
        changes = ["The table does not exist at the target."] if theirs is None else _changes(ours, theirs)
        if changes:
            drift.append({"table": _shown(project.configuration, identifier), "changes": changes})
    for found in drift:
        output.show(found["table"], "bold")
        output.show(bullet_list(found["changes"]))
    if drift:
        verb = "differs" if len(drift) == 1 else "differ"
        output.show(f"{counted(len(drift), 'table')} of {checked} {verb} from the target {target}.", "red")
    else:
        output.show(f"{counted(checked, 'table')}: as at the target {target}.", "green")
    output.document(target=target, checked=checked, drift=drift)
    return ExitCode.FOUND if drift else ExitCode.OK


def _tables_of(
    project: Project, deployment: Deployment, patterns: list[str]
) -> Iterator[tuple[ObjectIdentifier, CatalogTable | CatalogView]]:
    """Yield the tables that the files of a project have and that match, each with its full name."""
    others = project.configuration.catalogs if deployment.settings.directory is None else ()
    for catalog in (project.catalog, *map(project.environment.get_catalog, others)):
        for database in catalog.list_databases():
            views = set(catalog.list_views(database))
            for name in catalog.list_tables(database):
                identifier = ObjectIdentifier(name, database, catalog.name)
                if name not in views and matches(_shown(project.configuration, identifier), patterns):
                    yield identifier, catalog.get_table(database, name)


def _changes(ours: CatalogTable | CatalogView, theirs: CatalogTable) -> list[str]:
    """Describe how the target differs from the project, in sentences."""
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
