"""Time fields that Flink's EXTRACT has and Spark's lacks."""

from __future__ import annotations

import datetime as dt

from ir import calls
from ir import types as t
from ir.dialects.syntax import syntax
from ir.expressions import ResolvedExpression, SymbolLiteral, TypeLiteral, ValueLiteral
from ir.functions.arithmetic import DIV, MINUS, PLUS, TIMES
from ir.functions.builder import scalar
from ir.functions.conversion import CAST
from ir.functions.dates import UNIX_DATE
from ir.functions.temporal import EXTRACT
from ir.functions.timestamps import UNIX_MICROS
from ir.inference import CallContext
from ir.inference.arguments import Family, symbol
from ir.inference.inputs import positional
from ir.inference.results import Computed
from ir.literals import literal

EPOCH = "EPOCH"
# The length of each field in years. Flink counts centuries and millennia from 1.
YEARS = {"DECADE": 10, "CENTURY": 100, "MILLENNIUM": 1000}
CALENDAR_FIELDS = (*YEARS, EPOCH)
_TIME = Family("DATE or TIMESTAMP", (t.DateType, t.TimestampType, t.LocalZonedTimestampType))
_SECONDS_OF_DAY = 86_400
_SECONDS = t.DayTimeIntervalType(t.IntervalField.SECOND, t.IntervalField.SECOND)


def build_spark_field(field: ResolvedExpression, time: ResolvedExpression) -> ResolvedExpression:
    """Return the Spark expression for a field of a time."""
    assert isinstance(field, SymbolLiteral)
    if field.symbol == EPOCH:
        return _seconds(time)
    years = YEARS[field.symbol]
    year = calls.call(EXTRACT, (SymbolLiteral("YEAR"), time))
    counted = year if field.symbol == "DECADE" else calls.call(PLUS, (year, literal(years - 1)))
    return calls.build_without_recognition(DIV, (counted, literal(years)))


def _seconds(time: ResolvedExpression) -> ResolvedExpression:
    """Return the expression for the whole seconds since 1970."""
    if isinstance(time.data_type, t.DateType):
        days = calls.call(CAST, (calls.call(UNIX_DATE, (time,)), TypeLiteral(t.BIGINT)))
        return calls.build_without_recognition(TIMES, (days, _long(_SECONDS_OF_DAY)))
    if isinstance(time.data_type, t.LocalZonedTimestampType):
        return calls.build_without_recognition(DIV, (calls.call(UNIX_MICROS, (time,)), _long(1_000_000)))
    passed = calls.call(MINUS, (time, literal(dt.datetime(1970, 1, 1))))
    return calls.build_without_recognition(
        CAST, (calls.call(CAST, (passed, TypeLiteral(_SECONDS))), TypeLiteral(t.BIGINT))
    )


def _long(value: int) -> ValueLiteral:
    return ValueLiteral(value, t.BIGINT.not_null())


def _result(context: CallContext) -> t.LogicalType:
    return build_spark_field(*context.arguments).data_type


CALENDAR_FIELD = scalar(
    "calendarField",
    positional(symbol(*CALENDAR_FIELDS), _TIME, names="field time"),
    Computed(_result),
    sql="EXTRACT FIELD",
    syntax=syntax("EXTRACT({0} FROM {1})"),
    in_spark=False,
    doc="A field that only Flink's EXTRACT supports: the decade, century or millennium of time, or its seconds since "
    "1970.",
    example=("EXTRACT(CENTURY FROM DATE '2000-12-31')", "20"),
)
