"""Run ``on_late`` over the rows of a stream that came too late for ``eval``.

A late row belongs to no partition: the timers before which it should have come have fired, and the state is that of a
later time. So late rows are processed like those of a table with row semantics, one by one and without state.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import pyarrow as pa

from tableapi.spark.runtime.process.plan import Plan
from tableapi.spark.runtime.process.running import Running
from tableapi.spark.runtime.process.running_context import RunningContext, StreamContext

_NO_TIMERS = "on_late gets a row without its partition"


class _LateFunction:
    """A function whose ``eval`` is ``on_late``."""

    def __init__(self, function: Any) -> None:
        self.eval = function.on_late
        self.on_timer = self.finish = None


class LateRunning(Running):
    """The run of ``on_late`` in a task of a micro-batch. Its caller opens and closes the function.

    Args:
        plan: the plan of the call, whose function has ``on_late``.
        watermark: the watermark that has passed the rows, in microseconds; None if none is late.
    """

    _names_keys = True
    _row_method = "on_late"

    def __init__(self, plan: Plan, watermark: int | None) -> None:
        self._watermark = watermark
        late = replace(
            plan,
            function=_LateFunction(plan.function),
            parameters=plan.on_late or (),
            on_timer=None,
            finish=None,
            on_late=None,
            states=(),
            order=(),
            has_partitions=False,
            no_timers=_NO_TIMERS,
            # The run of the call watches these calls, too.
            call_seconds=None,
        )
        super().__init__(late)

    def process(self, batch: pa.RecordBatch, scalars: Sequence[pa.Array]) -> Iterator[pa.RecordBatch]:
        """Yield the output for late rows.

        Args:
            batch: the rows.
            scalars: the columns of the scalar arguments.

        Raises:
            FunctionFailed: the function failed.
        """
        yield from self.rows(batch, scalars)
        if self._at:
            yield self.flush()

    def _make_context(self) -> RunningContext:
        return StreamContext(self._plan, self._clear_state)

    def _open(self, scalars: Sequence[pa.Array]) -> None:
        self._is_open = True
        self._set_scalars(scalars)
        self._compile()

    def _starts(self, batch: pa.RecordBatch) -> list[int]:
        return [0]

    def begin_partition(self) -> None:
        """Set the watermark that the function sees."""
        self.in_partition = True
        self._context.begin()
        self._context.watermark = self._watermark
