"""Joins adjacent string literals and parameter markers into one string."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from grammar import syntax as s
from grammar.builder.clause_names import ClauseNames
from grammar.errors import Misread
from ir.expressions import ValueLiteral
from ir.literals import literal
from ir.operations.source import ReadOptions

if TYPE_CHECKING:
    from grammar.builder.expressions.building import BuildsExpressions


def build_joined_text(
    builder: BuildsExpressions,
    node: s.JoinedText,
    inside: bool,
    work: list[Any],
    results: list[Any],
    names: ClauseNames,
) -> None:
    """Build the constant of adjacent strings and parameters."""
    results.append(literal(value_of(builder, node)))


def value_of(builder: BuildsExpressions, node: s.JsonPath) -> Any:
    """Return the value of a string or parameter; None for a parameter whose value is not a literal.

    Raises:
        Misread: a parameter has no value, or a parameter beside a string is not a string.
    """
    if isinstance(node, s.JoinedText):
        return "".join([_part(builder, part) for part in node.parts])
    given = builder.parameter(node) if isinstance(node, s.Parameter) else builder.constant(node)
    return given.value if isinstance(given, ValueLiteral) else None


def _part(builder: BuildsExpressions, part: s.Text | s.Parameter) -> str:
    value = value_of(builder, part)
    if not isinstance(value, str):
        message = f"Beside a text, the value of a parameter is text, to which it is added; this is {value!r}."
        raise Misread(part.position, message, "PARSE_SYNTAX_ERROR")
    return value


def display_parameter(builder: BuildsExpressions, node: s.Parameter | s.JoinedText) -> ValueLiteral | None:
    """Return the constant that a generated column name shows, None for a parameter whose value is not a literal.

    Raises:
        Misread: a parameter has no value.
    """
    given = literal(value_of(builder, node)) if isinstance(node, s.JoinedText) else builder.parameter(node)
    return given if isinstance(given, ValueLiteral) else None


def build_read_options(builder: BuildsExpressions, written: s.WrittenOptions) -> ReadOptions:
    """Return the options of a table read, with parameters replaced by their values.

    Raises:
        Misread: a parameter has no value, or its value is not a valid option.
    """
    return tuple([(key, value if isinstance(value, str) else _option(builder, value)) for key, value in written])


def _option(builder: BuildsExpressions, node: s.Parameter | s.JoinedText) -> str:
    value = value_of(builder, node)
    if isinstance(value, bool):
        return "true" if value else "false"
    if not isinstance(value, (str, int)):
        message = f"The value of an option is text, a whole number, TRUE or FALSE; this parameter is {value!r}."
        raise Misread(node.position, message, "PARSE_SYNTAX_ERROR")
    return str(value)
