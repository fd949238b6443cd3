"""Builds the commands that maintain or drop a stored table."""

from __future__ import annotations

from grammar import alterations as tc
from grammar import statements as st
from grammar.builder.commands.alterations import build_partition
from grammar.builder.commands.context import CommandContext
from grammar.errors import Misread
from grammar.syntax import Path
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
from ir.commands.partitions import Partition
from ir.identifiers import ObjectIdentifier
from ir.resolution.commands.altered_table import AlteredTable


def build_truncate(node: st.Truncate, context: CommandContext) -> TruncateTable:
    """Build the command of TRUNCATE TABLE."""
    target = context.name(node.name)
    if node.partition is None:
        return TruncateTable(target)
    return TruncateTable(target, _partition(node.name, target, node.partition, context))


def build_refresh(node: st.Refresh, context: CommandContext) -> RefreshTable:
    """Build the command of REFRESH TABLE."""
    return RefreshTable(context.name(node.name))


def build_analyze(node: tc.Analyze, context: CommandContext) -> AnalyzeTable:
    """Build the command of ANALYZE TABLE."""
    target = context.name(node.name)
    partition = None if node.partition is None else _partition(node.name, target, node.partition, context)
    if not isinstance(node.columns, list):
        return AnalyzeTable(target, partition, (), node.columns is True, node.scans)
    table = _table(node.name, target, context)
    names = []
    for column in node.columns:
        if table is None:
            names.append(column.text)
        else:
            names += context.builder.call_resolver(column.position, table.spell, (column.text,))
    return AnalyzeTable(target, partition, tuple(names))


def build_analyze_tables(node: tc.AnalyzeTables, context: CommandContext) -> AnalyzeTables:
    """Build the command of ANALYZE TABLES."""
    database = () if node.name is None else node.name.parts
    table = context.tables.full_name((*database, "_"))
    return AnalyzeTables(ObjectIdentifier(str(table.database), None, table.catalog), node.scans)


def build_repair(node: tc.Repair, context: CommandContext) -> RepairTable:
    """Build the command of REPAIR TABLE."""
    return RepairTable(context.name(node.name), node.mode)


def build_cache(node: tc.Cache, context: CommandContext) -> CacheTable:
    """Build the command of CACHE TABLE.

    Raises:
        Misread: the name of a query has a database.
    """
    options = tuple(sorted(node.options.items()))
    if node.query is None:
        return CacheTable(context.name(node.name), node.is_lazy, options)
    if len(node.name.parts) > 1:
        message = f"CACHE TABLE gives a query the name of a temporary view: {node.name.parts[-1]}, without a database."
        raise Misread(node.name.position, message)
    return CacheTable(ObjectIdentifier(node.name.parts[0]), node.is_lazy, options, context.output(node.query))


def build_uncache(node: tc.Uncache, context: CommandContext) -> UncacheTable:
    """Build the command of UNCACHE TABLE."""
    return UncacheTable(context.name(node.name), node.if_exists)


def build_drop_table(node: st.DropTable, context: CommandContext) -> DropTable:
    """Build the command of DROP TABLE."""
    return DropTable(context.name(node.name), node.if_exists, node.purges, node.temporary)


def _partition(
    name: Path, target: ObjectIdentifier, values: list[st.PartitionValue], context: CommandContext
) -> Partition:
    return build_partition(values, context, _table(name, target, context), is_whole=False)


def _table(name: Path, target: ObjectIdentifier, context: CommandContext) -> AlteredTable | None:
    found: AlteredTable | None = context.builder.call_resolver(name.position, context.tables.altered_table, target)
    return found
