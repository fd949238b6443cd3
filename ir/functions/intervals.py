"""Functions of intervals: construction, adding and counting units of time, and time buckets.

Source: https://spark.apache.org/docs/latest/sql-ref-functions-builtin.html#date-and-timestamp-functions
"""

from __future__ import annotations

from ir import types as t
from ir.casts import TIMESTAMP_FAMILY, implicit_cast
from ir.dialects.syntax import OwnSyntax
from ir.functions import constant_values
from ir.functions.builder import INCREASING, as_function, scalar
from ir.functions.definition import Mismatch, Shown
from ir.inference import CallContext
from ir.inference.arguments import ANY, INTEGER, Explicit, Family, Literal, literal_where, symbol
from ir.inference.inputs import Computed, positional
from ir.inference.results import Argument, NullableIfArguments, maybe_null, nullable_if_arguments
from ir.inference.results import Computed as ComputedResult
from ir.types import LogicalType

MAKE_DT_INTERVAL = scalar(
    "make_dt_interval",
    positional(
        INTEGER, INTEGER, INTEGER, Explicit(t.DecimalType(18, 6)), optional=4, names="days hours minutes seconds"
    ),
    nullable_if_arguments(t.DayTimeIntervalType()),
    sql="MAKE_DT_INTERVAL",
    in_flink=False,
    doc="The interval of the given days, hours, minutes and seconds, which may have a fraction; each is 0 by default.",
    example=("MAKE_DT_INTERVAL(1, 12, 30, 1.5) = INTERVAL '1 12:30:01.5' DAY TO SECOND", "TRUE"),
    folding=constant_values.DAY_TIME_INTERVAL,
    shown=Shown(defaults=("0", "0", "0", "0.000000"), result=t.DayTimeIntervalType()),
)
MAKE_YM_INTERVAL = scalar(
    "make_ym_interval",
    positional(INTEGER, INTEGER, optional=2, names="years months"),
    nullable_if_arguments(t.YearMonthIntervalType()),
    sql="MAKE_YM_INTERVAL",
    in_flink=False,
    doc="The interval of the given years and months; each is 0 by default.",
    example=("MAKE_YM_INTERVAL(1, -1) = INTERVAL '11' MONTH", "TRUE"),
    folding=constant_values.YEAR_MONTH_INTERVAL,
    shown=Shown(defaults=("0", "0"), result=t.YearMonthIntervalType()),
)

_PARTS = "years months weeks days hours minutes seconds"
_PART_TYPES = (*[INTEGER] * 6, Explicit(t.DecimalType(18, 6)))
MAKE_INTERVAL = scalar(
    "make_interval",
    positional(*_PART_TYPES, optional=7, names=_PARTS),
    nullable_if_arguments(t.CalendarIntervalType()),
    sql="MAKE_INTERVAL",
    in_flink=False,
    doc="The interval of the given years, months, weeks, days, hours, minutes and seconds; each is 0 by default. Its "
    "months, days and seconds are separate numbers, so such intervals have no order.",
    example=("DATE '2024-01-31' + MAKE_INTERVAL(0, 1, 1)", "'2024-03-07'"),
    shown=Shown(defaults=("0", "0", "0", "0", "0", "0", "0.000000"), result=t.CalendarIntervalType()),
)
TRY_MAKE_INTERVAL = scalar(
    "try_make_interval",
    positional(*_PART_TYPES, optional=6, names=_PARTS),
    maybe_null(t.CalendarIntervalType()),
    sql="TRY_MAKE_INTERVAL",
    in_flink=False,
    doc="The interval of the given years, months, weeks, days, hours, minutes and seconds; NULL if it is too long.",
    example=("TRY_MAKE_INTERVAL(178956970, 12) IS NULL", "TRUE"),
    shown=Shown(defaults=("0", "0", "0", "0", "0", "0", "0.000000"), result=t.CalendarIntervalType()),
)

# --- in units --------------------------------------------------------------------------------------------------------

UNITS = ("YEAR", "QUARTER", "MONTH", "WEEK", "DAY", "HOUR", "MINUTE", "SECOND", "MILLISECOND", "MICROSECOND")
_UNIT = symbol(*UNITS)


def _infer_move_inputs(context: CallContext) -> tuple[LogicalType, ...] | None:
    unit, quantity, time = context.argument_types
    number = implicit_cast(quantity, t.BIGINT)
    moved = implicit_cast(time, TIMESTAMP_FAMILY)
    return None if number is None or moved is None else (unit, number, moved)


def _infer_moved_type(context: CallContext) -> LogicalType:
    _, quantity, time = context.argument_types
    return time.with_nullability(quantity.nullable or time.nullable)


TIMESTAMP_ADD = scalar(
    "timestampAdd",
    Computed(3, 3, "TIMESTAMP", _infer_move_inputs, ("<unit>, <BIGINT>, <TIMESTAMP>",), (_UNIT, ANY, ANY)),
    ComputedResult(_infer_moved_type),
    sql="TIMESTAMPADD",
    fluent=as_function("timestamp_add", "time_point_unit count time_point"),
    difference="For a DATE and a unit of DAY or longer, Flink's result is a DATE; Spark's is an instant.",
    doc="The time plus a number of units; the last day of the month if months are added and the month has no such day.",
    example=(
        "TIMESTAMPADD(MONTH, 1, TIMESTAMP_NTZ '2024-01-31 10:00:00') = TIMESTAMP_NTZ '2024-02-29 10:00:00'",
        "TRUE",
    ),
    mismatch=Mismatch(together="UNEXPECTED_INPUT_TYPE"),
    read_as=OwnSyntax.TIMESTAMP_ADD,
)
TIMESTAMP_DIFF = scalar(
    "timestampDiff",
    positional(_UNIT, Explicit(t.TIMESTAMP_LTZ), Explicit(t.TIMESTAMP_LTZ), names="unit start end"),
    ComputedResult(lambda c: t.BIGINT.with_nullability(any(given.nullable for given in c.argument_types[1:]))),
    sql="TIMESTAMPDIFF",
    fluent=as_function("timestamp_diff", "time_point_unit time_point1 time_point2"),
    difference="Flink's result is an INT, which overflows silently.",
    doc="The number of whole units from start to end, in the session's time zone.",
    example=("TIMESTAMPDIFF(MONTH, DATE '2024-01-31', DATE '2024-03-30')", "1"),
    read_as=OwnSyntax.TIMESTAMP_DIFF,
)

# --- buckets ---------------------------------------------------------------------------------------------------------

_LENGTH = literal_where(
    Family("INTERVAL", (t.IntervalType,)),
    lambda length: isinstance(length, int) and length > 0,
    "positive INTERVAL literal",
)
_TIME = Family("TIMESTAMP", (t.TimestampType, t.LocalZonedTimestampType, t.NullType))


def _bucket(context: CallContext) -> tuple[LogicalType, ...] | None:
    """Return the types of the bucket length, and of the time and the origin in one type."""
    length, *times = context.argument_types
    if isinstance(times[0], t.NullType) and not context.is_literal(1) and isinstance(times[-1], t.TimestampType):
        return None
    kinds = list(dict.fromkeys(time.as_nullable() for time in times if not isinstance(time, t.NullType)))
    if len(kinds) > 1:
        return None
    kind = kinds[0] if kinds else t.TIMESTAMP_LTZ
    return (length, *[kind.with_nullability(time.nullable) for time in times])


_BUCKET = Computed(
    2,
    3,
    "TIMESTAMP",
    _bucket,
    ("<INTERVAL literal>, <TIMESTAMP>, <TIMESTAMP literal>",),
    (_LENGTH, _TIME, Literal(_TIME)),
)
TIME_BUCKET = scalar(
    "time_bucket",
    _BUCKET,
    NullableIfArguments(Argument(1)),
    monotonicity=(None, INCREASING),
    sql="TIME_BUCKET",
    fluent=as_function("time_bucket", "length timestamp origin?"),
    in_flink=False,
    doc="The start of the bucket that contains a time; buckets have the length of the interval and are counted from "
    "1970 or from an origin.",
    example=(
        "TIME_BUCKET(INTERVAL '15' MINUTE, TIMESTAMP_NTZ '2024-01-01 11:27:00') = TIMESTAMP_NTZ '2024-01-01 11:15:00'",
        "TRUE",
    ),
)
