"""Views in memory over an altered table: they keep trees with the columns of the table, so that they are read again."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from ir import light_attrs as attrs
from ir.errors import TableException
from ir.identifiers import ObjectIdentifier, fold_path
from ir.operations.source import Source
from ir.rewriting import sources_of
from ir.schema import Column, ResolvedSchema
from tableapi.catalog.catalog import CatalogView
from tableapi.catalog.in_memory import InMemoryCatalog

if TYPE_CHECKING:
    from tableapi.queries.environment_parts import EnvironmentParts

_View = tuple[InMemoryCatalog, ObjectIdentifier, CatalogView]


def change_with_views(environment: EnvironmentParts, target: ObjectIdentifier, change: Callable[[], None]) -> None:
    """Change a table, and read the views over it again; ``change`` changes the table.

    Raises:
        TableException: a view needs a column that the table no longer has. All views are as before; the caller has to
            restore the table.
    """
    dependent = _dependent_views(environment, target)
    change()
    done: list[_View] = []
    try:
        for catalog, identifier, view in dependent:
            catalog.alter_view(str(identifier.database), identifier.name, _read_again(environment, identifier, view))
            done.append((catalog, identifier, view))
    except TableException as error:
        for catalog, name, view in done:
            catalog.alter_view(str(name.database), name.name, view)
        error.args = (
            f"{target.as_summary_string()} cannot be changed so: the view {identifier.as_summary_string()} reads it. "
            f"Change or drop the view first. {error}",
            *error.args[1:],
        )
        raise


def _read_again(environment: EnvironmentParts, identifier: ObjectIdentifier, view: CatalogView) -> CatalogView:
    query, names = environment.reader.read_again(identifier, view)
    comments = [column.comment for column in view.schema.columns]
    columns = [
        Column(column.name, column.data_type, comment)
        for column, comment in zip(query.schema.columns, comments, strict=True)
    ]
    return attrs.evolve(view, operation=query, names=names, schema=ResolvedSchema(tuple(columns)))


def _dependent_views(environment: EnvironmentParts, target: ObjectIdentifier) -> list[_View]:
    """Return the views that read a table, directly or through another view, each after those that it reads."""
    pending = list(_views_with_trees(environment))
    found: list[_View] = []
    changed = {fold_path(target.parts)}
    while True:
        reached = [entry for entry in pending if not changed.isdisjoint(_reads(entry[2]))]
        if not reached:
            return found
        found += reached
        changed |= {fold_path(identifier.parts) for _, identifier, _ in reached}
        pending = [entry for entry in pending if entry not in reached]


def _reads(view: CatalogView) -> Iterator[tuple[str, ...]]:
    assert view.operation is not None
    return (fold_path(source.identifier.parts) for source in sources_of(view.operation) if isinstance(source, Source))


def _views_with_trees(environment: EnvironmentParts) -> Iterator[_View]:
    manager = environment.runtime.manager
    for name in manager.list_catalogs():
        catalog = manager.opened(name)
        if not isinstance(catalog, InMemoryCatalog):
            continue
        for database in catalog.list_databases():
            for view in catalog.list_views(database):
                found = catalog.get_table(database, view)
                if isinstance(found, CatalogView) and found.operation is not None:
                    yield catalog, ObjectIdentifier(view, database, name), found
