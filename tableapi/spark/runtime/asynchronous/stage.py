"""The function that Spark calls once per task: batches come in and go out while calls are in flight.

The next batch is read as soon as a function has fewer waiting rows than it could process, so that calls of two batches
are in flight together. No batch is read while too many rows have not been emitted.
"""

from __future__ import annotations

import sys
import time
from collections import deque
from collections.abc import Callable, Iterator
from typing import Any

import pyarrow as pa

from tableapi.spark.runtime.asynchronous.batches import Batch, Output
from tableapi.spark.runtime.asynchronous.engine import Engine
from tableapi.spark.runtime.asynchronous.program import Passage, Stage

_ENOUGH_ROWS = 1000
_LONG_ENOUGH = 0.5
_LOOK_AGAIN = 0.05
# How many rows may wait for an earlier row whose call is slow, besides the last batch. The number is many times the
# capacity, so that one slow call does not stop the others, and has a minimum, so that the batch size does not matter.
_TIMES_CAPACITY = 10
_AT_LEAST = 10_000


def batches_of(stage: Stage) -> Callable[[Iterator[Any]], Iterator[pa.Array]]:
    """Return a function from an iterator of column batches to an iterator of result batches."""

    def over_batches(batches: Iterator[Any]) -> Iterator[pa.Array]:
        passages = [Passage(stage.type_of(call), stage.make_row) for call in range(len(stage.calls))]
        engine = Engine(stage, passages)
        engine.start()
        is_failing = True
        try:
            yield from _Rows(stage, engine, Output(stage, passages)).through(batches)
            is_failing = False
        finally:
            problem = engine.stop()
            if problem is not None and is_failing:
                print(f"Closing failed as well: {problem}", file=sys.stderr)
        if problem is not None:
            raise problem

    return over_batches


class _Rows:
    """The rows between input and output."""

    def __init__(self, stage: Stage, engine: Engine, output: Output) -> None:
        self._stage = stage
        self._engine = engine
        self._output = output
        self._inside: deque[Batch] = deque()
        self._count = 0
        capacity = sum(function.settings.capacity * function.settings.batch_size for function in stage.functions)
        self._most = max(_TIMES_CAPACITY * capacity, _AT_LEAST)
        self._last_output = time.monotonic()

    def through(self, batches: Iterator[Any]) -> Iterator[pa.Array]:
        """Yield the output of all input batches, in batches of other sizes."""
        is_at_end = False
        while not (is_at_end and not self._count):
            if not is_at_end and self._count < self._most and self._engine.is_hungry:
                is_at_end = not self._read(batches)
            else:
                self._engine.wait(_LOOK_AGAIN)
            self._engine.check()
            made = self._ready(is_at_end)
            while made is not None:
                yield made
                made = self._ready(is_at_end)

    def _read(self, batches: Iterator[Any]) -> bool:
        given = next(batches, None)
        if given is None:
            return False
        batch = Batch(self._stage, given if isinstance(given, (tuple, list)) else (given,))
        if batch.size:
            self._count += batch.size
            if self._stage.is_ordered:
                self._inside.append(batch)
            self._engine.admit(batch)
        return True

    def _ready(self, is_at_end: bool) -> pa.Array | None:
        """Return complete rows if they fill a batch or have waited for long; otherwise None."""
        is_late = time.monotonic() - self._last_output > _LONG_ENOUGH
        made = self._next_rows(is_late) if self._stage.is_ordered else self._any_rows(is_late, is_at_end)
        if made is not None:
            self._count -= len(made)
            self._last_output = time.monotonic()
        return made

    def _next_rows(self, is_late: bool) -> pa.Array | None:
        if not self._inside:
            return None
        batch = self._inside[0]
        start, end = batch.first_left, batch.finished_from_first()
        if end == start or (end < batch.size and end - start < _ENOUGH_ROWS and not is_late):
            return None
        batch.first_left = end
        if end == batch.size:
            self._inside.popleft()
        return self._output.of_range(batch, start, end)

    def _any_rows(self, is_late: bool, is_at_end: bool) -> pa.Array | None:
        finished = self._engine.finished
        count = len(finished)
        if not count or (count < _ENOUGH_ROWS and not is_late and not (is_at_end and count == self._count)):
            return None
        rows = [finished.popleft() for _ in range(min(count, 10 * _ENOUGH_ROWS))]
        return self._output.of_rows(rows)
