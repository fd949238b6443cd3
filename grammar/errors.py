"""Errors at a position of a text."""

from __future__ import annotations

from collections.abc import Container

from ir.errors import TableException, ValidationException
from ir.late_patterns import late_pattern

_WIDEST = 100
# A word, an operator, or a quoted string or name as far as the dialects agree.
_WORD = late_pattern(r"""\w+|[<>=!|&:]+|'[^'\\]*'|"[^"\\]*"|`[^`]*`""")


class SyntaxProblem(Exception):
    """A text that does not match the grammar: the position, the token found, and the parser states there."""

    def __init__(self, position: int, found: str, kind: str, states: list[int]) -> None:
        super().__init__(position, found, kind)
        self.position = position
        self.found = found
        self.kind = kind
        self.states = states
        # Positions of MAP and REDUCE words that begin a SELECT TRANSFORM query.
        self.mapped: Container[int] = ()


class Misread(Exception):
    """A text that the grammar accepts but that is invalid, with the position of the mistake.

    ``condition`` is Spark's error condition, and ``kind`` the class of the exception that the user gets.
    """

    def __init__(
        self,
        position: int,
        message: str,
        condition: str | None = None,
        kind: type[TableException] = ValidationException,
    ) -> None:
        super().__init__(message)
        self.position = position
        self.message = message
        self.condition = condition
        self.kind = kind


def place(text: str, position: int, length: int | None = None) -> str:
    """Return the line and column of a position, and the line with carets under the word there.

    >>> print(place("SELECT a FRM t", 9, 3))
    line 1, column 10:
      SELECT a FRM t
               ^^^
    """
    start = text.rfind("\n", 0, position) + 1
    end = text.find("\n", position)
    line = text[start : len(text) if end < 0 else end].replace("\t", " ").rstrip("\r")
    column = position - start
    shown, offset = line, column
    if len(line) > _WIDEST:
        first = max(0, min(column - _WIDEST // 2, len(line) - _WIDEST))
        shown = ("…" if first else "") + line[first : first + _WIDEST] + ("…" if first + _WIDEST < len(line) else "")
        offset = column - first + (1 if first else 0)
    shown = "".join(c if c.isprintable() else "�" for c in shown)
    carets = "^" * max(1, min(_length(text, position) if length is None else length, len(shown) - offset))
    number = text.count("\n", 0, position) + 1
    return f"line {number}, column {column + 1}:\n  {shown}\n  {' ' * offset}{carets}"


PLACE = late_pattern(r"line (?P<line>\d+), column (?P<column>\d+)")
"""The line and column that ``place`` writes."""


def place_in(message: str, start: int = 0) -> tuple[int, int]:
    """Return the line and column that a message names, from a position on; 0 and 0 if it names none.

    >>> place_in("There is no t.\\nline 2, column 6:\\n  FROM t"), place_in("There is no t.")
    ((2, 6), (0, 0))
    """
    found = PLACE.search(message, start)
    return (0, 0) if found is None else (int(found["line"]), int(found["column"]))


def locate(error: TableException, text: str, position: int) -> TableException:
    """Return the error with the position of its cause in the text."""
    made = type(error)(f"{error.in_sql}\n{place(text, position)}")
    made.condition, made.sql_state = error.condition, error.sql_state
    return made


def _length(text: str, position: int) -> int:
    """Return the length of the word or operator at a position."""
    found = _WORD.match(text, position)
    return 1 if found is None else found.end() - position
