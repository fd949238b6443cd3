"""Lowering of the windows that contain a time to an array of rows in Spark.

Cumulative windows are computed from the sequence of their ends, filtered by the ends after the time. Sliding windows
are computed from the sequence of their starts, as many as windows overlap; if the slide does not divide the size, from
one more, filtered by the windows that end after the time.

TIME_BUCKET computes the start for a timestamp without time zone. A timestamp with local time zone is counted in
microseconds instead, because Spark adds days and begins day buckets by the calendar of the session's time zone.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable

from ir import calls
from ir import types as t
from ir.call_expressions import Call
from ir.durations import duration_text
from ir.expressions import Lambda, LambdaVariable, ResolvedExpression, ValueLiteral
from ir.functions.arithmetic import MINUS, PLUS
from ir.functions.arrays import SEQUENCE
from ir.functions.collection import ROW
from ir.functions.comparison import GREATER_THAN
from ir.functions.higher_order import FILTER, TRANSFORM
from ir.functions.intervals import TIME_BUCKET
from ir.functions.mathematics import PMOD
from ir.functions.time_units import FLOOR_TO
from ir.functions.time_window import CUMULATIVE_WINDOWS, END, SLIDING_WINDOWS, START, interval_of, microseconds
from ir.functions.timestamps import TIMESTAMP_MICROS, UNIX_MICROS
from ir.literals import literal
from ir.lowerings.lowering import Lowering
from ir.lowerings.times import lower_floor
from ir.rewriting import make_lambda

# Making a bucket of one unit yields FLOOR.
_BUCKETS = (TIME_BUCKET, FLOOR_TO)
_EPOCH = dt.datetime(1970, 1, 1)


def _lower(call: Call) -> ResolvedExpression:
    time, *lengths = call.arguments
    step, size, *others = map(microseconds, lengths)
    counted, start, length = _beginning(time, size, others[0] if others else 0)
    return _windows(counted, start, length(step), length(size))


def _beginning(
    time: ResolvedExpression, size: int, offset: int
) -> tuple[ResolvedExpression, ResolvedExpression, Callable[[int], ValueLiteral]]:
    """Return a time as it is counted, the last multiple of a size up to it, and a function that makes lengths."""
    if isinstance(time.data_type, t.TimestampType):
        origin = [literal(_EPOCH + dt.timedelta(microseconds=offset))] if offset else []
        return time, calls.call(TIME_BUCKET, (interval_of(size), time, *origin)), interval_of
    instant = calls.call(UNIX_MICROS, (time,))
    counted = calls.call(MINUS, (instant, _number(offset))) if offset else instant
    begin = calls.call(MINUS, (instant, calls.call(PMOD, (counted, _number(size)))))
    return instant, begin, _number


def _number(value: int) -> ValueLiteral:
    return ValueLiteral(value, t.BIGINT.not_null())


def _windows(
    time: ResolvedExpression, start: ResolvedExpression, step: ValueLiteral, size: ValueLiteral
) -> ResolvedExpression:
    first, last = (calls.call(PLUS, (start, length)) for length in (step, size))
    ends = calls.call(SEQUENCE, (first, last, step))
    end = LambdaVariable(END, time.data_type.not_null())
    after = calls.call(FILTER, (ends, make_lambda((end,), calls.call(GREATER_THAN, (end, time)))))
    bounds = [_convert_to_time(bound) for bound in (start, end)]
    row = calls.call(ROW, (literal(START), bounds[0], literal(END), bounds[1]))
    return calls.build_without_recognition(TRANSFORM, (after, make_lambda((end,), row)))


def _convert_to_time(bound: ResolvedExpression) -> ResolvedExpression:
    return calls.call(TIMESTAMP_MICROS, (bound,)) if isinstance(bound.data_type, t.BigIntType) else bound


def _lower_sliding(call: Call) -> ResolvedExpression:
    time, *lengths = call.arguments
    size, slide, *others = map(microseconds, lengths)
    counted, last, length = _beginning(time, slide, others[0] if others else 0)
    before = -(-size // slide) - 1
    first = calls.call(MINUS, (last, length(before * slide))) if before else last
    starts: ResolvedExpression = calls.call(SEQUENCE, (first, last, length(slide)))
    start = LambdaVariable(START, counted.data_type.not_null())
    end = calls.call(PLUS, (start, length(size)))
    if size % slide:
        starts = calls.call(FILTER, (starts, make_lambda((start,), calls.call(GREATER_THAN, (end, counted)))))
    row = calls.call(ROW, (literal(START), _convert_to_time(start), literal(END), _convert_to_time(end)))
    return calls.build_without_recognition(TRANSFORM, (starts, make_lambda((start,), row)))


def _raise_sliding(transform: Call) -> ResolvedExpression | None:
    starts, over_starts = transform.arguments
    if isinstance(starts, Call) and starts.function is FILTER:
        starts = starts.arguments[0]
    if not isinstance(starts, Call) or starts.function is not SEQUENCE or len(starts.arguments) != 3:
        return None
    if not isinstance(over_starts, Lambda) or not isinstance(over_starts.body, Call):
        return None
    row, last, slide = over_starts.body, starts.arguments[1], starts.arguments[2]
    end = row.arguments[3] if row.function is ROW and len(row.arguments) == 4 else None
    if isinstance(end, Call) and end.function is TIMESTAMP_MICROS:
        (end,) = end.arguments
    if not isinstance(end, Call) or end.function is not PLUS or not isinstance(last, Call):
        return None
    size = end.arguments[1]
    if not isinstance(size, ValueLiteral) or not isinstance(size.value, int):
        return None
    found = None
    if last.function in _BUCKETS:
        found = _match_bucket(last)
    elif last.function is MINUS and isinstance(last.data_type, t.BigIntType):
        start = calls.call(TIMESTAMP_MICROS, (last,))
        found = _match_number(start, last.arguments[0]) if isinstance(start, Call) else None
    if found is None or not isinstance(slide, ValueLiteral):
        return None
    given, step, offset = found
    if not 0 < step <= size.value:
        return None
    lengths = [literal(duration_text(length)) for length in (size.value, step, *([offset] if offset else []))]
    candidate = Call(SLIDING_WINDOWS, (given, *lengths), transform.type_)
    return candidate if _lower_sliding(candidate) is transform else None


def _raise(transform: Call) -> ResolvedExpression | None:
    after, over_rows = transform.arguments
    if not isinstance(after, Call) or after.function is not FILTER or not isinstance(over_rows, Lambda):
        return None
    ends, over_ends = after.arguments
    row = over_rows.body
    if not isinstance(ends, Call) or ends.function is not SEQUENCE or len(ends.arguments) != 3:
        return None
    if not isinstance(over_ends, Lambda) or not isinstance(over_ends.body, Call):
        return None
    if not isinstance(row, Call) or row.function is not ROW or len(over_ends.body.arguments) != 2:
        return None
    time, start, step = over_ends.body.arguments[1], row.arguments[1], ends.arguments[2]
    if not isinstance(start, Call) or not isinstance(step, ValueLiteral):
        return None
    of_start = _match_bucket if start.function in _BUCKETS else _match_number
    found = of_start(start, time)
    if found is None or not isinstance(step.value, int):
        return None
    given, size, offset = found
    lengths = [literal(duration_text(length)) for length in (step.value, size, *([offset] if offset else []))]
    candidate = Call(CUMULATIVE_WINDOWS, (given, *lengths), transform.type_)
    return candidate if 0 < step.value <= size and not size % step.value and _lower(candidate) is transform else None


_Found = tuple[ResolvedExpression, int, int]


def _match_bucket(start: Call, given: ResolvedExpression | None = None) -> _Found | None:
    """Return the time, the size and the offset of windows over timestamps without time zone."""
    bucket = lower_floor(start) if start.function is FLOOR_TO else start
    if not isinstance(bucket, Call) or bucket.function is not TIME_BUCKET:
        return None
    size, time, *origin = bucket.arguments
    is_length = isinstance(size, ValueLiteral) and isinstance(size.data_type, t.DayTimeIntervalType)
    if not is_length or (given is not None and given is not time):
        return None
    assert isinstance(size, ValueLiteral)
    if not all(isinstance(given, ValueLiteral) for given in origin):
        return None
    offset = (origin[0].value - _EPOCH) // dt.timedelta(microseconds=1) if origin else 0  # type: ignore[attr-defined]  # a literal
    return (time, size.value, offset) if abs(offset) < size.value else None


def _match_number(start: Call, instant: ResolvedExpression) -> _Found | None:
    """Match a window start over timestamps with local time zone; return its time, size and offset."""
    (begin,) = start.arguments if start.function is TIMESTAMP_MICROS else (None,)
    if not isinstance(begin, Call) or begin.function is not MINUS or not isinstance(begin.arguments[1], Call):
        return None
    remainder = begin.arguments[1]
    if remainder.function is not PMOD or not isinstance(instant, Call) or instant.function is not UNIX_MICROS:
        return None
    counted, size = remainder.arguments
    offset = 0
    if counted is not instant:
        if not isinstance(counted, Call) or counted.function is not MINUS:
            return None
        subtracted = counted.arguments[1]
        if not isinstance(subtracted, ValueLiteral) or not isinstance(subtracted.value, int):
            return None
        offset = subtracted.value
    if not isinstance(size, ValueLiteral) or not isinstance(size.value, int) or abs(offset) >= size.value:
        return None
    return instant.arguments[0], size.value, offset


LOWERINGS = (
    Lowering(CUMULATIVE_WINDOWS, TRANSFORM, _lower, _raise),
    Lowering(SLIDING_WINDOWS, TRANSFORM, _lower_sliding, _raise_sliding),
)
