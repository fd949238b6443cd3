"""Builds commands: the trees of statements that declare, change or drop a table, or change its rows."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from grammar import alterations as tc
from grammar import session_syntax as ss
from grammar import statements as st
from grammar.builder.commands.alterations import build_alteration
from grammar.builder.commands.context import CommandContext as CommandContext
from grammar.builder.commands.inserts import build_insert, build_insert_into_directory, build_insert_set
from grammar.builder.commands.maintenance import (
    build_analyze,
    build_analyze_tables,
    build_cache,
    build_drop_table,
    build_refresh,
    build_repair,
    build_truncate,
    build_uncache,
)
from grammar.builder.commands.rows import build_delete, build_merge, build_update
from grammar.builder.commands.session import (
    build_change_view_schema,
    build_clear_cache,
    build_create_global_view,
    build_declare_variables,
    build_drop_variable,
    build_refresh_function,
    build_refresh_path,
    build_set_variables,
    build_set_variables_from_query,
)
from grammar.builder.commands.sources import build_create_source_view, build_load_data
from grammar.builder.commands.tables import build_create_table
from grammar.syntax import Statement
from ir.commands.command import Command


def build_command(written: Statement, context: CommandContext) -> Command:
    """Build the command of a parsed statement.

    Raises:
        Misread: a part of the statement contradicts another one.
        ValidationException: a name or type is invalid.
    """
    return _BUILDERS[type(written)](written, context)


def has_command(written: object) -> bool:
    """Whether the tree of a parsed statement is a command."""
    return type(written) in _BUILDERS


_BUILDERS: Final[Mapping[type, Callable[[Any, CommandContext], Command]]] = {
    st.Truncate: build_truncate,
    st.Refresh: build_refresh,
    st.InsertInto: build_insert,
    st.InsertIntoDirectory: build_insert_into_directory,
    st.InsertSet: build_insert_set,
    st.MultiInsert: build_insert_set,
    st.LoadData: build_load_data,
    st.CreateViewUsing: build_create_source_view,
    st.Merge: build_merge,
    ss.DeclareVariables: build_declare_variables,
    ss.SetVariables: build_set_variables,
    ss.SetVariablesFromQuery: build_set_variables_from_query,
    ss.DropVariable: build_drop_variable,
    ss.ClearCache: build_clear_cache,
    ss.RefreshPath: build_refresh_path,
    ss.RefreshFunction: build_refresh_function,
    ss.CreateGlobalView: build_create_global_view,
    ss.AlterViewSchema: build_change_view_schema,
    st.Update: build_update,
    st.Delete: build_delete,
    tc.AlterTable: build_alteration,
    tc.Analyze: build_analyze,
    tc.AnalyzeTables: build_analyze_tables,
    tc.Repair: build_repair,
    tc.Cache: build_cache,
    tc.Uncache: build_uncache,
    st.DropTable: build_drop_table,
    st.CreateTable: build_create_table,
}
