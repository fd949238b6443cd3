"""Texts in messages: truncate long quotations, escape control characters, and put an article before a noun."""

from __future__ import annotations

import re
from typing import Final

LONGEST_QUOTED: Final = 200
"""The number of characters of a name, a value or a string that a message quotes in full."""
LONGEST_LINE: Final = 1_500
LONGEST_MESSAGE: Final = 3_500
_SHOWN: Final = 100
# A quotation begins after a blank or a bracket, so that the text between two quotations is not one.
_QUOTED: Final = rf"(?<![^\s(\[{{<,=:.])(['\"`])(?=\S)([^'\"`\n]{{{LONGEST_QUOTED + 1},}})\1"
# A name that is already truncated, with its surroundings, stays unchanged.
_UNBROKEN: Final = rf"\S{{{LONGEST_QUOTED + 20},}}"


def readable(message: str) -> str:
    """Return a message for display: long quotations are truncated, with their lengths, and control characters escaped.

    >>> message = readable("There is no table '" + "a" * 100_000 + "'.")
    >>> message[:24], message[-25:]
    ("There is no table 'aaaaa", "a…' (100,000 characters).")
    >>> readable("no column " + chr(27) + "[2J")
    'no column \\\\x1b[2J'
    """
    if len(message) > LONGEST_QUOTED:
        message = re.sub(_QUOTED, lambda found: _shorten(found.group(2), found.group(1)), message)
        message = re.sub(_UNBROKEN, lambda found: _shorten(found.group()), message)
        message = "\n".join([_middle_left_out(line, LONGEST_LINE) for line in message.split("\n")])
        message = _middle_left_out(message, LONGEST_MESSAGE)
    return message if message.replace("\n", "").isprintable() else "".join(map(_printable, message))


def _shorten(text: str, quote: str = "") -> str:
    return f"{quote}{text[:_SHOWN]}…{quote} ({len(text):,} characters)"


def _middle_left_out(text: str, longest: int) -> str:
    if len(text) <= longest:
        return text
    end = longest // 4
    return f"{text[: longest - end - 50]} … ({len(text):,} characters) … {text[-end:]}"


def _printable(character: str) -> str:
    if character == "\n" or character.isprintable():
        return character
    return character.encode("unicode_escape").decode("ascii")


def with_article(noun: str) -> str:
    """Return a noun with its article.

    >>> with_article("aggregation")
    'an aggregation'
    """
    return f"an {noun}" if noun[0] in "aeiou" else f"a {noun}"
