"""Lowering of date and time functions that Spark lacks.

The start of a unit becomes ``TRUNC`` for a date, ``TIME_TRUNC`` for a time of day, ``DATE_TRUNC`` for a timestamp with
local time zone, and ``TIME_BUCKET`` for a timestamp without time zone, which ``DATE_TRUNC`` would move to the session's
time zone, where some times do not exist. The end of a unit becomes the start of the unit that contains the previous
microsecond or day, plus one unit. A week begins on Sunday, but on Monday in Spark. Decades, centuries and millennia are
computed on timestamps without time zone.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable

from ir import calls
from ir import types as t
from ir.call_expressions import Call
from ir.errors import ValidationException
from ir.expressions import ResolvedExpression, SymbolLiteral, TypeLiteral, ValueLiteral
from ir.functions.arithmetic import DIV, MINUS, PLUS, TIMES
from ir.functions.calendar_fields import CALENDAR_FIELD, CALENDAR_FIELDS, build_spark_field
from ir.functions.comparison import LESS_THAN, LESS_THAN_OR_EQUAL
from ir.functions.conversion import CAST, TRY_CAST
from ir.functions.dates import ADD_MONTHS, DATE_ADD, DATE_SUB, TRUNC, UNIX_DATE
from ir.functions.definition import FunctionDefinition
from ir.functions.intervals import TIME_BUCKET
from ir.functions.logic import CASE, NOT, OR
from ir.functions.string import SUBSTRING
from ir.functions.temporal import EXTRACT
from ir.functions.time_units import (
    CEIL_TO,
    CLOCK_UNITS,
    CONVERT_TZ,
    DATE_UNITS,
    FLOOR_TO,
    LONG_UNITS,
    ROUNDING_UNITS,
    TEMPORAL_OVERLAPS,
    length_of,
    overlapping,
)
from ir.functions.times import TIME_TRUNC
from ir.functions.timestamps import CONVERT_TIMEZONE, DATE_TRUNC, UNIX_MICROS
from ir.literals import literal
from ir.lowerings.lowering import Lowering
from ir.types import LogicalType

Raise = Callable[[Call], ResolvedExpression | None]

_written = calls.build_without_recognition
_MONTHS = {"YEAR": 12, "QUARTER": 3, "MONTH": 1}
_MICROSECOND, _ONE_DAY, _SIX_DAYS = length_of("MICROSECOND"), length_of("DAY"), length_of("DAY", 6)
_ORIGINS = {
    "WEEK": literal(dt.datetime(1970, 1, 4)),
    **dict.fromkeys(("CENTURY", "MILLENNIUM"), literal(dt.datetime(2001, 1, 1))),
}


def _text(value: str) -> ValueLiteral:
    return ValueLiteral(value, t.STRING.not_null())


def _number(value: int) -> ValueLiteral:
    return ValueLiteral(value, t.INT.not_null())


def _unit(call: Call) -> str:
    symbol = call.arguments[1]
    assert isinstance(symbol, SymbolLiteral)
    return symbol.symbol


# --- EXTRACT ---------------------------------------------------------------------------------------------------------


def _lower_field(field: Call) -> ResolvedExpression:
    return build_spark_field(*field.arguments)


def _raise_field(made: Call) -> ResolvedExpression | None:
    """Return the calendar field that a quotient, a product or a cast computes from the first time in it."""
    time = made.arguments[0]
    if made.function is CAST and not (
        isinstance(time.data_type, t.DayTimeIntervalType) and isinstance(made.data_type, t.BigIntType)
    ):
        return None
    while isinstance(time, Call) and time.function in (EXTRACT, CAST, PLUS, MINUS, UNIX_DATE, UNIX_MICROS):
        time = time.arguments[1 if time.function is EXTRACT else 0]
        if not isinstance(time.data_type, t.DateType | t.TimestampType | t.LocalZonedTimestampType):
            continue
        for name in CALENDAR_FIELDS:
            if build_spark_field(SymbolLiteral(name), time) is made:
                return Call(CALENDAR_FIELD, (SymbolLiteral(name), time), made.type_)
    return None


# --- FLOOR(… TO …) ---------------------------------------------------------------------------------------------------


def lower_floor(floor: Call) -> ResolvedExpression:
    """Return the start of a unit of time as Spark computes it."""
    time, unit = floor.arguments[0], _unit(floor)
    kind = time.data_type
    if isinstance(kind, t.TimestampType):
        origin = [_ORIGINS[unit]] if unit in _ORIGINS else []
        return _written(TIME_BUCKET, (length_of(unit), time, *origin))
    if unit in LONG_UNITS:
        return _remove_zone(floor)
    if isinstance(kind, t.TimeType):
        return _written(TIME_TRUNC, (_text(unit), time))
    if isinstance(kind, t.DateType):
        if unit != "WEEK":
            return _written(TRUNC, (time, _text(unit)))
        monday = _written(TRUNC, (_written(DATE_ADD, (time, _number(1))), _text(unit)))
        return _written(DATE_SUB, (monday, _number(1)))
    if unit != "WEEK":
        return _written(DATE_TRUNC, (_text(unit), time))
    monday = _written(DATE_TRUNC, (_text(unit), _written(PLUS, (time, _ONE_DAY))))
    return _written(MINUS, (monday, _ONE_DAY))


def _remove_zone(rounded: Call) -> ResolvedExpression:
    """Return a date or a timestamp with local time zone, rounded as a timestamp without time zone."""
    time, unit = rounded.arguments
    kind = time.data_type
    moved = _written(rounded.function, (_written(CAST, (time, TypeLiteral(t.TIMESTAMP))), unit))
    return _written(CAST, (moved, TypeLiteral(kind.as_nullable())))


def _lower_ceil(ceil: Call) -> ResolvedExpression:
    time, unit = ceil.arguments[0], _unit(ceil)
    symbol = ceil.arguments[1]
    if unit in LONG_UNITS:
        if not isinstance(time.data_type, t.TimestampType):
            return _remove_zone(ceil)
        return _written(PLUS, (_written(FLOOR_TO, (time, symbol)), length_of(unit)))
    if isinstance(time.data_type, t.DateType):
        if unit == "WEEK":
            return _written(DATE_ADD, (_written(TRUNC, (time, _text(unit))), _number(6)))
        before = _written(FLOOR_TO, (_written(DATE_SUB, (time, _number(1))), symbol))
        return _written(ADD_MONTHS, (before, _number(_MONTHS[unit])))
    before = _written(MINUS, (time, _MICROSECOND))
    if isinstance(time.data_type, t.LocalZonedTimestampType) and unit == "WEEK":
        monday = _written(DATE_TRUNC, (_text(unit), _written(PLUS, (before, _ONE_DAY))))
        return _written(PLUS, (monday, _SIX_DAYS))
    return _written(PLUS, (_written(FLOOR_TO, (before, symbol)), length_of(unit)))


_Units = dict[ResolvedExpression, SymbolLiteral]
_WORDS: _Units = {_text(unit): SymbolLiteral(unit) for unit in DATE_UNITS + CLOCK_UNITS}
_CALENDAR: _Units = {_text(unit): SymbolLiteral(unit) for unit in ("YEAR", "QUARTER", "MONTH")}
_CLOCK: _Units = {_text(unit): SymbolLiteral(unit) for unit in CLOCK_UNITS}
_BUCKETS: dict[tuple[ResolvedExpression, ...], SymbolLiteral] = {
    **{(length_of(unit),): SymbolLiteral(unit) for unit in ROUNDING_UNITS if unit not in _ORIGINS},
    **{(length_of(unit), origin): SymbolLiteral(unit) for unit, origin in _ORIGINS.items()},
}


def _raise_rounding(function: FunctionDefinition, time: ResolvedExpression, unit: SymbolLiteral) -> ResolvedExpression:
    return calls.call(function, (time, unit))


def _is(part: ResolvedExpression, function: FunctionDefinition, kind: type[LogicalType]) -> bool:
    """Whether a part is a call of a function with a result of a kind."""
    return isinstance(part, Call) and part.function is function and isinstance(part.data_type, kind)


def _arguments(part: ResolvedExpression) -> tuple[ResolvedExpression, ...]:
    assert isinstance(part, Call)
    return part.arguments


def _raise_bucket(bucket: Call) -> ResolvedExpression | None:
    length, time, *origin = bucket.arguments
    unit = _BUCKETS.get((length, *origin))
    return (
        _raise_rounding(FLOOR_TO, time, unit)
        if unit is not None and isinstance(time.data_type, t.TimestampType)
        else None
    )


def _raise_time(truncated: Call) -> ResolvedExpression | None:
    word, time = truncated.arguments
    unit = _CLOCK.get(word)
    return (
        _raise_rounding(FLOOR_TO, time, unit) if unit is not None and isinstance(time.data_type, t.TimeType) else None
    )


def _raise_date(truncated: Call) -> ResolvedExpression | None:
    date, word = truncated.arguments
    unit = _CALENDAR.get(word)
    return (
        _raise_rounding(FLOOR_TO, date, unit) if unit is not None and isinstance(date.data_type, t.DateType) else None
    )


def _raise_instant(truncated: Call) -> ResolvedExpression | None:
    word, time = truncated.arguments
    unit = _WORDS.get(word)
    fits = unit is not None and unit.symbol != "WEEK" and isinstance(time.data_type, t.LocalZonedTimestampType)
    return _raise_rounding(FLOOR_TO, time, unit) if fits and unit is not None else None


def _match_first_argument(
    part: ResolvedExpression, function: FunctionDefinition, *others: ResolvedExpression
) -> ResolvedExpression | None:
    """Return the first argument of a call of ``function`` whose other arguments are ``others``, else None."""
    if not isinstance(part, Call) or part.function is not function or part.arguments[1:] != others:
        return None
    return part.arguments[0]


def _monday(part: ResolvedExpression) -> ResolvedExpression | None:
    """Return the timestamp whose next day lies in the week that begins with ``part``, None if it has another form."""
    if not _is(part, DATE_TRUNC, t.LocalZonedTimestampType):
        return None
    word, moved = _arguments(part)
    time = _match_first_argument(moved, PLUS, _ONE_DAY)
    fits = word is _text("WEEK") and time is not None and isinstance(time.data_type, t.LocalZonedTimestampType)
    return time if fits else None


def _raise_week_of_date(moved: Call) -> ResolvedExpression | None:
    """Return FLOOR of a date to its week."""
    monday = _match_first_argument(moved, DATE_SUB, _number(1))
    later = None if monday is None else _match_first_argument(monday, TRUNC, _text("WEEK"))
    date = None if later is None else _match_first_argument(later, DATE_ADD, _number(1))
    date = _match_kind(date, t.DateType)
    return None if date is None else _raise_rounding(FLOOR_TO, date, SymbolLiteral("WEEK"))


def _raise_time_without_zone(function: FunctionDefinition) -> Raise:
    def raised(cast: Call) -> ResolvedExpression | None:
        """Return the rounding of a date or timestamp that was lowered to a timestamp without time zone."""
        rounded = cast.arguments[0]
        if not isinstance(rounded, Call) or rounded.function is not function or _unit(rounded) not in LONG_UNITS:
            return None
        time = _match_first_argument(rounded.arguments[0], CAST, TypeLiteral(t.TIMESTAMP))
        fits = time is not None and isinstance(cast.type_, t.DateType | t.LocalZonedTimestampType)
        if time is None or not fits or not time.data_type.same_type(cast.type_):
            return None
        made = _raise_rounding(function, time, SymbolLiteral(_unit(rounded)))
        return made if isinstance(made, Call) and _remove_zone(made) is cast else None

    return raised


def _match_kind(part: ResolvedExpression | None, kind: type[LogicalType]) -> ResolvedExpression | None:
    """Return a part if its type is of a kind, else None."""
    return part if part is not None and isinstance(part.data_type, kind) else None


def _raise_week_of_timestamp(moved: Call) -> ResolvedExpression | None:
    """Return FLOOR of a timestamp to its week."""
    monday = _match_first_argument(moved, MINUS, _ONE_DAY)
    time = None if monday is None else _monday(monday)
    return None if time is None else _raise_rounding(FLOOR_TO, time, SymbolLiteral("WEEK"))


# --- CEIL(… TO …) ----------------------------------------------------------------------------------------------------


def _raise_ceil_of_date(moved: Call) -> ResolvedExpression | None:
    """Return CEIL of a date to its week."""
    monday = _match_first_argument(moved, DATE_ADD, _number(6))
    date = None if monday is None else _match_first_argument(monday, TRUNC, _text("WEEK"))
    date = _match_kind(date, t.DateType)
    return None if date is None else _raise_rounding(CEIL_TO, date, SymbolLiteral("WEEK"))


def _raise_ceil_to_month(moved: Call) -> ResolvedExpression | None:
    floor, months = moved.arguments
    if not _is(floor, FLOOR_TO, t.DateType):
        return None
    before, unit = _arguments(floor)
    date = _match_kind(_match_first_argument(before, DATE_SUB, _number(1)), t.DateType)
    assert isinstance(unit, SymbolLiteral)
    fits = months is _number(_MONTHS.get(unit.symbol, 0))
    return _raise_rounding(CEIL_TO, date, unit) if fits and date is not None else None


def _raise_ceil_of_timestamp(moved: Call) -> ResolvedExpression | None:
    before, length = moved.arguments
    if isinstance(before, Call) and before.function is FLOOR_TO:
        earlier, unit = before.arguments
        assert isinstance(unit, SymbolLiteral)
        if unit.symbol in LONG_UNITS:
            fits = isinstance(earlier.data_type, t.TimestampType) and length is length_of(unit.symbol)
            return _raise_rounding(CEIL_TO, earlier, unit) if fits else None
        time = _match_first_argument(earlier, MINUS, _MICROSECOND)
        fits = isinstance(before.data_type, t.TimestampType | t.LocalZonedTimestampType) and (
            length is length_of(unit.symbol) and time is not None and time.data_type.same_type(before.data_type)
        )
        return _raise_rounding(CEIL_TO, time, unit) if fits and time is not None else None
    earlier_week = _monday(before) if length is _SIX_DAYS else None
    time = None if earlier_week is None else _match_first_argument(earlier_week, MINUS, _MICROSECOND)
    time = _match_kind(time, t.LocalZonedTimestampType)
    return None if time is None else _raise_rounding(CEIL_TO, time, SymbolLiteral("WEEK"))


# --- OVERLAPS --------------------------------------------------------------------------------------------------------


def _lower_overlaps(overlaps: Call) -> ResolvedExpression:
    return overlapping(overlaps.arguments)


def _points(part: ResolvedExpression) -> tuple[ResolvedExpression, ResolvedExpression] | None:
    """Return the two points of a CASE that selects the earlier one."""
    if not isinstance(part, Call) or part.function is not CASE or len(part.arguments) != 3:
        return None
    in_order, point, end = part.arguments
    return (point, end) if isinstance(in_order, Call) and in_order.function is LESS_THAN_OR_EQUAL else None


def _raise_negation(negation: Call) -> ResolvedExpression | None:
    apart = negation.arguments[0]
    if not isinstance(apart, Call) or apart.function is not OR or len(apart.arguments) != 2:
        return None
    first, second = apart.arguments
    if not all(isinstance(part, Call) and part.function is LESS_THAN for part in (first, second)):
        return None
    one, other = _points(_arguments(second)[1]), _points(_arguments(first)[1])
    if one is None or other is None:
        return None
    try:
        made = calls.call(TEMPORAL_OVERLAPS, (*one, *other))
    except ValidationException:
        return None
    assert isinstance(made, Call)
    return made if _lower_overlaps(made) is negation else None


# --- CONVERT_TZ ------------------------------------------------------------------------------------------------------

# The number of characters of 'yyyy-MM-dd HH:mm:ss'.
_CHARACTERS = _number(19)


def _lower_convert(convert: Call) -> ResolvedExpression:
    """Return a conversion that yields NULL for an invalid string, and is independent of the session's time zone."""
    text, source, target = convert.arguments
    seconds = _written(SUBSTRING, (text, _number(1), _CHARACTERS))
    read = _written(TRY_CAST, (seconds, TypeLiteral(t.TIMESTAMP)))
    moved = _written(CONVERT_TIMEZONE, (source, target, read))
    return _written(CAST, (moved, TypeLiteral(t.STRING)))


def _raise_cast(cast: Call) -> ResolvedExpression | None:
    moved = cast.arguments[0]
    if (
        not isinstance(cast.type_, t.StringType)
        or not isinstance(moved, Call)
        or moved.function is not CONVERT_TIMEZONE
    ):
        return None
    *zones, read = moved.arguments
    seconds = _match_first_argument(read, TRY_CAST, TypeLiteral(t.TIMESTAMP))
    text = None if seconds is None else _match_first_argument(seconds, SUBSTRING, _number(1), _CHARACTERS)
    return None if len(zones) != 2 or text is None else calls.call(CONVERT_TZ, (text, *zones))


def _raise(raisings: dict[FunctionDefinition, Raise]) -> Raise:
    return lambda call: raisings[call.function](call)


def _lowering(
    function: FunctionDefinition, lower: Callable[[Call], ResolvedExpression], raisings: dict[FunctionDefinition, Raise]
) -> Lowering:
    return Lowering(function, tuple(raisings), lower, _raise(raisings))


LOWERINGS = (
    _lowering(
        FLOOR_TO,
        lower_floor,
        {
            TIME_BUCKET: _raise_bucket,
            TIME_TRUNC: _raise_time,
            TRUNC: _raise_date,
            DATE_TRUNC: _raise_instant,
            DATE_SUB: _raise_week_of_date,
            MINUS: _raise_week_of_timestamp,
            CAST: _raise_time_without_zone(FLOOR_TO),
        },
    ),
    _lowering(
        CEIL_TO,
        _lower_ceil,
        {
            DATE_ADD: _raise_ceil_of_date,
            ADD_MONTHS: _raise_ceil_to_month,
            PLUS: _raise_ceil_of_timestamp,
            CAST: _raise_time_without_zone(CEIL_TO),
        },
    ),
    _lowering(TEMPORAL_OVERLAPS, _lower_overlaps, {NOT: _raise_negation}),
    _lowering(CONVERT_TZ, _lower_convert, {CAST: _raise_cast}),
    Lowering(CALENDAR_FIELD, (DIV, TIMES, CAST), _lower_field, _raise_field),
)
