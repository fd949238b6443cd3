"""Builds the commands that maintain a stored table."""

from __future__ import annotations

from grammar import statements as st
from grammar.builder.commands.context import CommandContext
from ir.commands.maintenance import RefreshTable, TruncateTable


def build_truncate(node: st.Truncate, context: CommandContext) -> TruncateTable:
    """Build the command of TRUNCATE TABLE."""
    return TruncateTable(context.name(node.name))


def build_refresh(node: st.Refresh, context: CommandContext) -> RefreshTable:
    """Build the command of REFRESH TABLE."""
    return RefreshTable(context.name(node.name))
