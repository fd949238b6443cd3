"""What the reading of a stored text depends on: functions and tables, also those of bodies of functions."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import ParamSpec, TypeVar

import attrs

from ir.expressions import ResolvedExpression
from ir.functions.calls import SchemaUnknown
from ir.functions.definition import FunctionDefinition
from ir.identifiers import FunctionIdentifier
from ir.resolution.lookup import Evaluating, FunctionLookup, FunctionName

NotedFunction = tuple[FunctionLookup, FunctionName, FunctionDefinition]
_P = ParamSpec("_P")
_R = TypeVar("_R")


class Noting:
    """Notes what may change of that on which a text depends.

    Attributes:
        others: whether something may change without that anything here tells: a table that the body of a function
            reads, or one that no catalog knows.
    """

    def __init__(self) -> None:
        self._functions: dict[tuple[FunctionIdentifier | None, FunctionName], NotedFunction] = {}
        self.others = False

    @property
    def functions(self) -> tuple[NotedFunction, ...]:
        """The functions that were found, each with what found it, and by which name; none is built in."""
        return tuple(self._functions.values())

    @property
    def is_constant(self) -> bool:
        """Whether nothing that was noted can change."""
        return not self.others and not self._functions

    def add(self, lookup: FunctionLookup, name: FunctionName, found: FunctionDefinition) -> None:
        """Note what a name means."""
        if found.identifier is not None or found.implementation is not None:
            self._functions[found.identifier, name] = lookup, name, found

    def finding(self, lookup: FunctionLookup) -> FunctionLookup:
        """Return what finds the same functions, and notes them."""
        return _Finding(lookup, self)

    def reading(self, find: Callable[_P, _R]) -> Callable[_P, _R]:
        """Return what finds the same tables, and notes that some were read."""

        def find_and_note(*args: _P.args, **kwargs: _P.kwargs) -> _R:
            self.others = True
            return find(*args, **kwargs)

        return find_and_note

    @contextmanager
    def around(self) -> Iterator[None]:
        """Within the block, a body of a function that is read tells this what it depends on."""
        token = _reading.set(self)
        try:
            yield
        finally:
            _reading.reset(token)
            above = _reading.get()
            if above is not None:
                above.others = above.others or self.others
                above._functions.update(self._functions)


# What the text depends on that is being read, of which others may be a part.
_reading: ContextVar[Noting | None] = ContextVar("_reading", default=None)


@attrs.frozen(eq=False)
class _Finding:
    """Finds functions, and notes them."""

    lookup: FunctionLookup
    noting: Noting

    def find(self, name: FunctionName) -> FunctionDefinition:
        found = self.lookup.find(name)
        self.noting.add(self.lookup, name, found)
        return found

    def constant(self, expression: ResolvedExpression) -> ResolvedExpression:
        if not isinstance(self.lookup, Evaluating):
            raise SchemaUnknown.of(expression)
        return self.lookup.constant(expression)
