"""Functions of maps."""

from __future__ import annotations

from ir import types as t
from ir.casts import apply_collation, can_be_key, is_orderable, least_common_type
from ir.functions.arrays import ARRAY
from ir.functions.builder import as_function, as_method, as_property, scalar
from ir.functions.definition import CollationRules, Mismatch, Shown
from ir.inference import CallContext
from ir.inference.arguments import ANY, Family, pattern, searchable_string
from ir.inference.inputs import Computed, cast_to, positional
from ir.inference.results import Computed as ComputedResult
from ir.inference.results import NullableIfArguments, maybe_null
from ir.types import LogicalType

Types = tuple[LogicalType, ...]

# NULL is accepted as a map of NULLs.
MAP = Family("MAP", (t.MapType,), (t.MapType(t.NULL, t.NULL),))
# Only NULL is cast to a string.
_TEXT = Family("STRING", (t.CharacterType, t.NullType))
_MAP_ONLY = Family("MAP", (t.MapType,))
_ARRAY_ONLY = Family("ARRAY", (t.ArrayType,))


def _map(context: CallContext, position: int = 0) -> t.MapType:
    given = context.argument_types[position]
    assert isinstance(given, t.MapType), given
    return given


def _array_of(element: LogicalType, like: LogicalType) -> t.ArrayType:
    return t.ArrayType(element, nullable=like.nullable)


MAP_KEYS = scalar(
    "MAP_KEYS",
    positional(MAP, names="map"),
    ComputedResult(lambda context: _array_of(_map(context).key.as_nullable(), _map(context))),
    sql="MAP_KEYS",
    fluent=as_property("map_keys"),
    doc="The keys of map, as an array in no guaranteed order.",
    example=("MAP_KEYS(MAP('a', 1))", "['a']"),
)
MAP_VALUES = scalar(
    "MAP_VALUES",
    positional(MAP, names="map"),
    ComputedResult(lambda context: _array_of(_map(context).value.as_nullable(), _map(context))),
    sql="MAP_VALUES",
    fluent=as_property("map_values"),
    doc="The values of map, as an array in the order of MAP_KEYS.",
    example=("MAP_VALUES(MAP('a', 1))", "[1]"),
)


def _entries(context: CallContext) -> LogicalType:
    given = _map(context)
    entry = t.RowType((t.RowField("key", given.key.not_null()), t.RowField("value", given.value)), nullable=False)
    return _array_of(entry, given)


MAP_ENTRIES = scalar(
    "MAP_ENTRIES",
    positional(MAP, names="map"),
    ComputedResult(_entries),
    sql="MAP_ENTRIES",
    fluent=as_property("map_entries"),
    doc="The entries of map, as an array of rows of key and value.",
    example=("MAP_ENTRIES(MAP('a', 1))", "[('a', 1)]"),
)


def _infer_from_arrays(context: CallContext) -> LogicalType | None:
    keys, values = context.argument_types
    if not isinstance(keys, t.ArrayType) or not isinstance(values, t.ArrayType) or not can_be_key(keys.element):
        return None
    return t.MapType(keys.element, values.element, nullable=keys.nullable or values.nullable)


MAP_FROM_ARRAYS = scalar(
    "MAP_FROM_ARRAYS",
    positional(ARRAY, ARRAY, names="keys values"),
    ComputedResult(_infer_from_arrays),
    sql="MAP_FROM_ARRAYS",
    fluent=as_function("map_from_arrays", "key value"),
    doc="A map from the elements of keys to the elements of values at the same positions; an error if a key is NULL or "
    "repeated, or if the lengths differ.",
    example=("MAP_FROM_ARRAYS(ARRAY('a', 'b'), ARRAY(1, 2))", "{'a' -> 1, 'b' -> 2}"),
    difference="For a repeated key, Flink takes the last value; here it is an error.",
    can_fail=True,
)


def _is_entries(given: LogicalType) -> bool:
    if not isinstance(given, t.ArrayType) or not isinstance(given.element, t.RowType):
        return False
    fields = given.element.fields
    return len(fields) == 2 and can_be_key(fields[0].data_type)


def _infer_from_entries(context: CallContext) -> LogicalType:
    given = context.argument_types[0]
    assert isinstance(given, t.ArrayType)
    assert isinstance(given.element, t.RowType)
    key, value = given.element.fields
    return t.MapType(key.data_type, value.data_type, nullable=given.nullable or given.element.nullable)


MAP_FROM_ENTRIES = scalar(
    "map_from_entries",
    Computed(
        1,
        1,
        "ARRAY of ROW",
        lambda context: context.argument_types if _is_entries(context.argument_types[0]) else None,
        ("entries <ARRAY of ROW of key and value>",),
        (_ARRAY_ONLY,),
    ),
    ComputedResult(_infer_from_entries),
    sql="MAP_FROM_ENTRIES",
    in_flink=False,
    doc="A map of the given entries, which are rows of key and value; an error if a key is NULL or repeated.",
    example=("MAP_FROM_ENTRIES(ARRAY(NAMED_STRUCT('k', 'a', 'v', 1)))", "{'a' -> 1}"),
    can_fail=True,
)


def _concat_types(context: CallContext) -> Types | None:
    given = context.argument_types
    if not given:
        return ()
    if not all(isinstance(one, t.MapType) for one in given):
        return None
    common = least_common_type(given)
    return None if common is None else tuple([cast_to(one, common) for one in given])


def _concat_result(context: CallContext) -> LogicalType:
    if not len(context):
        return t.MapType(t.STRING, t.STRING, nullable=False)
    merged = least_common_type(context.argument_types)
    assert merged is not None
    return merged.with_nullability(any(given.nullable for given in context.argument_types))


MAP_CONCAT = scalar(
    "map_concat",
    Computed(0, None, "MAP", _concat_types, ("<MAP>...",), rest=_MAP_ONLY),
    ComputedResult(_concat_result),
    sql="MAP_CONCAT",
    in_flink=False,
    doc="A map of the entries of all maps; an error if a key is repeated.",
    example=("MAP_CONCAT(MAP('a', 1), MAP('b', 2))", "{'a' -> 1, 'b' -> 2}"),
    mismatch=Mismatch(alone="MAP_CONCAT_DIFF_TYPES", together="MAP_CONCAT_DIFF_TYPES"),
)


def _key_types(context: CallContext) -> Types | None:
    given, key = context.argument_types
    if not isinstance(given, t.MapType) or isinstance(key, t.NullType):
        return None
    common = least_common_type((given.key, key), promote_strings=False)
    if common is None or not is_orderable(common):
        return None
    return t.MapType(cast_to(given.key, common), given.value, nullable=given.nullable), cast_to(key, common)


MAP_CONTAINS_KEY = scalar(
    "map_contains_key",
    Computed(2, 2, "MAP", _key_types, ("map <MAP>, key <ANY>",), (_MAP_ONLY, ANY)),
    maybe_null(t.BOOLEAN),
    sql="MAP_CONTAINS_KEY",
    in_flink=False,
    doc="Whether map contains key.",
    example=("MAP_CONTAINS_KEY(MAP('a', 1), 'a')", "TRUE"),
    mismatch=Mismatch(alone="MAP_FUNCTION_DIFF_TYPES", together="MAP_FUNCTION_DIFF_TYPES"),
)


def _texts(context: CallContext) -> t.LogicalType:
    """Return the type of a map of strings in the common collation of the call, even if the first string is NULL."""
    collations = [given.collation for given in context.argument_types if isinstance(given, t.StringType)]
    made = t.MapType(t.STRING, t.STRING)
    return apply_collation(made, collations[0]) if collations else made


STR_TO_MAP = scalar(
    "STR_TO_MAP",
    positional(*[searchable_string(pattern(_TEXT))] * 3, optional=2, names="text pair_delimiter key_value_delimiter"),
    NullableIfArguments(ComputedResult(_texts)),
    sql="STR_TO_MAP",
    in_flink=False,
    fluent=as_method("str_to_map", "list_delimiter? key_value_delimiter?"),
    doc="A map of the entries in text, which pair_delimiter separates, by default a comma; key_value_delimiter, by "
    "default a colon, separates key and value.",
    example=("STR_TO_MAP('a:1,b:2')", "{'a' -> '1', 'b' -> '2'}"),
    difference="Flink's default delimiter between key and value is = instead of a colon.",
    collating=CollationRules(are_texts=True, expected=3),
    shown=Shown(defaults=(None, ",", ":")),
)
