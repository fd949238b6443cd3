"""Writes the commands that change a table for Flink: ALTER TABLE with ADD, MODIFY, DROP, RENAME, SET and RESET.

Source: https://nightlies.apache.org/flink/flink-docs-stable/docs/dev/table/sql/alter/
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from ir.commands import alterations as a
from ir.commands import partitions as p
from ir.commands.columns import KeyConstraint
from ir.commands.maintenance import AnalyzeTable, DropTable, TruncateTable
from ir.errors import TableException
from serializer.commands.alterations import SEPARATOR, Group, split_groups, write_definition, write_position
from serializer.commands.maintenance import write_analyze_table, write_drop_table, write_truncate_table
from serializer.commands.partitions import partition_text
from serializer.types import type_text

if TYPE_CHECKING:
    from serializer.commands.writing import CommandWriting


def write_flink_truncate(command: TruncateTable, writing: CommandWriting) -> str:
    """Write TRUNCATE TABLE.

    Raises:
        TableException: the command truncates a partition.
    """
    if command.partition is not None:
        raise TableException("Flink truncates whole tables; ALTER TABLE … DROP PARTITION drops one partition.")
    return write_truncate_table(command, writing)


def write_flink_analyze(command: AnalyzeTable, writing: CommandWriting) -> str:
    """Write ANALYZE TABLE.

    Raises:
        TableException: the command does not read rows.
    """
    if not command.scans:
        raise TableException("Flink's ANALYZE TABLE always reads the rows; it has no NOSCAN.")
    return write_analyze_table(command, writing)


def write_flink_drop_table(command: DropTable, writing: CommandWriting) -> str:
    """Write DROP TABLE.

    Raises:
        TableException: the command purges the files.
    """
    if command.purges:
        raise TableException("Flink's DROP TABLE has no PURGE.")
    return write_drop_table(command, writing)


def write_flink_alter_table(command: a.AlterTable, writing: CommandWriting) -> str:
    """Write a command as one ALTER TABLE, or several with semicolons between them.

    Raises:
        TableException: Flink lacks a change; the message names it.
    """
    target = command.target
    texts = []
    for group in split_groups(command.changes, _belongs_together):
        write = _WRITERS.get(type(group[0]))
        if write is None:
            raise TableException(f"SQL of Flink has no form of this change of a table: {group[0].describe()}.")
        texts.append(f"ALTER TABLE {writing.path(target)} {write(group, writing)}")
        if isinstance(group[0], a.RenameTable):
            target = group[0].new_target
    return SEPARATOR.join(texts)


_MODIFIED: Final = (a.ChangeColumnNullability, a.ChangeColumnType, a.ChangeColumnComment, a.ChangeColumnPosition)
_ADDED: Final = (a.AddColumn, a.AddConstraint)


def _belongs_together(group: Group, change: Any) -> bool:
    """Whether Flink has one statement for the changes of a group and one more."""
    first = group[0]
    if isinstance(change, _ADDED) and isinstance(first, _ADDED):
        return True
    if isinstance(change, a.DropColumn) and isinstance(first, a.DropColumn):
        return True
    if isinstance(change, a.SetWatermark) and change.is_new and isinstance(first, _ADDED):
        return True
    if not isinstance(change, _MODIFIED) or not isinstance(first, _MODIFIED):
        return False
    # A column that is modified twice, or out of the order of its definition, takes two statements.
    of_column = [_MODIFIED.index(type(other)) for other in group if other.path == change.path]
    if of_column:
        return bool(group[-1].path == change.path and _MODIFIED.index(type(change)) > of_column[-1])
    return True


def _require_column(path: Sequence[str], change: a.TableChange) -> str:
    """Return the name of a column; refuse the path of a nested field."""
    if len(path) > 1:
        raise TableException(
            f"SQL of Flink changes whole columns, and not the field {'.'.join(path)}: {change.describe()}."
        )
    return path[0]


def _add(group: Group, writing: CommandWriting) -> str:
    lines = []
    for change in group:
        if isinstance(change, a.AddColumn):
            _require_column(change.path, change)
            if change.column.default is not None:
                raise TableException(f"Flink's columns have no defaults; {change.column.name} has one.")
            lines.append(write_definition(change.column, (), writing) + write_position(change.position, writing))
        elif isinstance(change, a.SetWatermark):
            lines.append(_watermark(change, writing))
        else:
            lines.append(_key(change.constraint, writing))
    return "ADD (\n  " + ",\n  ".join(lines) + "\n)"


def _key(constraint: Any, writing: CommandWriting) -> str:
    if not isinstance(constraint, KeyConstraint) or not constraint.is_primary or constraint.is_relied_on:
        raise TableException(
            f"Of constraints, Flink has PRIMARY KEY … NOT ENFORCED alone, and not {constraint.describe()}."
        )
    name = "" if constraint.name is None else f"CONSTRAINT {writing.name(constraint.name)} "
    return f"{name}PRIMARY KEY {writing.names(constraint.columns)} NOT ENFORCED"


def _modify(group: Group, writing: CommandWriting) -> str:
    lines = []
    for changes in split_groups(group, lambda before, change: before[0].path == change.path):
        column = writing.name(_require_column(changes[0].path, changes[0]))
        change = next((each for each in changes if isinstance(each, a.ChangeColumnType)), None)
        if change is None:
            raise TableException(
                f"Flink's MODIFY repeats the type of a column, which is no part of this change: "
                f"{changes[0].describe()}. Change the type, too, be it to the same."
            )
        text = f"{column} {type_text(change.data_type, writing.notation)}"
        text += "" if change.data_type.nullable else " NOT NULL"
        for each in changes:
            if isinstance(each, a.ChangeColumnComment):
                text += f" COMMENT {writing.string(each.comment)}"
            elif isinstance(each, a.ChangeColumnPosition):
                text += write_position(each.position, writing)
        lines.append(text)
    return "MODIFY (\n  " + ",\n  ".join(lines) + "\n)"


def _drop_columns(group: Group, writing: CommandWriting) -> str:
    if any(change.if_exists for change in group):
        raise TableException("Flink's DROP of columns has no IF EXISTS.")
    return f"DROP {writing.names(_require_column(change.path, change) for change in group)}"


def _rename_column(group: Group, writing: CommandWriting) -> str:
    change = group[0]
    return f"RENAME {writing.name(_require_column(change.path, change))} TO {writing.name(change.new_name)}"


def _rename_table(group: Group, writing: CommandWriting) -> str:
    return f"RENAME TO {writing.path(group[0].new_target)}"


def _set_properties(group: Group, writing: CommandWriting) -> str:
    return f"SET {writing.properties(group[0].properties)}"


def _remove_properties(group: Group, writing: CommandWriting) -> str:
    if not group[0].if_exists:
        raise TableException("Flink's RESET ignores options that a table lacks; say so with if_exists.")
    return f"RESET ({', '.join(map(writing.string, group[0].keys))})"


def _drop_constraint(group: Group, writing: CommandWriting) -> str:
    change = group[0]
    if change.if_exists or change.cascades:
        raise TableException("Flink's DROP CONSTRAINT has neither IF EXISTS nor CASCADE.")
    return "DROP PRIMARY KEY" if change.name is None else f"DROP CONSTRAINT {writing.name(change.name)}"


def _watermark(change: a.SetWatermark, writing: CommandWriting) -> str:
    return f"WATERMARK FOR {writing.name(change.column)} AS {writing.expression(change.strategy)}"


def _set_watermark(group: Group, writing: CommandWriting) -> str:
    return f"{'ADD' if group[0].is_new else 'MODIFY'} {_watermark(group[0], writing)}"


def _set_distribution(group: Group, writing: CommandWriting) -> str:
    change = group[0]
    text = f"{'ADD' if change.is_new else 'MODIFY'} DISTRIBUTION"
    if change.columns:
        text += f" BY {'' if change.kind is None else change.kind}{writing.names(change.columns)}"
    return text if change.buckets is None else f"{text} INTO {change.buckets} BUCKETS"


def _drop_watermark(group: Group, writing: CommandWriting) -> str:
    return "DROP WATERMARK"


def _drop_distribution(group: Group, writing: CommandWriting) -> str:
    return "DROP DISTRIBUTION"


def _add_partitions(group: Group, writing: CommandWriting) -> str:
    change = group[0]
    if any(new.location is not None for new in change.partitions):
        raise TableException("Flink's ADD PARTITION has no LOCATION.")
    partitions = " ".join(partition_text(new.partition, writing) for new in change.partitions)
    return f"ADD {'IF NOT EXISTS ' if change.if_not_exists else ''}{partitions}"


def _drop_partitions(group: Group, writing: CommandWriting) -> str:
    change = group[0]
    if change.purges:
        raise TableException("Flink's DROP PARTITION has no PURGE.")
    partitions = ", ".join(partition_text(partition, writing) for partition in change.partitions)
    return f"DROP {'IF EXISTS ' if change.if_exists else ''}{partitions}"


_WRITERS: Final[Mapping[type[a.TableChange], Callable[[Group, CommandWriting], str]]] = {
    **dict.fromkeys(_ADDED, _add),
    **dict.fromkeys(_MODIFIED, _modify),
    a.DropColumn: _drop_columns,
    a.RenameColumn: _rename_column,
    a.RenameTable: _rename_table,
    a.SetProperties: _set_properties,
    a.RemoveProperties: _remove_properties,
    a.DropConstraint: _drop_constraint,
    a.SetWatermark: _set_watermark,
    a.DropWatermark: _drop_watermark,
    a.SetDistribution: _set_distribution,
    a.DropDistribution: _drop_distribution,
    p.AddPartitions: _add_partitions,
    p.DropPartitions: _drop_partitions,
}
