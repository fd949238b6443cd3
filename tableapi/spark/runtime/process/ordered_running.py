"""Run a process table function over a stream in the order of time: rows wait until the watermark passes them.

A micro-batch adds its rows to those that wait in the state of their partition. Then the rows up to the watermark are
processed in order, and timers fire between them as over a table. So the result does not depend on where micro-batches
end.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import accumulate, chain, pairwise, repeat
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from tableapi.spark.runtime.process.loop import loop_of
from tableapi.spark.runtime.process.outputs import BATCH
from tableapi.spark.runtime.process.packing import END_OF_STREAM, read_streams
from tableapi.spark.runtime.process.plan import OrderKey, Plan, StoredPlan
from tableapi.spark.runtime.process.rows import starts_of_partitions
from tableapi.spark.runtime.process.running_context import RunningContext
from tableapi.spark.runtime.process.sorting import sort_rows
from tableapi.spark.runtime.process.state_store import MOST_KEYS
from tableapi.spark.runtime.process.stored_values import NotStorable
from tableapi.spark.runtime.process.stream_running import States, StreamRunning
from tableapi.spark.runtime.process.times import MILLISECOND, NEVER, first_row_after

_compute: Any = pc


class _Partition:
    """A partition of a group: its key, its state as it was read, the position of its rows, and those that wait on."""

    __slots__ = ("before", "key", "released", "start", "stop")

    def __init__(self, key: bytes, before: bytes | None, start: int, stop: int) -> None:
        self.key = key
        self.before = before
        self.start = start
        self.stop = stop
        self.released = 0


class OrderedStreamRunning(StreamRunning):
    """The run of a process table function whose rows wait for the watermark.

    Timers fire up to one millisecond before the watermark. The next row of a partition may follow the watermark within
    the same millisecond, and the watermark before such a row is a millisecond earlier.

    Args:
        plan: the plan. Rows come sorted by the encoding of their partition keys, the last column.
        stored: how states are stored, and the order of rows.
        states: the states of the partitions of the task.
        reached: the watermark up to which rows have been processed, in microseconds; None before the first one.
        watermark: the watermark of the micro-batch, which comes after its rows.
    """

    def __init__(
        self, plan: Plan, stored: StoredPlan, states: States, reached: int | None, watermark: int | None
    ) -> None:
        super().__init__(plan, stored, states, reached, watermark)
        self._fired_up_to = None if reached is None else reached - MILLISECOND
        self._fires_up_to = None if watermark is None else watermark - MILLISECOND
        # The rows of the last partition, which may go on with the next rows.
        self._taken: list[pa.RecordBatch] = []
        self._rows_of_group: pa.Table | None = None
        # The rows of a group as they are stored, with the schema as it is stored, and their times.
        self._stored_rows: list[pa.RecordBatch] = []
        self._stored_schema = b""
        self._times_of_group: Any = None
        # The partitions of a group that are still to be begun.
        self._partitions: Iterator[_Partition] = iter(())

    def _make_context(self) -> RunningContext:
        return RunningContext(self._plan, self._clear_state)

    def _make_loop(self, names: Mapping[str, Any]) -> Callable[[Sequence[Any], Iterator[int]], Iterator[Any]]:
        return loop_of(self._plan, self._view, self._expires, self._outputs.width, BATCH, names, keeps_state=True)

    # --- entry points ------------------------------------------------------------------------------------------------

    def rows(self, batch: pa.RecordBatch, scalars: Sequence[pa.Array]) -> Iterator[pa.RecordBatch]:
        """Take the next rows, and process the partitions that are complete.

        Args:
            batch: the rows.
            scalars: the columns of the scalar arguments, which are also columns of the batch.

        Raises:
            FunctionFailed: the function failed.
        """
        batch, late = self._split_late(batch)
        if late is not None:
            yield from self._process_late(late, scalars)
        if not batch.num_rows:
            return
        if not self._is_open:
            self._open(scalars)
        self._require_times(batch)
        key = batch.num_columns - 1
        before = [self._taken[-1].column(key).slice(self._taken[-1].num_rows - 1)] if self._taken else []
        starts = starts_of_partitions([batch.column(key)], before)
        if starts and (self._taken or starts[-1]):
            complete = [*self._taken, batch.slice(0, starts[-1])]
            self._taken = [batch.slice(starts[-1])]
            yield from self._process_partitions(complete)
        else:
            self._taken.append(batch)

    def _require_times(self, batch: pa.RecordBatch) -> None:
        """Check that each row has a time."""
        if batch.column(self._plan.time).null_count:
            self._source = batch
            self._times_of_rows(batch, None)

    def _end_batch(self) -> Iterator[pa.RecordBatch]:
        if self._taken:
            taken, self._taken = self._taken, []
            yield from self._process_partitions(taken)

    def _fire_partitions(self, keys: Sequence[bytes]) -> Iterator[pa.RecordBatch]:
        yield from self._process_group(keys, [0] * len(keys), None)

    # --- groups of partitions ----------------------------------------------------------------------------------------

    def _process_partitions(self, batches: Sequence[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Process complete partitions in groups, because each access to the state store has a cost."""
        rows = pa.Table.from_batches(batches).combine_chunks()
        key = rows.column(rows.num_columns - 1).combine_chunks()
        starts = starts_of_partitions([key], [])
        ends = [*starts, rows.num_rows]
        for first in range(0, len(starts), MOST_KEYS):
            of_group = ends[first : first + MOST_KEYS + 1]
            keys = key.take(pa.array(of_group[:-1], pa.int32())).to_pylist()
            new = rows.slice(of_group[0], of_group[-1] - of_group[0])
            yield from self._process_group(keys, [stop - start for start, stop in pairwise(of_group)], new)

    def _process_group(
        self, keys: Sequence[bytes], lengths: Sequence[int], new: pa.Table | None
    ) -> Iterator[pa.RecordBatch]:
        """Add rows to those that wait, process all up to the watermark, and store the rest.

        Args:
            keys: the keys of the partitions.
            lengths: the number of new rows of each.
            new: the new rows, partition by partition.
        """
        states = self._store.read(keys)
        rows, counts = self._add_to_waiting(keys, states, lengths, new)
        ends = [0, *accumulate(counts)]
        partitions = [_Partition(*of_key) for of_key in zip(keys, states, ends[:-1], ends[1:], strict=True)]
        self._rows_of_group = rows
        self._stored_rows = []
        if rows is not None and self._has_advanced:
            is_released = _compute.less_equal(_times(rows, self._plan.time), self._next)
            released = rows.filter(is_released)
            found = Counter(released.column(released.num_columns - 1).to_pylist())
            for number, partition in enumerate(partitions):
                partition.released = found[number]
            self._partitions = iter([partition for partition in partitions if partition.released])
            yield from self._process_released(released)
        rest = [partition for partition in partitions if not partition.released]
        waiting = [partition for partition in rest if partition.start < partition.stop]
        if waiting and rows is not None:
            (source,) = rows.take([partition.start for partition in waiting]).combine_chunks().to_batches()
            yield from self._end_each(source, waiting, self._begin)
        idle = [partition for partition in rest if partition.start == partition.stop]
        if idle:
            yield from self._end_each(self._make_source([partition.key for partition in idle]), idle, self._begin)
        self._rows_of_group = None

    def _add_to_waiting(
        self, keys: Sequence[bytes], states: Sequence[bytes | None], lengths: Sequence[int], new: pa.Table | None
    ) -> tuple[pa.Table | None, list[int]]:
        """Return the waiting and the new rows of partitions with their number, in order, and how many each has."""
        parts: list[pa.Table] = []
        numbers: list[int] = []
        counts = list(lengths)
        stored_rows = [
            b"" if stored is None else self._waiting_rows(key, stored) for key, stored in zip(keys, states, strict=True)
        ]
        for waiting, of_batches in read_streams(stored_rows):
            parts.append(waiting)
            for number, length in of_batches:
                numbers += [number] * length
                counts[number] += length
        if new is not None:
            # The key of the partition is the key of its state.
            added = new.remove_column(new.num_columns - 1)
            parts = [_with_schema(part, added.schema) for part in parts]
            parts.append(added)
            numbers += chain.from_iterable(map(repeat, range(len(lengths)), lengths))
        if not parts:
            return None, counts
        rows = pa.concat_tables(parts).append_column("", pa.array(numbers, pa.int32()))
        order = [OrderKey(rows.num_columns - 1), *self._stored.order]
        return sort_rows(rows.to_batches(), order).combine_chunks(), counts

    def _waiting_rows(self, key: bytes, stored: bytes) -> bytes:
        try:
            return self._values.waiting_rows(stored)
        except NotStorable as error:
            self._source = self._make_source([key])
            raise self.failure("on_timer", error, 0) from None

    def _process_released(self, rows: pa.Table) -> Iterator[pa.RecordBatch]:
        """Process rows that the watermark has passed, each with the scalar arguments with which it came."""
        width = self._stored.width
        for batch in rows.combine_chunks().to_batches():
            scalars = batch.columns[width:-1]
            starts = starts_of_partitions(scalars, []) if scalars else [0]
            for start, stop in pairwise([*starts, batch.num_rows]):
                self._set_scalars([column.slice(start, 1) for column in scalars])
                yield from self._process(batch.slice(start, stop - start))
        yield from self._end_rows(self.in_partition)
        self._source = None

    def _starts(self, batch: pa.RecordBatch) -> list[int]:
        number = batch.num_columns - 1
        before = []
        if self._source is not None:
            before = [self._source.column(number).slice(self._source.num_rows - 1)]
        return starts_of_partitions([batch.column(number)], before)

    # --- partitions --------------------------------------------------------------------------------------------------

    def begin_partition(self) -> None:
        """Restore the state of the next partition of which rows were released."""
        self.in_partition = True
        self._begin(next(self._partitions))

    def _begin(self, partition: _Partition) -> None:
        self._load(partition.key, partition.before)
        context = self._context
        context.schedule_next()
        if context.due < NEVER and self._fired_up_to is not None:
            # A timer in the past fires with the next watermark.
            context.due = max(context.due, first_row_after(self._fired_up_to + 1))
        self._waiting, self._least = b"", None
        rest = partition.stop - partition.start - partition.released
        if rest:
            self._least, self._waiting = self._encode_waiting(partition.start + partition.released, rest)

    def _encode_waiting(self, start: int, count: int) -> tuple[int, bytes]:
        """Return the least time of rows of the group, and the rows as they are stored: an Arrow stream."""
        if not self._stored_rows:
            rows = self._rows_of_group
            assert rows is not None
            times = _times(rows, self._plan.time)
            self._times_of_group = times.combine_chunks() if isinstance(times, pa.ChunkedArray) else times
            stored = rows.remove_column(rows.num_columns - 1)
            self._stored_rows = stored.to_batches()
            self._stored_schema = stored.schema.serialize().to_pybytes()
        parts = [self._stored_schema]
        # The parts of the stream, since a writer for each partition takes several times as long.
        for batch in _slice(self._stored_rows, start, count):
            parts.append(batch.serialize().to_pybytes())
        return self._times_of_group[start].as_py(), b"".join((*parts, END_OF_STREAM))

    def end_partition(self) -> Iterator[pa.RecordBatch] | None:
        self.in_partition = False
        context = self._context
        before, limit = context.reached_watermark(), self._fires_up_to
        is_passed = self._has_advanced and limit is not None and (before is None or limit > before)
        if is_passed and limit is not None and (context.on_watermark or context.queue.next_time() <= limit):
            return self._fire_and_store(limit, before)
        self._store_partition("eval")
        return None

    def _fire_and_store(self, limit: int, before: int | None) -> Iterator[pa.RecordBatch]:
        yield from self._advance(limit, before)
        self._store_partition("on_timer")

    def _watermark_that_fires(self, time: int) -> int:
        return -(-time // MILLISECOND) + 1


def _slice(batches: Sequence[pa.RecordBatch], start: int, count: int) -> list[pa.RecordBatch]:
    """Return some rows of batches, which are usually one."""
    if len(batches) == 1:
        return [batches[0].slice(start, count)]
    sliced: list[pa.RecordBatch] = pa.Table.from_batches(batches).slice(start, count).to_batches()
    return sliced


def _times(rows: pa.Table, position: int | None) -> Any:
    """Return the times of rows as microseconds since 1970."""
    return _compute.cast(rows.column(position), pa.int64())


def _with_schema(rows: pa.Table, schema: pa.Schema) -> pa.Table:
    """Return stored rows in the schema of new ones, whose time zones and nullability may differ."""
    if rows.schema == schema:
        return rows
    pairs = zip(rows.columns, schema, strict=True)
    return pa.Table.from_arrays([_compute.cast(column, field.type) for column, field in pairs], schema=schema)
