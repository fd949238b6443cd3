"""Writes constants as SQL that reads back as exactly the same value.

In Spark, the type is exactly the same, too, and NOT NULL.

Sources: https://spark.apache.org/docs/latest/sql-ref-literals.html and Spark's ``SparkParserUtils.unescapeSQLString``.
"""

from __future__ import annotations

import datetime as dt
from decimal import Decimal

from ir.errors import TableException
from ir.expressions import ValueLiteral
from ir.far_dates import FarDate, FarTimestamp
from ir.fine_times import MICROSECOND_DIGITS, FineTime, fine_time
from ir.late_patterns import late_pattern
from ir.light_typing import TYPE_CHECKING
from ir.types import (
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
from serializer.hidden_names import builtin_name
from serializer.notation import LiteralWriter, Notation
from serializer.types import type_text

if TYPE_CHECKING:
    import re


def literal_text(literal: ValueLiteral, notation: Notation) -> str:
    """Write a constant in a dialect.

    Raises:
        TableException: the dialect cannot write or hold the value.
    """
    if literal.value is None:
        if notation.has_untyped_null and isinstance(literal.type_, NullType):
            return "NULL"
        return f"CAST(NULL AS {type_text(literal.type_, notation)})"
    write = notation.literal_writers.get(type(literal.type_))
    if write is None:
        raise TableException(f"A value of type {literal.type_.as_summary_string()} cannot be written as a literal.")
    return write(literal.value, literal.type_, notation)


def cast_text(text: str, data_type: LogicalType, notation: Notation) -> str:
    """Write a CAST of a text to a type."""
    return f"CAST({text} AS {type_text(data_type, notation)})"


def boolean_text(value: object, data_type: LogicalType, notation: Notation) -> str:
    """Write a truth value."""
    return "TRUE" if value else "FALSE"


def bytes_text(value: object, data_type: LogicalType, notation: Notation) -> str:
    """Write bytes in hexadecimal digits."""
    assert isinstance(value, bytes)
    return f"X'{value.hex()}'"


def seconds_text(value: dt.datetime | dt.time | FineTime, digits: int | None = None) -> str:
    """Return a time of day with ``digits`` fraction digits, by default without trailing zeros."""
    nanosecond = value.microsecond * 1000 if isinstance(value, dt.datetime) else fine_time(value).nanosecond
    fraction = f"{nanosecond:09d}"
    fraction = fraction.rstrip("0") if digits is None else fraction[:digits]
    return f"{value.hour:02d}:{value.minute:02d}:{value.second:02d}" + ("." + fraction if fraction else "")


def date_and_time_text(value: object) -> str:
    """Return a date and a time of day, without trailing zeros."""
    if isinstance(value, FarTimestamp):
        return f"{value.date} {seconds_text(value.time)}"
    assert isinstance(value, dt.datetime)
    return f"{value.date().isoformat()} {seconds_text(value)}"


# Characters that would end the string, are invisible, or hide others (direction marks, blanks of all kinds).
_SPARK_ESCAPED = late_pattern(
    r"[\\'\x00-\x1f\x7f-\xa0\xad\u1680\u180e\u2000-\u200b\u200e\u200f\u2028-\u202f\u205f-\u206f\u3000\ud800-\udfff"
    r"\ufdd0-\ufdef\ufeff\ufff0-\uffff\U000e0000-\U000e0fff]|\$(?=\{)"
)
_SURROGATE = late_pattern("[\ud800-\udfff]")
_SPARK_ESCAPES = {"\\": "\\\\", "'": "\\'", "\n": "\\n", "\r": "\\r", "\t": "\\t"}


def require_characters(text: str) -> None:
    """Reject a string that is not Unicode text.

    Raises:
        TableException: the string has half of a surrogate pair.
    """
    surrogate = _SURROGATE.search(text)
    if surrogate:
        raise TableException(
            f"The text {text!r} cannot be written in SQL: position {surrogate.start()} holds half of a surrogate pair, "
            "which is no character."
        )


def is_plain(text: str) -> bool:
    """Whether no character of a string needs an escape, which takes longer to find out by a regular expression."""
    return text.isascii() and text.isprintable() and not ("'" in text or "\\" in text or "${" in text)


def _spark_escape(match: re.Match[str]) -> str:
    """Return the escape of a character. ``\\0`` is never used, because a following digit would change its meaning."""
    character = match.group()
    code = ord(character)
    return _SPARK_ESCAPES.get(character) or (f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}")


def _spark_string(value: object, data_type: LogicalType, notation: Notation) -> str:
    """Write a string with backslash escapes; the ``$`` of ``${`` is escaped, because Spark would substitute it."""
    assert isinstance(value, str)
    if is_plain(value):
        text = f"'{value}'"
    else:
        require_characters(value)
        text = "'" + _SPARK_ESCAPED.sub(_spark_escape, value) + "'"
    is_collated = isinstance(data_type, StringType) and data_type.has_collation
    return cast_text(text, data_type, notation) if is_collated else text


def _spark_integer(suffix: str) -> LiteralWriter:
    return lambda value, data_type, notation: f"{value}{suffix}"


def _spark_float(suffix: str) -> LiteralWriter:
    def write(value: object, data_type: LogicalType, notation: Notation) -> str:
        assert isinstance(value, float)
        from serializer.floating_point import float_text

        text = float_text(value, single=suffix == "F")
        if text is not None:
            return text + suffix
        # In Spark, a cast of a string is nullable; COALESCE with a constant is not.
        name = builtin_name("COALESCE", notation)
        return f"{name}({write_not_finite(value, data_type, notation)}, 0{suffix})"

    return write


def write_not_finite(value: float, data_type: LogicalType, notation: Notation) -> str:
    """Write an infinite or NaN float as a cast of a string, which is nullable in Spark."""
    return cast_text(not_finite_string(value), data_type, notation)


def not_finite_string(value: float) -> str:
    """Write an infinite or NaN float as the string whose cast it is."""
    return "'NaN'" if value != value else "'Infinity'" if value > 0 else "'-Infinity'"


def _spark_decimal(value: object, data_type: LogicalType, notation: Notation) -> str:
    """Write a decimal. Spark derives the precision from the digits, without leading zeros before the point."""
    assert isinstance(value, Decimal)
    assert isinstance(data_type, DecimalType)
    text = f"{value:f}" + ("" if data_type.scale else "BD")
    precision = max(len(value.as_tuple().digits), data_type.scale)
    return text if precision == data_type.precision else cast_text(text, data_type, notation)


def _spark_date(value: object, data_type: LogicalType, notation: Notation) -> str:
    assert isinstance(value, (dt.date, FarDate))
    return f"DATE '{value.isoformat()}'"


def _spark_time(value: object, data_type: LogicalType, notation: Notation) -> str:
    assert isinstance(value, (dt.time, FineTime))
    assert isinstance(data_type, TimeType)
    if data_type.precision > MICROSECOND_DIGITS:
        # Spark counts the written digits, including zeros, if there are more than six.
        return f"TIME '{seconds_text(value, data_type.precision)}'"
    text = f"TIME '{seconds_text(value)}'"
    return text if data_type.precision == MICROSECOND_DIGITS else cast_text(text, data_type, notation)


def _spark_timestamp(value: object, data_type: LogicalType, notation: Notation) -> str:
    return f"TIMESTAMP_NTZ '{date_and_time_text(value)}'"


def _spark_instant(value: object, data_type: LogicalType, notation: Notation) -> str:
    """Write an instant with its offset, so that the session's time zone does not matter."""
    return f"TIMESTAMP_LTZ '{date_and_time_text(value)}Z'"


def _spark_months(value: object, data_type: LogicalType, notation: Notation) -> str:
    from serializer.intervals import year_month_text

    return year_month_text(value, data_type, notation)


def _spark_microseconds(value: object, data_type: LogicalType, notation: Notation) -> str:
    from serializer.intervals import day_time_text

    return day_time_text(value, data_type, notation)


SPARK_LITERALS: dict[type[LogicalType], LiteralWriter] = {
    BooleanType: boolean_text,
    TinyIntType: _spark_integer("Y"),
    SmallIntType: _spark_integer("S"),
    IntType: _spark_integer(""),
    BigIntType: _spark_integer("L"),
    FloatType: _spark_float("F"),
    DoubleType: _spark_float("D"),
    DecimalType: _spark_decimal,
    **dict.fromkeys((CharType, VarCharType, StringType), _spark_string),
    BytesType: bytes_text,
    DateType: _spark_date,
    TimeType: _spark_time,
    TimestampType: _spark_timestamp,
    LocalZonedTimestampType: _spark_instant,
    YearMonthIntervalType: _spark_months,
    DayTimeIntervalType: _spark_microseconds,
}
