"""Writes constants, types and casts as Spark shows them in generated column names."""

from __future__ import annotations

import re
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal
from typing import Any

from grammar import syntax as s
from grammar.builder.column_names.display_functions import is_cast_function
from grammar.builder.expressions.time_literals import zone_of
from ir.cast_rules import written_type
from ir.expressions import ValueLiteral
from ir.far_dates import convert_to_zone
from ir.identifiers import fold
from ir.literals import literal
from ir.rendering import Dialect
from ir.types import (
    ArrayType,
    CharacterType,
    DateType,
    DoubleType,
    FloatType,
    IntervalType,
    LocalZonedTimestampType,
    LogicalType,
    MapType,
    RowType,
    TimestampType,
    TimeType,
)


def constant_text(value: ValueLiteral, time_zone: str | None = None) -> str:
    """Return a constant's display form.

    Strings have no quotes, numbers are as Java prints them, and times are in the session's zone.
    """
    if value.is_null:
        return "NULL"
    data_type, held = value.data_type, value.value
    if isinstance(held, bool):
        return "true" if held else "false"
    if isinstance(data_type, CharacterType):
        return str(held)
    if isinstance(data_type, LocalZonedTimestampType) and time_zone not in (None, "UTC"):
        local = convert_to_zone(held, zone_of(time_zone))
        if local is not None:  # at the ends of the calendar
            return literal(local).as_serializable_string(Dialect.SPARK).replace("TIMESTAMP_NTZ", "TIMESTAMP")
    if isinstance(data_type, (LocalZonedTimestampType, TimestampType)):
        text = value.as_serializable_string(Dialect.SPARK)
        return text.replace("TIMESTAMP_LTZ", "TIMESTAMP").replace("Z'", "'")
    if isinstance(data_type, (DateType, TimeType)):
        return value.as_serializable_string(Dialect.SPARK)
    if isinstance(data_type, IntervalType):
        return _pad(value.as_serializable_string(Dialect.SPARK))
    if isinstance(held, bytes):
        return f"X'{held.hex().upper()}'"
    if isinstance(data_type, (DoubleType, FloatType)):
        return _java_number(value.as_serializable_string(Dialect.SPARK))
    return str(held)


def strip_casts(node: Any) -> Any:
    """Remove parentheses and the casts that Spark omits from a name.

    These are casts of a column, and casts to an array, map or row.
    """
    node = strip_parentheses(node)
    while True:
        inner, target = _cast_parts(node)
        if inner is None:
            return node
        inner = strip_parentheses(inner)
        is_column = isinstance(inner, s.Path) or (isinstance(inner, s.Member) and isinstance(inner.base, s.Path))
        if isinstance(inner, s.VariantPath):
            is_column = any(isinstance(step, (s.Name, s.Text)) for step in inner.steps)
        if not is_column and target is not None and not isinstance(target, (ArrayType, MapType, RowType)):
            return node
        node = inner


def strip_parentheses(node: Any) -> Any:
    """Return the expression inside parentheses."""
    while isinstance(node, s.Parenthesised):
        node = node.inner
    return node


def _cast_parts(node: Any) -> tuple[Any, Any]:
    """Return the value and the target type of a cast, else None twice. The type is None if a function names it."""
    if isinstance(node, s.Cast):
        return node.value, node.target
    if isinstance(node, s.Call) and len(node.arguments) == 1:
        name, argument = fold(node.function.names[-1].text), node.arguments[0]
        if name in ("cast", "try_cast") and isinstance(argument, s.Typed):
            return argument.expression, argument.target
        if is_cast_function(name):
            return argument, None
    return None, None


def type_text(data_type: LogicalType | None) -> str:
    """Return the display form of a type, "" for None."""
    if data_type is None:
        return ""
    if isinstance(data_type, CharacterType):
        return str(written_type(data_type).as_nullable())
    text = data_type.as_nullable().as_serializable_string(Dialect.SPARK)
    return re.sub(r"(\d), (\d)", r"\1,\2", text).replace("TIMESTAMP_LTZ", "TIMESTAMP")


def _pad(text: str) -> str:
    """Pad the first number of an interval to two digits, if its unit is shorter than a day."""
    match = re.fullmatch(r"(INTERVAL '-?)(\d+)(.*' (?:HOUR|MINUTE|SECOND)\b.*)", text)
    if match is None:
        return text
    return f"{match[1]}{match[2].zfill(2)}{match[3]}"


def _java_number(text: str) -> str:
    """Return a binary number as Java prints it: with an exponent if it is below 0.001 or at least ten million."""
    digits = text.rstrip("DFdf")
    mantissa, _, exponent = digits.upper().partition("E")
    sign, mantissa = ("-", mantissa[1:]) if mantissa.startswith("-") else ("", mantissa)
    whole, _, fraction = mantissa.partition(".")
    every = (whole + fraction).lstrip("0")
    if not every.strip("0"):
        return f"{sign}0.0"
    # The value is 0.<every> times ten to this power.
    power = len(whole) + int(exponent or 0) - (len(whole + fraction) - len(every))
    every = every.rstrip("0")
    if -2 <= power <= 7:
        if power <= 0:
            return f"{sign}0.{'0' * -power}{every}"
        padded = every.ljust(power, "0")
        return f"{sign}{padded[:power]}.{padded[power:] or '0'}"
    return f"{sign}{every[0]}.{every[1:] or '0'}E{power - 1}"


ORDERED = ("<", "<=", ">", ">=")
WHOLE_OPERATORS = ("+", "-", "*", "%", "DIV", "&", "|", "^")


def next_whole(value: Decimal, symbol: str, on_right: bool) -> str:
    """Return the whole number that replaces a decimal in a comparison with a whole number, or the constant result."""
    is_least = (symbol in (">", ">=")) is on_right
    if not -(1 << 63) <= value < 1 << 63:
        return "true" if (value < 0) is is_least else "false"
    rounding = ROUND_FLOOR if (symbol in (">", "<=")) is on_right else ROUND_CEILING
    return str(int(value.to_integral_value(rounding)))


def evaluate_integer(node: Any, depth: int = 20) -> int | None:
    """Return the whole number that constant arithmetic yields, None if there is none or it is nested too deeply."""
    node = strip_parentheses(node)
    if not depth:
        return None
    if isinstance(node, s.Number):
        return int(node.text) if node.text.isdigit() else None
    if isinstance(node, s.Signed):
        inner = evaluate_integer(node.operand, depth - 1)
        return None if inner is None or node.sign == "~" else -inner if node.sign == "-" else inner
    cast = _cast_parts(node)[0]
    if cast is not None:
        return evaluate_integer(cast, depth - 1)
    if not isinstance(node, s.Operation) or len(node.operators) != 1:
        return None
    left, right = (evaluate_integer(operand, depth - 1) for operand in node.operands)
    compute = {"+": int.__add__, "-": int.__sub__, "*": int.__mul__}.get(node.operators[0].text)
    return None if compute is None or left is None or right is None else compute(left, right)
