"""Dates and times in ISO 8601 strings, read alike on all versions of Python."""

from __future__ import annotations

import datetime as dt
import re

_FRACTION = re.compile(r"\.([0-9]{1,6})(?![0-9])")


def datetime_of_iso(text: str) -> dt.datetime:
    """Return the datetime in a string such as ``2024-02-29T12:30:01.5Z``.

    Python 3.10 reads neither a fraction of other than three or six digits nor the zone Z.

    >>> datetime_of_iso("2024-02-29T12:30:01.5Z").isoformat()
    '2024-02-29T12:30:01.500000+00:00'

    Raises:
        ValueError: the string contains no valid date and time.
    """
    filled = _FRACTION.sub(lambda found: f".{found[1]:0<6}", text)
    return dt.datetime.fromisoformat(f"{filled[:-1]}+00:00" if filled.endswith("Z") else filled)
