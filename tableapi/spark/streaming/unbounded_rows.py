"""The rows of a stream as they come, through a bounded buffer."""

from __future__ import annotations

import queue
import time
from typing import TYPE_CHECKING, Any, Final

from tableapi.lazy import lazy
from tableapi.spark import versions
from tableapi.spark.query_watch import interruptible
from tableapi.spark.streaming.running import RunningStream

if TYPE_CHECKING:
    import pyarrow
    import pyarrow as pa
else:
    pa = lazy(__name__, "pyarrow")

# The parts of batches that wait for their reader, and the rows of a part. The stream waits while the buffer is full.
_PARTS: Final = 8
_ROWS: Final = 10_000
_BETWEEN_TWO: Final = 0.1


class Buffer:
    """A bounded buffer between a stream, which fills it batch by batch, and the reader of its rows."""

    def __init__(self) -> None:
        self._parts: queue.Queue[pyarrow.RecordBatch] = queue.Queue(_PARTS)
        self.is_closed = False

    def fill(self, frame: Any, number: int) -> None:
        """Take the rows of a batch, and wait while the buffer is full; take none after it was closed."""
        if self.is_closed:
            return
        rows = frame.toArrow()
        for part in rows.to_batches(max_chunksize=_ROWS):
            while not self.is_closed:
                try:
                    self._parts.put(part, timeout=_BETWEEN_TWO)
                    break
                except queue.Full:
                    continue

    def take(self) -> pyarrow.RecordBatch | None:
        """Return the next part; None if there is none at the moment."""
        try:
            return self._parts.get(timeout=_BETWEEN_TWO)
        except queue.Empty:
            return None

    def waiting(self) -> list[pyarrow.RecordBatch]:
        """Return the parts that have not been taken."""
        return list(self._parts.queue)


class UnboundedRows:
    """The rows of a running stream as Arrow batches, each returned once. Closing them stops the stream.

    Args:
        running: the stream.
        buffer: the buffer that it fills.
        schema: the Spark type of a row.
    """

    is_unbounded: Final = True

    def __init__(self, running: RunningStream, buffer: Buffer, schema: Any) -> None:
        self.running = running
        self._buffer = buffer
        self.schema = versions.arrow_schema(schema)

    def __iter__(self) -> UnboundedRows:
        return self

    def __next__(self) -> pyarrow.RecordBatch:
        with interruptible() as pressed:
            while not pressed.is_set():
                has_ended = not self.running.is_running
                part = self._buffer.take()
                if part is not None:
                    return part.cast(self.schema)
                if has_ended:
                    failure = self.running.exception()
                    if failure is not None and not self._buffer.is_closed:
                        raise failure
                    raise StopIteration
        self.close()
        raise KeyboardInterrupt

    def wait(self, seconds: float | None) -> bool:
        """Wait until there are rows to read, or the stream has ended; return whether this came in time."""
        until = None if seconds is None else time.monotonic() + seconds
        with interruptible() as pressed:
            while self.running.is_running and not self._buffer.waiting():
                if pressed.is_set() or (until is not None and time.monotonic() >= until):
                    break
                time.sleep(_BETWEEN_TWO)
        if pressed.is_set():
            self.close()
            raise KeyboardInterrupt
        return not self.running.is_running or bool(self._buffer.waiting())

    def fetched(self) -> list[pyarrow.RecordBatch]:
        """Return the unread batches without reading them."""
        return [part.cast(self.schema) for part in self._buffer.waiting()]

    def close(self) -> None:
        """Stop the stream, and drop the unread rows."""
        self._buffer.is_closed = True
        self.running.stop()
