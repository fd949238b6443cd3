"""Facts about the operations of streams that follow from the inputs, each found once.

A query is built step by step, and each step is checked. Without this memory a step would read the whole tree below it
again, and a query of n steps would cost n².
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar
from weakref import WeakKeyDictionary

from ir.nodes import post_order
from ir.operations.operation import QueryOperation
from ir.streaming.reads import list_streams

F = TypeVar("F")


class RememberedFacts(Generic[F]):
    """A fact for each living operation over a stream.

    Args:
        find: returns the fact of an operation whose inputs have theirs. The fact must not refer to the operation, which
            would never be freed.
    """

    def __init__(self, find: Callable[[QueryOperation], F]) -> None:
        self._find = find
        self._known: WeakKeyDictionary[QueryOperation, F] = WeakKeyDictionary()

    def of(self, operation: QueryOperation) -> F:
        """Return the fact of an operation over a stream, and find those of its inputs first."""
        known = self._known.get(operation)
        if known is not None:
            return known
        for part in post_order(operation, self._list_unknown):
            self._known[part] = self._find(part)
        return self._known[operation]

    def _list_unknown(self, operation: QueryOperation) -> list[QueryOperation]:
        return [read for read in list_streams(operation) if read not in self._known]
