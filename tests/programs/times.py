"""Times on the day of the test programs' events."""

from __future__ import annotations

import datetime as dt


def at(hour: int, minute: int = 0, second: int = 0, microsecond: int = 0) -> dt.datetime:
    """Return a time on that day."""
    return dt.datetime(2024, 1, 1, hour, minute, second, microsecond)
