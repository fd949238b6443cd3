"""Checks the changes of ALTER TABLE against the columns of the table, as Spark's analyzer would."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

from ir import light_attrs as attrs
from ir.cast_rules import can_up_cast
from ir.casts import can_store
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
from ir.errors import ValidationException, did_you_mean, listing
from ir.expressions import FieldReference, ValueLiteral
from ir.identifiers import ObjectIdentifier, fold
from ir.resolution.commands.altered_table import AlteredTable
from ir.summaries import show_as_sql
from ir.types import (
    ArrayType,
    BooleanType,
    CalendarIntervalType,
    CharacterType,
    CharType,
    IntervalType,
    LogicalType,
    MapType,
    RowType,
    TemporalType,
    VarCharType,
)

Checked = tuple[a.TableChange, AlteredTable]


def check_change(change: a.TableChange, table: AlteredTable | None) -> tuple[a.TableChange, AlteredTable | None]:
    """Check a change, and return it in the spelling of the table, with the table after it.

    Args:
        change: the change, with names as they are written.
        table: the table before the change; None if its columns are unknown, so that nothing can be checked.

    Raises:
        ValidationException: the table lacks a column, partition column or property that the change names, or has one
            that it adds; or the change would make rows of the table invalid.
    """
    check = _CHECKS.get(type(change))
    if table is None or check is None:
        return change, table
    return check(change, table)


def resolve_alteration(
    target: ObjectIdentifier, changes: Iterable[a.TableChange], table: AlteredTable | None
) -> a.AlterTable:
    """Check the changes of a table, each after those before it.

    Raises:
        ValidationException: as in ``check_change``.
    """
    checked = []
    for change in changes:
        made, table = check_change(change, table)
        checked.append(made)
    return a.AlterTable(target, tuple(checked))


# --- columns ---------------------------------------------------------------------------------------------------------


def _add_column(change: a.AddColumn, table: AlteredTable) -> Checked:
    parent = table.spell(change.parent)
    row = table.type_of(parent)
    if not isinstance(row, RowType):
        raise ValidationException(
            f"The column {'.'.join(parent)} of {table.shown} is of type {row.as_summary_string()}, to which no field "
            "can be added; a field of the rows in an array is added to element, of those in a map to value.",
            condition="INVALID_FIELD_NAME",
        )
    if table.has(change.path):
        raise ValidationException(
            f"{table.shown} has a column {'.'.join(change.path)} already.", condition="COLUMN_ALREADY_EXISTS"
        )
    check_default(change.column)
    position = _spell_position(change.position, parent, table)
    made = a.AddColumn(parent, change.column, position)
    return made, table.with_column(parent, change.column, position)


def _drop_column(change: a.DropColumn, table: AlteredTable) -> Checked:
    if change.if_exists and not table.has(change.path):
        return change, table
    path = table.spell(change.path)
    _require_field(path, table)
    if len(path) == 1:
        if path[0] in table.partition_keys:
            raise ValidationException(
                f"The column {path[0]} is a partition column of {table.shown}, and cannot be dropped."
            )
        if path[0] in table.primary_key:
            raise ValidationException(
                f"The column {path[0]} is of the primary key of {table.shown}, and cannot be dropped before the key."
            )
    parent = table.type_of(path[:-1])
    if isinstance(parent, RowType) and len(parent.fields) == 1:
        of = f"the column {'.'.join(path[:-1])} of " if len(path) > 1 else ""
        raise ValidationException(f"{path[-1]} is the only column of {of}{table.shown}, which needs one.")
    return a.DropColumn(path, change.if_exists), table.without_column(path)


def _rename_column(change: a.RenameColumn, table: AlteredTable) -> Checked:
    path = table.spell(change.path)
    _require_field(path, table)
    new = (*path[:-1], change.new_name)
    if fold(change.new_name) != fold(path[-1]) and table.has(new):
        raise ValidationException(
            f"{table.shown} has a column {'.'.join(new)} already.", condition="COLUMN_ALREADY_EXISTS"
        )
    return a.RenameColumn(path, change.new_name), table.with_name(path, change.new_name)


def _change_type(change: a.ChangeColumnType, table: AlteredTable) -> Checked:
    path = table.spell(change.path)
    old, new = table.type_of(path), change.data_type
    new = new.with_nullability(old.nullable)
    if not can_alter_type(old, new):
        raise ValidationException(
            f"The column {'.'.join(path)} of {table.shown} is of type {old.as_summary_string()}, which cannot become "
            f"{new.as_summary_string()}: {_reason_against(old, new)}",
            condition="NOT_SUPPORTED_CHANGE_COLUMN",
        )
    return a.ChangeColumnType(path, new), table.with_type(path, new)


def can_alter_type(old: LogicalType, new: LogicalType) -> bool:
    """Whether ALTER COLUMN can change a type to another one: to the same, or to a wider one.

    Source: ``CheckAnalysis.checkAlterTableCommand`` of Spark 4.

    >>> from ir.types import BIGINT, INT
    >>> can_alter_type(INT, BIGINT), can_alter_type(BIGINT, INT)
    (True, False)
    """
    if isinstance(new, RowType | ArrayType | MapType | IntervalType | CalendarIntervalType):
        return old.same_type(new)
    match old, new:
        case CharType(), CharType():
            return old.length == new.length
        case ((CharType() | VarCharType()), VarCharType()):
            return old.length <= new.length
        case _, (CharType() | VarCharType()):
            return False
    return can_up_cast(old, new)


def _reason_against(old: LogicalType, new: LogicalType) -> str:
    if isinstance(new, RowType) and isinstance(old, RowType):
        return "the fields of a row are changed one by one, by their paths."
    if isinstance(new, ArrayType) and isinstance(old, ArrayType):
        return "the elements of an array are changed by the path that ends with element."
    if isinstance(new, MapType) and isinstance(old, MapType):
        return "the parts of a map are changed by the paths that end with key and value."
    return (
        "only a wider type holds all its values. Add a column of the new type, fill it with a cast, and drop the old "
        "column."
    )


def _change_nullability(change: a.ChangeColumnNullability, table: AlteredTable) -> Checked:
    path = table.spell(change.path)
    data_type = table.type_of(path)
    if not change.is_nullable and data_type.nullable:
        raise ValidationException(
            f"The column {'.'.join(path)} of {table.shown} is nullable, and cannot become NOT NULL: rows may hold "
            "NULL. Add a column that is NOT NULL with a default instead, or a constraint CHECK "
            f"({'.'.join(path)} IS NOT NULL) where the format has those.",
            condition="NOT_SUPPORTED_CHANGE_COLUMN",
        )
    made = a.ChangeColumnNullability(path, change.is_nullable)
    return made, table.with_type(path, data_type.with_nullability(change.is_nullable))


def _change_comment(change: a.ChangeColumnComment, table: AlteredTable) -> Checked:
    path = table.spell(change.path)
    _require_field(path, table)
    return a.ChangeColumnComment(path, change.comment), table.with_comment(path, change.comment or None)


def _change_position(change: a.ChangeColumnPosition, table: AlteredTable) -> Checked:
    path = table.spell(change.path)
    _require_field(path, table)
    position = _spell_position(change.position, path[:-1], table)
    assert position is not None
    if position.after == path[-1]:
        raise ValidationException(f"The column {'.'.join(path)} cannot be moved behind itself.")
    return a.ChangeColumnPosition(path, position), table.with_position(path, position)


def _change_default(change: a.ChangeColumnDefault, table: AlteredTable) -> Checked:
    path = table.spell(change.path)
    if change.default is not None:
        check_default(ColumnDefinition(".".join(path), table.type_of(path), None, change.default))
    return a.ChangeColumnDefault(path, change.default), table


def _replace_columns(change: a.ReplaceColumns, table: AlteredTable) -> Checked:
    seen: set[str] = set()
    for column in change.columns:
        if fold(column.name) in seen:
            raise ValidationException(f"The column {column.name} is there twice.", condition="COLUMN_ALREADY_EXISTS")
        seen.add(fold(column.name))
        check_default(column)
    missing = [key for key in table.partition_keys if fold(key) not in seen]
    if missing:
        raise ValidationException(
            f"{table.shown} is partitioned by {missing[0]}, which the new columns lack. Repeat it."
        )
    return change, table.with_columns(change.columns)


def check_default(column: ColumnDefinition) -> None:
    """Refuse a default that is not a constant, or cannot be stored in its column.

    Raises:
        ValidationException: the default is not constant, or has a type that the column cannot store.
    """
    default = column.default
    if default is None:
        return
    if any(isinstance(part, FieldReference) for part in default.walk()):
        raise ValidationException(
            f"The default of {column.name} is {show_as_sql(default)}, which refers to a column. A default is a "
            "constant, or a call such as CURRENT_TIMESTAMP().",
            condition="INVALID_DEFAULT_VALUE.NOT_CONSTANT",
        )
    is_null = isinstance(default, ValueLiteral) and default.value is None
    if is_null and not column.data_type.nullable:
        raise ValidationException(f"The column {column.name} is NOT NULL, and its default is NULL.")
    if not is_null and not can_store(default.data_type, column.data_type):
        raise ValidationException(
            f"The default of {column.name} is of type {default.data_type.as_summary_string()}, and cannot be stored "
            f"in {column.data_type.as_summary_string()}; cast it.",
            condition="INVALID_DEFAULT_VALUE.DATA_TYPE",
        )


def _require_field(path: tuple[str, ...], table: AlteredTable) -> None:
    """Refuse the elements of arrays and maps, which have neither name, comment nor place."""
    if not isinstance(table.type_of(path[:-1]), RowType):
        raise ValidationException(
            f"{'.'.join(path)} of {table.shown} is a part of an array or map; only its type can be changed."
        )


def _spell_position(
    position: ColumnPosition | None, parent: tuple[str, ...], table: AlteredTable
) -> ColumnPosition | None:
    if position is None or position.after is None:
        return position
    return ColumnPosition(table.spell((*parent, position.after))[-1])


# --- the table -------------------------------------------------------------------------------------------------------


def _cluster_by(change: a.ClusterBy, table: AlteredTable) -> Checked:
    return a.ClusterBy(tuple([table.spell(path) for path in change.columns])), table


def _add_constraint(change: a.AddConstraint, table: AlteredTable) -> Checked:
    constraint = _check_constraint(change.constraint, table)
    if isinstance(constraint, KeyConstraint) and constraint.is_primary:
        if table.primary_key:
            raise ValidationException(
                f"{table.shown} has the primary key ({', '.join(table.primary_key)}) already; drop it first."
            )
        table = attrs.evolve(table, primary_key=constraint.columns)
    return a.AddConstraint(constraint), table


def _check_constraint(constraint: TableConstraint, table: AlteredTable) -> TableConstraint:
    if isinstance(constraint, KeyConstraint | ForeignKey):
        columns = tuple([table.spell((column,))[0] for column in constraint.columns])
        return constraint.evolve(columns=columns)
    if isinstance(constraint, CheckConstraint) and not isinstance(constraint.condition.data_type, BooleanType):
        raise ValidationException(
            f"CHECK takes a condition, but {show_as_sql(constraint.condition)} is of type "
            f"{constraint.condition.data_type.as_summary_string()}."
        )
    return constraint


def _drop_constraint(change: a.DropConstraint, table: AlteredTable) -> Checked:
    return change, attrs.evolve(table, primary_key=()) if change.name is None else table


def _set_watermark(change: a.SetWatermark, table: AlteredTable) -> Checked:
    column = table.spell((change.column,))[0]
    data_type = table.type_of((column,))
    if not isinstance(data_type, TemporalType):
        raise ValidationException(
            f"The watermark of {table.shown} is on {column}, which is of type {data_type.as_summary_string()}; it "
            "takes a column of times."
        )
    return a.SetWatermark(column, change.strategy, change.is_new), table


def _set_distribution(change: a.SetDistribution, table: AlteredTable) -> Checked:
    columns = tuple([table.spell((column,))[0] for column in change.columns])
    return change.evolve(columns=columns), table


# --- partitions ------------------------------------------------------------------------------------------------------


def check_partition(partition: p.Partition, table: AlteredTable, *, is_whole: bool) -> p.Partition:
    """Return a partition in the spelling of the table.

    Args:
        partition: the partition.
        table: its table.
        is_whole: whether it must give a value to every partition column.

    Raises:
        ValidationException: the table is not partitioned, or not by these columns; a value cannot be stored in its
            column.
    """
    keys = table.partition_keys
    if not keys:
        raise ValidationException(f"{table.shown} is not partitioned.")
    made: list[p.PartitionKey] = []
    for key in partition.keys:
        name = next((known for known in keys if fold(known) == fold(key.name)), None)
        if name is None:
            raise ValidationException(
                f"{table.shown} is not partitioned by {key.name}, but by [{listing(keys)}]."
                + did_you_mean(key.name, keys),
                condition="PARTITIONS_NOT_FOUND",
            )
        if any(other.name == name for other in made):
            raise ValidationException(f"The partition column {name} is named twice. Leave one out.")
        if is_whole and key.value is None:
            raise ValidationException(f"The partition column {name} has no value: {name} = ….")
        if key.value is not None and not _can_be_partition_value(key.value.data_type, table.type_of((name,))):
            raise ValidationException(
                f"The partition column {name} is of type {table.type_of((name,)).as_summary_string()}, in which "
                f"{show_as_sql(key.value)} cannot be stored."
            )
        made.append(p.PartitionKey(name, key.value))
    given = {key.name for key in made}
    if is_whole and len(given) < len(keys):
        missing = [key for key in keys if key not in given]
        raise ValidationException(f"The partition has no value of {missing[0]}, by which {table.shown} is partitioned.")
    return p.Partition(tuple(made))


def _can_be_partition_value(given: LogicalType, column: LogicalType) -> bool:
    """Whether a value names partitions of a column: Spark casts strings, because names of directories are strings."""
    return isinstance(given, CharacterType) or can_store(given, column)


def _add_partitions(change: p.AddPartitions, table: AlteredTable) -> Checked:
    made = [p.NewPartition(check_partition(n.partition, table, is_whole=True), n.location) for n in change.partitions]
    return p.AddPartitions(tuple(made), change.if_not_exists), table


def _drop_partitions(change: p.DropPartitions, table: AlteredTable) -> Checked:
    made = [check_partition(partition, table, is_whole=False) for partition in change.partitions]
    return change.evolve(partitions=tuple(made)), table


def _rename_partition(change: p.RenamePartition, table: AlteredTable) -> Checked:
    old = check_partition(change.partition, table, is_whole=True)
    return p.RenamePartition(old, check_partition(change.new_partition, table, is_whole=True)), table


def _of_partition(change: p.SetLocation | p.SetSerde, table: AlteredTable) -> Checked:
    if change.partition is None:
        return change, table
    return change.evolve(partition=check_partition(change.partition, table, is_whole=True)), table


def _recover_partitions(change: p.RecoverPartitions, table: AlteredTable) -> Checked:
    if not table.partition_keys:
        raise ValidationException(f"{table.shown} is not partitioned.")
    return change, table


_CHECKS: Final[Mapping[type[a.TableChange], Callable[[Any, AlteredTable], Checked]]] = {
    a.AddColumn: _add_column,
    a.DropColumn: _drop_column,
    a.RenameColumn: _rename_column,
    a.ChangeColumnType: _change_type,
    a.ChangeColumnNullability: _change_nullability,
    a.ChangeColumnComment: _change_comment,
    a.ChangeColumnPosition: _change_position,
    a.ChangeColumnDefault: _change_default,
    a.ReplaceColumns: _replace_columns,
    a.ClusterBy: _cluster_by,
    a.AddConstraint: _add_constraint,
    a.DropConstraint: _drop_constraint,
    a.SetWatermark: _set_watermark,
    a.SetDistribution: _set_distribution,
    p.AddPartitions: _add_partitions,
    p.DropPartitions: _drop_partitions,
    p.RenamePartition: _rename_partition,
    p.RecoverPartitions: _recover_partitions,
    p.SetLocation: _of_partition,
    p.SetSerde: _of_partition,
}
