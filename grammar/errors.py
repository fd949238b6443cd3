"""Errors about a text with the place of their cause."""

from __future__ import annotations

from ir.errors import TableException, ValidationException

_WIDEST = 100


class Misread(Exception):
    """Something that the grammar lets pass and that means nothing, at a position of the text.

    ``kind`` is the exception that a user gets.
    """

    def __init__(self, position: int, message: str, kind: type[TableException] = ValidationException) -> None:
        super().__init__(message)
        self.position = position
        self.message = message
        self.kind = kind


def place(text: str, position: int, length: int = 1) -> str:
    """Return the line and column of a position, and the line with a caret under it.

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
    carets = "^" * max(1, min(length, len(shown) - offset))
    number = text.count("\n", 0, position) + 1
    return f"line {number}, column {column + 1}:\n  {shown}\n  {' ' * offset}{carets}"


def located(error: TableException, text: str, position: int, length: int = 1) -> TableException:
    """Return the error with the place in the text where its cause stands."""
    made = type(error)(f"{error}\n{place(text, position, length)}")
    made.condition, made.sql_state = error.condition, error.sql_state
    return made
