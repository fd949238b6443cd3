"""Snapshots of queries as ``.sql`` files, for syrupy."""

from __future__ import annotations

from typing import Any, Final

from syrupy.extensions.single_file import SingleFileSnapshotExtension, WriteMode

from tableapi.sql_format import format_sql
from tableapi.table import Table

__all__ = ["SqlSnapshotExtension", "snapshot_text"]

# Narrow, so that in a list of several columns each has a line, and a change of one column is a change of one line.
_WIDTH: Final = 80


def snapshot_text(table: Table) -> str:
    """Return the text of a query for a snapshot: its columns as comments, then its SQL with an item on each line.

    A change of a type is a change of the file, even if the SQL is the same. The text can be run.

    >>> from tableapi import EnvironmentSettings, TableEnvironment
    >>> from tableapi.expressions import col
    >>> settings = EnvironmentSettings.new_instance().with_built_in_catalog_name("memory").build()
    >>> te = TableEnvironment.create(settings)
    >>> orders = te.declare("sales.orders", {"customer": "STRING NOT NULL", "amount": "DECIMAL(10, 2)"})
    >>> print(snapshot_text(orders.group_by(col("customer")).select(col("customer"), col("amount").sum.alias("total"))))
    -- `customer` STRING NOT NULL
    -- `total` DECIMAL(20, 2)
    SELECT `customer`, SUM(`amount`) AS `total`
    FROM `memory`.`sales`.`orders`
    GROUP BY `customer`
    <BLANKLINE>

    Args:
        table: the query.

    Raises:
        TableException: the query has no SQL text, because it reads data of this process.
    """
    columns = [f"-- {column!r}" for column in table.get_resolved_schema().columns]
    text = format_sql(table.as_serializable_string(layout="MERGED"), width=_WIDTH)
    return "\n".join([*columns, text.rstrip("\n"), ""])


class SqlSnapshotExtension(SingleFileSnapshotExtension):
    """Stores each snapshot in a ``.sql`` file of its own; a table as ``snapshot_text``, a string as it is."""

    file_extension = "sql"
    _write_mode = WriteMode.TEXT

    def serialize(self, data: Any, **options: Any) -> str:
        """Return the content of the file.

        Raises:
            TableException: the query has no SQL text.
        """
        return snapshot_text(data) if isinstance(data, Table) else str(data)
