"""Commands that insert the rows of queries into tables and directories.

In the condition of an INSERT, a field reference with input index 0 is a column of the table, one with input index 1 a
column of the query.
"""

from __future__ import annotations

from collections.abc import Sequence
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


class InsertMode(Enum):
    """What happens to the rows that a table has before an INSERT."""

    APPEND = "append"
    """They stay."""
    OVERWRITE = "overwrite"
    """They are replaced. In a partitioned table, the session's settings tell whether in all partitions that the
    statement does not exclude, or only in those that get rows."""
    REPLACE_WHERE = "replace where"
    """Those for which the condition is TRUE are replaced."""
    REPLACE_ON = "replace on"
    """Those for which the condition is TRUE with a row of the query are replaced."""
    REPLACE_USING = "replace using"
    """Those that have the values of a row of the query in the replaced columns are replaced."""


def list_targets(table: ResolvedSchema, partition: Partition | None) -> tuple[str, ...]:
    """Return the columns that an INSERT gives values if it names none: all but partition columns with constants."""
    valued = frozenset() if partition is None else partition.valued
    return tuple([name for name in table.names if name not in valued])


@node
class InsertForm(CommandPart):
    """What an INSERT says besides its table, its query and the columns that get values.

    Attributes:
        mode: what happens to the rows of the table.
        partition: the partition columns with constant values, and those that are named without one.
        condition: the rows that are replaced, for ``REPLACE_WHERE`` and ``REPLACE_ON``.
        replaced: the columns by whose values rows are replaced, for ``REPLACE_USING``.
        is_by_name: whether the fields of rows are found by name, too. Otherwise they are found by position.
        defaults: the row and the column of each value in VALUES that is DEFAULT; the query has NULL there.
        evolves_schema: whether the table gets new columns and wider types from the query.
        if_not_exists: whether the rows of an existing partition stay, and nothing is inserted.
        options: the options of the writer, for this statement alone.
    """

    mode: InsertMode = InsertMode.APPEND
    partition: Partition | None = None
    condition: ResolvedExpression | None = None
    replaced: tuple[str, ...] = ()
    is_by_name: bool = False
    defaults: tuple[tuple[int, int], ...] = ()
    evolves_schema: bool = False
    if_not_exists: bool = False
    options: Pairs = ()

    @property
    def called(self) -> str:
        """The statement with its rarest clause, for messages: ``INSERT … REPLACE ON``."""
        if self.mode not in (InsertMode.APPEND, InsertMode.OVERWRITE):
            return f"INSERT … {self.mode.value.upper()}"
        for is_given, clause in (
            (self.evolves_schema, "INSERT WITH SCHEMA EVOLUTION"),
            (self.if_not_exists, "INSERT … IF NOT EXISTS"),
            (bool(self.options), "INSERT … WITH (options)"),
        ):
            if is_given:
                return clause
        return "this form of INSERT"

    def describe(self) -> list[str]:
        """Return the facts other than the places of DEFAULT, for display."""
        facts = ["by name"] if self.is_by_name else []
        if self.partition is not None:
            facts.append(f"partition: [{', '.join(key.describe() for key in self.partition.keys)}]")
        if self.condition is not None:
            facts.append(f"{self.mode.value}: [{self.condition.as_summary_string()}]")
        elif self.replaced:
            facts.append(f"{self.mode.value}: [{', '.join(self.replaced)}]")
        elif self.mode is not InsertMode.APPEND:
            facts.append(self.mode.value)
        if self.evolves_schema:
            facts.append("with schema evolution")
        if self.if_not_exists:
            facts.append("if the partition does not exist")
        if self.options:
            facts.append(f"options: [{', '.join(f'{key} = {value}' for key, value in self.options)}]")
        return facts


@node
class InsertInto(Command):
    """Insert the rows of a query into a table.

    Attributes:
        table: the table.
        query: the rows.
        columns: the columns of the table that get the columns of the query, in their order. The others get their
            defaults.
        form: what else the statement says.

    Source: SQL:2023-2, insert statement; https://spark.apache.org/docs/latest/sql-ref-syntax-dml-insert-table.html
    """

    table: Source
    query: QueryOperation
    columns: tuple[str, ...]
    form: InsertForm = InsertForm()

    title: ClassVar[str] = "InsertInto"
    called: ClassVar[str] = "an INSERT statement"

    @property
    def target(self) -> ObjectIdentifier:
        """The full name of the table."""
        return self.table.identifier

    @property
    def names_columns(self) -> bool:
        """Whether other columns get values than without a list of columns, or the same in another order."""
        return self.columns != list_targets(self.table.schema, self.form.partition)

    @property
    def inputs(self) -> tuple[QueryOperation, ...]:
        return (self.query,)

    def describe(self) -> str:
        facts = [f"table: [{self.target.as_summary_string()}]", f"columns: [{', '.join(self.columns)}]"]
        facts += self.form.describe()
        if self.form.defaults:
            places = [f"{row + 1}.{self.columns[column]}" for row, column in self.form.defaults]
            facts.append(f"defaults: [{', '.join(places)}]")
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
class InsertSet(Command):
    """Insert the rows of several queries, one after the other: all are checked before the first one writes.

    Spark's INSERTs after one FROM are a set, and so is a statement set of Flink's.
    """

    inserts: tuple[InsertInto | InsertIntoDirectory, ...]

    title: ClassVar[str] = "InsertSet"
    called: ClassVar[str] = "a set of INSERT statements"

    @property
    def target(self) -> ObjectIdentifier:
        """The target of the first insert."""
        return self.inserts[0].target

    @property
    def inputs(self) -> tuple[QueryOperation, ...]:
        return tuple([insert.query for insert in self.inserts])

    def describe(self) -> str:
        return f"({', '.join(insert.title + insert.describe() for insert in self.inserts)})"


Insert = InsertInto | InsertIntoDirectory | InsertSet
"""The commands that insert rows."""


def join_inserts(inserts: Sequence[InsertInto | InsertIntoDirectory]) -> Insert:
    """Return the command of one or several inserts: a set of one is that insert itself."""
    return inserts[0] if len(inserts) == 1 else InsertSet(tuple(inserts))
