"""Commands that change the rows of a table: INSERT, MERGE, UPDATE and DELETE.

In the expressions of a command, a field reference with input index 0 is a column of the table, one with input index 1 a
column of the source of a MERGE.
"""

from __future__ import annotations

from enum import Enum
from typing import ClassVar

from ir.commands.command import Command, CommandPart
from ir.commands.partitions import Partition
from ir.commands.table_definition import HiveStorage, Pairs
from ir.expressions import ResolvedExpression
from ir.identifiers import ObjectIdentifier
from ir.nodes import node
from ir.operations.operation import QueryOperation
from ir.operations.source import Source
from ir.schema import ResolvedSchema


@node
class Assignment(CommandPart):
    """The new value of a column, or of a field in a column of type ROW.

    Attributes:
        path: the name of the column, followed by names of fields.
        value: the value; None for the default of the column.
    """

    path: tuple[str, ...]
    value: ResolvedExpression | None

    def describe(self) -> str:
        """Return the assignment for display."""
        value = "DEFAULT" if self.value is None else self.value.as_summary_string()
        return f"{'.'.join(self.path)} = {value}"


@node
class RowAction(CommandPart):
    """What a clause of a MERGE does to a row."""

    def describe(self) -> str:
        """Return the action for display."""
        raise NotImplementedError


@node
class UpdateRow(RowAction):
    """Give columns of the row new values."""

    assignments: tuple[Assignment, ...]

    def describe(self) -> str:
        return f"update({', '.join(a.describe() for a in self.assignments)})"


@node
class UpdateWholeRow(RowAction):
    """Give every column of the row the value of the source's column of that name."""

    def describe(self) -> str:
        return "update all"


@node
class InsertRow(RowAction):
    """Insert a row of the values; other columns get their defaults."""

    assignments: tuple[Assignment, ...]

    def describe(self) -> str:
        return f"insert({', '.join(a.describe() for a in self.assignments)})"


@node
class InsertWholeRow(RowAction):
    """Insert the row of the source, whose columns are found by name."""

    def describe(self) -> str:
        return "insert all"


@node
class DeleteRow(RowAction):
    """Delete the row."""

    def describe(self) -> str:
        return "delete"


class MatchKind(Enum):
    """The rows for which a clause of a MERGE is."""

    MATCHED = "MATCHED"
    """Pairs of a row of the table and a row of the source for which the condition of the MERGE is TRUE."""
    NOT_MATCHED = "NOT MATCHED"
    """Rows of the source without such a row of the table."""
    NOT_MATCHED_BY_SOURCE = "NOT MATCHED BY SOURCE"
    """Rows of the table without such a row of the source."""


@node
class MergeClause(CommandPart):
    """A clause of a MERGE: the first of its kind whose condition is TRUE acts on a row."""

    kind: MatchKind
    condition: ResolvedExpression | None
    action: RowAction

    def describe(self) -> str:
        """Return the clause for display."""
        condition = "" if self.condition is None else f" and {self.condition.as_summary_string()}"
        return f"{self.kind.value.lower()}{condition}: {self.action.describe()}"


@node
class MergeInto(Command):
    """Change the rows of a table by the rows of a source.

    Source: SQL:2023-2, merge statement; https://spark.apache.org/docs/latest/sql-ref-syntax-dml-merge-into.html
    """

    table: Source
    source: QueryOperation
    condition: ResolvedExpression
    clauses: tuple[MergeClause, ...]
    evolves_schema: bool = False

    title: ClassVar[str] = "MergeInto"
    called: ClassVar[str] = "a MERGE statement"

    @property
    def target(self) -> ObjectIdentifier:
        """The full name of the table."""
        return self.table.identifier

    @property
    def inputs(self) -> tuple[QueryOperation, ...]:
        return self.table, self.source

    def describe(self) -> str:
        evolves = ", with schema evolution" if self.evolves_schema else ""
        clauses = "; ".join(clause.describe() for clause in self.clauses)
        return (
            f"(table: [{self.target.as_summary_string()}], on: [{self.condition.as_summary_string()}], "
            f"when: [{clauses}]{evolves})"
        )


class InsertMode(Enum):
    """What happens to the rows that a table has before an INSERT."""

    APPEND = "append"
    """They stay."""
    OVERWRITE = "overwrite"
    """They are replaced. In a partitioned table, the session's settings tell whether in all partitions that the
    statement does not exclude, or only in those that get rows."""
    REPLACE_WHERE = "replace where"
    """Those for which the condition is TRUE are replaced."""


def list_targets(table: ResolvedSchema, partition: Partition | None) -> tuple[str, ...]:
    """Return the columns that an INSERT gives values if it names none: all but partition columns with constants."""
    valued = frozenset() if partition is None else partition.valued
    return tuple([name for name in table.names if name not in valued])


@node
class InsertInto(Command):
    """Insert the rows of a query into a table.

    Attributes:
        table: the table.
        query: the rows.
        columns: the columns of the table that get the columns of the query, in their order. The others get their
            defaults.
        mode: what happens to the rows of the table.
        partition: the partition columns with constant values, and those that are named without one.
        condition: the rows that are replaced, for ``InsertMode.REPLACE_WHERE``.
        is_by_name: whether the fields of rows are found by name, too. Otherwise they are found by position.
        defaults: the row and the column of each value in VALUES that is DEFAULT; the query has NULL there.
        evolves_schema: whether the table gets new columns and wider types from the query.
        if_not_exists: whether the rows of an existing partition stay, and nothing is inserted.

    Source: SQL:2023-2, insert statement; https://spark.apache.org/docs/latest/sql-ref-syntax-dml-insert-table.html
    """

    table: Source
    query: QueryOperation
    columns: tuple[str, ...]
    mode: InsertMode = InsertMode.APPEND
    partition: Partition | None = None
    condition: ResolvedExpression | None = None
    is_by_name: bool = False
    defaults: tuple[tuple[int, int], ...] = ()
    evolves_schema: bool = False
    if_not_exists: bool = False

    title: ClassVar[str] = "InsertInto"
    called: ClassVar[str] = "an INSERT statement"

    @property
    def target(self) -> ObjectIdentifier:
        """The full name of the table."""
        return self.table.identifier

    @property
    def names_columns(self) -> bool:
        """Whether other columns get values than without a list of columns, or the same in another order."""
        return self.columns != list_targets(self.table.schema, self.partition)

    @property
    def inputs(self) -> tuple[QueryOperation, ...]:
        return (self.query,)

    def describe(self) -> str:
        facts = [f"table: [{self.target.as_summary_string()}]", f"columns: [{', '.join(self.columns)}]"]
        if self.is_by_name:
            facts.append("by name")
        if self.partition is not None:
            facts.append(f"partition: [{', '.join(key.describe() for key in self.partition.keys)}]")
        if self.condition is not None:
            facts.append(f"replace where: [{self.condition.as_summary_string()}]")
        elif self.mode is not InsertMode.APPEND:
            facts.append(self.mode.value)
        if self.defaults:
            facts.append(
                f"defaults: [{', '.join(f'{row + 1}.{self.columns[column]}' for row, column in self.defaults)}]"
            )
        if self.evolves_schema:
            facts.append("with schema evolution")
        if self.if_not_exists:
            facts.append("if the partition does not exist")
        return f"({', '.join(facts)})"


@node
class InsertIntoDirectory(Command):
    """Replace the files of a directory by the rows of a query.

    Attributes:
        path: the directory; in Hive's form with ``is_local``, one of the machine that runs the statement.
        query: the rows.
        format: the format of the files; None in Hive's form.
        options: the options of the format.
        hive: Hive's storage.
        is_local: whether the directory is in the local file system whatever the session's default is.

    Source: https://spark.apache.org/docs/latest/sql-ref-syntax-dml-insert-overwrite-directory.html
    """

    path: str
    query: QueryOperation
    format: str | None = None
    options: Pairs = ()
    hive: HiveStorage | None = None
    is_local: bool = False

    title: ClassVar[str] = "InsertIntoDirectory"
    called: ClassVar[str] = "an INSERT OVERWRITE DIRECTORY statement"

    @property
    def target(self) -> ObjectIdentifier:
        """The directory, as the name of a table that no catalog has."""
        return ObjectIdentifier(self.path)

    def describe(self) -> str:
        stored = self.format or "hive"
        local = ", local" if self.is_local else ""
        options = f", options: [{', '.join(f'{key} = {value}' for key, value in self.options)}]" if self.options else ""
        return f"(path: [{self.path}], format: [{stored}]{options}{local})"


@node
class UpdateRows(Command):
    """Give columns new values in the rows for which the condition is TRUE, in all rows without a condition.

    Source: SQL:2023-2, update statement.
    """

    table: Source
    assignments: tuple[Assignment, ...]
    condition: ResolvedExpression | None

    title: ClassVar[str] = "UpdateRows"
    called: ClassVar[str] = "an UPDATE statement"

    @property
    def target(self) -> ObjectIdentifier:
        """The full name of the table."""
        return self.table.identifier

    def describe(self) -> str:
        condition = "" if self.condition is None else f", where: [{self.condition.as_summary_string()}]"
        assignments = ", ".join(assignment.describe() for assignment in self.assignments)
        return f"(table: [{self.target.as_summary_string()}], set: [{assignments}]{condition})"


@node
class DeleteRows(Command):
    """Delete the rows for which the condition is TRUE, all rows without a condition.

    Source: SQL:2023-2, delete statement.
    """

    table: Source
    condition: ResolvedExpression | None

    title: ClassVar[str] = "DeleteRows"
    called: ClassVar[str] = "a DELETE statement"

    @property
    def target(self) -> ObjectIdentifier:
        """The full name of the table."""
        return self.table.identifier

    def describe(self) -> str:
        condition = "" if self.condition is None else f", where: [{self.condition.as_summary_string()}]"
        return f"(table: [{self.target.as_summary_string()}]{condition})"
