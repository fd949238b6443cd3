"""The timers of a partition in firing order."""

from __future__ import annotations

import heapq
from collections.abc import Iterable

from tableapi.spark.runtime.process.times import NEVER

WATERMARK = "watermark"
# A queue with more entries than this is rebuilt when most entries belong to deleted or moved timers.
_FEW = 64


class Timer:
    """A timer: ``time`` is when it fires, ``queued`` the time of its queue entry, which may be earlier."""

    __slots__ = ("name", "number", "period", "queued", "time")

    def __init__(self, name: str | None) -> None:
        self.name = name
        self.time = self.queued = NEVER
        self.number = 0
        self.period: int | None = None


class TimerQueue:
    """The timers on times of a partition.

    A timer that is registered again for a later time, like a timeout with every row, keeps its queue entry until the
    earlier time comes.
    """

    __slots__ = ("_named", "_numbers", "_queue", "_unnamed")

    def __init__(self) -> None:
        self._named: dict[str, Timer] = {}
        self._unnamed: dict[int, Timer] = {}
        self._queue: list[tuple[int, int, Timer]] = []
        self._numbers = 0

    def register_named(self, name: str, time: int, period: int | None = None) -> None:
        """Register a timer with a name, and replace the previous timer of this name."""
        timer = self._named.get(name)
        if timer is None:
            timer = self._named[name] = Timer(name)
        timer.period = period
        self._set(timer, time)

    def register_unnamed(self, time: int) -> None:
        """Register a timer for a time, unless there is one."""
        if time not in self._unnamed:
            timer = self._unnamed[time] = Timer(None)
            self._set(timer, time)

    def delete_named(self, name: str) -> None:
        """Delete the timer with a name, if there is one."""
        self._named.pop(name, None)

    def delete_unnamed(self, time: int) -> None:
        """Delete the timer for a time, if there is one."""
        self._unnamed.pop(time, None)

    def clear(self) -> None:
        """Delete all timers."""
        self._named.clear()
        self._unnamed.clear()
        self._queue.clear()

    def next_time(self) -> int:
        """Return a time before which no timer fires; NEVER without timers."""
        return self._queue[0][0] if self._queue else NEVER

    def first_time(self) -> int:
        """Return the time of the first timer; NEVER without timers."""
        return min([timer.time for timers in (self._named, self._unnamed) for timer in timers.values()], default=NEVER)

    def pending(self) -> list[tuple[int, str | None]]:
        """Return the times and names of all timers in firing order."""
        timers = sorted([*self._named.values(), *self._unnamed.values()], key=lambda timer: (timer.time, timer.number))
        return [(timer.time, timer.name) for timer in timers]

    def stored(self) -> list[tuple[int, str | None, int | None]]:
        """Return the times, names and periods of all timers in the order of their registration."""
        timers = sorted([*self._named.values(), *self._unnamed.values()], key=lambda timer: timer.number)
        return [(timer.time, timer.name, timer.period) for timer in timers]

    def restore(self, stored: Iterable[tuple[int, str | None, int | None]]) -> None:
        """Register timers that ``stored`` has returned."""
        for time, name, period in stored:
            if name is None:
                self.register_unnamed(time)
            else:
                self.register_named(name, time, period)

    def due(self, watermark: int) -> tuple[int, str | None] | None:
        """Remove the next timer that a watermark has passed, and return its time and name.

        Timers with the same time fire in the order of their registration.
        """
        queue = self._queue
        while queue and queue[0][0] <= watermark:
            time, number, timer = heapq.heappop(queue)
            if not self._is_current(timer) or timer.queued != time:
                continue  # The timer was deleted, or has another entry.
            timer.queued = NEVER
            if timer.time > time or timer.number > number:
                # It was registered again, for a later time or behind others of the same time.
                self._enqueue(timer)
                continue
            if timer.period is not None:
                self._set(timer, time + timer.period)
            elif timer.name is not None:
                del self._named[timer.name]
            else:
                del self._unnamed[time]
            return time, timer.name
        return None

    def stop_periods(self) -> None:
        """Make periodic timers fire only once more, because no rows follow."""
        for timer in self._named.values():
            timer.period = None

    def _set(self, timer: Timer, time: int) -> None:
        self._numbers += 1
        timer.time, timer.number = time, self._numbers
        if time < timer.queued:
            self._enqueue(timer)

    def _enqueue(self, timer: Timer) -> None:
        if len(self._queue) > _FEW and len(self._queue) > 2 * (len(self._named) + len(self._unnamed)):
            live = [entry for entry in self._queue if self._is_current(entry[2]) and entry[2].queued == entry[0]]
            heapq.heapify(live)
            self._queue = live
        timer.queued = timer.time
        heapq.heappush(self._queue, (timer.time, timer.number, timer))

    def _is_current(self, timer: Timer) -> bool:
        if timer.name is not None:
            return self._named.get(timer.name) is timer
        return self._unnamed.get(timer.time) is timer
