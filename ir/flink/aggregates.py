"""Rewriting of aggregates to Flink's SQL."""

from __future__ import annotations

from collections.abc import Callable

from ir import types as t
from ir.call_expressions import Call
from ir.expressions import ResolvedExpression
from ir.flink.arguments import (
    Forms,
    add_casts,
    refuse_bytes,
    reject,
)
from ir.flink.casts import NoForm, cast, convert
from ir.flink.collections import json_aggregate
from ir.functions import aggregate as agg
from ir.functions import statistics as stat
from ir.functions.json_aggregates import JSON_ARRAYAGG, JSON_OBJECTAGG
from ir.types import LogicalType


def _sum(part: Call) -> ResolvedExpression:
    return _aggregate(part, add_casts(part), lambda wanted: not isinstance(wanted, t.DecimalType))


def _average(part: Call) -> ResolvedExpression:
    return _aggregate(part, add_casts(part), lambda wanted: True)


def _aggregate(part: Call, with_casts: Call, widen: Callable[[LogicalType], bool]) -> ResolvedExpression:
    """Return an aggregate over values cast to the result type, since Flink returns the type of the values."""
    wanted = part.data_type
    if isinstance(wanted, t.IntervalType):
        raise NoForm("it has no aggregates of intervals")
    (argument,) = with_casts.arguments
    if widen(wanted):
        argument = cast(argument, wanted)
    made = part.evolve(arguments=(argument,))
    # Flink's sums and averages of decimals have 38 digits.
    return convert(made, wanted) if isinstance(wanted, t.DecimalType) else made


_EXTREMES = (t.NumericType, t.BooleanType, t.CharacterType, t.TemporalType)


def _extreme(part: Call) -> ResolvedExpression:
    if not isinstance(part.data_type, _EXTREMES):
        raise NoForm(f"its {part.function.sql_name} takes no {part.data_type.as_nullable().as_summary_string()}")
    return add_casts(part)


def _percentile(part: Call) -> ResolvedExpression:
    value = part.arguments[0]
    if not isinstance(value.data_type, t.NumericType):
        raise NoForm("its PERCENTILE is of numbers alone")
    if any(isinstance(argument.data_type, t.NullType) for argument in part.arguments):
        raise NoForm("a NULL without a type has no place in it there; give it one with null_of")
    # Flink accepts a literal array there, but not a cast one.
    return part


_COUNTED = (t.NumericType, t.CharacterType, t.DateType, t.TimeType, t.TimestampType, t.LocalZonedTimestampType)


def _approximate_count(part: Call) -> ResolvedExpression:
    if len(part.arguments) > 1:
        raise NoForm("its APPROX_COUNT_DISTINCT has no deviation")
    if not isinstance(part.arguments[0].data_type, _COUNTED):
        kind = part.arguments[0].data_type.as_nullable().as_summary_string()
        raise NoForm(f"its APPROX_COUNT_DISTINCT takes no {kind}")
    return part


def _rewrite_listagg(part: Call) -> ResolvedExpression:
    refuse_bytes(part, "its LISTAGG joins text only")
    if len(part.arguments) > 1 and not isinstance(part.arguments[1].data_type, t.CharacterType):
        raise NoForm("its LISTAGG takes a separator that is text")
    return add_casts(part)


FORMS: Forms = {
    agg.SUM: _sum,
    **dict.fromkeys((agg.MIN, agg.MAX), _extreme),
    agg.LIST_AGG: _rewrite_listagg,
    stat.PERCENTILE: _percentile,
    stat.APPROX_COUNT_DISTINCT: _approximate_count,
    **dict.fromkeys((agg.AVG, stat.STDDEV_POP, stat.STDDEV_SAMP, stat.VAR_POP, stat.VAR_SAMP), _average),
    **dict.fromkeys((JSON_OBJECTAGG, JSON_ARRAYAGG), json_aggregate),
    agg.ARRAY_AGG: reject("its ARRAY_AGG keeps NULL, and is NULL where there are no rows"),
}
