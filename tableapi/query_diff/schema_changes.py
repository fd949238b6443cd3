"""Changes between two schemas: columns that are added, removed, renamed, reordered or changed in type."""

from __future__ import annotations

from collections.abc import Mapping

from ir.identifiers import fold
from ir.schema import Column, ResolvedSchema
from tableapi.query_diff.changes import (
    SchemaChange,
    SchemaColumnAdded,
    SchemaColumnRemoved,
    SchemaColumnRenamed,
    SchemaCommentChanged,
    SchemaNullabilityChanged,
    SchemaReordered,
    SchemaTypeChanged,
)


def compare_schemas(old: ResolvedSchema, new: ResolvedSchema, renames: Mapping[str, str]) -> tuple[SchemaChange, ...]:
    """Return the changes between two schemas; ``renames`` applies to columns whose old name no longer exists."""
    changes: list[SchemaChange] = []
    # Positions in the new schema, in the order of the old one.
    kept: dict[int, None] = {}
    for column in old.columns:
        position = new.index_of(column.name)
        if position is None:
            position = new.index_of(renames.get(column.name, column.name))
            if position is None or old.index_of(new.columns[position].name) is not None or position in kept:
                changes.append(SchemaColumnRemoved(column))
                continue
        kept[position] = None
        changes += _compare_columns(column, new.columns[position])
    changes += [SchemaColumnAdded(c) for position, c in enumerate(new.columns) if position not in kept]
    if list(kept) != sorted(kept):
        changes.append(SchemaReordered(tuple(new.columns[position].name for position in sorted(kept))))
    return tuple(changes)


def _compare_columns(old: Column, new: Column) -> list[SchemaChange]:
    changes: list[SchemaChange] = []
    if old.name != new.name:
        changes.append(SchemaColumnRenamed(old.name, new.name, fold(old.name) == fold(new.name)))
    if old.data_type.as_nullable() is not new.data_type.as_nullable():
        changes.append(SchemaTypeChanged(new.name, old.data_type, new.data_type))
    elif old.data_type is not new.data_type:
        changes.append(SchemaNullabilityChanged(new.name, new.data_type.nullable))
    if old.comment != new.comment:
        changes.append(SchemaCommentChanged(new.name, old.comment, new.comment))
    return changes
