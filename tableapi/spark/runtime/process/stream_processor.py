"""The stateful processor that Spark calls for the packed rows of a task (``transformWithState``).

It is a stateful processor by its methods. The base class of PySpark adds nothing, and older versions lack it.
"""

from __future__ import annotations

import datetime as dt
import json
import pickle
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.compute as pc
from pyspark.sql import Row

from tableapi.spark.runtime.process.packing import in_order, write_chunks
from tableapi.spark.runtime.process.partition_keys import PROGRESS_KEY
from tableapi.spark.runtime.process.state_store import Change, StateStore
from tableapi.spark.runtime.process.stored_forms import FORMS, add_form, read_form, write_form
from tableapi.spark.runtime.process.times import MILLISECOND

if TYPE_CHECKING:
    from tableapi.spark.runtime.process.plan import StoredPlan

_BEFORE_START = "PRE_INIT"
_NO_COUNTS = dict.fromkeys(("came", "late", "size", "partition"))
_EPOCH = dt.datetime(1970, 1, 1, tzinfo=dt.timezone.utc)
_compute: Any = pc
LARGE_STATE = 64 << 20
"""The bytes of the state of one partition of which users are warned."""


class StreamProcessor:
    """Runs a process table function in a task of each micro-batch.

    Args:
        sent: the pickled class of the run, the plan, and how states are stored.
        variable: the name of the state in Spark's state store.
        has_watermark: whether the stream has a watermark.
        width: the number of columns of a row before those of the scalar arguments.
    """

    def __init__(self, sent: bytes, variable: str, has_watermark: bool, width: int) -> None:
        self._sent = sent
        self._variable = variable
        self._has_watermark = has_watermark
        self._width = width
        self._running: Any = None

    def init(self, handle: Any) -> None:
        """Take the handle of a task; the driver calls this, too, to ask for the names of states."""
        self._running = None
        self._store = StateStore(handle, self._variable)
        client = handle._statefulProcessorApiClient
        if getattr(getattr(client, "handle_state", None), "name", "") == _BEFORE_START:
            return
        stored = self._store.read([PROGRESS_KEY])[0]
        self._progress = {} if stored is None else json.loads(stored)
        self._reached = self._watermark = None
        if self._has_watermark:
            self._reached = self._progress.get("watermark")
            self._watermark = self._store.watermark()
            self._note("watermark", self._watermark)

    def _note(self, name: str, value: Any) -> None:
        """Store a fact about the partition of the state."""
        if self._progress.get(name) != value:
            self._progress[name] = value
            self._store.write([Change(PROGRESS_KEY, True, json.dumps(self._progress).encode())])

    def _require_task(self, task: int) -> None:
        """Check that the same task as in the micro-batches before has packed the rows.

        Otherwise the keys of the rows have their state in other partitions.
        """
        if self._progress.setdefault("task", task) != task:
            raise RuntimeError(
                f"Spark has sent rows of the partition {task} to the state of the partition {self._progress['task']}, "
                "so that the state of their keys would not be found. Set spark.sql.shuffle.partitions to the number of "
                "the first start and spark.sql.adaptive.enabled to false for the session, and start the query again."
            )

    def _start(self) -> Any:
        if self._running is None:
            running, plan, stored = pickle.loads(self._sent)
            self._output = plan.output
            self._is_followed = stored.is_followed
            times = [None if time is None else time * MILLISECOND for time in (self._reached, self._watermark)]
            self._running = running(plan, self._with_forms(stored), self._store, *times)
        return self._running

    def _with_forms(self, stored: StoredPlan) -> StoredPlan:
        """Return how states are stored, with the forms of all states in the partition of the state store."""
        if not stored.forms:
            return stored
        forms = add_form([read_form(form) for form in self._progress.get(FORMS, ())], stored.forms[-1])
        self._note(FORMS, [write_form(form) for form in forms])
        return replace(stored, forms=forms)

    def handleInputRows(self, key: Any, rows: Iterable[Any], timerValues: Any) -> Iterator[Row]:
        """Process the packed rows of a task."""
        yield from self._write(self._process(self._start(), rows))
        yield self._counts()

    def _process(self, running: Any, packed: Iterable[Any]) -> Iterator[pa.RecordBatch]:
        known = self._progress.get("task")
        for batch in in_order(packed, self._require_task):
            yield from running.rows(batch, batch.columns[self._width : -1])
        yield from running.end()
        if known is None:
            self._store.write([Change(PROGRESS_KEY, True, json.dumps(self._progress).encode())])

    def handleExpiredTimer(self, key: Any, timerValues: Any, expiredTimerInfo: Any) -> Iterator[Row]:
        """Fire the timers of a partition that had no rows in the micro-batch, and of those that Spark has read."""
        largest = self._start().largest_state
        own = bytes(key[0])
        ahead = self._store.take_wake_ups(own)
        yield from self._write(self._running.fire([(own, expiredTimerInfo.getExpiryTimeInMs()), *ahead]))
        if ahead:
            # Spark deletes the wake-up of the key that was chosen last.
            self._store.choose(own)
        if self._running.largest_state > max(largest, LARGE_STATE):
            yield self._counts()

    def _write(self, batches: Iterable[pa.RecordBatch]) -> Iterator[Row]:
        for chunk in write_chunks(self._not_behind(batches), self._output):
            yield Row(rows=chunk, **_NO_COUNTS)

    def _not_behind(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Yield rows without those that are late for the operation that follows.

        These are rows of timers that were registered for the past. A timer within the last millisecond before the
        watermark may have waited for the next one; its rows get the first time after the watermark.
        """
        reached = None if self._reached is None else self._reached * MILLISECOND
        for batch in batches:
            if reached is None or not self._is_followed:
                yield batch
                continue
            last = batch.num_columns - 1
            times = batch.column(last)
            numbers = times.view(pa.int64())
            is_kept = _compute.greater(numbers, reached - MILLISECOND)
            self._running.late_rows += batch.num_rows - _compute.sum(is_kept).as_py()
            moved = _compute.max_element_wise(numbers, reached + 1).view(times.type)
            yield batch.set_column(batch.num_columns - 1, batch.schema.field(batch.num_columns - 1), moved).filter(
                is_kept
            )

    def _counts(self) -> Row:
        """Return the counts of the task since the last call."""
        running = self._running
        counts = {"came": running.rows_seen, "late": running.late_rows, "size": running.largest_state}
        running.rows_seen = running.late_rows = 0
        return self._count_row(**counts, partition=running.describe_largest_partition())

    def _count_row(self, **counts: Any) -> Row:
        return Row(rows=None, **counts)

    def handleInitialState(self, key: Any, initialState: Any, timerValues: Any) -> None:
        """Store a state that another checkpoint has for a partition key, in the first batch."""
        self._start()
        wake = initialState.wake if self._has_watermark else None
        self._store.write([Change(bytes(initialState.key), True, bytes(initialState.state), None, wake)])

    def close(self) -> None:
        """Close the function."""
        if self._running is not None:
            running, self._running = self._running, None
            running.close()


class TimedStreamProcessor(StreamProcessor):
    """A processor whose rows are not packed, so that a column of them carries the watermark to Spark's operators."""

    def _write(self, batches: Iterable[pa.RecordBatch]) -> Iterator[Row]:
        names = [f"_{number}" for number in range(len(self._output))]
        for batch in self._not_behind(batches):
            for row in batch.rename_columns(names).to_pylist():
                yield Row(**row, **_NO_COUNTS)

    def _count_row(self, **counts: Any) -> Row:
        values: dict[str, Any] = {f"_{number}": None for number in range(len(self._output))}
        # Spark requires that the time is after the watermark.
        following = 1 + (self._reached or 0)
        values[f"_{len(values) - 1}"] = _EPOCH + dt.timedelta(milliseconds=following)
        return Row(**values, **counts)
