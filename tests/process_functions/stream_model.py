"""A model of process table functions over streams: one dictionary of partitions, given micro-batches and watermarks.

It shares no code with the runtime. The rows of a micro-batch come in the order of time, unless they are late. Then the
watermark comes, and the timers fire that it has passed.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

MILLISECOND = dt.timedelta(milliseconds=1)
Row = tuple[Any, dt.datetime, Any]
"""A partition key, a time, and what the function gets."""
Batch = tuple[Sequence[Row], dt.datetime | None]
"""The rows of a micro-batch, and the watermark that comes after them."""


@dataclass
class _Timer:
    name: str | None
    time: dt.datetime
    number: int
    period: dt.timedelta | None = None


@dataclass
class _Partition:
    state: Any
    timers: list[_Timer] = field(default_factory=list)
    on_watermark: int = 0


class ModelContext:
    """The context and the timers of a partition in one object."""

    def __init__(self, model: Model, partition: _Partition, time: dt.datetime | None) -> None:
        self._model, self._partition, self._time = model, partition, time
        self.name: str | None = None
        self.following: dt.datetime | None = None

    def timers(self) -> ModelContext:
        return self

    def current_timer(self) -> str | None:
        return self.name

    def current_time(self) -> dt.datetime | None:
        return self._time

    def current_watermark(self) -> dt.datetime | None:
        return self._model.watermark

    def following_watermark(self) -> dt.datetime | None:
        return self.following

    def register_on_time(self, name_or_time: Any, time: dt.datetime | None = None) -> None:
        if time is None:
            if not any(timer.name is None and timer.time == name_or_time for timer in self._partition.timers):
                self._add(None, name_or_time)
        else:
            self._add(name_or_time, time)

    def register_on_periodic_time(self, name: str, first: dt.datetime, period: dt.timedelta) -> None:
        self._add(name, first, period)

    def _add(self, name: str | None, time: dt.datetime, period: dt.timedelta | None = None) -> None:
        if name is not None:
            self.delete_timer(name)
        self._model.numbers += 1
        self._partition.timers.append(_Timer(name, time, self._model.numbers, period))

    def register_on_watermark(self) -> None:
        self._partition.on_watermark = 1

    def register_on_periodic_watermark(self) -> None:
        self._partition.on_watermark = 2

    def delete_timer(self, given: Any) -> None:
        self._partition.timers = [
            timer for timer in self._partition.timers if given != (timer.time if timer.name is None else timer.name)
        ]

    def clear_all_timers(self) -> None:
        self._partition.timers, self._partition.on_watermark = [], 0

    def clear_all_state(self) -> None:
        self._partition.state = self._model.create()

    def clear_all(self) -> None:
        self.clear_all_state()
        self.clear_all_timers()


class Model:
    """Runs a function over micro-batches.

    Args:
        create: creates the initial state.
        on_row: calls ``eval`` with a context, the state and a row.
        on_timer: calls ``on_timer`` with a context and the state.
        show: returns what is compared of a yielded row, which may be the state and change later.
    """

    def __init__(
        self,
        create: Callable[[], Any],
        on_row: Callable[[Any, Any, Any], Any],
        on_timer: Callable[[Any, Any], Any] | None = None,
        show: Callable[[Any], Any] = repr,
    ) -> None:
        self.create, self._on_row, self._on_timer, self._show = create, on_row, on_timer, show
        self.partitions: dict[Any, _Partition] = {}
        self.watermark: dt.datetime | None = None
        self.numbers = 0
        self.late = 0

    def run(self, batches: Sequence[Batch]) -> list[list[tuple[Any, Any, dt.datetime]]]:
        """Return the output of each micro-batch, sorted by its text: keys, what was yielded, and times."""
        return [sorted(self._batch(*batch), key=repr) for batch in batches]

    def _batch(self, rows: Sequence[Row], watermark: dt.datetime | None) -> list[tuple[Any, Any, dt.datetime]]:
        found: list[tuple[Any, Any, dt.datetime]] = []
        for key, time, row in sorted(rows, key=lambda row: row[1]):
            if self.watermark is not None and time <= self.watermark:
                self.late += 1
                continue
            partition = self.partitions.setdefault(key, _Partition(self.create()))
            found += self._collect(key, time, self._on_row(ModelContext(self, partition, time), partition.state, row))
        if watermark is not None and (self.watermark is None or watermark > self.watermark):
            for key, partition in self.partitions.items():
                if partition.on_watermark:
                    partition.on_watermark = 2 if partition.on_watermark == 2 else 0
                    found += self._fire(key, partition, watermark - MILLISECOND, "watermark", watermark)
            self.watermark = watermark
            for key, partition in self.partitions.items():
                while due := [timer for timer in partition.timers if timer.time <= watermark]:
                    timer = min(due, key=lambda timer: (timer.time, timer.number))
                    partition.timers.remove(timer)
                    if timer.period is not None:
                        self.numbers += 1
                        moved = _Timer(timer.name, timer.time + timer.period, self.numbers, timer.period)
                        partition.timers.append(moved)
                    found += self._fire(key, partition, timer.time, timer.name, None)
        return found

    def _fire(
        self, key: Any, partition: _Partition, time: dt.datetime, name: str | None, following: dt.datetime | None
    ) -> list[tuple[Any, Any, dt.datetime]]:
        context = ModelContext(self, partition, time)
        context.name, context.following = name, following
        assert self._on_timer is not None
        return self._collect(key, time, self._on_timer(context, partition.state))

    def _collect(self, key: Any, time: dt.datetime, given: Any) -> list[tuple[Any, Any, dt.datetime]]:
        return [(key, self._show(row), time) for row in given or ()]
