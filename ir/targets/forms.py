"""Equivalents of calls that older versions of Spark lack.

A form computes the same value from functions that every supported version has. Where there is none, or none for the
arguments of a call, the call is refused: a wrong value is worse than an error.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Mapping, Sequence

from ir import types as t
from ir.call_expressions import Call
from ir.calls import Clauses, construct
from ir.expressions import Lambda, LambdaVariable, ResolvedExpression, SymbolLiteral, TypeLiteral, ValueLiteral
from ir.functions import aggregate as agg
from ir.functions import arithmetic as ar
from ir.functions import arrays, dates, timestamps
from ir.functions.collection import GET, ROW
from ir.functions.comparison import EQUALS, GREATER_THAN
from ir.functions.conversion import CAST, TRY_CAST
from ir.functions.definition import FunctionDefinition
from ir.functions.formatting import TO_CHAR
from ir.functions.higher_order import TRANSFORM
from ir.functions.intervals import TIME_BUCKET
from ir.functions.logic import CASE
from ir.functions.mathematics import PMOD, TRY_MOD
from ir.functions.string import CONCAT, REPLACE
from ir.functions.temporal import EXTRACT
from ir.functions.text_encoding import QUOTE
from ir.literals import literal
from ir.rewriting import make_lambda

Form = Callable[[Call], ResolvedExpression | None]
"""Returns the equivalent of a call, None if there is none for its arguments."""

_MICROSECOND = ValueLiteral(1, t.DayTimeIntervalType(t.IntervalField.SECOND, t.IntervalField.SECOND, nullable=False))
_SECOND, _MINUTE, _HOUR, _DAY = 1_000_000, 60_000_000, 3_600_000_000, 86_400_000_000
_EPOCH = dt.datetime(1970, 1, 1)


def _number(value: int) -> ValueLiteral:
    return ValueLiteral(value, t.BIGINT.not_null())


def _cast(value: ResolvedExpression, kind: t.LogicalType) -> ResolvedExpression:
    return construct(CAST, (value, TypeLiteral(kind)))


def _sum(parts: Sequence[ResolvedExpression]) -> ResolvedExpression:
    total, *rest = parts
    for part in rest:
        total = construct(ar.PLUS, (total, part))
    return total


# --- times -----------------------------------------------------------------------------------------------------------


def _bucket(call: Call) -> ResolvedExpression | None:
    """Return the time less the part of its bucket that has passed.

    Buckets of a timestamp with local time zone are counted from 1970 in the session's time zone. Buckets with days
    follow its calendar, and have no equivalent form.
    """
    length, time, *origin = call.arguments
    assert isinstance(length, ValueLiteral)
    size, start = length.value, origin[0] if origin else None
    if isinstance(time.data_type, t.TimestampType):
        begin = _EPOCH if start is None else start.value if isinstance(start, ValueLiteral) else None
        if not isinstance(begin, dt.datetime):
            return None
        if isinstance(length.data_type, t.YearMonthIntervalType):
            return _months(time, size, begin)
        # An origin within the first bucket only moves the bounds of all buckets.
        offset = (begin - _EPOCH) // dt.timedelta(microseconds=1) % size
        return _less(time, _passed(_microseconds_of(time, size), size, offset))
    if isinstance(length.data_type, t.YearMonthIntervalType) or size % _DAY == 0 or start is not None:
        return None
    begin_there = construct(timestamps.UNIX_MICROS, (_cast(literal(_EPOCH), t.TIMESTAMP_LTZ),))
    count = construct(ar.MINUS, (construct(timestamps.UNIX_MICROS, (time,)), begin_there))
    return _less(time, _passed(count, size, 0))


def _microseconds_of(time: ResolvedExpression, size: int) -> ResolvedExpression:
    """Return the microseconds of a timestamp without time zone since 1970, without the multiples of a size.

    The functions of Spark that count since 1970 read the time in the session's time zone, where some times do not
    exist.
    """
    second = construct(ar.TIMES, (construct(EXTRACT, (SymbolLiteral("SECOND"), time)), _number(_SECOND)))
    counts: list[tuple[int, ResolvedExpression]] = [
        (_DAY, construct(dates.DATE_DIFF, (_cast(time, t.DATE), literal(_EPOCH.date())))),
        (_HOUR, construct(EXTRACT, (SymbolLiteral("HOUR"), time))),
        (_MINUTE, construct(EXTRACT, (SymbolLiteral("MINUTE"), time))),
    ]
    parts = [construct(ar.TIMES, (_cast(count, t.BIGINT), _number(unit))) for unit, count in counts if unit % size]
    return _sum([*parts, _cast(second, t.BIGINT)])


def _passed(count: ResolvedExpression, size: int, begin: int) -> ResolvedExpression:
    counted = construct(ar.MINUS, (count, _number(begin))) if begin else count
    return construct(PMOD, (counted, _number(size)))


def _less(time: ResolvedExpression, microseconds: ResolvedExpression) -> ResolvedExpression:
    return construct(ar.MINUS, (time, construct(ar.TIMES, (_MICROSECOND, microseconds))))


def _months(time: ResolvedExpression, size: int, begin: dt.datetime) -> ResolvedExpression | None:
    """Return the first day of the year, quarter or month of a timestamp without time zone."""
    unit = {1: "MONTH", 3: "QUARTER", 12: "YEAR"}.get(size)
    if unit is None or begin != _EPOCH:
        return None
    first = construct(dates.TRUNC, (_cast(time, t.DATE), literal(unit)))
    return _cast(first, t.TIMESTAMP)


def _name_of(pattern: str) -> Form:
    def form(call: Call) -> ResolvedExpression:
        return construct(timestamps.DATE_FORMAT, (*call.arguments, literal(pattern)))

    return form


def _to_char(call: Call) -> ResolvedExpression | None:
    is_time = isinstance(call.arguments[0].data_type, t.DateType | t.TimestampType | t.LocalZonedTimestampType)
    return construct(timestamps.DATE_FORMAT, call.arguments) if is_time else None


def _try_to_date(call: Call) -> ResolvedExpression | None:
    text, *pattern = call.arguments
    if not isinstance(text.data_type, t.StringType):
        return None
    if not pattern:
        return construct(TRY_CAST, (text, TypeLiteral(t.DATE)))
    return _cast(construct(timestamps.TRY_TO_TIMESTAMP, call.arguments), t.DATE)


# --- numbers and text ------------------------------------------------------------------------------------------------


def _try_mod(call: Call) -> ResolvedExpression | None:
    if not all(isinstance(given.data_type, t.NumericType) for given in call.arguments):
        return None
    number, divisor = call.arguments
    is_zero = construct(EQUALS, (divisor, _cast(_number(0), divisor.data_type)))
    return construct(CASE, (is_zero, ValueLiteral(None, t.NULL), construct(ar.MOD, (number, divisor))))


def _quote(call: Call) -> ResolvedExpression:
    (text,) = call.arguments
    if isinstance(text.data_type, t.StringType) and text.data_type.has_collation:
        # Some collations have no REPLACE, and none changes which character is a quote.
        text = _cast(text, t.STRING)
    escaped = construct(REPLACE, (text, literal("'"), literal("\\'")))
    return construct(CONCAT, (literal("'"), escaped, literal("'")))


# --- aggregates ------------------------------------------------------------------------------------------------------


def _list_agg(call: Call) -> ResolvedExpression | None:
    """Return LISTAGG as a join of the collected array, sorted if the call has an order; NULL for an empty group."""
    value, *separator = call.arguments
    orders = {(key.ascending, key.nulls_first) for key in call.order_by}
    if not isinstance(value.data_type, t.StringType) or (
        not orders <= {(True, True)} and not orders <= {(False, False)}
    ):
        return None
    clauses = Clauses(filter=call.filter)
    keys = tuple([key.expression for key in call.order_by])
    if call.distinct:
        found = construct(agg.COLLECT_SET, (value,), clauses)
    elif not keys or keys == (value,):
        found = construct(agg.ARRAY_AGG, (value,), clauses)
    else:
        named = [part for number, key in enumerate((*keys, value)) for part in (literal(f"_{number}"), key)]
        found = construct(agg.ARRAY_AGG, (construct(ROW, named),), clauses)
    if keys:
        found = construct(arrays.SORT_ARRAY, (found, literal(orders == {(True, True)})))
    if isinstance(found.data_type, t.ArrayType) and isinstance(found.data_type.element, t.RowType):
        found = construct(TRANSFORM, (found, _last_field(found.data_type.element)))
    joined = construct(arrays.ARRAY_JOIN, (found, *(separator or (literal(""),))))
    count = construct(agg.COUNT, (value,), clauses)
    return construct(CASE, (construct(GREATER_THAN, (count, _number(0))), joined, ValueLiteral(None, t.NULL)))


def _last_field(kind: t.RowType) -> Lambda:
    row = LambdaVariable("row", kind)
    return make_lambda((row,), construct(GET, (row, literal(kind.fields[-1].name))))


def _mode(call: Call) -> ResolvedExpression | None:
    """Return MODE without its second argument if that is FALSE, which is the default."""
    value, *deterministic = call.arguments or (None,)
    is_any = [isinstance(given, ValueLiteral) and given.value is False for given in deterministic]
    return construct(agg.MODE, (value,), Clauses(filter=call.filter)) if value is not None and all(is_any) else None


def _collect_union(call: Call) -> ResolvedExpression:
    lists = construct(agg.ARRAY_AGG, call.arguments, Clauses(filter=call.filter))
    united = construct(arrays.ARRAY_DISTINCT, (construct(arrays.FLATTEN, (lists,)),))
    return united if call.respect_nulls else construct(arrays.ARRAY_COMPACT, (united,))


FORMS: Mapping[FunctionDefinition, Form] = {
    TIME_BUCKET: _bucket,
    dates.DAY_NAME: _name_of("EEE"),
    dates.MONTH_NAME: _name_of("MMM"),
    timestamps.TRY_TO_DATE: _try_to_date,
    TO_CHAR: _to_char,
    TRY_MOD: _try_mod,
    QUOTE: _quote,
    agg.LIST_AGG: _list_agg,
    agg.COLLECT_UNION: _collect_union,
    agg.MODE: _mode,
}
"""The form of each function that has one; a form is used if the target lacks the function."""
