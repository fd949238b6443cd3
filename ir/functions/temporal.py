"""Functions of dates, times and intervals."""

from __future__ import annotations

from ir import types as t
from ir.casts import implicit_cast
from ir.dialects.syntax import special
from ir.functions.builder import as_function, scalar
from ir.inference import CallContext
from ir.inference.arguments import ANY, Computed, literal_where, positional, symbol
from ir.inference.arguments import INTEGER as INTEGER_ARGUMENT
from ir.inference.results import Always, never_null
from ir.inference.results import Computed as ComputedResult
from ir.types import LogicalType

_DATE_UNITS = ("YEAR", "QUARTER", "MONTH", "WEEK", "DAY", "DOW", "DOY")
_TIME_UNITS = ("HOUR", "MINUTE", "SECOND")
EXTRACT_UNITS = _DATE_UNITS + _TIME_UNITS


def _seconds(fraction_digits: int) -> t.DecimalType:
    return t.DecimalType(2 + fraction_digits, fraction_digits)


def _fields(interval: t.IntervalType) -> list[str]:
    return [field.name for field in t.IntervalField if interval.start <= field <= interval.end]


def _extract_source(context: CallContext) -> LogicalType | None:
    """Return the type that the source is cast to, as Spark's DATE_PART chooses it by unit."""
    unit, source = context.symbol(0), context.argument_types[1]
    if isinstance(source, t.IntervalType):
        return source if unit in _fields(source) else None
    if unit in _DATE_UNITS:
        return None if isinstance(source, t.TimeType) else implicit_cast(source, t.DATE)
    if unit in _TIME_UNITS:
        if isinstance(source, t.TimeType):
            # Spark reads a time's fields through a static method, whose result counts as nullable.
            return source.as_nullable()
        return implicit_cast(source, t.TIMESTAMP_LTZ) if not isinstance(source, t.TimestampType) else source
    return None


def _extract_types(context: CallContext) -> tuple[LogicalType, ...] | None:
    source = _extract_source(context)
    return None if source is None else (context.argument_types[0], source)


def _extract_result(context: CallContext) -> LogicalType:
    unit, source = context.symbol(0), context.argument_types[1]
    if unit == "SECOND":
        result: LogicalType = _seconds(source.precision if isinstance(source, t.TimeType) else 6)
    elif isinstance(source, t.IntervalType) and unit in ("MONTH", "HOUR", "MINUTE"):
        result = t.TINYINT
    else:
        result = t.INT
    return result.with_nullability(source.nullable)


EXTRACT = scalar(
    "extract",
    Computed(
        2,
        2,
        "TEMPORAL",
        _extract_types,
        (f"<{' | '.join(EXTRACT_UNITS)}>, <DATE, TIME, TIMESTAMP or INTERVAL>",),
        (symbol(*EXTRACT_UNITS), ANY),
    ),
    ComputedResult(_extract_result),
    sql="EXTRACT",
    syntax=special("extract"),
    doc="A field of a date, a time or an interval; weeks are those of ISO 8601 and Sunday is day 1 of a week.",
    example=("EXTRACT(YEAR FROM DATE '2024-02-29')", "2024"),
)


def _time_precision(value: object) -> bool:
    return isinstance(value, int) and 0 <= value <= 6


CURRENT_DATE = scalar(
    "currentDate",
    positional(),
    never_null(t.DATE),
    sql="CURRENT_DATE",
    syntax=special("niladic"),
    fluent=as_function("current_date"),
    doc="The day on which the query began, in the session's time zone.",
    example=("CURRENT_DATE() >= DATE '2024-01-01'", "TRUE"),
)
CURRENT_TIMESTAMP = scalar(
    "currentTimestamp",
    positional(),
    never_null(t.TIMESTAMP_LTZ),
    sql="CURRENT_TIMESTAMP",
    syntax=special("niladic"),
    fluent=as_function("current_timestamp"),
    doc="The instant at which the query began.",
    example=("CURRENT_TIMESTAMP() >= TIMESTAMP_LTZ '2024-01-01 00:00:00Z'", "TRUE"),
)
LOCAL_TIMESTAMP = scalar(
    "localTimestamp",
    positional(),
    never_null(t.TIMESTAMP),
    sql="LOCALTIMESTAMP",
    syntax=special("niladic"),
    fluent=as_function("local_timestamp"),
    doc="The date and time of day at which the query began, in the session's time zone.",
    example=("LOCALTIMESTAMP() >= TIMESTAMP_NTZ '2024-01-01 00:00:00'", "TRUE"),
)


def _current_time(context: CallContext) -> LogicalType:
    return t.TimeType(context.literal_value(0) if len(context) else 6, nullable=False)


CURRENT_TIME = scalar(
    "currentTime",
    positional(literal_where(INTEGER_ARGUMENT, _time_precision, "precision from 0 to 6"), optional=1),
    ComputedResult(_current_time),
    sql="CURRENT_TIME",
    syntax=special("niladic"),
    fluent=as_function("current_time"),
    doc="The time of day at which the query began, in the session's time zone, with up to six digits of a fraction.",
    example=("CURRENT_TIME(0) <= TIME '23:59:59'", "TRUE"),
)
LOCAL_TIME = scalar(
    "localTime",
    positional(),
    Always(t.TimeType(6, nullable=False)),
    sql="LOCALTIME",
    syntax=special("niladic"),
    fluent=as_function("local_time"),
    doc="The time of day at which the query began, in the session's time zone.",
    example=("LOCALTIME() >= TIME '00:00:00'", "TRUE"),
)
