"""The names that a person gave to relations of the query that is written."""

from __future__ import annotations

from contextlib import AbstractContextManager
from contextvars import ContextVar, Token

from ir.operations.operation import QueryOperation
from ir.relation_names import NO_NAMES, RelationNames

_given: ContextVar[tuple[QueryOperation, RelationNames] | None] = ContextVar("_given", default=None)


class _Naming:
    """What ``naming`` returns; a context of a generator function takes several times as long."""

    __slots__ = ("_query", "_token")

    _token: Token[tuple[QueryOperation, RelationNames] | None]

    def __init__(self, query: tuple[QueryOperation, RelationNames] | None) -> None:
        self._query = query

    def __enter__(self) -> None:
        self._token = _given.set(self._query)

    def __exit__(self, *error: object) -> None:
        _given.reset(self._token)


def naming(query: QueryOperation, names: RelationNames) -> AbstractContextManager[None]:
    """Within the block, texts of a query, and of what it becomes before it is run, call its relations by names."""
    return _Naming((query, names) if names else None)


def names_of(operation: QueryOperation) -> RelationNames:
    """Return the names by which the text of a query calls its relations, where nothing else has them."""
    given = _given.get()
    if given is None:
        return NO_NAMES
    query, names = given
    return names.flattened().moved(query, operation)
