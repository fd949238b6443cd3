"""Functions of strings."""

from __future__ import annotations

from ir import types as t
from ir.casts import can_cast, implicit_cast, least_common_type
from ir.dialects.syntax import OwnSyntax, special, syntax
from ir.expressions import ResolvedExpression, SymbolLiteral, TypeLiteral, ValueLiteral
from ir.functions import constant_values
from ir.functions.builder import as_function, as_method, as_property, scalar
from ir.functions.conversion import CAST
from ir.functions.definition import CollationRules, Construct, FunctionDefinition, Shown
from ir.inference import CallContext
from ir.inference.arguments import (
    BINARY,
    CHARACTER_OR_BYTES,
    INTEGER,
    STRING,
    Implicit,
    Where,
    matchable_string,
    pattern,
    searchable_string,
    symbol,
)
from ir.inference.inputs import Alike, AnyOf, Computed, Positional, cast_to, positional
from ir.inference.results import (
    Argument,
    CollatedAs,
    Nullable,
    NullableIfArguments,
    maybe_null,
    nullable_if_arguments,
    text_if_arguments,
)
from ir.inference.results import Computed as ComputedResult
from ir.light_typing import TYPE_CHECKING
from ir.literals import literal
from ir.types import LogicalType

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ir.functions.entries import Facts

_TEXT = text_if_arguments()

UPPER = scalar(
    "upper",
    positional(STRING, names="text"),
    _TEXT,
    sql="UPPER",
    also=("UCASE", "UPPERCASE"),
    fluent=as_property("upper_case"),
    doc="The text in upper case.",
    example=("UPPER('straße')", "'STRASSE'"),
    folding=constant_values.UPPER_CASE,
)
LOWER = scalar(
    "lower",
    positional(STRING, names="text"),
    _TEXT,
    sql="LOWER",
    also=("LCASE", "LOWERCASE"),
    fluent=as_property("lower_case"),
    doc="The text in lower case.",
    example=("LOWER('ABC')", "'abc'"),
    folding=constant_values.LOWER_CASE,
)
INIT_CAP = scalar(
    "initCap",
    positional(STRING, names="text"),
    _TEXT,
    sql="INITCAP",
    in_flink=False,
    difference="In Flink, any character but a letter or digit ends a word, and only ASCII letters change.",
    fluent=as_property("init_cap"),
    doc="The text with the first letter of each word in upper case and all other letters in lower case; words are "
    "separated by spaces.",
    example=("INITCAP('sPark sql')", "'Spark Sql'"),
)
CHAR_LENGTH = scalar(
    "charLength",
    positional(CHARACTER_OR_BYTES, names="text"),
    nullable_if_arguments(t.INT),
    sql="CHAR_LENGTH",
    also=("CHARACTER_LENGTH", "LENGTH", "LEN"),
    fluent=as_property("char_length"),
    doc="The number of characters of a string, or of bytes of a byte string.",
    example=("CHAR_LENGTH('日本')", "2"),
    folding=constant_values.LENGTH,
)


def _concat_types(context: CallContext) -> tuple[LogicalType, ...] | None:
    types = context.argument_types
    if all(isinstance(given, t.BytesType) for given in types):
        return types
    if all(isinstance(given, t.ArrayType) for given in types):
        common = least_common_type(types)
        return None if common is None else tuple([cast_to(given, common) for given in types])
    texts = [implicit_cast(given, t.STRING) if can_cast(given, t.STRING) else None for given in types]
    return None if None in texts else tuple([text for text in texts if text is not None])


_JOINED = NullableIfArguments(Argument(0))


def _concat_result(context: CallContext) -> LogicalType | None:
    return _JOINED.infer(context) if len(context) else t.STRING.not_null()


def _canonicalize_empty(arguments: tuple[ResolvedExpression, ...], call: Construct) -> ResolvedExpression | None:
    return None if arguments else literal("")


CONCAT = scalar(
    "concat",
    Computed(0, None, "STRING", _concat_types, ("<STRING>...", "<BYTES>...", "<ARRAY>...")),
    ComputedResult(_concat_result),
    sql="CONCAT",
    canonical=_canonicalize_empty,
    fluent=as_method("concat", "other"),
    doc="The concatenation of strings, byte strings or arrays; NULL if one of them is NULL.",
    example=("CONCAT('a', 'b')", "'ab'"),
    folding=constant_values.CONCATENATION,
    collating=CollationRules(are_texts=True),
)


CONCAT_WS = scalar(
    "concat_ws",
    Positional(
        (STRING,), rest=Implicit("ARRAY<STRING> or STRING", (t.ArrayType(t.STRING), t.STRING)), names=("separator",)
    ),
    CollatedAs(0, ComputedResult(lambda c: t.STRING.with_nullability(c.argument_types[0].nullable))),
    sql="CONCAT_WS",
    fluent=as_function("concat_ws", "separator first *others"),
    doc="The strings and the elements of the arrays, joined by separator; NULL is skipped.",
    example=("CONCAT_WS(', ', 'a', NULL, ARRAY('b', 'c'))", "'a, b, c'"),
    folding=constant_values.JOINING,
    collating=CollationRules(are_texts=True),
)
ELT = scalar(
    "ELT",
    AnyOf(tuple([Positional((INTEGER, kind), rest=kind, names=("index", "option")) for kind in (BINARY, STRING)])),
    Nullable(Argument(1)),
    sql="ELT",
    difference="Flink returns NULL if there is no such position.",
    fluent=as_method("elt", "expr *exprs"),
    doc="The option at position index, counted from 1; an error if there is none.",
    example=("ELT(2, 'a', 'b')", "'b'"),
    collating=CollationRules(are_texts=True),
)
POSITION = scalar(
    "position",
    positional(searchable_string(), searchable_string(), names="needle haystack"),
    nullable_if_arguments(t.INT),
    sql="POSITION",
    syntax=syntax("POSITION({0} IN {1})"),
    fluent=as_method("position", "haystack"),
    doc="The position of the first occurrence of needle in haystack, counted from 1; 0 if there is none.",
    example=("POSITION('b' IN 'abc')", "2"),
    collating=CollationRules(are_texts=True),
    shown=Shown(defaults=(None, None, "1")),
    read_as=OwnSyntax.POSITION,
    takes_from=True,
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
    doc="The text with length characters from position start on replaced by replacement; by default as many as "
    "replacement has.",
    example=("OVERLAY('abcdef' PLACING 'ZZ' FROM 2 FOR 3)", "'aZZef'"),
    collating=CollationRules(are_texts=True),
    shown=Shown(defaults=(None, None, None, "-1")),
    read_as=OwnSyntax.OVERLAY,
    takes_from=True,
)
TRIM = scalar(
    "trim",
    positional(
        symbol("BOTH", "LEADING", "TRAILING"),
        searchable_string(),
        searchable_string(),
        optional=1,
        names="side text characters",
    ),
    CollatedAs(1, ComputedResult(lambda c: t.STRING.with_nullability(any(g.nullable for g in c.argument_types[1:])))),
    sql="TRIM",
    syntax=special(OwnSyntax.TRIM),
    doc="The text without the given characters, by default spaces, at its beginning, its end or both.",
    example=("TRIM(BOTH 'x' FROM 'xxaxx')", "'a'"),
    folding=constant_values.TRIMMING,
    collating=CollationRules(are_texts=True),
    read_as=OwnSyntax.TRIM,
    takes_from=True,
)


def _define_trim(
    name: str, side: str, where: str, text_first: bool = False, **facts: Unpack[Facts]
) -> FunctionDefinition:
    """Define a variant of TRIM; a call becomes a call of TRIM."""

    def canonical(arguments: tuple[ResolvedExpression, ...], call: Construct) -> ResolvedExpression:
        ordered = arguments if text_first else arguments[::-1]
        return call(TRIM, (SymbolLiteral(side), *ordered))

    one = positional(STRING, names="text")
    two = positional(STRING, STRING, names="text characters" if text_first else "characters text")
    return scalar(
        name.lower(),
        AnyOf((one, two)),
        _TEXT,
        sql=name,
        canonical=canonical,
        doc=f"The text without the given characters, by default spaces, {where}: TRIM({side} …).",
        example=(f"{name}('  a')" if side == "LEADING" else f"{name}('a  ')", "'a'"),
        **facts,
    )


LTRIM = _define_trim("LTRIM", "LEADING", "at its beginning", read_as=OwnSyntax.LTRIM)
RTRIM = _define_trim("RTRIM", "TRAILING", "at its end", read_as=OwnSyntax.RTRIM)
BTRIM = _define_trim("BTRIM", "BOTH", "at both ends", text_first=True, shown=Shown(as_written=True))
_PART = positional(CHARACTER_OR_BYTES, INTEGER, INTEGER, optional=1, names="text start length")
SUBSTRING = scalar(
    "substring",
    _PART,
    NullableIfArguments(Argument(0)),
    sql="SUBSTRING",
    syntax=syntax("SUBSTRING({0} FROM {1}[ FOR {2}])"),
    fluent=as_method("substring", "begin_index length?"),
    doc="The part of text from position start on, with at most length characters; start counts from 1 or, if negative, "
    "from the end.",
    example=("SUBSTRING('abcdef' FROM 2 FOR 3)", "'bcd'"),
    folding=constant_values.SUBSTRING,
    shown=Shown(defaults=(None, None, "2147483647")),
    read_as=OwnSyntax.SUBSTRING,
    takes_from=True,
)
SUBSTR = scalar(
    "substr",
    _PART,
    NullableIfArguments(Argument(0)),
    sql="SUBSTR",
    fluent=as_method("substr", "begin_index length?"),
    doc="The part of text from position start on, with at most length characters; start counts from 1 or, if negative, "
    "from the end.",
    example=("SUBSTR('abcdef', 2, 3)", "'bcd'"),
    shown=Shown(defaults=(None, None, "2147483647")),
    read_as=OwnSyntax.SUBSTRING,
    takes_from=True,
)
LEFT = scalar(
    "left",
    positional(CHARACTER_OR_BYTES, INTEGER, names="text length"),
    NullableIfArguments(Argument(0)),
    sql="LEFT",
    fluent=as_method("left", "length"),
    doc="The first length characters of text; empty if length is not positive.",
    example=("LEFT('abc', 2)", "'ab'"),
    folding=constant_values.LEFT_PART,
)
RIGHT = scalar(
    "right",
    positional(STRING, INTEGER, names="text length"),
    CollatedAs(0, maybe_null(t.STRING)),
    sql="RIGHT",
    fluent=as_method("right", "length"),
    doc="The last length characters of text; empty if length is not positive.",
    example=("RIGHT('abc', 2)", "'bc'"),
    folding=constant_values.RIGHT_PART,
)
SUBSTRING_INDEX = scalar(
    "substring_index",
    positional(searchable_string(), searchable_string(), INTEGER, names="text delimiter count"),
    _TEXT,
    sql="SUBSTRING_INDEX",
    doc="The part of text before the delimiter with number count or, if count is negative, after that delimiter "
    "counted from the end.",
    example=("SUBSTRING_INDEX('www.apache.org', '.', 2)", "'www.apache'"),
    in_flink=False,
    collating=CollationRules(are_texts=True),
)


def _part(context: CallContext) -> LogicalType | None:
    """Return the type of a part, None for a constant outside the range of INT, which fails in Spark's planner."""
    number = context.literal_value(2)
    return None if isinstance(number, int) and not -(1 << 31) <= number < 1 << 31 else t.STRING


SPLIT_PART = scalar(
    "split_part",
    positional(searchable_string(), searchable_string(), INTEGER, names="text delimiter part"),
    CollatedAs(0, ComputedResult(_part)),
    sql="SPLIT_PART",
    doc="The part of text with the given number, when text is split at delimiter; part counts from 1 or, if negative, "
    "from the end. Empty if there is none.",
    example=("SPLIT_PART('11.12.13', '.', 3)", "'13'"),
    in_flink=False,
    collating=CollationRules(are_texts=True),
)
SPLIT = scalar(
    "SPLIT",
    positional(matchable_string(), pattern(), INTEGER, optional=1, names="text pattern limit"),
    text_if_arguments(shape=t.ArrayType(t.STRING.not_null())),
    sql="SPLIT",
    in_flink=False,
    difference="Flink splits at a delimiter instead of a regular expression, and splits an empty string into no parts.",
    fluent=as_method("split", "delimiter"),
    doc="The parts of text between matches of the regular expression pattern, at most limit if limit is positive.",
    example=("SPLIT('oneAtwoBthree', '[AB]')", "['one', 'two', 'three']"),
    shown=Shown(defaults=(None, None, "-1")),
)


def _cast_arguments(arguments: tuple[ResolvedExpression, ...], call: Construct) -> ResolvedExpression | None:
    """Cast the string and the index explicitly, because the lowered form would cast them to other types."""
    text, separator, index = arguments
    casted = (
        text if isinstance(text.data_type, t.CharacterType) else call(CAST, (text, TypeLiteral(t.STRING))),
        separator,
        index if isinstance(index.data_type, t.IntType) else call(CAST, (index, TypeLiteral(t.INT))),
    )
    return None if casted == arguments else call(SPLIT_INDEX, casted)


SPLIT_INDEX = scalar(
    "splitIndex",
    positional(
        STRING,
        Where(
            STRING,
            lambda given: not isinstance(given, ValueLiteral) or given.value != "",
            "STRING, which is not empty",
        ),
        INTEGER,
        names="text separator index",
    ),
    CollatedAs(0, maybe_null(t.STRING)),
    sql="SPLIT_INDEX",
    fluent=as_method("split_index", "separator index"),
    canonical=_cast_arguments,
    doc="The part of text at index, counted from 0, when text is split at separator; NULL if there is none.",
    example=("SPLIT_INDEX('a,b', ',', 1)", "'b'"),
    in_spark=False,
)
REPEAT = scalar(
    "repeat",
    positional(STRING, INTEGER, names="text times"),
    _TEXT,
    sql="REPEAT",
    fluent=as_method("repeat", "n"),
    doc="The concatenation of the given number of copies of text.",
    example=("REPEAT('ab', 2)", "'abab'"),
    folding=constant_values.REPETITION,
)
REPLACE = scalar(
    "replace",
    positional(
        searchable_string(), searchable_string(), searchable_string(), optional=1, names="text search replacement"
    ),
    _TEXT,
    sql="REPLACE",
    difference="In Flink, an empty search occurs before and after every character; in Spark, nowhere.",
    fluent=as_method("replace", "search replacement?"),
    doc="The text with every occurrence of search replaced by replacement, or removed without replacement.",
    example=("REPLACE('ABCabc', 'abc', 'DEF')", "'ABCDEF'"),
    folding=constant_values.REPLACEMENT,
    collating=CollationRules(are_texts=True, expected=3),
    shown=Shown(defaults=(None, None, "")),
)
SPACE = scalar(
    "space",
    positional(INTEGER, names="length"),
    nullable_if_arguments(t.STRING),
    sql="SPACE",
    doc="A string of length spaces.",
    example=("CONCAT(SPACE(2), '1')", "'  1'"),
    in_flink=False,
)
TRANSLATE = scalar(
    "TRANSLATE3",
    positional(searchable_string(), searchable_string(), searchable_string(), names="text from to"),
    _TEXT,
    sql="TRANSLATE",
    difference="Flink treats NULL in from or to as an empty string; Spark's result is NULL.",
    fluent=as_method("translate", "from_str to_str"),
    doc="The text in which each character of from is replaced by the character of to at the same position, or removed "
    "if there is none.",
    example=("TRANSLATE('AaBbCc', 'abc', '123')", "'A1B2C3'"),
    collating=CollationRules(are_texts=True),
)


def _define_padding(name: str, side: str, example: tuple[str, str], **facts: Unpack[Facts]) -> FunctionDefinition:
    return scalar(
        name,
        AnyOf(
            tuple([positional(k, INTEGER, k, optional=1, names="text length pad") for k in (BINARY, STRING)]),
        ),
        NullableIfArguments(Argument(0)),
        sql=name.upper(),
        fluent=as_method(name, "length pad?"),
        doc=f"The text padded on the {side} with pad, or truncated, to length; pad is by default a space (BYTES: 0).",
        example=example,
        **facts,
    )


LPAD = _define_padding(
    "lpad",
    "left",
    ("LPAD('hi', 5, '?')", "'???hi'"),
    collating=CollationRules(are_texts=True, expected=3),
    shown=Shown(defaults=(None, None, " "), collates_defaults=True),
)
RPAD = _define_padding(
    "rpad",
    "right",
    ("RPAD('hi', 5, '?')", "'hi???'"),
    collating=CollationRules(are_texts=True, expected=3),
    shown=Shown(defaults=(None, None, " "), collates_defaults=True),
)
