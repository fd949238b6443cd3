"""Writes the commands about variables, cached data and global temporary views of a session."""

from __future__ import annotations

from ir.commands.session import (
    ChangeViewSchema,
    ClearCache,
    CreateGlobalView,
    DeclareVariables,
    DropVariable,
    GlobalViewColumn,
    RefreshFunction,
    RefreshPath,
    SetVariables,
    SetVariablesFromQuery,
)
from serializer.commands.writing import CommandWriting
from serializer.types import type_text


def write_declare_variables(command: DeclareVariables, writing: CommandWriting) -> str:
    """Write DECLARE VARIABLE."""
    replaces = "OR REPLACE " if command.replaces else ""
    text = f"DECLARE {replaces}VARIABLE {', '.join(map(writing.name, command.names))}"
    if command.data_type is not None:
        text += f" {type_text(command.data_type, writing.notation)}"
    return text if command.default is None else f"{text} DEFAULT {writing.expression(command.default)}"


def write_set_variables(command: SetVariables, writing: CommandWriting) -> str:
    """Write SET VARIABLE with a value for each variable."""
    values = [
        f"{writing.name(one.name)} = {'DEFAULT' if one.value is None else writing.expression(one.value)}"
        for one in command.values
    ]
    return f"SET VARIABLE {', '.join(values)}"


def write_set_variables_from_query(command: SetVariablesFromQuery, writing: CommandWriting) -> str:
    """Write SET VARIABLE with a query for all variables."""
    return f"SET VARIABLE {writing.names(command.names)} = (\n{writing.query(command.query)}\n)"


def write_drop_variable(command: DropVariable, writing: CommandWriting) -> str:
    """Write DROP TEMPORARY VARIABLE."""
    return f"DROP TEMPORARY VARIABLE {'IF EXISTS ' if command.if_exists else ''}{writing.name(command.name)}"


def write_clear_cache(command: ClearCache, writing: CommandWriting) -> str:
    """Write CLEAR CACHE."""
    return "CLEAR CACHE"


def write_refresh_path(command: RefreshPath, writing: CommandWriting) -> str:
    """Write REFRESH with a path."""
    return f"REFRESH {writing.string(command.path)}"


def write_refresh_function(command: RefreshFunction, writing: CommandWriting) -> str:
    """Write REFRESH FUNCTION."""
    return f"REFRESH FUNCTION {writing.path(command.target)}"


def write_create_global_view(command: CreateGlobalView, writing: CommandWriting) -> str:
    """Write CREATE GLOBAL TEMPORARY VIEW."""
    replaces = "OR REPLACE " if command.replaces else ""
    lines = [f"CREATE {replaces}GLOBAL TEMPORARY VIEW {writing.path(command.target)}"]
    if command.columns:
        lines[0] += f" ({', '.join(_column(column, writing) for column in command.columns)})"
    if command.comment is not None:
        lines.append(f"COMMENT {writing.string(command.comment)}")
    return "\n".join([*lines, "AS", writing.query(command.query)])


def _column(column: GlobalViewColumn, writing: CommandWriting) -> str:
    comment = "" if column.comment is None else f" COMMENT {writing.string(column.comment)}"
    return writing.name(column.name) + comment


def write_change_view_schema(command: ChangeViewSchema, writing: CommandWriting) -> str:
    """Write ALTER VIEW … WITH SCHEMA."""
    return f"ALTER VIEW {writing.path(command.target)} WITH SCHEMA {command.mode}"
