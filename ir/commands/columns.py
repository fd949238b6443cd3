"""Columns and constraints as statements declare them."""

from __future__ import annotations

from ir.commands.command import CommandPart
from ir.expressions import ResolvedExpression
from ir.identifiers import ObjectIdentifier, quote
from ir.nodes import node
from ir.types import LogicalType


@node
class ColumnPosition(CommandPart):
    """The place of a column among its siblings: behind the column ``after``, or first if ``after`` is None."""

    after: str | None = None

    def describe(self) -> str:
        """Return the place in words."""
        return "first" if self.after is None else f"after {self.after}"


@node
class ColumnDefinition(CommandPart):
    """A declared column: its name, its type, its comment and its default."""

    name: str
    data_type: LogicalType
    comment: str | None = None
    default: ResolvedExpression | None = None

    def describe(self) -> str:
        """Return the column in words."""
        given = f"{quote(self.name)} {self.data_type.as_summary_string()}"
        if self.default is not None:
            given += f" default {self.default.as_summary_string()}"
        return given if self.comment is None else f"{given} comment {self.comment!r}"


@node
class TableConstraint(CommandPart):
    """A constraint of a table; ``name`` is None if the catalog chooses the name."""

    name: str | None

    def describe(self) -> str:
        """Return the constraint in words."""
        raise NotImplementedError

    def _named(self, described: str) -> str:
        return described if self.name is None else f"{self.name}: {described}"


@node
class CheckConstraint(TableConstraint):
    """CHECK: a condition that no row may violate."""

    condition: ResolvedExpression

    def describe(self) -> str:
        return self._named(f"check {self.condition.as_summary_string()}")


@node
class KeyConstraint(TableConstraint):
    """PRIMARY KEY or UNIQUE, over columns.

    ``is_relied_on`` is whether the optimizer may rely on the key, which no engine enforces.
    """

    columns: tuple[str, ...]
    is_primary: bool
    is_relied_on: bool = False

    def describe(self) -> str:
        return self._named(f"{'primary key' if self.is_primary else 'unique'} ({', '.join(self.columns)})")


@node
class ForeignKey(TableConstraint):
    """FOREIGN KEY: columns whose values are in columns of another table.

    ``referred`` is empty if the statement means the primary key of the other table.
    """

    columns: tuple[str, ...]
    table: ObjectIdentifier
    referred: tuple[str, ...] = ()
    is_relied_on: bool = False

    def describe(self) -> str:
        referred = f" ({', '.join(self.referred)})" if self.referred else ""
        named = self.table.as_summary_string()
        return self._named(f"foreign key ({', '.join(self.columns)}) references {named}{referred}")
