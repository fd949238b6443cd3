"""IDENTIFIER('name'): a name that a constant text gives, as a parameter may.

https://spark.apache.org/docs/latest/sql-ref-identifier-clause.html
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from grammar import syntax as s
from grammar.builder.literals import text_of
from grammar.builder.pattern_constants import computed_text
from grammar.errors import Misread
from ir.errors import TableException, ValidationException
from ir.expressions import ValueLiteral
from ir.identifiers import fold, parse_path
from ir.rendering import Dialect

if TYPE_CHECKING:
    from grammar.builder.expressions import ExpressionBuilder

NAMES = re.compile(r"\s*(?:\w+|`(?:[^`]|``)*`)(?:\s*\.\s*(?:\w+|`(?:[^`]|``)*`))*\s*")


def is_identifier_clause(call: s.Call) -> bool:
    """Whether a call is IDENTIFIER with one argument, which is then a name."""
    names = call.function.names
    is_word = len(names) == 1 and fold(names[0].text) == "identifier" and not names[0].quoted
    return is_word and len(call.arguments) == 1 and not call.form


def identifier_path(builder: ExpressionBuilder, call: s.Call) -> s.Path:
    """Return the names that the text in IDENTIFIER has with dots between them.

    Raises:
        Misread: it is no constant text, or no name.
    """
    return path_of_text(_text(builder, call.arguments[0]), call)


def path_of_text(text: str, call: s.Call) -> s.Path:
    """Return the names in a text, of which those that are no plain words are in back-quotes.

    Raises:
        Misread: it is none.
    """
    if NAMES.fullmatch(text) is None:
        message = f"{text!r} is no name: in IDENTIFIER, what is no plain word is in back-quotes."
        raise Misread(call.arguments[0].position, message, "PARSE_SYNTAX_ERROR")
    if text.strip() == "``":
        # A column may have no name at all, unlike what catalogs hold.
        return s.Path(call.position, [s.Name(call.position, "", True)])
    try:
        parts = parse_path(text)
    except ValidationException as error:
        raise Misread(call.arguments[0].position, str(error)) from None
    return s.Path(call.position, [s.Name(call.position, part, True) for part in parts])


def settle(builder: ExpressionBuilder, call: s.Call) -> None:
    """Give a call the function that IDENTIFIER(…) before its arguments names.

    Raises:
        Misread: what stands there is no constant text, or no name.
    """
    if call.named_by is not None:
        call.function, call.named_by = identifier_path(builder, call.named_by), None


def written_name(argument: Any, dialect: Dialect) -> str | None:
    """Return the text in IDENTIFIER where it is written out, in several pieces perhaps; None where it is computed."""
    pieces: list[str] = []
    waiting = [argument]
    while waiting:
        part = waiting.pop()
        if isinstance(part, s.Parenthesised):
            waiting.append(part.inner)
        elif isinstance(part, s.Operation) and all(operator.text == "||" for operator in part.operators):
            waiting.extend(reversed(part.operands))
        elif isinstance(part, s.Text):
            pieces += [text_of(token, dialect) for token in part.tokens]
        else:
            return None
    return "".join(pieces)


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
