"""Run a process table function over the rows of a task of a micro-batch, with state that outlives the batch.

The state of a partition is read before its first row of the batch and written after its last one. Then the watermark of
the micro-batch comes, and timers fire that it has passed. ``end`` is the end of the batch and not of the input, so that
``finish`` is never called.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Protocol, TypeVar

import pyarrow as pa
import pyarrow.compute as pc

from tableapi.spark.runtime.process.late_rows import LateRunning
from tableapi.spark.runtime.process.loop import loop_of
from tableapi.spark.runtime.process.outputs import BATCH
from tableapi.spark.runtime.process.partition_keys import decode_key, key_columns
from tableapi.spark.runtime.process.plan import Plan, StoredPlan
from tableapi.spark.runtime.process.rows import starts_of_partitions
from tableapi.spark.runtime.process.running import Running
from tableapi.spark.runtime.process.running_context import RunningContext, StreamContext
from tableapi.spark.runtime.process.state_store import MOST_KEYS, Change, Prefetched
from tableapi.spark.runtime.process.stored_values import NotStorable, StoredValues
from tableapi.spark.runtime.process.times import MILLISECOND

_T = TypeVar("_T")
_compute: Any = pc
# The bytes of changed states that are kept before they are written.
_MOST_BYTES = 4 << 20
MOST_OF_VALUE = (2 << 30) - (16 << 20)
"""The bytes of the state of one partition that a message to the state store can have, with room for what is around."""


class States(Protocol):
    """Where the states of keys are."""

    def read(self, keys: Sequence[bytes]) -> list[bytes | None]:
        """Return the states of keys; None for a key without state."""

    def write(self, changes: Sequence[Change]) -> None:
        """Write changes of the states of keys."""


class StreamRunning(Running):
    """The run of a process table function in a task of a micro-batch.

    Args:
        plan: the plan. Rows come sorted by the encoding of their partition keys, the last column, and within it in the
            order of processing.
        stored: how states are stored.
        states: the states of the partitions of the task.
        reached: the watermark up to which timers have fired, in microseconds; None before the first one.
        watermark: the watermark of the micro-batch, which comes after its rows.
    """

    _names_keys = True

    def __init__(
        self, plan: Plan, stored: StoredPlan, states: States, reached: int | None, watermark: int | None
    ) -> None:
        super().__init__(plan)
        self._stored = stored
        self._values = StoredValues(stored, self._create, states.read)
        self._store = states
        self._expected = Prefetched(states.read)
        self._reached = reached
        self._next = watermark
        self._has_advanced = watermark is not None and (reached is None or watermark > reached)
        # Up to which times timers have fired before the rows of the micro-batch, and fire after them.
        self._fired_up_to, self._fires_up_to = reached, watermark
        self._late = None if plan.on_late is None else LateRunning(plan, reached)
        # What progress shows of the task: rows, late ones, and the largest state with its partition.
        self.rows_seen = self.late_rows = self.largest_state = 0
        self.largest_partition: bytes | None = None
        # The partition: its key, its state as it was read, and the time of its wake-up in milliseconds.
        self._key = b""
        self._before: bytes | None = None
        self._wake: int | None = None
        # The wake-ups that have come, by the partitions whose timers fire, and the partition whose wake-up the caller
        # deletes.
        self._come: Mapping[bytes, int] = {}
        self._deleted = b""
        # Its rows that wait for the watermark, as they are stored, and the time of the first of them.
        self._waiting = b""
        self._least: int | None = None
        self._changes: list[Change] = []
        self._bytes = 0

    def _make_context(self) -> RunningContext:
        return StreamContext(self._plan, self._clear_state)

    def _make_loop(self, names: Mapping[str, Any]) -> Callable[[Sequence[Any], Iterator[int]], Iterator[Any]]:
        width = self._outputs.width
        return loop_of(
            self._plan, self._view, self._expires, width, BATCH, names, keeps_state=True, fires_between=False
        )

    # --- entry points ------------------------------------------------------------------------------------------------

    def rows(self, batch: pa.RecordBatch, scalars: Sequence[pa.Array]) -> Iterator[pa.RecordBatch]:
        batch, late = self._split_late(batch)
        if late is not None:
            yield from self._process_late(late, scalars)
        yield from super().rows(batch, scalars)

    def _process_late(self, late: pa.RecordBatch, scalars: Sequence[pa.Array]) -> Iterator[pa.RecordBatch]:
        """Yield the output of ``on_late`` for late rows."""
        if self._late is not None:
            if not self._is_open:
                self._open(scalars)
            yield from self._late.process(late, scalars)

    def _split_late(self, batch: pa.RecordBatch) -> tuple[pa.RecordBatch, pa.RecordBatch | None]:
        """Return the rows whose time is after the watermark up to which timers have fired, and the others."""
        self.rows_seen += batch.num_rows
        if self._reached is None or self._plan.time is None:
            return batch, None
        times = batch.column(self._plan.time).view(pa.int64())
        # A row without a time is reported by the loop.
        is_late = _compute.fill_null(_compute.less_equal(times, self._reached), False)
        count = _compute.sum(is_late).as_py() or 0
        if not count:
            return batch, None
        self.late_rows += count
        return batch.filter(_compute.invert(is_late)), batch.filter(is_late)

    def end(self) -> Iterator[pa.RecordBatch]:
        """End the rows of the micro-batch: yield the rest of the output, and write all states."""
        yield from self._end_batch()
        self._write()
        self._source = None

    def _end_batch(self) -> Iterator[pa.RecordBatch]:
        yield from super().end()

    def fire(self, due: Sequence[tuple[bytes, int]]) -> Iterator[pa.RecordBatch]:
        """Process what is due in partitions without rows in the micro-batch, and write their states.

        Args:
            due: the keys of partitions, with the times of their wake-ups in milliseconds. The caller deletes the first
                wake-up.

        Raises:
            FunctionFailed: the function failed.
        """
        if not self._is_open:
            self._open(())
        self._come, self._deleted = dict(due), due[0][0]
        keys = list(self._come)
        for first in range(0, len(keys), MOST_KEYS):
            yield from self._fire_partitions(keys[first : first + MOST_KEYS])
        self._come, self._deleted = {}, b""
        self._write()

    def _fire_partitions(self, keys: Sequence[bytes]) -> Iterator[pa.RecordBatch]:
        pairs = zip(keys, self._store.read(keys), strict=True)
        yield from self._end_each(self._make_source(keys), pairs, lambda pair: self._load(*pair))

    def _end_each(
        self, source: pa.RecordBatch, partitions: Iterable[_T], begin: Callable[[_T], None]
    ) -> Iterator[pa.RecordBatch]:
        """Fire the timers of partitions without rows to process, and store their states.

        Args:
            source: a row for each partition, for the columns that are forwarded.
            partitions: the partitions.
            begin: restores the state of a partition.
        """
        self._source = source
        for position, partition in enumerate(partitions):
            self.position = position
            begin(partition)
            ending = self.end_partition()
            if ending is not None:
                yield from ending
        yield from self._end_rows(False)
        self._source = None

    def describe_largest_partition(self) -> str | None:
        """Return the keys of the partition with the largest state in words; None without any state."""
        if self.largest_partition is None:
            return None
        keys = self._stored.keys
        return repr(tuple(decode_key(self.largest_partition, keys))) if keys else "()"

    def _make_source(self, given: Sequence[bytes]) -> pa.RecordBatch:
        """Return a row for each partition with the values of its keys, and NULL in all other columns."""
        keys = self._plan.keys
        types = [self._plan.output.field(self._plan.forwarded.index(position)).type for position in keys]
        columns: list[pa.Array] = [pa.nulls(len(given))] * (max(keys, default=0) + 1)
        rows = [key_columns(key, self._stored.keys, types) for key in given]
        for position, values_of_key in zip(keys, zip(*rows, strict=True), strict=True):
            columns[position] = pa.concat_arrays(values_of_key)
        return pa.RecordBatch.from_arrays(columns, [f"_{number}" for number in range(len(columns))])

    # --- partitions --------------------------------------------------------------------------------------------------

    def _starts(self, batch: pa.RecordBatch) -> list[int]:
        key = batch.column(batch.num_columns - 1)
        before = []
        if self._source is not None:
            before = [self._source.column(self._source.num_columns - 1).slice(self._source.num_rows - 1)]
        starts = starts_of_partitions([key], before)
        self._expected.expect(key.take(pa.array(starts, pa.int32())).to_pylist())
        return starts

    def begin_partition(self) -> None:
        """Restore the state of the next partition."""
        self.in_partition = True
        self._load(*self._expected.take())

    def _load(self, key: bytes, stored: bytes | None) -> None:
        context = self._context
        context.begin()
        context.watermark = self._fired_up_to
        self._key, self._before, self._wake = key, stored, None
        self._values.begin(key)
        if stored is None:
            self._clear_state(None)
        else:
            self._restore(stored)
        if self._come:
            self._leave_wake_up(self._come[key])

    def _leave_wake_up(self, come: int) -> None:
        """Have the wake-up of the partition deleted, which has come."""
        if self._deleted == self._key:
            self._wake = None if self._wake == come else self._wake
        elif self._wake != come:
            self._add_change(Change(self._key, False, None, come))

    def _restore(self, stored: bytes) -> None:
        """Restore the states and the timers of the partition."""
        context = self._context
        found, timers = self._values.decode(stored)
        self._states[:] = found
        for number, state in enumerate(self._plan.states):
            if state.ttl is not None and self._expires:
                self._expiring[number] = found[number]
                self._states[number] = found[number].begin(None, 0)
        if timers is not None:
            self._wake, on_watermark, entries = timers
            context.on_watermark, context.is_periodic = on_watermark > 0, on_watermark > 1
            context.queue.restore(entries)

    def end_partition(self) -> Iterator[pa.RecordBatch] | None:
        """Fire the timers of the partition that the watermark has passed, and store its state."""
        self.in_partition = False
        context = self._context
        if self._has_advanced and (context.on_watermark or context.queue.next_time() <= (self._fires_up_to or 0)):
            return self._advance_and_store()
        self._store_partition("eval")
        return None

    def _advance_and_store(self) -> Iterator[pa.RecordBatch]:
        assert self._fires_up_to is not None
        yield from self._advance(self._fires_up_to, self._fired_up_to)
        self._store_partition("on_timer")

    @property
    def _has_no_rows_between(self) -> bool:
        return True

    def _store_partition(self, method: str) -> None:
        self._expire()
        states = [self._expiring.get(number, state) for number, state in enumerate(self._states)]
        try:
            made = self._values.encode_states(states)
            timers, wake = self._timers(has_states=made is not None)
            state = self._values.join(states, made, timers, self._waiting)
            _require_storable(state, self._waiting)
        except NotStorable as error:
            raise self.failure(method, error, self.position) from None
        for key, chunk in self._values.changed_chunks.items():
            self._add_change(Change(key, True, chunk))
        size = len(state or b"") + self._values.chunk_bytes
        if size > self.largest_state:
            self.largest_state, self.largest_partition = size, self._key
        is_moved = wake != self._wake
        if state == self._before and not is_moved:
            return
        cancelled, registered = (self._wake, wake) if is_moved else (None, None)
        self._add_change(Change(self._key, state != self._before, state, cancelled, registered))

    def _add_change(self, change: Change) -> None:
        self._changes.append(change)
        self._bytes += len(change.state or b"")
        if len(self._changes) >= MOST_KEYS or self._bytes >= _MOST_BYTES:
            self._write()

    def _expire(self) -> None:
        """Remove the state that has expired for all rows and timers to come."""
        if self._fires_up_to is not None and self._expiring:
            limit = min(self._fires_up_to, self._context.queue.first_time())
            for number, state in self._expiring.items():
                self._states[number] = state.begin(limit, limit)

    def _timers(self, *, has_states: bool) -> tuple[Any, int | None]:
        """Return the timers of the partition as they are stored, and the time of its wake-up."""
        context = self._context
        entries = context.queue.stored()
        following = self._following_watermark
        wakes = [] if self._least is None else [max(following, -(-self._least // MILLISECOND))]
        if context.on_watermark:
            wakes.append(following)
        elif entries:
            # A timer in the past fires with the next watermark.
            wakes.append(max(following, self._watermark_that_fires(min(time for time, _, _ in entries))))
        expiry = self._find_expiry() if has_states else None
        if expiry is not None:
            wake = max(following, self._watermark_that_fires(expiry))
            # An earlier wake-up does as well, and need not be moved each time the state changes.
            is_pending = self._wake is not None and following <= self._wake <= wake
            wakes.append(self._wake if is_pending and self._wake is not None else wake)
        if not wakes:
            return None, None
        return self._describe_timers(min(wakes), entries), min(wakes)

    def _find_expiry(self) -> int | None:
        """Return the time when all state with a time to live has expired; None without such state."""
        times = [
            state.last_change + (self._plan.states[number].ttl or 0)
            for number, state in self._expiring.items()
            if state.last_change is not None
        ]
        return max(times, default=None)

    def _describe_timers(self, wake: int, entries: list[Any]) -> list[Any]:
        """Return the timers of the partition as they are stored."""
        context = self._context
        return [wake, 0 if not context.on_watermark else 2 if context.is_periodic else 1, entries]

    @property
    def _following_watermark(self) -> int:
        """The least watermark after that of the micro-batch, in milliseconds.

        Before the first watermark it is 1. Spark looks for wake-ups after the watermark of the micro-batch before, and
        takes 0 for it then.
        """
        return 1 if self._next is None else self._next // MILLISECOND + 1

    def _watermark_that_fires(self, time: int) -> int:
        """Return the least watermark that fires a timer, in milliseconds."""
        return -(-time // MILLISECOND)

    def _write(self) -> None:
        if self._changes:
            self._store.write(self._changes)
            self._changes, self._bytes = [], 0


def _require_storable(state: bytes | None, waiting: bytes) -> None:
    """Check that the state of a partition fits into a value of the state store.

    Raises:
        NotStorable: it is too large.
    """
    if state is not None and len(state) > MOST_OF_VALUE:
        what = f", of which {len(waiting):,} are rows that wait for the watermark" if waiting else ""
        raise NotStorable(
            f"the state of the partition has {len(state):,} bytes{what}, and Spark stores at most {MOST_OF_VALUE:,} in "
            "a value. Keep elements in a ListView or MapView, which is stored in parts, partition by finer keys, or "
            "give the watermark a shorter delay"
        )
