"""Writes constants as Flink's SQL, which reads them as exactly the same value.

Source: https://calcite.apache.org/docs/reference.html, whose literals are Flink's.
"""

from __future__ import annotations

import datetime as dt
import math
from decimal import Decimal

from ir.errors import TableException
from ir.far_dates import FarDate, FarTimestamp
from ir.fine_times import FineTime, has_digits
from ir.types import (
    MAX_DECIMAL_PRECISION,
    BigIntType,
    BooleanType,
    BytesType,
    CharType,
    DateType,
    DayTimeIntervalType,
    DecimalType,
    DoubleType,
    FloatType,
    IntType,
    LocalZonedTimestampType,
    LogicalType,
    SmallIntType,
    StringType,
    TimestampType,
    TimeType,
    TinyIntType,
    VarCharType,
    YearMonthIntervalType,
)
from serializer.flink.intervals import day_time_text, year_month_text
from serializer.floating_point import float_text
from serializer.hidden_names import builtin_name
from serializer.literals import (
    boolean_text,
    bytes_text,
    cast_text,
    date_and_time_text,
    not_finite_string,
    require_characters,
    seconds_text,
)
from serializer.notation import LiteralWriter, Notation


def _string(value: object, data_type: LogicalType, notation: Notation) -> str:
    """Write a string; the doubled quote is Flink's only escape."""
    assert isinstance(value, str)
    require_characters(value)
    return "'" + value.replace("'", "''") + "'"


def _integer(value: object, data_type: LogicalType, notation: Notation) -> str:
    """Write a whole number. Flink reads the sign as an operator, so that the least BIGINT is not a literal."""
    assert isinstance(value, int)
    if isinstance(data_type, IntType):
        return str(value)
    return cast_text(f"'{value}'" if value == -1 << 63 else str(value), data_type, notation)


def _double(value: object, data_type: LogicalType, notation: Notation) -> str:
    """Write a number with an exponent, which makes it a DOUBLE."""
    assert isinstance(value, float)
    text = float_text(value, exponent=True)
    _refuse_negative_zero(value)
    return text if text is not None else cast_text(not_finite_string(value), data_type, notation)


def _float(value: object, data_type: LogicalType, notation: Notation) -> str:
    """Write a FLOAT as a cast of all digits that it has as a DOUBLE, because Flink reads it as a DOUBLE first."""
    assert isinstance(value, float)
    text = float_text(value, single=True, through_double=True)
    if text is None:
        raise TableException(
            f"Flink cannot hold the FLOAT constant {value}: its planner fails on it. A DOUBLE may have that value."
        )
    _refuse_negative_zero(value)
    return cast_text(text, data_type, notation)


def _refuse_negative_zero(value: float) -> None:
    if value == 0.0 and math.copysign(1.0, value) < 0.0:
        raise TableException(
            "Flink cannot hold the constant -0.0: it computes constants as decimals, which make it 0.0."
        )


def _decimal(value: object, data_type: LogicalType, notation: Notation) -> str:
    """Write a decimal. Flink counts every written digit towards the precision, even a leading 0."""
    assert isinstance(value, Decimal)
    assert isinstance(data_type, DecimalType)
    text = f"{value:f}"
    # The digits of a literal must fit in 64 bits, those of a string that is cast need not.
    written = len(text.lstrip("-").replace(".", ""))
    if int("".join(map(str, value.as_tuple().digits))) >= 1 << 63 or written > MAX_DECIMAL_PRECISION:
        return cast_text(f"'{text}'", data_type, notation)
    same_type = data_type.scale > 0 and written == data_type.precision
    return text if same_type else cast_text(text, data_type, notation)


def _time(value: object, data_type: LogicalType, notation: Notation) -> str:
    """Write a time with the fraction digits of its type, from which Flink derives the type, up to 3."""
    assert isinstance(value, (dt.time, FineTime))
    assert isinstance(data_type, TimeType)
    if not has_digits(value, 3):
        raise TableException(f"Flink cannot hold the time {value.isoformat()}: its TIME has milliseconds.")
    return f"TIME '{seconds_text(value, data_type.precision)}'"


def _date(value: object, data_type: LogicalType, notation: Notation) -> str:
    _refuse_far(value)
    assert isinstance(value, dt.date)
    return _on_day(value, "DATE", value.isoformat(), data_type, notation)


def _refuse_far(value: object) -> None:
    if isinstance(value, (FarDate, FarTimestamp)):
        raise TableException(f"Flink has no literal of {value}: its years are 1 to 9999.")


def _timestamp(value: object, data_type: LogicalType, notation: Notation) -> str:
    _refuse_far(value)
    assert isinstance(value, dt.datetime)
    return _on_day(value.date(), "TIMESTAMP", date_and_time_text(value), data_type, notation)


def _on_day(day: dt.date, keyword: str, text: str, data_type: LogicalType, notation: Notation) -> str:
    """Write a literal, or a cast on days of October 1582, which Flink's values but not its literals support."""
    skipped = dt.date(1582, 10, 5) <= day <= dt.date(1582, 10, 14)
    return cast_text(f"'{text}'", data_type, notation) if skipped else f"{keyword} '{text}'"


_EPOCH = dt.datetime(1970, 1, 1, tzinfo=dt.timezone.utc)


def _instant(value: object, data_type: LogicalType, notation: Notation) -> str:
    """Write an instant as a number, the only form that is independent of the session's time zone."""
    _refuse_far(value)
    assert isinstance(value, dt.datetime)
    microseconds = (value - _EPOCH) // dt.timedelta(microseconds=1)
    milliseconds, rest = divmod(microseconds, 1000)
    name = builtin_name("TO_TIMESTAMP_LTZ", notation)
    return f"{name}({microseconds}, 6)" if rest else f"{name}({milliseconds}, 3)"


FLINK_LITERALS: dict[type[LogicalType], LiteralWriter] = {
    BooleanType: boolean_text,
    **dict.fromkeys((TinyIntType, SmallIntType, IntType, BigIntType), _integer),
    FloatType: _float,
    DoubleType: _double,
    DecimalType: _decimal,
    **dict.fromkeys((CharType, VarCharType, StringType), _string),
    BytesType: bytes_text,
    DateType: _date,
    TimeType: _time,
    TimestampType: _timestamp,
    LocalZonedTimestampType: _instant,
    YearMonthIntervalType: year_month_text,
    DayTimeIntervalType: day_time_text,
}
