"""SQL/JSON functions of the standard, which Flink has and Spark lacks."""

from __future__ import annotations

from ir import calls
from ir import types as t
from ir.call_expressions import Call
from ir.casts import can_cast, has_part
from ir.dialects.syntax import OwnSyntax, predicate, special
from ir.errors import TableException
from ir.expressions import ResolvedExpression, SymbolLiteral, ValueLiteral
from ir.functions.arrays import ARRAY_JOIN
from ir.functions.builder import as_function, as_method, on_spark, scalar
from ir.functions.collection import MAP, ROW
from ir.functions.comparison import GREATER_THAN
from ir.functions.conversion import CAST
from ir.functions.definition import Construct, FunctionDefinition
from ir.functions.higher_order import TRANSFORM
from ir.functions.json_paths import can_be_followed, cut_at_wildcard, has_wildcard
from ir.functions.let_bindings import function
from ir.functions.logic import CASE
from ir.functions.numerals import HEX
from ir.functions.regexp import REGEXP_REPLACE
from ir.functions.string import CONCAT, LOWER, REPLACE, SPLIT
from ir.functions.text_encoding import ASCII, ENCODE
from ir.functions.text_formats import TO_JSON
from ir.functions.variant import PARSE_JSON, TO_VARIANT_OBJECT
from ir.inference import CallContext
from ir.inference.arguments import ANY, TEXT, TEXT_LITERAL, TYPE, Family, Literal, OneOf, Where, literal_where, symbol
from ir.inference.inputs import Paired, Positional, positional
from ir.inference.results import Computed, maybe_null, never_null, nullable_if_arguments
from ir.literals import literal
from ir.types import LogicalType


def _rows_as_objects(arguments: tuple[ResolvedExpression, ...], call: Construct) -> ResolvedExpression | None:
    """Replace a nested row by the JSON_OBJECT that it becomes, so that there is one canonical form."""

    def as_object(value: ResolvedExpression) -> ResolvedExpression:
        if isinstance(value, Call) and value.function is ROW:
            return call(JSON_OBJECT, (SymbolLiteral("NULL"), *value.arguments))
        inner = value.arguments[0] if isinstance(value, Call) and value.function is PARSE_JSON else None
        return inner if isinstance(inner, Call) and inner.function is JSON_ARRAY else value

    replaced = tuple([as_object(argument) for argument in arguments])
    return None if replaced == arguments else call(JSON_OBJECT, replaced)


def _is_nested(value: ResolvedExpression) -> bool:
    return isinstance(value.data_type, t.ArrayType | t.MapType | t.RowType)


def _can_be_json(value: ResolvedExpression) -> bool:
    if _is_nested(value):
        return not has_part(value.data_type, t.SpatialType)
    return can_cast(value.data_type, t.VARIANT)


_VALUE = Where(ANY, _can_be_json, "value that JSON can hold")

# Spark's analyzer accepts shapes, too, but Spark cannot write them.
MEMBER = Where(ANY, lambda value: not has_part(value.data_type, t.SpatialType), "ANY but shapes")
TIMES_IN_JSON = (
    "A TIMESTAMP has milliseconds here, and all its digits in Flink; Flink does not write a DATE or a TIME as JSON."
)
JSON_OBJECT = scalar(
    "JSON_OBJECT",
    Paired(TEXT_LITERAL, MEMBER, (symbol("NULL", "ABSENT"),)),
    maybe_null(t.STRING),
    sql="JSON_OBJECT",
    syntax=special(OwnSyntax.JSON_OBJECT),
    in_spark=False,
    canonical=_rows_as_objects,
    difference="A repeated key occurs twice here, and once in Flink, with its last value. " + TIMES_IN_JSON,
    doc="A JSON object of the keys and values; a value that is a call of JSON_OBJECT is nested instead of quoted.",
    example=("JSON_OBJECT(KEY 'a' VALUE 1 NULL ON NULL)", "'{\"a\":1}'"),
    read_as=OwnSyntax.JSON_OBJECT,
)


_JSON = Family("STRING", (t.CharacterType, t.NullType))
_PATH = literal_where(TEXT, lambda value: isinstance(value, str) and can_be_followed(value), "path such as '$.a[0]'")


def _is_null(value: ResolvedExpression) -> bool:
    return isinstance(value, ValueLiteral) and value.value is None


def _unwrap_variants(arguments: tuple[ResolvedExpression, ...], call: Construct) -> ResolvedExpression | None:
    """Unwrap values that became a VARIANT only to fit into an array, so that there is one canonical form."""
    symbol_, *values = arguments
    replaced = [_unwrap_variant(value) for value in values]
    keeps = all(not value.data_type.nullable for value in replaced)
    chosen = SymbolLiteral("NULL") if keeps else symbol_
    changed = (chosen, *replaced)
    return None if changed == arguments else call(JSON_ARRAY, changed)


def _unwrap_variant(value: ResolvedExpression) -> ResolvedExpression:
    if _is_null(value):
        return ValueLiteral(None, t.NULL)
    if not isinstance(value, Call) or not isinstance(value.data_type, t.VariantType):
        # Such a value enters a VARIANT as its JSON; a JSON_ARRAY or JSON_OBJECT in that JSON takes its place.
        json = calls.call(TO_JSON, (value, KEEP_NULLS)) if _is_nested(value) and not is_variant_object(value) else value
        return json if isinstance(json, Call) and json.function in (JSON_ARRAY, JSON_OBJECT) else value
    inner = value.arguments[0]
    if value.function in (CAST, TO_VARIANT_OBJECT):
        return inner
    if value.function is not PARSE_JSON or not isinstance(inner, Call):
        return value
    if inner.function is TO_JSON and inner.arguments[1:] == (KEEP_NULLS,) and not is_variant_object(inner.arguments[0]):
        return inner.arguments[0]
    return inner if inner.function in (JSON_ARRAY, JSON_OBJECT) else value


def is_variant_object(value: ResolvedExpression) -> bool:
    """Whether a row, an array or a map converts to a VARIANT object directly rather than by way of its JSON."""
    return TO_VARIANT_OBJECT.inference.inputs.infer_inputs(CallContext.of("", (value,))) is not None


JSON_ARRAY: FunctionDefinition = scalar(
    "JSON_ARRAY",
    Positional((symbol("NULL", "ABSENT"),), rest=_VALUE, names=("on_null",)),
    maybe_null(t.STRING),
    sql="JSON_ARRAY",
    syntax=special(OwnSyntax.JSON_ARRAY),
    in_spark=False,
    canonical=_unwrap_variants,
    difference="Values of different types are written as in a VARIANT: 1.50 as 1.5, a TIMESTAMP with a space before "
    "the time. Values of one type: " + TIMES_IN_JSON,
    doc="A JSON array of the values; a value that is a call of JSON_ARRAY or JSON_OBJECT is nested instead of quoted.",
    example=("JSON_ARRAY(1, 'a' NULL ON NULL)", "'[1,\"a\"]'"),
    read_as=OwnSyntax.JSON_ARRAY,
)

# --- tests -----------------------------------------------------------------------------------------------------------

_TWICE = "Flink accepts an object with a repeated key as JSON; here it is invalid."
_PATHS = (
    " With a lax path, the text null is an error in Flink; here the path finds nothing in it. Paths with filters, "
    "slices, lists of names or indexes, functions or .. are not supported."
)
_SHOWN = " Numbers are written as in a VARIANT: 1.50 as 1.5, 1e2 as 100.0."


def _is_json(kind: str, doc: str, text: str, also: tuple[str, ...] = ()) -> FunctionDefinition:
    return scalar(
        f"IS_JSON_{kind}".rstrip("_"),
        positional(_JSON, names="text"),
        never_null(t.BOOLEAN),
        sql=f"IS JSON {kind}".rstrip(),
        syntax=predicate(f"{{0}} IS JSON {kind}".rstrip()),
        in_spark=False,
        also=also,
        difference=_TWICE,
        doc=doc,
        example=(f"{text} IS JSON {kind}".rstrip(), "TRUE"),
    )


IS_JSON = _is_json("", "Whether text is valid JSON; FALSE if text is NULL.", "'[1]'", ("IS JSON VALUE",))
IS_JSON_OBJECT = _is_json("OBJECT", "Whether text is a JSON object; FALSE if text is NULL.", "'{}'")
IS_JSON_ARRAY = _is_json("ARRAY", "Whether text is a JSON array; FALSE if text is NULL.", "'[1]'")
IS_JSON_SCALAR = _is_json("SCALAR", "Whether text is a JSON scalar: a number, a string, true, false or null.", "'1'")

# --- parts at a path -------------------------------------------------------------------------------------------------


def _are_repeatable(arguments: tuple[ResolvedExpression, ...], call: Construct) -> None:
    """Reject JSON that Spark's form must not repeat.

    Non-deterministic JSON would differ between its copies. JSON that is itself extracted from JSON would double in size
    at each level.
    """
    for part in arguments[0].walk():
        if isinstance(part, Call) and (part.function in REPEATED or not part.function.is_deterministic):
            raise TableException(
                f"The JSON text is used more than once on Spark, and {part.as_summary_string()} in it cannot be. "
                "Select it under a name first."
            )


def _repeatable_unless_used_once(arguments: tuple[ResolvedExpression, ...], call: Construct) -> None:
    """Check the JSON of JSON_VALUE, unless Spark's form contains it once: with a type and the default NULL."""
    target, default = arguments[2:]
    is_alone = isinstance(default, ValueLiteral) and default.is_null
    if isinstance(target.data_type, t.StringType) or not is_alone:
        _are_repeatable(arguments, call)


def _exists_type(context: CallContext) -> LogicalType:
    return t.BOOLEAN.with_nullability(context.argument_types[0].nullable or context.symbol(2) in ("UNKNOWN", "ERROR"))


def _canonical_exists(arguments: tuple[ResolvedExpression, ...], call: Construct) -> ResolvedExpression | None:
    """Drop the part of a path after a wildcard, whose array counts as found even if it is empty."""
    _are_repeatable(arguments, call)
    text, path, otherwise = arguments
    assert isinstance(path, ValueLiteral)
    shorter = cut_at_wildcard(path.value)
    return None if shorter == path.value else call(JSON_EXISTS, (text, literal(shorter), otherwise))


JSON_EXISTS: FunctionDefinition = scalar(
    "JSON_EXISTS",
    positional(_JSON, _PATH, symbol("TRUE", "FALSE", "UNKNOWN", "ERROR"), names="text path on_error"),
    Computed(_exists_type),
    sql="JSON_EXISTS",
    syntax=special(OwnSyntax.JSON_EXISTS),
    in_spark=False,
    canonical=_canonical_exists,
    difference=_TWICE + _PATHS,
    doc="Whether path finds a value other than null in the JSON text.",
    example=("JSON_EXISTS('{\"a\": 1}', '$.a')", "TRUE"),
    read_as=OwnSyntax.JSON_EXISTS,
)


VALUE_TYPES = (t.StringType, t.BooleanType, t.IntType, t.DoubleType)
_TARGET = Where(
    TYPE, lambda given: isinstance(given.data_type, VALUE_TYPES), "STRING, BOOLEAN, INT or DOUBLE as a type"
)


def _value_type(context: CallContext) -> LogicalType | None:
    text, _, target, default = context.argument_types
    if context.symbol(3) == "ERROR":
        return target.as_nullable()
    if not isinstance(default, t.NullType) and not default.same_type(target):
        return None
    return target.with_nullability(text.nullable or default.nullable)


_PATH_TO_ONE = literal_where(
    TEXT,
    lambda value: isinstance(value, str) and can_be_followed(value) and not has_wildcard(value),
    "path such as '$.a[0]'",
)

JSON_VALUE = scalar(
    "JSON_VALUE",
    positional(_JSON, _PATH_TO_ONE, _TARGET, OneOf((Literal(ANY), symbol("ERROR"))), names="text path type default"),
    Computed(_value_type),
    sql="JSON_VALUE",
    syntax=special(OwnSyntax.JSON_VALUE),
    in_spark=False,
    canonical=_repeatable_unless_used_once,
    difference=_TWICE
    + _SHOWN
    + " A value of another type is an error that ON ERROR handles, where Flink fails; a string that represents a value "
    "of the type is converted." + _PATHS,
    doc="The number, string or boolean that path finds in the JSON text; the result of ON ERROR if it finds none.",
    example=("JSON_VALUE('{\"a\": 1}', '$.a')", "'1'"),
    read_as=OwnSyntax.JSON_VALUE,
)


STRINGS = t.ArrayType(t.STRING)
QUERY_TYPES = (t.STRING, STRINGS)
_QUERIED = Where(TYPE, lambda given: given.data_type.as_nullable() in QUERY_TYPES, "STRING or ARRAY<STRING> as a type")


def _query_type(context: CallContext) -> LogicalType | None:
    text, _, target = context.argument_types[:3]
    otherwise = context.symbol(4)
    if isinstance(target, t.ArrayType) and otherwise == "EMPTY OBJECT":
        return None
    return target.with_nullability(text.nullable or otherwise in ("NULL", "ERROR"))


def _canonical_query(arguments: tuple[ResolvedExpression, ...], call: Construct) -> ResolvedExpression | None:
    """Drop a conditional wrapper on a path with a wildcard, which already finds an array."""
    _are_repeatable(arguments, call)
    path, wrapper = arguments[1], arguments[3]
    assert isinstance(path, ValueLiteral)
    if wrapper is not SymbolLiteral("CONDITIONAL") or not has_wildcard(path.value):
        return None
    return call(JSON_QUERY, (*arguments[:3], SymbolLiteral("WITHOUT"), arguments[4]))


JSON_QUERY: FunctionDefinition = scalar(
    "JSON_QUERY",
    positional(
        _JSON,
        _PATH,
        _QUERIED,
        symbol("WITHOUT", "CONDITIONAL", "UNCONDITIONAL"),
        symbol("NULL", "EMPTY ARRAY", "EMPTY OBJECT", "ERROR"),
        names="text path type wrapper on_error",
    ),
    Computed(_query_type),
    sql="JSON_QUERY",
    syntax=special(OwnSyntax.JSON_QUERY),
    in_spark=False,
    canonical=_canonical_query,
    difference=_TWICE
    + _SHOWN
    + " A wildcard finds the values of an object in the order of their keys; in Flink, in the order of the text."
    + _PATHS,
    doc="The object or array that path finds in the JSON text, as JSON or as an array of strings; with a wrapper, also "
    "other values, in an array. A path with a wildcard finds an array of all its matches.",
    example=("JSON_QUERY('{\"a\": [1, 2]}', '$.a')", "'[1,2]'"),
    read_as=OwnSyntax.JSON_QUERY,
)

# --- values as JSON --------------------------------------------------------------------------------------------------

JSON_UNQUOTE = scalar(
    "JSON_UNQUOTE",
    positional(_JSON, names="text"),
    nullable_if_arguments(t.STRING),
    sql="JSON_UNQUOTE",
    in_spark=False,
    fluent=as_method("json_unquote"),
    canonical=_are_repeatable,
    doc="The string that a quoted JSON string represents; any other text unchanged.",
    example=("JSON_UNQUOTE('\"a\\\\u0041\"')", "'aA'"),
)

# Characters whose escape is a letter; the other ASCII characters stay as they are.
_ESCAPES = {"\b": "\\b", "\f": "\\f", "\n": "\\n", "\r": "\\r", "\t": "\\t"}


def _quote(text: ResolvedExpression) -> ResolvedExpression:
    def escaped(character: ResolvedExpression) -> ResolvedExpression:
        digits = calls.construct(
            LOWER, (calls.construct(HEX, (calls.construct(ENCODE, (character, literal("UTF-16BE"))),)),)
        )
        codes = calls.construct(REGEXP_REPLACE, (digits, literal("(....)"), literal(r"\\u$1")))
        is_other = calls.construct(GREATER_THAN, (calls.construct(ASCII, (character,)), literal(127)))
        return calls.construct(CASE, (is_other, codes, character))

    written = calls.construct(REGEXP_REPLACE, (text, literal(r'(["\\/])'), literal(r"\\$1")))
    for character, instead in _ESCAPES.items():
        written = calls.construct(REPLACE, (written, literal(character), literal(instead)))
    characters = calls.construct(SPLIT, (written, literal("")))
    made = calls.construct(TRANSFORM, (characters, function(escaped, character=t.STRING.not_null())))
    quote = literal('"')
    return calls.build_without_recognition(CONCAT, (quote, calls.construct(ARRAY_JOIN, (made, literal(""))), quote))


JSON_QUOTE = scalar(
    "JSON_QUOTE",
    positional(_JSON, names="text"),
    nullable_if_arguments(t.STRING),
    sql="JSON_QUOTE",
    spark_form=on_spark(_quote, t.STRING),
    fluent=as_method("json_quote"),
    difference="For characters that have two codes in UTF-16, Flink writes the first code incorrectly.",
    doc="The text as a quoted JSON string, with escape codes for characters outside ASCII and a backslash before "
    "slashes.",
    example=("JSON_QUOTE('1/\u00e9')", r"""'"1\/\u00e9"'"""),
)

KEEP_NULLS = calls.construct(MAP, (literal("ignoreNullFields"), literal("false")))
"""The options of TO_JSON that keep NULL in rows."""


def _build_spark_json(arguments: tuple[ResolvedExpression, ...], call: Construct) -> ResolvedExpression | None:
    """Return an equivalent call: the argument if it already makes JSON, or TO_JSON, which accepts nested values."""
    (value,) = arguments
    if isinstance(value, Call) and value.function in (JSON_ARRAY, JSON_OBJECT):
        return value
    if _is_null(value):
        return call(TO_JSON, (ValueLiteral(None, t.VARIANT),))
    if isinstance(value.data_type, t.VariantType | t.NullType):
        return call(TO_JSON, (value,))
    return call(TO_JSON, (value, KEEP_NULLS)) if _is_nested(value) else None


JSON_STRING = scalar(
    "JSON_STRING",
    positional(_VALUE, names="value"),
    maybe_null(t.STRING),
    sql="JSON_STRING",
    in_spark=False,
    fluent=as_function("json_string", "value"),
    canonical=_build_spark_json,
    difference="Values are written as in a VARIANT: 1.50 as 1.5, a TIMESTAMP with a space before the time. In an "
    "array, a row or a map: " + TIMES_IN_JSON,
    doc="The value as JSON: a string in quotes, a row or map as an object.",
    example=("JSON_STRING('a')", "'\"a\"'"),
)


REPEATED = frozenset((JSON_EXISTS, JSON_VALUE, JSON_QUERY, JSON_UNQUOTE))
"""Functions whose lowered form repeats the JSON."""

SQL_JSON = frozenset((JSON_OBJECT, JSON_ARRAY, JSON_EXISTS, JSON_VALUE, JSON_QUERY))
"""Functions whose calls have clauses after the arguments."""
