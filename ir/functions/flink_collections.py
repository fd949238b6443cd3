"""Collection functions that Flink has and Spark lacks, with Flink's semantics."""

from __future__ import annotations

from ir import calls
from ir import types as t
from ir.casts import differ_at_most_in_nullability, least_common_type, nullable_throughout
from ir.expressions import ResolvedExpression, TypeLiteral, ValueLiteral
from ir.functions import arrays, collection, conversion, string
from ir.functions.builder import as_method, as_property, on_spark, scalar
from ir.functions.comparison import GREATER_THAN
from ir.functions.context import RAISE_ERROR
from ir.functions.definition import Construct
from ir.functions.let_bindings import bind_value
from ir.functions.logic import CASE
from ir.inference import CallContext
from ir.inference.arguments import Family
from ir.inference.inputs import Computed, positional
from ir.inference.results import Argument, Nullable
from ir.inference.results import Computed as ComputedResult
from ir.literals import literal
from ir.types import LogicalType

_ARRAY = Family("ARRAY", (t.ArrayType,))
_MAP = Family("MAP", (t.MapType,))


def _infer_concatenation_inputs(context: CallContext) -> tuple[LogicalType, ...] | None:
    arrays_only = all(isinstance(given, t.ArrayType) for given in context.argument_types)
    return context.argument_types if arrays_only and least_common_type(context.argument_types) else None


ARRAY_CONCAT = scalar(
    "ARRAY_CONCAT",
    Computed(1, None, "ARRAY", _infer_concatenation_inputs, ("<ARRAY>...",), rest=_ARRAY),
    Argument(0),
    sql="ARRAY_CONCAT",
    canonical=lambda arguments, call: call(string.CONCAT, arguments),
    in_spark=False,
    fluent=as_method("array_concat", "*arrays"),
    doc="The concatenation of arrays: Flink's name of CONCAT.",
    example=("CONCAT(ARRAY(1), ARRAY(2, 3))", "[1, 2, 3]"),
)
ARRAY_REVERSE = scalar(
    "ARRAY_REVERSE",
    positional(_ARRAY, names="array"),
    Argument(0),
    sql="ARRAY_REVERSE",
    canonical=lambda arguments, call: call(arrays.REVERSE, arguments),
    in_spark=False,
    fluent=as_method("array_reverse"),
    doc="The elements of array in reverse order: Flink's name of REVERSE.",
    example=("REVERSE(ARRAY(1, 2))", "[2, 1]"),
)


def _build_slice(arguments: tuple[ResolvedExpression, ...], call: Construct) -> ResolvedExpression | None:
    """Return SLICE if the bounds are constants that count from the beginning; otherwise add a missing end."""
    array, start = arguments[:2]
    if any(isinstance(bound, ValueLiteral) and bound.is_null for bound in arguments[1:]):
        return ValueLiteral(None, nullable_throughout(array.data_type))
    end = arguments[2] if len(arguments) == 3 else None
    first = start.value if isinstance(start, ValueLiteral) else None
    if first is not None and first >= 0:
        first = max(first, 1)
        if end is None:
            return call(arrays.SLICE, (array, literal(first), literal(_MOST - first)))
        if isinstance(end, ValueLiteral) and end.value is not None and end.value >= 0:
            # A bound of 0 means the first element.
            length = max(max(end.value, 1) - first + 1, 0)
            return call(arrays.SLICE, (array, literal(first), literal(length)))
    return call(ARRAY_SLICE, (array, start, literal(-1))) if end is None else None


_MOST = 2**31 - 1

ARRAY_SLICE = scalar(
    "ARRAY_SLICE",
    positional(_ARRAY, arrays.SMALL, arrays.SMALL, optional=1, names="array start end"),
    Nullable(Argument(0)),
    sql="ARRAY_SLICE",
    canonical=_build_slice,
    in_spark=False,
    fluent=as_method("array_slice", "start_offset end_offset?"),
    doc="The elements of array from position start to end, both included, counted from 1 or, if negative, backward.",
    example=("SLICE(ARRAY(1, 2, 3), 1, 2)", "[1, 2]"),
)


def _cast_to_one_type(arguments: tuple[ResolvedExpression, ...], call: Construct) -> ResolvedExpression | None:
    if len(arguments) == 1:
        return arguments[0]
    types = [argument.data_type for argument in arguments]
    common = least_common_type(types)
    if common is None or all(differ_at_most_in_nullability(given, common) for given in types):
        return None
    target = TypeLiteral(nullable_throughout(common))
    casts = [
        argument
        if differ_at_most_in_nullability(argument.data_type, common)
        else call(conversion.CAST, (argument, target))
        for argument in arguments
    ]
    return call(MAP_UNION, casts)


def _union_types(context: CallContext) -> tuple[LogicalType, ...] | None:
    maps_only = all(isinstance(given, t.MapType) for given in context.argument_types)
    return context.argument_types if maps_only and least_common_type(context.argument_types) else None


def _union_result(context: CallContext) -> LogicalType | None:
    common = least_common_type(context.argument_types)
    return None if common is None else nullable_throughout(common)


MAP_UNION = scalar(
    "MAP_UNION",
    Computed(1, None, "MAP", _union_types, ("<MAP>...",), rest=_MAP),
    ComputedResult(_union_result),
    sql="MAP_UNION",
    canonical=_cast_to_one_type,
    in_spark=False,
    fluent=as_method("map_union", "*maps"),
    doc="A map of the entries of all maps, with the last value of a repeated key; NULL if one of the maps is NULL.",
    example=("MAP_CONCAT(MAP('a', 1), MAP('b', 2))", "{'a' -> 1, 'b' -> 2}"),
)


def _element(array: ResolvedExpression) -> ResolvedExpression:
    """Return the only element of an array; more elements raise an error."""

    def only(value: ResolvedExpression) -> ResolvedExpression:
        are_more = calls.construct(GREATER_THAN, (calls.construct(collection.CARDINALITY, (value,)), literal(1)))
        failure = calls.construct(RAISE_ERROR, (literal("ELEMENT: the array has more than one element."),))
        return calls.construct(CASE, (are_more, failure, calls.construct(arrays.ARRAY_GET, (value, literal(0)))))

    return bind_value(array, only)


def _element_of(context: CallContext) -> LogicalType:
    (array,) = context.argument_types
    assert isinstance(array, t.ArrayType)
    return array.element


ELEMENT = scalar(
    "element",
    positional(_ARRAY, names="array"),
    ComputedResult(lambda context: _element_of(context).as_nullable()),
    sql="ELEMENT",
    fluent=as_property("element"),
    spark_form=on_spark(_element, t.ArrayType(t.INT)),
    doc="The only element of array; NULL if array is empty, and an error if it has several elements.",
    example=("ELEMENT(ARRAY(5))", "5"),
)
