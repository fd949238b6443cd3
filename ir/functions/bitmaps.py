"""Flink's bitmaps (sets of integers), represented as arrays: Spark lacks the type, and its own bitmaps are bytes.

An array represents the set of its elements other than NULL. The functions return arrays in the order of unsigned
integers, as Flink shows them.
"""

from __future__ import annotations

from collections.abc import Callable

from ir import types as t
from ir.calls import build_without_recognition
from ir.calls import construct as call
from ir.expressions import ResolvedExpression, TypeLiteral
from ir.functions.aggregate import ARRAY_AGG, COLLECT_SET
from ir.functions.arrays import (
    ARRAY_COMPACT,
    ARRAY_DISTINCT,
    ARRAY_EXCEPT,
    ARRAY_GET,
    ARRAY_INTERSECT,
    ARRAY_JOIN,
    ARRAY_UNION,
    FLATTEN,
    SORT_ARRAY,
)
from ir.functions.bitwise import BIT_AND, BIT_XOR
from ir.functions.builder import aggregate, as_method, as_property, on_spark, scalar
from ir.functions.collection import ARRAY, CARDINALITY
from ir.functions.comparison import GREATER_THAN
from ir.functions.conversion import CAST
from ir.functions.definition import FunctionDefinition
from ir.functions.higher_order import AGGREGATE, TRANSFORM
from ir.functions.let_bindings import bind_value, function
from ir.functions.logic import CASE
from ir.functions.string import CONCAT
from ir.inference import CallContext
from ir.inference.arguments import Family
from ir.inference.inputs import positional
from ir.inference.results import maybe_null, nullable_if_arguments
from ir.inference.type_inference import ArgumentTypeStrategy
from ir.literals import literal

_DIFFERENCE = "Flink's bitmap has the type BITMAP; here it is an array of INT, which array functions accept."


class _Bitmap:
    """An array of INT; no other type is cast to it."""

    def infer_argument(self, context: CallContext, position: int) -> t.LogicalType | None:
        given = context.argument_types[position]
        is_one = isinstance(given, t.ArrayType) and isinstance(given.element, t.IntType)
        return given if is_one else None

    def describe(self) -> str:
        return "<ARRAY<INT>>"


_BITMAP = _Bitmap()
_NUMBER = Family("INT", (t.IntType,))
_TYPE = t.ArrayType(t.INT)
_SIGN = literal(-(1 << 31))


def _numbers(array: ResolvedExpression) -> ResolvedExpression:
    return call(ARRAY_DISTINCT, (call(ARRAY_COMPACT, (array,)),))


def _sort_unsigned(array: ResolvedExpression) -> ResolvedExpression:
    """Sort the elements as unsigned integers: flip the sign bits, sort, and flip them back."""

    def turned(number: ResolvedExpression) -> ResolvedExpression:
        return call(BIT_XOR, (number, _SIGN))

    def of_each(values: ResolvedExpression) -> tuple[ResolvedExpression, ResolvedExpression]:
        assert isinstance(values.data_type, t.ArrayType)
        return values, function(turned, number=values.data_type.element)

    return build_without_recognition(TRANSFORM, of_each(call(SORT_ARRAY, (call(TRANSFORM, of_each(array)),))))


def _apply_unless_empty(
    collected: ResolvedExpression, make: Callable[[ResolvedExpression], ResolvedExpression]
) -> ResolvedExpression:
    """Apply ``make`` to the collected values of a group; the result is NULL if there are no values."""

    def of_some(values: ResolvedExpression) -> ResolvedExpression:
        are_some = call(GREATER_THAN, (call(CARDINALITY, (values,)), literal(0)))
        return call(CASE, (are_some, make(values)))

    return bind_value(collected, of_some)


def _count(bitmap: ResolvedExpression) -> ResolvedExpression:
    return call(CAST, (call(CARDINALITY, (_numbers(bitmap),)), TypeLiteral(t.BIGINT)))


def _unite_bitmaps(bitmaps: ResolvedExpression) -> ResolvedExpression:
    return call(FLATTEN, (bitmaps,))


def _intersect_bitmaps(bitmaps: ResolvedExpression) -> ResolvedExpression:
    def both(found: ResolvedExpression, bitmap: ResolvedExpression) -> ResolvedExpression:
        return call(ARRAY_INTERSECT, (found, bitmap))

    first = call(ARRAY_GET, (bitmaps, literal(0)))
    return call(AGGREGATE, (bitmaps, first, function(both, found=_TYPE, bitmap=_element(bitmaps))))


def _collect_odd_counts(bitmaps: ResolvedExpression) -> ResolvedExpression:
    """Return the numbers that occur in an odd number of bitmaps."""

    def either(found: ResolvedExpression, bitmap: ResolvedExpression) -> ResolvedExpression:
        return call(ARRAY_UNION, (call(ARRAY_EXCEPT, (found, bitmap)), call(ARRAY_EXCEPT, (bitmap, found))))

    empty = call(CAST, (call(ARRAY, ()), TypeLiteral(_TYPE)))
    return call(AGGREGATE, (bitmaps, empty, function(either, found=_TYPE, bitmap=_element(bitmaps))))


def _element(array: ResolvedExpression) -> t.LogicalType:
    assert isinstance(array.data_type, t.ArrayType)
    return array.data_type.element


_SORTED = t.ArrayType(t.INT.not_null())

BITMAP_BUILD = scalar(
    "BITMAP_BUILD",
    positional(_BITMAP, names="numbers"),
    nullable_if_arguments(_SORTED),
    sql="BITMAP_BUILD",
    spark_form=on_spark(lambda numbers: _sort_unsigned(_numbers(numbers)), _TYPE),
    in_flink=False,
    difference=_DIFFERENCE,
    fluent=as_method("bitmap_build"),
    doc="The bitmap of the numbers: an array in the order of unsigned integers.",
    example=("BITMAP_BUILD(ARRAY(2, -1, 1, 2))", "[1, 2, -1]"),
)
BITMAP_TO_ARRAY = scalar(
    "BITMAP_TO_ARRAY",
    positional(_BITMAP, names="bitmap"),
    nullable_if_arguments(_SORTED),
    sql="BITMAP_TO_ARRAY",
    canonical=lambda arguments, call: call(BITMAP_BUILD, arguments),
    in_spark=False,
    in_flink=False,
    fluent=as_method("bitmap_to_array"),
    doc="The numbers in bitmap, in the order of unsigned integers.",
    example=("BITMAP_TO_ARRAY(BITMAP_BUILD(ARRAY(2, 1)))", "[1, 2]"),
)
BITMAP_CARDINALITY = scalar(
    "BITMAP_CARDINALITY",
    positional(_BITMAP, names="bitmap"),
    nullable_if_arguments(t.BIGINT),
    sql="BITMAP_CARDINALITY",
    canonical=lambda arguments, call: _count(arguments[0]),
    in_spark=False,
    in_flink=False,
    fluent=as_method("bitmap_cardinality"),
    doc="The number of distinct numbers in bitmap.",
    example=("BITMAP_CARDINALITY(BITMAP_BUILD(ARRAY(1, 2, 2)))", "2"),
)


def _write_bitmap(bitmap: ResolvedExpression) -> ResolvedExpression:
    def unsigned(number: ResolvedExpression) -> ResolvedExpression:
        return call(BIT_AND, (number, literal((1 << 32) - 1)))

    numbers = _numbers(bitmap)
    without_sign = call(TRANSFORM, (numbers, function(unsigned, number=_element(numbers))))
    return call(
        CONCAT,
        (literal("{"), call(ARRAY_JOIN, (call(SORT_ARRAY, (without_sign,)), literal(","))), literal("}")),
    )


BITMAP_TO_STRING = scalar(
    "BITMAP_TO_STRING",
    positional(_BITMAP, names="bitmap"),
    nullable_if_arguments(t.STRING),
    sql="BITMAP_TO_STRING",
    canonical=lambda arguments, call: _write_bitmap(arguments[0]),
    in_spark=False,
    in_flink=False,
    fluent=as_method("bitmap_to_string"),
    doc="The numbers in bitmap, as a string of unsigned integers.",
    example=("BITMAP_TO_STRING(BITMAP_BUILD(ARRAY(2, -1)))", "'{2,4294967295}'"),
)


def _define_binary(name: str, make: Callable[..., ResolvedExpression], doc: str, result: str) -> FunctionDefinition:
    return scalar(
        f"BITMAP_{name}",
        positional(_BITMAP, _BITMAP, names="bitmap1 bitmap2"),
        nullable_if_arguments(_SORTED),
        sql=f"BITMAP_{name}",
        canonical=lambda arguments, call: call(BITMAP_BUILD, (make(*arguments),)),
        in_spark=False,
        in_flink=False,
        fluent=as_method(f"bitmap_{name.lower()}", "bitmap2"),
        doc=doc,
        example=(f"BITMAP_{name}(ARRAY(1, 2), ARRAY(2, 3))", result),
    )


BITMAP_AND = _define_binary("AND", lambda a, b: call(ARRAY_INTERSECT, (a, b)), "The numbers in both bitmaps.", "[2]")
BITMAP_OR = _define_binary(
    "OR", lambda a, b: call(ARRAY_UNION, (a, b)), "The numbers in bitmap1, bitmap2 or both.", "[1, 2, 3]"
)
BITMAP_ANDNOT = _define_binary(
    "ANDNOT", lambda a, b: call(ARRAY_EXCEPT, (a, b)), "The numbers in bitmap1 that are not in bitmap2.", "[1]"
)
BITMAP_XOR = _define_binary(
    "XOR",
    lambda a, b: _collect_odd_counts(call(ARRAY, (a, b))),
    "The numbers in exactly one of two bitmaps.",
    "[1, 3]",
)


def _define_aggregate(
    name: str,
    given: ArgumentTypeStrategy,
    over: FunctionDefinition,
    make: Callable[[ResolvedExpression], ResolvedExpression],
    doc: str,
    result: str,
) -> FunctionDefinition:
    rows = "(1), (2), (2)" if given is _NUMBER else "(ARRAY(1, 2)), (ARRAY(2, 3))"
    counts = "CARDINALITY" in name
    finish = _count if counts else lambda numbers: call(BITMAP_BUILD, (numbers,))
    return aggregate(
        f"BITMAP_{name}_AGG",
        positional(given, names="number" if given is _NUMBER else "bitmap"),
        maybe_null(t.BIGINT if counts else _SORTED),
        sql=f"BITMAP_{name}_AGG",
        spark_form=on_spark(
            lambda collected: _apply_unless_empty(collected, lambda values: finish(make(values))),
            t.INT if given is _NUMBER else _TYPE,
            over=over,
        ),
        in_flink=False,
        difference=_DIFFERENCE,
        fluent=as_property(f"bitmap_{name.lower()}_agg"),
        doc=f"{doc}; NULL if there are none.",
        example=(f"BITMAP_{name}_AGG(x) FROM VALUES {rows} AS t(x)", result),
    )


BITMAP_BUILD_AGG = _define_aggregate(
    "BUILD", _NUMBER, COLLECT_SET, lambda values: values, "The bitmap of the numbers in all rows", "[1, 2]"
)
BITMAP_BUILD_CARDINALITY_AGG = _define_aggregate(
    "BUILD_CARDINALITY", _NUMBER, COLLECT_SET, lambda values: values, "The number of distinct numbers in all rows", "2"
)
BITMAP_OR_CARDINALITY_AGG = _define_aggregate(
    "OR_CARDINALITY", _BITMAP, ARRAY_AGG, _unite_bitmaps, "The number of distinct numbers in any of the bitmaps", "3"
)
BITMAP_AND_CARDINALITY_AGG = _define_aggregate(
    "AND_CARDINALITY",
    _BITMAP,
    ARRAY_AGG,
    _intersect_bitmaps,
    "The number of distinct numbers in all of the bitmaps",
    "1",
)
BITMAP_XOR_AGG = _define_aggregate(
    "XOR", _BITMAP, ARRAY_AGG, _collect_odd_counts, "The numbers in an odd number of bitmaps", "[1, 3]"
)
BITMAP_XOR_CARDINALITY_AGG = _define_aggregate(
    "XOR_CARDINALITY",
    _BITMAP,
    ARRAY_AGG,
    _collect_odd_counts,
    "The number of distinct numbers in an odd number of bitmaps",
    "2",
)
