"""What a process table function may ask and do while it runs: time and timers, state, and how its tables were given.

The classes here are the interface, which holds for tables and for streams: a function is told what has happened so far,
and never that its input is about to end.
"""

from __future__ import annotations

import datetime as dt
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Generic, TypeVar, overload

_EPOCH = dt.datetime(1970, 1, 1, tzinfo=dt.UTC)


@dataclass(frozen=True, order=True)
class Instant:
    """A point in time, as seconds since 1970-01-01 00:00:00 UTC and nanoseconds after that.

    >>> Instant.of_epoch_milli(1_500).plus(dt.timedelta(seconds=2))
    Instant(seconds=3, nanos=500000000)
    """

    seconds: int
    nanos: int = 0

    @staticmethod
    def of_epoch_milli(milliseconds: int) -> Instant:
        """Return the instant so many milliseconds after the epoch."""
        seconds, rest = divmod(milliseconds, 1_000)
        return Instant(seconds, rest * 1_000_000)

    @staticmethod
    def of(time: dt.datetime) -> Instant:
        """Return the instant of a date and time; one without a zone is taken to be in UTC."""
        zoned = time if time.tzinfo is not None else time.replace(tzinfo=dt.UTC)
        seconds, rest = divmod(zoned - _EPOCH, dt.timedelta(seconds=1))
        return Instant(seconds, rest.microseconds * 1_000)

    def to_epoch_milli(self) -> int:
        """Return the milliseconds since the epoch, what is finer cut off."""
        return self.seconds * 1_000 + self.nanos // 1_000_000

    def to_datetime(self) -> dt.datetime:
        """Return the date and time in UTC, what is finer than microseconds cut off."""
        return _EPOCH + dt.timedelta(seconds=self.seconds, microseconds=self.nanos // 1_000)

    def plus(self, duration: dt.timedelta) -> Instant:
        """Return the instant so much later."""
        microseconds = duration // dt.timedelta(microseconds=1)
        seconds, nanos = divmod(self.nanos + microseconds * 1_000, 1_000_000_000)
        return Instant(self.seconds + seconds, nanos)

    def __add__(self, duration: dt.timedelta) -> Instant:
        return self.plus(duration)

    def __sub__(self, duration: dt.timedelta) -> Instant:
        return self.plus(-duration)


T = TypeVar("T", dt.datetime, int, Instant)


class Timers(ABC, Generic[T]):
    """Time as a partition has it, and the timers of the partition.

    Times are of the type that ``Context.timers`` was asked for: ``datetime`` (with a zone, UTC, where the time column
    is TIMESTAMP_LTZ, without one where it is TIMESTAMP), ``int`` (milliseconds since 1970) or ``Instant``.

    A timer fires once the watermark has passed its time, and then ``on_timer`` is called. Its partition can have any
    number of timers: each has either a name, of which there is one at a time, or a time alone.
    """

    @abstractmethod
    def current_time(self) -> T | None:
        """Return the time of the row in ``eval``, and of the timer in ``on_timer``.

        It is the value of the column that ``on_time`` names, for the table of the current row. None if the call has no
        ``on_time``; a timer has its own time even then.
        """

    @abstractmethod
    def current_watermark(self) -> T | None:
        """Return the time up to which all rows have been seen; None before there was any."""

    @abstractmethod
    def following_watermark(self) -> T | None:
        """Return the watermark that is about to come, in a timer on watermarks; None before there was any."""

    @overload
    def register_on_time(self, name_or_time: str, time: T) -> None: ...

    @overload
    def register_on_time(self, name_or_time: T) -> None: ...

    @abstractmethod
    def register_on_time(self, name_or_time: str | T, time: T | None = None) -> None:
        """Register a timer that fires once the watermark passes a time.

        Args:
            name_or_time: its name, whose former timer it replaces; or the time alone, of which there is one timer.
            time: the time, after a name.
        """

    @abstractmethod
    def register_on_periodic_time(self, name: str, relative_time: T, period: dt.timedelta) -> None:
        """Register a timer that fires at a time, and again each time a period has passed since.

        Args:
            name: its name, whose former timer it replaces.
            relative_time: when it fires first.
            period: how much later it fires again, each time.
        """

    @abstractmethod
    def register_on_watermark(self) -> None:
        """Register a timer that fires once, just before the watermark advances; its name is ``watermark``."""

    @abstractmethod
    def register_on_periodic_watermark(self) -> None:
        """Register a timer that fires each time before the watermark advances; its name is ``watermark``."""

    @abstractmethod
    def delete_timer(self, name_or_time: str | T) -> None:
        """Delete a timer by its name, or one without a name by its time; nothing happens where there is none."""


class SetSemantics(ABC):
    """How a table was given to the call: by what it is partitioned and ordered.

    A column is the path of positions that leads to it: ``(2,)`` is the third column, ``(2, 0)`` the first field of it.
    A key that is computed is no column, and has the path ``()``.
    """

    @abstractmethod
    def partition_by_columns(self) -> tuple[tuple[int, ...], ...]:
        """Return the columns of PARTITION BY."""

    @abstractmethod
    def order_by_columns(self) -> tuple[tuple[int, ...], ...]:
        """Return the columns of ORDER BY."""

    @abstractmethod
    def time_column(self) -> int | None:
        """Return the position of the column that ``on_time`` names, None without one."""

    @abstractmethod
    def co_partition_args(self) -> tuple[str, ...]:
        """Return the names of the other table arguments that are partitioned together with this one."""


class Context(ABC):
    """What ``eval`` and ``finish`` may ask and do; it is of the current partition."""

    @overload
    def timers(self) -> Timers[dt.datetime]: ...

    @overload
    def timers(self, time_type: type[T]) -> Timers[T]: ...

    @abstractmethod
    def timers(self, time_type: type[T] = dt.datetime) -> Timers[T]:  # type: ignore[assignment]  # overloads say it
        """Return time and timers.

        Args:
            time_type: the type of times: ``datetime``, ``int`` for milliseconds since 1970, or ``Instant``.
        """

    @abstractmethod
    def set_semantics(self, argument: str) -> SetSemantics:
        """Return how a table was given.

        Args:
            argument: the name of the argument.
        """

    @abstractmethod
    def clear_state(self, name: str) -> None:
        """Make a state of the partition what it is when the partition is new.

        Args:
            name: the name of the state.
        """

    @abstractmethod
    def clear_all_state(self) -> None:
        """Make all state of the partition what it is when the partition is new."""

    @abstractmethod
    def clear_all_timers(self) -> None:
        """Delete all timers of the partition."""

    def clear_all(self) -> None:
        """Forget the partition: all of its state, and all of its timers."""
        self.clear_all_state()
        self.clear_all_timers()


class OnTimerContext(Context):
    """What ``on_timer`` may ask and do."""

    @abstractmethod
    def current_timer(self) -> str | None:
        """Return the name of the timer that fires, None where it has none."""
