"""Holds the user's names for the relations of the query that is serialized."""

from __future__ import annotations

from contextvars import ContextVar, Token

from ir.light_typing import TYPE_CHECKING
from ir.operations.operation import QueryOperation
from ir.relation_names import NO_NAMES, RelationNames

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

_given: ContextVar[tuple[QueryOperation | None, RelationNames] | None] = ContextVar("_given", default=None)


class _Naming:
    """The context manager of ``naming``; one from a generator function takes several times as long."""

    __slots__ = ("_query", "_token")

    _token: Token[tuple[QueryOperation | None, RelationNames] | None]

    def __init__(self, query: tuple[QueryOperation | None, RelationNames] | None) -> None:
        self._query = query

    def __enter__(self) -> None:
        self._token = _given.set(self._query)

    def __exit__(self, *error: object) -> None:
        _given.reset(self._token)


def use_names(query: QueryOperation | None, names: RelationNames) -> AbstractContextManager[None]:
    """Within the block, use the names for the relations of a query, also after the query is rewritten for execution.

    Without a query, they are for all queries of a statement, as they were read.
    """
    return _Naming((query, names) if names else None)


def find_given_names(operation: QueryOperation) -> RelationNames:
    """Return the user's names for the relations of a query."""
    given = _given.get()
    if given is None:
        return NO_NAMES
    query, names = given
    return names.flattened() if query is None else names.flattened().moved(query, operation)
