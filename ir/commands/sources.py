"""Commands that give files and other data sources to tables and views."""

from __future__ import annotations

from typing import ClassVar

from ir.commands.command import Command
from ir.commands.partitions import Partition
from ir.commands.table_definition import ColumnDefinition, Pairs
from ir.identifiers import ObjectIdentifier
from ir.nodes import node


@node
class LoadData(Command):
    """Move files into the directory of a table, or copy them if they are files of the machine that runs the statement.

    Attributes:
        target: the table.
        path: a file or a directory.
        is_local: whether the path is one of the local file system.
        overwrites: whether the files replace those of the table or the partition.
        partition: the partition that gets the files.

    Source: https://spark.apache.org/docs/latest/sql-ref-syntax-dml-load.html
    """

    target: ObjectIdentifier
    path: str
    is_local: bool = False
    overwrites: bool = False
    partition: Partition | None = None

    title: ClassVar[str] = "LoadData"
    called: ClassVar[str] = "a LOAD DATA statement"

    def describe(self) -> str:
        facts = [f"table: [{self.target.as_summary_string()}]", f"path: [{self.path}]"]
        if self.partition is not None:
            facts.append(f"partition: [{self.partition.describe()}]")
        facts += ["local"] * self.is_local + ["overwrite"] * self.overwrites
        return f"({', '.join(facts)})"


@node
class CreateSourceView(Command):
    """Create a temporary view of the rows of a data source, in the session of Spark.

    Attributes:
        target: the name of the view, without a catalog and a database.
        format: the data source.
        columns: the columns; none if the data source says them.
        options: the options of the data source.
        replaces: whether a temporary view of the name is replaced.
        is_global: whether all sessions of the Spark application see the view, in the database ``global_temp``.

    Source: https://spark.apache.org/docs/latest/sql-ref-syntax-ddl-create-view.html
    """

    target: ObjectIdentifier
    format: str
    columns: tuple[ColumnDefinition, ...] = ()
    options: Pairs = ()
    replaces: bool = False
    is_global: bool = False

    title: ClassVar[str] = "CreateSourceView"
    called: ClassVar[str] = "a CREATE TEMPORARY VIEW … USING statement"

    def describe(self) -> str:
        facts = [f"view: [{self.target.as_summary_string()}]", f"format: [{self.format}]"]
        if self.columns:
            columns = [f"{column.name} {column.data_type.as_summary_string()}" for column in self.columns]
            facts.append(f"columns: [{', '.join(columns)}]")
        if self.options:
            facts.append(f"options: [{', '.join(f'{key} = {value}' for key, value in self.options)}]")
        facts += ["replace"] * self.replaces + ["global"] * self.is_global
        return f"({', '.join(facts)})"
