"""Writes INSERT for Flink.

Source: https://nightlies.apache.org/flink/flink-docs-stable/docs/dev/table/sql/insert/
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ir.commands.partitions import Partition
from ir.commands.rows import InsertInto
from ir.errors import TableException
from serializer.commands.rows import write_insert

if TYPE_CHECKING:
    from serializer.commands.writing import CommandWriting


def write_flink_insert(command: InsertInto, writing: CommandWriting) -> str:
    """Write INSERT INTO or INSERT OVERWRITE. PARTITION has the columns with values; the query gives the others.

    Raises:
        TableException: the command finds columns by name, replaces some rows, or says what only Spark's INSERT says.
    """
    if command.is_by_name:
        raise TableException("Flink's INSERT has no BY NAME; name the columns instead: INSERT INTO t (a, b).")
    if command.condition is not None:
        raise TableException("Flink's INSERT has no REPLACE WHERE. Delete the rows first, and insert the others then.")
    for is_lacking, what, remedy in (
        (bool(command.defaults), "DEFAULT in VALUES", "Write the value, or leave the column out"),
        (command.evolves_schema, "WITH SCHEMA EVOLUTION", "Add the columns first: ALTER TABLE … ADD"),
        (command.if_not_exists, "IF NOT EXISTS", "Leave it out"),
    ):
        if is_lacking:
            raise TableException(f"Flink's INSERT has no {what}. {remedy}.")
    if command.partition is not None:
        valued = tuple([key for key in command.partition.keys if key.value is not None])
        command = command.evolve(partition=Partition(valued))
    return write_insert(command, writing)
