"""The context that a harness gives to a process table function: plain lists of timers, and the time of the call."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import attrs

from ir.errors import did_you_mean, listing
from tableapi.spark.runtime.process.context import OnTimerContext, SetSemantics, Timers
from tableapi.spark.runtime.process.times import duration, time_type

WATERMARK = "watermark"
"""The name of the timer on watermarks."""


@attrs.define(eq=False)
class PendingTimer:
    """A timer that has not fired: its name, its time, its period, and the number of its registration."""

    name: str | None
    time: int
    period: int | None
    number: int


class TimerList:
    """The timers of a partition.

    Attributes:
        pending: the timers on times, in the order of registration.
        on_watermark: whether the timer on watermarks is periodic; None if there is none.
        registered: the number of registrations so far.
    """

    def __init__(self) -> None:
        self.pending: list[PendingTimer] = []
        self.on_watermark: bool | None = None
        self.registered = 0

    def register(self, name: str | None, time: int, period: int | None = None) -> None:
        """Register a timer: a name has one timer, and a time has one timer without a name."""
        if name is None and any(timer.name is None and timer.time == time for timer in self.pending):
            return
        if name is not None:
            self.delete(name)
        self.registered += 1
        self.pending.append(PendingTimer(name, time, period, self.registered))

    def delete(self, name_or_time: str | int) -> None:
        """Delete the timer of a name, or the timer without a name at a time."""
        self.pending = [
            timer
            for timer in self.pending
            if (timer.name != name_or_time if isinstance(name_or_time, str) else not _is_at(timer, name_or_time))
        ]

    def clear(self) -> None:
        """Delete all timers."""
        self.pending = []
        self.on_watermark = None

    def in_order(self) -> list[PendingTimer]:
        """Return the timers on times in the order in which they fire."""
        return sorted(self.pending, key=lambda timer: (timer.time, timer.number))

    def take_due(self, watermark: int) -> PendingTimer | None:
        """Remove and return the next timer that a watermark has passed; a periodic one is registered again."""
        due = next((timer for timer in self.in_order() if timer.time <= watermark), None)
        if due is not None:
            self.pending.remove(due)
            if due.period is not None:
                self.register(due.name, due.time + due.period, due.period)
        return due


def _is_at(timer: PendingTimer, time: int) -> bool:
    return timer.name is None and timer.time == time


class HarnessContext(OnTimerContext):
    """The context of one call of ``eval``, ``on_timer`` or ``finish``.

    Args:
        timers: the timers of the partition.
        time: the time of the row or timer.
        watermark: the watermark that the function sees.
        following: the next watermark, in a timer on watermarks.
        timer: the name of the timer that fires.
        has_zone: whether times have a zone.
        no_timers: the reason why no timer can be registered, or None.
        no_periods: whether timers are not periodic, because the input has ended.
        semantics: the partitioning and order of each table.
        clear: resets a state of the partition, or all states.
        states: the names of the states.
    """

    def __init__(
        self,
        timers: TimerList,
        *,
        time: int | None,
        watermark: int | None,
        following: int | None = None,
        timer: str | None = None,
        has_zone: bool,
        no_timers: str | None,
        no_periods: bool,
        semantics: Mapping[str, SetSemantics],
        clear: Callable[[str | None], None],
        states: Sequence[str],
    ) -> None:
        self.of_partition = timers
        self.time = time
        self.watermark = watermark
        self.following = following
        self.has_zone = has_zone
        self.no_timers = no_timers
        self.no_periods = no_periods
        self._timer = timer
        self._semantics = semantics
        self._clear = clear
        self._states = states

    def timers(self, time_type: Any = dt.datetime) -> Any:
        return HarnessTimers(self, time_type)

    def set_semantics(self, argument: str) -> SetSemantics:
        if argument not in self._semantics:
            raise ValueError(_describe_unknown("table argument", argument, list(self._semantics)))
        return self._semantics[argument]

    def clear_state(self, name: str) -> None:
        if name not in self._states:
            raise ValueError(_describe_unknown("state", name, self._states))
        self._clear(name)

    def clear_all_state(self) -> None:
        self._clear(None)

    def clear_all_timers(self) -> None:
        self.of_partition.clear()

    def current_timer(self) -> str | None:
        return self._timer


class HarnessTimers(Timers[Any]):
    """Time and timers in the type that the function chose."""

    def __init__(self, context: HarnessContext, chosen: Any) -> None:
        self._context = context
        conversions = time_type(chosen, context.has_zone)
        self._show, self._read = conversions.show, conversions.read

    def current_time(self) -> Any:
        return self._show_or_none(self._context.time)

    def current_watermark(self) -> Any:
        return self._show_or_none(self._context.watermark)

    def following_watermark(self) -> Any:
        return self._show_or_none(self._context.following)

    def _show_or_none(self, time: int | None) -> Any:
        return None if time is None else self._show(time)

    def register_on_time(self, name_or_time: Any, time: Any = None) -> None:
        self._require_timers()
        if isinstance(name_or_time, str):
            _refuse_reserved(name_or_time)
            self._context.of_partition.register(name_or_time, self._read(time))
        else:
            self._context.of_partition.register(None, self._read(name_or_time))

    def register_on_periodic_time(self, name: str, relative_time: Any, period: dt.timedelta) -> None:
        self._require_timers()
        step = duration(period)
        _refuse_reserved(name)
        if step <= 0:
            raise ValueError(f"the period of a timer has to be positive, but it is {period}")
        self._context.of_partition.register(name, self._read(relative_time), None if self._context.no_periods else step)

    def register_on_watermark(self) -> None:
        self._require_timers()
        self._context.of_partition.on_watermark = False

    def register_on_periodic_watermark(self) -> None:
        self._require_timers()
        self._context.of_partition.on_watermark = True

    def delete_timer(self, name_or_time: Any) -> None:
        timers = self._context.of_partition
        if isinstance(name_or_time, str) and name_or_time == WATERMARK:
            timers.on_watermark = None
        elif isinstance(name_or_time, str):
            timers.delete(name_or_time)
        else:
            timers.delete(self._read(name_or_time))

    def _require_timers(self) -> None:
        if self._context.no_timers is not None:
            raise RuntimeError(self._context.no_timers)


def _refuse_reserved(name: str) -> None:
    if name == WATERMARK:
        raise ValueError(f"{WATERMARK!r} is the name of the timer that register_on_watermark() registers")


def _describe_unknown(kind: str, name: str, known: Sequence[str]) -> str:
    there = f"its {kind}s are {listing(known)}" if known else f"it has no {kind}s"
    return f"The function has no {kind} {name!r}; {there}." + did_you_mean(name, known)
