"""Writes ALTER TABLE for Spark: one statement for each kind of change."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from ir.commands import alterations as a
from ir.commands import partitions as p
from ir.commands.columns import (
    CheckConstraint,
    ColumnDefinition,
    ColumnPosition,
    ForeignKey,
    KeyConstraint,
    TableConstraint,
)
from ir.errors import TableException
from serializer.commands.partitions import partition_text
from serializer.types import type_text

if TYPE_CHECKING:
    from serializer.commands.writing import CommandWriting

Group = Sequence[Any]
SEPARATOR: Final = ";\n"


def write_alter_table(command: a.AlterTable, writing: CommandWriting) -> str:
    """Write a command as one ALTER TABLE, or several with semicolons between them.

    Raises:
        TableException: Spark lacks a change.
    """
    target = command.target
    texts = []
    for group in split_groups(command.changes, _belongs_together):
        texts.append(_statement(group, writing.path(target), writing))
        if isinstance(group[0], a.RenameTable):
            target = group[0].new_target
    return SEPARATOR.join(texts)


def _statement(group: Group, path: str, writing: CommandWriting) -> str:
    first = group[0]
    if isinstance(first, a.ChangeTableComment):
        return f"COMMENT ON TABLE {path} IS {'NULL' if first.comment is None else writing.string(first.comment)}"
    write = _WRITERS.get(type(first))
    if write is None:
        raise TableException(f"SQL of Spark has no form of this change of a table: {first.describe()}.")
    return f"ALTER TABLE {path} {write(group, writing)}"


def split_groups(changes: Iterable[Any], belongs: Callable[[Group, Any], bool]) -> list[list[Any]]:
    """Split changes into groups, each of which is one statement."""
    groups: list[list[Any]] = []
    for change in changes:
        if groups and belongs(groups[-1], change):
            groups[-1].append(change)
        else:
            groups.append([change])
    return groups


_ALTERED: Final = (
    a.ChangeColumnType,
    a.ChangeColumnComment,
    a.ChangeColumnPosition,
    a.ChangeColumnNullability,
    a.ChangeColumnDefault,
)


def _belongs_together(group: Group, change: Any) -> bool:
    """Whether one statement of Spark can make the changes of a group and another change."""
    first = group[0]
    if isinstance(change, a.AddColumn) and isinstance(first, a.AddColumn):
        # A field of a row that the statement adds is unknown to it.
        return not any(change.parent[: len(other.path)] == other.path for other in group)
    if isinstance(change, a.DropColumn) and isinstance(first, a.DropColumn):
        return change.if_exists == first.if_exists
    if not isinstance(change, _ALTERED) or not isinstance(first, _ALTERED):
        return False
    if all(other.path == change.path for other in group):
        return _is_redefinition([*group, change])
    return not _has_redefinition(group) and all(other.path != change.path for other in group)


def _is_redefinition(group: Group) -> bool:
    """Whether changes are those of CHANGE COLUMN: of the type, then of the comment, of the place, or of both."""
    order = [_ALTERED.index(type(change)) for change in group]
    return order[0] == 0 and order == sorted(set(order)) and order[-1] < 3


def _has_redefinition(group: Group) -> bool:
    return len(group) > 1 and group[0].path == group[1].path


# --- columns ---------------------------------------------------------------------------------------------------------


def write_path(path: Sequence[str], writing: CommandWriting) -> str:
    """Write the name of a column or nested field."""
    return ".".join(map(writing.name, path))


def write_position(position: ColumnPosition | None, writing: CommandWriting) -> str:
    """Write FIRST or AFTER with a blank before it; nothing if there is no position."""
    if position is None:
        return ""
    return " FIRST" if position.after is None else f" AFTER {writing.name(position.after)}"


def write_definition(column: ColumnDefinition, parent: Sequence[str], writing: CommandWriting) -> str:
    """Write a column with its type, NOT NULL, default and comment."""
    text = f"{write_path((*parent, column.name), writing)} {type_text(column.data_type, writing.notation)}"
    if not column.data_type.nullable:
        text += " NOT NULL"
    if column.default is not None:
        text += f" DEFAULT {writing.expression(column.default)}"
    return text if column.comment is None else f"{text} COMMENT {writing.string(column.comment)}"


def _add_columns(group: Group, writing: CommandWriting) -> str:
    lines = [
        f"  {write_definition(change.column, change.parent, writing)}{write_position(change.position, writing)}"
        for change in group
    ]
    return "ADD COLUMNS (\n" + ",\n".join(lines) + "\n)"


def _drop_columns(group: Group, writing: CommandWriting) -> str:
    paths = ", ".join(write_path(change.path, writing) for change in group)
    return f"DROP COLUMNS {'IF EXISTS ' if group[0].if_exists else ''}({paths})"


def _rename_column(group: Group, writing: CommandWriting) -> str:
    (change,) = group
    return f"RENAME COLUMN {write_path(change.path, writing)} TO {writing.name(change.new_name)}"


def _alter_columns(group: Group, writing: CommandWriting) -> str:
    if _has_redefinition(group):
        path, new = group[0].path, type_text(group[0].data_type, writing.notation)
        text = f"CHANGE COLUMN {write_path(path, writing)} {writing.name(path[-1])} {new}"
        for change in group[1:]:
            if isinstance(change, a.ChangeColumnComment):
                text += f" COMMENT {writing.string(change.comment)}"
            else:
                text += write_position(change.position, writing)
        return text
    return "ALTER COLUMN " + ", ".join(
        f"{write_path(change.path, writing)} {_column_change(change, writing)}" for change in group
    )


def _column_change(change: Any, writing: CommandWriting) -> str:
    match change:
        case a.ChangeColumnType():
            return f"TYPE {type_text(change.data_type, writing.notation)}"
        case a.ChangeColumnComment():
            return f"COMMENT {writing.string(change.comment)}"
        case a.ChangeColumnNullability():
            return "DROP NOT NULL" if change.is_nullable else "SET NOT NULL"
        case a.ChangeColumnDefault(default=None):
            return "DROP DEFAULT"
        case a.ChangeColumnDefault():
            assert change.default is not None
            return f"SET DEFAULT {writing.expression(change.default)}"
    return write_position(change.position, writing).strip()


def _replace_columns(group: Group, writing: CommandWriting) -> str:
    lines = [f"  {write_definition(column, (), writing)}" for column in group[0].columns]
    return "REPLACE COLUMNS (\n" + ",\n".join(lines) + "\n)"


# --- the table -------------------------------------------------------------------------------------------------------


def write_rename_table(group: Group, writing: CommandWriting) -> str:
    """Write RENAME TO with the database of the new name."""
    new = group[0].new_target
    return f"RENAME TO {'.'.join(writing.name(part) for part in new.parts[-2:])}"


_RESERVED: Final = {
    "owner": "the user who creates the table",
    "location": "SET LOCATION",
    "provider": "USING in CREATE TABLE",
    "external": "LOCATION in CREATE TABLE",
}


def _refuse_reserved(keys: Iterable[str]) -> None:
    for key in keys:
        if key in _RESERVED:
            raise TableException(f"Spark reserves the property {key!r}; it is decided by {_RESERVED[key]}.")


def _set_properties(group: Group, writing: CommandWriting) -> str:
    _refuse_reserved(key for key, _ in group[0].properties)
    return f"SET TBLPROPERTIES {writing.properties(group[0].properties)}"


def _remove_properties(group: Group, writing: CommandWriting) -> str:
    _refuse_reserved(group[0].keys)
    keys = ", ".join(map(writing.string, group[0].keys))
    return f"UNSET TBLPROPERTIES {'IF EXISTS ' if group[0].if_exists else ''}({keys})"


def _set_collation(group: Group, writing: CommandWriting) -> str:
    return f"DEFAULT COLLATION {group[0].collation}"


def _cluster_by(group: Group, writing: CommandWriting) -> str:
    if not group[0].columns:
        return "CLUSTER BY NONE"
    return f"CLUSTER BY ({', '.join(write_path(path, writing) for path in group[0].columns)})"


def _add_constraint(group: Group, writing: CommandWriting) -> str:
    return f"ADD {constraint_text(group[0].constraint, writing)}"


def constraint_text(constraint: TableConstraint, writing: CommandWriting) -> str:
    """Write a constraint."""
    name = "" if constraint.name is None else f"CONSTRAINT {writing.name(constraint.name)} "
    match constraint:
        case CheckConstraint():
            return f"{name}CHECK ({writing.expression(constraint.condition)})"
        case KeyConstraint():
            kind = "PRIMARY KEY" if constraint.is_primary else "UNIQUE"
            text = f"{name}{kind} {writing.names(constraint.columns)}"
            return text + (" NOT ENFORCED RELY" if constraint.is_relied_on else " NOT ENFORCED")
        case ForeignKey():
            text = f"{name}FOREIGN KEY {writing.names(constraint.columns)} REFERENCES {writing.path(constraint.table)}"
            text += f" {writing.names(constraint.referred)}" if constraint.referred else ""
            return text + (" NOT ENFORCED RELY" if constraint.is_relied_on else " NOT ENFORCED")
    raise TableException(f"SQL has no form of a constraint: {constraint.describe()}.")


def _drop_constraint(group: Group, writing: CommandWriting) -> str:
    change = group[0]
    if change.name is None:
        raise TableException("SQL of Spark drops the primary key by its name: DROP CONSTRAINT name.")
    if_exists = "IF EXISTS " if change.if_exists else ""
    return f"DROP CONSTRAINT {if_exists}{writing.name(change.name)}{' CASCADE' if change.cascades else ''}"


# --- partitions ------------------------------------------------------------------------------------------------------


def _add_partitions(group: Group, writing: CommandWriting) -> str:
    change = group[0]
    text = "ADD IF NOT EXISTS" if change.if_not_exists else "ADD"
    for new in change.partitions:
        text += f"\n  {partition_text(new.partition, writing)}"
        text += "" if new.location is None else f" LOCATION {writing.string(new.location)}"
    return text


def _drop_partitions(group: Group, writing: CommandWriting) -> str:
    change = group[0]
    partitions = ", ".join(partition_text(partition, writing) for partition in change.partitions)
    return f"DROP {'IF EXISTS ' if change.if_exists else ''}{partitions}{' PURGE' if change.purges else ''}"


def _rename_partition(group: Group, writing: CommandWriting) -> str:
    old, new = (partition_text(each, writing) for each in (group[0].partition, group[0].new_partition))
    return f"{old} RENAME TO {new}"


def _recover_partitions(group: Group, writing: CommandWriting) -> str:
    return "RECOVER PARTITIONS"


def _set_location(group: Group, writing: CommandWriting) -> str:
    return f"{_of(group[0].partition, writing)}SET LOCATION {writing.string(group[0].location)}"


def _set_serde(group: Group, writing: CommandWriting) -> str:
    change = group[0]
    properties = f"SERDEPROPERTIES {writing.properties(change.properties)}" if change.properties else ""
    text = f"{_of(change.partition, writing)}SET "
    if change.serde is None:
        return text + properties
    return f"{text}SERDE {writing.string(change.serde)}" + (f" WITH {properties}" if properties else "")


def _of(partition: p.Partition | None, writing: CommandWriting) -> str:
    return "" if partition is None else f"{partition_text(partition, writing)} "


_WRITERS: Final[Mapping[type[a.TableChange], Callable[[Group, CommandWriting], str]]] = {
    a.AddColumn: _add_columns,
    a.DropColumn: _drop_columns,
    a.RenameColumn: _rename_column,
    **dict.fromkeys(_ALTERED, _alter_columns),
    a.ReplaceColumns: _replace_columns,
    a.RenameTable: write_rename_table,
    a.SetProperties: _set_properties,
    a.RemoveProperties: _remove_properties,
    a.SetDefaultCollation: _set_collation,
    a.ClusterBy: _cluster_by,
    a.AddConstraint: _add_constraint,
    a.DropConstraint: _drop_constraint,
    p.AddPartitions: _add_partitions,
    p.DropPartitions: _drop_partitions,
    p.RenamePartition: _rename_partition,
    p.RecoverPartitions: _recover_partitions,
    p.SetLocation: _set_location,
    p.SetSerde: _set_serde,
}
