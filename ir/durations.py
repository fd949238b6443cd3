"""Durations as strings, as SQL's window functions take them: ``'10 minutes'``."""

from __future__ import annotations

from ir.errors import ValidationException
from ir.late_patterns import late_pattern

_UNITS = {
    "week": 7 * 86_400_000_000,
    "day": 86_400_000_000,
    "hour": 3_600_000_000,
    "minute": 60_000_000,
    "second": 1_000_000,
    "millisecond": 1_000,
    "microsecond": 1,
}
_UNITS_OF_THE_CALENDAR = ("year", "month")
_INTERVAL = late_pattern(r"(?i)\s*(interval\s+)?")
_PART = late_pattern(r"(?i)([+-]?)\s*(\d+)(?:\.(\d{0,9}))?\s+([a-z]+?)s?(?:\s+|$)")
_LONGEST = 2**63 - 1


def duration_text(microseconds: int, *, days: bool = True) -> str:
    """Return a duration as a readable string, from the greatest unit to the smallest.

    Args:
        microseconds: the duration.
        days: whether to write days, which Spark counts by the calendar where it adds them to a TIMESTAMP_LTZ.

    >>> duration_text(600_000_000), duration_text(129_600_000_000), duration_text(129_600_000_000, days=False)
    ('10 minutes', '1 day 12 hours', '36 hours')
    """
    sign, rest = ("-" if microseconds < 0 else ""), abs(microseconds)
    parts = []
    for unit, length in _UNITS.items():
        if unit == "week" or (unit == "day" and not days):
            continue
        amount, rest = divmod(rest, length)
        if amount:
            parts.append(f"{sign}{amount} {unit}{'' if amount == 1 else 's'}")
    return " ".join(parts) or "0 seconds"


def parse_duration(text: str, *, days: bool = True) -> int:
    """Return the microseconds of a duration in Spark's syntax.

    Args:
        text: numbers with units, ``1 hour 30 minutes``; only seconds may have a fraction.
        days: whether days and weeks are accepted, as 24 hours each day.

    Raises:
        ValidationException: the string is not a duration, or contains months, which differ in length.

    >>> parse_duration("INTERVAL 1 hour 1.5 SECONDS")
    3601500000
    """
    total = position = 0
    begun = _INTERVAL.match(text)
    position = begun.end() if begun is not None else 0
    parts = 0
    while match := _PART.match(text, position):
        sign, whole, fraction, unit = match[1], match[2], match[3], match[4].lower()
        if unit in _UNITS_OF_THE_CALENDAR:
            raise ValidationException(f"{text!r} has {unit}s, which differ in length; a window takes days at most.")
        if unit not in _UNITS or (fraction is not None and unit != "second"):
            break
        if unit in ("week", "day") and not days:
            raise ValidationException(
                f"{text!r} has {unit}s, which Spark counts by the calendar here, so that they differ in length; write "
                "hours instead."
            )
        amount = int(whole) * _UNITS[unit] + int((fraction or "").ljust(6, "0")[:6])
        total += -amount if sign == "-" else amount
        position, parts = match.end(), parts + 1
    if position < len(text) or not parts:
        raise ValidationException(
            f"{text!r} is not a length of time; write one such as '10 minutes' or '1 hour'.",
            condition="CANNOT_PARSE_INTERVAL",
        )
    if abs(total) > _LONGEST:
        raise ValidationException(f"{text!r} is too long; the limit is 2^63 - 1 microseconds.")
    return total
