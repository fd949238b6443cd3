"""What a text is read with: the functions, tables and settings of whoever reads it, and the places of its parts."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

import attrs

from grammar.errors import Misread, located, place
from ir.errors import SqlParserException, TableException, ValidationException
from ir.expressions import Expression
from ir.operations.operation import QueryOperation
from ir.rendering import Dialect
from ir.resolution.lookup import BuiltInLookup, FunctionLookup

T = TypeVar("T")

FindTable = Callable[[tuple[str, ...], str | None, Expression | None], QueryOperation]


def _no_table(path: tuple[str, ...], version: str | None, timestamp: Expression | None) -> QueryOperation:
    raise ValidationException(f"There is no table {'.'.join(path)} here: no catalog is known.")


@attrs.frozen(eq=False)
class Surroundings:
    """The world around a text.

    ``find_table`` gives the operation that reads a table, perhaps as it was at a version or at a time; ``parameters``
    are the values of the markers in the text, by name or in order; ``time_zone`` is that of times written without one.
    """

    dialect: Dialect = Dialect.SPARK
    lookup: FunctionLookup = attrs.field(factory=BuiltInLookup)
    find_table: FindTable = _no_table
    parameters: Mapping[str, Expression] | Sequence[Expression] = ()
    time_zone: str | None = None


class Places:
    """Where in the text the parts of a query stand, and errors with these places."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._positions: dict[int, int] = {}
        # What has a position stays referenced, so that no id is used twice.
        self._kept: list[object] = []

    def mark(self, part: object, position: int) -> None:
        """Remember where a part stands."""
        self._positions[id(part)] = position
        self._kept.append(part)

    def of(self, part: object) -> int | None:
        """Return where a part stands, if that is known."""
        return self._positions.get(id(part))

    def error(self, error: TableException, position: int) -> TableException:
        """Return an error with the place of what caused it: the part that it names, or the given one."""
        found = self.of(getattr(error, "written", None))
        at = position if found is None else found
        made = located(error, self.text, at, self.length(at))
        made.__cause__ = None
        return made

    def misread(self, error: Misread) -> TableException:
        """Return the error about a part of the text that means nothing."""
        return error.kind(f"{error.message}\n{place(self.text, error.position, self.length(error.position))}")

    def length(self, position: int) -> int:
        """Return the length of the word or sign at a position."""
        text, end = self.text, position
        if text[position : position + 1] == "`":
            closing = text.find("`", position + 1)
            return max(1, closing + 1 - position)
        while end < len(text) and (text[end].isalnum() or text[end] == "_"):
            end += 1
        return max(1, end - position)


class LocatedError(Exception):
    """Carries an error that has its place already through whoever would give it another."""

    def __init__(self, error: TableException | SqlParserException) -> None:
        super().__init__(str(error))
        self.error = error
