"""The lineage of a query of an environment, whose views are those of its catalogs."""

from __future__ import annotations

from ir.errors import TableNotExistException
from ir.identifiers import ObjectIdentifier, fold, path_text
from ir.operations.operation import QueryOperation
from ir.operations.source import InlineSource, Source
from ir.rewriting import sources_of
from tableapi.catalog.catalog import CatalogTable
from tableapi.lineage.fields import Dataset, Kind
from tableapi.lineage.graph import LineageGraph
from tableapi.lineage.lineage import Lineage
from tableapi.queries.environment_parts import EnvironmentParts

QUERY_NAME = "query"
"""The name of the query itself in texts and diagrams."""


def lineage_of(operation: QueryOperation, environment: EnvironmentParts) -> Lineage:
    """Return the lineage of a query.

    Raises:
        TableException: the text of a view that the query reads cannot be read.
    """
    graph = LineageGraph(
        lambda source: _definition(source, environment), lambda source: _name(source.identifier, environment)
    )
    root = Dataset(QUERY_NAME, Kind.QUERY, operation.schema)
    graph.add_query(root, operation)
    graph.open(root)
    return Lineage(graph, root)


def _definition(source: Source, environment: EnvironmentParts) -> QueryOperation | None:
    """Return the query of the view that a source reads; None for a table, and for a view that contains its rows."""
    found = _find_definition(source.identifier, environment)
    if found is None or isinstance(found, InlineSource) or not any(True for _ in sources_of(found)):
        return None
    return found


def _find_definition(identifier: ObjectIdentifier, environment: EnvironmentParts) -> QueryOperation | None:
    manager = environment.runtime.manager
    if identifier.is_temporary:
        temporary = manager.temporary(identifier.name)
        return None if temporary is None or temporary.files is not None else temporary.operation
    try:
        stored = manager.stored(identifier)
    except TableNotExistException:
        # The table was dropped after the query was built.
        return None
    if isinstance(stored, CatalogTable):
        return None
    return environment.reader.view_definition(path_text(identifier.parts))[0]


def _name(identifier: ObjectIdentifier, environment: EnvironmentParts) -> str:
    """Return a name without the current catalog and the current database, which most names would have."""
    parts = identifier.parts
    namespace = environment.runtime.manager.namespace
    if identifier.catalog is not None and fold(identifier.catalog) == fold(namespace.catalog):
        parts = parts[1:]
        is_current = namespace.database is not None and fold(str(identifier.database)) == fold(namespace.database)
        parts = parts[1:] if is_current and not identifier.inner else parts
    return path_text(parts)
