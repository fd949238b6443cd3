"""Process table functions over streams: which calls keep their state from one micro-batch to the next."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final
from weakref import ref

import attrs

from ir.functions.process import StateKind
from ir.messages import Message, Term, message
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
_OVER_TABLE: Final = message(
    "Call it over a table, such as the one that the stream writes; over a stream, this comes later."
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
    """Yield what prevents an operation over streams because of a call: of its own declaration, or below it."""
    below = [_BELOW.of(read) for read in operation.inputs if read.is_unbounded]
    if isinstance(operation, ProcessTable):
        reason = _find_reason(operation)
        if reason is not None:
            yield Refusal(operation, EVERY_MODE, reason, _OVER_TABLE)
            return
        if _is_stateful(operation):
            yield from (_refuse_below(operation, found()) for found in [b.stateful for b in below] if found is not None)
            yield from _refuse_time(operation)
    elif _keeps_state(operation):
        yield from (_refuse_above(operation, found()) for found in [b.call for b in below] if found is not None)


def _refuse_below(call: ProcessTable, below: QueryOperation | None) -> Refusal:
    assert below is not None, "the call reads it"
    reason = message(
        "The {what} keeps state over the result of the {below}, and Spark would not know its watermark.",
        what=call.label,
        below=below.label,
    )
    return Refusal(call, EVERY_MODE, reason, message("Write that result to a table, and read it as another stream."))


def _refuse_time(call: ProcessTable) -> Iterator[Refusal]:
    times = time_columns_of(call.tables[0])
    if call.order_keys[0]:
        yield from _refuse_order(call, times)
    if call.on_time and times and call.on_time[0] not in times:
        reason = message(
            "on_time of the {what} names {column}, which does not carry the watermark of the stream.",
            what=call.label,
            column=call.time_names[0],
        )
        named = ", ".join(call.tables[0].schema.names[index] for index in sorted(times))
        yield Refusal(call, EVERY_MODE, reason, message("Name {columns}, which carries it.", columns=named))
    elif call.signature.on_timer is not None and not times and not call.order_keys[0]:
        reason = message(
            "The {what} has timers, which fire when the watermark passes their time, and the stream has no watermark.",
            what=call.label,
        )
        yield Refusal(call, EVERY_MODE, reason, _ADD_WATERMARK)


def _refuse_order(call: ProcessTable, times: frozenset[int]) -> Iterator[Refusal]:
    """Yield what prevents that rows wait until the watermark passes them.

    With on_time, the resolution has checked that ORDER BY begins with that column.
    """
    what = call.label
    if not times:
        reason = message(
            "The {what} has {ORDER_BY}, so that rows wait until the watermark passes them, and the stream has no "
            "watermark.",
            what=what,
        )
        yield Refusal(call, EVERY_MODE, reason, _ADD_WATERMARK)
    elif not call.on_time:
        reason = message(
            "The {what} has {ORDER_BY} without on_time, and rows of a stream can only be in the order of their time.",
            what=what,
        )
        named = ", ".join(call.tables[0].schema.names[index] for index in sorted(times))
        around = message("Name {columns} by on_time, and begin {ORDER_BY} with it.", columns=named)
        yield Refusal(call, EVERY_MODE, reason, around)
    for key in call.order_keys[0]:
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
    """Return what prevents an operation with state above a call; in update mode, groups of its rows are counted."""
    assert call is not None, "the operation reads it"
    reason = message(
        "The {what} keeps state over the result of the {below}, which has no watermark over a stream.",
        what=operation.label,
        below=call.label,
    )
    if isinstance(operation, Aggregate):
        return Refusal(operation, _COMPLETE, reason, message("Run the query in output mode update."))
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


def _find_reason(call: ProcessTable) -> Message | None:
    """Return why a call cannot keep its state over a stream yet, by its declaration; None if it can."""
    what, signature = call.label, call.signature
    if len(call.tables) > 1:
        return message("The {what} has several tables, which are not processed together over streams yet.", what=what)
    argument = signature.tables[0]
    if not argument.is_set:
        return None
    for key in call.partition_keys[0]:
        if key_kind(key.data_type) is None:
            return message(
                "The partition key {key} of the {what} is of type {data_type}, by which the state of a stream cannot "
                "be kept.",
                key=key.as_summary_string(),
                what=what,
                data_type=key.data_type.as_summary_string(),
            )
    for entry, data_type in zip(signature.states, call.state_types, strict=True):
        if entry.kind is not StateKind.VALUE:
            view = "ListView" if entry.kind is StateKind.LIST else "MapView"
            return message(
                "The state {state} of the {what} is a {view}, which is not kept over streams yet.",
                state=entry.label,
                what=what,
                view=view,
            )
        if entry.ttl is not None:
            return message(
                "The state {state} of the {what} has a time to live, which is not supported over streams yet.",
                state=entry.label,
                what=what,
            )
        if state_kind(data_type) is None:
            return message(
                "The state {state} of the {what} is of type {data_type}, which the state of a stream cannot hold.",
                state=entry.label,
                what=what,
                data_type=data_type.as_summary_string(),
            )
    return None
