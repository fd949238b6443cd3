"""Writes the commands that insert rows.

If an INSERT compares the rows of its table and of its query, the table is called ``target`` and the query ``source``.
"""

from __future__ import annotations

from collections.abc import Sequence

from ir.commands.inserts import InsertInto, InsertIntoDirectory, InsertMode, InsertSet
from ir.operations.operation import QueryOperation
from ir.operations.source import Values
from serializer.commands.partitions import partition_text
from serializer.commands.rows import ALIASES, compared_text
from serializer.commands.tables import hive_lines
from serializer.commands.writing import CommandWriting
from serializer.values import values_lines


def write_insert(command: InsertInto, writing: CommandWriting) -> str:
    """Write INSERT with its query."""
    form = command.form
    evolution = "WITH SCHEMA EVOLUTION " if form.evolves_schema else ""
    words = "OVERWRITE" if form.mode is InsertMode.OVERWRITE else "INTO"
    head = [f"INSERT {evolution}{words}", writing.path(command.target)]
    if form.options:
        head.append(f"WITH {writing.properties(form.options)}")
    if form.mode is InsertMode.REPLACE_ON:
        head.append(f"AS {writing.name(ALIASES[0])}")
    if form.partition is not None:
        head.append(partition_text(form.partition, writing))
    if form.if_not_exists:
        head.append("IF NOT EXISTS")
    if form.is_by_name:
        head.append("BY NAME")
    elif command.names_columns:
        head.append(writing.names(command.columns))
    rows = _rows(command.query, writing, form.defaults)
    if form.mode is InsertMode.REPLACE_ON:
        rows = f"(\n{rows}\n) AS {writing.name(ALIASES[1])}"
    return "\n".join([" ".join(head), *_replacement(command, writing), rows])


def _replacement(command: InsertInto, writing: CommandWriting) -> list[str]:
    """Return the line that says which rows are replaced, nothing if all or none are."""
    form = command.form
    if form.mode is InsertMode.REPLACE_USING:
        return [f"REPLACE USING {writing.names(form.replaced)}"]
    if form.condition is None:
        return []
    if form.mode is InsertMode.REPLACE_ON:
        # In parentheses, because a name before the query in parentheses would be read as that of a function.
        return [f"REPLACE ON ({compared_text(form.condition, writing)})"]
    return [f"REPLACE WHERE {writing.expression(form.condition, is_condition=True)}"]


def _rows(query: QueryOperation, writing: CommandWriting, defaults: Sequence[tuple[int, int]] = ()) -> str:
    """Write the query of an INSERT: VALUES itself where it names its columns as VALUES does."""
    usual = tuple([f"col{number}" for number in range(1, len(query.schema) + 1)])
    if isinstance(query, Values) and query.rows and (defaults or query.schema.names == usual):
        return "VALUES\n" + ",\n".join([f"    {row}" for row in values_lines(query, writing.notation, defaults)])
    return writing.query(query)


def write_insert_into_directory(command: InsertIntoDirectory, writing: CommandWriting) -> str:
    """Write INSERT OVERWRITE DIRECTORY with its query."""
    local = "LOCAL " if command.is_local else ""
    lines = [f"INSERT OVERWRITE {local}DIRECTORY {writing.string(command.path)}"]
    if command.format is not None:
        lines.append(f"USING {writing.name(command.format)}")
    if command.options:
        lines.append(f"OPTIONS {writing.properties(command.options)}")
    if command.hive is not None:
        lines += hive_lines(command.hive, writing)
    return "\n".join([*lines, _rows(command.query, writing)])


def write_insert_set(command: InsertSet, writing: CommandWriting) -> str:
    """Write the INSERTs of a set, one statement after the other."""
    return ";\n".join(map(writing.command, command.inserts))
