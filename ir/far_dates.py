"""Dates and timestamps that Spark supports and Python does not: before the year 1 and after 9999."""

from __future__ import annotations

import datetime as dt

from ir import light_attrs as attrs
from ir.late_patterns import late_pattern

_DATE = r"([+-]?[0-9]{4,7})-([0-9]{2})-([0-9]{2})"
_TIME = r"(?:[01][0-9]|2[0-3]):[0-5][0-9](?::[0-5][0-9](?:\.[0-9]{1,6})?)?"
_DATE_PATTERN = late_pattern(_DATE)
_MOMENT = late_pattern(rf"{_DATE}(?:[T ]({_TIME}))?(Z|[+-][0-9]{{2}}:[0-9]{{2}})?")
# The first and the last day in a 32-bit number of days since 1970.
_FIRST, _LAST = (-5_877_641, 6, 23), (5_881_580, 7, 11)
# The calendar, including the days of the week, repeats every 400 years.
_CYCLE, _DAYS_OF_CYCLE = 400, 146_097
_DAY = 86_400_000_000
_MICROSECOND = dt.timedelta(microseconds=1)
_EPOCH = dt.datetime(1970, 1, 1)


@attrs.frozen
class FarDate(attrs.Slotted):
    """A date of the proleptic Gregorian calendar before the year 1 or after 9999, with a year 0.

    Args:
        year: the year; 0 is the year before the year 1.
        month: from 1 to 12.
        day: from 1 to the length of the month.

    Example:
        >>> FarDate(10000, 2, 29).isoformat()
        '+10000-02-29'
    """

    year: int
    month: int
    day: int

    def isoformat(self) -> str:
        """Return the date as a string, with a sign if the year is negative or has more than four digits."""
        sign = "-" if self.year < 0 else "+" if self.year > 9999 else ""
        return f"{sign}{abs(self.year):04d}-{self.month:02d}-{self.day:02d}"

    __str__ = isoformat


@attrs.frozen
class FarTimestamp(attrs.Slotted):
    """A timestamp on a date that Python does not support, either in UTC or without a time zone.

    Args:
        date: the date.
        time: the time of day.
        is_instant: whether it is in UTC and a value of TIMESTAMP_LTZ, or else a value of TIMESTAMP.

    Example:
        >>> FarTimestamp(FarDate(10000, 2, 29), dt.time(12, 30), is_instant=True).isoformat()
        '+10000-02-29 12:30:00+00:00'
    """

    date: FarDate
    time: dt.time
    is_instant: bool = False

    def isoformat(self) -> str:
        """Return the timestamp as a string, with the offset if it is in UTC."""
        return f"{self.date} {self.time.isoformat()}{'+00:00' if self.is_instant else ''}"

    __str__ = isoformat


def calendar_day(year: int, month: int, day: int) -> dt.date | FarDate | None:
    """Return a day of the calendar, None if it does not exist or Spark does not support it."""
    try:
        near = dt.date(2000 + year % _CYCLE, month, day)
    except (TypeError, ValueError):
        # A FarDate from a user may hold any values.
        return None
    if 1 <= year <= dt.MAXYEAR:
        return near.replace(year=year)
    return FarDate(year, month, day) if _FIRST <= (year, month, day) <= _LAST else None


def calendar_moment(
    year: int, month: int, day: int, time: dt.time, zone: dt.tzinfo | None, shown_in: dt.tzinfo | None = None
) -> dt.datetime | FarTimestamp | None:
    """Return a timestamp, in UTC if ``zone`` is given, None if it does not exist or Spark does not support it.

    ``shown_in`` converts the timestamp to the local time of another zone, without a zone.
    """
    # Python computes with an equivalent year: for the future, one that is late enough for the last rules of the zone;
    # for the past, one before the first rules.
    try:
        first = 9200 if year > 5000 else 400
        cycles = 0 if 1 < year < dt.MAXYEAR else (year - first) // _CYCLE
        local = dt.datetime.combine(dt.date(year - cycles * _CYCLE, month, day), time, zone)
    except (TypeError, ValueError):
        return None
    moved = local if zone is None else local.astimezone(shown_in or dt.timezone.utc)
    passed = (moved.replace(tzinfo=None) - _EPOCH) // _MICROSECOND + cycles * _DAYS_OF_CYCLE * _DAY
    if shown_in is None and not -(1 << 63) <= passed < 1 << 63:
        return None
    is_instant = zone is not None and shown_in is None
    found = moved.year + cycles * _CYCLE
    clock = dt.time(moved.hour, moved.minute, moved.second, moved.microsecond)
    if 1 <= found <= dt.MAXYEAR:
        date = dt.date(moved.year, moved.month, moved.day).replace(year=found)
        return dt.datetime.combine(date, clock, dt.timezone.utc if is_instant else None)
    return FarTimestamp(FarDate(found, moved.month, moved.day), clock, is_instant)


def convert_to_zone(instant: dt.datetime | FarTimestamp, zone: dt.tzinfo) -> dt.datetime | FarTimestamp | None:
    """Return the local time of a time zone for a timestamp in UTC, None if Spark does not support that time.

    >>> zone = dt.timezone(dt.timedelta(hours=-1))
    >>> convert_to_zone(FarTimestamp(FarDate(10000, 1, 1), dt.time(), True), zone).isoformat()
    '9999-12-31T23:00:00'
    """
    date, time = (instant.date, instant.time) if isinstance(instant, FarTimestamp) else (instant, instant.time())
    return calendar_moment(date.year, date.month, date.day, time, dt.timezone.utc, zone)


def day_of_count(days: int) -> dt.date | FarDate:
    """Return the date that is ``days`` days after 1970-01-01."""
    cycles, rest = divmod(days, _DAYS_OF_CYCLE)
    near = _EPOCH.date() + dt.timedelta(days=rest)
    year = near.year + cycles * _CYCLE
    return near.replace(year=year) if 1 <= year <= dt.MAXYEAR else FarDate(year, near.month, near.day)


def far_moment_of_count(microseconds: int, is_instant: bool) -> FarTimestamp:
    """Return the timestamp at a number of microseconds since 1970, on a date that Python does not support.

    >>> far_moment_of_count(2**63 - 1, True).isoformat()
    '+294247-01-10 04:00:54.775807+00:00'
    """
    days, rest = divmod(microseconds, _DAY)
    date = day_of_count(days)
    assert isinstance(date, FarDate), "other times are datetimes"
    return FarTimestamp(date, (_EPOCH + dt.timedelta(microseconds=rest)).time(), is_instant)


def datetime_of_iso(text: str) -> dt.datetime:
    """Return the datetime in an ISO string with at most six digits in the fraction of a second.

    Python 3.10 reads neither a fraction of other than three or six digits nor the zone Z.

    >>> datetime_of_iso("2024-02-29T12:30:01.5Z").isoformat()
    '2024-02-29T12:30:01.500000+00:00'

    Raises:
        ValueError: the string contains no valid date and time.
    """
    before, point, after = text.partition(".")
    if point:
        zone = after.lstrip("0123456789")
        text = f"{before}.{after.removesuffix(zone):0<6}{zone}"
    return dt.datetime.fromisoformat(f"{text[:-1]}+00:00" if text.endswith("Z") else text)


def far_date(text: str) -> FarDate | None:
    """Return the date in a string, None for an invalid date or one that Python supports.

    >>> far_date("+10000-02-29"), far_date("0000-02-29").isoformat()
    (FarDate(year=10000, month=2, day=29), '0000-02-29')
    """
    found = _DATE_PATTERN.fullmatch(text)
    made = None if found is None else calendar_day(*map(int, found.groups()))
    return made if isinstance(made, FarDate) else None


def far_timestamp(text: str) -> dt.datetime | FarTimestamp | None:
    """Return the timestamp in a string if its local or UTC date is one that Python does not support, else None.

    >>> far_timestamp("9999-12-31 23:00:00-01:30").isoformat()
    '+10000-01-01 00:30:00+00:00'
    """
    found = _MOMENT.fullmatch(text)
    if found is None:
        return None
    year, month, day, time, offset = found.groups()
    zone = None if offset is None else datetime_of_iso(f"2000-01-01T00:00{offset}").tzinfo
    clock = dt.time() if time is None else datetime_of_iso(f"2000-01-01T{time}").time()
    made = calendar_moment(int(year), int(month), int(day), clock, zone)
    return made if isinstance(made, FarTimestamp) or not 1 <= int(year) <= dt.MAXYEAR else None
