"""Process table functions over streams: which calls keep their state from one micro-batch to the next."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final
from weakref import ref

import attrs

from ir.messages import Term, message
from ir.operations.aggregate import Aggregate
from ir.operations.join import Join
from ir.operations.operation import QueryOperation
from ir.operations.process import ProcessTable
from ir.operations.sort import Sort
from ir.streaming.event_time import time_columns_of
from ir.streaming.refusals import EVERY_MODE, OutputMode, Refusal
from ir.streaming.remembered import RememberedFacts
from ir.streaming.stored_types import is_sorted_by_workers, key_kind, state_kind

_COMPLETE: Final = frozenset({OutputMode.COMPLETE})
_ADD_WATERMARK_OR_LEAVE_OUT: Final = message(
    "Add a watermark to the stream, {how}, and begin {ORDER_BY} with the time; or leave {ORDER_BY} out, and rows are "
    "processed as they come.",
    how=Term("watermark(col('ts'), lit(10).seconds)", "WATERMARK ts DELAY OF INTERVAL 10 SECONDS"),
)
_READ_AS_STREAM: Final = message(
    "Read the table as a stream, too; or join it to the rows of the stream before the call."
)
_KEEP_AS_STRING: Final = message(
    "Keep it in another type, such as the STRING of its JSON; or call the function over a table, such as the one that "
    "the stream writes."
)
_ADD_WATERMARK: Final = message(
    "Add a watermark to the stream, {how}.",
    how=Term("watermark(col('ts'), lit(10).seconds)", "WATERMARK ts DELAY OF INTERVAL 10 SECONDS"),
)


@attrs.frozen
class _Below:
    """The nearest operation with state, and the nearest call, at or below an operation.

    The references are weak, because this record is remembered as long as the operation lives.
    """

    stateful: ref[QueryOperation] | None
    call: ref[QueryOperation] | None


def _find_below(operation: QueryOperation) -> _Below:
    reads = [_BELOW.of(read) for read in operation.inputs if read.is_unbounded]
    return _Below(
        ref(operation) if _keeps_state(operation) else next((b.stateful for b in reads if b.stateful), None),
        ref(operation) if _is_stateful(operation) else next((b.call for b in reads if b.call), None),
    )


_BELOW: Final = RememberedFacts(_find_below)


def _is_stateful(operation: QueryOperation) -> bool:
    """Whether an operation is a call that keeps state; one with row semantics sees each row by itself."""
    return isinstance(operation, ProcessTable) and operation.signature.tables[0].is_set


def refused_calls(operation: QueryOperation) -> Iterator[Refusal]:
    """Yield the reasons against an operation over streams that is a call or stands above one."""
    below = [_BELOW.of(read) for read in operation.inputs if read.is_unbounded]
    if isinstance(operation, ProcessTable):
        refusal = _refuse_declaration(operation)
        if refusal is not None:
            yield refusal
            return
        if _is_stateful(operation):
            stateful = [found() for found in [b.stateful for b in below] if found is not None]
            # The rows of another call go on in the same way.
            yield from (_refuse_below(operation, found) for found in stateful if not _is_call(found))
            yield from _refuse_time(operation)
    elif _keeps_state(operation):
        calls = [found() for found in [b.call for b in below] if found is not None]
        yield from (_refuse_above(operation, found) for found in calls)


def calls_below_state(operation: QueryOperation) -> dict[str, bool]:
    """Return the calls whose rows go to an operation with state that follows the watermark, by their ``uid``.

    The value is whether one of these operations is Spark's own, which needs a column with the watermark.
    """
    found: dict[str, bool] = {}
    for above in operation.walk_with_subqueries():
        follows_time = bool(above.on_time if isinstance(above, ProcessTable) else time_columns_of(above))
        if above.is_unbounded and follows_time and _keeps_state(above):
            for call in _nearest_calls(above):
                found[call.uid] = found.get(call.uid, False) or not isinstance(above, ProcessTable)
    return found


def _nearest_calls(operation: QueryOperation) -> Iterator[ProcessTable]:
    waiting = list(operation.inputs)
    while waiting:
        current = waiting.pop()
        if _is_call(current):
            assert isinstance(current, ProcessTable)
            yield current
        elif current.is_unbounded:
            waiting += current.inputs


def _is_call(operation: QueryOperation | None) -> bool:
    return operation is not None and _is_stateful(operation)


def _refuse_below(call: ProcessTable, below: QueryOperation | None) -> Refusal:
    assert below is not None, "the call reads it"
    reason = message(
        "The {what} keeps state over the result of the {below}, and Spark would not know its watermark.",
        what=call.label,
        below=below.label,
    )
    return Refusal(call, EVERY_MODE, reason, message("Write that result to a table, and read it as another stream."))


def _refuse_time(call: ProcessTable) -> Iterator[Refusal]:
    """Yield the reasons why rows, timers and states of a call cannot follow the watermark of its tables."""
    times = [time_columns_of(table) for table in call.tables]
    if any(call.order_keys):
        yield from _refuse_order(call, times)
    for number, carried in enumerate(times):
        if call.on_time and carried and call.on_time[number] not in carried:
            reason = message(
                "on_time of the {what} names {column}, which does not carry the watermark of the stream.",
                what=call.label,
                column=call.tables[number].schema.names[call.on_time[number]],
            )
            columns = _name_columns(call, number, carried)
            yield Refusal(call, EVERY_MODE, reason, message("Name {columns}, which carries it.", columns=columns))
            return
    if any(call.order_keys):
        return
    if call.signature.on_timer is not None and not all(times):
        reason = message(
            "The {what} has timers, which fire when the watermark passes their time, and {table} has no watermark.",
            what=call.label,
            table=_name_without_watermark(call, times),
        )
        yield Refusal(call, EVERY_MODE, reason, _ADD_WATERMARK)
    yield from _refuse_expiry(call, times)


def _refuse_expiry(call: ProcessTable, times: Sequence[frozenset[int]]) -> Iterator[Refusal]:
    """Yield the reasons why states cannot expire; without on_time, they live as long as their partition."""
    expiring = next((entry for entry in call.signature.states if entry.ttl is not None), None)
    if expiring is None:
        return
    if not all(times):
        reason = message(
            "The state {state} of the {what} has a time to live, which is measured by the watermark, and {table} has "
            "no watermark.",
            state=expiring.label,
            what=call.label,
            table=_name_without_watermark(call, times),
        )
        yield Refusal(call, EVERY_MODE, reason, _ADD_WATERMARK)
    elif not call.on_time:
        reason = message(
            "The state {state} of the {what} has a time to live, which is measured from the time of rows, and the call "
            "has no on_time.",
            state=expiring.label,
            what=call.label,
        )
        columns = _name_columns(call, 0, times[0])
        yield Refusal(call, EVERY_MODE, reason, message("Name {columns} by on_time.", columns=columns))


def _name_without_watermark(call: ProcessTable, times: Sequence[frozenset[int]]) -> str:
    """Return the words for the first table without a watermark."""
    if len(times) == 1:
        return "the stream"
    return f"its table {call.signature.tables[times.index(frozenset())].name}"


def _name_columns(call: ProcessTable, number: int, positions: frozenset[int]) -> str:
    return ", ".join(call.tables[number].schema.names[index] for index in sorted(positions))


def _refuse_order(call: ProcessTable, times: Sequence[frozenset[int]]) -> Iterator[Refusal]:
    """Yield the reasons why rows cannot wait until the watermark passes them.

    With on_time, the resolution has checked that ORDER BY begins with that column.
    """
    what = call.label
    if not all(times):
        reason = message(
            "The {what} has {ORDER_BY}, so that rows wait until the watermark passes them, and {table} has no "
            "watermark.",
            what=what,
            table=_name_without_watermark(call, times),
        )
        yield Refusal(call, EVERY_MODE, reason, _ADD_WATERMARK_OR_LEAVE_OUT)
    elif not call.on_time:
        reason = message(
            "The {what} has {ORDER_BY} without on_time, and rows of a stream can only be in the order of their time.",
            what=what,
        )
        named = ", ".join(_name_columns(call, number, carried) for number, carried in enumerate(times))
        around = message(
            "Name {columns} by on_time, and begin {ORDER_BY} with it; or leave {ORDER_BY} out.", columns=named
        )
        yield Refusal(call, EVERY_MODE, reason, around)
    for key in (key for keys in call.order_keys for key in keys):
        if not is_sorted_by_workers(key.expression.data_type):
            reason = message(
                "The {ORDER_BY} key {key} of the {what} is of type {data_type}, by which rows that wait for the "
                "watermark cannot be sorted.",
                key=key.expression.as_summary_string(),
                what=what,
                data_type=key.expression.data_type.as_summary_string(),
            )
            yield Refusal(call, EVERY_MODE, reason, message("Sort by fields or a cast of it, or leave it out."))


def _refuse_above(operation: QueryOperation, call: QueryOperation | None) -> Refusal:
    """Return why Spark rejects a stateful operation above a call in the output modes append and update."""
    assert call is not None, "the operation reads it"
    if isinstance(operation, Aggregate):
        reason = message(
            "The {what} keeps all groups of the result of the {below}, which is an unbounded number of rows.",
            what=operation.label,
            below=call.label,
        )
        if time_columns_of(operation):
            instead = message("Run the query in output mode append, or in update.")
        else:
            instead = message("Run the query in output mode update; or group by windows over its column rowtime.")
        return Refusal(operation, _COMPLETE, reason, instead)
    reason = message(
        "The {what} keeps state over the result of the {below}, which has no watermark over a stream.",
        what=operation.label,
        below=call.label,
    )
    return Refusal(
        operation, EVERY_MODE, reason, message("Write the result to a table, and read it as another stream.")
    )


def _keeps_state(operation: QueryOperation) -> bool:
    """Whether Spark keeps state for an operation over a stream."""
    if not operation.is_unbounded:
        return False
    if isinstance(operation, Join):
        return operation.left.is_unbounded and operation.right.is_unbounded
    return operation.groups_rows or _is_stateful(operation) or (isinstance(operation, Sort) and operation.is_limited)


def _refuse_declaration(call: ProcessTable) -> Refusal | None:
    """Return why a call cannot keep its state over streams, by its declaration and its tables; None if it can."""
    what, signature = call.label, call.signature
    if not signature.tables[0].is_set:
        return None
    for argument, table in zip(signature.tables, call.tables, strict=True):
        if not table.is_unbounded:
            reason = message(
                "The {what} has streams and the table {name}, whose rows end, and their rows cannot come together.",
                what=what,
                name=argument.name,
            )
            return Refusal(call, EVERY_MODE, reason, _READ_AS_STREAM)
    for key in (key for keys in call.partition_keys for key in keys):
        if key_kind(key.data_type) is None:
            reason = message(
                "The partition key {key} of the {what} is of type {data_type}, by which the state of a stream cannot "
                "be kept.",
                key=key.as_summary_string(),
                what=what,
                data_type=key.data_type.as_summary_string(),
            )
            return Refusal(call, EVERY_MODE, reason, message("Partition by a cast or a part of it."))
    for entry, data_type in zip(signature.states, call.state_types, strict=True):
        if state_kind(data_type) is None:
            reason = message(
                "The state {state} of the {what} is of type {data_type}, which the state of a stream cannot hold.",
                state=entry.label,
                what=what,
                data_type=data_type.as_summary_string(),
            )
            return Refusal(call, EVERY_MODE, reason, _KEEP_AS_STRING)
    return None
