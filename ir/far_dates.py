"""Dates that Spark has and Python has not: those before the year 1 and after 9999."""

from __future__ import annotations

import re

import attrs

_TEXT = r"([+-]?[0-9]{4,7})-([0-9]{2})-([0-9]{2})"
# The first and the last day that 32 bits count from 1970 on.
_FIRST, _LAST = (-5_877_641, 6, 23), (5_881_580, 7, 11)


@attrs.frozen
class FarDate:
    """A date of the calendar that goes on before the year 1 and after 9999; there is a year 0."""

    year: int
    month: int
    day: int

    def isoformat(self) -> str:
        """Return the date as text: with a sign where the year has one or more than four digits."""
        sign = "-" if self.year < 0 else "+" if self.year > 9999 else ""
        return f"{sign}{abs(self.year):04d}-{self.month:02d}-{self.day:02d}"

    __str__ = isoformat


def far_date(text: str) -> FarDate | None:
    """Return the date that text shows, None where it shows none or one that Python has.

    >>> far_date("+10000-02-29"), far_date("0000-02-29").isoformat()
    (FarDate(year=10000, month=2, day=29), '0000-02-29')
    """
    found = re.fullmatch(_TEXT, text)
    if found is None:
        return None
    year, month, day = map(int, found.groups())
    if 1 <= year <= 9999 or not 1 <= month <= 12:
        return None
    from calendar import monthrange

    # Every 400 years, the days of the months are the same.
    days = monthrange(2000 + year % 400, month)[1]
    return FarDate(year, month, day) if 1 <= day <= days and _FIRST <= (year, month, day) <= _LAST else None
