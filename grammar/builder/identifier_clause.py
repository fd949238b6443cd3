"""IDENTIFIER('name'), where its text is computed: of a parameter, a variable, or other constants.

https://spark.apache.org/docs/latest/sql-ref-identifier-clause.html
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from grammar import syntax as s
from grammar.builder.pattern_constants import computed_text
from grammar.errors import Misread
from grammar.identifier_clause import path_of_text, written_name
from ir.errors import TableException
from ir.expressions import ValueLiteral

if TYPE_CHECKING:
    from grammar.builder.expressions import ExpressionBuilder


def identifier_path(builder: ExpressionBuilder, call: s.Call) -> s.Path:
    """Return the names that the text in IDENTIFIER has with dots between them.

    Raises:
        Misread: it is no constant text, or no name.
    """
    return path_of_text(_text(builder, call.arguments[0]), call)


def settle(builder: ExpressionBuilder, call: s.Call) -> None:
    """Give a call the function that IDENTIFIER(…) before its arguments names.

    Raises:
        Misread: what stands there is no constant text, or no name.
    """
    if call.named_by is not None:
        call.function, call.named_by = identifier_path(builder, call.named_by), None


def _text(builder: ExpressionBuilder, node: Any) -> str:
    """Return a constant text: written out, given as a parameter, or computed of such."""
    written = written_name(node, builder.dialect)
    if written is not None:
        return written
    variable = builder.variable(node) if isinstance(node, s.Path) else None
    if isinstance(variable, ValueLiteral) and isinstance(variable.value, str):
        return variable.value
    try:
        _, constant = computed_text(builder, node)
    except TableException as error:
        raise Misread(node.position, str(error), error.condition) from None
    if constant is None or not isinstance(constant.value, str):
        raise Misread(node.position, "IDENTIFIER takes a constant text: IDENTIFIER('a'), IDENTIFIER(:name).")
    return constant.value
