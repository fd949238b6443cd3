"""Names unnamed fields of a row after the column, field or key that the value reads."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from grammar import syntax as s
from grammar.builder.expressions.literals import text_of
from grammar.builder.expressions.variant_paths import name_of, path_of
from grammar.language import Language
from ir.expressions import Expression, ValueLiteral

Parameter = Callable[[s.Parameter], Expression]


def field_name(value: Any, language: Language, parameter: Parameter | None = None) -> str | None:
    """Return the name that a value gives its field, None if it gives none.

    Args:
        value: the value's syntax.
        language: the dialect of the text.
        parameter: returns the value of a parameter marker, if available.
    """
    while type(value) is s.Parenthesised:
        value = value.inner
    if type(value) is s.Path:
        return value.names[-1].text
    if type(value) is s.Member:
        return value.name.text
    if type(value) is s.VariantPath:
        return name_of(path_of(value, language))
    if type(value) is s.Subscript and len(value.indices) == 1:
        return _key(value.indices[0], language, parameter)
    return None


def _key(index: Any, language: Language, parameter: Parameter | None) -> str | None:
    if type(index) is s.Text:
        return "".join([text_of(token, language) for token in index.tokens])
    if type(index) is s.Parameter and parameter is not None:
        given = parameter(index)
        return given.value if isinstance(given, ValueLiteral) and isinstance(given.value, str) else None
    return None
