"""Binding: what only this process knows of, an in-memory catalog or data of its own, becomes something Spark has."""

from __future__ import annotations

from collections.abc import Callable

from ir.operations.operation import QueryOperation
from ir.operations.source import InlineSource, Source
from ir.rewriting import transform_operations


def bind(
    operation: QueryOperation,
    expand: Callable[[Source], QueryOperation | None],
    name: Callable[[InlineSource], QueryOperation],
) -> QueryOperation:
    """Return the same query over sources that all exist in the Spark session.

    Args:
        operation: the query.
        expand: returns the query that stands behind a source which Spark does not know, or None for one that it knows.
        name: gives data of this process a name in the session, and returns the source that reads it.
    """

    def change(current: QueryOperation) -> QueryOperation:
        if isinstance(current, InlineSource):
            return name(current)
        if isinstance(current, Source):
            behind = expand(current)
            return current if behind is None else bind(behind, expand, name)
        return current

    return transform_operations(operation, change)
