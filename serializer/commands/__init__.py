"""Writes commands: the statements that declare, change or drop a table, or change its rows.

Each dialect has a table from the class of a command to the function that writes it (``Notation.load_command_writers``),
which is loaded with the first command.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ir.commands.command import Command
from ir.rendering import Layout
from serializer.commands.writing import CommandWriting

if TYPE_CHECKING:
    from ir.targets.target import Target
    from serializer.notation import Notation


def command_text(command: Command, notation: Notation, layout: Layout, target: Target | None = None) -> str:
    """Write a command as one statement without a semicolon.

    Args:
        command: the command.
        notation: how the SQL of the dialect, or of the target, is written.
        layout: the layout of the queries in the command, where the dialect has it.
        target: the engine for which the text is; None for the newest.

    Raises:
        TableException: the dialect or the target lacks the command or a part of it.
    """
    if target is not None:
        from ir.targets.preparation import Preparation

        command = Preparation(target).prepare_command(command)
    return CommandWriting(notation, layout).command(command)
