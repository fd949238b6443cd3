"""Run a call over a stream with the runtime of workers, without Spark: what Spark does around it is written here."""

from __future__ import annotations

import datetime as dt
import pickle
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import pyarrow as pa

from ir.operations.process import ProcessTable
from tableapi.result import python_values
from tableapi.spark import versions
from tableapi.spark.planner.process import plan_call
from tableapi.spark.planner.stored_states import stored_plan
from tableapi.spark.process_functions import pickle_value
from tableapi.spark.runtime.process.ordered_running import OrderedStreamRunning
from tableapi.spark.runtime.process.packing import in_order, pack
from tableapi.spark.runtime.process.rows import values
from tableapi.spark.runtime.process.stream_running import StreamRunning
from tableapi.spark.runtime.row import Row
from tableapi.spark.types import to_spark
from tableapi.testing.process_call import evaluate_constant
from tableapi.testing.typed_rows import column_of_value, columns_of_row
from tests.process_functions.batch_runtime import parts_of_union, sent_row
from tests.process_functions.running.test_stream_running import Memory, Packed, encode

_EPOCH = dt.datetime(1970, 1, 1)
_MICROSECOND = dt.timedelta(microseconds=1)


class CalledStream:
    """Runs a call over streams; each micro-batch has a new instance, as after a restart.

    Args:
        call: the call.
        size: the number of rows in a batch that workers get.
    """

    def __init__(self, call: ProcessTable, size: int = 3) -> None:
        self._call, self._size = call, size
        self._planned = plan_call(call)
        self._stored = stored_plan(self._planned)
        plan = self._planned.plan(versions.arrow_schema(to_spark(call.schema.as_row_type())), {})  # type: ignore[arg-type]  # a row is a struct of Spark
        # Workers get the function by value.
        running = OrderedStreamRunning if self._stored.order else StreamRunning
        self._sent = pickle_value((running, plan, self._stored))
        self.memory = Memory()
        self.reached: int | None = None
        self.late = 0

    def process(self, rows: Sequence[Any], watermark: dt.datetime | None) -> list[Row]:
        """Run a micro-batch of the only table, and return its output."""
        return self.process_tables([(0, row) for row in rows], watermark)

    def process_tables(self, rows: Sequence[tuple[int, Any]], watermark: dt.datetime | None) -> list[Row]:
        """Run a micro-batch of pairs of the position of a table and a row of it, and return its output."""
        following = None if watermark is None else (watermark - _EPOCH) // _MICROSECOND
        running, plan, stored = pickle.loads(self._sent)
        started = running(plan, stored, self.memory, self.reached, following)
        found: list[pa.RecordBatch] = []
        try:
            for batch in self._packed(rows):
                found += started.rows(batch, batch.columns[stored.width : -1])
            found += started.end()
            found += self.memory.fire(started, self.reached, following, self._size)
            assert len({key for key, _ in self.memory.wakes}) == len(self.memory.wakes)
        finally:
            started.close()
        self.late += started.late_rows
        self.reached = following
        return list(self._rows(found))

    def _packed(self, rows: Sequence[tuple[int, Any]]) -> Iterator[pa.RecordBatch]:
        """Return rows as a task of Spark gets them, in small batches."""
        planned = self._planned
        arguments = planned.arguments
        scalars = [column_of_value(evaluate_constant("", value), value.data_type, "") for value in arguments]
        sent = []
        parts = parts_of_union(planned.input)
        for number, (table, row) in enumerate(rows):
            read = self._call.tables[table]
            columns = columns_of_row(row, read.schema, number)
            made, _ = sent_row(planned.input, parts, table, read, columns)
            keys = [values(made[position])[0] for position in planned.layout.keys]
            encoded = b"".join(encode(key) for key in keys) if keys else b"\xff"
            sent.append([*made, *scalars, pa.array([encoded], pa.binary())])
        if not sent:
            return
        joined = [pa.concat_arrays(column) for column in zip(*sent, strict=True)]
        given = pa.RecordBatch.from_arrays(joined, [f"_{number}" for number in range(len(joined))])
        packed = [Packed(*row.values()) for made in pack([given], planned.packed_order, 3) for row in made.to_pylist()]
        for batch in in_order(packed, lambda task: None):
            for start in range(0, batch.num_rows, self._size):
                yield batch.slice(start, self._size)

    def _rows(self, batches: Iterable[pa.RecordBatch]) -> Iterator[Row]:
        schema = self._call.schema
        for batch in batches:
            columns = [python_values(a, c.data_type) for a, c in zip(batch.columns, schema.columns, strict=True)]
            for given in zip(*columns, strict=True):
                yield Row.of(schema.names, given)
