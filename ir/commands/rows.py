"""Commands that change the rows of a table: MERGE, UPDATE and DELETE.

In the expressions of a command, a field reference with input index 0 is a column of the table, one with input index 1 a
column of the source of a MERGE.
"""

from __future__ import annotations

from enum import Enum
from typing import ClassVar

from ir.commands.command import Command, CommandPart
from ir.commands.table_definition import Pairs
from ir.expressions import ResolvedExpression
from ir.identifiers import ObjectIdentifier
from ir.nodes import node
from ir.operations.operation import QueryOperation
from ir.operations.source import Source


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
    options: Pairs = ()

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
            f"when: [{clauses}]{evolves}{_describe_options(self.options)})"
        )


@node
class UpdateRows(Command):
    """Give columns new values in the rows for which the condition is TRUE, in all rows without a condition.

    Source: SQL:2023-2, update statement.
    """

    table: Source
    assignments: tuple[Assignment, ...]
    condition: ResolvedExpression | None
    options: Pairs = ()

    title: ClassVar[str] = "UpdateRows"
    called: ClassVar[str] = "an UPDATE statement"

    @property
    def target(self) -> ObjectIdentifier:
        """The full name of the table."""
        return self.table.identifier

    def describe(self) -> str:
        condition = "" if self.condition is None else f", where: [{self.condition.as_summary_string()}]"
        assignments = ", ".join(assignment.describe() for assignment in self.assignments)
        options = _describe_options(self.options)
        return f"(table: [{self.target.as_summary_string()}], set: [{assignments}]{condition}{options})"


@node
class DeleteRows(Command):
    """Delete the rows for which the condition is TRUE, all rows without a condition.

    Source: SQL:2023-2, delete statement.
    """

    table: Source
    condition: ResolvedExpression | None
    options: Pairs = ()

    title: ClassVar[str] = "DeleteRows"
    called: ClassVar[str] = "a DELETE statement"

    @property
    def target(self) -> ObjectIdentifier:
        """The full name of the table."""
        return self.table.identifier

    def describe(self) -> str:
        condition = "" if self.condition is None else f", where: [{self.condition.as_summary_string()}]"
        return f"(table: [{self.target.as_summary_string()}]{condition}{_describe_options(self.options)})"


def _describe_options(options: Pairs) -> str:
    return f", options: [{', '.join(f'{key} = {value}' for key, value in options)}]" if options else ""
