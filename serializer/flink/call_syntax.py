"""Writes calls whose syntax in Flink's SQL differs from Spark's."""

from __future__ import annotations

from ir.call_expressions import Call
from ir.dialects.syntax import OwnSyntax, Precedence
from ir.expressions import SymbolLiteral
from ir.functions.temporal import FLINK_UNITS
from serializer.call_syntax import CALL_WRITERS, function_call, function_name
from serializer.notation import CallWriter, Notation
from serializer.pieces import Part


def _niladic(call: Call, notation: Notation) -> list[Part]:
    # Flink accepts no empty parentheses.
    return function_call(call, notation) if call.arguments else [function_name(call.function, notation)]


def _bit_or(call: Call, notation: Notation) -> list[Part]:
    left, right = call.arguments
    return [(left, Precedence.UNARY), " | ", (right, Precedence.UNARY)]


def _not(call: Call, notation: Notation) -> list[Part]:
    (negated,) = call.arguments
    return ["NOT ", (negated, Precedence.NOT)]


def _extract(call: Call, notation: Notation) -> list[Part]:
    unit, source = call.arguments
    assert isinstance(unit, SymbolLiteral)
    return ["EXTRACT(", FLINK_UNITS[unit.symbol], " FROM ", (source, Precedence.ANY), ")"]


def _element(call: Call, notation: Notation) -> list[Part]:
    collection, key = call.arguments
    return [(collection, Precedence.PRIMARY), "[", (key, Precedence.ANY), "]"]


FLINK_CALL_WRITERS: dict[str, CallWriter] = {
    **CALL_WRITERS,
    OwnSyntax.BARE_NAME: _niladic,
    OwnSyntax.BIT_OR: _bit_or,
    OwnSyntax.NOT: _not,
    OwnSyntax.EXTRACT: _extract,
    OwnSyntax.ELEMENT: _element,
}
