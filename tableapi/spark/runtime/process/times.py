"""Times: microseconds since 1970 within the runtime, and conversions to the types that functions use.

Watermarks are whole milliseconds, as in Flink. The watermark before a row is the millisecond before the row's time: all
rows up to it have been seen, and no later watermark is certain.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from typing import Any

from tableapi.spark.runtime.process.context import Instant

MILLISECOND = 1_000
# The watermark after the last row of bounded input: 9999-12-31 23:59:59.999, the maximum of datetime.
END = 253_402_300_799_999_000
NEVER = 2**63

_MICROSECOND = dt.timedelta(microseconds=1)
_EPOCH = dt.datetime(1970, 1, 1)
_EPOCH_IN_UTC = dt.datetime(1970, 1, 1, tzinfo=dt.timezone.utc)


def watermark_before(time: int) -> int:
    """Return the watermark before a row with this time."""
    return time - time % MILLISECOND - MILLISECOND


def first_row_after(time: int) -> int:
    """Return the least row time before which the watermark has reached ``time``."""
    return -(-time // MILLISECOND) * MILLISECOND + MILLISECOND


def duration(given: Any) -> int:
    """Return a duration in microseconds.

    Raises:
        TypeError: the argument is not a timedelta.
    """
    if not isinstance(given, dt.timedelta):
        raise TypeError(f"a period is a timedelta, but {type(given).__name__} was given")
    return given // _MICROSECOND


class TimeType:
    """Conversions between microseconds and the times that a function uses: ``read`` returns microseconds."""

    def __init__(self, show: Callable[[int], Any], read: Callable[[Any], int]) -> None:
        self.show = show
        self.read = read


def time_type(chosen: Any, has_zone: bool) -> TimeType:
    """Return the conversions for ``datetime``, ``int`` or ``Instant``; ``has_zone`` is a property of the time column.

    Raises:
        TypeError: the type is another one.
    """
    if chosen is dt.datetime:
        return TimeType(_show_datetime_in_utc if has_zone else _show_datetime, _read_microseconds)
    if chosen is int:
        return TimeType(lambda time: time // MILLISECOND, _read_milliseconds)
    if chosen is Instant:
        return TimeType(_show_instant, _read_microseconds)
    raise TypeError(f"times are of the type datetime, int or Instant, but {chosen!r} was asked for")


def _show_datetime(time: int) -> dt.datetime:
    return _EPOCH + dt.timedelta(0, 0, time)


def _show_datetime_in_utc(time: int) -> dt.datetime:
    return _EPOCH_IN_UTC + dt.timedelta(0, 0, time)


def _show_instant(time: int) -> Instant:
    seconds, microseconds = divmod(time, 1_000_000)
    return Instant(seconds, microseconds * 1_000)


def _read_milliseconds(given: Any) -> int:
    return given * MILLISECOND if type(given) is int else _read_microseconds(given)


def _read_microseconds(given: Any) -> int:
    if isinstance(given, dt.datetime):
        return (given - (_EPOCH if given.tzinfo is None else _EPOCH_IN_UTC)) // _MICROSECOND
    if isinstance(given, int) and not isinstance(given, bool):
        return given * MILLISECOND
    if isinstance(given, Instant):
        return given.seconds * 1_000_000 + given.nanos // 1_000
    raise TypeError(
        f"a time is a datetime, an int of milliseconds since 1970 or an Instant, but {type(given).__name__} was given"
    )
