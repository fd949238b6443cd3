"""Rewriting of date and time functions to Flink's SQL."""

from __future__ import annotations

import re
from decimal import Decimal

from ir import types as t
from ir.call_expressions import Call
from ir.expressions import ResolvedExpression, SymbolLiteral, ValueLiteral
from ir.flink.arguments import (
    Forms,
    add_casts,
    cast_as_spark,
    reject,
    spark_types,
)
from ir.flink.casts import NoForm, cast, part_of, text_of_time
from ir.flink.marks import mark
from ir.functions import arithmetic as ar
from ir.functions.flink import MILLISECOND_OF
from ir.functions.intervals import TIMESTAMP_ADD, TIMESTAMP_DIFF
from ir.functions.temporal import CURRENT_TIME, EXTRACT, LOCAL_TIME, SECOND
from ir.functions.time_units import CEIL_TO, DATE_UNITS, FLOOR_TO, LONG_UNITS, TEMPORAL_OVERLAPS
from ir.functions.timestamps import (
    DATE_FORMAT,
    FROM_UNIXTIME,
    TIMESTAMP_MICROS,
    TIMESTAMP_MILLIS,
    TIMESTAMP_SECONDS,
    TO_DATE,
    TO_TIMESTAMP_NTZ,
    UNIX_TIMESTAMP,
)

# The position of the seconds in the string of a time, and the number of characters of the date before it.
_SECONDS_AT = 7
_DATE_DIGITS = 11


def _extract(part: Call) -> ResolvedExpression:
    unit, source = part.arguments
    assert isinstance(unit, SymbolLiteral)
    if not isinstance(source.data_type, t.TemporalType | t.IntervalType):
        source = cast_as_spark(source, spark_types(part)[1])
    kind = source.data_type
    if isinstance(kind, t.IntervalType):
        return _field_of_interval(part, unit, source)
    if unit.symbol != "SECOND":
        # Flink's EXTRACT returns BIGINT.
        return cast(Call(EXTRACT, (unit, source), t.BIGINT.with_nullability(kind.nullable)), part.data_type)
    # Flink's seconds have no fraction, so the fraction is taken from the string.
    offset = 0 if isinstance(kind, t.TimeType) else _DATE_DIGITS
    return cast(part_of(text_of_time(source), _SECONDS_AT + offset, None), part.data_type)


def _field_of_interval(part: Call, unit: SymbolLiteral, source: ResolvedExpression) -> ResolvedExpression:
    whole = t.BIGINT.with_nullability(source.data_type.nullable)
    field = Call(EXTRACT, (unit, source), whole)
    if unit.symbol != "SECOND":
        return cast(field, part.data_type)
    milliseconds = Call(MILLISECOND_OF, (source,), whole)
    thousandth = ValueLiteral(_THOUSANDTH, t.DecimalType(4, 3, nullable=False))
    fraction = Call(ar.TIMES, (milliseconds, thousandth), t.DecimalType(23, 3, nullable=whole.nullable))
    return cast(Call(ar.PLUS, (field, fraction), t.DecimalType(24, 3, nullable=whole.nullable)), part.data_type)


_THOUSANDTH = Decimal("0.001")


# --- units -----------------------------------------------------------------------------------------------------------


def _rewrite_rounding(part: Call) -> ResolvedExpression:
    """Return FLOOR or CEIL to a unit, for which Flink uses the time zone offset of the time, not of the boundary."""
    time, unit = part.arguments
    assert isinstance(unit, SymbolLiteral)
    if isinstance(time.data_type, t.LocalZonedTimestampType):
        if unit.symbol in DATE_UNITS + LONG_UNITS:
            raise NoForm("of an instant, it takes the offset from UTC of that instant for the one of the boundary")
        if part.function is CEIL_TO and unit.symbol == "MILLISECOND":
            raise NoForm("it cuts off what is finer than a MILLISECOND of an instant")
    return part


def _rewrite_moved(part: Call) -> ResolvedExpression:
    unit, count, time = part.arguments
    assert isinstance(unit, SymbolLiteral)
    if unit.symbol == "MICROSECOND":
        raise NoForm("it adds no microseconds")
    if isinstance(time.data_type, t.LocalZonedTimestampType) and unit.symbol in DATE_UNITS:
        raise NoForm("a day of an instant has 24 hours there, and as many as the session's time zone in Spark")
    if not isinstance(time.data_type, t.TimestampType | t.LocalZonedTimestampType):
        raise NoForm("of a date or a text, its result is of another type; cast it to a timestamp")
    if not isinstance(count.data_type, t.IntegralType):
        raise NoForm("the number of units must be a whole number there")
    return part


_COUNTED = ("WEEK", "DAY", "HOUR", "MINUTE", "SECOND")


def _rewrite_counted(part: Call) -> ResolvedExpression:
    unit, start, end = part.arguments
    assert isinstance(unit, SymbolLiteral)
    if unit.symbol not in _COUNTED:
        raise NoForm(
            "it counts a month from one last day to another, which is shorter, and overflows"
            if unit.symbol in DATE_UNITS
            else f"its result is an INT, which the number of {unit.symbol}s overflows"
        )
    kinds = (start.data_type, end.data_type)
    if not kinds[0].same_type(kinds[1]) or not isinstance(kinds[0], t.DateType | t.TimestampType):
        raise NoForm("it counts between two dates or two timestamps without zone only; of others, days have 24 hours")
    nullable = part.data_type.nullable
    return cast(Call(TIMESTAMP_DIFF, part.arguments, t.INT.with_nullability(nullable)), part.data_type)


def _overlaps(part: Call) -> ResolvedExpression:
    points = [a.data_type for a in part.arguments if not isinstance(a.data_type, t.IntervalType)]
    if not all(points[0].same_type(point) for point in points):
        raise NoForm("the points must be of one type there")
    return part


# --- conversion to and from strings ----------------------------------------------------------------------------------

# A run of one letter, a quoted string, or any other character.
_RUNS = re.compile(r"'[^']*'|([A-Za-z])\1*|.", re.DOTALL)
_SHOWN = re.compile(r"yyyy|yy|M{1,4}|dd?|HH?|hh?|mm?|ss?|SSS|a|E{1,4}|'[^']*'|[^A-Za-z'\[\]{}#]")
_READ = re.compile(r"yyyy|MM|dd|HH|mm|ss|SSS|'[^']*'|[^A-Za-z'\[\]{}#]")


def _require_pattern(part: Call, known: re.Pattern[str]) -> None:
    """Refuse a pattern whose letters may have another meaning in Flink.

    Raises:
        NoForm: the pattern is not a constant, or has such letters.
    """
    if len(part.arguments) < 2:
        return
    pattern = part.arguments[1]
    text = pattern.value if isinstance(pattern, ValueLiteral) else None
    if not isinstance(text, str) or not all(known.fullmatch(m.group()) for m in _RUNS.finditer(text)):
        raise NoForm("the letters of its patterns may mean something else; the ones of plain dates and times do not")


def _rewrite_formatted(part: Call) -> ResolvedExpression:
    _require_pattern(part, _SHOWN)
    time, pattern = part.arguments
    if isinstance(time.data_type, t.DateType):
        time = cast(time, t.TIMESTAMP)
    if not isinstance(time.data_type, t.TimestampType | t.LocalZonedTimestampType):
        raise NoForm("it takes timestamps, and text in another form")
    return part.evolve(arguments=(time, pattern))


def _rewrite_seconds(part: Call) -> ResolvedExpression:
    _require_pattern(part, _SHOWN)
    return add_casts(part)


def _rewrite_reading(part: Call) -> ResolvedExpression:
    _require_pattern(part, _READ)
    if part.arguments and not isinstance(part.arguments[0].data_type, t.CharacterType):
        raise NoForm("it takes text only")
    return part


def _instant(part: Call) -> ResolvedExpression:
    (number,) = part.arguments
    if not isinstance(number.data_type, t.IntegralType):
        raise NoForm("only of a whole number, it is not cut off after a millisecond")
    return part.evolve(arguments=(mark(number),)) if isinstance(number, ValueLiteral) else part


def _rewrite_whole_seconds(part: Call) -> ResolvedExpression:
    part = add_casts(part)
    return cast(Call(SECOND, part.arguments, t.BIGINT.with_nullability(part.data_type.nullable)), part.data_type)


FORMS: Forms = {
    SECOND: _rewrite_whole_seconds,
    EXTRACT: _extract,
    FLOOR_TO: _rewrite_rounding,
    CEIL_TO: _rewrite_rounding,
    TIMESTAMP_ADD: _rewrite_moved,
    TIMESTAMP_DIFF: _rewrite_counted,
    TEMPORAL_OVERLAPS: _overlaps,
    DATE_FORMAT: _rewrite_formatted,
    FROM_UNIXTIME: _rewrite_seconds,
    **dict.fromkeys((UNIX_TIMESTAMP, TO_DATE, TO_TIMESTAMP_NTZ), _rewrite_reading),
    **dict.fromkeys((TIMESTAMP_SECONDS, TIMESTAMP_MILLIS, TIMESTAMP_MICROS), _instant),
    **dict.fromkeys((CURRENT_TIME, LOCAL_TIME), reject("its {name} has no fraction of a second")),
}
