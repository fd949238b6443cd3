"""Regular expressions that are compiled with their first use.

A regular expression takes a tenth of a millisecond and more to compile, and most modules that a first query loads have
one for a rare case. ``re`` itself is loaded with the first of them, so that flags are written in the expression:
``(?i)``.
"""

from __future__ import annotations

from ir.light_typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import re


def late_pattern(text: str, flags: int = 0) -> re.Pattern[str]:
    """Return a regular expression that is compiled when its first method is read.

    Args:
        text: the regular expression.
        flags: as for ``re.compile``.

    >>> late_pattern("[a-z]+").fullmatch("abc").span()
    (0, 3)
    """
    if TYPE_CHECKING:
        return re.compile(text, flags)
    return _LatePattern(text, flags)


class _LatePattern:
    """Has the methods of a compiled pattern, each from its first use on."""

    def __init__(self, text: str, flags: int) -> None:
        self._text = text
        self._flags = flags

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            # Tools that search for documented functions read attributes such as ``__wrapped__`` of every global.
            raise AttributeError(name)
        import re

        # ``re`` caches the compiled pattern for the next method.
        found = getattr(re.compile(self._text, self._flags), name)
        setattr(self, name, found)
        return found
