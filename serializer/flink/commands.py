"""The writers of the commands that Flink has."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from ir.commands.command import Command
from ir.commands.maintenance import TruncateTable
from ir.commands.rows import DeleteRows, UpdateRows
from serializer.commands.maintenance import write_truncate_table
from serializer.commands.rows import write_delete, write_update

if TYPE_CHECKING:
    from serializer.notation import CommandWriter

FLINK_COMMAND_WRITERS: Final[Mapping[type[Command], CommandWriter]] = {
    TruncateTable: write_truncate_table,
    UpdateRows: write_update,
    DeleteRows: write_delete,
}
