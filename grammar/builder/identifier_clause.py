"""IDENTIFIER('name'): a name that a constant text gives, as a parameter may.

https://spark.apache.org/docs/latest/sql-ref-identifier-clause.html
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from grammar import syntax as s
from grammar.errors import Misread
from ir.errors import ValidationException
from ir.expressions import ValueLiteral
from ir.identifiers import fold, parse_path

if TYPE_CHECKING:
    from grammar.builder.expressions import ExpressionBuilder


def is_identifier_clause(call: s.Call) -> bool:
    """Whether a call is IDENTIFIER with one argument, which is then a name."""
    names = call.function.names
    return len(names) == 1 and fold(names[0].text) == "identifier" and len(call.arguments) == 1 and not call.form


def identifier_path(builder: ExpressionBuilder, call: s.Call) -> s.Path:
    """Return the names that the text in IDENTIFIER has with dots between them.

    Raises:
        Misread: it is no constant text, or no name.
    """
    text = _text(builder, call.arguments[0])
    try:
        parts = parse_path(text)
    except ValidationException as error:
        raise Misread(call.arguments[0].position, str(error)) from None
    return s.Path(call.position, [s.Name(call.position, part, True) for part in parts])


def _text(builder: ExpressionBuilder, node: Any) -> str:
    """Return a constant text: written, given as a parameter, or several of them joined."""
    pieces: list[str] = []
    waiting = [node]
    while waiting:
        part = waiting.pop()
        if isinstance(part, s.Parenthesised):
            waiting.append(part.inner)
        elif isinstance(part, s.Operation) and all(operator.text == "||" for operator in part.operators):
            waiting.extend(reversed(part.operands))
        else:
            constant = None
            if isinstance(part, s.Parameter):
                constant = builder.parameter(part)
            elif isinstance(part, s.Text):
                constant = builder.constant(part)
            if not isinstance(constant, ValueLiteral) or not isinstance(constant.value, str):
                raise Misread(part.position, "IDENTIFIER takes a constant text: IDENTIFIER('a'), IDENTIFIER(:name).")
            pieces.append(constant.value)
    return "".join(pieces)
