"""Statistical aggregate functions: deviations, correlation, regression, percentiles, histograms, frequent values."""

from __future__ import annotations

import math
from collections.abc import Callable
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from ir import calls
from ir import types as t
from ir.call_expressions import Call
from ir.casts import NUMERIC_FAMILY, TypeFamily, is_groupable
from ir.expressions import ResolvedExpression, ValueLiteral
from ir.functions.aggregate import DOUBLE, INTEGRAL, VALUE, average_of
from ir.functions.builder import aggregate, as_function, as_method, as_property, by_name, scalar
from ir.functions.collection import ARRAY
from ir.functions.definition import FunctionDefinition, Shown, WithinGroup
from ir.inference import CallContext
from ir.inference.arguments import ANY, Family, Implicit, Where, int_from, literal_where, uncollated
from ir.inference.inputs import positional
from ir.inference.results import Computed, maybe_null, never_null
from ir.inference.type_inference import InputTypeStrategy, TypeStrategy
from ir.types import LogicalType

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ir.functions.entries import Facts, FluentFacts


def _statistic(
    name: str,
    inputs: InputTypeStrategy,
    doc: str,
    example: tuple[str, str],
    *,
    sql: str = "",
    returns: TypeStrategy | None = None,
    **facts: Unpack[FluentFacts],
) -> FunctionDefinition:
    """Define an aggregate of type DOUBLE, which is NULL if there are too few values."""
    if "in_flink" not in facts:
        facts["in_flink"] = False
    if "fluent" not in facts:
        facts["fluent"] = as_property((sql or name).lower())
    sql = sql or name.upper()
    return aggregate(
        name,
        inputs,
        returns or maybe_null(t.DOUBLE),
        sql=sql,
        doc=doc,
        example=example,
        **facts,
    )


# --- of one variable -------------------------------------------------------------------------------------------------

_ONE = positional(DOUBLE, names="value")

STDDEV_POP = _statistic(
    "stddevPop",
    _ONE,
    "The population standard deviation of the values.",
    ("STDDEV_POP(x) FROM VALUES (1), (3) AS t(x)", "1.0"),
    sql="STDDEV_POP",
    in_flink=True,
    in_any_order=True,
)
STDDEV_SAMP = _statistic(
    "stddevSamp",
    _ONE,
    "The sample standard deviation of the values; NULL if there are fewer than two values.",
    ("STDDEV_SAMP(x) FROM VALUES (1), (3), (5) AS t(x)", "2.0"),
    sql="STDDEV_SAMP",
    also=("STDDEV", "STD"),
    in_flink=True,
    in_any_order=True,
)
VAR_POP = _statistic(
    "varPop",
    _ONE,
    "The population variance of the values.",
    ("VAR_POP(x) FROM VALUES (1), (5) AS t(x)", "4.0"),
    sql="VAR_POP",
    in_flink=True,
    in_any_order=True,
)
VAR_SAMP = _statistic(
    "varSamp",
    _ONE,
    "The sample variance of the values; NULL if there are fewer than two values.",
    ("VAR_SAMP(x) FROM VALUES (1), (3), (5) AS t(x)", "4.0"),
    sql="VAR_SAMP",
    also=("VARIANCE",),
    in_flink=True,
    in_any_order=True,
)
SKEWNESS = _statistic(
    "skewness",
    _ONE,
    "The population skewness of the values, from their third moment.",
    ("SKEWNESS(x) FROM VALUES (1), (2), (3) AS t(x)", "0.0"),
)
KURTOSIS = _statistic(
    "kurtosis",
    _ONE,
    "The population excess kurtosis of the values, from their fourth moment.",
    ("KURTOSIS(x) FROM VALUES (1), (2) AS t(x)", "-2.0"),
)

# --- of two variables ------------------------------------------------------------------------------------------------

_TWO = positional(DOUBLE, DOUBLE, names="y x")
_PAIRS = "the rows in which neither y nor x is NULL"

CORR = _statistic(
    "corr",
    _TWO,
    "The Pearson correlation coefficient of y and x.",
    ("CORR(y, x) FROM VALUES (1, 2), (2, 4), (3, 6) AS t(y, x)", "1.0"),
    fluent=as_method("corr", "x"),
)
COVAR_POP = _statistic(
    "covar_pop",
    _TWO,
    "The population covariance of y and x.",
    ("COVAR_POP(y, x) FROM VALUES (1, 2), (3, 6) AS t(y, x)", "2.0"),
    fluent=as_method("covar_pop", "x"),
)
COVAR_SAMP = _statistic(
    "covar_samp",
    _TWO,
    "The sample covariance of y and x.",
    ("COVAR_SAMP(y, x) FROM VALUES (1, 2), (3, 6) AS t(y, x)", "4.0"),
    fluent=as_method("covar_samp", "x"),
)


_NUMERIC = Implicit("NUMERIC", (NUMERIC_FAMILY,))
_NUMBERS = positional(_NUMERIC, _NUMERIC, names="y x")


def _mean_of(position: int) -> TypeStrategy:
    def mean(context: CallContext) -> LogicalType:
        return average_of(context.argument_types[position]).as_nullable()

    return Computed(mean)


def _regression(
    what: str,
    doc: str,
    rows: str,
    result: str,
    inputs: InputTypeStrategy = _TWO,
    returns: TypeStrategy | None = None,
    **facts: Unpack[Facts],
) -> FunctionDefinition:
    name = f"regr_{what}"
    return _statistic(
        name,
        inputs,
        doc,
        (f"{name.upper()}(y, x) FROM VALUES {rows} AS t(y, x)", result),
        returns=returns,
        fluent=as_method(name, "x"),
        **facts,
    )


REGR_COUNT = _regression(
    "count", f"The number of {_PAIRS}.", "(1, 2), (NULL, 3), (4, 5)", "2", _NUMBERS, never_null(t.BIGINT)
)
REGR_AVGX = _regression(
    "avgx", f"The mean of x, over {_PAIRS}.", "(1, 2), (2, 4)", "3.0", _NUMBERS, _mean_of(1), guards=True
)
REGR_AVGY = _regression(
    "avgy", f"The mean of y, over {_PAIRS}.", "(1, 2), (2, 4)", "1.5", _NUMBERS, _mean_of(0), guards=True
)
REGR_SXX = _regression(
    "sxx", "The sum of the squared deviations of x from its mean.", "(1, 2), (2, 4)", "2.0", guards=True
)
REGR_SYY = _regression(
    "syy", "The sum of the squared deviations of y from its mean.", "(1, 2), (2, 4)", "0.5", guards=True
)
REGR_SXY = _regression(
    "sxy", "The sum of the products of the deviations of x and y from their means.", "(1, 2), (2, 4)", "1.0"
)
REGR_SLOPE = _regression("slope", "The slope of the least-squares regression line of y on x.", "(1, 2), (2, 4)", "0.5")
REGR_INTERCEPT = _regression(
    "intercept",
    "The intercept of the least-squares regression line of y on x: its value at x = 0.",
    "(2, 2), (3, 4)",
    "1.0",
)
REGR_R2 = _regression("r2", "The coefficient of determination of the regression of y on x.", "(1, 2), (2, 4)", "1.0")

# --- percentiles -----------------------------------------------------------------------------------------------------

_TIME = TypeFamily("TIME", (t.TimeType,), t.TimeType(6), from_string=False)
_DAYS = TypeFamily("INTERVAL DAY", (t.DayTimeIntervalType,), t.DayTimeIntervalType(), from_string=False)
_MONTHS = TypeFamily("INTERVAL YEAR", (t.YearMonthIntervalType,), t.YearMonthIntervalType(), from_string=False)


class _Measured:
    """Numbers, intervals and times of day; a timestamp counts as its time of day."""

    def infer_argument(self, context: CallContext, position: int) -> LogicalType | None:
        found = _MEASURED.infer_argument(context, position)
        # Spark's coercion rules choose a cast that Spark does not support.
        is_date = isinstance(context.argument_types[position], t.DateType)
        return None if is_date else found

    def describe(self) -> str:
        return _MEASURED.describe()


_MEASURED = Implicit("NUMERIC, INTERVAL or TIME", (NUMERIC_FAMILY, _DAYS, _MONTHS, _TIME))


def constant_numbers(expression: ResolvedExpression) -> list[Any] | None:
    """Return the numbers in a constant or an array of constants, None for another expression."""
    if isinstance(expression, Call) and expression.function is ARRAY:
        elements = [constant_numbers(element) for element in expression.arguments]
        # Strings in an array are not parsed.
        kinds = (t.NumericType, t.NullType)
        if any(not isinstance(element.data_type, kinds) for element in expression.arguments):
            return None
        return [number for element in elements for number in element or [None]]
    if not isinstance(expression, ValueLiteral):
        return None
    if isinstance(expression.value, str):
        try:
            return [float(expression.value)]
        except ValueError:
            return None
    is_number = isinstance(expression.value, (int, float, Decimal)) and not isinstance(expression.value, bool)
    return [expression.value] if is_number else None


def _are_shares(expression: ResolvedExpression) -> bool:
    numbers = constant_numbers(expression)
    return numbers is not None and all(n is not None and math.isfinite(n) and 0 <= n <= 1 for n in numbers)


class _Share:
    """A DOUBLE, or an array of DOUBLEs."""

    def infer_argument(self, context: CallContext, position: int) -> LogicalType | None:
        given = ANY.infer_argument(context, position)
        if isinstance(given, t.ArrayType):
            if isinstance(given.element, (t.CharacterType, t.NullType)) and context.arguments[position].children:
                return None
            return t.ArrayType(t.DOUBLE, nullable=given.nullable)
        return DOUBLE.infer_argument(context, position)

    def describe(self) -> str:
        return "<DOUBLE or ARRAY<DOUBLE>>"


PERCENTAGE = Where(_Share(), _are_shares, "DOUBLE literal from 0 to 1, or array of some")


def _cast_to_doubles(
    function: FunctionDefinition, arguments: tuple[ResolvedExpression, ...], position: int
) -> ResolvedExpression | None:
    """Cast percentages to DOUBLE explicitly, as Spark does, so that a call has one canonical form."""
    given = arguments[position]
    made = calls.call(ARRAY, [_double(e) for e in given.children]) if given.children else _double(given)
    if made is given:
        return None
    return Call(function, (*arguments[:position], made, *arguments[position + 1 :]), t.DOUBLE)


def _double(constant: ResolvedExpression) -> ResolvedExpression:
    if not isinstance(constant, ValueLiteral):
        return constant
    return ValueLiteral(float(constant.value), t.DOUBLE.not_null())


def _array_if_many(result: Callable[[LogicalType], LogicalType]) -> Callable[[CallContext], LogicalType]:
    """Return the strategy for a percentile of a value, which is an array for an array of percentages."""

    def infer(context: CallContext) -> LogicalType:
        value, percentage = (*context.order_types, *context.argument_types)[:2]
        found = result(value)
        return t.ArrayType(found.not_null()) if isinstance(percentage, t.ArrayType) else found.as_nullable()

    return infer


def _infer_interpolated_type(value: LogicalType) -> LogicalType:
    if isinstance(value, t.IntervalType):
        return type(value)()
    return value if isinstance(value, t.TimeType) else t.DOUBLE


_PERCENTILE = Computed(_array_if_many(_infer_interpolated_type))
_IN_ORDER = WithinGroup(_Measured())

PERCENTILE: FunctionDefinition = aggregate(
    "PERCENTILE",
    positional(_Measured(), PERCENTAGE, INTEGRAL, optional=1, names="value percentage frequency"),
    _PERCENTILE,
    sql="PERCENTILE",
    canonical=lambda arguments, call: _cast_to_doubles(PERCENTILE, arguments, 1),
    fluent=as_method("percentile", "percentage frequency?"),
    doc="The value at percentage of the sorted values, interpolated between the two nearest values; each value counts "
    "as often as frequency says, once by default.",
    example=("PERCENTILE(x, 0.25) FROM VALUES (0), (10) AS t(x)", "2.5"),
    shown=Shown(defaults=(None, None, "1")),
)
PERCENTILE_CONT: FunctionDefinition = aggregate(
    "percentile_cont",
    positional(PERCENTAGE, names="percentage"),
    _PERCENTILE,
    sql="PERCENTILE_CONT",
    canonical=lambda arguments, call: _cast_to_doubles(PERCENTILE_CONT, arguments, 0),
    fluent=as_function("percentile_cont", "percentage"),
    within_group=_IN_ORDER,
    takes_window_order=False,
    supports_distinct=False,
    in_flink=False,
    doc="The value at percentage of the values in the order of within_group, interpolated between the two nearest "
    "values.",
    example=("PERCENTILE_CONT(0.25) WITHIN GROUP (ORDER BY x) FROM VALUES (0), (10) AS t(x)", "2.5"),
)
PERCENTILE_DISC: FunctionDefinition = aggregate(
    "percentile_disc",
    positional(PERCENTAGE, names="percentage"),
    _PERCENTILE,
    sql="PERCENTILE_DISC",
    canonical=lambda arguments, call: _cast_to_doubles(PERCENTILE_DISC, arguments, 0),
    fluent=as_function("percentile_disc", "percentage"),
    within_group=_IN_ORDER,
    takes_window_order=False,
    supports_distinct=False,
    in_flink=False,
    doc="The first value, in the order of within_group, whose cumulative distribution is at least percentage.",
    example=("PERCENTILE_DISC(0.25) WITHIN GROUP (ORDER BY x) FROM VALUES (0), (10) AS t(x)", "0.0"),
)
MEDIAN = aggregate(
    "median",
    positional(_Measured(), names="value"),
    Computed(lambda context: _infer_interpolated_type(context.argument_types[0]).as_nullable()),
    sql="MEDIAN",
    fluent=as_property("median"),
    takes_window_order=False,
    in_flink=False,
    doc="The middle of the sorted values, interpolated between the two middle values if their number is even.",
    example=("MEDIAN(x) FROM VALUES (0), (10) AS t(x)", "5.0"),
)

# --- approximations --------------------------------------------------------------------------------------------------

_RANKED = Implicit(
    "NUMERIC, INTERVAL or time",
    (
        NUMERIC_FAMILY,
        t.DATE,
        TypeFamily("TIMESTAMP", (t.TimestampType, t.LocalZonedTimestampType), t.TIMESTAMP_LTZ, from_string=False),
        _MONTHS,
        _DAYS,
        _TIME,
    ),
)
_ACCURACY = literal_where(
    Family("INTEGRAL_NUMERIC", (t.IntegralType,)),
    lambda value: isinstance(value, int) and 0 < value < 2**31,
    "positive INT literal",
)


def _is_deviation(value: Any) -> bool:
    return isinstance(value, (float, Decimal)) and not math.isnan(value) and 0 < value <= _MOST_DEVIATION


_MOST_DEVIATION = 0.39
_DEVIATION = literal_where(
    Family("DOUBLE", (t.DoubleType, t.DecimalType)), _is_deviation, f"DOUBLE literal up to {_MOST_DEVIATION}"
)

# Spark's analyzer accepts the other types, too, but cannot hash them at run time.
_HASHED = Where(VALUE, lambda given: is_groupable(given.data_type), "any type without VARIANT and shapes")

APPROX_COUNT_DISTINCT = aggregate(
    "approx_count_distinct",
    positional(_HASHED, _DEVIATION, optional=1, names="value deviation"),
    never_null(t.BIGINT),
    sql="APPROX_COUNT_DISTINCT",
    fluent=as_method("approx_count_distinct", "deviation?"),
    difference="Flink's estimate differs, and it accepts no deviation.",
    doc="An estimate of the number of distinct values; deviation is the greatest relative standard deviation, 0.05 by "
    "default.",
    example=("APPROX_COUNT_DISTINCT(x) FROM VALUES (1), (1), (2) AS t(x)", "2"),
    shown=Shown(shown_arguments=1),
)
PERCENTILE_APPROX: FunctionDefinition = aggregate(
    "percentile_approx",
    positional(_RANKED, PERCENTAGE, _ACCURACY, optional=1, names="value percentage accuracy"),
    Computed(_array_if_many(lambda value: value)),
    sql="PERCENTILE_APPROX",
    canonical=lambda arguments, call: _cast_to_doubles(PERCENTILE_APPROX, arguments, 1),
    also=("APPROX_PERCENTILE",),
    fluent=as_method("percentile_approx", "percentage accuracy?"),
    in_flink=False,
    doc="One of the values, at about percentage of the sorted values; a greater accuracy, 10000 by default, is more "
    "exact and needs more memory.",
    example=("PERCENTILE_APPROX(x, 0.5) FROM VALUES (0), (1), (2), (10) AS t(x)", "1"),
    shown=Shown(defaults=(None, None, "10000")),
)

_BINS = int_from(2, "INT literal of at least 2")


def _histogram(context: CallContext) -> LogicalType:
    fields = (t.RowField("x", context.argument_types[0].as_nullable()), t.RowField("y", t.DOUBLE))
    return t.ArrayType(t.RowType(fields))


HISTOGRAM_NUMERIC = aggregate(
    "histogram_numeric",
    positional(_RANKED, _BINS, names="value bins"),
    Computed(_histogram),
    sql="HISTOGRAM_NUMERIC",
    fluent=as_method("histogram_numeric", "bins"),
    in_flink=False,
    doc="A histogram: an array of rows, each with the centre x of a bin and the number y of its values.",
    example=("HISTOGRAM_NUMERIC(x, 5) FROM VALUES (0), (1) AS t(x)", "[(0, 1.0), (1, 1.0)]"),
)

# --- the most frequent values ----------------------------------------------------------------------------------------

_ITEM = Family(
    "BOOLEAN, NUMERIC, STRING or time",
    (
        t.BooleanType,
        t.NumericType,
        t.CharacterType,
        t.DateType,
        t.TimeType,
        t.TimestampType,
        t.LocalZonedTimestampType,
    ),
)
_MOST_TRACKED = 1_000_000


def _count(least: int, most: int) -> Where:
    return literal_where(
        Family("INT", (t.IntegralType,)),
        lambda value: isinstance(value, int) and least <= value <= most,
        f"INT literal from {least} to {most}",
    )


_TOP, _TRACKED = _count(1, _MOST_TRACKED), _count(1, _MOST_TRACKED)


def _frequent(item: LogicalType) -> LogicalType:
    fields = (t.RowField("item", item.as_nullable()), t.RowField("count", t.BIGINT.not_null()))
    return t.ArrayType(t.RowType(fields, nullable=False), nullable=False)


def _state(item: LogicalType) -> LogicalType:
    return t.RowType(
        (
            t.RowField("sketch", t.BYTES.not_null()),
            t.RowField("maxItemsTracked", t.INT.not_null()),
            t.RowField("itemDataType", item.as_nullable()),
            t.RowField("itemDataTypeDDL", t.STRING.not_null()),
        ),
        nullable=False,
    )


def _item_of(state: LogicalType) -> LogicalType | None:
    """Return the type of the values that an APPROX_TOP_K state counts, None if the type is no such state."""
    if not isinstance(state, t.RowType) or len(state.fields) != 4:
        return None
    kinds = [field.data_type for field in state.fields]
    found = isinstance(kinds[0], t.BytesType) and isinstance(kinds[1], t.IntType)
    found = found and isinstance(kinds[2], _ITEM.members) and isinstance(kinds[3], t.CharacterType)
    return kinds[2] if found else None


class _State:
    """The state of APPROX_TOP_K_ACCUMULATE."""

    def infer_argument(self, context: CallContext, position: int) -> LogicalType | None:
        given = VALUE.infer_argument(context, position)
        return given if given is not None and _item_of(given) is not None else None

    def describe(self) -> str:
        return "<state of APPROX_TOP_K_ACCUMULATE>"


def _item(context: CallContext) -> LogicalType:
    item = _item_of(context.argument_types[0])
    assert item is not None
    return item


APPROX_TOP_K = aggregate(
    "approx_top_k",
    positional(_ITEM, _TOP, _TRACKED, optional=2, names="value count tracked"),
    Computed(lambda context: _frequent(context.argument_types[0])),
    sql="APPROX_TOP_K",
    fluent=as_method("approx_top_k", "count? tracked?"),
    in_flink=False,
    doc="The most frequent values, 5 by default, with their approximate frequencies, as an array of rows of item and "
    "count.",
    example=("APPROX_TOP_K(x, 1) FROM VALUES ('a'), ('b'), ('b') AS t(x)", "[('b', 2)]"),
    shown=Shown(defaults=(None, "5", "10000")),
)
APPROX_TOP_K_ACCUMULATE = aggregate(
    "approx_top_k_accumulate",
    positional(_ITEM, _TRACKED, optional=1, names="value tracked"),
    Computed(lambda context: _state(context.argument_types[0])),
    sql="APPROX_TOP_K_ACCUMULATE",
    fluent=as_method("approx_top_k_accumulate", "tracked?"),
    in_flink=False,
    doc="A state that summarizes the values for APPROX_TOP_K_COMBINE and APPROX_TOP_K_ESTIMATE.",
    example=(
        "APPROX_TOP_K_ESTIMATE(APPROX_TOP_K_ACCUMULATE(x), 1) FROM VALUES ('a'), ('b'), ('b') AS t(x)",
        "[('b', 2)]",
    ),
    shown=Shown(defaults=(None, "10000")),
)
APPROX_TOP_K_COMBINE = aggregate(
    "approx_top_k_combine",
    positional(_State(), _TRACKED, optional=1, names="state tracked"),
    Computed(lambda context: _state(_item(context))),
    sql="APPROX_TOP_K_COMBINE",
    fluent=as_method("approx_top_k_combine", "tracked?"),
    in_flink=False,
    doc="The combination of several states of APPROX_TOP_K_ACCUMULATE.",
    example=(
        "APPROX_TOP_K_ESTIMATE(APPROX_TOP_K_COMBINE(s), 1) FROM (SELECT APPROX_TOP_K_ACCUMULATE(x) AS s "
        "FROM VALUES ('a'), ('b'), ('b') AS t(x))",
        "[('b', 2)]",
    ),
    shown=Shown(defaults=(None, "-1")),
)
APPROX_TOP_K_ESTIMATE = scalar(
    "approx_top_k_estimate",
    positional(_State(), _TOP, optional=1, names="state count"),
    Computed(lambda context: _frequent(_item(context)).with_nullability(context.argument_types[0].nullable)),
    sql="APPROX_TOP_K_ESTIMATE",
    fluent=as_method("approx_top_k_estimate", "count?"),
    in_flink=False,
    doc="The most frequent values in a state of APPROX_TOP_K_ACCUMULATE, 5 by default, with their approximate "
    "frequencies.",
    example=(
        "APPROX_TOP_K_ESTIMATE(APPROX_TOP_K_ACCUMULATE(x), 1) FROM VALUES ('a'), ('b'), ('b') AS t(x)",
        "[('b', 2)]",
    ),
    shown=Shown(defaults=(None, "5")),
)

# --- count-min sketches -----------------------------------------------------------------------------------------------

_COUNTED = Family("INTEGRAL_NUMERIC, STRING or BYTES", (t.IntegralType, t.CharacterType, t.BytesType, t.NullType))


def _number_between(least: float, most: float) -> Where:
    return literal_where(
        Family("DOUBLE", (t.DoubleType,)),
        lambda value: isinstance(value, float) and least < value < most,
        "DOUBLE literal" + (f" from {least} to {most}" if math.isfinite(most) else " above 0"),
    )


COUNT_MIN_SKETCH = aggregate(
    "count_min_sketch",
    positional(
        uncollated(_COUNTED),
        _number_between(0, math.inf),
        _number_between(0, 1),
        literal_where(Family("INT", (t.IntegralType,)), lambda value: isinstance(value, int), "INT literal"),
        names="column epsilon confidence seed",
    ),
    never_null(t.BYTES),
    sql="COUNT_MIN_SKETCH",
    named=by_name("column epsilon confidence seed"),
    fluent=as_method("count_min_sketch", "epsilon confidence seed"),
    in_flink=False,
    doc="A count-min sketch of the values, as bytes in the format of Spark's CountMinSketch.",
    example=(
        "COUNT_MIN_SKETCH(x, 0.5D, 0.5D, 1) IS NULL FROM VALUES (1), (2) AS t(x)",
        "FALSE",
    ),
)
