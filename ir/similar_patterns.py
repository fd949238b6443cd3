"""Conversion of SIMILAR TO patterns to regular expressions of Java.

In SQL, ``%`` matches any string and ``_`` any character. ``|``, ``*``, ``+``, ``?``, ``{n}``, ``(…)`` and ``[…]`` have
the same meaning as in other regular expressions. So have ``.`` and ``^`` outside of brackets, as in Flink and unlike in
the standard. Source: SQL:2016, 8.6; ``Like`` of Apache Calcite for Flink's meaning.
"""

from __future__ import annotations

import re

from ir.errors import ValidationException, shorten

_SPECIAL = frozenset("[]()|^-+*_%?{}")
_QUOTED_IN_JAVA = frozenset("[]()|^-+*?{}$\\.")
_CLASS = re.compile(r"\[:([A-Za-z]+):\]")
_CLASSES = {
    "alpha": "\\p{Alpha}",
    "upper": "\\p{Upper}",
    "lower": "\\p{Lower}",
    "digit": "\\d",
    "alnum": "\\p{Alnum}",
    "space": " ",
    "whitespace": "\\s",
}
_REPETITION = re.compile(r"\{[0-9]+(?:,[0-9]*)?\}")


def java_pattern(pattern: str, escape: str | None = None) -> str:
    """Return the regular expression that matches exactly the strings of a SIMILAR TO pattern.

    >>> java_pattern("a(b|c)%")
    '\\\\A(?:a(b|c)(?s:.*))\\\\z'

    Raises:
        ValidationException: the pattern is invalid; the message gives the position.
    """
    if escape is not None and len(escape) != 1:
        raise _wrong(pattern, "its escape is not one character")
    made: list[str] = []
    place = depth = 0
    while place < len(pattern):
        character = pattern[place]
        if character == escape:
            following = pattern[place + 1 : place + 2]
            if not following or (following not in _SPECIAL and following != escape):
                raise _wrong(pattern, f"after the escape at position {place + 1} stands nothing that it is for")
            made.append(_quote(following))
            place += 2
            continue
        if character == "[":
            text, place = _enumeration(pattern, place, escape)
            made.append(text)
            continue
        if character == "{":
            repetition = _REPETITION.match(pattern, place)
            if repetition is None or not made:
                raise _wrong(pattern, f"the {{ at position {place + 1} does not repeat anything so many times")
            made.append(repetition[0])
            place = repetition.end()
            continue
        if character in "*+?" and (not made or made[-1] in ("(", "|")):
            raise _wrong(pattern, f"the {character} at position {place + 1} repeats nothing")
        if character in "]}":
            raise _wrong(pattern, f"the {character} at position {place + 1} closes nothing")
        depth += (character == "(") - (character == ")")
        if depth < 0:
            raise _wrong(pattern, f"the ) at position {place + 1} closes nothing")
        made.append(_PLAIN.get(character) or (character if character in "()|*+?.^-" else _quote(character)))
        place += 1
    if depth:
        raise _wrong(pattern, "a ( is not closed")
    return f"\\A(?:{''.join(made)})\\z"


_PLAIN = {"_": ".", "%": "(?s:.*)"}


def _quote(character: str) -> str:
    return f"\\{character}" if character in _QUOTED_IN_JAVA else character


def _enumeration(pattern: str, start: int, escape: str | None) -> tuple[str, int]:
    """Return the character class that begins at a position, and the position after it."""
    made = ["["]
    place = start + 1
    if pattern[place : place + 1] == "^":
        made.append("^")
        place += 1
    while place < len(pattern):
        character = pattern[place]
        if character == "]":
            if made[-1] in ("[", "^"):
                raise _wrong(pattern, f"the [ at position {start + 1} holds no character")
            return "".join([*made, "]"]), place + 1
        named = _CLASS.match(pattern, place)
        if named is not None:
            found = _CLASSES.get(named[1].lower())
            if found is None:
                raise _wrong(
                    pattern, f"there is no class of characters [:{named[1]}:]; there are {', '.join(_CLASSES)}"
                )
            made.append(found)
            place = named.end()
            continue
        if character == escape:
            place += 1
            character = pattern[place : place + 1]
        elif character in "-^":
            made.append(character)
            place += 1
            continue
        elif character in _SPECIAL:
            raise _wrong(pattern, f"the {character} at position {place + 1} stands in brackets without an escape")
        if not character:
            break
        made.append(f"\\{character}" if character in "[]^-&\\" else character)
        place += 1
    raise _wrong(pattern, f"the [ at position {start + 1} is not closed")


def _wrong(pattern: str, problem: str) -> ValidationException:
    return ValidationException(
        f"SIMILAR TO has the pattern {shorten(repr(pattern))}, and {problem}.",
        condition="INVALID_PARAMETER_VALUE.PATTERN",
        argument=1,
    )
