"""Writes the commands that give files and other data sources to tables and views."""

from __future__ import annotations

from ir.commands.sources import CreateSourceView, LoadData
from ir.identifiers import parse_long_path
from serializer.commands.partitions import partition_text
from serializer.commands.tables import column_text
from serializer.commands.writing import CommandWriting


def write_load_data(command: LoadData, writing: CommandWriting) -> str:
    """Write LOAD DATA."""
    local = "LOCAL " if command.is_local else ""
    overwrite = "OVERWRITE " if command.overwrites else ""
    partition = "" if command.partition is None else f" {partition_text(command.partition, writing)}"
    path = writing.string(command.path)
    return f"LOAD DATA {local}INPATH {path} {overwrite}INTO TABLE {writing.path(command.target)}{partition}"


def write_create_source_view(command: CreateSourceView, writing: CommandWriting) -> str:
    """Write CREATE TEMPORARY VIEW … USING."""
    replaces = "OR REPLACE " if command.replaces else ""
    scope = "GLOBAL " if command.is_global else ""
    text = f"CREATE {replaces}{scope}TEMPORARY VIEW {writing.path(command.target)}"
    if command.columns:
        text += " (\n" + ",\n".join(f"    {column_text(column, writing)}" for column in command.columns) + "\n)"
    lines = [text, f"USING {'.'.join(map(writing.name, parse_long_path(command.format)))}"]
    if command.options:
        lines.append(f"OPTIONS {writing.properties(command.options)}")
    return "\n".join(lines)
