"""Writes time functions and arithmetic with times as Spark shows them in generated column names."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from grammar import syntax as s
from grammar.builder.column_names.display_functions import find_own_syntax
from grammar.builder.column_names.display_values import type_text
from ir.dialects.syntax import OwnSyntax
from ir.identifiers import fold
from ir.types import (
    CalendarIntervalType,
    CharacterType,
    DateType,
    DayTimeIntervalType,
    IntervalField,
    IntervalType,
    LocalZonedTimestampType,
    LogicalType,
    NullType,
    TimestampType,
    TimeType,
)

_IN_UNITS = {OwnSyntax.TIMESTAMP_ADD: "timestampadd", OwnSyntax.TIMESTAMP_DIFF: "timestampdiff"}
_TIMES = (DateType, TimestampType, LocalZonedTimestampType)
_LENGTHS = (IntervalType, CalendarIntervalType)


def operation(
    left: Any, symbol: str, right: Any, left_type: LogicalType | None, right_type: LogicalType | None
) -> list[Any] | None:
    """Return the display form of arithmetic with dates, times and intervals; None for arithmetic with numbers."""
    if symbol in ("*", "/") and CalendarIntervalType in (type(left_type), type(right_type)):
        interval, number = (left, right) if isinstance(left_type, CalendarIntervalType) else (right, left)
        return ["multiply_interval(" if symbol == "*" else "divide_interval(", interval, ", ", number, ")"]
    if symbol == "/":
        return None
    if symbol == "*":
        is_moved = isinstance(right_type, IntervalType) and not isinstance(left_type, IntervalType)
        return ["(", right, " * ", left, ")"] if is_moved else None
    if isinstance(left_type, TimeType) or isinstance(right_type, TimeType):
        is_moved = symbol == "+" and isinstance(right_type, TimeType)
        return [right, " + ", left] if is_moved else [left, f" {symbol} ", right]
    if symbol == "+" and _is_time(right_type, left_type) and not _is_time(left_type, right_type):
        left, right, left_type, right_type = right, left, right_type, left_type
    if not _is_time(left_type, right_type) or _is_time(right_type, left_type):
        return None
    if isinstance(right_type, _LENGTHS):
        if isinstance(left_type, DateType) and type_text(right_type) == "INTERVAL DAY":
            days = ["extractansiintervaldays(", right, ")"]
            return ["date_add(", left, ", ", *(days if symbol == "+" else ["(- ", *days, ")"]), ")"]
        return [left, f" {symbol} ", right]
    if symbol == "+" and isinstance(right_type, NullType):
        return [left, " + ", right]
    if not isinstance(left_type, DateType) or (isinstance(right_type, (CharacterType, NullType)) and symbol == "-"):
        return ["(", left, f" {symbol} ", right, ")"]
    return ["date_add(" if symbol == "+" else "date_sub(", left, ", ", right, ")"]


def _is_time(data_type: LogicalType | None, other: LogicalType | None) -> bool:
    """Whether one operand is a time, or a string beside an interval."""
    return isinstance(data_type, _TIMES) or (isinstance(data_type, CharacterType) and isinstance(other, _LENGTHS))


def type_of_operation(left: LogicalType | None, symbol: str, right: LogicalType | None) -> LogicalType | None:
    """Return the type of arithmetic with times and intervals, None for other arithmetic.

    An interval's exact unit may be finer than the result.
    """
    if symbol == "-" and isinstance(left, _TIMES) and isinstance(right, _TIMES):
        is_of_days = isinstance(left, DateType) and isinstance(right, DateType)
        return DayTimeIntervalType(IntervalField.DAY, IntervalField.DAY if is_of_days else IntervalField.SECOND)
    if symbol in ("*", "/", "+", "-") and isinstance(left, _LENGTHS) and not isinstance(right, _TIMES):
        return left
    if symbol == "*" and isinstance(right, _LENGTHS):
        return right
    if symbol == "+" and isinstance(left, _LENGTHS) and isinstance(right, _TIMES[1:]):
        return right
    is_moved = symbol in ("+", "-") and isinstance(left, _TIMES[1:]) and isinstance(right, _LENGTHS)
    return left if is_moved else None


def display_time_call(node: s.Call, type_of: Callable[[Any], LogicalType | None]) -> list[Any] | None:
    """Return the display form of a time function as strings and child nodes, None for an ordinary call."""
    name, arguments = fold(node.function.names[-1].text), list(node.arguments)
    if node.form == "to":
        return [f"{name}(", arguments[0], f" TO {arguments[1].text.upper()})"]
    if name in ("extract", "date_part", "datepart") and len(arguments) == 2 and node.form == "from":
        return [f"extract({_word(arguments[0])} FROM ", arguments[1], ")"]
    if name in ("extract", "datepart") and len(arguments) == 2:
        return [f"{name}(", arguments[0], " FROM ", arguments[1], ")"]
    read_as = find_own_syntax(name)
    if read_as in _IN_UNITS and len(arguments) == 3:
        return [f"{_IN_UNITS[read_as]}({_word(arguments[0])}, ", *_separate(arguments[1:]), ")"]
    return _display_replacement(name, arguments, type_of)


def _display_replacement(
    name: str, arguments: list[Any], type_of: Callable[[Any], LogicalType | None]
) -> list[Any] | None:
    """Return the display form of a call that Spark shows as its replacement, None for any other call."""
    parts = _separate(arguments)
    if name in ("make_timestamp_ltz", "try_make_timestamp_ltz") and len(arguments) < 6:
        return ["make_timestamp(", *parts, ")"]
    if name == "try_make_timestamp" and len(arguments) == 7:
        return [f"{name}(", *_separate(arguments[:6]), ")"]
    if name == "try_make_timestamp_ntz" and len(arguments) == 2:
        return [f"{name}(make_timestamp_ntz(", *parts, "))"]
    if name == "try_to_time":
        return [f"{name}(to_time(", *parts, "))"]
    if name == "convert_timezone" and len(arguments) == 2:
        return [f"{name}(current_timezone(), ", *parts, ")"]
    if name == "time_bucket" and len(arguments) == 2:
        keyword = "TIMESTAMP_NTZ" if isinstance(type_of(arguments[1]), TimestampType) else "TIMESTAMP"
        return [f"{name}(", *parts, f", {keyword} '1970-01-01 00:00:00')"]
    return None


def _word(node: Any) -> str:
    return node.names[-1].text if isinstance(node, s.Path) else ""


def _separate(arguments: Sequence[Any]) -> list[Any]:
    parts: list[Any] = []
    for argument in arguments:
        parts += [", ", argument] if parts else [argument]
    return parts
