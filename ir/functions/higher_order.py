"""Higher-order functions, which call lambdas with the elements of arrays and the entries of maps."""

from __future__ import annotations

from collections.abc import Callable

from ir import light_attrs as attrs
from ir import types as t
from ir.casts import (
    can_be_key,
    differ_at_most_in_field_names,
    forces_null,
    is_orderable,
    least_common_type,
    nullable_throughout,
)
from ir.functions.builder import scalar
from ir.functions.definition import Mismatch, Shown
from ir.inference import CallContext
from ir.inference.arguments import ANY, Family
from ir.inference.inputs import Computed, positional
from ir.inference.lambdas import LambdaArgument, Parameters
from ir.inference.results import Argument, nullable_if_arguments
from ir.inference.results import Computed as ComputedResult
from ir.inference.type_inference import ArgumentTypeStrategy, TypeStrategy
from ir.types import LogicalType

ARRAY_ARGUMENT = Family("ARRAY", (t.ArrayType,))
MAP_ARGUMENT = Family("MAP", (t.MapType,))
# Only NULL is cast to the type that a lambda must return.
CONDITION = Family("BOOLEAN", (t.BooleanType, t.NullType))


def element_of(context: CallContext, position: int = 0) -> LogicalType:
    """Return the type of the elements of an array."""
    array = context.argument_types[position]
    assert isinstance(array, t.ArrayType)
    return array.element


def map_of(context: CallContext, position: int = 0) -> t.MapType:
    """Return the type of a map."""
    given = context.argument_types[position]
    assert isinstance(given, t.MapType)
    return given


def _element(context: CallContext) -> tuple[LogicalType, ...]:
    return (element_of(context),)


def _element_and_index(context: CallContext) -> tuple[LogicalType, ...]:
    return element_of(context), t.INT.not_null()


def _entry(context: CallContext) -> tuple[LogicalType, ...]:
    return map_of(context).key, map_of(context).value


def _lambda(
    parameters: Parameters, names: str, result: ArgumentTypeStrategy = ANY, optional: int = 0
) -> LambdaArgument:
    return LambdaArgument(parameters, tuple(names.split()), result, optional)


def _nullable_with(position: int, find: Callable[[CallContext], LogicalType]) -> TypeStrategy:
    """Return a strategy for the type from ``find``, nullable if the argument at a position is nullable."""
    return ComputedResult(lambda context: find(context).with_nullability(context.argument_types[position].nullable))


_OF_ELEMENT = _lambda(_element, "element")

TRANSFORM = scalar(
    "transform",
    positional(ARRAY_ARGUMENT, _lambda(_element_and_index, "element index", optional=1), names="array function"),
    _nullable_with(0, lambda context: t.ArrayType(context.argument_types[1])),
    sql="TRANSFORM",
    in_flink=False,
    doc="An array of the results of function for each element of array, or for each element and its index from 0.",
    example=("TRANSFORM(ARRAY(1, 2), x -> x + 1)", "[2, 3]"),
)
FILTER = scalar(
    "filter",
    positional(
        ARRAY_ARGUMENT,
        _lambda(_element_and_index, "element index", CONDITION, optional=1),
        names="array function",
    ),
    Argument(0),
    sql="FILTER",
    in_flink=False,
    doc="The elements of array for which function is TRUE; function takes the element, or the element and its index "
    "from 0.",
    example=("FILTER(ARRAY(1, 2, 3), x -> x > 1)", "[2, 3]"),
)
ARRAY_EXISTS = scalar(
    "arrayExists",
    positional(ARRAY_ARGUMENT, _lambda(_element, "element", CONDITION), names="array function"),
    nullable_if_arguments(t.BOOLEAN),
    sql="EXISTS",
    in_flink=False,
    doc="Whether function is TRUE for some element of array; NULL if it is TRUE for none and NULL for some.",
    example=("EXISTS(ARRAY(1, 2), x -> x > 1)", "TRUE"),
)
FORALL = scalar(
    "forall",
    positional(ARRAY_ARGUMENT, _lambda(_element, "element", CONDITION), names="array function"),
    nullable_if_arguments(t.BOOLEAN),
    sql="FORALL",
    in_flink=False,
    doc="Whether function is TRUE for all elements of array; NULL if it is FALSE for none and NULL for some.",
    example=("FORALL(ARRAY(1, 2), x -> x > 0)", "TRUE"),
)


def _accumulator(context: CallContext) -> LogicalType:
    # The lambda may return NULL, or a value that contains NULL, even if the start value does not.
    return nullable_throughout(context.argument_types[1])


@attrs.frozen
class _LikeStart:
    """The result of a merge, of the start's type, because the next merge takes it; NULL is cast to that type."""

    def infer_argument(self, context: CallContext, position: int) -> LogicalType | None:
        found = ANY.infer_argument(context, position)
        start = context.arguments[1].data_type
        if found is None or isinstance(found, t.NullType):
            return None if found is None else start.as_nullable()
        return found if differ_at_most_in_field_names(found, start) else None

    def describe(self) -> str:
        return "<type of start>"


AGGREGATE = scalar(
    "aggregate",
    positional(
        ARRAY_ARGUMENT,
        ANY,
        _lambda(lambda context: (_accumulator(context), element_of(context)), "accumulator element", _LikeStart()),
        _lambda(lambda context: (_accumulator(context),), "accumulator"),
        optional=1,
        names="array start merge finish",
    ),
    ComputedResult(
        lambda context: (
            _accumulator(context)
            if len(context) == 3
            else context.argument_types[3].with_nullability(
                context.argument_types[0].nullable or context.argument_types[3].nullable
            )
        )
    ),
    sql="AGGREGATE",
    also=("reduce",),
    in_flink=False,
    doc="The accumulator after merge has combined it, beginning with start, with each element of array in turn; with "
    "finish, the result of finish for it.",
    example=("AGGREGATE(ARRAY(1, 2, 3), 0, (sum, x) -> sum + x)", "6"),
    shown=Shown(
        defaults=(
            None,
            None,
            None,
            "lambdafunction(namedlambdavariable(), namedlambdavariable())",
        )
    ),
)
ZIP_WITH = scalar(
    "zip_with",
    positional(
        ARRAY_ARGUMENT,
        ARRAY_ARGUMENT,
        _lambda(
            lambda context: (element_of(context).as_nullable(), element_of(context, 1).as_nullable()), "left right"
        ),
        names="left right function",
    ),
    ComputedResult(
        lambda context: t.ArrayType(
            context.argument_types[2], nullable=any(given.nullable for given in context.argument_types[:2])
        )
    ),
    sql="ZIP_WITH",
    in_flink=False,
    doc="An array of the results of function for the elements of left and right at the same positions; the shorter "
    "array is extended with NULL.",
    example=("ZIP_WITH(ARRAY(1, 2), ARRAY(10, 20), (x, y) -> x + y)", "[11, 22]"),
)
MAP_FILTER = scalar(
    "map_filter",
    positional(MAP_ARGUMENT, _lambda(_entry, "key value", CONDITION), names="map function"),
    Argument(0),
    sql="MAP_FILTER",
    in_flink=False,
    doc="The entries of map for which function is TRUE.",
    example=("MAP_FILTER(MAP('a', 1, 'b', 2), (k, v) -> v > 1)", "{'b' -> 2}"),
)


def _common_key(context: CallContext) -> LogicalType | None:
    """Return the common key type of two maps, None if a cast would lose a key or parse a string."""
    left, right = map_of(context).key, map_of(context, 1).key
    common = (
        left if differ_at_most_in_field_names(left, right) else least_common_type((left, right), promote_strings=False)
    )
    if common is None or forces_null(left, common) or forces_null(right, common) or not is_orderable(common):
        return None
    return common


def _infer_zipped_entry(context: CallContext) -> tuple[LogicalType, ...] | None:
    key = _common_key(context)
    if key is None:
        return None
    return key.not_null(), map_of(context).value.as_nullable(), map_of(context, 1).value.as_nullable()


def _map_zip_with_types(context: CallContext) -> tuple[LogicalType, ...] | None:
    return None if _common_key(context) is None else context.argument_types


def _map_zip_with_result(context: CallContext) -> LogicalType | None:
    key = _common_key(context)
    nullable = any(given.nullable for given in context.argument_types[:2])
    return None if key is None else t.MapType(key, context.argument_types[2], nullable=nullable)


MAP_ZIP_WITH = scalar(
    "map_zip_with",
    Computed(
        3,
        3,
        "MAP",
        _map_zip_with_types,
        ("left <MAP>, right <MAP of a common key type>, function <(key, left, right) -> ANY>",),
        (MAP_ARGUMENT, MAP_ARGUMENT, _lambda(_infer_zipped_entry, "key left right")),
    ),
    ComputedResult(_map_zip_with_result),
    sql="MAP_ZIP_WITH",
    in_flink=False,
    doc="A map from each key of left or right to the result of function for the key and its two values; a missing "
    "value is NULL.",
    example=("MAP_ZIP_WITH(MAP('a', 1), MAP('a', 10), (k, x, y) -> x + y)", "{'a' -> 11}"),
    mismatch=Mismatch(together="MAP_ZIP_WITH_DIFF_TYPES"),
)
TRANSFORM_KEYS = scalar(
    "transform_keys",
    positional(MAP_ARGUMENT, _lambda(_entry, "key value"), names="map function"),
    ComputedResult(
        lambda context: (
            t.MapType(context.argument_types[1], map_of(context).value, nullable=map_of(context).nullable)
            if can_be_key(context.argument_types[1])
            else None
        )
    ),
    sql="TRANSFORM_KEYS",
    in_flink=False,
    doc="The map with each key replaced by the result of function; an error if a new key is NULL or repeated.",
    example=("TRANSFORM_KEYS(MAP('a', 1), (k, v) -> UPPER(k))", "{'A' -> 1}"),
)
TRANSFORM_VALUES = scalar(
    "transform_values",
    positional(MAP_ARGUMENT, _lambda(_entry, "key value"), names="map function"),
    _nullable_with(0, lambda context: t.MapType(map_of(context).key, context.argument_types[1])),
    sql="TRANSFORM_VALUES",
    in_flink=False,
    doc="The map with each value replaced by the result of function.",
    example=("TRANSFORM_VALUES(MAP('a', 1), (k, v) -> v + 1)", "{'a' -> 2}"),
)


@attrs.frozen
class _IntegerResult:
    """Exactly INT; no other type is cast to it."""

    def infer_argument(self, context: CallContext, position: int) -> LogicalType | None:
        found = ANY.infer_argument(context, position)
        return found if isinstance(found, t.IntType) else None

    def describe(self) -> str:
        return "<INT>"


def _sortable(context: CallContext) -> tuple[LogicalType, ...] | None:
    # Without a comparator, the elements themselves must be orderable.
    return context.argument_types if len(context) == 2 or is_orderable(element_of(context)) else None


# The default comparator, as Spark shows it in a generated column name.
_SHOWN_ORDER = (
    "lambdafunction((IF(((namedlambdavariable() IS NULL) AND (namedlambdavariable() IS NULL)), 0, "
    "(IF((namedlambdavariable() IS NULL), 1, (IF((namedlambdavariable() IS NULL), -1, "
    "(IF((namedlambdavariable() < namedlambdavariable()), -1, (IF((namedlambdavariable() > "
    "namedlambdavariable()), 1, 0)))))))))), namedlambdavariable(), namedlambdavariable())"
)
ARRAY_SORT = scalar(
    "array_sort",
    Computed(
        1,
        2,
        "ARRAY",
        _sortable,
        ("array <ARRAY of what has an order>", "array <ARRAY>, comparator <(left, right) -> INT>"),
        (ARRAY_ARGUMENT, _lambda(lambda context: (element_of(context),) * 2, "left right", _IntegerResult())),
    ),
    Argument(0),
    sql="ARRAY_SORT",
    doc="The elements of array in ascending order with NULL last, or in the order of comparator, which returns a "
    "negative number if left comes first, a positive number if right comes first, and 0 if neither does.",
    example=("ARRAY_SORT(ARRAY(2, 1), (x, y) -> y - x)", "[2, 1]"),
    difference="Flink's puts NULL first in ascending order, and has arguments for the direction, as SORT_ARRAY has "
    "here.",
    shown=Shown(defaults=(None, _SHOWN_ORDER)),
)
