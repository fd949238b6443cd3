"""The words, numbers, strings and signs of a text, with their positions."""

from __future__ import annotations

from ir.light_tuples import NamedTuple


class Token(NamedTuple):
    """A word, number, string or sign, and its start position."""

    text: str
    position: int


class Lexeme(NamedTuple):
    """A word or sign, its start position, and the terminals that it may be, likeliest first."""

    text: str
    position: int
    terminals: tuple[int, ...]

    @property
    def upper(self) -> str:
        """The text in upper case."""
        return self.text.upper()
