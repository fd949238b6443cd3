"""The inserts of the fluent API that do what INSERT commands say."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ir.commands.rows import InsertInto, InsertMode
from ir.expressions import ValueLiteral
from ir.identifiers import ObjectIdentifier
from tableapi.queries.query import Query
from tableapi.table_pipeline import TablePipeline

if TYPE_CHECKING:
    from tableapi.queries.environment_parts import EnvironmentParts


def pipeline_of(environment: EnvironmentParts, command: InsertInto) -> TablePipeline | None:
    """Return the pipeline that does the same as an INSERT, None if there is none.

    There is none for some rows that a condition chooses, and for an overwritten table of Spark's with partitions, of
    which the session's settings say how many are replaced.

    Raises:
        ValidationException: the query does not fit the table.
    """
    if command.mode is InsertMode.REPLACE_WHERE:
        return None
    keys = command.partition.keys if command.partition is not None else ()
    partition = {key.name: key.value.value for key in keys if isinstance(key.value, ValueLiteral)}
    is_overwrite = command.mode is InsertMode.OVERWRITE
    path = _path(command.target)
    if is_overwrite:
        sink = environment.statements.sink(path)
        if sink.identifier is not None and sink.partition_keys:
            return None
    columns = command.columns if command.names_columns or command.is_by_name else None
    query = Query(command.query, environment)
    return TablePipeline(query, path, is_overwrite, partition or None, columns, is_by_name=command.is_by_name)


def _path(identifier: ObjectIdentifier) -> str:
    return identifier.as_serializable_string()
