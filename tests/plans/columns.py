"""Convert the expressions of a query to DataFrame Columns: as SQL text, or as calls around subqueries."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from typing import Any

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as f

from ir.call_expressions import Call
from ir.contents import OUTER, QUERY
from ir.expressions import FieldReference, ResolvedExpression, SortOrder
from ir.functions import comparison, logic, subquery
from ir.functions.arithmetic import DIVIDE, MINUS, PLUS, TIMES
from ir.functions.definition import FunctionDefinition
from ir.identifiers import quote
from ir.operations.operation import TableReference
from ir.rewriting import replace
from serializer.expressions import expression_pieces
from serializer.spark_notation import SPARK

QueryFrame = Callable[[TableReference], DataFrame]


class NoCounterpart(Exception):
    """The DataFrame API has no equivalent of a query."""


def _case(*parts: Column) -> Column:
    column = f.when(parts[0], parts[1])
    for position in range(2, len(parts) - 1, 2):
        column = column.when(parts[position], parts[position + 1])
    return column.otherwise(parts[-1]) if len(parts) % 2 else column


def _all(*parts: Column) -> Column:
    return _combined(operator.and_, parts)


def _any(*parts: Column) -> Column:
    return _combined(operator.or_, parts)


def _combined(combine: Callable[[Any, Any], Any], parts: tuple[Column, ...]) -> Column:
    combined = parts[0]
    for part in parts[1:]:
        combined = combine(combined, part)
    return combined


# Calls with an equivalent method or operator of Column, for calls around a subquery, which no text can contain.
_OF_COLUMNS: dict[FunctionDefinition, Callable[..., Column]] = {
    logic.AND: _all,
    logic.OR: _any,
    logic.NOT: operator.invert,
    logic.CASE: _case,
    comparison.EQUALS: operator.eq,
    comparison.NOT_EQUALS: operator.ne,
    comparison.LESS_THAN: operator.lt,
    comparison.LESS_THAN_OR_EQUAL: operator.le,
    comparison.GREATER_THAN: operator.gt,
    comparison.GREATER_THAN_OR_EQUAL: operator.ge,
    PLUS: operator.add,
    MINUS: operator.sub,
    TIMES: operator.mul,
    DIVIDE: operator.truediv,
}


def text(expression: ResolvedExpression, around: Mapping[str, str]) -> str:
    """Return an expression without subqueries as SQL.

    Args:
        expression: the expression.
        around: for each column of the outer query, the alias of its DataFrame.
    """
    written = []
    for piece in expression_pieces(expression, SPARK):
        written.append(piece if isinstance(piece, str) else f"{around[piece.name]}.{quote(piece.name)}")
    return "".join(written)


class Columns:
    """Convert the expressions of one query to Columns."""

    def __init__(self, around: Mapping[str, str], frame_of: QueryFrame) -> None:
        self._around = around
        self.frame_of = frame_of

    def text(self, expression: ResolvedExpression) -> str | None:
        """Return an expression as SQL; None if it needs more than a text over one DataFrame."""
        return None if expression.contents & (OUTER | QUERY) else text(expression, self._around)

    def column(self, expression: ResolvedExpression) -> Column:
        """Return an expression as a Column.

        Raises:
            NoCounterpart: the expression contains a subquery where no method of Column accepts one.
        """
        if not expression.contents & QUERY:
            column = f.expr(text(expression, self._around))
            return column.outer() if expression.contents & OUTER else column
        if isinstance(expression, Call) and expression.filter is None and not expression.distinct:
            if is_subquery(expression):
                return self._subquery(expression)
            combine = _OF_COLUMNS.get(expression.function)
            if combine is not None:
                return combine(*[self.column(argument) for argument in expression.arguments])
        raise NoCounterpart("a subquery in a call that Columns have no method for")

    def order(self, order: SortOrder) -> Column:
        """Return a sort key as a Column."""
        column = self.column(order.expression)
        if order.ascending:
            return column.asc_nulls_first() if order.nulls_first else column.asc_nulls_last()
        return column.desc_nulls_first() if order.nulls_first else column.desc_nulls_last()

    def _subquery(self, call: Call) -> Column:
        query = call.arguments[-1]
        assert isinstance(query, TableReference)
        if call.function is subquery.EXISTS:
            return self.frame_of(query).exists()
        if call.function is subquery.SCALAR:
            return self.frame_of(query).scalar()
        searched = call.arguments[0]
        values = comparison.row_values(searched) if len(query.operation.schema) > 1 else ()
        column = f.struct(*map(self.column, values)) if values else self.column(searched)
        return column.isin(self.frame_of(query))

    def is_column(self, expression: ResolvedExpression) -> bool:
        """Whether an expression can be a Column as it is."""
        if not expression.contents & QUERY:
            return True
        if not isinstance(expression, Call) or expression.filter is not None or expression.distinct:
            return False
        if is_subquery(expression):
            return True
        return expression.function in _OF_COLUMNS and all(map(self.is_column, expression.arguments))


def is_subquery(expression: ResolvedExpression) -> bool:
    """Whether an expression is a call with a subquery."""
    return isinstance(expression, Call) and any(isinstance(a, TableReference) for a in expression.arguments)


def subqueries_replaced(
    expression: ResolvedExpression, added: dict[ResolvedExpression, FieldReference]
) -> ResolvedExpression:
    """Replace the subqueries in an expression by columns, and add these to ``added``."""

    def find(part: ResolvedExpression) -> ResolvedExpression | None:
        if not is_subquery(part):
            return None
        return added.setdefault(part, FieldReference(f"subquery {len(added)}", part.data_type, 0, -1))

    return replace(expression, find)
