"""Writes constants as SQL that reads back as exactly the same value.

In Spark, the type is exactly the same, too, and NOT NULL.

Sources: https://spark.apache.org/docs/latest/sql-ref-literals.html, Spark's ``SparkParserUtils.unescapeSQLString`` and
https://calcite.apache.org/docs/reference.html, whose literals are Flink's.
"""

from __future__ import annotations

import datetime as dt
import math
import re
from collections.abc import Callable
from decimal import Decimal

from ir.errors import TableException
from ir.expressions import ValueLiteral
from ir.far_dates import FarDate, FarTimestamp
from ir.fine_times import MICROSECOND_DIGITS, FineTime, fine_time, has_digits
from ir.rendering import Dialect
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
    NullType,
    SmallIntType,
    StringType,
    TimestampType,
    TimeType,
    TinyIntType,
    VarCharType,
    YearMonthIntervalType,
)
from serializer.floating_point import float_text
from serializer.hidden_names import builtin_name
from serializer.intervals import day_time_text, flink_day_time_text, flink_year_month_text, year_month_text
from serializer.types import type_text

Writer = Callable[[object, LogicalType], str]


def literal_text(literal: ValueLiteral, dialect: Dialect) -> str:
    """Write a constant in a dialect.

    Raises:
        TableException: the dialect cannot write or hold the value.
    """
    if literal.value is None:
        if isinstance(literal.type_, NullType) and dialect is Dialect.SPARK:
            return "NULL"
        return f"CAST(NULL AS {type_text(literal.type_, dialect)})"
    write = _WRITERS[dialect].get(type(literal.type_))
    if write is None:
        raise TableException(f"A value of type {literal.type_.as_summary_string()} cannot be written as a literal.")
    return write(literal.value, literal.type_)


def _cast(text: str, data_type: LogicalType, dialect: Dialect) -> str:
    return f"CAST({text} AS {type_text(data_type, dialect)})"


def _boolean(value: object, data_type: LogicalType) -> str:
    return "TRUE" if value else "FALSE"


def _bytes(value: object, data_type: LogicalType) -> str:
    assert isinstance(value, bytes)
    return f"X'{value.hex()}'"


def _seconds(value: dt.datetime | dt.time | FineTime, digits: int | None = None) -> str:
    """Return a time of day with ``digits`` fraction digits, by default without trailing zeros."""
    nanosecond = value.microsecond * 1000 if isinstance(value, dt.datetime) else fine_time(value).nanosecond
    fraction = f"{nanosecond:09d}"
    fraction = fraction.rstrip("0") if digits is None else fraction[:digits]
    return f"{value.hour:02d}:{value.minute:02d}:{value.second:02d}" + ("." + fraction if fraction else "")


def _date_and_time(value: object) -> str:
    if isinstance(value, FarTimestamp):
        return f"{value.date} {_seconds(value.time)}"
    assert isinstance(value, dt.datetime)
    return f"{value.date().isoformat()} {_seconds(value)}"


# --- Spark -----------------------------------------------------------------------------------------------------------

# Characters that would end the string, are invisible, or hide others (direction marks, blanks of all kinds).
_SPARK_ESCAPED = re.compile(
    r"[\\'\x00-\x1f\x7f-\xa0\xad\u1680\u180e\u2000-\u200b\u200e\u200f\u2028-\u202f\u205f-\u206f\u3000\ud800-\udfff"
    r"\ufdd0-\ufdef\ufeff\ufff0-\uffff\U000e0000-\U000e0fff]|\$(?=\{)"
)
_SPARK_ESCAPES = {"\\": "\\\\", "'": "\\'", "\n": "\\n", "\r": "\\r", "\t": "\\t"}


def _check_characters(text: str) -> None:
    surrogate = re.search("[\ud800-\udfff]", text)
    if surrogate:
        raise TableException(
            f"The text {text!r} cannot be written in SQL: position {surrogate.start()} holds half of a surrogate pair, "
            "which is no character."
        )


def _spark_escape(match: re.Match[str]) -> str:
    """Return the escape of a character. ``\\0`` is never used, because a following digit would change its meaning."""
    character = match.group()
    code = ord(character)
    return _SPARK_ESCAPES.get(character) or (f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}")


def _spark_string(value: object, data_type: LogicalType) -> str:
    """Write a string with backslash escapes; the ``$`` of ``${`` is escaped, because Spark would substitute it."""
    assert isinstance(value, str)
    _check_characters(value)
    text = "'" + _SPARK_ESCAPED.sub(_spark_escape, value) + "'"
    is_collated = isinstance(data_type, StringType) and data_type.has_collation
    return _cast(text, data_type, Dialect.SPARK) if is_collated else text


def _spark_integer(suffix: str) -> Writer:
    return lambda value, data_type: f"{value}{suffix}"


def _spark_float(suffix: str) -> Writer:
    def write(value: object, data_type: LogicalType) -> str:
        assert isinstance(value, float)
        text = float_text(value, single=suffix == "F")
        if text is not None:
            return text + suffix
        # In Spark, a cast of a string is nullable; COALESCE with a constant is not.
        name = builtin_name("COALESCE", Dialect.SPARK)
        return f"{name}({not_finite_text(value, data_type)}, 0{suffix})"

    return write


def not_finite_text(value: float, data_type: LogicalType) -> str:
    """Write an infinite or NaN float as a cast of a string, which is nullable in Spark."""
    return _cast(_not_finite(value), data_type, Dialect.SPARK)


def _not_finite(value: float) -> str:
    return "'NaN'" if value != value else "'Infinity'" if value > 0 else "'-Infinity'"


def _spark_decimal(value: object, data_type: LogicalType) -> str:
    """Write a decimal. Spark derives the precision from the digits, without leading zeros before the point."""
    assert isinstance(value, Decimal)
    assert isinstance(data_type, DecimalType)
    text = f"{value:f}" + ("" if data_type.scale else "BD")
    precision = max(len(value.as_tuple().digits), data_type.scale)
    return text if precision == data_type.precision else _cast(text, data_type, Dialect.SPARK)


def _spark_date(value: object, data_type: LogicalType) -> str:
    assert isinstance(value, (dt.date, FarDate))
    return f"DATE '{value.isoformat()}'"


def _spark_time(value: object, data_type: LogicalType) -> str:
    assert isinstance(value, (dt.time, FineTime))
    assert isinstance(data_type, TimeType)
    if data_type.precision > MICROSECOND_DIGITS:
        # Spark counts the written digits, including zeros, if there are more than six.
        return f"TIME '{_seconds(value, data_type.precision)}'"
    text = f"TIME '{_seconds(value)}'"
    return text if data_type.precision == MICROSECOND_DIGITS else _cast(text, data_type, Dialect.SPARK)


def _spark_timestamp(value: object, data_type: LogicalType) -> str:
    return f"TIMESTAMP_NTZ '{_date_and_time(value)}'"


def _spark_instant(value: object, data_type: LogicalType) -> str:
    """Write an instant with its offset, so that the session's time zone does not matter."""
    return f"TIMESTAMP_LTZ '{_date_and_time(value)}Z'"


# --- Flink -----------------------------------------------------------------------------------------------------------


def _flink_string(value: object, data_type: LogicalType) -> str:
    """Write a string; the doubled quote is Flink's only escape."""
    assert isinstance(value, str)
    _check_characters(value)
    return "'" + value.replace("'", "''") + "'"


def _flink_integer(value: object, data_type: LogicalType) -> str:
    """Write a whole number. Flink reads the sign as an operator, so that the least BIGINT is no literal."""
    assert isinstance(value, int)
    if isinstance(data_type, IntType):
        return str(value)
    return _cast(f"'{value}'" if value == -1 << 63 else str(value), data_type, Dialect.FLINK)


def _flink_double(value: object, data_type: LogicalType) -> str:
    """Write a number with an exponent, which makes it a DOUBLE."""
    assert isinstance(value, float)
    text = float_text(value, exponent=True)
    _refuse_negative_zero(value)
    return text if text is not None else _cast(_not_finite(value), data_type, Dialect.FLINK)


def _flink_float(value: object, data_type: LogicalType) -> str:
    """Write a FLOAT as a cast of all digits that it has as a DOUBLE, because Flink reads it as a DOUBLE first."""
    assert isinstance(value, float)
    text = float_text(value, single=True, through_double=True)
    if text is None:
        raise TableException(
            f"Flink cannot hold the FLOAT constant {value}: its planner fails on it. A DOUBLE may have that value."
        )
    _refuse_negative_zero(value)
    return _cast(text, data_type, Dialect.FLINK)


def _refuse_negative_zero(value: float) -> None:
    if value == 0.0 and math.copysign(1.0, value) < 0.0:
        raise TableException(
            "Flink cannot hold the constant -0.0: it computes constants as decimals, which make it 0.0."
        )


def _flink_decimal(value: object, data_type: LogicalType) -> str:
    """Write a decimal. Flink counts every written digit towards the precision, even a leading 0."""
    assert isinstance(value, Decimal)
    assert isinstance(data_type, DecimalType)
    text = f"{value:f}"
    # The digits of a literal must fit in 64 bits, those of a string that is cast need not.
    written = len(text.lstrip("-").replace(".", ""))
    if int("".join(map(str, value.as_tuple().digits))) >= 1 << 63 or written > MAX_DECIMAL_PRECISION:
        return _cast(f"'{text}'", data_type, Dialect.FLINK)
    same_type = data_type.scale > 0 and written == data_type.precision
    return text if same_type else _cast(text, data_type, Dialect.FLINK)


def _flink_time(value: object, data_type: LogicalType) -> str:
    """Write a time with the fraction digits of its type, from which Flink derives the type, up to 3."""
    assert isinstance(value, (dt.time, FineTime))
    assert isinstance(data_type, TimeType)
    if not has_digits(value, 3):
        raise TableException(f"Flink cannot hold the time {value.isoformat()}: its TIME has milliseconds.")
    return f"TIME '{_seconds(value, data_type.precision)}'"


def _flink_date(value: object, data_type: LogicalType) -> str:
    _refuse_far(value)
    assert isinstance(value, dt.date)
    return _on_day(value, "DATE", value.isoformat(), data_type)


def _refuse_far(value: object) -> None:
    if isinstance(value, (FarDate, FarTimestamp)):
        raise TableException(f"Flink has no literal of {value}: its years are 1 to 9999.")


def _flink_timestamp(value: object, data_type: LogicalType) -> str:
    _refuse_far(value)
    assert isinstance(value, dt.datetime)
    return _on_day(value.date(), "TIMESTAMP", _date_and_time(value), data_type)


def _on_day(day: dt.date, keyword: str, text: str, data_type: LogicalType) -> str:
    """Write a literal, or a cast on days of October 1582, which Flink's values but not its literals support."""
    skipped = dt.date(1582, 10, 5) <= day <= dt.date(1582, 10, 14)
    return _cast(f"'{text}'", data_type, Dialect.FLINK) if skipped else f"{keyword} '{text}'"


_EPOCH = dt.datetime(1970, 1, 1, tzinfo=dt.UTC)


def _flink_instant(value: object, data_type: LogicalType) -> str:
    """Write an instant as a number, the only form that is independent of the session's time zone."""
    _refuse_far(value)
    assert isinstance(value, dt.datetime)
    microseconds = (value - _EPOCH) // dt.timedelta(microseconds=1)
    milliseconds, rest = divmod(microseconds, 1000)
    name = builtin_name("TO_TIMESTAMP_LTZ", Dialect.FLINK)
    return f"{name}({microseconds}, 6)" if rest else f"{name}({milliseconds}, 3)"


_WRITERS: dict[Dialect, dict[type[LogicalType], Writer]] = {
    Dialect.SPARK: {
        BooleanType: _boolean,
        TinyIntType: _spark_integer("Y"),
        SmallIntType: _spark_integer("S"),
        IntType: _spark_integer(""),
        BigIntType: _spark_integer("L"),
        FloatType: _spark_float("F"),
        DoubleType: _spark_float("D"),
        DecimalType: _spark_decimal,
        **dict.fromkeys((CharType, VarCharType, StringType), _spark_string),
        BytesType: _bytes,
        DateType: _spark_date,
        TimeType: _spark_time,
        TimestampType: _spark_timestamp,
        LocalZonedTimestampType: _spark_instant,
        YearMonthIntervalType: year_month_text,
        DayTimeIntervalType: day_time_text,
    },
    Dialect.FLINK: {
        BooleanType: _boolean,
        **dict.fromkeys((TinyIntType, SmallIntType, IntType, BigIntType), _flink_integer),
        FloatType: _flink_float,
        DoubleType: _flink_double,
        DecimalType: _flink_decimal,
        **dict.fromkeys((CharType, VarCharType, StringType), _flink_string),
        BytesType: _bytes,
        DateType: _flink_date,
        TimeType: _flink_time,
        TimestampType: _flink_timestamp,
        LocalZonedTimestampType: _flink_instant,
        YearMonthIntervalType: flink_year_month_text,
        DayTimeIntervalType: flink_day_time_text,
    },
}
