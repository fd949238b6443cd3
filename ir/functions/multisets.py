"""Flink's multisets, represented as maps from each value to its count: Spark lacks the type."""

from __future__ import annotations

from ir import types as t
from ir.calls import construct as call
from ir.casts import is_orderable
from ir.expressions import ResolvedExpression
from ir.functions.aggregate import ARRAY_AGG
from ir.functions.arithmetic import MINUS, PLUS
from ir.functions.arrays import ARRAY_COMPACT, ARRAY_GET, SORT_ARRAY
from ir.functions.builder import aggregate, as_property, on_spark
from ir.functions.collection import CARDINALITY, ITEM, ROW
from ir.functions.comparison import IS_DISTINCT_FROM
from ir.functions.higher_order import TRANSFORM
from ir.functions.let_bindings import bind_value, function
from ir.functions.logic import CASE, COALESCE
from ir.functions.maps import MAP_FROM_ENTRIES
from ir.inference import CallContext
from ir.inference.arguments import ANY
from ir.inference.inputs import positional
from ir.inference.results import Computed
from ir.literals import literal
from ir.types import LogicalType


def _element(array: ResolvedExpression) -> LogicalType:
    assert isinstance(array.data_type, t.ArrayType)
    return array.data_type.element


def _count_values(values: ResolvedExpression) -> ResolvedExpression:
    """Return a map from each value in an array to its count, from a single pass over the sorted array."""
    index = t.INT.not_null()

    def places_of_first(array: ResolvedExpression) -> ResolvedExpression:
        def place(value: ResolvedExpression, at: ResolvedExpression) -> ResolvedExpression:
            before = call(ARRAY_GET, (array, call(MINUS, (at, literal(1)))))
            return call(CASE, (call(IS_DISTINCT_FROM, (value, before)), at))

        return call(ARRAY_COMPACT, (call(TRANSFORM, (array, function(place, value=_element(array), at=index))),))

    def of_sorted(array: ResolvedExpression) -> ResolvedExpression:
        def of_places(places: ResolvedExpression) -> ResolvedExpression:
            def entry(first: ResolvedExpression, at: ResolvedExpression) -> ResolvedExpression:
                following = call(ARRAY_GET, (places, call(PLUS, (at, literal(1)))))
                end = call(COALESCE, (following, call(CARDINALITY, (array,))))
                count = call(MINUS, (end, first))
                return call(ROW, (literal("value"), call(ITEM, (array, first)), literal("count"), count))

            return call(
                MAP_FROM_ENTRIES, (call(TRANSFORM, (places, function(entry, first=_element(places), at=index))),)
            )

        return bind_value(places_of_first(array), of_places, "places")

    return bind_value(call(SORT_ARRAY, (values,)), of_sorted, "sorted")


class _Countable:
    """A value of an orderable type, so that sorting groups equal values."""

    def infer_argument(self, context: CallContext, position: int) -> LogicalType | None:
        given = ANY.infer_argument(context, position)
        return None if given is None or isinstance(given, t.NullType) or not is_orderable(given) else given

    def describe(self) -> str:
        return "<COMPARABLE>"


COLLECT = aggregate(
    "collect",
    positional(_Countable(), names="value"),
    Computed(lambda context: _multiset(context)),
    sql="COLLECT",
    fluent=as_property("collect"),
    spark_form=on_spark(_count_values, t.INT, over=ARRAY_AGG),
    in_flink=False,
    difference="Flink's result is a MULTISET, which no function of Flink accepts; here it is a MAP.",
    doc="A map from each distinct value that is not NULL to the number of its occurrences.",
    example=("COLLECT(x) FROM VALUES (1), (2), (2), (NULL) AS t(x)", "{1 -> 1, 2 -> 2}"),
)


def _multiset(context: CallContext) -> LogicalType:
    return t.MapType(context.argument_types[0].not_null(), t.INT.not_null())
