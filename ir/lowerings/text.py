"""Lowering of string functions that Spark lacks.

``SPLIT_INDEX(s, ',', 1)`` becomes the second element of SPLIT by the quoted separator, where an empty string has no
elements. ``FROM_BASE64(s)`` becomes ``UNBASE64`` cast to a string.
"""

from __future__ import annotations

from ir import calls
from ir import types as t
from ir.call_expressions import Call
from ir.errors import ValidationException
from ir.expressions import ResolvedExpression, TypeLiteral, ValueLiteral
from ir.functions.arithmetic import PLUS
from ir.functions.collection import AT
from ir.functions.comparison import EQUALS, GREATER_THAN_OR_EQUAL
from ir.functions.conversion import CAST
from ir.functions.logic import CASE
from ir.functions.string import CONCAT, REPLACE, SPLIT, SPLIT_INDEX
from ir.functions.text_encoding import FROM_BASE64, UNBASE64
from ir.literals import literal
from ir.lowerings.lowering import Lowering

_BEGIN, _END = "\\Q", "\\E"
# An end of quotation inside the separator ends the quotation, is escaped itself, and a new quotation begins.
_INNER_END = "\\E\\\\E\\Q"
_UNTYPED_NULL = ValueLiteral(None, t.NULL)

# --- SPLIT_INDEX -----------------------------------------------------------------------------------------------------


def _quote(separator: ResolvedExpression) -> ResolvedExpression:
    if isinstance(separator, ValueLiteral) and isinstance(separator.value, str):
        return literal(_BEGIN + separator.value.replace(_END, _INNER_END) + _END)
    inner = calls.call(REPLACE, (separator, literal(_END), literal(_INNER_END)))
    return calls.call(CONCAT, (literal(_BEGIN), inner, literal(_END)))


def _unquote(pattern: ResolvedExpression) -> ResolvedExpression | None:
    if isinstance(pattern, ValueLiteral) and isinstance(pattern.value, str):
        inner = pattern.value.removeprefix(_BEGIN).removesuffix(_END)
        return literal(inner.replace(_INNER_END, _END))
    if isinstance(pattern, Call) and pattern.function is CONCAT and len(pattern.arguments) == 3:
        replaced = pattern.arguments[1]
        return replaced.arguments[0] if isinstance(replaced, Call) and replaced.function is REPLACE else None
    return None


def _place(index: ResolvedExpression) -> ResolvedExpression:
    number = index.value if isinstance(index, ValueLiteral) else None
    if isinstance(number, int) and 0 <= number < (1 << 31) - 1:
        return literal(number + 1)
    following = calls.call(PLUS, (index, literal(1)))
    return calls.call(CASE, (calls.call(GREATER_THAN_OR_EQUAL, (index, literal(0))), following))


def _index(place: ResolvedExpression) -> ResolvedExpression | None:
    if isinstance(place, ValueLiteral):
        return literal(place.value - 1) if isinstance(place.value, int) else None
    if isinstance(place, Call) and place.function is CASE and len(place.arguments) == 2:
        condition = place.arguments[0]
        return condition.arguments[0] if isinstance(condition, Call) and condition.arguments else None
    return None


def _lower_split_index(split_index: Call) -> ResolvedExpression:
    text, separator, index = split_index.arguments
    is_empty = calls.call(EQUALS, (text, literal("")))
    parts = calls.call(SPLIT, (calls.call(CASE, (is_empty, _UNTYPED_NULL, text)), _quote(separator)))
    return Call(AT, (parts, _place(index)), t.STRING)


def _raise_split_index(at: Call) -> ResolvedExpression | None:
    parts, place = at.arguments
    if not isinstance(parts, Call) or parts.function is not SPLIT or len(parts.arguments) != 2:
        return None
    given, pattern = parts.arguments
    if not isinstance(given, Call) or given.function is not CASE or len(given.arguments) != 3:
        return None
    separator, index = _unquote(pattern), _index(place)
    if separator is None or index is None:
        return None
    try:
        found = calls.call(SPLIT_INDEX, (given.arguments[2], separator, index))
    except ValidationException:
        return None
    return found if isinstance(found, Call) and _lower_split_index(found) is at else None


# --- FROM_BASE64 -----------------------------------------------------------------------------------------------------


def _lower_from_base64(from_base64: Call) -> ResolvedExpression:
    decoded = calls.call(UNBASE64, from_base64.arguments)
    return Call(CAST, (decoded, TypeLiteral(t.STRING)), from_base64.type_)


def _raise_from_base64(cast: Call) -> ResolvedExpression | None:
    decoded = cast.arguments[0]
    if (
        not isinstance(decoded, Call)
        or decoded.function is not UNBASE64
        or cast.type_ not in (t.STRING, t.STRING.not_null())
    ):
        return None
    found = calls.call(FROM_BASE64, decoded.arguments)
    return found if isinstance(found, Call) and _lower_from_base64(found) is cast else None


LOWERINGS = (
    Lowering(SPLIT_INDEX, AT, _lower_split_index, _raise_split_index),
    Lowering(FROM_BASE64, CAST, _lower_from_base64, _raise_from_base64),
)
