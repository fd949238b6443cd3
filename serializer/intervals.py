"""Writes intervals as SQL: the fields of the type, from the leading field, which is unbounded, to the finest."""

from __future__ import annotations

from ir.literal_values import MICROSECONDS
from ir.types import DayTimeIntervalType, IntervalField, IntervalType, LogicalType, YearMonthIntervalType
from serializer.notation import Notation

_MICROSECONDS_OF_SECOND = 1_000_000
_SEPARATORS = {IntervalField.HOUR: " ", IntervalField.MINUTE: ":", IntervalField.SECOND: ":"}


def year_month_text(value: object, data_type: LogicalType, notation: Notation) -> str:
    """Write a number of months in Spark's SQL."""
    assert isinstance(value, int)
    assert isinstance(data_type, YearMonthIntervalType)
    return f"INTERVAL '{sign_text(value)}{year_month_fields(value, data_type)}' {_qualifier(data_type)}"


def day_time_text(value: object, data_type: LogicalType, notation: Notation) -> str:
    """Write a number of microseconds in Spark's SQL."""
    assert isinstance(value, int)
    assert isinstance(data_type, DayTimeIntervalType)
    leading, rest, microseconds = day_time_fields(value, data_type)
    fraction = f".{microseconds:06d}".rstrip("0") if microseconds else ""
    return f"INTERVAL '{sign_text(value)}{leading}{rest}{fraction}' {_qualifier(data_type)}"


def sign_text(value: int) -> str:
    """Return the sign of a negative number."""
    return "-" if value < 0 else ""


def _qualifier(data_type: IntervalType) -> str:
    return data_type.as_nullable().as_summary_string().removeprefix("INTERVAL ")


def year_month_fields(value: int, data_type: YearMonthIntervalType) -> str:
    """Return the fields of a number of months, without its sign."""
    years, months = divmod(abs(value), 12)
    if data_type.start is IntervalField.MONTH:
        return str(abs(value))
    return str(years) if data_type.end is IntervalField.YEAR else f"{years}-{months}"


def day_time_fields(value: int, data_type: DayTimeIntervalType) -> tuple[str, str, int]:
    """Return the leading field, the other fields with their separators, and the remaining microseconds."""
    rest = abs(value)
    fields: list[str] = []
    for field in IntervalField:
        if not data_type.start <= field <= data_type.end:
            continue
        unit = _MICROSECONDS_OF_SECOND if field is IntervalField.SECOND else MICROSECONDS[field]
        amount, rest = divmod(rest, unit)
        fields.append(f"{_SEPARATORS[field]}{amount:02d}" if fields else str(amount))
    return fields[0], "".join(fields[1:]), rest
