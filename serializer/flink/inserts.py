"""Writes INSERT for Flink.

Source: https://nightlies.apache.org/flink/flink-docs-stable/docs/dev/table/sql/insert/
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ir.commands.inserts import InsertInto, InsertSet
from ir.commands.partitions import Partition
from ir.errors import TableException
from serializer.commands.inserts import write_insert

if TYPE_CHECKING:
    from serializer.commands.writing import CommandWriting


def write_flink_insert(command: InsertInto, writing: CommandWriting) -> str:
    """Write INSERT INTO or INSERT OVERWRITE. PARTITION has the columns with values; the query gives the others.

    Raises:
        TableException: the command finds columns by name, replaces some rows, or says what only Spark's INSERT says.
    """
    form = command.form
    for is_lacking, what, remedy in (
        (form.is_by_name, "BY NAME", "Name the columns: INSERT INTO t (a, b)"),
        (form.condition is not None or bool(form.replaced), form.mode.value.upper(), _DELETE_FIRST),
        (bool(form.defaults), "DEFAULT in VALUES", "Write the value, or leave the column out"),
        (form.evolves_schema, "WITH SCHEMA EVOLUTION", "Add the columns first: ALTER TABLE … ADD"),
        (form.if_not_exists, "IF NOT EXISTS", "Leave it out"),
        (bool(form.options), "WITH", "Its options are those of Spark's writers; set Flink's in the table"),
    ):
        if is_lacking:
            raise TableException(f"Flink's INSERT has no {what}. {remedy}.")
    if form.partition is not None:
        valued = tuple([key for key in form.partition.keys if key.value is not None])
        command = command.evolve(form=form.evolve(partition=Partition(valued)))
    return write_insert(command, writing)


_DELETE_FIRST: Final = "Delete the rows first, and insert the others then"


def write_flink_insert_set(command: InsertSet, writing: CommandWriting) -> str:
    """Write a statement set."""
    inserts = "".join(f"{writing.command(insert)};\n" for insert in command.inserts)
    return f"EXECUTE STATEMENT SET\nBEGIN\n{inserts}END"
