"""Values of literals: convert a Python value to the representation that a literal of an atomic type stores.

A value is converted exactly or rejected: never rounded, truncated or moved to another time zone silently.
"""

from __future__ import annotations

import datetime as dt
import math
import sys
from collections.abc import Callable
from decimal import Decimal

from ir.errors import ValidationException
from ir.far_dates import (
    FarDate,
    FarTimestamp,
    calendar_day,
    calendar_moment,
    datetime_of_iso,
    far_date,
    far_timestamp,
)
from ir.fine_times import MICROSECOND_DIGITS, FineTime, fine_time, has_digits, time_of_text
from ir.light_typing import NoReturn
from ir.types import (
    MAX_DECIMAL_PRECISION,
    ArrayType,
    BigIntType,
    BooleanType,
    BytesType,
    CharType,
    DateType,
    DayTimeIntervalType,
    DecimalType,
    DoubleType,
    FloatType,
    IntegralType,
    IntervalField,
    IntType,
    LocalZonedTimestampType,
    LogicalType,
    MapType,
    RowType,
    SmallIntType,
    SpatialType,
    StringType,
    TimestampType,
    TimeType,
    TinyIntType,
    VarCharType,
    VariantType,
    YearMonthIntervalType,
)

MICROSECONDS: dict[IntervalField, int] = {
    IntervalField.DAY: 86_400_000_000,
    IntervalField.HOUR: 3_600_000_000,
    IntervalField.MINUTE: 60_000_000,
    IntervalField.SECOND: 1,  # a second has a fraction, so that every microsecond is representable
}
_MICROSECOND = dt.timedelta(microseconds=1)
_DATE_TEXT = r"[0-9]{4}-[0-9]{2}-[0-9]{2}"
_TIME_TEXT = r"(?:[01][0-9]|2[0-3]):[0-9]{2}(?::[0-9]{2}(?:\.[0-9]{1,6})?)?"
_OFFSET_TEXT = r"Z|[+-][0-9]{2}:[0-9]{2}"
NESTED_HINT = "use array(…) for a list, map_(…) for a dict and row(…) for a tuple"


def describe_value(value: object) -> str:
    """Return a value for a message, with the name of its class and shortened if it is long."""
    kind = type(value).__name__
    if isinstance(value, int) and abs(value) >= 10**60:  # Python refuses to print integers of thousands of digits
        return f"The {kind} of {value.bit_length()} bits"
    text = repr(value)
    text = text if len(text) <= 80 else text[:79] + "…"
    return f"The {kind} {text}"


def _refuse(value: object, data_type: LogicalType, accepted: str) -> NoReturn:
    name = data_type.as_nullable().as_summary_string()
    from ir.messages import Term, message

    raise ValidationException(
        message(
            "{value} is not a value of {name}: {accepted}.",
            # Of a value in SQL, nobody knows the Python type that it is read as.
            value=Term(describe_value(value), describe_value(value).split(" ", 2)[-1]),
            name=name,
            accepted=accepted,
        )
    )


def _raise_no_literals(value: object, data_type: LogicalType) -> NoReturn:
    if isinstance(data_type, (ArrayType, MapType, RowType)):
        _refuse(value, data_type, NESTED_HINT)
    if isinstance(data_type, VariantType):
        _refuse(value, data_type, "such values are made by parse_json(…), or by a cast of another literal")
    if isinstance(data_type, SpatialType):
        name = data_type.root.capitalize()
        _refuse(value, data_type, f"accepted is a {name} with its well-known binary, {name}(wkb, srid)")
    _refuse(value, data_type, "the type has no literals but NULL")


def _check_boolean(value: object, data_type: LogicalType) -> bool:
    return value if isinstance(value, bool) else _refuse(value, data_type, "accepted are True and False")


def width_of(data_type: LogicalType) -> int:
    """Return the number of bits in the value of an integer or an interval."""
    if isinstance(data_type, IntegralType):
        return data_type.width
    return 32 if isinstance(data_type, YearMonthIntervalType) else 64


def _convert_to_integer(value: object) -> int | None:
    """Return the integer that equals a number, or None."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int):
        return int(value)
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, Decimal) and value.is_finite():
        return _unscale(value, 0)
    return None


def _integer(value: object, data_type: LogicalType) -> int:
    whole, limit = _convert_to_integer(value), 1 << (width_of(data_type) - 1)
    if whole is None or not -limit <= whole < limit:
        _refuse(value, data_type, f"accepted are whole numbers from {-limit} to {limit - 1}")
    return whole


def _unscale(number: Decimal, scale: int) -> int | None:
    """Return ``number * 10**scale`` if it is an integer of at most 38 digits, without the rounding of contexts."""
    sign, digits, exponent = number.as_tuple()
    assert isinstance(exponent, int)
    coefficient = "".join(map(str, digits)).rstrip("0")
    if not coefficient:
        return 0
    shift = exponent + len(digits) - len(coefficient) + scale
    if shift < 0 or len(coefficient) + shift > MAX_DECIMAL_PRECISION:
        return None
    magnitude: int = int(coefficient) * 10**shift
    return -magnitude if sign else magnitude


def _decimal(value: object, data_type: LogicalType) -> Decimal:
    assert isinstance(data_type, DecimalType)
    number: Decimal | None = None
    if isinstance(value, float):
        number = Decimal(repr(float(value)))  # the digits that Python shows, as in Spark's own cast
    elif isinstance(value, Decimal):
        number = value
    elif isinstance(value, int) and not isinstance(value, bool) and abs(value) < 10**MAX_DECIMAL_PRECISION:
        number = Decimal(value)
    unscaled = _unscale(number, data_type.scale) if number is not None and number.is_finite() else None
    if unscaled is None or abs(unscaled) >= 10**data_type.precision:
        whole, fraction = data_type.precision - data_type.scale, data_type.scale
        _refuse(value, data_type, f"accepted are at most {whole} digits before the point and {fraction} after it")
    return Decimal((int(unscaled < 0), tuple(map(int, str(abs(unscaled)))), -data_type.scale))


def _double(value: object, data_type: LogicalType) -> float:
    """Convert a float, or an exact number whose digits survive the conversion to binary and back."""
    if isinstance(value, float):
        return float(value)
    if isinstance(value, (int, Decimal)) and not isinstance(value, bool):
        try:
            number = float(value)
        except (OverflowError, ValueError):  # a huge int, a signalling NaN
            number = math.inf
        if math.isfinite(number) and (Decimal(repr(number)) == value or number == value):
            return number
    _refuse(value, data_type, "accepted are floats, and whole and decimal numbers that a DOUBLE holds exactly")


def _single(value: object, data_type: LogicalType) -> float:
    number = _double(value, data_type)
    try:
        import struct

        (single,) = struct.unpack("<f", struct.pack("<f", number))
    except OverflowError:
        single = None
    changed = isinstance(value, int) and single != value
    if single is None or changed or (single == 0.0 and number != 0.0):
        _refuse(value, data_type, "accepted are numbers from 1.4E-45 to 3.4028235E38, whole ones only if held exactly")
    return float(single)


def is_uuid(value: object) -> bool:
    """Whether a value is a UUID, without loading the module, which few programs use."""
    module = sys.modules.get("uuid")
    return module is not None and isinstance(value, module.UUID)


def _string(value: object, data_type: LogicalType) -> str:
    if is_uuid(value):
        value = str(value)
    if not isinstance(value, str):
        _refuse(value, data_type, "accepted are str and UUID")
    try:
        value.encode()
    except UnicodeEncodeError as error:
        _refuse(value, data_type, f"position {error.start} holds half of a surrogate pair, which is no character")
    if isinstance(data_type, (CharType, VarCharType)) and len(value) > data_type.length:
        _refuse(value, data_type, f"accepted are at most {data_type.length} characters, here are {len(value)}")
    return str.__str__(value)


def _bytes(value: object, data_type: LogicalType) -> bytes:
    if not isinstance(value, (bytes, bytearray, memoryview)):
        _refuse(value, data_type, "accepted are bytes, bytearray and memoryview")
    return bytes(value)


def _parse_datetime(value: object, *patterns: str) -> dt.datetime | None:
    """Return the datetime in an ISO string that matches the concatenated patterns, or None; the date may be missing."""
    if not isinstance(value, str):
        return None
    import re

    if not re.fullmatch("".join(f"(?:{p})" for p in patterns), value):
        return None
    try:
        return datetime_of_iso(value if re.match(_DATE_TEXT, value) else "0001-01-01T" + value)
    except ValueError:  # 2023-02-29
        return None


def _date(value: object, data_type: LogicalType) -> dt.date | FarDate:
    if isinstance(value, FarDate):
        day = calendar_day(value.year, value.month, value.day)
        return _refuse(value, data_type, _DAYS_OF_SPARK) if day is None else day
    far = far_date(value) if isinstance(value, str) else None
    if far is not None:
        return far
    value = _parse_datetime(value, _DATE_TEXT) or value
    if isinstance(value, dt.datetime) and (value.tzinfo is not None or value.time() != dt.time()):
        _refuse(value, data_type, "a datetime is accepted only at midnight and without a time zone")
    if not isinstance(value, dt.date):
        _refuse(value, data_type, "accepted are a date and text like '2024-02-29' or '+10000-02-29'")
    return dt.date(value.year, value.month, value.day)


_DAYS_OF_SPARK = "accepted are days of the calendar, of which the first is -5877641-06-23 and the last +5881580-07-11"


def _normalize_far_day(value: FarTimestamp, data_type: LogicalType) -> dt.datetime | FarTimestamp:
    """Return a timestamp in its canonical class: a datetime if Python supports its date."""
    zone = dt.timezone.utc if value.is_instant else None
    date = value.date if isinstance(value.date, (FarDate, dt.date)) else None
    made = None if date is None else calendar_moment(date.year, date.month, date.day, value.time, zone)
    accepted = "accepted are times on days of the calendar, of which the first is on -290308-12-21 and the last on "
    return _refuse(value, data_type, accepted + "+294247-01-10") if made is None else made


def _time(value: object, data_type: LogicalType) -> dt.time | FineTime:
    assert isinstance(data_type, TimeType)
    given = time_of_text(value) if isinstance(value, str) else value
    if not isinstance(given, (dt.time, FineTime)) or (isinstance(given, dt.time) and given.tzinfo is not None):
        accepted = "accepted are a time without a time zone, a FineTime and text like '12:30:00' or '12:30:00.5'"
        _refuse(value, data_type, accepted)
    time = fine_time(given)
    if not has_digits(time, data_type.precision):
        _refuse(value, data_type, f"a second's fraction has at most {data_type.precision} digits there")
    if data_type.precision > MICROSECOND_DIGITS:
        return time
    return dt.time(time.hour, time.minute, time.second, time.nanosecond // 1000)


def _timestamp(value: object, data_type: LogicalType) -> dt.datetime | FarTimestamp:
    if isinstance(value, str):
        value = far_timestamp(value) or value
    if isinstance(value, FarTimestamp) and not value.is_instant:
        return _normalize_far_day(value, data_type)
    moment = _parse_datetime(value, _DATE_TEXT, "[T ]", _TIME_TEXT) or _parse_datetime(value, _DATE_TEXT) or value
    if isinstance(moment, dt.date) and not isinstance(moment, dt.datetime):
        moment = dt.datetime(moment.year, moment.month, moment.day)
    if not isinstance(moment, dt.datetime) or moment.utcoffset() is not None:
        accepted = "accepted are a datetime without a time zone, a date and text like '2024-02-29 12:30:00.5' or "
        accepted += "'+10000-02-29 12:30:00'"
        _refuse(value, data_type, accepted + "; a datetime with a time zone is a TIMESTAMP_LTZ")
    return dt.datetime.combine(dt.date(moment.year, moment.month, moment.day), _wall_clock(moment))


def _wall_clock(moment: dt.datetime) -> dt.time:
    return dt.time(moment.hour, moment.minute, moment.second, moment.microsecond)


def _instant(value: object, data_type: LogicalType) -> dt.datetime | FarTimestamp:
    """Accept only a datetime with a zone: the instant of any other would depend on the session that runs the query."""
    if isinstance(value, str):
        value = far_timestamp(value) or value
    if isinstance(value, FarTimestamp) and value.is_instant:
        return _normalize_far_day(value, data_type)
    moment = _parse_datetime(value, _DATE_TEXT, "[T ]", _TIME_TEXT, _OFFSET_TEXT) or value
    if not isinstance(moment, dt.datetime) or moment.utcoffset() is None:
        accepted = "accepted are a datetime with a time zone and text with an offset like '2024-02-29 12:30:00+01:00'"
        _refuse(value, data_type, accepted)
    try:
        in_utc = moment.astimezone(dt.timezone.utc)
    except OverflowError:
        found = calendar_moment(moment.year, moment.month, moment.day, _wall_clock(moment), moment.tzinfo)
        assert found is not None, "a datetime has a date"
        return found
    return dt.datetime.combine(in_utc.date(), _wall_clock(in_utc), dt.timezone.utc)


def _months(value: object, data_type: LogicalType) -> int:
    assert isinstance(data_type, YearMonthIntervalType)
    months = _integer(value, data_type) if isinstance(value, int) else None
    if months is None:
        _refuse(value, data_type, "accepted is an int, the number of months")
    if data_type.end is IntervalField.YEAR and months % 12:
        _refuse(value, data_type, "accepted are months that make up whole years")
    return months


def _microseconds(value: object, data_type: LogicalType) -> int:
    """Accept only a timedelta: an int could count seconds, milliseconds or microseconds."""
    assert isinstance(data_type, DayTimeIntervalType)
    if not isinstance(value, dt.timedelta):
        _refuse(value, data_type, "accepted is a timedelta")
    microseconds = value // _MICROSECOND
    if not -1 << 63 <= microseconds < 1 << 63:
        _refuse(value, data_type, "accepted are less than 106751992 days, which is what 64 bits of microseconds hold")
    if microseconds % MICROSECONDS[data_type.end]:
        _refuse(value, data_type, f"the finest field of the type is {data_type.end.name}")
    return microseconds


_CONVERTERS: dict[type[LogicalType], Callable[[object, LogicalType], object]] = {
    BooleanType: _check_boolean,
    **dict.fromkeys((TinyIntType, SmallIntType, IntType, BigIntType), _integer),
    FloatType: _single,
    DoubleType: _double,
    DecimalType: _decimal,
    **dict.fromkeys((CharType, VarCharType, StringType), _string),
    BytesType: _bytes,
    DateType: _date,
    TimeType: _time,
    TimestampType: _timestamp,
    LocalZonedTimestampType: _instant,
    YearMonthIntervalType: _months,
    DayTimeIntervalType: _microseconds,
}


def convert_to_stored(value: object, data_type: LogicalType) -> object:
    """Return a value other than None as a literal of the type stores it.

    Raises:
        ValidationException: the type cannot hold the value exactly.
    """
    return _CONVERTERS.get(type(data_type), _raise_no_literals)(value, data_type)
