"""Writes intervals as Flink's SQL: with the precision of the leading field, and the sign outside the quotes."""

from __future__ import annotations

from ir.errors import TableException
from ir.types import DayTimeIntervalType, IntervalField, IntervalType, LogicalType, YearMonthIntervalType
from serializer.intervals import day_time_fields, sign_text, year_month_fields
from serializer.notation import Notation

_DEFAULT_DIGITS = 2
_MAXIMAL_DIGITS = 3  # of the leading field of an interval of days or less


def year_month_text(value: object, data_type: LogicalType, notation: Notation) -> str:
    """Write a number of months in Flink's SQL, with the sign outside the quotes."""
    assert isinstance(value, int)
    assert isinstance(data_type, YearMonthIntervalType)
    fields = year_month_fields(value, data_type)
    if value == -1 << 31 and data_type.start is IntervalField.MONTH:
        raise TableException(
            f"Flink cannot hold an interval of {value} MONTHs: its parser reads the digits before the sign."
        )
    leading = _leading(fields.partition("-")[0], data_type)
    return f"INTERVAL {sign_text(value)}'{fields}' {leading}{_end(data_type)}"


def day_time_text(value: object, data_type: LogicalType, notation: Notation) -> str:
    """Write a number of microseconds in Flink's SQL, whose intervals only hold milliseconds."""
    assert isinstance(value, int)
    assert isinstance(data_type, DayTimeIntervalType)
    if value % 1000:
        raise TableException(f"Flink cannot hold an interval of {value} microseconds: its intervals have milliseconds.")
    leading, rest, microseconds = day_time_fields(value, data_type)
    if len(leading) > _MAXIMAL_DIGITS:
        raise TableException(
            f"Flink cannot hold an interval of {leading} {data_type.start.name}s: its leading field has at most "
            f"{_MAXIMAL_DIGITS} digits."
        )
    qualifier = _leading(leading, data_type) + _end(data_type)
    if data_type.end is IntervalField.SECOND:
        rest += f".{microseconds // 1000:03d}"
        qualifier = f"{qualifier[:-1]}, 3)" if qualifier.startswith("SECOND(") else qualifier
    return f"INTERVAL {sign_text(value)}'{leading}{rest}' {qualifier}"


def _leading(digits: str, data_type: IntervalType) -> str:
    """Return the first field of the type, with the precision that the value needs."""
    start = data_type.start
    width = max(len(digits), _DEFAULT_DIGITS)
    return f"{start.name}({width})" if width > _DEFAULT_DIGITS or start is IntervalField.SECOND else start.name


def _end(data_type: IntervalType) -> str:
    if data_type.start is data_type.end:
        return ""
    return f" TO {data_type.end.name}" + ("(3)" if data_type.end is IntervalField.SECOND else "")
