"""Paths of the SQL/JSON functions: which parts of JSON they find, and what happens where there is none.

Flink reads ``strict $.a`` and ``$.a`` alike: where the path finds nothing, where it finds null and where the text is no
JSON, what ON ERROR says happens. With ``lax`` all of this is what ON EMPTY says. So one of the two clauses never
counts, and a call holds the path without mode and what happens instead.

A path with a wildcard finds an array of all that it leads to, which may be empty. Only the way to the first wildcard
has to be there, and not even that with ``lax``, which such a path therefore keeps. (Real Flink 2.3 was asked.)
"""

from __future__ import annotations

import re

from ir.errors import TableException, ValidationException
from ir.functions.variant import is_path

_MODE = re.compile(r"(lax|strict)\s+", re.IGNORECASE)
_NAMES_AND_INDEXES = r"""(?:\.[\w-]+|\[[0-9]+\]|\['[^'"\\\[\]]+'\]|\["[^'"\\\[\]]+"\])+"""
_FROM_END = r"\[-[1-9][0-9]{0,8}\]"
_PART = re.compile(rf"({_NAMES_AND_INDEXES})|{_FROM_END}|(?P<any>\.\*|\[\*\])")
_LAX = "lax "
# Each is a lambda within the one before.
_MOST_WILDCARDS = 30

WILDCARD = "[*]"


def is_lax(path: str) -> bool:
    """Whether a path that finds nothing is no error."""
    mode = _MODE.match(path)
    return mode is not None and mode.group(1).lower() == "lax"


def without_mode(path: object, function: str) -> str:
    """Return a path in the form in which a call holds it.

    Raises:
        ValidationException: it is not text that begins with ``$``.
        TableException: it has steps that Spark has no form of.
    """
    if not isinstance(path, str) or not (followed := _MODE.sub("", path, count=1).rstrip()).startswith("$"):
        raise ValidationException(
            f"{function} takes a path such as '$.a.b[0]' or 'lax $[''a b'']', a constant that begins with $, but was "
            f"given {path!r}."
        )
    parts = parts_of(followed)
    if parts is None:
        raise TableException(
            f"{function} cannot follow the path {path!r} on Spark, which finds parts by names, indexes and wildcards, "
            "as in '$.a.b[0]', '$[''a b'']', '$.a[-1]' and '$.a[*].b': no filters, slices, lists of names or indexes, "
            f"functions, '..', or more than {_MOST_WILDCARDS} wildcards. Take the array around it with JSON_QUERY, and "
            "use FILTER or SLICE of FROM_JSON of that."
        )
    is_kept = WILDCARD in parts[1:] and is_lax(path)
    return (_LAX if is_kept else "") + "$" + "".join(parts)


def parts_of(path: str) -> tuple[str, ...] | None:
    """Return the parts of a path after its ``$``, None where Spark has no form of one.

    A part is a wildcard, an index from the end, or all names and indexes between those.
    """
    parts: list[str] = []
    position = 1
    while position < len(path):
        part = _PART.match(path, position)
        if part is None or (part[1] and not is_path("$" + part[1])):
            return None
        parts.append(WILDCARD if part["any"] else part[0])
        position = part.end()
    return tuple(parts) if path.startswith("$") and parts.count(WILDCARD) <= _MOST_WILDCARDS else None


def can_be_followed(path: str) -> bool:
    """Whether a path is one that a call can hold."""
    followed = path.removeprefix(_LAX)
    parts = parts_of(followed)
    if parts is None or followed != "$" + "".join(parts):
        return False
    return followed is path or WILDCARD in parts[1:]


def has_wildcard(path: str) -> bool:
    """Whether a path that a call holds finds an array of several parts."""
    return WILDCARD in (parts_of(path.removeprefix(_LAX)) or ())


def up_to_wildcard(path: str) -> str:
    """Return the shortest path that finds something wherever one with a wildcard does; one without as it is."""
    if not has_wildcard(path):
        return path
    # With lax, nothing on the way to the wildcard has to be there.
    is_all_json = path.startswith((_LAX, "$" + WILDCARD))
    return "$" if is_all_json else path[: path.index(WILDCARD) + len(WILDCARD)]
