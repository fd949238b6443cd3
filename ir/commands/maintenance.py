"""Commands that maintain a stored table: its rows as a whole, and what the engine remembers of it."""

from __future__ import annotations

from typing import ClassVar

from ir.commands.command import Command
from ir.commands.partitions import Partition
from ir.identifiers import ObjectIdentifier
from ir.nodes import node
from ir.operations.operation import QueryOperation


@node
class TruncateTable(Command):
    """Delete all rows of a table, or of its partitions with some values.

    Source: https://spark.apache.org/docs/latest/sql-ref-syntax-ddl-truncate-table.html
    """

    target: ObjectIdentifier
    partition: Partition | None = None

    title: ClassVar[str] = "TruncateTable"
    called: ClassVar[str] = "a TRUNCATE TABLE statement"

    def describe(self) -> str:
        return _described(self.target, self.partition)


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


@node
class AnalyzeTable(Command):
    """Compute statistics of a table, which the optimizer uses.

    ``columns`` are the columns whose statistics are computed; ``all_columns`` means every column. Without both, the
    command computes the statistics of the table only. ``scans`` is whether rows are read besides the sizes of files.

    Source: https://spark.apache.org/docs/latest/sql-ref-syntax-aux-analyze-table.html
    """

    target: ObjectIdentifier
    partition: Partition | None = None
    columns: tuple[str, ...] = ()
    all_columns: bool = False
    scans: bool = True

    title: ClassVar[str] = "AnalyzeTable"
    called: ClassVar[str] = "an ANALYZE TABLE statement"

    def describe(self) -> str:
        columns = "all" if self.all_columns else ", ".join(self.columns)
        return _described(self.target, self.partition, **({"columns": columns} if columns else {}))


@node
class AnalyzeTables(Command):
    """Compute statistics of all tables of a database, which is the ``target``.

    Source: https://spark.apache.org/docs/latest/sql-ref-syntax-aux-analyze-tables.html
    """

    target: ObjectIdentifier
    scans: bool = True

    title: ClassVar[str] = "AnalyzeTables"
    called: ClassVar[str] = "an ANALYZE TABLES statement"

    def describe(self) -> str:
        return f"(database: [{self.target.as_summary_string()}])"


@node
class RepairTable(Command):
    """Compare the partitions in a catalog with the directories: ``mode`` is ADD, DROP or SYNC for both.

    Source: https://spark.apache.org/docs/latest/sql-ref-syntax-ddl-repair-table.html
    """

    target: ObjectIdentifier
    mode: str = "ADD"

    title: ClassVar[str] = "RepairTable"
    called: ClassVar[str] = "a REPAIR TABLE statement"

    def describe(self) -> str:
        return _described(self.target, None, mode=self.mode)


@node
class CacheTable(Command):
    """Keep the rows of a table or view in the memory of the executors; a lazy one with its first use.

    With a query, ``target`` is the name of a new temporary view of Spark's session.

    Source: https://spark.apache.org/docs/latest/sql-ref-syntax-aux-cache-cache-table.html
    """

    target: ObjectIdentifier
    is_lazy: bool = False
    options: tuple[tuple[str, str], ...] = ()
    query: QueryOperation | None = None

    title: ClassVar[str] = "CacheTable"
    called: ClassVar[str] = "a CACHE TABLE statement"

    def describe(self) -> str:
        return _described(self.target, None, **({"lazy": "true"} if self.is_lazy else {}))


@node
class UncacheTable(Command):
    """Forget the rows that CACHE TABLE keeps; ``if_exists`` accepts that nothing has the name.

    Source: https://spark.apache.org/docs/latest/sql-ref-syntax-aux-cache-uncache-table.html
    """

    target: ObjectIdentifier
    if_exists: bool = False

    title: ClassVar[str] = "UncacheTable"
    called: ClassVar[str] = "an UNCACHE TABLE statement"

    def describe(self) -> str:
        return _described(self.target)


@node
class DropTable(Command):
    """Drop a table; ``purges`` deletes its files at once instead of moving them to a trash.

    Source: https://spark.apache.org/docs/latest/sql-ref-syntax-ddl-drop-table.html
    """

    target: ObjectIdentifier
    if_exists: bool = False
    purges: bool = False
    is_temporary: bool = False

    title: ClassVar[str] = "DropTable"
    called: ClassVar[str] = "a DROP TABLE statement"

    def describe(self) -> str:
        return _described(self.target)


def _described(target: ObjectIdentifier, partition: Partition | None = None, **more: str) -> str:
    parts = [f"table: [{target.as_summary_string()}]"]
    if partition is not None:
        parts.append(f"partition: [{partition.describe()}]")
    return f"({', '.join([*parts, *(f'{key}: [{value}]' for key, value in more.items())])})"
