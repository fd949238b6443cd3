"""Functions of VARIANT, whose values carry their type: parsing JSON, access by paths, and changes."""

from __future__ import annotations

import re
from collections.abc import Callable

from ir import types as t
from ir.casts import can_cast
from ir.expressions import ResolvedExpression, ValueLiteral
from ir.functions.builder import as_function, as_method, by_name, scalar
from ir.functions.definition import Canonical, Construct, FunctionDefinition, Mismatch, Shown
from ir.functions.schemas import SCHEMA, schema_as_text, schema_of, wrong_schema
from ir.inference import CallContext
from ir.inference.arguments import ANY, Family, Literal, Where
from ir.inference.inputs import Positional, positional
from ir.inference.results import Computed, maybe_null, never_null, nullable_if_arguments
from ir.types import LogicalType

_STRING = Family("STRING", (t.CharacterType, t.NullType))
_VARIANT = Family("VARIANT", (t.VariantType, t.NullType))
_VARIANT_RESULT = nullable_if_arguments(t.VARIANT)

# --- construction and types ------------------------------------------------------------------------------------------

PARSE_JSON = scalar(
    "PARSE_JSON",
    positional(_STRING, names="text"),
    _VARIANT_RESULT,
    sql="PARSE_JSON",
    also=("JSON",),
    fluent=(*as_method("parse_json"), *as_function("json", "value")),
    doc="The value that the JSON text represents, as a VARIANT; an error if text is invalid JSON.",
    example=("TO_JSON(PARSE_JSON('{\"a\": 1}'))", "'{\"a\":1}'"),
    can_fail=True,
)
TRY_PARSE_JSON = scalar(
    "TRY_PARSE_JSON",
    positional(_STRING, names="text"),
    maybe_null(t.VARIANT),
    sql="TRY_PARSE_JSON",
    fluent=as_method("try_parse_json"),
    doc="The value that the JSON text represents, as a VARIANT; NULL if text is invalid JSON.",
    example=("TRY_PARSE_JSON('{') IS NULL", "TRUE"),
)


def _becomes_object(argument: ResolvedExpression) -> bool:
    nested = isinstance(argument.data_type, (t.ArrayType, t.MapType, t.RowType))
    # Spark uses the same rules for casts from VARIANT and for conversion to VARIANT objects and arrays.
    return nested and can_cast(t.VARIANT, argument.data_type)


TO_VARIANT_OBJECT = scalar(
    "to_variant_object",
    positional(Where(ANY, _becomes_object, "ROW, ARRAY or MAP of STRING keys, of what VARIANT holds"), names="value"),
    _VARIANT_RESULT,
    sql="TO_VARIANT_OBJECT",
    in_flink=False,
    fluent=as_method("to_variant_object"),
    doc="A row, map or array as a VARIANT; rows and maps become objects.",
    example=("TO_JSON(TO_VARIANT_OBJECT(NAMED_STRUCT('a', 1)))", "'{\"a\":1}'"),
    mismatch=Mismatch(alone="CAST_WITHOUT_SUGGESTION", together="CAST_WITHOUT_SUGGESTION"),
)
IS_VALID_VARIANT = scalar(
    "is_valid_variant",
    positional(_VARIANT, names="variant"),
    nullable_if_arguments(t.BOOLEAN),
    sql="IS_VALID_VARIANT",
    in_flink=False,
    fluent=as_method("is_valid_variant"),
    doc="Whether the binary encoding of variant is valid.",
    example=("IS_VALID_VARIANT(PARSE_JSON('1'))", "TRUE"),
)
IS_VARIANT_NULL = scalar(
    "is_variant_null",
    positional(_VARIANT, names="variant"),
    never_null(t.BOOLEAN),
    sql="IS_VARIANT_NULL",
    in_flink=False,
    fluent=as_method("is_variant_null"),
    doc="Whether variant is the JSON value null; FALSE if variant is NULL.",
    example=("IS_VARIANT_NULL(PARSE_JSON('null'))", "TRUE"),
)
SCHEMA_OF_VARIANT = scalar(
    "schema_of_variant",
    positional(_VARIANT, names="variant"),
    nullable_if_arguments(t.STRING),
    sql="SCHEMA_OF_VARIANT",
    in_flink=False,
    fluent=as_method("schema_of_variant"),
    doc="The type of the value in variant, as a string.",
    example=("SCHEMA_OF_VARIANT(PARSE_JSON('[{\"a\": 1}]'))", "'ARRAY<OBJECT<a: BIGINT>>'"),
)

# --- paths -----------------------------------------------------------------------------------------------------------

_PATH = re.compile(r"""\$(?:\.[^.\[]+|\[[0-9]+\]|\['[^']*'\]|\["[^"]*"\])*""", re.DOTALL)
_INDEX = re.compile(r"\[([0-9]+)\]")
_LARGEST_INDEX = 2**31 - 1


def is_path(text: str) -> bool:
    """Whether a string is a path into a VARIANT: ``$``, then steps such as ``.name``, ``['name']`` and ``[0]``."""
    return _PATH.fullmatch(text) is not None and all(int(i) <= _LARGEST_INDEX for i in _INDEX.findall(text))


def _is_possible_path(argument: ResolvedExpression) -> bool:
    return not isinstance(argument, ValueLiteral) or argument.value is None or is_path(str(argument.value))


def _is_possible_inner_path(argument: ResolvedExpression) -> bool:
    return _is_possible_path(argument) and not (isinstance(argument, ValueLiteral) and argument.value == "$")


_PATH_ANYWHERE = Where(_STRING, _is_possible_path, "STRING path such as '$.a[0]' or '$[\"a b\"]'")
_PATH_INSIDE = Where(_STRING, _is_possible_inner_path, "STRING path that goes further than '$', such as '$.a[0]'")


def _type_got(context: CallContext) -> LogicalType | None:
    if len(context) == 2:
        return t.VARIANT
    wanted = schema_of(context.arguments[2])
    if not can_cast(t.VARIANT, wanted):
        accepted = "what a VARIANT holds, which is no interval, and no map whose keys are not STRING"
        raise wrong_schema(context.name.upper(), wanted, accepted)
    return wanted.as_nullable()


def _drop_variant_type(
    definition: Callable[[], FunctionDefinition],
) -> Canonical:
    """Return the canonical form of an access by path: without the type if it is VARIANT, the default."""
    as_text = schema_as_text(definition, 2)

    def canonical(arguments: tuple[ResolvedExpression, ...], call: Construct) -> ResolvedExpression | None:
        if len(arguments) == 3 and isinstance(schema_of(arguments[2]), t.VariantType):
            return call(definition(), arguments[:2])
        return as_text(arguments, call)

    return canonical


_GET = positional(_VARIANT, _PATH_ANYWHERE, SCHEMA, optional=1, names="variant path type")

VARIANT_GET: FunctionDefinition = scalar(
    "variant_get",
    _GET,
    Computed(_type_got),
    sql="VARIANT_GET",
    in_flink=False,
    fluent=as_method("variant_get", "path type?"),
    canonical=_drop_variant_type(lambda: VARIANT_GET),
    doc="The value at path in variant, cast to type or, without type, as a VARIANT; NULL if there is none, "
    "and an error if it cannot be cast. ``v:a.b[0]`` is ``VARIANT_GET(v, '$.a.b[0]')``.",
    example=("VARIANT_GET(PARSE_JSON('{\"a\": [1, 2]}'), '$.a[1]', 'INT')", "2"),
    can_fail=True,
    shown=Shown(shown_arguments=2),
)
TRY_VARIANT_GET: FunctionDefinition = scalar(
    "try_variant_get",
    _GET,
    Computed(_type_got),
    sql="TRY_VARIANT_GET",
    in_flink=False,
    fluent=as_method("try_variant_get", "path type?"),
    canonical=_drop_variant_type(lambda: TRY_VARIANT_GET),
    doc="The value at path in variant, cast to type; NULL if there is none or it cannot be cast.",
    example=("TRY_VARIANT_GET(PARSE_JSON('{\"a\": \"x\"}'), '$.a', 'INT')", "NULL"),
    shown=Shown(shown_arguments=2),
)

# --- changes ---------------------------------------------------------------------------------------------------------

_VALUE = Where(ANY, lambda argument: can_cast(argument.data_type, t.VARIANT), "value that can be cast to VARIANT")
_FLAG = Literal(Family("BOOLEAN", (t.BooleanType, t.NullType)))
_INSERTED = positional(_VARIANT, _PATH_INSIDE, _VALUE, names="variant path value")
_SET = positional(_VARIANT, _PATH_INSIDE, _VALUE, _FLAG, optional=1, names="v path val create_if_missing")
_NAMED = by_name("v path val create_if_missing", True)
_APPENDED = positional(_VARIANT, _PATH_ANYWHERE, _VALUE, names="variant path value")

VARIANT_INSERT = scalar(
    "variant_insert",
    _INSERTED,
    _VARIANT_RESULT,
    sql="VARIANT_INSERT",
    in_flink=False,
    fluent=as_method("variant_insert", "path value"),
    doc="The variant with value inserted at path, as a new field of an object or a new element of an array, whose "
    "later elements move up; an error if the object already has the field.",
    example=("TO_JSON(VARIANT_INSERT(PARSE_JSON('{\"a\": 1}'), '$.b', 2))", '\'{"a":1,"b":2}\''),
)
TRY_VARIANT_INSERT = scalar(
    "try_variant_insert",
    _INSERTED,
    maybe_null(t.VARIANT),
    sql="TRY_VARIANT_INSERT",
    in_flink=False,
    fluent=as_method("try_variant_insert", "path value"),
    doc="The variant with value inserted at path; NULL if that is impossible.",
    example=("TRY_VARIANT_INSERT(PARSE_JSON('{\"a\": 1}'), '$.a', 2) IS NULL", "TRUE"),
)
VARIANT_SET = scalar(
    "variant_set",
    _SET,
    _VARIANT_RESULT,
    sql="VARIANT_SET",
    named=_NAMED,
    in_flink=False,
    fluent=as_method("variant_set", "path value create_if_missing?"),
    doc="The variant with val at path; a path that is missing is added unless create_if_missing is FALSE.",
    example=("TO_JSON(VARIANT_SET(PARSE_JSON('{\"a\": 1}'), '$.a', 2))", "'{\"a\":2}'"),
    shown=Shown(defaults=(None, None, None, "true")),
)
TRY_VARIANT_SET = scalar(
    "try_variant_set",
    _SET,
    maybe_null(t.VARIANT),
    sql="TRY_VARIANT_SET",
    named=_NAMED,
    in_flink=False,
    fluent=as_method("try_variant_set", "path value create_if_missing?"),
    doc="The variant with the value at path replaced or added; NULL if that is impossible.",
    example=("TRY_VARIANT_SET(PARSE_JSON('1'), '$.a', 2) IS NULL", "TRUE"),
    shown=Shown(defaults=(None, None, None, "true")),
)
VARIANT_ARRAY_APPEND = scalar(
    "variant_array_append",
    _APPENDED,
    _VARIANT_RESULT,
    sql="VARIANT_ARRAY_APPEND",
    in_flink=False,
    fluent=as_method("variant_array_append", "path value"),
    doc="The variant with value appended to the array at path.",
    example=("TO_JSON(VARIANT_ARRAY_APPEND(PARSE_JSON('[1]'), '$', 2))", "'[1,2]'"),
)
TRY_VARIANT_ARRAY_APPEND = scalar(
    "try_variant_array_append",
    _APPENDED,
    maybe_null(t.VARIANT),
    sql="TRY_VARIANT_ARRAY_APPEND",
    in_flink=False,
    fluent=as_method("try_variant_array_append", "path value"),
    doc="The variant with value appended to the array at path; NULL if that is impossible.",
    example=("TRY_VARIANT_ARRAY_APPEND(PARSE_JSON('1'), '$', 2) IS NULL", "TRUE"),
)
VARIANT_DELETE = scalar(
    "variant_delete",
    Positional((_VARIANT, _PATH_INSIDE), rest=_PATH_INSIDE, names=("variant", "path")),
    Computed(lambda context: t.VARIANT.with_nullability(context.argument_types[0].nullable)),
    sql="VARIANT_DELETE",
    in_flink=False,
    fluent=as_method("variant_delete", "*paths"),
    doc="The variant without the values at the paths, removed in turn; a NULL path is skipped.",
    example=("TO_JSON(VARIANT_DELETE(PARSE_JSON('{\"a\": 1, \"b\": 2}'), '$.a'))", "'{\"b\":2}'"),
)
VARIANT_STRIP_NULLS = scalar(
    "variant_strip_nulls",
    positional(_VARIANT, _FLAG, optional=1, names="v include_arrays"),
    _VARIANT_RESULT,
    sql="VARIANT_STRIP_NULLS",
    named=by_name("v include_arrays", True),
    in_flink=False,
    fluent=as_method("variant_strip_nulls", "include_arrays?"),
    doc="The variant without fields that are null and, unless include_arrays is FALSE, without array elements that are "
    "null.",
    example=('TO_JSON(VARIANT_STRIP_NULLS(PARSE_JSON(\'{"a": null, "b": 1}\')))', "'{\"b\":1}'"),
    shown=Shown(defaults=(None, "true")),
)
