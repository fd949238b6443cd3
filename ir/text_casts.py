"""Strings that Spark's ANSI cast always rejects, for each target type.

``never_casts`` handles constants only, and errs on one side: True means that every cast of the string fails, False that
it may succeed. A wrong True would reject a query that Spark runs. Therefore everything that depends on the clock, on
the session or on the version of Java is False. ``tests/oracle/test_text_casts.py`` compares strings of all kinds with
Spark.
"""

from __future__ import annotations

import datetime as dt
import re

from ir import types as t

# The characters that Spark trims from both ends of a string: blanks and control characters.
_BLANKS = "".join(map(chr, (*range(0x21), 0x7F)))
# The characters that Java trims from both ends of a floating-point number.
_JAVA_BLANKS = "".join(map(chr, range(0x21)))
_TRUTH = frozenset(("t", "true", "y", "yes", "1", "f", "false", "n", "no", "0"))
_WHOLE = re.compile(r"[+-]?[0-9]+", re.ASCII)
_DECIMAL = re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?", re.ASCII)
_HEXADECIMAL = re.compile(r"[+-]?0[xX](?:[0-9a-fA-F]+\.?|[0-9a-fA-F]*\.[0-9a-fA-F]+)[pP][+-]?[0-9]+[dDfF]?", re.ASCII)
_NOT_FINITE = re.compile(r"nan|[+-]?(?:inf|infinity)|[+-]nan", re.ASCII | re.IGNORECASE)
_DATE = re.compile(r"([+-]?)([0-9]{4,7})(?:-([0-9]{1,2})(?:-([0-9]{1,2})([ T].*)?)?)?", re.ASCII | re.DOTALL)
# Spark replaces these constants, possibly followed by a zone, by the day or the time that they mean.
_SPECIAL = re.compile(r"\s*(?:epoch|now|today|tomorrow|yesterday)", re.IGNORECASE)
_LARGEST_YEAR = 9999
_LEAP_YEAR_LIKE = 2000


def never_casts(text: str, target: t.LogicalType) -> bool:
    """Return whether the ANSI cast of a string constant to a type fails in every session.

    Args:
        text: the string.
        target: the type to which Spark casts it.

    >>> never_casts("four", t.INT), never_casts(" 4 ", t.INT), never_casts("1.5", t.INT), never_casts("1.5", t.DOUBLE)
    (True, False, True, False)
    """
    match target:
        case t.IntegralType():
            return _is_no_integer(text, target.width)
        case t.FloatType() | t.DoubleType():
            return _is_no_real_number(text)
        case t.DecimalType():
            # Java accepts the digits of every script here.
            return text.isascii() and not _DECIMAL.fullmatch(text.strip(_BLANKS))
        case t.BooleanType():
            return text.strip(_BLANKS).lower() not in _TRUTH
        case t.DateType():
            return _is_no_date(text)
        case t.TimestampType() | t.LocalZonedTimestampType():
            # A time alone means today: '10:30', 'T10'.
            return ":" not in text and not text.strip(_BLANKS).startswith("T") and _is_no_date(text)
        case t.TimeType():
            return not any(character.isdigit() for character in text)
    return False


def _is_no_integer(text: str, width: int) -> bool:
    plain = text.strip(_BLANKS)
    if not _WHOLE.fullmatch(plain):
        return True
    # Python refuses to parse integers of thousands of digits.
    digits = plain.lstrip("+-0")
    if len(digits) > 19:
        return True
    value, limit = int(digits or "0"), 1 << (width - 1)
    return value > limit if plain.startswith("-") else value >= limit


def _is_no_real_number(text: str) -> bool:
    plain = text.strip(_JAVA_BLANKS)
    if _HEXADECIMAL.fullmatch(plain) or _NOT_FINITE.fullmatch(plain.strip()):
        return False
    return not _DECIMAL.fullmatch(plain[:-1] if plain[-1:] in ("d", "D", "f", "F") else plain)


def _is_no_date(text: str) -> bool:
    """Return whether a string does not begin with a valid date; the text after the date is ignored."""
    if _SPECIAL.match(text):
        return False
    found = _DATE.fullmatch(text.strip(_BLANKS))
    if found is None:
        return True
    year, month, day = int(found[2]), int(found[3] or 1), int(found[4] or 1)
    if found[1] == "-" or not 1 <= year <= _LARGEST_YEAR:
        year = _LEAP_YEAR_LIKE
    try:
        dt.date(year, month, day)
    except ValueError:
        return True
    return False
