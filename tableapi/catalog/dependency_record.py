"""Record the dependencies of a parsed text: functions and tables, including those of function bodies."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import ParamSpec, TypeVar

from ir import light_attrs as attrs
from ir.call_expressions import SchemaUnknown
from ir.expressions import ResolvedExpression
from ir.functions.definition import FunctionDefinition
from ir.identifiers import FunctionIdentifier
from ir.resolution.lookup import FunctionLookup, FunctionName, can_evaluate

NotedFunction = tuple[FunctionLookup, FunctionName, FunctionDefinition]
_P = ParamSpec("_P")
_R = TypeVar("_R")


class DependencyRecord:
    """Records the dependencies of a text that may change.

    Attributes:
        others: whether the text has dependencies whose changes cannot be detected, such as a table that the body of a
            function reads, or a table that no catalog knows.
    """

    def __init__(self) -> None:
        self._functions: dict[tuple[FunctionIdentifier | None, FunctionName], NotedFunction] = {}
        self.others = False

    @property
    def functions(self) -> tuple[NotedFunction, ...]:
        """The functions that were found, except built-in ones, each with its lookup and name."""
        return tuple(self._functions.values())

    @property
    def is_constant(self) -> bool:
        """Whether no recorded dependency can change."""
        return not self.others and not self._functions

    def add(self, lookup: FunctionLookup, name: FunctionName, found: FunctionDefinition) -> None:
        """Record the function that a name resolves to."""
        if found.user_code.identifier is not None or found.user_code.implementation is not None:
            self._functions[found.user_code.identifier, name] = lookup, name, found

    def finding(self, lookup: FunctionLookup) -> FunctionLookup:
        """Wrap a function lookup so that it records the functions that it finds."""
        return _RecordingLookup(lookup, self)

    def reading(self, find: Callable[_P, _R]) -> Callable[_P, _R]:
        """Wrap a table lookup so that it records its use."""

        def find_and_note(*args: _P.args, **kwargs: _P.kwargs) -> _R:
            self.others = True
            return find(*args, **kwargs)

        return find_and_note

    @contextmanager
    def around(self) -> Iterator[None]:
        """Within the block, add the dependencies of function bodies that are parsed to this record."""
        token = _reading.set(self)
        try:
            yield
        finally:
            _reading.reset(token)
            above = _reading.get()
            if above is not None:
                above.others = above.others or self.others
                above._functions.update(self._functions)


# The record of the text that is being parsed; the records of nested texts are added to it.
_reading: ContextVar[DependencyRecord | None] = ContextVar("_reading", default=None)


@attrs.frozen(eq=False)
class _RecordingLookup:
    """A function lookup that records the functions that it finds."""

    lookup: FunctionLookup
    noting: DependencyRecord

    def find(self, name: FunctionName) -> FunctionDefinition:
        found = self.lookup.find(name)
        self.noting.add(self.lookup, name, found)
        return found

    def constant(self, expression: ResolvedExpression) -> ResolvedExpression:
        if not can_evaluate(self.lookup):
            raise SchemaUnknown.of(expression)
        return self.lookup.constant(expression)
