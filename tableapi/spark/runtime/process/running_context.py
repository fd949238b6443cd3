"""The context of a running function: one object for all partitions of a task, reset for each partition."""

from __future__ import annotations

import datetime as dt
import difflib
from collections.abc import Callable
from typing import Any

from tableapi.spark.runtime.process.context import OnTimerContext, SetSemantics, Timers
from tableapi.spark.runtime.process.plan import Plan, TablePlan
from tableapi.spark.runtime.process.timers import WATERMARK, TimerQueue
from tableapi.spark.runtime.process.times import (
    MILLISECOND,
    NEVER,
    duration,
    first_row_after,
    time_type,
    watermark_before,
)


class RunningContext(OnTimerContext):
    """Time, timers and state of the current partition.

    Attributes:
        time: the time of the current row or timer, or None.
        due: the least row time before which a timer has to fire.
        watermark: the time up to which timers have fired.
        following: the next watermark, in a timer on watermarks.
        timer: the name of the timer that fires, if it has one.
        is_firing: whether a timer is firing.
        on_watermark: whether there is a timer on watermarks.
        is_periodic: whether the timer on watermarks is periodic.
        is_at_end: whether no rows follow, so that timers are no longer periodic.
        no_timers: the reason why no timer can be registered, or None.
        queue: the timers on times.
    """

    def __init__(self, plan: Plan, clear: Callable[[str | None], None]) -> None:
        self._plan = plan
        self._clear = clear
        self._timers: dict[Any, _RunningTimers] = {}
        self._semantics = {table.name: _GivenSemantics(table) for table in plan.tables}
        reason = plan.no_timers
        self._refusal = reason and f"Timers are not supported in the current PTF declaration: {reason}."
        self.queue = TimerQueue()
        self.begin()

    def begin(self) -> None:
        """Reset the context for a new partition."""
        self.time: int | None = None
        self.due = NEVER
        self.watermark: int | None = None
        self.following: int | None = None
        self.timer: str | None = None
        self.is_firing = False
        self.on_watermark = self.is_periodic = self.is_at_end = False
        self.no_timers = self._refusal
        self.queue.clear()

    def timers(self, time_type: Any = dt.datetime) -> Any:
        found = self._timers.get(time_type)
        if found is None:
            found = self._timers[time_type] = _RunningTimers(self, time_type, self._plan.has_zone)
        return found

    def set_semantics(self, argument: str) -> SetSemantics:
        found = self._semantics.get(argument)
        if found is None:
            raise ValueError(_unknown("table argument", argument, list(self._semantics)))
        return found

    def clear_state(self, name: str) -> None:
        names = [state.name for state in self._plan.states]
        if name not in names:
            raise ValueError(_unknown("state", name, names))
        self._clear(name)

    def clear_all_state(self) -> None:
        self._clear(None)

    def clear_all_timers(self) -> None:
        self.queue.clear()
        self.on_watermark = False
        self.due = NEVER

    def current_timer(self) -> str | None:
        return self.timer

    def current_watermark(self) -> int | None:
        """Return the watermark; in ``eval`` it follows from the time of the row."""
        if self.is_firing or self.is_at_end:
            return self.watermark
        return None if self.time is None else watermark_before(self.time)

    def reached_watermark(self) -> int | None:
        """Return the latest watermark between two rows: that before the last row, or a later one without a row."""
        before = None if self.time is None else watermark_before(self.time)
        if before is None or self.watermark is None:
            return self.watermark if before is None else before
        return max(before, self.watermark)

    def expiry_time(self) -> int | None:
        """Return the time by which state expires in the current call; None if nothing does."""
        return self.time

    def schedule(self, time: int) -> None:
        """Have the loop check the timers before the first row for which a timer at this time is due."""
        if time < self.due:
            due = first_row_after(time)
            if self.time is not None:
                # A timer in the past fires with the next watermark.
                due = max(due, first_row_after(watermark_before(self.time) + 1))
            self.due = min(self.due, due)

    def schedule_next(self) -> None:
        """Recompute the row time before which the loop has to check the timers."""
        self.due = NEVER
        if self.on_watermark:
            self.due = NEVER if self.watermark is None else self.watermark + 2 * MILLISECOND
        following = self.queue.next_time()
        if following < NEVER:
            self.due = min(self.due, first_row_after(following))


class StreamContext(RunningContext):
    """The context of a partition of a stream, whose watermark comes from outside, between micro-batches."""

    def current_watermark(self) -> int | None:
        return self.watermark

    def reached_watermark(self) -> int | None:
        return self.watermark

    def expiry_time(self) -> int | None:
        return self.time if self.is_firing else self.watermark

    def schedule(self, time: int) -> None:
        """Do nothing: no timer fires between two rows of a micro-batch."""

    def schedule_next(self) -> None:
        """Do nothing, as ``schedule``."""


class _RunningTimers(Timers[Any]):
    def __init__(self, context: RunningContext, chosen: Any, has_zone: bool) -> None:
        self._context = context
        chosen_type = time_type(chosen, has_zone)
        self._show, self._read = chosen_type.show, chosen_type.read

    def current_time(self) -> Any:
        time = self._context.time
        return None if time is None else self._show(time)

    def current_watermark(self) -> Any:
        watermark = self._context.current_watermark()
        return None if watermark is None else self._show(watermark)

    def following_watermark(self) -> Any:
        following = self._context.following
        return None if following is None else self._show(following)

    def register_on_time(self, name_or_time: Any, time: Any = None) -> None:
        context = self._context
        if context.no_timers is not None:
            raise RuntimeError(context.no_timers)
        if type(name_or_time) is str:
            at = self._read(time)
            if name_or_time == WATERMARK:
                raise _make_reserved_error()
            context.queue.register_named(name_or_time, at)
        else:
            at = self._read(name_or_time)
            context.queue.register_unnamed(at)
        if at < context.due:
            context.schedule(at)

    def register_on_periodic_time(self, name: str, relative_time: Any, period: dt.timedelta) -> None:
        context = self._context
        if context.no_timers is not None:
            raise RuntimeError(context.no_timers)
        at, step = self._read(relative_time), duration(period)
        if name == WATERMARK:
            raise _make_reserved_error()
        if step <= 0:
            raise ValueError(f"the period of a timer has to be positive, but it is {period}")
        context.queue.register_named(name, at, None if context.is_at_end else step)
        context.schedule(at)

    def register_on_watermark(self) -> None:
        self._register_on_watermark(False)

    def register_on_periodic_watermark(self) -> None:
        self._register_on_watermark(True)

    def _register_on_watermark(self, is_periodic: bool) -> None:
        context = self._context
        if context.no_timers is not None:
            raise RuntimeError(context.no_timers)
        context.on_watermark, context.is_periodic = True, is_periodic
        if context.time is not None:
            context.schedule(watermark_before(context.time) + 1)

    def delete_timer(self, name_or_time: Any) -> None:
        context = self._context
        if name_or_time == WATERMARK:
            context.on_watermark = False
        elif isinstance(name_or_time, str):
            context.queue.delete_named(name_or_time)
        else:
            context.queue.delete_unnamed(self._read(name_or_time))


def _make_reserved_error() -> ValueError:
    return ValueError(f"{WATERMARK!r} is the name of the timer that register_on_watermark() registers")


class _GivenSemantics(SetSemantics):
    def __init__(self, table: TablePlan) -> None:
        self._table = table

    def partition_by_columns(self) -> tuple[tuple[int, ...], ...]:
        return self._table.partition_by

    def order_by_columns(self) -> tuple[tuple[int, ...], ...]:
        return self._table.order_by

    def time_column(self) -> int | None:
        return self._table.time

    def co_partition_args(self) -> tuple[str, ...]:
        return self._table.co_partitioned


def _unknown(kind: str, name: str, known: list[str]) -> str:
    nearest = difflib.get_close_matches(name, known, 1)
    hint = f" Did you mean {nearest[0]!r}?" if nearest else ""
    there = f"its {kind}s are {', '.join(known)}" if known else f"it has no {kind}s"
    return f"The function has no {kind} {name!r}; {there}.{hint}"
