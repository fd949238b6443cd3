"""Times of day with nanoseconds, since Python's ``datetime.time`` has only microseconds."""

from __future__ import annotations

import datetime as dt

from ir import light_attrs as attrs
from ir.errors import ValidationException
from ir.late_patterns import late_pattern

NANOSECONDS = 1_000_000_000
# Times with more fractional digits are FineTime values.
MICROSECOND_DIGITS = 6
_TEXT = late_pattern(r"([01][0-9]|2[0-3]):([0-5][0-9])(?::([0-5][0-9])(?:\.([0-9]{1,9}))?)?")
_DIGITS = 9


def _check(instance: FineTime, attribute: attrs.Attribute[int], value: int) -> None:
    most = {"hour": 23, "minute": 59, "second": 59}.get(attribute.name, NANOSECONDS - 1)
    if not 0 <= value <= most:
        raise ValidationException(f"The {attribute.name} of a time of day goes from 0 to {most}, but is {value}.")


@attrs.frozen(order=True)
class FineTime(attrs.Slotted):
    """A time of day with nanoseconds, as a value of TIME(7), TIME(8) or TIME(9).

    Args:
        hour: from 0 to 23.
        minute: from 0 to 59.
        second: from 0 to 59.
        nanosecond: the fraction of the second, from 0 to 999999999.

    Raises:
        ValidationException: there is no such time of day.

    Example:
        >>> FineTime(12, 30, 0, 123_456_789).isoformat()
        '12:30:00.123456789'
    """

    hour: int = attrs.field(default=0, validator=_check)
    minute: int = attrs.field(default=0, validator=_check)
    second: int = attrs.field(default=0, validator=_check)
    nanosecond: int = attrs.field(default=0, validator=_check)

    def isoformat(self) -> str:
        """Return the time as a string with all nine digits of its fraction."""
        return f"{self.hour:02d}:{self.minute:02d}:{self.second:02d}.{self.nanosecond:09d}"

    __str__ = isoformat


def time_of_text(text: str) -> FineTime | None:
    """Return the time of day in a string, None if the string is not a time.

    >>> time_of_text("01:02:03.000000001")
    FineTime(hour=1, minute=2, second=3, nanosecond=1)
    """
    found = _TEXT.fullmatch(text)
    if found is None:
        return None
    hour, minute, second, fraction = found.groups()
    return FineTime(int(hour), int(minute), int(second or 0), int((fraction or "").ljust(_DIGITS, "0")))


def time_of_nanoseconds(count: int) -> FineTime:
    """Return the time of day at a number of nanoseconds after midnight."""
    seconds, nanosecond = divmod(count, NANOSECONDS)
    minutes, second = divmod(seconds, 60)
    hour, minute = divmod(minutes, 60)
    return FineTime(hour, minute, second, nanosecond)


def fine_time(time: dt.time | FineTime) -> FineTime:
    """Return a time of day with nanoseconds."""
    if isinstance(time, FineTime):
        return time
    return FineTime(time.hour, time.minute, time.second, time.microsecond * 1000)


def has_digits(time: dt.time | FineTime, digits: int) -> bool:
    """Whether ``digits`` fractional digits suffice for a time of day."""
    unit: int = 10 ** (_DIGITS - digits)
    return fine_time(time).nanosecond % unit == 0
