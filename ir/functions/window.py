"""Window functions."""

from __future__ import annotations

from collections.abc import Callable

from ir import types as t
from ir.call_expressions import Call
from ir.casts import implicit_cast
from ir.expressions import ResolvedExpression, ValueLiteral
from ir.frames import ROWS_SO_FAR, VALUES_SO_FAR
from ir.functions.builder import as_function, as_method, by_name, capitals, window
from ir.functions.definition import Canonical, CollationRules, FunctionDefinition, Shown
from ir.inference import CallContext
from ir.inference.arguments import ANY, TRUE_OR_FALSE, Family, int_constant, int_from, literal_where
from ir.inference.inputs import positional, varying
from ir.inference.results import Argument, Nullable, never_null
from ir.inference.results import Computed as ComputedResult
from ir.types import LogicalType

Arguments = tuple[ResolvedExpression, ...]

# Spark casts neither strings nor integers of other types here.
_INT = Family("INT", (t.IntType,))
_WHOLE = Family("INTEGRAL", (t.IntegralType,))
_POSITION = int_from(1, "positive INT literal")
_BUCKETS = literal_where(_INT, lambda value: _is_more_than(value, 0), "positive INT literal")
# LAG negates the offset, which is impossible for the least INT.
_OFFSET = literal_where(_INT, lambda value: _is_more_than(value, -(2**31)), "INT literal")


def _is_more_than(value: object, limit: int) -> bool:
    return isinstance(value, int) and value > limit


class _LikeFirst:
    """A value that Spark casts to the type of the first argument."""

    def infer_argument(self, context: CallContext, position: int) -> LogicalType | None:
        if ANY.infer_argument(context, position) is None:
            return None
        given, wanted = context.argument_types[position], context.argument_types[0]
        if {type(given), type(wanted)} == {t.DateType, t.TimeType}:
            # Spark's coercion rules choose a cast that Spark does not support.
            return None
        return implicit_cast(given, (wanted, t.NULL))

    def describe(self) -> str:
        return "<like the first>"


def _value_or_default(context: CallContext) -> LogicalType | None:
    value = context.argument_types[0]
    has_default = len(context) >= 3
    return value.with_nullability(value.nullable or not has_default or context.argument_types[2].nullable)


def _number_or_double(given: LogicalType) -> LogicalType:
    return t.DOUBLE if isinstance(given, t.NullType) else given.as_nullable()


_NONE = positional()
# Spark accepts any arguments of these functions and uses the sort keys of the window instead.
_ANYTHING = varying(ANY, least=0)
_NEIGHBOUR = positional(
    ANY, _OFFSET, _LikeFirst(), TRUE_OR_FALSE, optional=3, names="value offset default ignore_nulls"
)


def _drop_arguments(function: Callable[[], FunctionDefinition]) -> Canonical:
    """Return the canonical form of a call whose arguments have no effect: without arguments."""
    return lambda arguments, call: call(function(), ()) if arguments else None


ROW_NUMBER = window(
    "rowNumber",
    _NONE,
    never_null(t.INT),
    sql="ROW_NUMBER",
    fluent=as_function("row_number"),
    own_frame=ROWS_SO_FAR,
    doc="The number of the row within its partition, from 1.",
    example=("ROW_NUMBER() OVER (ORDER BY x) FROM VALUES (7) AS t(x)", "1"),
    shown=Shown(counts_rows=True),
)
RANK: FunctionDefinition = window(
    "rank",
    _ANYTHING,
    never_null(t.INT),
    sql="RANK",
    fluent=as_function("rank"),
    canonical=_drop_arguments(lambda: RANK),
    own_frame=ROWS_SO_FAR,
    doc="The rank of the row in its partition: 1 plus the number of rows with lesser sort keys. Rows with equal sort "
    "keys have the same rank, followed by a gap.",
    example=("RANK() OVER (ORDER BY x) FROM VALUES (7) AS t(x)", "1"),
    shown=Shown(names=capitals("RANK"), shown_arguments=0, counts_rows=True),
)
DENSE_RANK: FunctionDefinition = window(
    "denseRank",
    _ANYTHING,
    never_null(t.INT),
    sql="DENSE_RANK",
    fluent=as_function("dense_rank"),
    canonical=_drop_arguments(lambda: DENSE_RANK),
    own_frame=ROWS_SO_FAR,
    doc="The rank of the row among the distinct sort keys of its partition, without gaps.",
    example=("DENSE_RANK() OVER (ORDER BY x) FROM VALUES (7) AS t(x)", "1"),
    shown=Shown(names=capitals("DENSE_RANK"), shown_arguments=0, counts_rows=True),
)
PERCENT_RANK: FunctionDefinition = window(
    "percentRank",
    _ANYTHING,
    never_null(t.DOUBLE),
    sql="PERCENT_RANK",
    fluent=as_function("percent_rank"),
    canonical=_drop_arguments(lambda: PERCENT_RANK),
    own_frame=ROWS_SO_FAR,
    doc="The relative rank of the row, from 0 to 1: (rank - 1) / (number of rows in the partition - 1).",
    example=("PERCENT_RANK() OVER (ORDER BY x) FROM VALUES (7) AS t(x)", "0.0"),
    shown=Shown(names=capitals("PERCENT_RANK"), shown_arguments=0, counts_rows=True),
)
CUME_DIST = window(
    "cumeDist",
    _NONE,
    never_null(t.DOUBLE),
    sql="CUME_DIST",
    fluent=as_function("cume_dist"),
    own_frame=VALUES_SO_FAR,
    doc="The share of the partition's rows that precede the row or have equal sort keys.",
    example=("CUME_DIST() OVER (ORDER BY x) FROM VALUES (7) AS t(x)", "1.0"),
)
NTILE = window(
    "ntile",
    positional(_BUCKETS, names="buckets"),
    never_null(t.INT),
    sql="NTILE",
    fluent=as_function("ntile", "buckets"),
    own_frame=ROWS_SO_FAR,
    doc="The number, from 1, of the row's bucket, when the partition is split into buckets of almost equal size.",
    example=("NTILE(2) OVER (ORDER BY x) FROM VALUES (7) AS t(x)", "1"),
    shown=Shown(counts_rows=True),
)
LAG = window(
    "lag",
    _NEIGHBOUR,
    ComputedResult(_value_or_default),
    sql="LAG",
    fluent=(*as_method("lag", "offset? default?"), *as_function("lag", "value offset? default?")),
    supports_ignore_nulls=True,
    nulls_flag=3,
    doc="The value of the row offset rows before, 1 by default; default, or NULL, if there is no such row.",
    example=("LAG(x, 1, 0) OVER (ORDER BY x) FROM VALUES (7) AS t(x)", "0"),
    collating=CollationRules(),
    shown=Shown(defaults=(None, "1", "NULL"), shown_arguments=3),
)
LEAD = window(
    "lead",
    _NEIGHBOUR,
    ComputedResult(_value_or_default),
    sql="LEAD",
    fluent=(*as_method("lead", "offset? default?"), *as_function("lead", "value offset? default?")),
    supports_ignore_nulls=True,
    nulls_flag=3,
    doc="The value of the row offset rows after, 1 by default; default, or NULL, if there is no such row.",
    example=("LEAD(x, 1, 0) OVER (ORDER BY x) FROM VALUES (7) AS t(x)", "0"),
    collating=CollationRules(),
    shown=Shown(defaults=(None, "1", "NULL"), shown_arguments=3),
)


def _convert_position_to_int(arguments: Arguments) -> ResolvedExpression | None:
    """Return the call with its literal position converted to an INT."""
    value, position, *flag = arguments
    as_int = ValueLiteral(int_constant(position), t.INT.not_null())
    return None if as_int is position else Call(NTH_VALUE, (value, as_int, *flag), value.data_type)


NTH_VALUE: FunctionDefinition = window(
    "nthValue",
    positional(ANY, _POSITION, TRUE_OR_FALSE, optional=1, names="value position ignore_nulls"),
    Nullable(Argument(0)),
    sql="NTH_VALUE",
    canonical=lambda arguments, call: _convert_position_to_int(arguments),
    fluent=as_method("nth_value", "position"),
    takes_frame=True,
    supports_ignore_nulls=True,
    nulls_flag=2,
    doc="The value of the frame's row at position, counted from 1; NULL if the frame has fewer rows.",
    example=("NTH_VALUE(x, 1) OVER (ORDER BY x) FROM VALUES (7) AS t(x)", "7"),
    shown=Shown(shown_arguments=2),
)
COUNTER_DIFF = window(
    "counter_diff",
    positional(
        Family("NUMERIC", (t.NumericType, t.NullType)),
        Family("TIMESTAMP", (t.TimestampType, t.LocalZonedTimestampType, t.NullType)),
        optional=1,
        names="value start_time",
    ),
    ComputedResult(lambda context: _number_or_double(context.argument_types[0])),
    sql="COUNTER_DIFF",
    named=by_name("value start_time", None),
    fluent=as_method("counter_diff", "start_time?"),
    in_flink=False,
    own_frame=ROWS_SO_FAR,
    doc="The increase of a counter since the previous row; NULL in the first row and after a reset, which a lesser "
    "value or a later start_time indicates.",
    example=("COUNTER_DIFF(x) OVER (ORDER BY x) FROM VALUES (7) AS t(x)", "NULL"),
    shown=Shown(counts_rows=True),
)
