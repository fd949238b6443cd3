"""Reads the strings of typed literals as Spark does: dates, times, time zones and bytes."""

from __future__ import annotations

import datetime as dt
import re

from grammar.language import TypedLiteral
from ir import types as t
from ir.errors import ValidationException
from ir.expressions import ValueLiteral
from ir.far_dates import calendar_day, calendar_moment
from ir.late_patterns import late_pattern
from ir.literals import literal
from ir.types import LogicalType

_WORDS = late_pattern(r"(epoch|now|today|tomorrow|yesterday)(?:[ \t]+(.*))?", re.IGNORECASE | re.DOTALL)


def special_word(text: str) -> str | None:
    """Return the special word of a string such as 'today UTC'. A zone after the word must be valid and is ignored."""
    found = _WORDS.fullmatch(text)
    if found is None:
        return None
    word, zone = found[1].lower(), (found[2] or "").strip()
    return word if not zone or (word != "now" and _is_zone(zone)) else None


def _is_zone(name: str) -> bool:
    try:
        zone_of(name)
    except ValidationException:
        return False
    return True


# --- dates and times of Spark ----------------------------------------------------------------------------------------

_DATE = late_pattern(r"([+-]?\d{4,7})(?:-(\d{1,2})(?:-(\d{1,2})(?:[ T].*)?)?)?", re.DOTALL | re.ASCII)
# A zone may follow the seconds only.
_CLOCK = r"(\d{1,2})(?::(\d{1,2})(?::(\d{1,2})(?:\.(\d*))?(\D.*)?)?)?"
_MOMENT = late_pattern(rf"([+-]?\d{{4,6}})(?:-(\d{{1,2}})(?:-(\d{{1,2}})(?:[ T]{_CLOCK})?)?)?", re.DOTALL | re.ASCII)
_OF_TODAY = late_pattern(rf"T{_CLOCK}|(?=\d{{1,2}}:){_CLOCK}", re.DOTALL | re.ASCII)


def _date(value: str, time_zone: str | None) -> ValueLiteral:
    text = value.strip()
    if special_word(text) == "epoch":
        return literal(dt.date(1970, 1, 1))
    found = _DATE.fullmatch(text)
    # Spark ignores any text after a date and a blank.
    day = None if found is None else calendar_day(int(found[1]), int(found[2] or 1), int(found[3] or 1))
    # ``literal`` raises the error for an invalid date.
    return literal(text if day is None else day, t.DATE)


def _clock(hour: str | None, minute: str | None, second: str | None, fraction: str | None) -> dt.time | None:
    """Return a time of day, None if it is invalid. Spark truncates the fraction to microseconds."""
    try:
        return dt.time(int(hour or 0), int(minute or 0), int(second or 0), int((fraction or "")[:6].ljust(6, "0")))
    except ValueError:
        return None


def is_time_of_today(text: str) -> bool:
    """Whether a string is a time of day without a date, which TIMESTAMP '…' reads as a time of the current day."""
    found = _OF_TODAY.fullmatch(text)
    if found is None:
        return False
    hour, minute, second, fraction, zone = found.groups()[:5] if text[0] == "T" else found.groups()[5:]
    return _clock(hour, minute, second, fraction) is not None and (zone is None or _is_zone(zone.strip()))


def _instant(value: str, time_zone: str | None) -> ValueLiteral:
    """Return a point in time. Without a zone, the session's zone applies."""
    return _moment(value, time_zone, t.TIMESTAMP_LTZ)


def _wall_clock(value: str, time_zone: str | None) -> ValueLiteral:
    """Return a time without a zone. A zone after the time of day must be valid and is ignored."""
    return _moment(value, None, t.TIMESTAMP)


def _moment(value: str, time_zone: str | None, kind: LogicalType) -> ValueLiteral:
    text = value.strip()
    has_zone = kind is t.TIMESTAMP_LTZ
    if special_word(text) == "epoch":
        return literal(dt.datetime(1970, 1, 1, tzinfo=dt.timezone.utc if has_zone else None), kind)
    found = _MOMENT.fullmatch(text)
    if found is None:
        raise _no_moment(text, kind)
    year, month, day, *clock, zone = found.groups()
    name = time_zone if zone is None else zone.strip()
    if has_zone and name is None:
        raise ValidationException(
            f"The time {text!r} has no time zone, and no session says which one is meant. Write it, as in "
            f"TIMESTAMP_LTZ '{text}Z', set the environment's local time zone, or write TIMESTAMP_NTZ "
            f"'{text}' for a time without a zone."
        )
    place = None if name is None else zone_of(name)
    time = _clock(*clock)
    number = int(year), int(month or 1), int(day or 1)
    made = None if time is None else calendar_moment(*number, time, place if has_zone else None)
    if made is None:
        raise _no_moment(text, kind)
    return literal(made, kind)


def _no_moment(text: str, kind: LogicalType) -> ValidationException:
    with_seconds = re.fullmatch(r"[\d-]+([ T][\d:]+)?\s*(Z|[+-]\d.*|[A-Za-z].*)", text)
    accepted = "a date, as in '2024-02-29', and a time of day after it, as in '2024-02-29 12:30:00.5'"
    if kind is t.TIMESTAMP_LTZ:
        accepted += ", behind whose seconds a time zone may stand: '2024-02-29 12:30:00+01:00'"
    hint = " A zone needs the seconds before it." if with_seconds and text.count(":") < 2 else ""
    if re.match(r"[+-]?\d{6}-", text):
        hint += " The first time is in the year -290308, the last one in 294247."
    return ValidationException(f"{text!r} is not a value of {kind.as_summary_string()}: accepted are {accepted}.{hint}")


_TIME_ALONE = late_pattern(r"T?(\d{1,2}):(\d{1,2})(?::(\d{1,2})(\.\d+)?)?(?:\s*([AP]M))?", re.IGNORECASE)


def _time(value: str, time_zone: str | None) -> ValueLiteral:
    """Return a time whose precision is the number of written fraction digits, but at least six."""
    value = _whole_time(value).strip()
    digits = len(value.partition(".")[2])
    if digits > t.MAX_TIME_PRECISION and value[-1].isdigit():
        raise ValidationException(
            f"The time {value!r} has {digits} digits of a second's fraction, and the finest TIME has "
            f"{t.MAX_TIME_PRECISION}.",
            condition="INVALID_TIME_LITERAL_PRECISION",
        )
    return literal(value, t.TimeType(min(max(digits, 6), t.MAX_TIME_PRECISION)))


def _whole_time(text: str) -> str:
    """Complete a time of day as Spark does: leading zeros may be missing, and AM or PM may follow."""
    match = _TIME_ALONE.fullmatch(text.strip())
    if match is None:
        return text
    hour, minute, second, fraction, half = match.groups()
    if half is not None:
        if not 1 <= int(hour) <= 12:
            return text
        hour = str(int(hour) % 12 + (12 if half.upper() == "PM" else 0))
    return f"{hour.zfill(2)}:{minute.zfill(2)}:{(second or '0').zfill(2)}{fraction or ''}"


# --- time zones ------------------------------------------------------------------------------------------------------

_OFFSET = late_pattern(r"(?:UTC|GMT|UT)?([+-])(\d{1,2}(?=:|$)|\d{2})(?::?(\d{2}))?(?::?(\d{2}))?", re.ASCII)
_SHORT_MINUTE = late_pattern(r"([+-]\d{1,2}:)(\d)")
_GREATEST_OFFSET = dt.timedelta(hours=18)
# The short names of Java's java.time.ZoneId.SHORT_IDS, which Spark accepts as well.
_SHORT_ZONES = {
    "ACT": "Australia/Darwin",
    "AET": "Australia/Sydney",
    "AGT": "America/Argentina/Buenos_Aires",
    "ART": "Africa/Cairo",
    "AST": "America/Anchorage",
    "BET": "America/Sao_Paulo",
    "BST": "Asia/Dhaka",
    "CAT": "Africa/Harare",
    "CNT": "America/St_Johns",
    "CST": "America/Chicago",
    "CTT": "Asia/Shanghai",
    "EAT": "Africa/Addis_Ababa",
    "ECT": "Europe/Paris",
    "EST": "-05:00",
    "HST": "-10:00",
    "IET": "America/Indiana/Indianapolis",
    "IST": "Asia/Kolkata",
    "JST": "Asia/Tokyo",
    "MIT": "Pacific/Apia",
    "MST": "-07:00",
    "NET": "Asia/Yerevan",
    "NST": "Pacific/Auckland",
    "PLT": "Asia/Karachi",
    "PNT": "America/Phoenix",
    "PRT": "America/Puerto_Rico",
    "PST": "America/Los_Angeles",
    "SST": "Pacific/Guadalcanal",
    "VST": "Asia/Ho_Chi_Minh",
}


def zone_of(name: str) -> dt.tzinfo:
    """Return a time zone by its name, as Spark reads it.

    Raises:
        ValidationException: no time zone has the name.
    """
    known = _SHORT_ZONES.get(name, name)
    if known in ("Z", "UTC", "GMT", "UT"):
        return dt.timezone.utc
    offset = _OFFSET.fullmatch(_SHORT_MINUTE.sub(r"\g<1>0\2", known) if _SHORT_MINUTE.fullmatch(known) else known)
    if offset is not None:
        hours, minutes, seconds = (int(part or 0) for part in offset.groups()[1:])
        length = dt.timedelta(hours=hours, minutes=minutes, seconds=seconds)
        if minutes > 59 or seconds > 59 or length > _GREATEST_OFFSET:
            raise ValidationException(f"There is no time zone {name!r}: offsets go to 18 hours.")
        return dt.timezone(length if offset[1] == "+" else -length)
    from zoneinfo import ZoneInfo

    try:
        return ZoneInfo(known)
    except (KeyError, ValueError, OSError):
        raise ValidationException(f"There is no time zone {name!r}.") from None


# --- by type ---------------------------------------------------------------------------------------------------------


def byte_string(value: str, time_zone: str | None) -> ValueLiteral:
    """Return the constant of X'…'."""
    if not re.fullmatch("[0-9a-fA-F]*", value):
        raise ValidationException(f"X'{value}' is no byte string: accepted are hexadecimal digits.")
    return literal(bytes.fromhex(value if len(value) % 2 == 0 else "0" + value))


TYPED: dict[str, TypedLiteral] = {
    "DATE": _date,
    "TIME": _time,
    "TIMESTAMP_NTZ": _wall_clock,
    "X": byte_string,
    "TIMESTAMP": _instant,
    "TIMESTAMP_LTZ": _instant,
}
"""Spark's typed literals, by type."""
MOMENTS: dict[str, LogicalType] = {
    "DATE": t.DATE,
    "TIMESTAMP": t.TIMESTAMP_LTZ,
    "TIMESTAMP_LTZ": t.TIMESTAMP_LTZ,
    "TIMESTAMP_NTZ": t.TIMESTAMP,
}
"""The types whose literals in Spark may depend on the time of reading."""
