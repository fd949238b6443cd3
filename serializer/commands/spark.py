"""The writers of the commands that Spark has."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from ir.commands.alterations import AlterTable
from ir.commands.command import Command
from ir.commands.inserts import InsertInto, InsertIntoDirectory, InsertSet
from ir.commands.maintenance import (
    AnalyzeTable,
    AnalyzeTables,
    CacheTable,
    DropTable,
    RefreshTable,
    RepairTable,
    TruncateTable,
    UncacheTable,
)
from ir.commands.rows import DeleteRows, MergeInto, UpdateRows
from ir.commands.session import (
    ChangeViewSchema,
    ClearCache,
    CreateGlobalView,
    DeclareVariables,
    DropVariable,
    RefreshFunction,
    RefreshPath,
    SetVariables,
    SetVariablesFromQuery,
)
from ir.commands.sources import CreateSourceView, LoadData
from ir.commands.tables import CreateTable, CreateTableLike
from serializer.commands.alterations import write_alter_table
from serializer.commands.inserts import write_insert, write_insert_into_directory, write_insert_set
from serializer.commands.maintenance import (
    write_analyze_table,
    write_analyze_tables,
    write_cache_table,
    write_drop_table,
    write_refresh_table,
    write_repair_table,
    write_truncate_table,
    write_uncache_table,
)
from serializer.commands.rows import write_delete, write_merge, write_update
from serializer.commands.session import (
    write_change_view_schema,
    write_clear_cache,
    write_create_global_view,
    write_declare_variables,
    write_drop_variable,
    write_refresh_function,
    write_refresh_path,
    write_set_variables,
    write_set_variables_from_query,
)
from serializer.commands.sources import write_create_source_view, write_load_data
from serializer.commands.tables import write_create_table, write_create_table_like

if TYPE_CHECKING:
    from serializer.notation import CommandWriter

SPARK_COMMAND_WRITERS: Final[Mapping[type[Command], CommandWriter]] = {
    TruncateTable: write_truncate_table,
    RefreshTable: write_refresh_table,
    InsertInto: write_insert,
    InsertIntoDirectory: write_insert_into_directory,
    InsertSet: write_insert_set,
    LoadData: write_load_data,
    CreateSourceView: write_create_source_view,
    MergeInto: write_merge,
    DeclareVariables: write_declare_variables,
    SetVariables: write_set_variables,
    SetVariablesFromQuery: write_set_variables_from_query,
    DropVariable: write_drop_variable,
    ClearCache: write_clear_cache,
    RefreshPath: write_refresh_path,
    RefreshFunction: write_refresh_function,
    CreateGlobalView: write_create_global_view,
    ChangeViewSchema: write_change_view_schema,
    UpdateRows: write_update,
    DeleteRows: write_delete,
    AlterTable: write_alter_table,
    AnalyzeTable: write_analyze_table,
    AnalyzeTables: write_analyze_tables,
    RepairTable: write_repair_table,
    CacheTable: write_cache_table,
    UncacheTable: write_uncache_table,
    DropTable: write_drop_table,
    CreateTable: write_create_table,
    CreateTableLike: write_create_table_like,
}
