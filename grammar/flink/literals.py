"""Constants of Flink's SQL."""

from __future__ import annotations

import re
from decimal import Decimal

from grammar.builder.expressions.time_literals import byte_string
from grammar.language import TypedLiteral
from ir import types as t
from ir.expressions import ValueLiteral
from ir.flink import constants
from ir.literals import literal
from ir.types import LogicalType

_UNICODE = re.compile(r"\\(\\|\+[0-9a-fA-F]{6}|[0-9a-fA-F]{4})")


def unquote(written: str, position: int) -> str:
    """Return the content of a string literal. Only a literal with U& has escapes.

    >>> unquote(r"'a\\b'", 0), unquote(r"U&'\\0041'", 0)
    ('a\\\\b', 'A')
    """
    if written[:2].upper() == "U&":
        inner = written[3:-1].replace("''", "'")
        return _UNICODE.sub(lambda m: "\\" if m[1] == "\\" else chr(int(m[1].lstrip("+"), 16)), inner)
    return written[written.index("'") + 1 : -1].replace("''", "'")


def build_number(text: str) -> ValueLiteral:
    """Return the constant of a number. Every written digit counts towards the precision, even a leading 0."""
    whole, point, fraction = text.removeprefix("-").partition(".")
    if point:
        return literal(Decimal(text), t.DecimalType(len(whole) + len(fraction), len(fraction)))
    return constants.number(int(text))


def _of(data_type: LogicalType) -> TypedLiteral:
    return lambda value, time_zone: literal(value.strip(), data_type)


def _time(value: str, time_zone: str | None) -> ValueLiteral:
    """Return a time whose precision is the number of written fraction digits."""
    fraction = value.strip().partition(".")[2]
    return literal(value.strip(), t.TimeType(min(len(fraction), t.MAX_TIME_PRECISION)))


TYPED: dict[str, TypedLiteral] = {
    "DATE": _of(t.DATE),
    "TIME": _time,
    "TIMESTAMP": _of(t.TIMESTAMP),
    "X": byte_string,
}
"""The typed literals, by type."""
