"""The types expected of a query's columns: those of the table that receives its rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from grammar import syntax as s
from grammar.builder.context import ExpectedColumn
from ir.expressions import Expression
from ir.functions.definition import FunctionDefinition
from ir.resolution.lookup import FunctionLookup
from ir.unresolved import UnresolvedCall, UnresolvedExpected


class ExpectedColumns:
    """The types expected of the columns of the outermost query of a text."""

    def __init__(self, column: ExpectedColumn | None, lookup: FunctionLookup) -> None:
        self._column = column
        self._lookup = lookup
        self._roots: frozenset[int] = frozenset()

    def begin(self, query: Any) -> None:
        """Set the outermost query."""
        if self._column is not None:
            self._roots = frozenset(map(id, _roots(query)))

    def of(
        self, node: s.Syntax, expressions: Sequence[Expression], names: Sequence[str], start: int = 0
    ) -> list[Expression]:
        """Attach the expected type to each column of a part of the query, where a function's type depends on it.

        The columns begin at the position ``start``.
        """
        if self._column is None or id(node) not in self._roots:
            return list(expressions)
        return [
            self._attach_type(e, n, name) if self._asks(e) else e
            for n, (e, name) in enumerate(zip(expressions, names, strict=True), start)
        ]

    def _attach_type(self, written: Expression, position: int, name: str) -> Expression:
        assert self._column is not None
        data_type = self._column(position, name)
        return written if data_type is None else UnresolvedExpected(written, data_type)

    def _asks(self, written: Expression) -> bool:
        if not isinstance(written, UnresolvedCall):
            return False
        function = written.function
        found = function if isinstance(function, FunctionDefinition) else self._lookup.find(function)
        return found.inference.of_expected_output


def _roots(query: Any) -> Iterator[s.Syntax]:
    """Yield the parts of a query that produce its rows: SELECTs and VALUES."""
    stack = [query]
    while stack:
        node = stack.pop()
        if isinstance(node, (s.Select, s.InlineValues)):
            yield node
        elif isinstance(node, s.SetOperation):
            stack += [node.left, node.right]
        elif isinstance(node, (s.Modified, s.With)):
            stack.append(node.query)
        elif isinstance(node, s.FromFirst):
            stack += node.selects
        elif isinstance(node, s.Parenthesised):
            stack.append(node.inner)
