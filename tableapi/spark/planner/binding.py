"""Binding: replace views and data that only this process knows by objects of the Spark session."""

from __future__ import annotations

from collections.abc import Callable

from ir.errors import TableException
from ir.operations.operation import QueryOperation
from ir.operations.source import InlineSource, Source
from ir.rewriting import sources_of, transform_operations


def bind(
    operation: QueryOperation,
    expand: Callable[[Source], QueryOperation | None],
    name: Callable[[InlineSource], QueryOperation],
) -> QueryOperation:
    """Rewrite a query so that all its sources exist in the Spark session.

    Args:
        operation: the query.
        expand: returns the query behind a source that Spark does not know, or None for a source that Spark knows.
        name: registers data of this process with the session, and returns the source that reads it.
    """

    # Views may be nested to any depth, and several views may read the same one.
    behind: dict[QueryOperation, QueryOperation | None] = {}
    done: dict[QueryOperation, QueryOperation] = {}

    def change(current: QueryOperation) -> QueryOperation:
        if isinstance(current, InlineSource):
            return name(current)
        found = behind.get(current)
        return current if found is None else done[found]

    waiting = [operation]
    opened: set[QueryOperation] = set()
    while waiting:
        current = waiting[-1]
        first = len(waiting)
        for source in sources_of(current):
            if isinstance(source, Source):
                if source not in behind:
                    behind[source] = expand(source)
                found = behind[source]
                if found is not None and found not in done:
                    if found in opened:
                        raise TableException(
                            f"The view {source.identifier.as_summary_string()} reads itself, by way of a function."
                        )
                    waiting.append(found)
        opened.add(current)
        if len(waiting) == first:
            done[current] = transform_operations(current, change)
            opened.discard(waiting.pop())
    return done[operation]
