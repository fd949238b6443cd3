"""Conditions of joins between two streams: equal columns, and bounds between times, by which state can be dropped.

Spark keeps the rows of both sides until no row of the other side can match them. It knows that from a watermark on an
equal column, or from a comparison in which both sides have a single column: ``r.ts <= l.ts + INTERVAL 5 SECONDS`` says
that rows of the left side are no longer needed when the watermark of the right side has passed their time by that much.

Source: https://spark.apache.org/docs/latest/streaming/apis-on-dataframes-and-datasets.html#stream-stream-joins
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ir import light_attrs as attrs
from ir.call_expressions import Call
from ir.contents import QUERY
from ir.expressions import FieldReference, ResolvedExpression, ValueLiteral
from ir.functions.arithmetic import MINUS, PLUS
from ir.functions.comparison import (
    BETWEEN,
    EQUALS,
    GREATER_THAN,
    GREATER_THAN_OR_EQUAL,
    IS_NOT_DISTINCT_FROM,
    LESS_THAN,
    LESS_THAN_OR_EQUAL,
)
from ir.functions.conversion import CAST, TRY_CAST
from ir.functions.logic import AND, EQUAL_NULL
from ir.types import DayTimeIntervalType, LocalZonedTimestampType, NumericType

Side = int
"""0 for the left side of a join, 1 for the right one."""
LEFT, RIGHT = 0, 1
_EQUALITIES = (EQUALS, IS_NOT_DISTINCT_FROM, EQUAL_NULL)
_CONVERSIONS = (CAST, TRY_CAST)
_CONVERTED = (LocalZonedTimestampType, NumericType)
_CONSTANTS = (DayTimeIntervalType, LocalZonedTimestampType, NumericType)


@attrs.frozen
class Bounds:
    """How far the condition of a join bounds the state of both sides.

    Attributes:
        has_equal_columns: whether an expression of one side equals one of the other.
        has_equal_times: whether a column that carries a watermark is one of these expressions.
        bounded: the sides whose rows can be dropped because of a comparison with the watermark of the other side.
    """

    has_equal_columns: bool
    has_equal_times: bool
    bounded: frozenset[Side]

    def can_drop(self, side: Side) -> bool:
        """Whether the rows of a side can be dropped from the state some time."""
        return self.has_equal_times or side in self.bounded


def find_bounds(condition: Iterable[ResolvedExpression], times: tuple[frozenset[int], frozenset[int]]) -> Bounds:
    """Return the time bounds that the conjuncts of a condition set for the state of a join.

    Args:
        condition: the conjuncts; the input index of a field reference is its side.
        times: for each side, the positions of the columns that carry a watermark.
    """
    equal = equal_times = False
    bounded: set[Side] = set()
    for conjunct in condition:
        for part in split_conjuncts(conjunct):
            if isinstance(part, Call) and part.function in _EQUALITIES:
                first, second = part.arguments
                if {*_sides(first)} | {*_sides(second)} == {LEFT, RIGHT} and len({*_sides(first)}) == 1:
                    equal = equal or len({*_sides(second)}) == 1
                    equal_times = equal_times or any(_carries(one, times) for one in part.arguments)
            for lesser, greater in _comparisons(part):
                bounded.update(side for side in (LEFT, RIGHT) if _is_bounded(side, lesser, greater, times))
    return Bounds(equal, equal_times, frozenset(bounded))


def split_conjuncts(condition: ResolvedExpression) -> Iterator[ResolvedExpression]:
    """Yield the conjuncts of a condition."""
    pending = [condition]
    while pending:
        part = pending.pop()
        if isinstance(part, Call) and part.function is AND:
            pending.extend(reversed(part.arguments))
        else:
            yield part


def _sides(expression: ResolvedExpression) -> Iterator[Side]:
    return (part.input_index for part in expression.walk() if isinstance(part, FieldReference))


def _carries(expression: ResolvedExpression, times: tuple[frozenset[int], frozenset[int]]) -> bool:
    return isinstance(expression, FieldReference) and expression.index in times[expression.input_index]


def _comparisons(part: ResolvedExpression) -> Iterator[tuple[ResolvedExpression, ResolvedExpression]]:
    """Yield the lesser and the greater operand of each comparison in a conjunct."""
    if not isinstance(part, Call) or part.contents & QUERY:
        return
    match part.arguments:
        case first, second:
            if part.function in (LESS_THAN, LESS_THAN_OR_EQUAL):
                yield first, second
            elif part.function in (GREATER_THAN, GREATER_THAN_OR_EQUAL):
                yield second, first
        case value, low, high if part.function is BETWEEN:
            yield low, value
            yield value, high


def _is_bounded(
    side: Side,
    lesser: ResolvedExpression,
    greater: ResolvedExpression,
    times: tuple[frozenset[int], frozenset[int]],
) -> bool:
    """Whether a comparison bounds the time of a side from below by the watermark of the other side."""
    terms = [*_terms(lesser, 1), *_terms(greater, -1)]
    columns = [(part, sign) for part, sign in terms if isinstance(part, FieldReference)]
    own = [sign for column, sign in columns if column.input_index == side]
    other = [column for column, _ in columns if column.input_index != side]
    if any(part is None for part, _ in terms) or len(own) != 1 or len(other) > 1:
        return False
    return own[0] < 0 and bool(times[1 - side]) and all(_carries(column, times) for column in other)


def _terms(expression: ResolvedExpression, sign: int) -> Iterator[tuple[ResolvedExpression | None, int]]:
    """Yield the terms of a sum of columns and constants with their signs; None for any other term."""
    pending = [(expression, sign)]
    while pending:
        part, sign = pending.pop()
        if isinstance(part, Call) and part.function in (PLUS, MINUS) and len(part.arguments) == 2:
            first, second = part.arguments
            pending += [(second, sign if part.function is PLUS else -sign), (first, sign)]
        elif isinstance(part, Call) and part.function in _CONVERSIONS and isinstance(part.data_type, _CONVERTED):
            pending.append((part.arguments[0], sign))
        elif isinstance(part, FieldReference) or (
            isinstance(part, ValueLiteral) and isinstance(part.data_type, _CONSTANTS)
        ):
            yield part, sign
        else:
            yield None, sign
