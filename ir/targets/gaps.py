"""Gaps of older versions of Spark within calls of functions that they have: clauses that they lack or ignore.

Each gap has the name of the probe with which the engines were asked (``tests/versions/syntax.sql``).
"""

from __future__ import annotations

from collections.abc import Callable

from ir import light_attrs as attrs
from ir import types as t
from ir.call_expressions import Call, Over
from ir.calls import Clauses, construct
from ir.expressions import LambdaVariable, ResolvedExpression, SortOrder, TypeLiteral, ValueLiteral
from ir.frames import FrameUnit
from ir.functions import aggregate as agg
from ir.functions import arithmetic as ar
from ir.functions import comparison as cmp
from ir.functions import statistics
from ir.functions.arrays import REVERSE
from ir.functions.collations import COLLATE
from ir.functions.collection import GET, ROW
from ir.functions.conversion import CAST, TRY_CAST
from ir.functions.higher_order import MAP_ZIP_WITH, TRANSFORM
from ir.functions.logic import CASE
from ir.functions.mathematics import TRY_ADD, TRY_SUBTRACT
from ir.functions.subquery import EXISTS
from ir.functions.temporal import EXTRACT, extract_unit
from ir.literals import literal
from ir.operations.aggregate import Aggregate
from ir.operations.operation import TableReference
from ir.operations.project import Project
from ir.rewriting import make_lambda

_VALUE = "value"
# They ignore NULL, so that a row that FILTER leaves out can count as NULL.
_OVER_VALUES = (
    *(agg.COUNT, agg.SUM, agg.TRY_SUM, agg.AVG, agg.TRY_AVG, agg.MIN, agg.MAX, agg.COUNT_IF, agg.ARRAY_AGG),
    *(agg.COLLECT_SET, agg.BOOL_AND, agg.BOOL_OR, agg.BIT_AND, agg.BIT_OR, agg.BIT_XOR),
    *(statistics.STDDEV_POP, statistics.STDDEV_SAMP, statistics.VAR_POP, statistics.VAR_SAMP),
)

_COMPARISONS = (
    *(cmp.EQUALS, cmp.NOT_EQUALS, cmp.LESS_THAN, cmp.LESS_THAN_OR_EQUAL, cmp.GREATER_THAN, cmp.GREATER_THAN_OR_EQUAL),
    *(cmp.IS_DISTINCT_FROM, cmp.IS_NOT_DISTINCT_FROM, cmp.BETWEEN, cmp.NOT_BETWEEN),
)


@attrs.frozen
class Gap:
    """A feature that a call needs and a target may lack.

    Attributes:
        feature: the name of the probe.
        applies: whether a call needs it; the second argument is the window of the call, if it has one.
        form: returns an equivalent call or expression, None if there is none.
    """

    feature: str
    applies: Callable[[Call, Over | None], bool]
    form: Callable[[Call], ResolvedExpression | None]


def _with_nulls(call: Call) -> ResolvedExpression:
    """Return the array of all values: rows that hold one value each are collected even if the value is NULL."""
    rows = construct(call.function, (construct(ROW, (literal(_VALUE), call.arguments[0])),), _clauses(call))
    assert isinstance(rows.data_type, t.ArrayType)
    row = LambdaVariable("row", rows.data_type.element)
    return construct(TRANSFORM, (rows, make_lambda((row,), construct(GET, (row, literal(_VALUE))))))


def _collects_nulls(call: Call, over: Over | None) -> bool:
    return call.respect_nulls and call.function in (agg.ARRAY_AGG, agg.COLLECT_SET)


def _clauses(call: Call) -> Clauses:
    return Clauses(distinct=call.distinct, filter=call.filter)


def _without_filter(call: Call) -> ResolvedExpression | None:
    if call.function not in _OVER_VALUES or call.respect_nulls or call.order_by:
        return None
    assert call.filter is not None
    value, *others = call.arguments
    chosen = construct(CASE, (call.filter, value, ValueLiteral(None, t.NULL)))
    return construct(call.function, (chosen, *others), Clauses(distinct=call.distinct))


def _no_form(call: Call) -> ResolvedExpression | None:
    return None


def _has_rows_always(call: Call, over: Over | None) -> bool:
    """Whether a call is EXISTS of an aggregate of all rows, which has one row even if there are none."""
    if call.function is not EXISTS:
        return False
    (query,) = call.arguments
    operation = query.operation if isinstance(query, TableReference) else None
    while isinstance(operation, Project):
        operation = operation.input
    return isinstance(operation, Aggregate) and not operation.group_keys and operation.grouping_sets is None


def _compares_other_structs(call: Call, over: Over | None) -> bool:
    if call.function not in _COMPARISONS:
        return False
    first, *others = [argument.data_type for argument in call.arguments]
    rows = [other for other in others if isinstance(other, t.RowType)]
    return isinstance(first, t.RowType) and not all(map(first.same_type, rows))


def _with_one_type(call: Call) -> ResolvedExpression:
    first, *others = call.arguments
    # Rows are comparable only if their fields have the same types, so that the cast changes the names alone.
    kind = TypeLiteral(first.data_type.as_nullable())
    return construct(call.function, (first, *[construct(CAST, (other, kind)) for other in others]))


def _counts_days(call: Call, over: Over | None) -> bool:
    return call.function is EXTRACT and call.arguments[0].as_summary_string() in ("DAYOFWEEK", "DOW")


def _has_frequency(call: Call, over: Over | None) -> bool:
    return call.function is statistics.PERCENTILE and len(call.arguments) > 2


def _lists_down(call: Call, over: Over | None) -> bool:
    return call.function is agg.LIST_AGG and any(not key.ascending for key in call.order_by)


def _mixes_precisions(call: Call, over: Over | None) -> bool:
    # A cast between two precisions has the second one as a type.
    times = [given.data_type for given in call.arguments if not isinstance(given, TypeLiteral)]
    return len({kind.precision for kind in times if isinstance(kind, t.TimeType)}) > 1


def _with_widest_time(call: Call) -> ResolvedExpression | None:
    """Return a call whose times have the same precision, that of the most precise one, which loses nothing."""
    if call.distinct or call.filter is not None or call.order_by:
        return None
    times = [kind for given in call.arguments if isinstance(kind := given.data_type, t.TimeType)]
    widest = TypeLiteral(max(times, key=lambda kind: kind.precision).as_nullable())
    return construct(
        call.function,
        tuple(
            construct(CAST, (given, widest))
            if isinstance(given.data_type, t.TimeType) and not given.data_type.same_type(widest.type_)
            else given
            for given in call.arguments
        ),
    )


def _reads_fields_of_items(call: Call, over: Over | None) -> bool:
    return call.function is GET and isinstance(call.arguments[0].data_type, t.ArrayType)


def _ignores_blanks(call: Call, over: Over | None) -> bool:
    return call.function is COLLATE and call.data_type.feature == "collation with RTRIM"


def _has_few_digits(call: Call, over: Over | None) -> bool:
    if call.function is not EXTRACT or extract_unit(call.arguments[0].as_summary_string()) != "SECOND":
        return False
    kind = call.arguments[1].data_type
    return isinstance(kind, t.TimeType) and kind.precision < t.MICROSECOND_PRECISION


def _of_microseconds(call: Call) -> ResolvedExpression:
    """Return the seconds of the time with six digits, which are of the same type in every version."""
    unit, time = call.arguments
    kind = t.TimeType(t.MICROSECOND_PRECISION)
    return construct(EXTRACT, (unit, construct(CAST, (time, TypeLiteral(kind)))))


def _reads_few_digits(call: Call, over: Over | None) -> bool:
    """Whether a call casts strings to a TIME of few digits, of which older versions keep those of the string."""
    if call.function not in (CAST, TRY_CAST):
        return False
    has_strings = any(isinstance(part, t.StringType) for part in call.arguments[0].data_type.walk())
    return has_strings and any(
        isinstance(part, t.TimeType) and part.precision < t.MICROSECOND_PRECISION for part in call.data_type.walk()
    )


def _by_microseconds(call: Call) -> ResolvedExpression | None:
    """Return the cast of a TIME that has all digits of the string; of an array or row of strings there is none."""
    text, target = call.arguments
    if not isinstance(text.data_type, t.StringType):
        return None
    time = construct(call.function, (text, TypeLiteral(t.TimeType(t.MICROSECOND_PRECISION))))
    return construct(call.function, (time, target))


def _has_distinct_maps(call: Call, over: Over | None) -> bool:
    """Whether an aggregate takes distinct maps, or values with maps in them."""
    parts = [part for given in call.arguments if call.distinct for part in given.data_type.walk()]
    return any(isinstance(part, t.MapType) for part in parts)


def _zips_maps_of_fractions(call: Call, over: Over | None) -> bool:
    """Whether MAP_ZIP_WITH has keys that may be NaN, of which older versions find no two equal."""
    if call.function is not MAP_ZIP_WITH:
        return False
    kinds = [given.data_type for given in call.arguments[:2]]
    keys = [part for kind in kinds if isinstance(kind, t.MapType) for part in kind.key.walk()]
    return any(isinstance(part, (t.FloatType, t.DoubleType)) for part in keys)


def _reverses_bytes(call: Call, over: Over | None) -> bool:
    return call.function is REVERSE and isinstance(call.arguments[0].data_type, t.BytesType)


def _adds_null_to_time(call: Call, over: Over | None) -> bool:
    """Whether a call adds or subtracts an untyped NULL and a date or timestamp."""
    if call.function not in (ar.PLUS, ar.MINUS, TRY_ADD, TRY_SUBTRACT):
        return False
    kinds = [given.data_type for given in call.arguments]
    times = (t.DateType, t.TimestampType, t.LocalZonedTimestampType)
    return any(isinstance(kind, t.NullType) for kind in kinds) and any(isinstance(kind, times) for kind in kinds)


def _typed_null(call: Call) -> ResolvedExpression:
    return ValueLiteral(None, call.data_type.as_nullable())


GAPS = (
    Gap("COLLATE", lambda call, over: call.function is COLLATE, _no_form),
    Gap("collation with RTRIM", _ignores_blanks, _no_form),
    Gap("RESPECT NULLS of ARRAY_AGG", _collects_nulls, _with_nulls),
    Gap("window with FILTER", lambda call, over: over is not None and call.filter is not None, _without_filter),
    Gap("WITHIN GROUP of MODE", lambda call, over: call.function is agg.MODE and bool(call.order_by), _no_form),
    Gap("EXISTS of an aggregate without keys", _has_rows_always, lambda call: literal(True)),
    Gap("EXTRACT of the day of the week", _counts_days, _no_form),
    Gap("PERCENTILE with a frequency", _has_frequency, _no_form),
    Gap("WITHIN GROUP of LISTAGG in descending order", _lists_down, _no_form),
    Gap("TIMEs of two precisions", _mixes_precisions, _with_widest_time),
    Gap("field of an array of structs", _reads_fields_of_items, _no_form),
    Gap("comparison of structs with other field names", _compares_other_structs, _with_one_type),
    Gap("CAST of a string to a TIME of fewer digits", _reads_few_digits, _by_microseconds),
    Gap("seconds of a TIME of few digits", _has_few_digits, _of_microseconds),
    Gap("REVERSE of BINARY", _reverses_bytes, _no_form),
    Gap("DISTINCT of a map in an aggregate", _has_distinct_maps, _no_form),
    Gap("MAP_ZIP_WITH of NaN", _zips_maps_of_fractions, _no_form),
    Gap("date plus NULL", _adds_null_to_time, _typed_null),
)
"""The gaps that calls of built-in functions are checked for."""

INTERVAL_OVER_DATES = "window RANGE of an interval over dates"


def needs_interval_over_dates(over: Over) -> bool:
    """Whether the frame of a window is an interval before or after dates."""
    return (
        over.frame is not None
        and over.frame.unit is FrameUnit.RANGE
        and len(over.order_by) == 1
        and isinstance(over.order_by[0].data_type, t.DateType)
        and any(
            bound.offset is not None and isinstance(bound.offset.data_type, t.IntervalType)
            for bound in (over.frame.lower, over.frame.upper)
        )
    )


def over_times(over: Over) -> Over:
    """Return a window over dates as the same window over the timestamps at which the days begin."""
    (key,) = over.order_by
    time = construct(CAST, (key.expression, TypeLiteral(t.TIMESTAMP)))
    return over.evolve(order_by=(SortOrder(time, key.ascending, key.nulls_first),))
