"""Time functions that Flink has and Spark lacks, with Flink's semantics; lowered in ``ir/lowerings/times.py``.

Source:
    https://nightlies.apache.org/flink/flink-docs-stable/docs/dev/table/functions/systemfunctions/#temporal-functions
"""

from __future__ import annotations

from ir import calls
from ir import types as t
from ir.call_expressions import Call
from ir.dialects.syntax import Precedence, syntax
from ir.errors import ValidationException
from ir.expressions import ResolvedExpression, SymbolLiteral, ValueLiteral
from ir.functions.arithmetic import PLUS
from ir.functions.builder import INCREASING, as_function, scalar
from ir.functions.comparison import LESS_THAN, LESS_THAN_OR_EQUAL
from ir.functions.definition import Construct
from ir.functions.logic import CASE, NOT, OR
from ir.functions.timestamps import (
    TIMESTAMP_MICROS,
    TIMESTAMP_MILLIS,
    TIMESTAMP_SECONDS,
    TO_TIMESTAMP_LTZ,
)
from ir.inference import CallContext
from ir.inference.arguments import ANY, STRING, Family, symbol
from ir.inference.inputs import Computed, positional
from ir.inference.results import Computed as ComputedResult
from ir.inference.results import maybe_null
from ir.types import LogicalType

# --- the beginning and the end of a unit -----------------------------------------------------------------------------

# A century begins in a year such as 2001, a decade in a year such as 2000.
LONG_UNITS = ("MILLENNIUM", "CENTURY", "DECADE")
DATE_UNITS = ("YEAR", "QUARTER", "MONTH", "WEEK", "DAY")
CLOCK_UNITS = ("HOUR", "MINUTE", "SECOND", "MILLISECOND")
ROUNDING_UNITS = LONG_UNITS + DATE_UNITS + CLOCK_UNITS
_UNIT = symbol(*ROUNDING_UNITS)


def _infer_rounding_inputs(context: CallContext) -> tuple[LogicalType, ...] | None:
    time, unit = context.argument_types
    fits = not isinstance(time, t.TimeType) or context.symbol(1) in CLOCK_UNITS
    return (time, unit) if fits else None


def _infer_rounded_type(context: CallContext) -> LogicalType:
    time = context.argument_types[0]
    # TRUNC, DATE_TRUNC and TIME_TRUNC, the lowered forms, are nullable on Spark, because a unit may be invalid.
    if isinstance(time, t.LocalZonedTimestampType) and context.symbol(1) in LONG_UNITS:
        return time
    return time if isinstance(time, t.TimestampType) else time.as_nullable()


def _return_date(arguments: tuple[ResolvedExpression, ...], call: Construct) -> ResolvedExpression | None:
    """Return a date itself, because it is the beginning and the end of any unit up to a day."""
    time, unit = arguments
    assert isinstance(unit, SymbolLiteral)
    is_date = isinstance(time.data_type, t.DateType)
    return time if is_date and unit.symbol in ("DAY", *CLOCK_UNITS) else None


FLOOR_TO = scalar(
    "floorTo",
    Computed(
        2,
        2,
        "TIMESTAMP",
        _infer_rounding_inputs,
        ("<DATE or TIMESTAMP> TO <unit>", f"<TIME> TO <{' | '.join(CLOCK_UNITS)}>"),
        (Family("DATE, TIME or TIMESTAMP", (t.TemporalType,)), _UNIT),
    ),
    ComputedResult(_infer_rounded_type),
    monotonicity=(INCREASING,),
    sql="FLOOR TO",
    syntax=syntax("FLOOR({0} TO {1})"),
    canonical=_return_date,
    in_spark=False,
    doc="The time truncated to a unit, from MILLENNIUM to MILLISECOND; a week begins on Sunday, a century in a year "
    "such as 2001, a decade in a year such as 2000.",
    example=(
        "FLOOR(TIMESTAMP_NTZ '2024-02-29 10:11:12' TO MONTH) = TIMESTAMP_NTZ '2024-02-01 00:00:00'",
        "TRUE",
    ),
)
CEIL_TO = scalar(
    "ceilTo",
    # CEIL of 23:30 TO HOUR would be 24:00, which is no time of day.
    positional(Family("DATE or TIMESTAMP", (t.DateType, t.TimestampType, t.LocalZonedTimestampType)), _UNIT),
    ComputedResult(_infer_rounded_type),
    monotonicity=(INCREASING,),
    sql="CEIL TO",
    syntax=syntax("CEIL({0} TO {1})"),
    canonical=_return_date,
    in_spark=False,
    difference="Flink ignores fractions finer than a millisecond.",
    doc="The time rounded up to a unit, from MILLENNIUM to MILLISECOND; for a decade, a century or a millennium, "
    "always the start of the next one, as in Flink.",
    example=(
        "CEIL(TIMESTAMP_NTZ '2024-02-29 10:11:12' TO MONTH) = TIMESTAMP_NTZ '2024-03-01 00:00:00'",
        "TRUE",
    ),
)

# --- OVERLAPS --------------------------------------------------------------------------------------------------------

_POINT = Family("DATE, TIME or TIMESTAMP", (t.TemporalType,))
_POINT_OR_LENGTH = Family("DATE, TIME, TIMESTAMP or INTERVAL", (t.TemporalType, t.IntervalType))


def end_of(point: ResolvedExpression, temporal: ResolvedExpression) -> ResolvedExpression:
    """Return the second point of a period, which is given by two points or by a point and a length.

    Raises:
        ValidationException: the length cannot be added to the point.
    """
    is_length = isinstance(temporal.data_type, t.IntervalType)
    return calls.call(PLUS, (point, temporal)) if is_length else temporal


def _order_points(
    point: ResolvedExpression, temporal: ResolvedExpression
) -> tuple[ResolvedExpression, ResolvedExpression]:
    """Return the earlier and the later point of a period; unlike LEAST and GREATEST, a NULL point gives NULL."""
    end = end_of(point, temporal)
    in_order = calls.call(LESS_THAN_OR_EQUAL, (point, end))
    return calls.call(CASE, (in_order, point, end)), calls.call(CASE, (in_order, end, point))


def overlapping(arguments: tuple[ResolvedExpression, ...]) -> ResolvedExpression:
    """Return the Spark expression that tests whether two periods overlap.

    Raises:
        ValidationException: the points cannot be compared with each other.
    """
    start, end = _order_points(*arguments[:2])
    other_start, other_end = _order_points(*arguments[2:])
    # Neither period ends before the other begins. A conjunction would merge with those around it.
    apart = calls.call(OR, (calls.call(LESS_THAN, (end, other_start)), calls.call(LESS_THAN, (other_end, start))))
    return calls.build_without_recognition(NOT, (apart,))


def _overlap_types(context: CallContext) -> tuple[LogicalType, ...] | None:
    try:
        overlapping(context.arguments)
    except ValidationException:
        return None
    return context.argument_types


def _lengths(arguments: tuple[ResolvedExpression, ...], call: Construct) -> ResolvedExpression | None:
    """Replace a sum of the first point and a length by the length, which means the same."""
    made = list(arguments)
    for point, temporal in ((0, 1), (2, 3)):
        other = arguments[temporal]
        if isinstance(other, Call) and other.function is PLUS and other.arguments[0] is arguments[point]:
            length = other.arguments[1]
            made[temporal] = length if isinstance(length.data_type, t.IntervalType) else other
    return None if tuple(made) == arguments else call(TEMPORAL_OVERLAPS, made)


TEMPORAL_OVERLAPS = scalar(
    "temporalOverlaps",
    Computed(
        4,
        4,
        "TIMESTAMP",
        _overlap_types,
        ("<point>, <point or INTERVAL>, <point>, <point or INTERVAL>",),
        (_POINT, _POINT_OR_LENGTH, _POINT, _POINT_OR_LENGTH),
    ),
    ComputedResult(lambda context: overlapping(context.arguments).data_type),
    sql="OVERLAPS",
    syntax=syntax("({0}, {1}) OVERLAPS ({2}, {3})", Precedence.PREDICATE),
    fluent=as_function("temporal_overlaps", "left_time_point left_temporal right_time_point right_temporal"),
    canonical=_lengths,
    in_spark=False,
    doc="Whether two periods have a point in common; each period is two points, or a point and a length.",
    example=(
        "(TIME '02:55:00', INTERVAL '1' HOUR) OVERLAPS (TIME '03:30:00', INTERVAL '2' HOUR)",
        "TRUE",
    ),
)

# --- time zones ------------------------------------------------------------------------------------------------------

CONVERT_TZ = scalar(
    "convertTz",
    positional(Family("STRING", (t.CharacterType, t.NullType)), STRING, STRING, names="time source target"),
    maybe_null(t.STRING),
    sql="CONVERT_TZ",
    fluent=as_function("convert_tz", "date_str tz_from tz_to"),
    in_spark=False,
    difference="For a local time that occurs twice, Flink takes the later instant, and Spark the earlier. An invalid "
    "time zone is an error here, and UTC in Flink.",
    doc="The local time in target, as a string, at the moment when the local time in source is time.",
    example=("CONVERT_TZ('1970-01-01 00:00:00', 'UTC', 'America/Los_Angeles')", "'1969-12-31 16:00:00'"),
)

# --- Spark equivalents of Flink's calls ------------------------------------------------------------------------------

_OF_PRECISION = {0: TIMESTAMP_SECONDS, 3: TIMESTAMP_MILLIS, 6: TIMESTAMP_MICROS}


def _instant(arguments: tuple[ResolvedExpression, ...], call: Construct) -> ResolvedExpression:
    """Return the instant for a number and a precision, or for a string."""
    first, *others = arguments
    if not isinstance(first.data_type, t.NumericType):
        return call(TO_TIMESTAMP_LTZ, arguments)
    if not others:
        raise ValidationException(
            "to_timestamp_ltz of a number without a precision counts milliseconds in Flink and seconds in Spark: "
            f"{first.as_summary_string()} is of type {first.data_type.as_summary_string()}. Say which: "
            "to_timestamp_ltz(number, 3) for milliseconds, to_timestamp_ltz(number, 0) for seconds."
        )
    digits = others[0].value if isinstance(others[0], ValueLiteral) else None
    function = _OF_PRECISION.get(digits) if isinstance(digits, int) else None
    if function is None:
        raise ValidationException(
            "The precision of to_timestamp_ltz is the literal 0 for seconds, 3 for milliseconds or 6 for microseconds, "
            f"but {others[0].as_summary_string()} was given."
        )
    return call(function, (first,))


FLUENT_TO_TIMESTAMP_LTZ = scalar(
    "toTimestampLtz",
    positional(ANY, ANY, optional=1, names="value precision_or_pattern"),
    ComputedResult(lambda context: _instant(context.arguments, calls.call).data_type),
    sql="TO_TIMESTAMP_LTZ",
    canonical=_instant,
    doc="The instant that a number in the unit of a precision, or a string, represents.",
)

_LENGTHS = {
    "MILLENNIUM": (12_000, t.YearMonthIntervalType(t.IntervalField.YEAR, t.IntervalField.YEAR, nullable=False)),
    "CENTURY": (1_200, t.YearMonthIntervalType(t.IntervalField.YEAR, t.IntervalField.YEAR, nullable=False)),
    "DECADE": (120, t.YearMonthIntervalType(t.IntervalField.YEAR, t.IntervalField.YEAR, nullable=False)),
    "YEAR": (12, t.YearMonthIntervalType(t.IntervalField.YEAR, t.IntervalField.YEAR, nullable=False)),
    "QUARTER": (3, t.YearMonthIntervalType(t.IntervalField.MONTH, t.IntervalField.MONTH, nullable=False)),
    "MONTH": (1, t.YearMonthIntervalType(t.IntervalField.MONTH, t.IntervalField.MONTH, nullable=False)),
    "WEEK": (7 * 86_400_000_000, t.DayTimeIntervalType(t.IntervalField.DAY, t.IntervalField.DAY, nullable=False)),
    "DAY": (86_400_000_000, t.DayTimeIntervalType(t.IntervalField.DAY, t.IntervalField.DAY, nullable=False)),
    "HOUR": (3_600_000_000, t.DayTimeIntervalType(t.IntervalField.HOUR, t.IntervalField.HOUR, nullable=False)),
    "MINUTE": (60_000_000, t.DayTimeIntervalType(t.IntervalField.MINUTE, t.IntervalField.MINUTE, nullable=False)),
    "SECOND": (1_000_000, t.DayTimeIntervalType(t.IntervalField.SECOND, t.IntervalField.SECOND, nullable=False)),
    "MILLISECOND": (1_000, t.DayTimeIntervalType(t.IntervalField.SECOND, t.IntervalField.SECOND, nullable=False)),
    "MICROSECOND": (1, t.DayTimeIntervalType(t.IntervalField.SECOND, t.IntervalField.SECOND, nullable=False)),
}


def length_of(unit: str, count: int = 1) -> ValueLiteral:
    """Return an interval of ``count`` units."""
    amount, kind = _LENGTHS[unit]
    return ValueLiteral(count * amount, kind)
