"""Builds the commands that give files and other data sources to tables and views."""

from __future__ import annotations

from grammar import statements as st
from grammar.builder.commands.alterations import build_partition
from grammar.builder.commands.context import CommandContext
from grammar.errors import Misread
from ir.commands.sources import CreateSourceView, LoadData
from ir.commands.table_definition import ColumnDefinition
from ir.identifiers import ObjectIdentifier, path_text


def build_load_data(node: st.LoadData, context: CommandContext) -> LoadData:
    """Build the command of LOAD DATA.

    Raises:
        ValidationException: the table has no such partition column, or one of them gets no value.
    """
    target, partition = context.name(node.name), None
    context.builder.call_resolver(node.name.position, context.tables.refuse_view, target)
    table = context.builder.call_resolver(node.name.position, context.tables.altered_table, target)
    keys = () if table is None else table.partition_keys
    if node.partition is not None:
        partition = build_partition(node.partition, context, table, is_whole=True)
        for value, key in zip(node.partition, partition.keys, strict=False):
            if key.value is None:
                message = f"LOAD DATA does not look into the files; give the partition column {key.name} a value."
                raise Misread(value.position, message, "INVALID_SQL_SYNTAX.EMPTY_PARTITION_VALUE")
    elif keys:
        names = ", ".join(f"{key} = …" for key in keys)
        message = f"LOAD DATA does not look into the files; name their partition: PARTITION ({names})."
        raise Misread(node.position, message, "INVALID_SQL_SYNTAX.EMPTY_PARTITION_VALUE")
    return LoadData(target, node.path, node.is_local, node.overwrite, partition)


def build_create_source_view(node: st.CreateViewUsing, context: CommandContext) -> CreateSourceView:
    """Build the command of CREATE TEMPORARY VIEW … USING.

    Raises:
        Misread: the name has a database, or two columns have the same name.
    """
    if len(node.name.parts) > 1:
        message = f"A temporary view is in no database; write its name alone: {node.name.parts[-1]}."
        raise Misread(node.name.position, message, "INVALID_TEMP_OBJ_QUALIFIER")
    columns = tuple([ColumnDefinition(f.name, f.data_type, comment=f.description) for f in node.columns or ()])
    return CreateSourceView(
        ObjectIdentifier(node.name.parts[0]),
        path_text(node.format),
        columns,
        tuple(sorted(node.options.items())),
        node.or_replace,
        node.is_global,
    )
