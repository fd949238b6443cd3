"""Paths of the SQL/JSON functions: which parts of JSON they find, and what happens where there is none.

Flink reads ``strict $.a`` and ``$.a`` alike: where the path finds nothing, where it finds null and where the text is no
JSON, what ON ERROR says happens. With ``lax`` all of this is what ON EMPTY says. So one of the two clauses never
counts, and a call holds the path without mode and what happens instead. (Real Flink 2.3 was asked.)
"""

from __future__ import annotations

import re

from ir.errors import TableException, ValidationException
from ir.functions.variant import is_path

_MODE = re.compile(r"(lax|strict)\s+", re.IGNORECASE)
_STEPS = re.compile(r"""\$(?:\.[\w-]+|\[[0-9]+\]|\['[^'"\\\[\]]+'\]|\["[^'"\\\[\]]+"\])*""")


def is_lax(path: str) -> bool:
    """Whether a path that finds nothing is no error."""
    mode = _MODE.match(path)
    return mode is not None and mode.group(1).lower() == "lax"


def without_mode(path: object, function: str) -> str:
    """Return a path without the mode before it.

    Raises:
        ValidationException: it is not text that begins with ``$``.
        TableException: it has steps that Spark has no form of.
    """
    if not isinstance(path, str) or not (followed := _MODE.sub("", path, count=1).rstrip()).startswith("$"):
        raise ValidationException(
            f"{function} takes a path such as '$.a.b[0]' or 'lax $[''a b'']', a constant that begins with $, but was "
            f"given {path!r}."
        )
    if not can_be_followed(followed):
        raise TableException(
            f"{function} cannot follow the path {path!r} on Spark, which finds one part by names and indexes, as in "
            "'$.a.b[0]' and '$[''a b'']': no wildcards, filters, slices, functions or indexes from the end."
        )
    return followed


def can_be_followed(path: str) -> bool:
    """Whether a path without mode has only steps that a path into a VARIANT has, too."""
    return _STEPS.fullmatch(path) is not None and is_path(path)
