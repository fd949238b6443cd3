"""Functions of text as Flink's SQL must write them."""

from __future__ import annotations

from ir import types as t
from ir.expressions import (
    Call,
    ResolvedExpression,
    ValueLiteral,
)
from ir.flink.arguments import (
    Forms,
    constant_integer,
    refuse_bytes,
    refused,
    with_casts,
)
from ir.flink.casts import NoForm, integer
from ir.functions import arithmetic as ar
from ir.functions import flink, string
from ir.functions.comparison import ILIKE, RLIKE


def _concat(part: Call) -> ResolvedExpression:
    if isinstance(part.data_type, t.ArrayType):
        part = with_casts(part)
        return Call(flink.ARRAY_CONCAT, part.arguments, part.type_)
    refuse_bytes(part, "CONCAT joins text only")
    return with_casts(part)


def _char_length(part: Call) -> ResolvedExpression:
    refuse_bytes(part, "CHAR_LENGTH counts the characters of text only")
    return with_casts(part)


def _negative(value: ResolvedExpression) -> ResolvedExpression:
    return Call(ar.MINUS_PREFIX, (value,), value.data_type)


def _greater(left: ResolvedExpression, right: ResolvedExpression) -> ResolvedExpression:
    nullable = left.data_type.nullable or right.data_type.nullable
    return Call(flink.GREATEST, (left, right), t.INT.with_nullability(nullable))


def _substring(part: Call) -> ResolvedExpression:
    refuse_bytes(part, "SUBSTRING takes parts of text only")
    part = with_casts(part)
    text, start, *length = part.arguments
    if length and isinstance(length[0], ValueLiteral) and length[0].is_null:
        raise NoForm("a length that is NULL is one of any type there")
    first, count = constant_integer(start), constant_integer(length[0]) if length else None
    if first is None or first < 0:
        # Before the beginning, Flink finds nothing; Spark begins there and counts what is missing.
        size = Call(string.CHAR_LENGTH, (text,), t.INT.with_nullability(text.data_type.nullable))
        begin = _greater(start, _negative(size))
        if length:
            missing = Call(ar.MINUS, (begin, start), begin.data_type)
            length = [_greater(Call(ar.MINUS, (length[0], missing), begin.data_type), integer(0))]
        start = begin
    elif length and (count is None or count < 0):
        # Of a negative length, Flink's result is NULL, Spark's is empty.
        length = [_greater(length[0], integer(0))]
    return Call(part.function, (text, start, *length), part.type_)


def _overlay(part: Call) -> ResolvedExpression:
    refuse_bytes(part, "OVERLAY changes text only")
    return with_casts(part)


FORMS: Forms = {
    **dict.fromkeys((ILIKE, RLIKE), refused("it has no {name}")),
    string.CONCAT: _concat,
    string.CHAR_LENGTH: _char_length,
    **dict.fromkeys((string.SUBSTRING, string.SUBSTR), _substring),
    string.OVERLAY: _overlay,
}
