"""ALTER TABLE: the changes of a table's columns, properties, partitions and constraints."""

from __future__ import annotations

from typing import ClassVar

from ir.commands.columns import ColumnDefinition, ColumnPosition, TableConstraint
from ir.commands.command import Command, CommandPart
from ir.expressions import ResolvedExpression
from ir.identifiers import ObjectIdentifier
from ir.nodes import node
from ir.types import LogicalType

Path = tuple[str, ...]
"""The name of a column, or of a column and the fields that lead to a nested one."""


@node
class TableChange(CommandPart):
    """One change of a table."""

    def describe(self) -> str:
        """Return the change in words, as a continuation of "alter the table: …"."""
        raise NotImplementedError


@node
class AlterTable(Command):
    """Change a table: its columns, comment, properties, partitions or constraints, in the order of ``changes``.

    SQL has one statement for each kind of change, so that a command with several kinds is written as several
    statements.

    Source: https://spark.apache.org/docs/latest/sql-ref-syntax-ddl-alter-table.html
    """

    target: ObjectIdentifier
    changes: tuple[TableChange, ...]

    title: ClassVar[str] = "AlterTable"
    called: ClassVar[str] = "an ALTER TABLE statement"

    def describe(self) -> str:
        changes = ", ".join(change.describe() for change in self.changes)
        return f"(table: [{self.target.as_summary_string()}], changes: [{changes}])"


# --- columns ---------------------------------------------------------------------------------------------------------


@node
class AddColumn(TableChange):
    """Add a column, or a field to the nested row at ``parent``."""

    parent: Path
    column: ColumnDefinition
    position: ColumnPosition | None = None

    @property
    def path(self) -> Path:
        """The full path of the new column."""
        return (*self.parent, self.column.name)

    def describe(self) -> str:
        where = "" if self.position is None else f" {self.position.describe()}"
        inside = f" in {'.'.join(self.parent)}" if self.parent else ""
        return f"add {self.column.describe()}{inside}{where}"


@node
class ColumnChange(TableChange):
    """A change of one existing column or field."""

    path: Path

    @property
    def shown(self) -> str:
        """The path for messages."""
        return ".".join(self.path)


@node
class DropColumn(ColumnChange):
    """Drop a column; ``if_exists`` accepts that there is none."""

    if_exists: bool = False

    def describe(self) -> str:
        return f"drop {self.shown}{' if it exists' if self.if_exists else ''}"


@node
class RenameColumn(ColumnChange):
    """Rename a column."""

    new_name: str

    def describe(self) -> str:
        return f"rename {self.shown} to {self.new_name}"


@node
class ChangeColumnType(ColumnChange):
    """Change the type of a column; its nullability stays as it is."""

    data_type: LogicalType

    def describe(self) -> str:
        return f"change {self.shown} to {self.data_type.as_summary_string()}"


@node
class ChangeColumnNullability(ColumnChange):
    """Make a column nullable or NOT NULL."""

    is_nullable: bool

    def describe(self) -> str:
        return f"{'allow' if self.is_nullable else 'forbid'} NULL in {self.shown}"


@node
class ChangeColumnComment(ColumnChange):
    """Change the comment of a column; an empty comment removes it."""

    comment: str

    def describe(self) -> str:
        return f"comment {self.shown} as {self.comment!r}"


@node
class ChangeColumnPosition(ColumnChange):
    """Move a column."""

    position: ColumnPosition

    def describe(self) -> str:
        return f"move {self.shown} {self.position.describe()}"


@node
class ChangeColumnDefault(ColumnChange):
    """Change the default of a column for new rows; None removes it."""

    default: ResolvedExpression | None

    def describe(self) -> str:
        if self.default is None:
            return f"remove the default of {self.shown}"
        return f"default {self.shown} to {self.default.as_summary_string()}"


@node
class ReplaceColumns(TableChange):
    """Replace all columns of a table."""

    columns: tuple[ColumnDefinition, ...]

    def describe(self) -> str:
        return f"replace the columns by ({', '.join(column.describe() for column in self.columns)})"


# --- the table as a whole --------------------------------------------------------------------------------------------


@node
class RenameTable(TableChange):
    """Rename a table."""

    new_target: ObjectIdentifier

    def describe(self) -> str:
        return f"rename it to {self.new_target.as_summary_string()}"


@node
class ChangeTableComment(TableChange):
    """Change the comment of a table; None removes it."""

    comment: str | None

    def describe(self) -> str:
        return "remove its comment" if self.comment is None else f"comment it as {self.comment!r}"


@node
class SetProperties(TableChange):
    """Set properties of a table, each a key and a value, sorted by key."""

    properties: tuple[tuple[str, str], ...]

    def describe(self) -> str:
        return "set " + ", ".join(f"{key} = {value!r}" for key, value in self.properties)


@node
class RemoveProperties(TableChange):
    """Remove properties of a table; ``if_exists`` accepts keys that it does not have."""

    keys: tuple[str, ...]
    if_exists: bool = False

    def describe(self) -> str:
        return f"remove the properties {', '.join(self.keys)}{' if they exist' if self.if_exists else ''}"


@node
class SetDefaultCollation(TableChange):
    """Set the collation of STRING columns that are added later."""

    collation: str

    def describe(self) -> str:
        return f"collate new strings as {self.collation}"


@node
class ClusterBy(TableChange):
    """Cluster the files of a table by columns; by none if ``columns`` is empty."""

    columns: tuple[Path, ...]

    def describe(self) -> str:
        return f"cluster by {', '.join('.'.join(path) for path in self.columns) or 'nothing'}"


@node
class AddConstraint(TableChange):
    """Add a constraint."""

    constraint: TableConstraint

    def describe(self) -> str:
        return f"add {self.constraint.describe()}"


@node
class DropConstraint(TableChange):
    """Drop a constraint; ``name`` is None for the primary key."""

    name: str | None
    if_exists: bool = False
    cascades: bool = False

    def describe(self) -> str:
        dropped = "primary key" if self.name is None else f"constraint {self.name}"
        return f"drop the {dropped}{' if it exists' if self.if_exists else ''}"


# --- what only Flink has ---------------------------------------------------------------------------------------------


@node
class SetWatermark(TableChange):
    """Declare the watermark of a time column; ``is_new`` is whether the table had none."""

    column: str
    strategy: ResolvedExpression
    is_new: bool

    def describe(self) -> str:
        return (
            f"{'add' if self.is_new else 'change'} the watermark of {self.column}: {self.strategy.as_summary_string()}"
        )


@node
class DropWatermark(TableChange):
    """Drop the watermark of a table."""

    def describe(self) -> str:
        return "drop the watermark"


@node
class SetDistribution(TableChange):
    """Distribute the rows of a table over buckets by columns; ``kind`` is HASH, RANGE or None for the connector's."""

    kind: str | None
    columns: tuple[str, ...]
    buckets: int | None
    is_new: bool

    def describe(self) -> str:
        by = f" by {'' if self.kind is None else self.kind + ' of '}{', '.join(self.columns)}" if self.columns else ""
        into = "" if self.buckets is None else f" into {self.buckets} buckets"
        return f"{'add' if self.is_new else 'change'} a distribution{by}{into}"


@node
class DropDistribution(TableChange):
    """Drop the distribution of a table."""

    def describe(self) -> str:
        return "drop the distribution"
