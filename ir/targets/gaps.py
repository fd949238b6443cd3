"""Gaps of older versions of Spark within functions that they have: clauses of a call that they lack or ignore."""

from __future__ import annotations

from collections.abc import Callable

import attrs

from ir import types as t
from ir.calls import Clauses, construct
from ir.expressions import Call, LambdaVariable, Over, ResolvedExpression, ValueLiteral
from ir.functions import aggregate as agg
from ir.functions import statistics
from ir.functions.collection import GET, ROW
from ir.functions.higher_order import TRANSFORM
from ir.functions.logic import CASE
from ir.literals import literal
from ir.rewriting import over_body

_VALUE = "value"
# They ignore NULL, so that a row that FILTER leaves out can count as NULL.
_OVER_VALUES = (
    *(agg.COUNT, agg.SUM, agg.TRY_SUM, agg.AVG, agg.TRY_AVG, agg.MIN, agg.MAX, agg.COUNT_IF, agg.ARRAY_AGG),
    *(agg.COLLECT_SET, agg.BOOL_AND, agg.BOOL_OR, agg.BIT_AND, agg.BIT_OR, agg.BIT_XOR),
    *(statistics.STDDEV_POP, statistics.STDDEV_SAMP, statistics.VAR_POP, statistics.VAR_SAMP),
)


@attrs.frozen
class Gap:
    """A clause that a target may lack.

    Attributes:
        feature: its name in ``availability.json``.
        applies: whether a call needs it; the second argument is the window of the call, if it has one.
        form: returns an equivalent call or expression, None if there is none.
    """

    feature: str
    applies: Callable[[Call, Over | None], bool]
    form: Callable[[Call], ResolvedExpression | None]


def _with_nulls(call: Call) -> ResolvedExpression:
    """Return the array of all values: rows that hold one value each are collected even if the value is NULL."""
    rows = construct(call.function, (construct(ROW, (literal(_VALUE), call.arguments[0])),), _clauses(call))
    assert isinstance(rows.data_type, t.ArrayType)
    row = LambdaVariable("row", rows.data_type.element)
    return construct(TRANSFORM, (rows, over_body((row,), construct(GET, (row, literal(_VALUE))))))


def _clauses(call: Call) -> Clauses:
    return Clauses(distinct=call.distinct, filter=call.filter)


def _without_filter(call: Call) -> ResolvedExpression | None:
    if call.function not in _OVER_VALUES or call.respect_nulls or call.order_by:
        return None
    assert call.filter is not None
    value, *others = call.arguments
    chosen = construct(CASE, (call.filter, value, ValueLiteral(None, t.NULL)))
    return construct(call.function, (chosen, *others), Clauses(distinct=call.distinct))


GAPS = (
    Gap("RESPECT NULLS", lambda call, over: call.respect_nulls, _with_nulls),
    Gap("FILTER over a window", lambda call, over: over is not None and call.filter is not None, _without_filter),
    Gap("WITHIN GROUP of MODE", lambda call, over: call.function is agg.MODE and bool(call.order_by), lambda call: None),
)
"""The gaps that calls of built-in functions are checked for."""
