"""Writes intervals as SQL: the fields of the type, from the leading field, which is unbounded, to the finest."""

from __future__ import annotations

from ir.errors import TableException
from ir.literal_values import MICROSECONDS
from ir.types import DayTimeIntervalType, IntervalField, IntervalType, LogicalType, YearMonthIntervalType

_MICROSECONDS_OF_SECOND = 1_000_000
_SEPARATORS = {IntervalField.HOUR: " ", IntervalField.MINUTE: ":", IntervalField.SECOND: ":"}
_FLINK_DEFAULT_DIGITS = 2
_FLINK_MAXIMAL_DIGITS = 3  # of the leading field of an interval of days or less


def year_month_text(value: object, data_type: LogicalType) -> str:
    """Write a number of months in Spark's SQL."""
    assert isinstance(value, int)
    assert isinstance(data_type, YearMonthIntervalType)
    return f"INTERVAL '{_sign(value)}{_year_month_fields(value, data_type)}' {_qualifier(data_type)}"


def day_time_text(value: object, data_type: LogicalType) -> str:
    """Write a number of microseconds in Spark's SQL."""
    assert isinstance(value, int)
    assert isinstance(data_type, DayTimeIntervalType)
    leading, rest, microseconds = _day_time_fields(value, data_type)
    fraction = f".{microseconds:06d}".rstrip("0") if microseconds else ""
    return f"INTERVAL '{_sign(value)}{leading}{rest}{fraction}' {_qualifier(data_type)}"


def flink_year_month_text(value: object, data_type: LogicalType) -> str:
    """Write a number of months in Flink's SQL, with the sign outside the quotes."""
    assert isinstance(value, int)
    assert isinstance(data_type, YearMonthIntervalType)
    fields = _year_month_fields(value, data_type)
    if value == -1 << 31 and data_type.start is IntervalField.MONTH:
        raise TableException(
            f"Flink cannot hold an interval of {value} MONTHs: its parser reads the digits before the sign."
        )
    leading = _flink_leading(fields.partition("-")[0], data_type)
    return f"INTERVAL {_sign(value)}'{fields}' {leading}{_flink_end(data_type)}"


def flink_day_time_text(value: object, data_type: LogicalType) -> str:
    """Write a number of microseconds in Flink's SQL, whose intervals only hold milliseconds."""
    assert isinstance(value, int)
    assert isinstance(data_type, DayTimeIntervalType)
    if value % 1000:
        raise TableException(f"Flink cannot hold an interval of {value} microseconds: its intervals have milliseconds.")
    leading, rest, microseconds = _day_time_fields(value, data_type)
    if len(leading) > _FLINK_MAXIMAL_DIGITS:
        raise TableException(
            f"Flink cannot hold an interval of {leading} {data_type.start.name}s: its leading field has at most "
            f"{_FLINK_MAXIMAL_DIGITS} digits."
        )
    qualifier = _flink_leading(leading, data_type) + _flink_end(data_type)
    if data_type.end is IntervalField.SECOND:
        rest += f".{microseconds // 1000:03d}"
        qualifier = f"{qualifier[:-1]}, 3)" if qualifier.startswith("SECOND(") else qualifier
    return f"INTERVAL {_sign(value)}'{leading}{rest}' {qualifier}"


def _sign(value: int) -> str:
    return "-" if value < 0 else ""


def _qualifier(data_type: IntervalType) -> str:
    return data_type.as_nullable().as_summary_string().removeprefix("INTERVAL ")


def _year_month_fields(value: int, data_type: YearMonthIntervalType) -> str:
    years, months = divmod(abs(value), 12)
    if data_type.start is IntervalField.MONTH:
        return str(abs(value))
    return str(years) if data_type.end is IntervalField.YEAR else f"{years}-{months}"


def _day_time_fields(value: int, data_type: DayTimeIntervalType) -> tuple[str, str, int]:
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


def _flink_leading(digits: str, data_type: IntervalType) -> str:
    """Return the first field of the type, with the precision that the value needs."""
    start = data_type.start
    width = max(len(digits), _FLINK_DEFAULT_DIGITS)
    return f"{start.name}({width})" if width > _FLINK_DEFAULT_DIGITS or start is IntervalField.SECOND else start.name


def _flink_end(data_type: IntervalType) -> str:
    if data_type.start is data_type.end:
        return ""
    return f" TO {data_type.end.name}" + ("(3)" if data_type.end is IntervalField.SECOND else "")
