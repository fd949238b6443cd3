"""Writes the commands that maintain a stored table."""

from __future__ import annotations

from ir.commands.maintenance import RefreshTable, TruncateTable
from serializer.commands.writing import CommandWriting


def write_truncate_table(command: TruncateTable, writing: CommandWriting) -> str:
    """Write TRUNCATE TABLE, which both dialects have."""
    return f"TRUNCATE TABLE {writing.path(command.target)}"


def write_refresh_table(command: RefreshTable, writing: CommandWriting) -> str:
    """Write REFRESH TABLE."""
    return f"REFRESH TABLE {writing.path(command.target)}"
