"""Table functions, which return rows for one row in a lateral join."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from ir import types as t
from ir.expressions import ResolvedExpression, ValueLiteral
from ir.functions.builder import as_function, by_name, define
from ir.functions.definition import Construct, FunctionDefinition, FunctionKind
from ir.inference import CallContext
from ir.inference.arguments import ANY, TEXT, Constant, Family, Where, literal_where
from ir.inference.inputs import AnyOf, Computed, positional, varying
from ir.inference.results import Computed as ComputedResult
from ir.inference.type_inference import InputTypeStrategy
from ir.light_typing import TYPE_CHECKING
from ir.types import LogicalType, RowField, RowType

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ir.functions.entries import Entry

Columns = Callable[[CallContext], Iterable[tuple[str, LogicalType]]]


def table(name: str, inputs: InputTypeStrategy, columns: Columns, **entry: Unpack[Entry]) -> FunctionDefinition:
    """Define a function that returns rows; ``columns`` infers the columns of a call."""

    def row_type(context: CallContext) -> LogicalType:
        return RowType(tuple([RowField(n, data_type) for n, data_type in columns(context)]), nullable=False)

    return define(name, FunctionKind.TABLE, inputs, ComputedResult(row_type), entry)


# --- elements of collections ------------------------------------------------------------------------------------------

_COLLECTION = positional(Family("ARRAY or MAP", (t.ArrayType, t.MapType)), names="collection")


def _elements(context: CallContext) -> Iterable[tuple[str, LogicalType]]:
    collection = context.argument_types[0]
    if isinstance(collection, t.MapType):
        return [("key", collection.key.not_null()), ("value", collection.value)]
    assert isinstance(collection, t.ArrayType)
    return [("col", collection.element)]


def _positions(context: CallContext) -> Iterable[tuple[str, LogicalType]]:
    return [("pos", t.INT.not_null()), *_elements(context)]


def _outer(columns: Columns) -> Columns:
    return lambda context: [(name, data_type.as_nullable()) for name, data_type in columns(context)]


EXPLODE = table(
    "explode",
    _COLLECTION,
    _elements,
    sql="EXPLODE",
    named=by_name("collection"),
    fluent=as_function("explode", "collection"),
    doc="One row per element of an array, or per entry of a map as key and value.",
    example=("EXPLODE(ARRAY('a', 'b'))", "('a'), ('b')"),
)
EXPLODE_OUTER = table(
    "explodeOuter",
    _COLLECTION,
    _outer(_elements),
    sql="EXPLODE_OUTER",
    named=by_name("collection"),
    fluent=as_function("explode_outer", "collection"),
    doc="One row per element of an array or entry of a map; one row of NULL if there is none.",
    example=("EXPLODE_OUTER(ARRAY())", "(NULL)"),
)
POSEXPLODE = table(
    "posexplode",
    _COLLECTION,
    _positions,
    sql="POSEXPLODE",
    named=by_name("collection"),
    fluent=as_function("posexplode", "collection"),
    doc="One row per element of an array or entry of a map, after its position, counted from 0.",
    example=("POSEXPLODE(ARRAY('a', 'b'))", "(0, 'a'), (1, 'b')"),
)
POSEXPLODE_OUTER = table(
    "posexplodeOuter",
    _COLLECTION,
    _outer(_positions),
    sql="POSEXPLODE_OUTER",
    named=by_name("collection"),
    fluent=as_function("posexplode_outer", "collection"),
    doc="One row per element of an array or entry of a map, after its position; one row of NULL if there is none.",
    example=("POSEXPLODE_OUTER(MAP('a', 1))", "(0, 'a', 1)"),
)


def _is_array_of_rows(argument: ResolvedExpression) -> bool:
    return isinstance(argument.data_type, t.ArrayType) and isinstance(argument.data_type.element, RowType)


_ROWS = positional(Where(ANY, _is_array_of_rows, "ARRAY of ROW"), names="input")


def _fields(context: CallContext) -> Iterable[tuple[str, LogicalType]]:
    rows = context.argument_types[0]
    assert isinstance(rows, t.ArrayType)
    row = rows.element
    assert isinstance(row, RowType)
    return [(f.name, f.data_type.with_nullability(row.nullable or f.data_type.nullable)) for f in row.fields]


INLINE = table(
    "inline",
    _ROWS,
    _fields,
    sql="INLINE",
    named=by_name("input"),
    fluent=as_function("inline", "rows"),
    doc="One row per row of an array, with the fields as columns.",
    example=("INLINE(ARRAY(NAMED_STRUCT('a', 1, 'b', 'x')))", "(1, 'x')"),
)
INLINE_OUTER = table(
    "inlineOuter",
    _ROWS,
    _outer(_fields),
    sql="INLINE_OUTER",
    named=by_name("input"),
    fluent=as_function("inline_outer", "rows"),
    doc="One row per row of an array, with the fields as columns; one row of NULL if there is none.",
    example=("INLINE_OUTER(ARRAY(NAMED_STRUCT('a', 1)))", "(1)"),
)


def _unnest(arguments: tuple[ResolvedExpression, ...], call: Construct) -> ResolvedExpression:
    return call(INLINE if _is_array_of_rows(arguments[0]) else EXPLODE, arguments)


UNNEST = table(
    "unnest",
    _COLLECTION,
    _elements,
    sql="UNNEST",
    canonical=_unnest,
    in_spark=False,
    doc="One row per element of an array or entry of a map: Flink's name of INLINE for an array of rows, and of "
    "EXPLODE for any other collection.",
    example=("UNNEST(ARRAY(1, 2))", "(1), (2)"),
)

# --- rows of values, of JSON and of variants --------------------------------------------------------------------------


def _is_row_count(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value > 0


def _columns_of_rows(context: CallContext) -> list[list[LogicalType]]:
    """Return the types of the values in each column of the rows.

    Literal NULLs are omitted, because they take the type of the other values; a NULL from a column does not.
    """
    count, positions = int(context.literal_value(0)), range(1, len(context))
    width = -(-len(positions) // count)
    columns = [positions[first::width] for first in range(width)]
    return [[context.argument_types[p] for p in column if not _is_literal_null(context, p)] for column in columns]


def _is_literal_null(context: CallContext, position: int) -> bool:
    return isinstance(context.argument_types[position], t.NullType) and context.is_literal(position)


def _stack_types(context: CallContext) -> tuple[LogicalType, ...] | None:
    count = context.argument_types[0]
    if not isinstance(count, t.IntType) or not _is_row_count(context.literal_value(0)):
        return None
    if any(not kind.same_type(kinds[0]) for kinds in _columns_of_rows(context) for kind in kinds):
        return None
    return context.argument_types


def _infer_stacked_columns(context: CallContext) -> Iterable[tuple[str, LogicalType]]:
    for position, kinds in enumerate(_columns_of_rows(context)):
        yield f"col{position}", (kinds[0] if kinds else t.NULL).as_nullable()


STACK = table(
    "stack",
    Computed(
        2,
        None,
        "ANY",
        _stack_types,
        ("<INT literal from 1>, <ANY>...",),
        (literal_where(ANY, _is_row_count, "INT literal from 1"), ANY),
    ),
    _infer_stacked_columns,
    sql="STACK",
    fluent=as_function("stack", "n *values"),
    doc="The values in the given number of rows; the values of a column have one type, and missing values in the last "
    "row are NULL.",
    example=("STACK(2, 'a', 1, 'b', 2)", "('a', 1), ('b', 2)"),
)


def _json_values(context: CallContext) -> Iterable[tuple[str, LogicalType]]:
    json = context.argument_types[0]
    kind = t.StringType(json.collation) if isinstance(json, t.StringType) else t.STRING
    return [(f"c{position}", kind) for position in range(len(context) - 1)]


JSON_TUPLE = table(
    "jsonTuple",
    varying(TEXT, least=2, names="json field"),
    _json_values,
    sql="JSON_TUPLE",
    fluent=as_function("json_tuple", "json *fields"),
    doc="One row of the values of the given fields of a JSON object, as strings; a missing field is NULL.",
    example=("JSON_TUPLE('{\"a\": 1}', 'a', 'b')", "('1', NULL)"),
)
_VARIANT = positional(Family("VARIANT", (t.VariantType, t.NullType)), names="variant")


def _variant_fields(context: CallContext) -> Iterable[tuple[str, LogicalType]]:
    return [("pos", t.INT.not_null()), ("key", t.STRING), ("value", t.VariantType(nullable=False))]


VARIANT_EXPLODE = table(
    "variantExplode",
    _VARIANT,
    _variant_fields,
    sql="VARIANT_EXPLODE",
    named=by_name("input"),
    fluent=as_function("variant_explode", "variant"),
    doc="One row per field of a VARIANT object or element of a VARIANT array: its position, its key and its value.",
    example=("VARIANT_EXPLODE(PARSE_JSON('[true]'))", "(0, NULL, true)"),
)
VARIANT_EXPLODE_OUTER = table(
    "variantExplodeOuter",
    _VARIANT,
    _outer(_variant_fields),
    sql="VARIANT_EXPLODE_OUTER",
    named=by_name("input"),
    fluent=as_function("variant_explode_outer", "variant"),
    doc="One row per field or element of a VARIANT; one row of NULL if there is none.",
    example=("VARIANT_EXPLODE_OUTER(PARSE_JSON('1'))", "(NULL, NULL, NULL)"),
)


def _is_bound(value: object) -> bool:
    return value is not None and (not isinstance(value, str) or value.strip().lstrip("+-").isdecimal())


def _is_step(value: object) -> bool:
    # Spark truncates the value to an integer.
    return _is_bound(value) and int(value) != 0  # type: ignore[call-overload]  # a number or its text


# A string is accepted as a number only if it is a literal, because its value is then known.
_WHOLE = Where(
    Family("BIGINT", (t.NumericType, t.CharacterType)),
    lambda given: isinstance(given, ValueLiteral) or isinstance(given.data_type, t.NumericType),
    "BIGINT",
)
_BOUND = Constant(_WHOLE, _is_bound)
_STEP = Constant(_WHOLE, _is_step, "constant that is not 0")
_PARTITIONS = Constant(Family("INT", (t.IntegralType,)), lambda value: isinstance(value, int) and value > 0)

RANGE = table(
    "range",
    AnyOf(
        (
            positional(_BOUND, names="end"),
            positional(_BOUND, _BOUND, names="start end"),
            positional(_BOUND, _BOUND, _STEP, names="start end step"),
            positional(_BOUND, _BOUND, _STEP, _PARTITIONS, names="start end step partitions"),
        )
    ),
    lambda context: [("id", t.BIGINT.not_null())],
    sql="RANGE",
    doc="One row per integer from start, 0 by default, up to but excluding end, step apart; partitions is the number "
    "of partitions of the rows.",
    example=("RANGE(1, 3)", "(1), (2)"),
)

# --- facts about Spark -----------------------------------------------------------------------------------------------

_COLLATION_COLUMNS = (
    *[(name, t.STRING.not_null()) for name in ("CATALOG", "SCHEMA", "NAME")],
    *[(name, t.STRING) for name in ("LANGUAGE", "COUNTRY")],
    *[(name, t.STRING.not_null()) for name in ("ACCENT_SENSITIVITY", "CASE_SENSITIVITY", "PAD_ATTRIBUTE")],
    ("ICU_VERSION", t.STRING),
)

COLLATIONS = table(
    "collations",
    positional(),
    lambda context: _COLLATION_COLUMNS,
    sql="COLLATIONS",
    doc="One row per collation that Spark supports.",
    example=(
        "COLLATIONS() WHERE NAME = 'UTF8_LCASE'",
        "('SYSTEM', 'BUILTIN', 'UTF8_LCASE', NULL, NULL, 'ACCENT_SENSITIVE', 'CASE_INSENSITIVE', 'NO_PAD', NULL)",
    ),
)
SQL_KEYWORDS = table(
    "sql_keywords",
    positional(),
    lambda context: [("keyword", t.STRING.not_null()), ("reserved", t.BOOLEAN.not_null())],
    sql="SQL_KEYWORDS",
    doc="One row per keyword of Spark's SQL: the keyword and whether it is reserved.",
    example=("SQL_KEYWORDS() WHERE keyword = 'SELECT'", "('SELECT', FALSE)"),
)
