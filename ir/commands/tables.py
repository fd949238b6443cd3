"""Commands that declare a table."""

from __future__ import annotations

from typing import ClassVar

from ir.commands.command import Command
from ir.commands.table_definition import CreateMode, TableDefinition
from ir.identifiers import ObjectIdentifier
from ir.nodes import node
from ir.operations.operation import QueryOperation


@node
class CreateTable(Command):
    """Create or replace a table, with the rows of ``query`` if there is one (CTAS, RTAS).

    Source: https://spark.apache.org/docs/latest/sql-ref-syntax-ddl-create-table-datasource.html
    """

    target: ObjectIdentifier
    definition: TableDefinition
    mode: CreateMode = CreateMode.CREATE
    is_temporary: bool = False
    query: QueryOperation | None = None

    title: ClassVar[str] = "CreateTable"
    called: ClassVar[str] = "a CREATE TABLE statement"

    def describe(self) -> str:
        return f"(table: [{self.target.as_summary_string()}]{_describe(self.definition)})"


@node
class CreateTableLike(Command):
    """Create a table with the definition of another one; ``definition`` adds to it or replaces parts of it.

    ``features`` are Flink's pairs such as INCLUDING and OPTIONS.

    Source: https://nightlies.apache.org/flink/flink-docs-stable/docs/sql/reference/ddl/create/#like
    """

    target: ObjectIdentifier
    source: ObjectIdentifier
    definition: TableDefinition
    mode: CreateMode = CreateMode.CREATE
    is_temporary: bool = False
    features: tuple[tuple[str, str], ...] = ()

    title: ClassVar[str] = "CreateTableLike"
    called: ClassVar[str] = "a CREATE TABLE LIKE statement"

    def describe(self) -> str:
        return (
            f"(table: [{self.target.as_summary_string()}], like: [{self.source.as_summary_string()}]"
            f"{_describe(self.definition)})"
        )


def _describe(definition: TableDefinition) -> str:
    """Return the columns and the keys of a definition, as parts of a description."""
    columns = [f"{column.name} {column.data_type.as_summary_string()}" for column in definition.columns]
    keys = [
        ".".join(key.column) if key.transform is None else f"{key.transform}({'.'.join(key.column)})"
        for key in definition.partitioning
    ]
    shown = f", columns: [{', '.join(columns)}]" if columns else ""
    return shown + (f", partitioned by: [{', '.join(keys)}]" if keys else "")
