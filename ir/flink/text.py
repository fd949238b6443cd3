"""Rewriting of string functions to Flink's SQL."""

from __future__ import annotations

from ir import types as t
from ir.call_expressions import Call
from ir.expressions import ResolvedExpression, ValueLiteral
from ir.flink.arguments import (
    Forms,
    add_casts,
    constant_integer,
    refuse_bytes,
    reject,
)
from ir.flink.casts import NoForm, integer
from ir.functions import arithmetic as ar
from ir.functions import flink, formatting, regexp, string, text_encoding, text_search
from ir.functions.comparison import ILIKE, RLIKE


def _concat(part: Call) -> ResolvedExpression:
    if isinstance(part.data_type, t.ArrayType):
        part = add_casts(part)
        return Call(flink.ARRAY_CONCAT, part.arguments, part.type_)
    refuse_bytes(part, "CONCAT joins text only")
    return add_casts(part)


def _char_length(part: Call) -> ResolvedExpression:
    refuse_bytes(part, "CHAR_LENGTH counts the characters of text only")
    return add_casts(part)


def _negative(value: ResolvedExpression) -> ResolvedExpression:
    return Call(ar.MINUS_PREFIX, (value,), value.data_type)


def _greater(left: ResolvedExpression, right: ResolvedExpression) -> ResolvedExpression:
    nullable = left.data_type.nullable or right.data_type.nullable
    return Call(flink.GREATEST, (left, right), t.INT.with_nullability(nullable))


def _substring(part: Call) -> ResolvedExpression:
    refuse_bytes(part, "SUBSTRING takes parts of text only")
    part = add_casts(part)
    text, start, *length = part.arguments
    if length and isinstance(length[0], ValueLiteral) and length[0].is_null:
        raise NoForm("a length that is NULL is one of any type there")
    first, count = constant_integer(start), constant_integer(length[0]) if length else None
    if first is None or first < 0:
        # For a start before the string, Flink returns an empty string; Spark starts there and counts the missing
        # characters.
        size = Call(string.CHAR_LENGTH, (text,), t.INT.with_nullability(text.data_type.nullable))
        begin = _greater(start, _negative(size))
        if length:
            missing = Call(ar.MINUS, (begin, start), begin.data_type)
            length = [_greater(Call(ar.MINUS, (length[0], missing), begin.data_type), integer(0))]
        start = begin
    elif length and (count is None or count < 0):
        # For a negative length, Flink returns NULL, Spark an empty string.
        length = [_greater(length[0], integer(0))]
    return Call(part.function, (text, start, *length), part.type_)


def _overlay(part: Call) -> ResolvedExpression:
    refuse_bytes(part, "OVERLAY changes text only")
    return add_casts(part)


def _constant(value: ResolvedExpression) -> str | None:
    """Return the value of a string constant, None for any other expression."""
    return value.value if isinstance(value, ValueLiteral) and isinstance(value.value, str) else None


def _rlike(part: Call) -> ResolvedExpression:
    if not _constant(part.arguments[1]):
        raise NoForm("an empty pattern matches nothing there, so that the pattern must be a constant that is not empty")
    return add_casts(part)


def _replace(part: Call) -> ResolvedExpression:
    if len(part.arguments) == 2:
        raise NoForm("a replacement is always given there")
    if not _constant(part.arguments[1]):
        raise NoForm("an empty text is found everywhere there, so that it must be a constant that is not empty")
    return add_casts(part)


def _translate(part: Call) -> ResolvedExpression:
    if any(argument.data_type.nullable for argument in part.arguments[1:]):
        raise NoForm("characters that are NULL are none there, so that they must be NOT NULL")
    return add_casts(part)


def _rewrite_padding(part: Call) -> ResolvedExpression:
    refuse_bytes(part, f"{part.function.sql_name} fills up text only")
    if len(part.arguments) == 2:
        raise NoForm("what is filled up with is always given there")
    length = constant_integer(part.arguments[1])
    if length is None or length < 0 or not _constant(part.arguments[2]):
        raise NoForm(
            "the result is NULL there where the length is negative or what is filled up with is empty, so that both "
            "must be constants"
        )
    return add_casts(part)


def _locate(part: Call) -> ResolvedExpression:
    if len(part.arguments) == 3 and (constant_integer(part.arguments[2]) or 0) < 1:
        raise NoForm("a start that is not positive, or is NULL, means another there, so that it must be a constant")
    return add_casts(part)


def _concat_ws(part: Call) -> ResolvedExpression:
    types = [argument.data_type for argument in part.arguments]
    if any(isinstance(given, t.ArrayType) for given in types):
        raise NoForm("CONCAT_WS joins no arrays")
    if any(isinstance(given, t.NullType) for given in types):
        raise NoForm("a NULL without a type has no place in it there; give it one with null_of")
    return add_casts(part)


def _elt(part: Call) -> ResolvedExpression:
    index = constant_integer(part.arguments[0])
    if index is not None and index < 1:
        raise NoForm("there is no option before the first")
    return add_casts(part)


def _regexp_replace(part: Call) -> ResolvedExpression:
    replacement = _constant(part.arguments[2])
    if replacement is None or "$" in replacement or "\\" in replacement:
        raise NoForm("$ and a backslash mean themselves in a replacement there, so that it must be a constant without")
    return _limit_arguments(part, 3)


def _limit_arguments(part: Call, count: int) -> ResolvedExpression:
    if len(part.arguments) > count:
        raise NoForm("it takes no further argument there")
    return add_casts(part)


def _regexp_instr(part: Call) -> ResolvedExpression:
    return _limit_arguments(part, 2)


def _regexp_extract_all(part: Call) -> ResolvedExpression:
    if constant_integer(part.arguments[-1]) != 0:
        raise NoForm("a group that takes no part in a match is NULL there, and empty in Spark")
    return add_casts(part)


_FORMATTED = (t.CharacterType, t.IntegralType, t.DoubleType, t.FloatType, t.BooleanType)


def _format_string(part: Call) -> ResolvedExpression:
    if not all(isinstance(argument.data_type, _FORMATTED) for argument in part.arguments):
        raise NoForm("only text, numbers and truth values are written alike there; cast the others to text")
    return add_casts(part)


def _base64(part: Call) -> ResolvedExpression:
    if not isinstance(part.arguments[0].data_type, t.CharacterType):
        raise NoForm("TO_BASE64 takes text only there")
    return part


FORMS: Forms = {
    ILIKE: reject("it has no {name}"),
    RLIKE: _rlike,
    string.REPLACE: _replace,
    string.TRANSLATE: _translate,
    **dict.fromkeys((string.LPAD, string.RPAD), _rewrite_padding),
    string.CONCAT_WS: _concat_ws,
    string.ELT: _elt,
    text_search.LOCATE: _locate,
    regexp.REGEXP_REPLACE: _regexp_replace,
    regexp.REGEXP_INSTR: _regexp_instr,
    regexp.REGEXP_EXTRACT_ALL: _regexp_extract_all,
    formatting.FORMAT_STRING: _format_string,
    text_encoding.BASE64: _base64,
    string.CONCAT: _concat,
    string.CHAR_LENGTH: _char_length,
    **dict.fromkeys((string.SUBSTRING, string.SUBSTR), _substring),
    string.OVERLAY: _overlay,
}
