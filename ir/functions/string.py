"""Functions of text."""

from __future__ import annotations

from ir import types as t
from ir.casts import implicit_cast, least_common_type
from ir.dialects.syntax import special, syntax
from ir.functions.builder import as_method, as_property, scalar
from ir.inference import CallContext
from ir.inference.arguments import CHARACTER_OR_BYTES, INTEGER, STRING, Alike, Computed, cast_to, positional, symbol
from ir.inference.results import Argument, NullableIfArguments, nullable_if_arguments
from ir.inference.results import Computed as ComputedResult
from ir.types import LogicalType

_TEXT = nullable_if_arguments(t.STRING)

UPPER = scalar(
    "upper",
    positional(STRING, names="text"),
    _TEXT,
    sql="UPPER",
    fluent=as_property("upper_case"),
    doc="The text in upper case.",
    example=("UPPER('straße')", "'STRASSE'"),
)
LOWER = scalar(
    "lower",
    positional(STRING, names="text"),
    _TEXT,
    sql="LOWER",
    fluent=as_property("lower_case"),
    doc="The text in lower case.",
    example=("LOWER('ABC')", "'abc'"),
)
CHAR_LENGTH = scalar(
    "charLength",
    positional(CHARACTER_OR_BYTES, names="text"),
    nullable_if_arguments(t.INT),
    sql="CHAR_LENGTH",
    fluent=as_property("char_length"),
    doc="The number of characters of a text, or of bytes.",
    example=("CHAR_LENGTH('日本')", "2"),
)


def _concat_types(context: CallContext) -> tuple[LogicalType, ...] | None:
    types = context.argument_types
    if all(isinstance(given, t.BytesType) for given in types):
        return types
    if all(isinstance(given, t.ArrayType) for given in types):
        common = least_common_type(types)
        return None if common is None else tuple([cast_to(given, common) for given in types])
    texts = [implicit_cast(given, t.STRING) for given in types]
    return None if None in texts else tuple([text for text in texts if text is not None])


CONCAT = scalar(
    "concat",
    Computed(1, None, "STRING", _concat_types, ("<STRING>...", "<BYTES>...", "<ARRAY>...")),
    NullableIfArguments(Argument(0)),
    sql="CONCAT",
    fluent=as_method("concat", "other"),
    doc="The texts, byte strings or arrays one after the other; NULL where one of them is NULL.",
    example=("CONCAT('a', 'b')", "'ab'"),
)
POSITION = scalar(
    "position",
    positional(STRING, STRING, names="needle haystack"),
    nullable_if_arguments(t.INT),
    sql="POSITION",
    syntax=syntax("POSITION({0} IN {1})"),
    fluent=as_method("position", "haystack"),
    doc="Where the first text first occurs in the second, counted from 1; 0 where it does not.",
    example=("POSITION('b' IN 'abc')", "2"),
)


OVERLAY = scalar(
    "overlay",
    Alike(
        positional(
            CHARACTER_OR_BYTES, CHARACTER_OR_BYTES, INTEGER, INTEGER, optional=1, names="text replacement start length"
        ),
        (0, 1),
    ),
    NullableIfArguments(Argument(0)),
    sql="OVERLAY",
    syntax=syntax("OVERLAY({0} PLACING {1} FROM {2}[ FOR {3}])"),
    fluent=as_method("overlay", "new_string starting length?"),
    doc="The text with the part that begins at a position, and is as long as the replacement or as given, replaced.",
    example=("OVERLAY('abcdef' PLACING 'ZZ' FROM 2 FOR 3)", "'aZZef'"),
)
TRIM = scalar(
    "trim",
    positional(symbol("BOTH", "LEADING", "TRAILING"), STRING, STRING, optional=1, names="side text characters"),
    ComputedResult(lambda c: t.STRING.with_nullability(any(given.nullable for given in c.argument_types[1:]))),
    sql="TRIM",
    syntax=special("trim"),
    doc="The text without blanks, or without the given characters, at its ends or at one of them.",
    example=("TRIM(BOTH 'x' FROM 'xxaxx')", "'a'"),
)
_PART = positional(CHARACTER_OR_BYTES, INTEGER, INTEGER, optional=1, names="text start length")
SUBSTRING = scalar(
    "substring",
    _PART,
    NullableIfArguments(Argument(0)),
    sql="SUBSTRING",
    syntax=syntax("SUBSTRING({0} FROM {1}[ FOR {2}])"),
    fluent=as_method("substring", "begin_index length?"),
    doc="The part of a text from a position on, counted from 1 or, where negative, from the end.",
    example=("SUBSTRING('abcdef' FROM 2 FOR 3)", "'bcd'"),
)
SUBSTR = scalar(
    "substr",
    _PART,
    NullableIfArguments(Argument(0)),
    sql="SUBSTR",
    fluent=as_method("substr", "begin_index length?"),
    doc="The part of a text from a position on, counted from 1 or, where negative, from the end.",
    example=("SUBSTR('abcdef', 2, 3)", "'bcd'"),
)
