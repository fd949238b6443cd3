"""The writers of the commands that Flink has."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from ir.commands.alterations import AlterTable
from ir.commands.command import Command
from ir.commands.inserts import InsertInto, InsertSet
from ir.commands.maintenance import AnalyzeTable, DropTable, TruncateTable
from ir.commands.rows import DeleteRows, UpdateRows
from ir.commands.tables import CreateTable, CreateTableLike
from ir.errors import TableException
from serializer.commands.rows import write_delete, write_update
from serializer.commands.writing import CommandWriting
from serializer.flink.alterations import (
    write_flink_alter_table,
    write_flink_analyze,
    write_flink_drop_table,
    write_flink_truncate,
)
from serializer.flink.inserts import write_flink_insert, write_flink_insert_set
from serializer.flink.tables import write_create_table, write_create_table_like

if TYPE_CHECKING:
    from serializer.notation import CommandWriter


def write_flink_update(command: UpdateRows, writing: CommandWriting) -> str:
    """Write UPDATE.

    Raises:
        TableException: the command has options.
    """
    _refuse_options(command)
    return write_update(command, writing)


def write_flink_delete(command: DeleteRows, writing: CommandWriting) -> str:
    """Write DELETE FROM.

    Raises:
        TableException: the command has options.
    """
    _refuse_options(command)
    return write_delete(command, writing)


def _refuse_options(command: UpdateRows | DeleteRows) -> None:
    if command.options:
        raise TableException(
            f"Flink's SQL has no options in {command.called}. Its options are those of Spark's writers; set Flink's in "
            "the table."
        )


FLINK_COMMAND_WRITERS: Final[Mapping[type[Command], CommandWriter]] = {
    InsertInto: write_flink_insert,
    InsertSet: write_flink_insert_set,
    UpdateRows: write_flink_update,
    DeleteRows: write_flink_delete,
    TruncateTable: write_flink_truncate,
    AlterTable: write_flink_alter_table,
    AnalyzeTable: write_flink_analyze,
    DropTable: write_flink_drop_table,
    CreateTable: write_create_table,
    CreateTableLike: write_create_table_like,
}
