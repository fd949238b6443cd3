"""Parse durations of a configuration: ``30s``, ``100 ms``, ``3 min``."""

from __future__ import annotations

import datetime as dt
import re

from ir.errors import ValidationException

_SECONDS = {
    1e-9: ("ns", "nano", "nanos", "nanosecond", "nanoseconds"),
    1e-6: ("us", "µs", "micro", "micros", "microsecond", "microseconds"),
    1e-3: ("ms", "milli", "millis", "millisecond", "milliseconds"),
    1.0: ("s", "sec", "secs", "second", "seconds"),
    60.0: ("m", "min", "mins", "minute", "minutes"),
    3600.0: ("h", "hour", "hours"),
    86400.0: ("d", "day", "days"),
}
_UNITS = {unit: seconds for seconds, units in _SECONDS.items() for unit in units}
_TEXT = re.compile(r"\s*(\d+(?:\.\d+)?)\s*([a-zµ]*)\s*", re.IGNORECASE)


def parse_duration(given: object, what: str) -> float:
    """Return a duration in seconds; a number without a unit counts milliseconds, as in Flink.

    >>> parse_duration("3 min", "timeout")
    180.0

    Args:
        given: a string or a timedelta.
        what: the name of the setting for the message.

    Raises:
        ValidationException: the value is not a duration, or is negative.
    """
    if isinstance(given, dt.timedelta):
        seconds = given.total_seconds()
        if seconds < 0:
            raise ValidationException(f"{what} is a duration from 0, but {given} was given.")
        return seconds
    found = _TEXT.fullmatch(given) if isinstance(given, str) else None
    unit = None if found is None else _UNITS.get(found.group(2).lower() or "ms")
    if found is None or unit is None:
        raise ValidationException(
            f"{what} is a duration such as '30s', '100 ms' or '3 min' (units: ns, us, ms, s, min, h, d), or a "
            f"timedelta, but {given!r} was given."
        )
    return float(found.group(1)) * unit
