"""The registry of the serializer, so that nodes can print themselves although ``ir`` imports no other package."""

from __future__ import annotations

from enum import Enum

from ir.errors import TableException, ValidationException, did_you_mean
from ir.light_typing import TYPE_CHECKING, Any, Literal, Protocol

if TYPE_CHECKING:
    from typing_extensions import Self


class _Choice(Enum):
    """An enumeration whose members can be given by name, in any case."""

    @classmethod
    def of(cls, given: Self | str) -> Self:
        """Return the member that ``given`` is or names.

        Raises:
            ValidationException: there is no such member; the message lists the members.
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
    """The SQL dialect of a text: Spark's, which is stored and run, or Flink's."""

    SPARK = "spark"
    FLINK = "flink"


class Layout(_Choice):
    """How operations share SELECT blocks.

    ``NESTED`` writes one block for each operation. ``MERGED`` folds operations into one block wherever its clauses have
    the same meaning, with WITH for relations that several blocks read. MERGED is only available for the dialect SPARK.
    """

    NESTED = "nested"
    MERGED = "merged"


class Quoting(_Choice):
    """Which names of a text in Spark's SQL are quoted: ``ALL``, or those that no Spark understands otherwise."""

    ALL = "all"
    NEEDED = "needed"


DialectName = Literal["SPARK", "FLINK", "spark", "flink"]
"""The names of dialects for type checkers; at run time, any case is accepted."""
LayoutName = Literal["NESTED", "MERGED", "nested", "merged"]
"""The names of layouts for type checkers; at run time, any case is accepted."""
QuotingName = Literal["ALL", "NEEDED", "all", "needed"]
"""The names of kinds of quoting for type checkers; at run time, any case is accepted."""


class Renderer(Protocol):
    """The services of the serializer for nodes.

    The nodes are ``Any`` here, because their modules import this one; ``serializer`` declares their classes.
    """

    def operation(
        self,
        operation: Any,
        dialect: Dialect,
        layout: Layout,
        target: str | None = None,
        quoting: Quoting = Quoting.ALL,
    ) -> str:
        """Return the SQL text of an operation for a target, by default the newest version of the engine."""
        ...

    def command(self, command: Any, dialect: Dialect, layout: Layout, target: str | None = None) -> str:
        """Return the SQL text of a command for a target, by default the newest version of the engine."""
        ...

    def normal_form(self, operation: Any) -> Any:
        """Return the normal form of a query: the one to which its text in the layout MERGED is parsed."""
        ...

    def expression(self, expression: Any, dialect: Dialect) -> str:
        """Return the SQL text of a resolved expression."""
        ...

    def data_type(self, data_type: Any, dialect: Dialect) -> str:
        """Return the SQL text of a logical type."""
        ...

    def write_json(self, operation: Any) -> str:
        """Return the JSON document of an operation."""
        ...

    def read_json(self, text: str, find_function: Any) -> Any:
        """Return the operation of a JSON document."""
        ...


_registered: list[Renderer] = []


def register(renderer: Renderer) -> None:
    """Register the renderer that ``as_serializable_string`` calls."""
    _registered[:] = [renderer]


def renderer() -> Renderer:
    """Return the registered renderer.

    Raises:
        TableException: the package ``serializer`` was not imported.
    """
    if not _registered:
        raise TableException("No serializer is registered; import the package 'serializer' (tableapi does) first.")
    return _registered[0]
