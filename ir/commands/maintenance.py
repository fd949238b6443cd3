"""Commands that maintain a stored table: its rows as a whole, and what the engine remembers of it."""

from __future__ import annotations

from typing import ClassVar

from ir.commands.command import Command
from ir.identifiers import ObjectIdentifier
from ir.nodes import node


@node
class TruncateTable(Command):
    """Delete all rows of a table.

    Source: https://spark.apache.org/docs/latest/sql-ref-syntax-ddl-truncate-table.html
    """

    target: ObjectIdentifier

    title: ClassVar[str] = "TruncateTable"
    called: ClassVar[str] = "a TRUNCATE TABLE statement"

    def describe(self) -> str:
        return f"(table: [{self.target.as_summary_string()}])"


@node
class RefreshTable(Command):
    """Make the engine forget the files and data that it remembers of a table.

    Source: https://spark.apache.org/docs/latest/sql-ref-syntax-aux-cache-refresh-table.html
    """

    target: ObjectIdentifier

    title: ClassVar[str] = "RefreshTable"
    called: ClassVar[str] = "a REFRESH statement"

    def describe(self) -> str:
        return f"(table: [{self.target.as_summary_string()}])"
