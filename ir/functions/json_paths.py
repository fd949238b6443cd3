"""Paths of the SQL/JSON functions: their parts, and the clause that applies if a path finds nothing.

Flink treats ``strict $.a`` and ``$.a`` alike: ON ERROR applies if the path finds nothing, if it finds null, and if the
JSON is invalid. With ``lax``, ON EMPTY applies to all three cases. So one of the two clauses never applies, and a call
contains the path without its mode, and the other clause.

A path with a wildcard finds an array of all matches, which may be empty. Only the part before the first wildcard must
exist. With ``lax``, even that part may be missing, so such a path keeps its ``lax``. (Verified with Flink 2.3.)
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
# Each wildcard becomes a lambda inside the previous one.
_MOST_WILDCARDS = 30

WILDCARD = "[*]"


def is_lax(path: str) -> bool:
    """Whether a path is lax, so that finding nothing is not an error."""
    mode = _MODE.match(path)
    return mode is not None and mode.group(1).lower() == "lax"


def strip_mode(path: object, function: str) -> str:
    """Return the canonical form of a path, as calls contain it.

    Raises:
        ValidationException: the path is not a string that begins with ``$``.
        TableException: Spark cannot follow a step of the path.
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
    """Return the parts of a path after its ``$``, None if Spark cannot follow one of them.

    A part is a wildcard, an index from the end, or a sequence of names and other indexes.
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
    """Whether a path is in canonical form and Spark can follow it."""
    followed = path.removeprefix(_LAX)
    parts = parts_of(followed)
    if parts is None or followed != "$" + "".join(parts):
        return False
    return followed is path or WILDCARD in parts[1:]


def has_wildcard(path: str) -> bool:
    """Whether a path in canonical form finds an array of several parts."""
    return WILDCARD in (parts_of(path.removeprefix(_LAX)) or ())


def cut_at_wildcard(path: str) -> str:
    """Return the shortest path that finds something whenever the given path does."""
    if not has_wildcard(path):
        return path
    # With lax, the part before the wildcard may be missing.
    is_all_json = path.startswith((_LAX, "$" + WILDCARD))
    return "$" if is_all_json else path[: path.index(WILDCARD) + len(WILDCARD)]
