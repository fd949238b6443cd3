"""Writes resolved expressions as SQL.

An explicit stack replaces recursion, so that a chain of 5,000 operators takes linear time.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping

from ir.call_expressions import Call, Over
from ir.dialects.syntax import CallSyntax, Operand, Optional_, Precedence, Rest
from ir.dialects.syntax import Piece as SyntaxPiece
from ir.errors import TableException
from ir.expressions import (
    DescriptorLiteral,
    FieldReference,
    Lambda,
    LambdaVariable,
    OuterReference,
    ResolvedExpression,
    SortOrder,
    SymbolLiteral,
    TypeLiteral,
    ValueLiteral,
    parameter_list,
)
from ir.light_typing import TYPE_CHECKING
from ir.operations.operation import TableReference
from serializer.literals import literal_text
from serializer.names import name_text, write_plain_name
from serializer.notation import CallWriter, Notation
from serializer.pieces import OuterColumn, Part, Piece, Subquery, separate
from serializer.types import type_text

if TYPE_CHECKING:
    from ir.frames import FrameBound

ColumnNames = Callable[[FieldReference], str]


def expression_pieces(
    expression: ResolvedExpression,
    notation: Notation,
    precedence: Precedence = Precedence.ANY,
    *,
    is_condition: bool = False,
    columns: ColumnNames | None = None,
) -> list[Piece]:
    """Write an expression, or the condition of a filter, as strings and subqueries.

    ``columns`` returns the written form of a column, if that is not just its name.
    """
    if isinstance(expression, FieldReference):
        return [name_text(expression.name, notation) if columns is None else columns(expression)]
    root = expression if notation.rewrite is None else notation.rewrite(expression, is_condition)
    written: list[Piece] = []
    # The text between two subqueries is one piece, however many operators and names it has.
    text: list[str] = []
    # The unwritten rest of each enclosing expression.
    stack: list[Iterator[Part]] = [iter(((root, precedence),))]
    while stack:
        for part in stack[-1]:
            if isinstance(part, str):
                text.append(part)
            elif isinstance(part, tuple):
                made, least = part
                # A type comparison is several times as fast as an isinstance that returns False.
                if type(made) is FieldReference:
                    text.append(name_text(made.name, notation) if columns is None else columns(made))
                elif type(made) is ValueLiteral:
                    text.append(_constant(made, least, notation))
                else:
                    parts = _call_parts(made, least, notation) if type(made) is Call else _parts(made, notation)
                    stack.append(iter(parts))
                    break
            else:
                written += ["".join(text), part]
                text.clear()
        else:
            stack.pop()
    return [*written, "".join(text)]


def _constant(literal: ValueLiteral, least: Precedence, notation: Notation) -> str:
    text = literal_text(literal, notation)
    # After another minus, the sign of a negative constant would begin a comment.
    return f"({text})" if least > Precedence.UNARY and text.startswith("-") else text


def _parts(expression: ResolvedExpression, notation: Notation) -> list[Part]:
    """Return the parts of any other expression: strings, and expressions to be written."""
    match expression:
        case LambdaVariable():
            return [write_plain_name(expression.name, notation)]
        case Lambda():
            names = parameter_list([write_plain_name(p.name, notation) for p in expression.parameters])
            return [f"{names} -> ", (expression.body, Precedence.ANY)]
        case Over():
            return _over_parts(expression, notation)
        case SortOrder():
            return _sort_order_parts(expression)
        case TypeLiteral():
            return [type_text(expression.type_, notation)]
        case SymbolLiteral():
            return [expression.symbol]
        case DescriptorLiteral():
            return [f"DESCRIPTOR({', '.join(name_text(name, notation) for name in expression.names)})"]
        case TableReference():
            return [Subquery(expression.operation)]
        case OuterReference():
            return [OuterColumn(expression.name)]
        case _:
            raise TableException(f"{type(expression).__name__} has no SQL form: {expression.as_summary_string()}")


def _over_parts(over: Over, notation: Notation) -> list[Part]:
    lowered = notation.lower(over)
    if lowered is not over:
        return [(lowered, Precedence.ANY)]
    parts: list[Part] = [(over.call, Precedence.ANY), " OVER ("]
    blank = ""
    for keyword, keys in (("PARTITION BY", over.partition_by), ("ORDER BY", over.order_by)):
        if keys:
            parts += [f"{blank}{keyword} ", *separate(keys)]
            blank = " "
    if over.frame is not None:
        lower, upper = (_bound_parts(bound, notation) for bound in (over.frame.lower, over.frame.upper))
        parts += [f"{blank}{over.frame.unit.value} BETWEEN ", *lower, " AND ", *upper]
    return [*parts, ")"]


def _bound_parts(bound: FrameBound, notation: Notation) -> list[Part]:
    if bound.offset is not None:
        value = bound.offset.value
        if value is None or not math.isfinite(value):
            return [notation.write_special_offset(bound, notation), f" {bound.direction.value}"]
        return [(bound.offset, Precedence.ANY), f" {bound.direction.value}"]
    return [f"UNBOUNDED {bound.direction.value}" if bound.is_unbounded else bound.direction.value]


def _sort_order_parts(order: SortOrder) -> list[Part]:
    parts: list[Part] = [(order.expression, Precedence.ANY), "" if order.ascending else " DESC"]
    if order.nulls_first != order.ascending:
        parts.append(" NULLS FIRST" if order.nulls_first else " NULLS LAST")
    return parts


def _call_parts(call: Call, least: Precedence, notation: Notation) -> list[Part]:
    function = call.function
    if not notation.keeps_calls_of(function):
        lowered = notation.lower(call)
        if lowered is not call:
            return [(lowered, least)]
    syntax = notation.syntax_of(function)
    if syntax.special is None:
        parts = _template_parts(call, syntax)
    else:
        parts = (notation.call_writers or _load_call_writers())[syntax.special](call, notation)
    if call.order_by:
        parts = [*parts, " WITHIN GROUP (ORDER BY ", *separate(call.order_by), ")"]
    if call.filter is not None:
        parts = [*parts, " FILTER (WHERE ", (call.filter, Precedence.ANY), ")"]
    if call.ignore_nulls:
        parts = [*parts, " IGNORE NULLS"]
    if call.respect_nulls:
        parts = [*parts, " RESPECT NULLS"]
    return ["(", *parts, ")"] if syntax.precedence < least else parts


def _load_call_writers() -> Mapping[str, CallWriter]:
    # A first query may have operators only.
    from serializer.call_syntax import CALL_WRITERS

    return CALL_WRITERS


def _template_parts(call: Call, syntax: CallSyntax) -> list[Part]:
    arguments = call.arguments
    if syntax.fixed is not None:
        return [p if isinstance(p, str) else (arguments[p.position], p.precedence) for p in syntax.fixed]
    parts: list[Part] = []
    stack: list[SyntaxPiece] = list(reversed(syntax.pieces))
    while stack:
        piece = stack.pop()
        if isinstance(piece, str):
            parts.append(piece)
        elif isinstance(piece, Operand):
            parts.append((arguments[piece.position], piece.precedence))
        elif isinstance(piece, Rest):
            parts += separate(arguments[piece.position :], piece.precedence, piece.separator)
        elif isinstance(piece, Optional_) and piece.position < len(arguments):
            stack.extend(reversed(piece.pieces))
    return parts
