"""Reads IDENTIFIER('name'), in which a constant string gives a name.

https://spark.apache.org/docs/latest/sql-ref-identifier-clause.html
"""

from __future__ import annotations

import re
from typing import Any

from grammar import syntax as s
from grammar.builder.expressions.literals import text_of
from grammar.errors import Misread
from grammar.language import Language
from ir.errors import ValidationException
from ir.identifiers import fold, parse_path

NAMES = re.compile(r"\s*(?:\w+|`(?:[^`]|``)*`)(?:\s*\.\s*(?:\w+|`(?:[^`]|``)*`))*\s*")


def is_identifier_clause(call: s.Call) -> bool:
    """Whether a call is IDENTIFIER with one argument, which gives a name."""
    names = call.function.names
    is_word = len(names) == 1 and fold(names[0].text) == "identifier" and not names[0].quoted
    return is_word and len(call.arguments) == 1 and not call.form


def path_of_text(text: str, call: s.Call) -> s.Path:
    """Return the path that a string denotes; parts that are not plain words need back-quotes.

    Raises:
        Misread: the string is not a valid path.
    """
    if NAMES.fullmatch(text) is None:
        message = f"{text!r} is no name: in IDENTIFIER, what is no plain word is in back-quotes."
        raise Misread(call.arguments[0].position, message, "PARSE_SYNTAX_ERROR")
    if text.strip() == "``":
        # A column may have an empty name, unlike a catalog object.
        return s.Path(call.position, [s.Name(call.position, "", True)])
    try:
        parts = parse_path(text)
    except ValidationException as error:
        raise Misread(call.arguments[0].position, str(error)) from None
    return s.Path(call.position, [s.Name(call.position, part, True) for part in parts])


def read_literal_name(argument: Any, language: Language) -> str | None:
    """Return the string in IDENTIFIER if it consists of literals, else None."""
    pieces: list[str] = []
    waiting = [argument]
    while waiting:
        part = waiting.pop()
        if isinstance(part, s.Parenthesised):
            waiting.append(part.inner)
        elif isinstance(part, s.Operation) and all(operator.text == "||" for operator in part.operators):
            waiting.extend(reversed(part.operands))
        elif isinstance(part, s.Text):
            pieces += [text_of(token, language) for token in part.tokens]
        else:
            return None
    return "".join(pieces)
