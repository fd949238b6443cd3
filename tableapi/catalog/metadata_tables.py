"""The tables of metadata that Iceberg keeps beside a table, with the columns that do not depend on the table.

The session's own columns win where a session is running; these type queries over tables that a program declares.
Source: https://iceberg.apache.org/docs/latest/spark-queries/#inspecting-tables
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Final

from ir.identifiers import fold
from ir.schema import Column, ResolvedSchema
from ir.types import (
    BIGINT,
    BOOLEAN,
    BYTES,
    INT,
    STRING,
    TIMESTAMP_LTZ,
    ArrayType,
    LogicalType,
    MapType,
    RowField,
    RowType,
)

_BOUNDS: Final = MapType(INT.not_null(), BYTES)
_COUNTS: Final = MapType(INT.not_null(), BIGINT)
_SUMMARY: Final = RowType(
    (
        RowField("contains_null", BOOLEAN.not_null()),
        RowField("contains_nan", BOOLEAN),
        RowField("lower_bound", STRING),
        RowField("upper_bound", STRING),
    )
)
_SNAPSHOTS: Final = {
    "committed_at": TIMESTAMP_LTZ.not_null(),
    "snapshot_id": BIGINT.not_null(),
    "parent_id": BIGINT,
    "operation": STRING,
    "manifest_list": STRING,
    "summary": MapType(STRING.not_null(), STRING),
}
_HISTORY: Final = {
    "made_current_at": TIMESTAMP_LTZ.not_null(),
    "snapshot_id": BIGINT.not_null(),
    "parent_id": BIGINT,
    "is_current_ancestor": BOOLEAN.not_null(),
}
_LOG: Final = {
    "timestamp": TIMESTAMP_LTZ.not_null(),
    "file": STRING.not_null(),
    "latest_snapshot_id": BIGINT,
    "latest_schema_id": INT,
    "latest_sequence_number": BIGINT,
}
_REFS: Final = {
    "name": STRING.not_null(),
    "type": STRING.not_null(),
    "snapshot_id": BIGINT.not_null(),
    "max_reference_age_in_ms": BIGINT,
    "min_snapshots_to_keep": INT,
    "max_snapshot_age_in_ms": BIGINT,
}
_MANIFESTS: Final = {
    "content": INT.not_null(),
    "path": STRING.not_null(),
    "length": BIGINT.not_null(),
    "partition_spec_id": INT.not_null(),
    "added_snapshot_id": BIGINT.not_null(),
    "added_data_files_count": INT.not_null(),
    "existing_data_files_count": INT.not_null(),
    "deleted_data_files_count": INT.not_null(),
    "added_delete_files_count": INT.not_null(),
    "existing_delete_files_count": INT.not_null(),
    "deleted_delete_files_count": INT.not_null(),
    "partition_summaries": ArrayType(_SUMMARY.not_null(), nullable=False),
}
_FILES: Final = {
    "content": INT,
    "file_path": STRING.not_null(),
    "file_format": STRING.not_null(),
    "spec_id": INT,
    "record_count": BIGINT.not_null(),
    "file_size_in_bytes": BIGINT.not_null(),
    "column_sizes": _COUNTS,
    "value_counts": _COUNTS,
    "null_value_counts": _COUNTS,
    "nan_value_counts": _COUNTS,
    "lower_bounds": _BOUNDS,
    "upper_bounds": _BOUNDS,
    "key_metadata": BYTES,
    "split_offsets": ArrayType(BIGINT.not_null()),
    "equality_ids": ArrayType(INT.not_null()),
    "sort_order_id": INT,
}
_TABLES: Final[Mapping[str, Mapping[str, LogicalType]]] = {
    "snapshots": _SNAPSHOTS,
    "history": _HISTORY,
    "metadata_log_entries": _LOG,
    "refs": _REFS,
    "manifests": _MANIFESTS,
    "all_manifests": _MANIFESTS,
    "files": _FILES,
    "data_files": _FILES,
    "delete_files": _FILES,
    "all_files": _FILES,
    "all_data_files": _FILES,
    "all_delete_files": _FILES,
}
# Iceberg adds columns of the table itself to these, so that a session has to be asked.
_OF_ROWS: Final = ("entries", "all_entries", "partitions", "position_deletes", "changes")
METADATA_TABLES: Final = (*_TABLES, *_OF_ROWS)
_CHANGES: Final = {
    "_change_type": STRING.not_null(),
    "_change_ordinal": INT.not_null(),
    "_commit_snapshot_id": BIGINT.not_null(),
}
# Names after the name of a table that select an older or another state of it.
_STATES: Final = ("branch_", "tag_", "snapshot_id_", "at_timestamp_")


@cache
def _schema(columns: tuple[tuple[str, LogicalType], ...]) -> ResolvedSchema:
    return ResolvedSchema(tuple([Column(name, data_type) for name, data_type in columns]))


def metadata_schema(name: str, table: ResolvedSchema) -> ResolvedSchema | None:
    """Return the columns of a table of metadata, or of a branch or tag, of a table with the given columns.

    ``None`` if there is no such name, or if its columns are known by the session alone.

    >>> from ir.types import INT
    >>> table = ResolvedSchema((Column("id", INT),))
    >>> metadata_schema("history", table).names
    ('made_current_at', 'snapshot_id', 'parent_id', 'is_current_ancestor')
    >>> metadata_schema("branch_audit", table) is table, metadata_schema("changes", table).names[:2]
    (True, ('id', '_change_type'))
    """
    folded = fold(name)
    if folded.startswith(_STATES):
        return table
    if folded == "changes":
        return ResolvedSchema((*table.columns, *_schema(tuple(_CHANGES.items())).columns))
    found = _TABLES.get(folded)
    return None if found is None else _schema(tuple(found.items()))
