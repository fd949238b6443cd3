"""Where the serializer registers itself, so that a node can print itself although ``ir`` imports nothing of ours."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, Literal, Protocol, Self

from ir.errors import TableException, ValidationException, did_you_mean

if TYPE_CHECKING:
    from ir.expressions import ResolvedExpression
    from ir.operations.operation import QueryOperation
    from ir.types import LogicalType


class _Choice(Enum):
    """One of a few; its name may stand for it, whatever the case."""

    @classmethod
    def of(cls, given: Self | str) -> Self:
        """Return the member that ``given`` is or names.

        Raises:
            ValidationException: it is none; the message lists them.
        """
        if isinstance(given, cls):
            return given
        found = cls.__members__.get(given.upper()) if isinstance(given, str) else None
        if found is None:
            raise ValidationException(
                f"{given!r} is no {cls.__name__.lower()}; accepted are {', '.join(cls.__members__)}."
                + (did_you_mean(given, cls.__members__) if isinstance(given, str) else "")
            )
        return found


class Dialect(_Choice):
    """The SQL that text is written in: Spark's, which is stored and run, or Flink's."""

    SPARK = "spark"
    FLINK = "flink"


class Layout(_Choice):
    """How operations share SELECT blocks.

    ``NESTED`` is one block for each operation; ``MERGED`` folds operations into one block wherever its clauses say the
    same, with WITH for what has to be computed before. MERGED is for the dialect SPARK alone.
    """

    NESTED = "nested"
    MERGED = "merged"


DialectName = Literal["SPARK", "FLINK", "spark", "flink"]
"""The names of dialects as type checkers know them; at run time, any case is accepted."""
LayoutName = Literal["NESTED", "MERGED", "nested", "merged"]
"""The names of layouts as type checkers know them; at run time, any case is accepted."""


class Renderer(Protocol):
    """What the serializer offers to the nodes."""

    def operation(self, operation: QueryOperation, dialect: Dialect, layout: Layout) -> str:
        """Return the SQL text of an operation."""
        ...

    def normal_form(self, operation: QueryOperation) -> QueryOperation:
        """Return the query that the text of an operation in the layout MERGED stands for."""
        ...

    def expression(self, expression: ResolvedExpression, dialect: Dialect) -> str:
        """Return the SQL text of a resolved expression."""
        ...

    def data_type(self, data_type: LogicalType, dialect: Dialect) -> str:
        """Return the SQL text of a logical type."""
        ...


_registered: list[Renderer] = []


def register(renderer: Renderer) -> None:
    """Make ``renderer`` the one that ``as_serializable_string`` calls."""
    _registered[:] = [renderer]


def renderer() -> Renderer:
    """Return the registered renderer.

    Raises:
        TableException: the package ``serializer`` was not imported.
    """
    if not _registered:
        raise TableException("No serializer is registered; import the package 'serializer' (tableapi does) first.")
    return _registered[0]
