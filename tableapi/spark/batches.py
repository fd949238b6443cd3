"""Stream the rows of a query as Arrow batches, with a few megabytes in memory at a time (decision 17).

Spark's own ``toArrow`` holds the whole result, and its ``toLocalIterator`` pickles every row and runs one partition
after the other. Here, the first job computes one partition, or as many as the estimated size allows. Each further job
computes as many as are expected to fit, at most four times as many as before. Nothing runs between two jobs.
"""

from __future__ import annotations

import contextlib
import inspect
import itertools
import uuid
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Generator, Iterator
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any, TypeVar

from tableapi.lazy import lazy
from tableapi.spark import versions
from tableapi.spark.active_session import active
from tableapi.spark.versions import is_connect

if TYPE_CHECKING:
    import pyarrow
    import pyarrow as pa
    from pyspark import serializers
    from pyspark.sql import DataFrame

    _Rows = TypeVar("_Rows", pyarrow.RecordBatch, pyarrow.Table)
else:
    pa = lazy(__name__, "pyarrow")
    serializers = lazy(__name__, "pyspark.serializers")

# The bytes that one job fetches, if partitions are small enough, and that are held here in advance.
_AT_ONCE = 32 * 1024 * 1024
# A smaller estimate is taken to mean that the whole result is small, although an EXPLODE may make it larger.
_SMALL = 8 * 1024 * 1024
_ROWS_OF_BATCH = 10_000
# The growth factor of Spark's own LIMIT, if the partitions read so far have too few rows.
_GROWTH = 4


class ArrowBatches:
    """The batches of one execution of a query, each returned once; ``close`` ends the execution from any thread.

    ``readable`` translates Spark's errors. ``watched`` shows the progress of jobs with a tag, and cancels them on
    Ctrl-C. The constructor runs the first job.
    """

    def __init__(
        self,
        frame: DataFrame,
        readable: Callable[[], AbstractContextManager[None]],
        watched: Callable[[str], AbstractContextManager[None]],
    ) -> None:
        self._readable = readable
        self._watched = watched
        self._is_closed = False
        self._ready: deque[pyarrow.RecordBatch] = deque()
        with readable():
            self.schema = versions.arrow_schema(frame.schema)
            self._source: _Execution
            if is_connect(frame.sparkSession):
                self._source = _ServerBatches(frame)
            else:
                self._source = _JobBatches(frame, self.schema)
            size = 0
            with watched(self._source.tag):
                while size < _AT_ONCE and (batch := next(self._source, None)) is not None:
                    self._ready.append(_cast_rows(batch, self.schema))
                    size += batch.nbytes

    def __iter__(self) -> ArrowBatches:
        return self

    def __next__(self) -> pyarrow.RecordBatch:
        if self._ready:
            return self._ready.popleft()
        if self._is_closed:
            raise StopIteration
        try:
            with self._readable(), self._watched(self._source.tag):
                batch = next(self._source, None)
        except BaseException as error:
            # An execution that close() cancelled has not failed; a failed one is not retried.
            if self._is_closed and isinstance(error, Exception):
                raise StopIteration from None
            self.close()
            raise
        if batch is None or self._is_closed:
            self.close()
            raise StopIteration
        return _cast_rows(batch, self.schema)

    def fetched(self) -> list[pyarrow.RecordBatch]:
        """Return the batches that were fetched and not returned yet, without consuming them."""
        return list(self._ready)

    def close(self) -> None:
        """Drop the unread batches, and stop the job that computes more."""
        self._is_closed = True
        self._ready.clear()
        self._source.close()


def collect_rows(frame: Any) -> pyarrow.Table:
    """Return all rows of a query, like ``DataFrame.toArrow``.

    ``toArrow`` casts every column, even to its own type, and Arrow fails to cast a NULL row whose fields are NOT NULL.
    """
    schema = versions.arrow_schema(frame.schema)
    if is_connect(frame.sparkSession):
        table = versions.collect_table(frame)
    else:
        batches = versions.collect_batches(frame)
        table = pa.Table.from_batches(batches) if batches else schema.empty_table()
    return _cast_rows(table, schema)


def _cast_rows(data: _Rows, schema: pyarrow.Schema) -> _Rows:
    """Cast rows to the types of a schema, without touching columns that have their type."""
    if data.schema.equals(schema):
        return data
    fields = zip(data.columns, schema, strict=True)
    columns = [column if column.type.equals(field.type) else column.cast(field.type) for column, field in fields]
    return type(data).from_arrays(columns, schema=schema)


class _Execution(ABC):
    """A source of the batches of one execution, until it is closed."""

    def __init__(self, frame: Any) -> None:
        self._frame = frame
        self.tag = f"tableapi-{uuid.uuid4()}"
        self._batches = self._all()

    def __iter__(self) -> _Execution:
        return self

    def __next__(self) -> pyarrow.RecordBatch:
        return next(self._batches)

    def close(self) -> None:
        """Stop the running job, which another thread may be waiting for."""
        if inspect.getgeneratorstate(self._batches) == inspect.GEN_RUNNING:
            self._interrupt()
        else:
            self._batches.close()

    @abstractmethod
    def _all(self) -> Generator[pyarrow.RecordBatch]:
        """Yield the batches, each computed on demand."""

    @abstractmethod
    def _interrupt(self) -> None:
        """Stop the running job."""


class _ServerBatches(_Execution):
    """The batches that a Spark Connect server sends; the server waits until they are read."""

    def _all(self) -> Generator[pyarrow.RecordBatch]:
        session = self._frame.sparkSession
        session.addTag(self.tag)
        try:
            received = versions.stream_of_server(self._frame)
            first = next(received, None)
        finally:
            session.removeTag(self.tag)
        for part in itertools.chain([first], received):
            # The stream also contains the schema.
            if hasattr(part, "to_batches"):
                yield from part.to_batches()

    def _interrupt(self) -> None:
        self._frame.sparkSession.interruptTag(self.tag)


class _JobBatches(_Execution):
    """The batches of a session in this process, from jobs over a few partitions each."""

    def __init__(self, frame: Any, schema: pyarrow.Schema) -> None:
        super().__init__(frame)
        self._schema = schema
        self._context = frame.sparkSession.sparkContext
        self._settings: Any = None

    def _interrupt(self) -> None:
        self._context.cancelJobsWithTag(self.tag)

    def _all(self) -> Generator[pyarrow.RecordBatch]:
        estimate = self._estimate()
        if estimate <= _SMALL:
            # Spark lists this form of a query in its user interface.
            with self._properties():
                table = collect_rows(self._frame)
            yield from table.to_batches()
            return
        with self._properties(), active(self._frame.sparkSession):
            rdd = versions.batches_of_partitions(self._frame, _ROWS_OF_BATCH)
            partitions = rdd.getNumPartitions()
            java_rdd = rdd.toJavaRDD()
        # Files grow when they are read, so the first job is small enough for an estimate that is several times too low.
        done, count = 0, max(1, _SMALL * partitions // estimate)
        while done < partitions:
            numbers = list(range(done, min(partitions, done + count)))
            size = 0
            for batch in self._computed(java_rdd, numbers):
                size += len(batch)
                yield self._read(batch)
            done += len(numbers)
            fitting = _AT_ONCE * len(numbers) // max(1, size)
            count = max(1, min(fitting, _GROWTH * len(numbers)))

    def _computed(self, java_rdd: Any, numbers: list[int]) -> Iterator[bytes]:
        """Yield the batches of some partitions; the job has ended when the first batch comes."""
        jvm = self._context._jvm
        with self._properties():
            served = jvm.PythonRDD.runJob(self._context._jsc.sc(), java_rdd, numbers)
        with versions.received(served, serializers.NoOpSerializer()) as batches:
            yield from batches

    def _read(self, batch: bytes) -> pyarrow.RecordBatch:
        return pa.ipc.read_record_batch(pa.py_buffer(batch), self._schema)

    def _estimate(self) -> int:
        """Return the result size that Spark's optimizer estimates: too large, except with EXPLODE and the like."""
        with active(self._frame.sparkSession):
            return int(self._frame._jdf.queryExecution().optimizedPlan().stats().sizeInBytes())

    @contextlib.contextmanager
    def _properties(self) -> Iterator[None]:
        """Give jobs of this thread the settings that the session had at first, and a tag to cancel them by.

        Spark itself passes the settings on only within an execution that it has started; tasks would otherwise use
        the defaults.
        """
        context = self._context._jsc.sc()
        before = context.getLocalProperties()
        if self._settings is None:
            self._settings = before.clone()
            self._settings.putAll(self._frame.sparkSession._jsparkSession.sessionState().conf().settings())
            context.setLocalProperties(self._settings)
            self._context.addJobTag(self.tag)
        else:
            context.setLocalProperties(self._settings)
        try:
            yield
        finally:
            context.setLocalProperties(before)
