"""Writes the commands that maintain or drop a stored table."""

from __future__ import annotations

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
from serializer.commands.partitions import partition_text
from serializer.commands.writing import CommandWriting


def write_truncate_table(command: TruncateTable, writing: CommandWriting) -> str:
    """Write TRUNCATE TABLE, which both dialects have."""
    return f"TRUNCATE TABLE {writing.path(command.target)}{_partition(command.partition, writing)}"


def write_refresh_table(command: RefreshTable, writing: CommandWriting) -> str:
    """Write REFRESH TABLE."""
    return f"REFRESH TABLE {writing.path(command.target)}"


def write_analyze_table(command: AnalyzeTable, writing: CommandWriting) -> str:
    """Write ANALYZE TABLE, which both dialects have."""
    partition = _partition(command.partition, writing)
    text = f"ANALYZE TABLE {writing.path(command.target)}{partition} COMPUTE STATISTICS"
    if command.all_columns:
        return f"{text} FOR ALL COLUMNS"
    if command.columns:
        return f"{text} FOR COLUMNS {', '.join(map(writing.name, command.columns))}"
    return text if command.scans else f"{text} NOSCAN"


def write_analyze_tables(command: AnalyzeTables, writing: CommandWriting) -> str:
    """Write ANALYZE TABLES."""
    text = f"ANALYZE TABLES IN {writing.path(command.target)} COMPUTE STATISTICS"
    return text if command.scans else f"{text} NOSCAN"


def write_repair_table(command: RepairTable, writing: CommandWriting) -> str:
    """Write REPAIR TABLE."""
    return f"REPAIR TABLE {writing.path(command.target)} {command.mode} PARTITIONS"


def write_cache_table(command: CacheTable, writing: CommandWriting) -> str:
    """Write CACHE TABLE, with its query."""
    text = f"CACHE {'LAZY ' if command.is_lazy else ''}TABLE {writing.path(command.target)}"
    text = f"{text} OPTIONS {writing.properties(command.options)}" if command.options else text
    return text if command.query is None else f"{text} AS\n{writing.query(command.query)}"


def write_uncache_table(command: UncacheTable, writing: CommandWriting) -> str:
    """Write UNCACHE TABLE."""
    return f"UNCACHE TABLE {'IF EXISTS ' if command.if_exists else ''}{writing.path(command.target)}"


def write_drop_table(command: DropTable, writing: CommandWriting) -> str:
    """Write DROP TABLE, which both dialects have."""
    temporary = "TEMPORARY " if command.is_temporary else ""
    if_exists = "IF EXISTS " if command.if_exists else ""
    purge = " PURGE" if command.purges else ""
    return f"DROP {temporary}TABLE {if_exists}{writing.path(command.target)}{purge}"


def _partition(partition: Partition | None, writing: CommandWriting) -> str:
    return "" if partition is None else f" {partition_text(partition, writing)}"
