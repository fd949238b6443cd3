"""The context of a process table function: time and timers, state, and the properties of its tables.

These classes are the interface for tables and for streams. A function sees the past of its input only, and is never
told that the input is about to end.
"""

from __future__ import annotations

import datetime as dt
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Generic, TypeVar, overload

_EPOCH = dt.datetime(1970, 1, 1, tzinfo=dt.timezone.utc)


@dataclass(frozen=True, order=True)
class Instant:
    """A point in time: seconds since 1970-01-01 00:00:00 UTC, and nanoseconds within the second.

    >>> Instant.of_epoch_milli(1_500).plus(dt.timedelta(seconds=2))
    Instant(seconds=3, nanos=500000000)
    """

    seconds: int
    nanos: int = 0

    @staticmethod
    def of_epoch_milli(milliseconds: int) -> Instant:
        """Return the instant at a number of milliseconds after the epoch."""
        seconds, rest = divmod(milliseconds, 1_000)
        return Instant(seconds, rest * 1_000_000)

    @staticmethod
    def of(time: dt.datetime) -> Instant:
        """Return the instant of a datetime; a datetime without a zone is taken as UTC."""
        zoned = time if time.tzinfo is not None else time.replace(tzinfo=dt.timezone.utc)
        seconds, rest = divmod(zoned - _EPOCH, dt.timedelta(seconds=1))
        return Instant(seconds, rest.microseconds * 1_000)

    def to_epoch_milli(self) -> int:
        """Return the milliseconds since the epoch, rounded down."""
        return self.seconds * 1_000 + self.nanos // 1_000_000

    def to_datetime(self) -> dt.datetime:
        """Return the datetime in UTC, rounded down to microseconds."""
        return _EPOCH + dt.timedelta(seconds=self.seconds, microseconds=self.nanos // 1_000)

    def plus(self, duration: dt.timedelta) -> Instant:
        """Return the instant that is later by a duration."""
        microseconds = duration // dt.timedelta(microseconds=1)
        seconds, nanos = divmod(self.nanos + microseconds * 1_000, 1_000_000_000)
        return Instant(self.seconds + seconds, nanos)

    def __add__(self, duration: dt.timedelta) -> Instant:
        return self.plus(duration)

    def __sub__(self, duration: dt.timedelta) -> Instant:
        return self.plus(-duration)


T = TypeVar("T", dt.datetime, int, Instant)


class Timers(ABC, Generic[T]):
    """The time of the current partition, and its timers.

    Times have the type that was passed to ``Context.timers``: ``datetime`` (with zone UTC if the time column is
    TIMESTAMP_LTZ, without a zone if it is TIMESTAMP), ``int`` (milliseconds since 1970) or ``Instant``.

    A timer fires when the watermark has passed its time, by a call of ``on_timer``. A partition can have any number of
    timers. A timer has a unique name, or only a time, which is then unique among the timers without a name.
    """

    @abstractmethod
    def current_time(self) -> T | None:
        """Return the time of the current row in ``eval``, and of the timer in ``on_timer``.

        The time of a row is the value of the column that ``on_time`` names for its table; None if the call has no
        ``on_time``. A timer has its own time even then.
        """

    @abstractmethod
    def current_watermark(self) -> T | None:
        """Return the time up to which all rows have been seen; None before the first watermark."""

    @abstractmethod
    def following_watermark(self) -> T | None:
        """Return the next watermark, in a timer on watermarks; None before the first watermark."""

    @overload
    def register_on_time(self, name_or_time: str, time: T) -> None: ...

    @overload
    def register_on_time(self, name_or_time: T) -> None: ...

    @abstractmethod
    def register_on_time(self, name_or_time: str | T, time: T | None = None) -> None:
        """Register a timer that fires when the watermark passes a time.

        Args:
            name_or_time: the name, which replaces a timer of this name; or only the time, once for each time.
            time: the time, after a name.
        """

    @abstractmethod
    def register_on_periodic_time(self, name: str, relative_time: T, period: dt.timedelta) -> None:
        """Register a timer that fires at a time, and again after each period.

        Args:
            name: the name, which replaces a timer of this name.
            relative_time: the time of the first firing.
            period: the time between two firings.
        """

    @abstractmethod
    def register_on_watermark(self) -> None:
        """Register a timer that fires once, just before the watermark advances; its name is ``watermark``."""

    @abstractmethod
    def register_on_periodic_watermark(self) -> None:
        """Register a timer that fires each time before the watermark advances; its name is ``watermark``."""

    @abstractmethod
    def delete_timer(self, name_or_time: str | T) -> None:
        """Delete a timer by its name, or a timer without a name by its time; do nothing if it does not exist."""


class SetSemantics(ABC):
    """The partitioning and the order of a table argument.

    A column is a path of positions: ``(2,)`` is the third column, ``(2, 0)`` is its first field. A computed key is not
    a column, and has the path ``()``.
    """

    @abstractmethod
    def partition_by_columns(self) -> tuple[tuple[int, ...], ...]:
        """Return the columns of PARTITION BY."""

    @abstractmethod
    def order_by_columns(self) -> tuple[tuple[int, ...], ...]:
        """Return the columns of ORDER BY."""

    @abstractmethod
    def time_column(self) -> int | None:
        """Return the position of the column that ``on_time`` names, or None without ``on_time``."""

    @abstractmethod
    def co_partition_args(self) -> tuple[str, ...]:
        """Return the names of the other table arguments that are co-partitioned with this one."""


class Context(ABC):
    """The context of ``eval`` and ``finish``, for the current partition."""

    @overload
    def timers(self) -> Timers[dt.datetime]: ...

    @overload
    def timers(self, time_type: type[T]) -> Timers[T]: ...

    @abstractmethod
    def timers(self, time_type: type[T] = dt.datetime) -> Timers[T]:  # type: ignore[assignment]  # overloads say it
        """Return the time of the partition and its timers.

        Args:
            time_type: the type of times: ``datetime``, ``int`` for milliseconds since 1970, or ``Instant``.
        """

    @abstractmethod
    def set_semantics(self, argument: str) -> SetSemantics:
        """Return the partitioning and the order of a table argument.

        Args:
            argument: the name of the argument.
        """

    @abstractmethod
    def clear_state(self, name: str) -> None:
        """Reset a state of the partition to its initial value.

        Args:
            name: the name of the state.
        """

    @abstractmethod
    def clear_all_state(self) -> None:
        """Reset all state of the partition to its initial values."""

    @abstractmethod
    def clear_all_timers(self) -> None:
        """Delete all timers of the partition."""

    def clear_all(self) -> None:
        """Delete all state and all timers of the partition."""
        self.clear_all_state()
        self.clear_all_timers()


class OnTimerContext(Context):
    """The context of ``on_timer``."""

    @abstractmethod
    def current_timer(self) -> str | None:
        """Return the name of the timer that fires, or None if it has no name."""
