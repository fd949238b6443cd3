"""Builds typed literals, such as DATE '…', TIMESTAMP '…' and X'…', as each dialect reads them."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable
from typing import Any

from grammar import syntax as s
from grammar.builder.expressions.literals import interval, interval_of_text, number, text_of
from grammar.builder.expressions.literals import text as text_constant
from grammar.errors import Misread
from ir import types as t
from ir.errors import ValidationException, did_you_mean
from ir.expressions import Expression, TypeLiteral, UnresolvedCall, ValueLiteral
from ir.far_dates import calendar_day, calendar_moment
from ir.functions.conversion import CAST
from ir.functions.dates import DATE_ADD, DATE_SUB
from ir.functions.temporal import CURRENT_DATE, CURRENT_TIMESTAMP, LOCAL_TIMESTAMP
from ir.literals import literal
from ir.rendering import Dialect
from ir.types import LogicalType

_SPARK_TYPES: dict[str, LogicalType] = {
    "DATE": t.DATE,
    "TIMESTAMP": t.TIMESTAMP_LTZ,
    "TIMESTAMP_LTZ": t.TIMESTAMP_LTZ,
    "TIMESTAMP_NTZ": t.TIMESTAMP,
}


def constant_of(node: Any, dialect: Dialect, time_zone: str | None) -> ValueLiteral:
    """Return the constant that a literal denotes.

    Raises:
        Misread: the literal is invalid, or depends on the time at which it is read.
    """
    kind = type(node)
    if kind is s.Number:
        return number(node, dialect)
    if kind is s.Text:
        return text_constant(node, dialect)
    if kind is s.TypedText:
        if moment_of_reading(node, dialect) is not None:
            raise Misread(
                node.position,
                f"{shown_text(node, dialect)} is another constant each time that it is read, and here stands one that "
                "is the same each time.",
            )
        return typed_text(node, dialect, time_zone)
    if kind is s.Null:
        return ValueLiteral(None, t.NULL)
    if kind is s.Boolean:
        return literal(node.value)
    return interval(node, dialect)


def typed_text(written: s.TypedText, dialect: Dialect, time_zone: str | None) -> ValueLiteral:
    """Return the constant of a typed literal; ``time_zone`` is that of the session.

    Raises:
        Misread: the dialect lacks the literal type, or the string is invalid for the type.
    """
    name, value = written.type_name.upper(), _text(written, dialect)
    if name == "INTERVAL":
        return interval_of_text(written, value)
    make = _TYPED[dialect].get(name)
    if make is None:
        names = list(_TYPED[dialect])
        raise Misread(
            written.position,
            f"There are no literals of a type {written.type_name} in {dialect.name}; there are [{', '.join(names)}]."
            + did_you_mean(name, names),
            "UNSUPPORTED_TYPED_LITERAL",
        )
    try:
        return make(value, time_zone)
    except ValidationException as error:
        raise Misread(written.position, error.in_sql, "INVALID_TYPED_LITERAL") from None


def shown_text(written: s.TypedText, dialect: Dialect) -> str:
    """Return a typed literal in normalised form, for messages and names."""
    return f"{written.type_name.upper()} '{_text(written, dialect).strip()}'"


def _text(written: s.TypedText, dialect: Dialect) -> str:
    return "".join(text_of(token, dialect) for token in written.tokens)


# --- what hangs on the moment ----------------------------------------------------------------------------------------

_WORDS = re.compile(r"(epoch|now|today|tomorrow|yesterday)(?:[ \t]+(.*))?", re.IGNORECASE | re.DOTALL)


def moment_of_reading(written: s.TypedText, dialect: Dialect) -> tuple[Expression, LogicalType] | None:
    """Return the expression and type of a typed literal that depends on the time of reading, else None.

    Spark computes DATE 'today' when it reads the text, for a view at each use of the view. It is built as
    CURRENT_DATE.
    """
    kind = _SPARK_TYPES.get(written.type_name.upper()) if dialect is Dialect.SPARK else None
    if kind is None:
        return None
    text = _text(written, dialect).strip()
    if kind is t.TIMESTAMP_LTZ and _is_time_of_today(text):
        # The cast reads the string in the same way, at run time.
        return UnresolvedCall(CAST, (literal(text), TypeLiteral(kind))), kind
    word = _word(text)
    if word is None or word == "epoch":
        return None
    if word == "now" and kind is not t.DATE:
        return UnresolvedCall(CURRENT_TIMESTAMP if kind is t.TIMESTAMP_LTZ else LOCAL_TIMESTAMP, ()), kind
    day: Expression = UnresolvedCall(CURRENT_DATE, ())
    if word in ("tomorrow", "yesterday"):
        day = UnresolvedCall(DATE_ADD if word == "tomorrow" else DATE_SUB, (day, literal(1)))
    return (day if kind is t.DATE else UnresolvedCall(CAST, (day, TypeLiteral(kind)))), kind


def _word(text: str) -> str | None:
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

_DATE = re.compile(r"([+-]?\d{4,7})(?:-(\d{1,2})(?:-(\d{1,2})(?:[ T].*)?)?)?", re.DOTALL | re.ASCII)
# A zone may follow the seconds only.
_CLOCK = r"(\d{1,2})(?::(\d{1,2})(?::(\d{1,2})(?:\.(\d*))?(\D.*)?)?)?"
_MOMENT = re.compile(rf"([+-]?\d{{4,6}})(?:-(\d{{1,2}})(?:-(\d{{1,2}})(?:[ T]{_CLOCK})?)?)?", re.DOTALL | re.ASCII)
_OF_TODAY = re.compile(rf"T{_CLOCK}|(?=\d{{1,2}}:){_CLOCK}", re.DOTALL | re.ASCII)


def _date(value: str, time_zone: str | None) -> ValueLiteral:
    text = value.strip()
    if _word(text) == "epoch":
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


def _is_time_of_today(text: str) -> bool:
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
    if _word(text) == "epoch":
        return literal(dt.datetime(1970, 1, 1, tzinfo=dt.UTC if has_zone else None), kind)
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


_TIME_ALONE = re.compile(r"T?(\d{1,2}):(\d{1,2})(?::(\d{1,2})(\.\d+)?)?(?:\s*([AP]M))?", re.IGNORECASE)


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

_OFFSET = re.compile(r"(?:UTC|GMT|UT)?([+-])(\d{1,2}(?=:|$)|\d{2})(?::?(\d{2}))?(?::?(\d{2}))?", re.ASCII)
_SHORT_MINUTE = re.compile(r"([+-]\d{1,2}:)(\d)")
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
        return dt.UTC
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


# --- the types of each dialect ---------------------------------------------------------------------------------------


def _bytes(value: str, time_zone: str | None) -> ValueLiteral:
    if not re.fullmatch("[0-9a-fA-F]*", value):
        raise ValidationException(f"X'{value}' is no byte string: accepted are hexadecimal digits.")
    return literal(bytes.fromhex(value if len(value) % 2 == 0 else "0" + value))


def _of(data_type: LogicalType) -> Callable[[str, str | None], ValueLiteral]:
    return lambda value, time_zone: literal(value.strip(), data_type)


def _flink_time(value: str, time_zone: str | None) -> ValueLiteral:
    """Return a time whose precision is the number of written fraction digits."""
    fraction = value.strip().partition(".")[2]
    return literal(value.strip(), t.TimeType(min(len(fraction), t.MAX_TIME_PRECISION)))


_TYPED: dict[Dialect, dict[str, Callable[[str, str | None], ValueLiteral]]] = {
    Dialect.SPARK: {
        "DATE": _date,
        "TIME": _time,
        "TIMESTAMP_NTZ": _wall_clock,
        "X": _bytes,
        "TIMESTAMP": _instant,
        "TIMESTAMP_LTZ": _instant,
    },
    Dialect.FLINK: {
        "DATE": _of(t.DATE),
        "TIME": _flink_time,
        "TIMESTAMP": _of(t.TIMESTAMP),
        "X": _bytes,
    },
}
