"""Aggregate functions: counts, sums, means, extremes, first and last values, lists, conditions and bits."""

from __future__ import annotations

from ir import types as t
from ir.casts import (
    ANY_FAMILY,
    INTEGRAL_FAMILY,
    NUMERIC_FAMILY,
    TypeFamily,
    cast_is_nullable,
    implicit_cast,
    is_orderable,
)
from ir.functions.builder import aggregate, as_function, as_method, as_property
from ir.functions.definition import Mismatch, Shown, WithinGroup
from ir.inference import CallContext
from ir.inference.arguments import (
    ANY,
    BOOLEAN,
    TRUE_OR_FALSE,
    Explicit,
    Family,
    Implicit,
    OneOf,
    literal_where,
    uncollated,
)
from ir.inference.inputs import AnyOf, positional, varying
from ir.inference.results import Argument, Computed, Nullable, maybe_null, never_null
from ir.types import LogicalType

# --- argument types --------------------------------------------------------------------------------------------------

VALUE = Implicit("ANY", (ANY_FAMILY,))
_INTERVALS = TypeFamily("INTERVAL", (t.IntervalType,), t.NULL, from_string=False)
DOUBLE = Explicit(t.DOUBLE)
INTEGRAL = Implicit("INTEGRAL_NUMERIC", (INTEGRAL_FAMILY,))


class _Summable:
    """Numbers and intervals; timestamps count as their seconds, strings as DOUBLE."""

    def infer_argument(self, context: CallContext, position: int) -> LogicalType | None:
        given = VALUE.infer_argument(context, position)
        if isinstance(given, t.LocalZonedTimestampType):
            return t.DOUBLE.with_nullability(cast_is_nullable(given, t.DOUBLE))
        return None if given is None else implicit_cast(given, (NUMERIC_FAMILY, _INTERVALS))

    def describe(self) -> str:
        return "<NUMERIC or INTERVAL>"


class _Ordered:
    """A value of an orderable type."""

    def infer_argument(self, context: CallContext, position: int) -> LogicalType | None:
        given = VALUE.infer_argument(context, position)
        return given if given is not None and is_orderable(given) else None

    def describe(self) -> str:
        return "<COMPARABLE>"


class _Groupable:
    """A value of a groupable type."""

    def infer_argument(self, context: CallContext, position: int) -> LogicalType | None:
        given = VALUE.infer_argument(context, position)
        return None if given is None or _holds_map(given) else given

    def describe(self) -> str:
        return "<ANY but MAP>"


class _ArrayOfGroupable:
    """An array of groupable elements."""

    def infer_argument(self, context: CallContext, position: int) -> LogicalType | None:
        given = VALUE.infer_argument(context, position)
        return given if isinstance(given, t.ArrayType) and not _holds_map(given.element) else None

    def describe(self) -> str:
        return "<ARRAY>"


def _holds_map(data_type: LogicalType) -> bool:
    return isinstance(data_type, t.MapType) or any(map(_holds_map, data_type.children))


_NUMBER = positional(_Summable(), names="value")
COMPARABLE = _Ordered()

# --- result types ----------------------------------------------------------------------------------------------------

_SUM_DIGITS = 10
_AVERAGE_DIGITS = 4


def _widen(decimal: t.DecimalType, digits: int, fraction_digits: int) -> t.DecimalType:
    return t.DecimalType(
        min(decimal.precision + digits, t.MAX_DECIMAL_PRECISION),
        min(decimal.scale + fraction_digits, t.MAX_DECIMAL_PRECISION),
    )


def _sum(context: CallContext) -> LogicalType:
    summed = context.argument_types[0]
    if isinstance(summed, t.DecimalType):
        return _widen(summed, _SUM_DIGITS, 0)
    if isinstance(summed, t.IntegralType):
        return t.BIGINT
    return t.DOUBLE if isinstance(summed, t.NumericType) else summed.as_nullable()


def average_of(averaged: LogicalType) -> LogicalType:
    """Return the type of AVG over values of a type."""
    if isinstance(averaged, t.DecimalType):
        return _widen(averaged, _AVERAGE_DIGITS, _AVERAGE_DIGITS)
    return type(averaged)() if isinstance(averaged, t.IntervalType) else t.DOUBLE


def _list(context: CallContext) -> LogicalType:
    # NULL is not collected, so the elements are never NULL.
    element = context.argument_types[0]
    # With RESPECT NULLS, Spark treats the elements as nullable whatever the values are.
    return t.ArrayType(element.as_nullable() if context.respect_nulls else element.not_null(), nullable=False)


def _union(context: CallContext) -> LogicalType:
    array = context.argument_types[0]
    assert isinstance(array, t.ArrayType)
    element = array.element
    return t.ArrayType(element.as_nullable() if context.respect_nulls else element.not_null(), nullable=False)


SUM_TYPE = Computed(_sum)
AVERAGE_TYPE = Computed(lambda context: average_of(context.argument_types[0]))
_LIKE_FIRST = Nullable(Argument(0))

# --- counts, sums, means ---------------------------------------------------------------------------------------------

COUNT = aggregate(
    "count",
    varying(VALUE, names="value"),
    never_null(t.BIGINT),
    sql="COUNT",
    fluent=as_property("count"),
    doc="The number of rows in which no argument is NULL.",
    example=("COUNT(x) FROM VALUES (1), (NULL), (3) AS t(x)", "2"),
    in_any_order=True,
)
COUNT_IF = aggregate(
    "count_if",
    positional(BOOLEAN, names="condition"),
    never_null(t.BIGINT),
    sql="COUNT_IF",
    fluent=as_property("count_if"),
    in_flink=False,
    doc="The number of rows in which condition is TRUE.",
    example=("COUNT_IF(x > 1) FROM VALUES (1), (NULL), (3) AS t(x)", "1"),
)
SUM = aggregate(
    "sum",
    _NUMBER,
    SUM_TYPE,
    sql="SUM",
    fluent=as_property("sum"),
    doc="The sum of the values; NULL if there are none.",
    example=("SUM(x) FROM VALUES (1), (NULL), (3) AS t(x)", "4"),
    in_any_order=True,
)
TRY_SUM = aggregate(
    "try_sum",
    _NUMBER,
    SUM_TYPE,
    sql="TRY_SUM",
    fluent=as_property("try_sum"),
    in_flink=False,
    doc="The sum of the values; NULL if there are none or the sum is out of range.",
    example=("TRY_SUM(x) FROM VALUES (9223372036854775807), (1) AS t(x)", "NULL"),
)
AVG = aggregate(
    "avg",
    _NUMBER,
    AVERAGE_TYPE,
    sql="AVG",
    also=("MEAN",),
    fluent=as_property("avg"),
    doc="The mean of the values; NULL if there are none.",
    example=("AVG(x) FROM VALUES (1), (NULL), (3) AS t(x)", "2.0"),
    in_any_order=True,
)
TRY_AVG = aggregate(
    "try_avg",
    _NUMBER,
    AVERAGE_TYPE,
    sql="TRY_AVG",
    fluent=as_property("try_avg"),
    in_flink=False,
    doc="The mean of the values; NULL if there are none or their sum is out of range.",
    example=("TRY_AVG(x) FROM VALUES (1), (NULL), (3) AS t(x)", "2.0"),
)
SUM0 = aggregate(
    "sum0",
    _NUMBER,
    Computed(lambda context: _sum(context).not_null()),
    sql="SUM0",
    fluent=as_property("sum0"),
    in_spark=False,
    doc="The sum of the values; 0 if there are none.",
    example=("SUM0(x) FROM VALUES (1), (2) AS t(x) WHERE x > 2", "0"),
    guards=True,
)

# --- extremes, first and last values ---------------------------------------------------------------------------------


def _mismatch_of_order(context: CallContext, position: int) -> str | None:
    return None if is_orderable(context.argument_types[position]) else "INVALID_ORDERING_TYPE"


MIN = aggregate(
    "min",
    positional(COMPARABLE, names="value"),
    _LIKE_FIRST,
    sql="MIN",
    fluent=as_property("min"),
    doc="The least value; NULL if there is none.",
    example=("MIN(x) FROM VALUES ('b'), (NULL), ('a') AS t(x)", "'a'"),
    in_any_order=True,
    mismatch=Mismatch(of_argument=_mismatch_of_order),
)
MAX = aggregate(
    "max",
    positional(COMPARABLE, names="value"),
    _LIKE_FIRST,
    sql="MAX",
    fluent=as_property("max"),
    doc="The greatest value; NULL if there is none.",
    example=("MAX(x) FROM VALUES ('b'), (NULL), ('a') AS t(x)", "'b'"),
    in_any_order=True,
    mismatch=Mismatch(of_argument=_mismatch_of_order),
)

_MOST_PICKED = 100_000
_HOW_MANY = literal_where(
    INTEGRAL,
    lambda value: isinstance(value, int) and 0 < value <= _MOST_PICKED,
    f"INTEGRAL_NUMERIC literal from 1 to {_MOST_PICKED}",
)
_BY = positional(VALUE, COMPARABLE, _HOW_MANY, optional=1, names="value key count")


def _infer_picked_type(context: CallContext) -> LogicalType:
    value = context.argument_types[0]
    return value.as_nullable() if len(context) == 2 else t.ArrayType(value.as_nullable())


MAX_BY = aggregate(
    "max_by",
    _BY,
    Computed(_infer_picked_type),
    sql="MAX_BY",
    fluent=as_method("max_by", "key count?"),
    is_deterministic=False,
    in_flink=False,
    doc="The value of the row with the greatest key; with count, an array of the values with the greatest keys.",
    example=("MAX_BY(x, y) FROM VALUES ('a', 1), ('b', 3), ('c', 2) AS t(x, y)", "'b'"),
    mismatch=Mismatch(of_argument=_mismatch_of_order),
)
MIN_BY = aggregate(
    "min_by",
    _BY,
    Computed(_infer_picked_type),
    sql="MIN_BY",
    fluent=as_method("min_by", "key count?"),
    is_deterministic=False,
    in_flink=False,
    doc="The value of the row with the least key; with count, an array of the values with the least keys.",
    example=("MIN_BY(x, y, 2) FROM VALUES ('a', 1), ('b', 3), ('c', 2) AS t(x, y)", "['a', 'c']"),
    mismatch=Mismatch(of_argument=_mismatch_of_order),
)
_PICK = positional(VALUE, TRUE_OR_FALSE, optional=1, names="value ignore_nulls")
FIRST_VALUE = aggregate(
    "first_value",
    _PICK,
    _LIKE_FIRST,
    sql="FIRST_VALUE",
    also=("FIRST",),
    fluent=as_property("first_value"),
    supports_ignore_nulls=True,
    nulls_flag=1,
    is_deterministic=False,
    doc="The value of the first row in the order of the window; without an order, of an arbitrary row.",
    example=("FIRST_VALUE(x) FROM VALUES (1) AS t(x)", "1"),
    shown=Shown(shown_arguments=1),
)
LAST_VALUE = aggregate(
    "last_value",
    _PICK,
    _LIKE_FIRST,
    sql="LAST_VALUE",
    also=("LAST",),
    fluent=as_property("last_value"),
    supports_ignore_nulls=True,
    nulls_flag=1,
    is_deterministic=False,
    doc="The value of the last row in the order of the window; without an order, of an arbitrary row.",
    example=("LAST_VALUE(x) FROM VALUES (1) AS t(x)", "1"),
    shown=Shown(shown_arguments=1),
)
ANY_VALUE = aggregate(
    "any_value",
    _PICK,
    _LIKE_FIRST,
    sql="ANY_VALUE",
    fluent=as_property("any_value"),
    supports_ignore_nulls=True,
    nulls_flag=1,
    # Spark would read DISTINCT 'a' in it as a literal of a type named DISTINCT.
    supports_distinct=False,
    is_deterministic=False,
    in_flink=False,
    doc="The value of an arbitrary row.",
    example=("ANY_VALUE(x) FROM VALUES (1), (1) AS t(x)", "1"),
    shown=Shown(shown_arguments=1),
)


def _mode(context: CallContext) -> LogicalType:
    return (*context.order_types, *context.argument_types)[0].as_nullable()


MODE = aggregate(
    "mode",
    AnyOf((positional(), positional(VALUE, TRUE_OR_FALSE, optional=1, names="value deterministic"))),
    Computed(_mode),
    sql="MODE",
    fluent=(*as_property("mode"), *as_function("mode")),
    within_group=WithinGroup(COMPARABLE, instead_of_arguments=True, beside_window_order=True),
    supports_distinct=False,
    is_deterministic=False,
    in_flink=False,
    doc="The most frequent value; of several, the least if deterministic is TRUE, otherwise an arbitrary one. With an "
    "order instead of value, the first of them in that order.",
    example=("MODE(x) FROM VALUES (1), (2), (2) AS t(x)", "2"),
)

# --- lists -----------------------------------------------------------------------------------------------------------

ARRAY_AGG = aggregate(
    "ARRAY_AGG",
    positional(VALUE, names="value"),
    Computed(_list),
    sql="ARRAY_AGG",
    also=("COLLECT_LIST",),
    fluent=as_property("array_agg"),
    skips_nulls=True,
    is_deterministic=False,
    difference="Flink's includes NULL, as this one does with respect_nulls, and is NULL if there are no rows.",
    doc="An array of the values that are not NULL, in no guaranteed order; with respect_nulls, NULL is included.",
    example=("ARRAY_AGG(x) FROM VALUES (1), (NULL), (1) AS t(x)", "[1, 1]"),
    shown=Shown(names={"array_agg": "collect_list"}),
)
COLLECT_SET = aggregate(
    "collect_set",
    positional(uncollated(_Groupable()), names="value"),
    Computed(_list),
    sql="COLLECT_SET",
    fluent=as_property("collect_set"),
    skips_nulls=True,
    is_deterministic=False,
    in_flink=False,
    doc="An array of the distinct values that are not NULL, in no guaranteed order; with respect_nulls, NULL is "
    "included.",
    example=("COLLECT_SET(x) FROM VALUES (1), (NULL), (1) AS t(x)", "[1]"),
    mismatch=Mismatch(alone="UNSUPPORTED_INPUT_TYPE", together="UNSUPPORTED_INPUT_TYPE"),
)
COLLECT_UNION = aggregate(
    "collect_union",
    positional(uncollated(_ArrayOfGroupable()), names="array"),
    Computed(_union),
    sql="COLLECT_UNION",
    fluent=as_property("collect_union"),
    skips_nulls=True,
    is_deterministic=False,
    in_flink=False,
    doc="An array of the distinct elements of the arrays, in no guaranteed order.",
    example=("COLLECT_UNION(x) FROM VALUES (ARRAY(1)), (ARRAY(1)) AS t(x)", "[1]"),
)


class _LikeJoined:
    """A constant of the same kind as the first argument, or NULL."""

    def infer_argument(self, context: CallContext, position: int) -> LogicalType | None:
        given = _JOINED.infer_argument(context, position) if context.is_literal(position) else None
        if given is None or isinstance(context.argument_types[position], t.NullType):
            return None if given is None else t.NULL
        joined = _JOINED.infer_argument(context, 0)
        return given if joined is not None and joined.same_type(given) else None

    def describe(self) -> str:
        return "<literal like the first>"


_JOINED = Implicit("STRING or BYTES", (t.STRING, t.BYTES))

LIST_AGG = aggregate(
    "listAgg",
    positional(_JOINED, _LikeJoined(), optional=1, names="value separator"),
    _LIKE_FIRST,
    sql="LISTAGG",
    also=("STRING_AGG",),
    fluent=as_method("list_agg", "separator?"),
    within_group=WithinGroup(VALUE, least=0, most=None, nulls_matter=True, with_distinct=True),
    is_deterministic=False,
    difference="Flink's default separator is a comma; here it is empty. Flink's has no order.",
    doc="The strings or byte strings that are not NULL, joined by separator, in the order of within_group or in no "
    "guaranteed order; NULL if there are none.",
    example=("LISTAGG(x, ', ') WITHIN GROUP (ORDER BY x DESC) FROM VALUES ('a'), (NULL), ('b') AS t(x)", "'b, a'"),
    shown=Shown(defaults=(None, "NULL")),
)

# --- conditions and bits ---------------------------------------------------------------------------------------------

_TRUTH = positional(BOOLEAN, names="condition")
BOOL_AND = aggregate(
    "bool_and",
    _TRUTH,
    maybe_null(t.BOOLEAN),
    sql="BOOL_AND",
    also=("EVERY",),
    fluent=as_property("bool_and"),
    in_flink=False,
    doc="Whether condition is TRUE in all rows in which it is not NULL; NULL if there are none.",
    example=("BOOL_AND(x) FROM VALUES (TRUE), (NULL), (FALSE) AS t(x)", "FALSE"),
    in_any_order=True,
)
BOOL_OR = aggregate(
    "bool_or",
    _TRUTH,
    maybe_null(t.BOOLEAN),
    sql="BOOL_OR",
    also=("SOME", "ANY"),
    fluent=as_property("bool_or"),
    in_flink=False,
    doc="Whether condition is TRUE in any row; NULL if it is NULL in all rows.",
    example=("BOOL_OR(x) FROM VALUES (TRUE), (NULL), (FALSE) AS t(x)", "TRUE"),
    in_any_order=True,
)
_BITS = positional(INTEGRAL, names="value")
BIT_AND = aggregate(
    "bit_and",
    _BITS,
    _LIKE_FIRST,
    sql="BIT_AND",
    fluent=as_property("bit_and"),
    in_flink=False,
    doc="The bitwise AND of the values that are not NULL.",
    example=("BIT_AND(x) FROM VALUES (3), (5) AS t(x)", "1"),
)
BIT_OR = aggregate(
    "bit_or",
    _BITS,
    _LIKE_FIRST,
    sql="BIT_OR",
    fluent=as_property("bit_or"),
    in_flink=False,
    doc="The bitwise OR of the values.",
    example=("BIT_OR(x) FROM VALUES (3), (5) AS t(x)", "7"),
)
BIT_XOR = aggregate(
    "bit_xor",
    _BITS,
    _LIKE_FIRST,
    sql="BIT_XOR",
    fluent=as_property("bit_xor"),
    in_flink=False,
    doc="The bitwise exclusive OR of the values.",
    example=("BIT_XOR(x) FROM VALUES (3), (5) AS t(x)", "6"),
)

# --- vectors, VARIANT, metric views ----------------------------------------------------------------------------------


class _Vector:
    """An array of FLOAT."""

    def infer_argument(self, context: CallContext, position: int) -> LogicalType | None:
        given = VALUE.infer_argument(context, position)
        is_vector = isinstance(given, t.ArrayType) and isinstance(given.element, t.FloatType)
        return given if is_vector else None

    def describe(self) -> str:
        return "<ARRAY<FLOAT>>"


_VECTOR = positional(_Vector(), names="vector")
_VECTOR_TYPE = maybe_null(t.ArrayType(t.FLOAT.not_null()))
VECTOR_AVG = aggregate(
    "vector_avg",
    _VECTOR,
    _VECTOR_TYPE,
    sql="VECTOR_AVG",
    fluent=as_property("vector_avg"),
    in_flink=False,
    doc="The element-wise mean of vectors of the same dimension.",
    example=("VECTOR_AVG(x) FROM VALUES (ARRAY(1.0F, 2.0F)), (ARRAY(3.0F, 4.0F)) AS t(x)", "[2.0, 3.0]"),
)
VECTOR_SUM = aggregate(
    "vector_sum",
    _VECTOR,
    _VECTOR_TYPE,
    sql="VECTOR_SUM",
    fluent=as_property("vector_sum"),
    in_flink=False,
    doc="The element-wise sum of vectors of the same dimension.",
    example=("VECTOR_SUM(x) FROM VALUES (ARRAY(1.0F, 2.0F)), (ARRAY(3.0F, 4.0F)) AS t(x)", "[4.0, 6.0]"),
)
SCHEMA_OF_VARIANT_AGG = aggregate(
    "schema_of_variant_agg",
    positional(OneOf((Family("VARIANT", (t.VariantType, t.NullType)),)), names="value"),
    never_null(t.STRING),
    sql="SCHEMA_OF_VARIANT_AGG",
    in_flink=False,
    doc="The common type of the values in a VARIANT column, as a string.",
    example=("SCHEMA_OF_VARIANT_AGG(PARSE_JSON(x)) FROM VALUES ('1'), ('2') AS t(x)", "'BIGINT'"),
)

# --- grouping sets ---------------------------------------------------------------------------------------------------

GROUPING = aggregate(
    "grouping",
    positional(ANY, names="key"),
    never_null(t.TINYINT),
    sql="GROUPING",
    of_keys=True,
    fluent=as_property("grouping"),
    supports_distinct=False,
    doc="1 if the group is not grouped by key, a key of rollup, cube or grouping_sets that is then NULL; otherwise 0.",
    example=("GROUPING(x) FROM VALUES (7) AS t(x) GROUP BY ROLLUP(x) ORDER BY x LIMIT 1", "1"),
)
GROUPING_ID = aggregate(
    "grouping_id",
    varying(ANY, least=0, names="key"),
    never_null(t.BIGINT),
    sql="GROUPING_ID",
    of_keys=True,
    fluent=as_function("grouping_id"),
    supports_distinct=False,
    doc="A number with one bit per key, the first key's the highest; it is 1 if the group is not grouped by its key.",
    example=("GROUPING_ID(x, y) FROM VALUES (7, 8) AS t(x, y) GROUP BY CUBE(x, y) ORDER BY x, y LIMIT 1", "3"),
)
KEY_FUNCTIONS = (GROUPING, GROUPING_ID)
