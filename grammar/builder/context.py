"""The context of a text: functions, tables, parameters and settings, and the positions of its parts."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol, TypeVar, runtime_checkable

from grammar.errors import Misread, locate, place
from ir import light_attrs as attrs
from ir.errors import SqlParserException, TableException, ValidationException
from ir.expressions import Expression
from ir.operations.operation import QueryOperation
from ir.operations.source import ChangeRange, ReadOptions, StreamRead
from ir.rendering import Dialect
from ir.resolution.lookup import BuiltInLookup, FunctionLookup
from ir.types import LogicalType

T = TypeVar("T")


@attrs.frozen(eq=False)
class Variable:
    """A session variable: its current value as a constant, and its display form in Spark's column names."""

    value: Expression
    shown: str


ExpectedColumn = Callable[[int, str], LogicalType | None]
"""Returns the type expected of a query's column, by its position and name; None if any type is accepted."""

FindVariable = Callable[[str], Variable | None]
ReadVersion = str | ChangeRange | StreamRead | None
"""How a table is read: at a version, its changes within a range of versions, or as a stream."""
FindTable = Callable[[tuple[str, ...], ReadVersion, Expression | None, ReadOptions], QueryOperation]


def raise_without_tables(
    path: tuple[str, ...], version: ReadVersion, timestamp: Expression | None, options: ReadOptions
) -> QueryOperation:
    """Report that no catalog is known, as a ``find_table`` without tables."""
    raise ValidationException(f"There is no table {'.'.join(path)} here: no catalog is known.")


def find_no_variable(name: str) -> None:
    """Return None, as a ``find_variable`` without a session."""


@attrs.frozen(eq=False)
class Surroundings:
    """The context in which a text is read.

    ``find_table`` returns the operation that reads a table, optionally at a version or time, and with options;
    ``parameters`` are the values of the parameter markers, by name or in order; ``time_zone`` applies to times written
    without a zone.
    """

    dialect: Dialect = Dialect.SPARK
    lookup: FunctionLookup = attrs.field(factory=BuiltInLookup)
    find_table: FindTable = raise_without_tables
    parameters: Mapping[str, Expression] | Sequence[Expression] = ()
    time_zone: str | None = None
    # Returns the value of a session variable, by its name.
    find_variable: FindVariable = find_no_variable
    # Whether function names stay unresolved, because the later resolver may know more functions.
    resolves_functions_later: bool = False
    expected: ExpectedColumn | None = None


@runtime_checkable
class Checking(Protocol):
    """A lookup for an engine that lacks some operations."""

    def check(self, operation: QueryOperation) -> None:
        """Check that the engine has what a query needs.

        Raises:
            TableException: the engine lacks something; ``part`` of the error is the operation that needs it.
        """
        ...


class Places:
    """The positions of a query's parts in the text, and errors with these positions."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._positions: dict[int, tuple[int, Sequence[Any]]] = {}
        # Keep each part referenced, so that Python reuses no id.
        self._kept: list[object] = []

    def mark(self, part: object, position: int, operands: Sequence[Any] = ()) -> None:
        """Remember the position of a part and the syntax of its operands."""
        self._positions[id(part)] = position, operands
        self._kept.append(part)

    def knows(self, part: object) -> bool:
        """Whether the position of a part is known."""
        return id(part) in self._positions

    def of(self, error: TableException) -> int | None:
        """Return the position of the part that an error is about, None if it is unknown."""
        found = self._positions.get(id(error.written))
        if found is None:
            return None
        position, operands = found
        if error.argument is not None and error.argument < len(operands):
            # A special form may add a constant, which has no position in the text.
            return getattr(operands[error.argument], "position", position)
        return position

    def error(self, error: TableException, position: int) -> TableException:
        """Return an error located at the part that it names, or at the given position."""
        found = self.of(error)
        at = position if found is None else found
        made = locate(error, self.text, at)
        made.__cause__ = None
        return made

    def misread(self, error: Misread) -> TableException:
        """Convert a Misread to an error with its position."""
        is_syntax = error.condition in ("PARSE_SYNTAX_ERROR", "TRAILING_COMMA_IN_SELECT")
        kind = SqlParserException if is_syntax else error.kind
        return kind(f"{error.message}\n{place(self.text, error.position)}", condition=error.condition)


class LocatedError(Exception):
    """Carries an error that already has a position through code that would locate it again."""

    def __init__(self, error: TableException | SqlParserException) -> None:
        super().__init__(str(error))
        self.error = error
