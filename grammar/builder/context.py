"""What a text is read with: the functions, tables and settings of whoever reads it, and the places of its parts."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

import attrs

from grammar.errors import Misread, located, place
from ir.errors import SqlParserException, TableException, ValidationException
from ir.expressions import Expression
from ir.migration_page import Section, see
from ir.operations.operation import QueryOperation
from ir.operations.source import ReadOptions
from ir.rendering import Dialect
from ir.resolution.lookup import BuiltInLookup, FunctionLookup
from ir.types import LogicalType

T = TypeVar("T")


@attrs.frozen(eq=False)
class Variable:
    """A variable of the session: the constant that it is now, and how Spark shows it within an expression."""

    value: Expression
    shown: str


ExpectedColumn = Callable[[int, str], LogicalType | None]
"""Returns the type that is expected of a column of the query, by its position and its name; None for any."""

FindVariable = Callable[[str], Variable | None]
FindTable = Callable[[tuple[str, ...], str | None, Expression | None, ReadOptions], QueryOperation]


def no_table(
    path: tuple[str, ...], version: str | None, timestamp: Expression | None, options: ReadOptions
) -> QueryOperation:
    """Find no table, where there is no catalog."""
    raise ValidationException(f"There is no table {'.'.join(path)} here: no catalog is known.")


def no_variable(name: str) -> None:
    """Find no variable, where there is no session."""


@attrs.frozen(eq=False)
class Surroundings:
    """The world around a text.

    ``find_table`` gives the operation that reads a table, perhaps as it was at a version or at a time, and perhaps with
    options; ``parameters`` are the values of the markers in the text, by name or in order; ``time_zone`` is that of
    times written without one.
    """

    dialect: Dialect = Dialect.SPARK
    lookup: FunctionLookup = attrs.field(factory=BuiltInLookup)
    find_table: FindTable = no_table
    parameters: Mapping[str, Expression] | Sequence[Expression] = ()
    time_zone: str | None = None
    # The value of a variable of the session.
    find_variable: FindVariable = no_variable
    # Whether names of functions are left to whoever resolves what is built, who may know more of them.
    resolves_functions_later: bool = False
    expected: ExpectedColumn | None = None


class Places:
    """Where in the text the parts of a query stand, and errors with these places."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._positions: dict[int, tuple[int, Sequence[Any]]] = {}
        # What has a position stays referenced, so that no id is used twice.
        self._kept: list[object] = []

    def mark(self, part: object, position: int, operands: Sequence[Any] = ()) -> None:
        """Remember where a part stands, and of what operands, as written, it was made."""
        self._positions[id(part)] = position, operands
        self._kept.append(part)

    def knows(self, part: object) -> bool:
        """Whether it is known where a part stands."""
        return id(part) in self._positions

    def of(self, error: TableException) -> int | None:
        """Return where the part stands that an error is about, if that is known."""
        found = self._positions.get(id(error.written))
        if found is None:
            return None
        position, operands = found
        if error.argument is not None and error.argument < len(operands):
            # A constant that a special form stands for was not written.
            return getattr(operands[error.argument], "position", position)
        return position

    def error(self, error: TableException, position: int) -> TableException:
        """Return an error with the place of what caused it: the part that it names, or the given one."""
        found = self.of(error)
        at = position if found is None else found
        made = located(error, self.text, at)
        made.__cause__ = None
        return made

    def misread(self, error: Misread) -> TableException:
        """Return the error about a part of the text that means nothing."""
        is_syntax = error.condition in ("PARSE_SYNTAX_ERROR", "TRAILING_COMMA_IN_SELECT")
        kind = SqlParserException if is_syntax else error.kind
        return kind(f"{error.message}\n{place(self.text, error.position)}", condition=error.condition)


class LocatedError(Exception):
    """Carries an error that has its place already through whoever would give it another."""

    def __init__(self, error: TableException | SqlParserException) -> None:
        super().__init__(str(error))
        self.error = error


def other_dialect(dialect: Dialect) -> str:
    """Return the advice to somebody whose text is in the other dialect."""
    other = next(d for d in Dialect if d is not dialect)
    more = see(Section.SQL) if dialect is Dialect.SPARK else ""
    return f" If the text is in {other.name}, pass dialect={other.name!r}.{more}"
