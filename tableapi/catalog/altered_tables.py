"""ALTER TABLE for tables of catalogs that Spark does not have: the described table changes, its files stay as they are.

A change of columns is accepted where the files that exist read as before. What each format reads was measured with
Spark 4.3: Parquet, ORC and JSON find columns by their names, and a column that a file lacks is NULL; CSV finds columns
by their places.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Final

import attrs

from ir.commands import alterations as a
from ir.commands import partitions as p
from ir.commands.table_definition import (
    CheckConstraint,
    ColumnDefinition,
    Constraint,
    ForeignKeyConstraint,
    PrimaryKeyConstraint,
    TableDefinition,
    UniqueConstraint,
)
from ir.errors import TableException, ValidationException
from ir.expressions import FieldReference
from ir.file_formats import connector_of_files
from ir.identifiers import ObjectIdentifier, fold
from ir.resolution.commands.alterations import check_change
from ir.resolution.commands.altered_table import AlteredTable
from ir.schema import ResolvedSchema
from ir.types import (
    BigIntType,
    BooleanType,
    DateType,
    DecimalType,
    DoubleType,
    FloatType,
    IntegralType,
    LocalZonedTimestampType,
    LogicalType,
    StringType,
    TimestampType,
)
from tableapi.catalog.catalog import CatalogTable
from tableapi.declarations.declared_columns import PhysicalColumn
from tableapi.declarations.file_options import options_of_files
from tableapi.declarations.file_tables import FileTable, check_types

if TYPE_CHECKING:
    from collections.abc import Sequence


def alter_catalog_table(
    identifier: ObjectIdentifier, table: CatalogTable, changes: Sequence[a.TableChange]
) -> CatalogTable:
    """Return a table after changes other than a new name.

    Args:
        identifier: the full name of the table.
        table: the table.
        changes: the changes.

    Raises:
        ValidationException: the table lacks a column that a change names, or has one that it adds.
        TableException: the catalog keeps no such property of a table, or files of the format would not read as before.
    """
    for change in changes:
        if table.files is not None and table.files.is_external and not isinstance(change, a.ChangeTableComment):
            raise TableException(
                f"The rows of {identifier.as_summary_string()} are in another system ({table.files.format}). Change "
                "the table there, then drop this one and create it again; its rows stay."
            )
        apply = _APPLIED.get(type(change))
        if apply is None:
            raise TableException(
                f"{identifier.as_summary_string()} is in the catalog {identifier.catalog}, which Spark does not have; "
                f"{_reason(change)}"
            )
        table = _with_descriptor(identifier, apply(identifier, table, change), change)
    return table


def _with_descriptor(identifier: ObjectIdentifier, table: CatalogTable, change: a.TableChange) -> CatalogTable:
    """Return a changed table whose descriptor says the same as the table, with its key and its watermark.

    Raises:
        TableException: the change takes a column away that the key or the watermark names.
    """
    descriptor, files = table.descriptor, table.files
    if descriptor is None or descriptor.declared_schema is None or files is None or files.is_external:
        return table
    declared = descriptor.declared_schema
    stored = table.schema if files.schema is None else files.schema
    if isinstance(change, _COLUMN_CHANGES):
        named = {"primary key": declared.primary_key_columns, "watermark": [name for name, _ in declared.watermarks]}
        for what, names in named.items():
            for name in names:
                if stored.index_of(name) is None:
                    raise TableException(
                        f"The {what} of {identifier.as_summary_string()} is of the column {name!r}, which therefore "
                        "stays. Drop the table, whose files stay, and create it again."
                    )
        columns = tuple([PhysicalColumn(c.name, c.data_type, c.comment) for c in stored.columns])
        declared = attrs.evolve(declared, columns=columns)
    made = connector_of_files(files.format, files.path, dict(files.options))
    options = {**descriptor.options, **({} if files.path is None else {"path": files.path})} if made is None else made
    return attrs.evolve(
        table,
        descriptor=attrs.evolve(
            descriptor,
            declared_schema=declared,
            options=options,
            partition_keys=table.partition_keys,
            comment=table.comment,
        ),
    )


def _reason(change: a.TableChange) -> str:
    """Return why a catalog that Spark does not have keeps no such change, and the way out."""
    if isinstance(change, p.AddPartitions | p.RenamePartition | p.RecoverPartitions):
        return "the partitions of its tables are the directories that exist. Write rows into the partition instead."
    if isinstance(change, p.DropPartitions):
        return (
            "the partitions of its tables are the directories that exist. Delete the directory, or overwrite the "
            "partition: INSERT OVERWRITE … PARTITION."
        )
    return (
        f"its tables have columns, a comment, options and a location, and no more ({change.describe()}). Create the "
        "table in a catalog of the Spark session, with a format that has this."
    )


# --- columns ---------------------------------------------------------------------------------------------------------


def _change_columns(identifier: ObjectIdentifier, table: CatalogTable, change: a.TableChange) -> CatalogTable:
    shown = identifier.as_summary_string()
    files = table.files
    _require_plain_columns(shown, table)
    stored = table.schema if files is None or files.schema is None else files.schema
    before = AlteredTable.of(identifier, stored, table.partition_keys)
    checked, after = check_change(change, before)
    assert after is not None
    _require_no_default(shown, checked)
    if files is None:
        definition = None if table.definition is None else _keep_rules(table.definition, after.schema)
        return attrs.evolve(table, schema=after.schema, partition_keys=after.partition_keys, definition=definition)
    _require_readable(shown, files, checked, before)
    inside = [column for column in after.schema.columns if column.name not in after.partition_keys]
    check_types(ResolvedSchema(tuple(inside)), files.format, shown)
    return _with_files(table, attrs.evolve(files, schema=after.schema, partition_keys=after.partition_keys))


def _keep_rules(definition: TableDefinition, schema: ResolvedSchema) -> TableDefinition:
    """Return the definition of a declared table over changed columns, with the rules whose columns are unchanged."""
    before = {fold(column.name): column for column in definition.columns}
    columns = []
    for column in schema.columns:
        old = before.get(fold(column.name))
        value = old.value if old is not None and old.data_type == column.data_type else None
        columns.append(ColumnDefinition(column.name, column.data_type, value, column.comment))
    same = {fold(c.name) for c in columns if (old := before.get(fold(c.name))) and old.data_type == c.data_type}
    kept = [constraint for constraint in definition.constraints if _columns_of(constraint) <= same]
    return definition.evolve(columns=tuple(columns), constraints=tuple(kept))


def _columns_of(constraint: Constraint) -> set[str]:
    """Return the folded names of the columns that a constraint is about."""
    if isinstance(constraint, CheckConstraint):
        return {fold(part.name) for part in constraint.condition.walk() if isinstance(part, FieldReference)}
    assert isinstance(constraint, PrimaryKeyConstraint | UniqueConstraint | ForeignKeyConstraint)
    return set(map(fold, constraint.columns))


def _with_files(table: CatalogTable, files: FileTable) -> CatalogTable:
    return attrs.evolve(
        table,
        schema=files.source.schema,
        options=files.options,
        data=files.source,
        files=files,
        partition_keys=files.partition_keys,
    )


def _require_plain_columns(shown: str, table: CatalogTable) -> None:
    """Refuse to change the columns of a table whose rows are those of a query.

    Raises:
        TableException: the table has computed columns or rows of its own.
    """
    files = table.files
    if files is None and table.data is None:
        return
    if files is None:
        raise TableException(
            f"{shown} has rows of its own, whose columns do not change. Store a view over it with the columns that "
            "you want."
        )
    if files.derived or files.schema is None or (table.data is not None and table.data.inputs):
        raise TableException(f"{shown} has computed columns. Drop it and create it again; its files stay.")


def _require_no_default(shown: str, change: a.TableChange) -> None:
    columns = change.columns if isinstance(change, a.ReplaceColumns) else ()
    if isinstance(change, a.AddColumn):
        columns = (change.column,)
    for column in columns:
        if column.default is not None:
            raise TableException(
                f"The column {column.name} of {shown} has a default, which the catalog does not keep. Leave it out, "
                "and give a value in each INSERT."
            )


def _require_readable(shown: str, files: FileTable, change: a.TableChange, before: AlteredTable) -> None:
    """Refuse a change after which files would read differently.

    Raises:
        TableException: the change is such a one.
    """
    if files.format not in _READS and not isinstance(change, a.ChangeColumnComment | a.ChangeColumnNullability):
        raise TableException(
            f"The files of {shown} are {files.format}, of which only comments and nullability of columns are changed. "
            "Drop the table, whose files stay, and create it again; or store a view over it."
        )
    by_place = files.format == "csv"
    columns = [name for name in before.schema.names if name not in before.partition_keys]
    match change:
        case a.AddColumn() if not change.column.data_type.nullable:
            raise TableException(
                f"The files of {shown} hold no {'.'.join(change.path)}, which is NULL in their rows. Add it without "
                "NOT NULL."
            )
        case a.AddColumn() if by_place and change.position is not None and change.position.after != columns[-1]:
            _refuse_place(shown, f"add {change.column.name} at the end")
        case a.DropColumn() if by_place and before.has(change.path) and change.path[0] != columns[-1]:
            _refuse_place(shown, f"drop the last column, {columns[-1]}, alone")
        case a.ChangeColumnPosition() if by_place:
            _refuse_place(shown, "store a view over it with the other order")
        case a.ReplaceColumns():
            raise TableException(
                f"The files of {shown} keep their columns. Add and drop columns one by one, or drop the table, whose "
                "files stay, and create it again."
            )
        case a.RenameColumn() if not by_place or change.path[0] in before.partition_keys:
            raise TableException(
                f"The files of {shown} hold the name {'.'.join(change.path)}, under which {files.format} finds the "
                "column. Store a view over the table with the new name, or write its rows into a new one."
            )
        case a.ChangeColumnType():
            _require_readable_type(shown, files, change, before)


def _refuse_place(shown: str, instead: str) -> None:
    raise TableException(f"The files of {shown} are CSV, which finds columns by their places: {instead}.")


def _require_readable_type(shown: str, files: FileTable, change: a.ChangeColumnType, before: AlteredTable) -> None:
    if change.path[0] in before.partition_keys:
        raise TableException(
            f"{change.shown} partitions {shown}; its values are names of directories, and its type stays."
        )
    old, new = before.type_of(change.path), change.data_type
    if not _READS[files.format](old, new) and not old.same_type(new):
        raise TableException(
            f"The {files.format} files of {shown} hold {change.shown} as {old.as_summary_string()}, and do not read as "
            f"{new.as_summary_string()}. Write the rows into a new table, with a cast; or store a view that casts."
        )


def _reads_parquet(old: LogicalType, new: LogicalType) -> bool:
    """Whether Spark's reader of Parquet reads one type as a wider one with equal values."""
    match old, new:
        case IntegralType(), IntegralType():
            return True
        case IntegralType(), DoubleType():
            return not isinstance(old, BigIntType)
        case IntegralType(), DecimalType():
            return new.precision - new.scale >= (20 if isinstance(old, BigIntType) else 10)
        case (FloatType(), DoubleType()) | (DecimalType(), DecimalType()):
            return True
        case DateType(), TimestampType():
            return True
    return False


def _reads_orc(old: LogicalType, new: LogicalType) -> bool:
    """Whether Spark's reader of ORC reads one type as a wider one with equal values."""
    if isinstance(old, TimestampType | LocalZonedTimestampType | BooleanType):
        return isinstance(old, LocalZonedTimestampType) and isinstance(new, StringType)
    return not (isinstance(old, DateType) and isinstance(new, TimestampType))


def _reads_text(old: LogicalType, new: LogicalType) -> bool:
    """Whether CSV and JSON read one type as a wider one with equal values."""
    if isinstance(old, LocalZonedTimestampType):
        return False
    if isinstance(old, TimestampType):
        return isinstance(new, LocalZonedTimestampType)
    return not (isinstance(old, BigIntType) and isinstance(new, LocalZonedTimestampType))


_READS: Final[Mapping[str, Callable[[LogicalType, LogicalType], bool]]] = {
    "parquet": _reads_parquet,
    "orc": _reads_orc,
    "json": _reads_text,
    "csv": _reads_text,
}
"""Whether files of a format read a column of one type as a wider one. The types have passed ``can_alter_type``."""


# --- the table -------------------------------------------------------------------------------------------------------


def _change_comment(identifier: ObjectIdentifier, table: CatalogTable, change: a.ChangeTableComment) -> CatalogTable:
    files = table.files
    if files is not None:
        files = attrs.evolve(files, comment=change.comment)
    return attrs.evolve(table, comment=change.comment, files=files)


def _set_properties(identifier: ObjectIdentifier, table: CatalogTable, change: a.SetProperties) -> CatalogTable:
    files, given = table.files, dict(change.properties)
    if files is None:
        return attrs.evolve(table, options={**table.options, **given})
    shown = f"the table {identifier.as_summary_string()}"
    path = given.pop("path", files.path)
    for key in ("connector", "format"):
        if key in given:
            raise ValidationException(
                f"The {key} of {shown} cannot be changed: its files are {files.format}. Create another table."
            )
    _, options = options_of_files({"connector": "filesystem", "format": files.format, **given}, shown)
    return _moved(table, attrs.evolve(files, path=path, options={**files.options, **options}))


def _remove_properties(identifier: ObjectIdentifier, table: CatalogTable, change: a.RemoveProperties) -> CatalogTable:
    files = table.files
    if files is None:
        return attrs.evolve(table, options={k: v for k, v in table.options.items() if k not in change.keys})
    shown = f"the table {identifier.as_summary_string()}"
    for key in change.keys:
        if key in ("connector", "format", "path"):
            raise ValidationException(f"{shown[0].upper()}{shown[1:]} needs its {key}, which cannot be removed.")
    given = {"connector": "filesystem", "format": files.format, **dict.fromkeys(change.keys, "")}
    _, removed = options_of_files(given, shown)
    return _moved(table, attrs.evolve(files, options={k: v for k, v in files.options.items() if k not in removed}))


def _set_location(identifier: ObjectIdentifier, table: CatalogTable, change: p.SetLocation) -> CatalogTable:
    shown = identifier.as_summary_string()
    if table.files is None or change.partition is not None:
        raise TableException(
            f"{shown} is in the catalog {identifier.catalog}, where a table of files has one location, and no other "
            "table or partition has any."
        )
    if not change.location.strip():
        raise ValidationException(f"The location of {shown} is empty.")
    return _moved(table, attrs.evolve(table.files, path=change.location))


def _moved(table: CatalogTable, files: FileTable) -> CatalogTable:
    """Return a table with other files or options of the same columns."""
    if table.data is not None and table.data.inputs:
        raise TableException("A table with computed columns cannot be changed. Drop it and create it again.")
    return _with_files(table, files)


_COLUMN_CHANGES: Final = (
    a.AddColumn,
    a.DropColumn,
    a.RenameColumn,
    a.ChangeColumnType,
    a.ChangeColumnNullability,
    a.ChangeColumnComment,
    a.ChangeColumnPosition,
    a.ReplaceColumns,
)
_APPLIED: Final[Mapping[type[a.TableChange], Callable[[ObjectIdentifier, CatalogTable, Any], CatalogTable]]] = {
    **dict.fromkeys(_COLUMN_CHANGES, _change_columns),
    a.ChangeTableComment: _change_comment,
    a.SetProperties: _set_properties,
    a.RemoveProperties: _remove_properties,
    p.SetLocation: _set_location,
}
