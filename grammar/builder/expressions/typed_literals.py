"""Builds typed literals, such as DATE '…', TIMESTAMP '…' and X'…'."""

from __future__ import annotations

from typing import Any

from grammar import syntax as s
from grammar.builder.expressions.literals import interval, interval_of_text, number, text_of
from grammar.builder.expressions.literals import text as text_constant
from grammar.builder.expressions.time_literals import is_time_of_today, special_word
from grammar.errors import Misread
from grammar.language import Language
from ir import types as t
from ir.errors import ValidationException, did_you_mean
from ir.expressions import Expression, TypeLiteral, ValueLiteral
from ir.functions.conversion import CAST
from ir.literals import literal
from ir.types import LogicalType
from ir.unresolved import UnresolvedCall


def constant_of(node: Any, language: Language, time_zone: str | None) -> ValueLiteral:
    """Return the constant that a literal denotes.

    Raises:
        Misread: the literal is invalid, or depends on the time at which it is read.
    """
    kind = type(node)
    if kind is s.Number:
        return number(node, language)
    if kind is s.Text:
        return text_constant(node, language)
    if kind is s.TypedText:
        if moment_of_reading(node, language) is not None:
            raise Misread(
                node.position,
                f"{spell_typed(node, language)} is another constant each time that it is read, and here stands one "
                "that is the same each time.",
            )
        return build_typed_literal(node, language, time_zone)
    if kind is s.Null:
        return ValueLiteral(None, t.NULL)
    if kind is s.Boolean:
        return literal(node.value)
    return interval(node, language)


def build_typed_literal(written: s.TypedText, language: Language, time_zone: str | None) -> ValueLiteral:
    """Return the constant of a typed literal; ``time_zone`` is that of the session.

    Raises:
        Misread: the dialect lacks the literal type, or the string is invalid for the type.
    """
    name, value = written.type_name.upper(), _text(written, language)
    if name == "INTERVAL":
        return interval_of_text(written, value, language)
    known = language.literals.typed
    make = known.get(name)
    if make is None:
        raise Misread(
            written.position,
            f"There are no literals of a type {written.type_name} in {language.dialect.name}; there are "
            f"[{', '.join(known)}]." + did_you_mean(name, list(known)),
            "UNSUPPORTED_TYPED_LITERAL",
        )
    try:
        return make(value, time_zone)
    except ValidationException as error:
        raise Misread(written.position, error.in_sql, "INVALID_TYPED_LITERAL") from None


def spell_typed(written: s.TypedText, language: Language) -> str:
    """Return a typed literal in normalised form, for messages and names."""
    return f"{written.type_name.upper()} '{_text(written, language).strip()}'"


def _text(written: s.TypedText, language: Language) -> str:
    return "".join(text_of(token, language) for token in written.tokens)


# --- what hangs on the moment ----------------------------------------------------------------------------------------


def moment_of_reading(written: s.TypedText, language: Language) -> tuple[Expression, LogicalType] | None:
    """Return the expression and type of a typed literal that depends on the time of reading, else None.

    Spark computes DATE 'today' when it reads the text, for a view at each use of the view. It is built as
    CURRENT_DATE.
    """
    kind = language.literals.moments.get(written.type_name.upper())
    if kind is None:
        return None
    text = _text(written, language).strip()
    if kind is t.TIMESTAMP_LTZ and is_time_of_today(text):
        # The cast reads the string in the same way, at run time.
        return UnresolvedCall(CAST, (literal(text), TypeLiteral(kind))), kind
    word = special_word(text)
    if word is None or word == "epoch":
        return None
    from ir.functions.dates import DATE_ADD, DATE_SUB
    from ir.functions.temporal import CURRENT_DATE, CURRENT_TIMESTAMP, LOCAL_TIMESTAMP

    if word == "now" and kind is not t.DATE:
        return UnresolvedCall(CURRENT_TIMESTAMP if kind is t.TIMESTAMP_LTZ else LOCAL_TIMESTAMP, ()), kind
    day: Expression = UnresolvedCall(CURRENT_DATE, ())
    if word in ("tomorrow", "yesterday"):
        day = UnresolvedCall(DATE_ADD if word == "tomorrow" else DATE_SUB, (day, literal(1)))
    return (day if kind is t.DATE else UnresolvedCall(CAST, (day, TypeLiteral(kind)))), kind
