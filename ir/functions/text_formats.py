"""Spark's functions that read, write and query JSON, CSV and XML in strings."""

from __future__ import annotations

from ir import types as t
from ir.casts import has_part
from ir.functions import constant_values
from ir.functions.builder import as_function, as_method, scalar
from ir.functions.definition import FunctionDefinition, Mismatch, Shown
from ir.functions.schemas import OPTIONS, SCHEMA, schema_as_text, schema_of, wrong_schema
from ir.inference import CallContext
from ir.inference.arguments import TEXT_LITERAL, Family, Where
from ir.inference.inputs import positional
from ir.inference.results import Computed, maybe_null, never_null
from ir.types import LogicalType

_STRING = Family("STRING", (t.CharacterType, t.NullType))
_READ = positional(_STRING, SCHEMA, OPTIONS, optional=1, names="text schema options")
_DESCRIBED = positional(TEXT_LITERAL, OPTIONS, optional=1, names="text options")


def _is_readable(root: LogicalType) -> bool:
    """Whether all maps in a type have STRING keys and the type contains no shape.

    Recursion is safe, because the parser of schemas rejects deeply nested types.
    """
    if isinstance(root, t.SpatialType) or (isinstance(root, t.MapType) and not isinstance(root.key, t.StringType)):
        return False
    return all(map(_is_readable, root.children))


def _accept_writable(names: str, *kinds: type[LogicalType], without: tuple[type[LogicalType], ...] = ()) -> Where:
    """Return the strategy for values of some kinds without shapes, which Spark's analyzer accepts but cannot write."""
    excluded: tuple[type[LogicalType], ...] = (*without, t.SpatialType)
    said = "without VARIANT and shapes" if without else "without shapes"
    return Where(
        Family(names, (*kinds, t.NullType)), lambda given: not has_part(given.data_type, *excluded), f"{names} {said}"
    )


# --- JSON ------------------------------------------------------------------------------------------------------------


def _json_schema(context: CallContext) -> LogicalType | None:
    schema = schema_of(context.arguments[1])
    is_nested = isinstance(schema, (t.RowType, t.ArrayType, t.MapType, t.VariantType))
    if not is_nested or not _is_readable(schema):
        accepted = "a ROW, an ARRAY, a VARIANT or a MAP, all maps with keys of STRING, and no shapes"
        raise wrong_schema("FROM_JSON", schema, accepted)
    return schema


FROM_JSON: FunctionDefinition = scalar(
    "from_json",
    _READ,
    Computed(_json_schema),
    sql="FROM_JSON",
    in_flink=False,
    fluent=as_method("from_json", "schema options?"),
    canonical=schema_as_text(lambda: FROM_JSON),
    doc="The value that the JSON text represents, of the type that schema describes: a row, an array, a map with "
    "STRING keys or a VARIANT. Parts that do not match the type are NULL.",
    example=("FROM_JSON('{\"a\": 1}', 'a INT').`a`", "1"),
    shown=Shown(shown_arguments=1),
)
TO_JSON = scalar(
    "to_json",
    positional(
        _accept_writable("ROW, ARRAY, MAP or VARIANT", t.RowType, t.ArrayType, t.MapType, t.VariantType),
        OPTIONS,
        optional=1,
        names="value options",
    ),
    maybe_null(t.STRING),
    sql="TO_JSON",
    fluent=as_method("to_json", "options?"),
    doc="A row, map, array or VARIANT as JSON.",
    example=("TO_JSON(NAMED_STRUCT('a', 1))", "'{\"a\":1}'"),
    mismatch=Mismatch(first="INVALID_JSON_SCHEMA"),
    shown=Shown(shown_arguments=1),
)
SCHEMA_OF_JSON = scalar(
    "schema_of_json",
    _DESCRIBED,
    never_null(t.STRING),
    sql="SCHEMA_OF_JSON",
    in_flink=False,
    fluent=as_function("schema_of_json", "text options?"),
    doc="The schema that Spark infers from a constant JSON text, as a string.",
    example=("SCHEMA_OF_JSON('[{\"a\": 0}]')", "'ARRAY<STRUCT<a: BIGINT>>'"),
    folding=constant_values.JSON_SCHEMA,
    shown=Shown(shown_arguments=1),
)
GET_JSON_OBJECT = scalar(
    "get_json_object",
    positional(_STRING, _STRING, names="text path"),
    maybe_null(t.STRING),
    sql="GET_JSON_OBJECT",
    in_flink=False,
    fluent=as_method("get_json_object", "path"),
    doc="The value at path in the JSON text, as a string; NULL if there is none or text is invalid JSON.",
    example=("GET_JSON_OBJECT('{\"a\": [1, 2]}', '$.a')", "'[1,2]'"),
)
JSON_ARRAY_LENGTH = scalar(
    "json_array_length",
    positional(_STRING, names="text"),
    maybe_null(t.INT),
    sql="JSON_ARRAY_LENGTH",
    in_flink=False,
    fluent=as_method("json_array_length"),
    doc="The number of elements of a JSON array; NULL if text is no JSON array.",
    example=("JSON_ARRAY_LENGTH('[1, 2, 3]')", "3"),
)
JSON_OBJECT_KEYS = scalar(
    "json_object_keys",
    positional(_STRING, names="text"),
    maybe_null(t.ArrayType(t.STRING)),
    sql="JSON_OBJECT_KEYS",
    in_flink=False,
    fluent=as_method("json_object_keys"),
    doc="The keys of a JSON object, as an array; NULL if text is no JSON object.",
    example=('JSON_OBJECT_KEYS(\'{"a": 1, "b": 2}\')', "['a', 'b']"),
)

# --- CSV -------------------------------------------------------------------------------------------------------------


def _csv_schema(context: CallContext) -> LogicalType | None:
    schema = schema_of(context.arguments[1])
    if not isinstance(schema, t.RowType) or has_part(schema, t.SpatialType):
        raise wrong_schema("FROM_CSV", schema, "a ROW without shapes")
    return schema.with_nullability(context.argument_types[0].nullable)


FROM_CSV: FunctionDefinition = scalar(
    "from_csv",
    _READ,
    Computed(_csv_schema),
    sql="FROM_CSV",
    in_flink=False,
    fluent=as_method("from_csv", "schema options?"),
    canonical=schema_as_text(lambda: FROM_CSV),
    doc="The row that a line of CSV represents, with the columns that schema describes. Values that do not match are "
    "NULL.",
    example=("FROM_CSV('1, x', 'a INT, b STRING').`a`", "1"),
    shown=Shown(shown_arguments=1),
)
TO_CSV = scalar(
    "to_csv",
    positional(
        _accept_writable("ROW", t.RowType, without=(t.VariantType,)),
        OPTIONS,
        optional=1,
        names="row options",
    ),
    maybe_null(t.STRING),
    sql="TO_CSV",
    in_flink=False,
    fluent=as_method("to_csv", "options?"),
    doc="A row as a line of CSV.",
    example=("TO_CSV(NAMED_STRUCT('a', 1, 'b', 'x'))", "'1,x'"),
    mismatch=Mismatch(first="UNSUPPORTED_INPUT_TYPE"),
    shown=Shown(shown_arguments=1),
)
SCHEMA_OF_CSV = scalar(
    "schema_of_csv",
    _DESCRIBED,
    never_null(t.STRING),
    sql="SCHEMA_OF_CSV",
    in_flink=False,
    fluent=as_function("schema_of_csv", "text options?"),
    doc="The schema that Spark infers from a constant line of CSV, as a string.",
    example=("SCHEMA_OF_CSV('1,abc')", "'STRUCT<_c0: INT, _c1: STRING>'"),
    folding=constant_values.CSV_SCHEMA,
    shown=Shown(shown_arguments=1),
)

# --- XML -------------------------------------------------------------------------------------------------------------


def _xml_schema(context: CallContext) -> LogicalType | None:
    schema = schema_of(context.arguments[1])
    if not isinstance(schema, (t.RowType, t.VariantType)) or not _is_readable(schema):
        raise wrong_schema("FROM_XML", schema, "a ROW or a VARIANT, all maps with keys of STRING, and no shapes")
    return schema


FROM_XML: FunctionDefinition = scalar(
    "from_xml",
    _READ,
    Computed(_xml_schema),
    sql="FROM_XML",
    in_flink=False,
    fluent=as_method("from_xml", "schema options?"),
    canonical=schema_as_text(lambda: FROM_XML),
    doc="The row or VARIANT that an XML element represents, of the type that schema describes.",
    example=("FROM_XML('<p><a>1</a></p>', 'a INT').`a`", "1"),
    shown=Shown(shown_arguments=1),
)
TO_XML = scalar(
    "to_xml",
    positional(_accept_writable("ROW or VARIANT", t.RowType, t.VariantType), OPTIONS, optional=1, names="row options"),
    maybe_null(t.STRING),
    sql="TO_XML",
    in_flink=False,
    fluent=as_method("to_xml", "options?"),
    doc="A row as an XML element.",
    example=("CHAR_LENGTH(TO_XML(NAMED_STRUCT('a', 1))) > 0", "TRUE"),
    shown=Shown(shown_arguments=1),
)
SCHEMA_OF_XML = scalar(
    "schema_of_xml",
    _DESCRIBED,
    never_null(t.STRING),
    sql="SCHEMA_OF_XML",
    in_flink=False,
    fluent=as_function("schema_of_xml", "text options?"),
    doc="The schema that Spark infers from a constant XML element, as a string.",
    example=("SCHEMA_OF_XML('<p><a>1</a></p>')", "'STRUCT<a: BIGINT>'"),
    shown=Shown(shown_arguments=1),
)
