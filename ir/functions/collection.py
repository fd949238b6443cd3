"""Constructors of arrays, maps and rows, and access to their elements."""

from __future__ import annotations

from collections.abc import Sequence

from ir import types as t
from ir.call_expressions import Call
from ir.casts import can_be_key, can_cast, implicit_cast, least_common_type, plain_type
from ir.dialects.syntax import OwnSyntax, brackets, brackets_after, special
from ir.errors import ValidationException, advise_on_member, did_you_mean, listing
from ir.expressions import FieldReference, LambdaVariable, ResolvedExpression, ValueLiteral
from ir.functions.builder import as_property, scalar
from ir.functions.definition import CollationOf, CollationRules, Construct, Mismatch
from ir.inference import CallContext
from ir.inference.arguments import ANY, STRING, TEXT_LITERAL, Family, Literal
from ir.inference.inputs import Computed, Paired, cast_to, positional, varying
from ir.inference.results import Computed as ComputedResult
from ir.inference.results import nullable_if_arguments
from ir.literals import literal
from ir.messages import Term, message
from ir.types import LogicalType


def _common(types: tuple[LogicalType, ...]) -> LogicalType | None:
    return least_common_type(types) if types else t.NULL.not_null()


def _array_types(context: CallContext) -> tuple[LogicalType, ...] | None:
    common = _common(context.argument_types)
    return None if common is None else tuple([cast_to(given, common) for given in context.argument_types])


def _array_result(context: CallContext) -> LogicalType:
    types = context.argument_types
    element = types[0].with_nullability(any(given.nullable for given in types)) if types else t.NULL.not_null()
    return t.ArrayType(element, nullable=False)


ARRAY = scalar(
    "array",
    Computed(0, None, "ANY", _array_types, ("<ANY>...",)),
    ComputedResult(_array_result),
    sql="ARRAY",
    flink_syntax=brackets("ARRAY"),
    doc="An array of the values, cast to their least common type.",
    example=("ARRAY(1, 2)", "[1, 2]"),
    collating=CollationRules(),
)


def _map_types(context: CallContext) -> tuple[LogicalType, ...] | None:
    keys, values = _common(context.argument_types[::2]), _common(context.argument_types[1::2])
    if keys is None or values is None or not can_be_key(keys):
        return None
    return tuple([cast_to(given, values if i % 2 else keys) for i, given in enumerate(context.argument_types)])


def _map_result(context: CallContext) -> LogicalType:
    keys, values = context.argument_types[::2], context.argument_types[1::2]
    if not keys:
        return t.MapType(t.NULL, t.NULL.not_null(), nullable=False)
    value = values[0].with_nullability(any(given.nullable for given in values))
    return t.MapType(keys[0], value, nullable=False)


MAP = scalar(
    "map",
    Computed(0, None, "ANY", _map_types, ("<ANY>, <ANY>, ...",), at_a_time=2),
    ComputedResult(_map_result),
    sql="MAP",
    flink_syntax=brackets("MAP"),
    doc="A map of the keys and values, which alternate.",
    example=("MAP('a', 1)", "{'a' -> 1}"),
    can_fail=True,
    collating=CollationRules(groups=2, result=CollationOf.ENTRIES),
)


def _row_result(context: CallContext) -> LogicalType:
    names = [context.literal_value(i) for i in range(0, len(context), 2)]
    types = context.argument_types[1::2]
    return t.RowType(tuple([t.RowField(str(n), d) for n, d in zip(names, types, strict=True)]), nullable=False)


ROW = scalar(
    "row",
    Paired(TEXT_LITERAL, ANY),
    ComputedResult(_row_result),
    sql="NAMED_STRUCT",
    flink_syntax=special(OwnSyntax.ROW),
    doc="A row of the given fields, each a name and a value.",
    example=("NAMED_STRUCT('a', 1)", "(1)"),
    collating=CollationRules(unites=False, result=CollationOf.FIELDS),
)


_COLLECTION = Family("ARRAY or MAP", (t.ArrayType, t.MapType))


def _infer_access_inputs(context: CallContext) -> tuple[LogicalType, ...] | None:
    collection, key = context.argument_types
    if isinstance(collection, t.MapType):
        wanted = implicit_cast(key, collection.key)
        texts = isinstance(key, t.CharacterType) and isinstance(collection.key, t.CharacterType)
        plain = context.is_literal(1) and not key.has_collation
        if texts and not plain and not plain_type(key).same_type(plain_type(collection.key)):
            # Spark casts a literal to the collation of the keys unless it has its own; other strings must match.
            return None
        return (collection, wanted) if wanted is not None and can_cast(key, wanted) else None
    if isinstance(collection, t.ArrayType):
        value = context.literal_value(1)
        narrow = isinstance(key, t.IntegralType) and not isinstance(key, t.BigIntType)
        wanted = implicit_cast(key, t.INT) if narrow else None
        return None if wanted is None or value == 0 else (collection, wanted)
    return None


def _infer_accessed_type(context: CallContext) -> LogicalType | None:
    collection = context.argument_types[0]
    if isinstance(collection, t.MapType):
        return collection.value.as_nullable()
    return collection.element.as_nullable() if isinstance(collection, t.ArrayType) else None


AT = scalar(
    "at",
    Computed(2, 2, "ARRAY or MAP", _infer_access_inputs, ("<ARRAY>, <INT but 0>", "<MAP>, <key>"), (_COLLECTION, ANY)),
    ComputedResult(_infer_accessed_type),
    sql="AT",
    also=("TRY_ELEMENT_AT",),
    syntax=special(OwnSyntax.ELEMENT),
    doc="The element of an array at a position counted from 1 or, if negative, from the end, or the value of a map's "
    "key; NULL if there is none.",
    example=("TRY_ELEMENT_AT(ARRAY('a', 'b'), 1)", "'a'"),
    mismatch=Mismatch(together="UNEXPECTED_INPUT_TYPE"),
    collating=CollationRules(unites=False, result=CollationOf.ELEMENT),
    read_as=OwnSyntax.ELEMENT,
)


def _element_types(context: CallContext) -> tuple[LogicalType, ...] | None:
    collection, key = context.argument_types
    if _is_field(collection, context.literal_value(1)):
        return _get_types(context)
    if isinstance(collection, t.NullType):
        return collection, key
    if not isinstance(collection, t.ArrayType):
        return _infer_access_inputs(context) if isinstance(collection, t.MapType) else None
    if isinstance(key, t.NullType):
        return collection, t.INT
    return (collection, key) if isinstance(key, t.IntegralType) else None


def _element_result(context: CallContext) -> LogicalType | None:
    collection, key = context.argument_types
    if _is_field(collection, context.literal_value(1)):
        return _get_result(context)
    if isinstance(collection, t.MapType):
        return collection.value.as_nullable()
    if not isinstance(collection, t.ArrayType):
        return collection if isinstance(collection, t.NullType) else None
    element = collection.element
    # For a literal index, Spark assumes that the element may be missing.
    is_known = isinstance(context.arguments[1], ValueLiteral)
    return element.with_nullability(is_known or element.nullable or collection.nullable or key.nullable)


def _is_field(given: LogicalType, index: object) -> bool:
    """Whether the index in brackets is the name of a field."""
    return isinstance(index, str) and isinstance(_rows_of(given, index), t.RowType)


def _element_of_map(arguments: tuple[ResolvedExpression, ...], call: Construct) -> ResolvedExpression | None:
    collection, index = arguments
    if isinstance(index, ValueLiteral) and _is_field(collection.data_type, index.value):
        return call(GET, arguments)
    return call(AT, arguments) if isinstance(collection.data_type, t.MapType) else None


ITEM = scalar(
    "item",
    Computed(2, 2, "ARRAY or MAP", _element_types, ("<ARRAY>, <INTEGRAL from 0>", "<MAP>, <key>")),
    ComputedResult(_element_result),
    sql="[]",
    syntax=brackets_after(),
    canonical=_element_of_map,
    doc="The element of an array at an index counted from 0, with an error if there is none; or the value of a map's "
    "key.",
    example=("ARRAY('a', 'b')[0]", "'a'"),
)


def _describe_missing_field(given: LogicalType, name_or_index: object) -> str:
    """Return the message about a field of a value that is not a row; the name may be meant as a member."""
    of = given.as_nullable().as_summary_string()
    if not isinstance(name_or_index, str):
        return f"get({name_or_index!r}) needs a value of type ROW, but was called on {of}."
    advice = advise_on_member(name_or_index)
    if advice is None:
        return f"A value of type {of} has no field {name_or_index!r}."
    return f"A value of type {of} has no field {name_or_index!r}, and expressions have no such member.{advice}"


def field_of(row: LogicalType, name_or_index: object) -> t.RowField:
    """Return the field of a row type by name or by index from 0.

    Raises:
        ValidationException: the type is not a row, or the field is missing or ambiguous.
    """
    if not isinstance(row, t.RowType):
        raise ValidationException(
            message(
                "{problem}",
                problem=Term(
                    _describe_missing_field(row, name_or_index),
                    f"The field {name_or_index!r} needs a value of type ROW, but this one is "
                    f"{row.as_summary_string()}.",
                ),
            ),
            condition="INVALID_EXTRACT_BASE_FIELD_TYPE",
        )
    if isinstance(name_or_index, int):
        if not 0 <= name_or_index < len(row.fields):
            raise ValidationException(
                f"A row of {len(row.fields)} fields has no field at index {name_or_index}; the first has the index 0."
            )
        return row.fields[name_or_index]
    found = row.field_index(str(name_or_index))
    names = [field.name for field in row.fields]
    if len(found) != 1:
        problem = "has no field" if not found else f"has {len(found)} fields"
        raise ValidationException(
            f"The row {problem} {str(name_or_index)!r}; its fields are [{listing(names)}]."
            + (did_you_mean(str(name_or_index), names) if not found else " Get it by its index."),
            condition="AMBIGUOUS_REFERENCE_TO_FIELDS" if found else "FIELD_NOT_FOUND",
        )
    return row.fields[found[0]]


def _rows_of(given: LogicalType, name_or_index: object) -> LogicalType:
    """Return the row type that has the field: for a name, also the element type of an array."""
    if isinstance(given, t.ArrayType) and isinstance(given.element, t.RowType) and isinstance(name_or_index, str):
        return given.element
    return given


def _get_types(context: CallContext) -> tuple[LogicalType, ...] | None:
    given, name = context.argument_types[0], context.literal_value(1)
    if isinstance(given, t.MapType) and isinstance(name, str):
        return _infer_access_inputs(context)
    if isinstance(given, t.NullType) and isinstance(name, str):
        return context.argument_types
    field_of(_rows_of(given, name), name)
    return context.argument_types


def _get_result(context: CallContext) -> LogicalType | None:
    given, name = context.argument_types[0], context.literal_value(1)
    if isinstance(given, t.MapType):
        return _infer_accessed_type(context)
    if isinstance(given, t.NullType):
        return t.NULL
    row = _rows_of(given, name)
    found = field_of(row, name).data_type
    found = found.with_nullability(found.nullable or row.nullable)
    return found if row is given else t.ArrayType(found, nullable=given.nullable)


def _get_by_name(arguments: tuple[ResolvedExpression, ...], call: Construct) -> ResolvedExpression | None:
    """Return the access by the declared name of the field, None if the call already uses that name."""
    row, found = arguments
    assert isinstance(found, ValueLiteral)
    if isinstance(row.data_type, t.NullType):
        return None
    if isinstance(row.data_type, t.MapType):
        return call(AT, arguments)
    rows = _rows_of(row.data_type, found.value)
    declared = field_of(rows, found.value).name
    if declared == found.value:
        return None
    field_of(rows, declared)
    return call(GET, (row, literal(declared)))


GET = scalar(
    "get",
    Computed(2, 2, "ROW", _get_types, ("<ROW>, <field name>",), (ANY, Literal(STRING))),
    ComputedResult(_get_result),
    sql=".",
    syntax=special(OwnSyntax.FIELD),
    canonical=_get_by_name,
    doc="A field of a row, that field of each row of an array, or the value of a map's key.",
    example=("NAMED_STRUCT('a', 1).`a`", "1"),
    can_fail=lambda arguments: isinstance(arguments[0].data_type, t.ArrayType),
    collating=CollationRules(unites=False, result=CollationOf.FIELD),
)


def row_of_values(
    arguments: Sequence[ResolvedExpression], call: Construct, names: Sequence[str | None] | None = None
) -> ResolvedExpression:
    """Return the row of some values, named by ``names``, otherwise by column or field, otherwise by number."""
    fields: list[ResolvedExpression] = []
    for number, value in enumerate(arguments, 1):
        given = None if names is None else names[number - 1]
        if given is not None:
            name: ResolvedExpression = literal(given)
        elif isinstance(value, Call) and value.function is GET:
            name = value.arguments[1]
        else:
            name = literal(value.name if isinstance(value, (FieldReference, LambdaVariable)) else f"col{number}")
        fields += [name, value]
    return call(ROW, fields)


STRUCT = scalar(
    "struct",
    varying(ANY, least=0),
    ComputedResult(lambda context: t.RowType((), nullable=False)),
    sql="STRUCT",
    canonical=row_of_values,
    doc="A row of the values. A value that is a column or a field gives its name to its field; the other fields are "
    "named col and their number.",
    example=("STRUCT(1, 'a')", "(1, 'a')"),
    read_as=OwnSyntax.STRUCT,
)


CARDINALITY = scalar(
    "cardinality",
    positional(Family("ARRAY or MAP", (t.ArrayType, t.MapType, t.NullType))),
    nullable_if_arguments(t.INT),
    sql="CARDINALITY",
    also=("size",),
    fluent=as_property("cardinality"),
    doc="The number of elements of an array or of entries of a map.",
    example=("CARDINALITY(ARRAY(1, 2))", "2"),
)
