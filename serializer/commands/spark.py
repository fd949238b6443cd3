"""The writers of the commands that Spark has."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from ir.commands.command import Command
from ir.commands.maintenance import RefreshTable, TruncateTable
from ir.commands.rows import DeleteRows, MergeInto, UpdateRows
from serializer.commands.maintenance import write_refresh_table, write_truncate_table
from serializer.commands.rows import write_delete, write_merge, write_update

if TYPE_CHECKING:
    from serializer.notation import CommandWriter

SPARK_COMMAND_WRITERS: Final[Mapping[type[Command], CommandWriter]] = {
    TruncateTable: write_truncate_table,
    RefreshTable: write_refresh_table,
    MergeInto: write_merge,
    UpdateRows: write_update,
    DeleteRows: write_delete,
}
