"""Evaluates IDENTIFIER(…) whose string is computed from parameters, variables or constants.

https://spark.apache.org/docs/latest/sql-ref-identifier-clause.html
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from grammar import syntax as s
from grammar.builder.expressions.pattern_constants import compute_text
from grammar.errors import Misread
from grammar.identifier_clause import path_of_text, read_literal_name
from ir.errors import TableException
from ir.expressions import ValueLiteral

if TYPE_CHECKING:
    from grammar.builder.expressions.building import BuildsExpressions


def identifier_path(builder: BuildsExpressions, call: s.Call) -> s.Path:
    """Return the path that the string in IDENTIFIER denotes.

    Raises:
        Misread: the argument is not a constant string, or the string is not a valid name.
    """
    return path_of_text(_text(builder, call.arguments[0]), call)


def settle(builder: BuildsExpressions, call: s.Call) -> None:
    """Set the function of a call whose name is an IDENTIFIER(…).

    Raises:
        Misread: the argument is not a constant string, or the string is not a valid name.
    """
    if call.named_by is not None:
        call.function, call.named_by = identifier_path(builder, call.named_by), None


def _text(builder: BuildsExpressions, node: Any) -> str:
    """Return a constant string: a literal, a parameter, a variable, or an expression of these."""
    written = read_literal_name(node, builder.language)
    if written is not None:
        return written
    variable = builder.variable(node) if isinstance(node, s.Path) else None
    if isinstance(variable, ValueLiteral) and isinstance(variable.value, str):
        return variable.value
    try:
        _, constant = compute_text(builder, node)
    except TableException as error:
        raise Misread(node.position, str(error), error.condition) from None
    if constant is None or not isinstance(constant.value, str):
        raise Misread(node.position, "IDENTIFIER takes a constant text: IDENTIFIER('a'), IDENTIFIER(:name).")
    return constant.value
