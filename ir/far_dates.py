"""Dates and times that Spark has and Python has not: those before the year 1 and after 9999."""

from __future__ import annotations

import datetime as dt
import re

import attrs

_DATE = r"([+-]?[0-9]{4,7})-([0-9]{2})-([0-9]{2})"
_TIME = r"(?:[01][0-9]|2[0-3]):[0-5][0-9](?::[0-5][0-9](?:\.[0-9]{1,6})?)?"
_MOMENT = rf"{_DATE}(?:[T ]({_TIME}))?(Z|[+-][0-9]{{2}}:[0-9]{{2}})?"
# The first and the last day that 32 bits count from 1970 on.
_FIRST, _LAST = (-5_877_641, 6, 23), (5_881_580, 7, 11)
# Every 400 years, the days of the months and of the weeks are the same.
_CYCLE, _DAYS_OF_CYCLE = 400, 146_097
_DAY = 86_400_000_000
_MICROSECOND = dt.timedelta(microseconds=1)
_EPOCH = dt.datetime(1970, 1, 1)


@attrs.frozen
class FarDate:
    """A date of the calendar that goes on before the year 1 and after 9999; there is a year 0.

    Args:
        year: the year, in which that before the year 1 is 0.
        month: from 1 to 12.
        day: from 1 on.

    Example:
        >>> FarDate(10000, 2, 29).isoformat()
        '+10000-02-29'
    """

    year: int
    month: int
    day: int

    def isoformat(self) -> str:
        """Return the date as text: with a sign where the year has one or more than four digits."""
        sign = "-" if self.year < 0 else "+" if self.year > 9999 else ""
        return f"{sign}{abs(self.year):04d}-{self.month:02d}-{self.day:02d}"

    __str__ = isoformat


@attrs.frozen
class FarTimestamp:
    """A time of day on a date that Python does not have: a point in time, in UTC, or one without a time zone.

    Args:
        date: the date.
        time: the time of day.
        is_instant: whether it is a point in time, a value of TIMESTAMP_LTZ, and not one of TIMESTAMP.

    Example:
        >>> FarTimestamp(FarDate(10000, 2, 29), dt.time(12, 30), is_instant=True).isoformat()
        '+10000-02-29 12:30:00+00:00'
    """

    date: FarDate
    time: dt.time
    is_instant: bool = False

    def isoformat(self) -> str:
        """Return the time as text, with the offset of a point in time."""
        return f"{self.date} {self.time.isoformat()}{'+00:00' if self.is_instant else ''}"

    __str__ = isoformat


def calendar_day(year: int, month: int, day: int) -> dt.date | FarDate | None:
    """Return a day of the calendar, None where there is none, or Spark does not have it."""
    try:
        near = dt.date(2000 + year % _CYCLE, month, day)
    except (TypeError, ValueError):
        # What a user puts into a FarDate may be anything.
        return None
    if 1 <= year <= dt.MAXYEAR:
        return near.replace(year=year)
    return FarDate(year, month, day) if _FIRST <= (year, month, day) <= _LAST else None


def calendar_moment(
    year: int, month: int, day: int, time: dt.time, zone: dt.tzinfo | None, shown_in: dt.tzinfo | None = None
) -> dt.datetime | FarTimestamp | None:
    """Return a time of a day, in UTC if it is in a time zone, None where there is none, or Spark does not have it.

    With ``shown_in``, a point in time becomes what clocks of that zone show, without a zone.
    """
    # Python computes with a year that is alike: of times to come, one as far as that in which the rules of a zone are
    # those of the last one, and of the past one in which there were no zones yet.
    try:
        first = 9200 if year > 5000 else 400
        cycles = 0 if 1 < year < dt.MAXYEAR else (year - first) // _CYCLE
        local = dt.datetime.combine(dt.date(year - cycles * _CYCLE, month, day), time, zone)
    except (TypeError, ValueError):
        return None
    moved = local if zone is None else local.astimezone(shown_in or dt.UTC)
    passed = (moved.replace(tzinfo=None) - _EPOCH) // _MICROSECOND + cycles * _DAYS_OF_CYCLE * _DAY
    if shown_in is None and not -(1 << 63) <= passed < 1 << 63:
        return None
    is_instant = zone is not None and shown_in is None
    found = moved.year + cycles * _CYCLE
    clock = dt.time(moved.hour, moved.minute, moved.second, moved.microsecond)
    if 1 <= found <= dt.MAXYEAR:
        date = dt.date(moved.year, moved.month, moved.day).replace(year=found)
        return dt.datetime.combine(date, clock, dt.UTC if is_instant else None)
    return FarTimestamp(FarDate(found, moved.month, moved.day), clock, is_instant)


def in_zone(instant: dt.datetime | FarTimestamp, zone: dt.tzinfo) -> dt.datetime | FarTimestamp | None:
    """Return what clocks of a time zone show at a point in time, None where Spark has no such time.

    >>> in_zone(FarTimestamp(FarDate(10000, 1, 1), dt.time(), True), dt.timezone(dt.timedelta(hours=-1))).isoformat()
    '9999-12-31T23:00:00'
    """
    date, time = (instant.date, instant.time) if isinstance(instant, FarTimestamp) else (instant, instant.time())
    return calendar_moment(date.year, date.month, date.day, time, dt.UTC, zone)


def day_of_count(days: int) -> dt.date | FarDate:
    """Return the date so many days after 1970-01-01."""
    cycles, rest = divmod(days, _DAYS_OF_CYCLE)
    near = _EPOCH.date() + dt.timedelta(days=rest)
    year = near.year + cycles * _CYCLE
    return near.replace(year=year) if 1 <= year <= dt.MAXYEAR else FarDate(year, near.month, near.day)


def far_moment_of_count(microseconds: int, is_instant: bool) -> FarTimestamp:
    """Return the time so long after 1970 began, which is on a date that Python does not have.

    >>> far_moment_of_count(2**63 - 1, True).isoformat()
    '+294247-01-10 04:00:54.775807+00:00'
    """
    days, rest = divmod(microseconds, _DAY)
    date = day_of_count(days)
    assert isinstance(date, FarDate), "other times are datetimes"
    return FarTimestamp(date, (_EPOCH + dt.timedelta(microseconds=rest)).time(), is_instant)


def far_date(text: str) -> FarDate | None:
    """Return the date that text shows, None where it shows none or one that Python has.

    >>> far_date("+10000-02-29"), far_date("0000-02-29").isoformat()
    (FarDate(year=10000, month=2, day=29), '0000-02-29')
    """
    found = re.fullmatch(_DATE, text)
    made = None if found is None else calendar_day(*map(int, found.groups()))
    return made if isinstance(made, FarDate) else None


def far_timestamp(text: str) -> dt.datetime | FarTimestamp | None:
    """Return the time that text shows where it, or the text, is on a date that Python does not have, None for others.

    >>> far_timestamp("9999-12-31 23:00:00-01:30").isoformat()
    '+10000-01-01 00:30:00+00:00'
    """
    found = re.fullmatch(_MOMENT, text)
    if found is None:
        return None
    year, month, day, time, offset = found.groups()
    zone = None if offset is None else dt.datetime.fromisoformat(f"2000-01-01T00:00{offset}").tzinfo
    clock = dt.time() if time is None else dt.time.fromisoformat(time)
    made = calendar_moment(int(year), int(month), int(day), clock, zone)
    return made if isinstance(made, FarTimestamp) or not 1 <= int(year) <= dt.MAXYEAR else None
