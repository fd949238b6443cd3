"""The inserts of the fluent API that do what INSERT commands say."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, get_args

from ir.commands.inserts import InsertInto, InsertIntoDirectory, InsertMode
from ir.expressions import ValueLiteral
from ir.identifiers import ObjectIdentifier
from tableapi.declarations.file_options import Format
from tableapi.queries.query import Query
from tableapi.table_descriptor import TableDescriptor
from tableapi.table_pipeline import TablePipeline

if TYPE_CHECKING:
    from tableapi.queries.environment_parts import EnvironmentParts


_FLUENT_MODES: Final = (InsertMode.APPEND, InsertMode.OVERWRITE)


def pipeline_of(environment: EnvironmentParts, command: InsertInto) -> TablePipeline | None:
    """Return the pipeline that does the same as an INSERT, None if there is none.

    There is none for some rows that a condition chooses, for what only Spark's INSERT says, and for an overwritten
    table of Spark's with partitions, of which the session's settings say how many are replaced.

    Raises:
        ValidationException: the query does not fit the table.
    """
    form = command.form
    if form.mode not in _FLUENT_MODES or form.evolves_schema or form.if_not_exists or form.options:
        return None
    if form.defaults and environment.runtime.is_in_spark(command.target):
        # In tables of other catalogs, NULL is every default.
        return None
    keys = form.partition.keys if form.partition is not None else ()
    partition = {key.name: key.value.value for key in keys if isinstance(key.value, ValueLiteral)}
    is_overwrite = form.mode is InsertMode.OVERWRITE
    path = _path(command.target)
    if is_overwrite:
        sink = environment.statements.sink(path)
        if sink.identifier is not None and sink.partition_keys:
            return None
    columns = command.columns if command.names_columns or form.is_by_name else None
    query = Query(command.query, environment)
    return TablePipeline(query, path, is_overwrite, partition or None, columns, is_by_name=form.is_by_name)


def pipeline_into_directory(environment: EnvironmentParts, command: InsertIntoDirectory) -> TablePipeline | None:
    """Return the pipeline that replaces the files of a directory, None if only Spark writes the format.

    Raises:
        TableException: an option is not one of the format, or the format cannot store a type.
    """
    format = next((known for known in get_args(Format) if known == command.format), None)
    if format is None:
        return None
    path = f"file:{command.path}" if command.is_local and command.path.startswith("/") else command.path
    made = TableDescriptor.for_connector("filesystem").option("path", path).format(format)
    for key, value in command.options:
        made.option(f"{format}.{key}", value)
    return TablePipeline(Query(command.query, environment), made.build(), True)


def _path(identifier: ObjectIdentifier) -> str:
    return identifier.as_serializable_string()
