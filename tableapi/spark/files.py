"""Read and write tables of files."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from ir.errors import TableException
from ir.identifiers import quote
from ir.schema import ResolvedSchema
from ir.types import LogicalType
from tableapi.declarations.external_tables import ExternalTable
from tableapi.declarations.file_tables import FileTable
from tableapi.declarations.nats import NatsTable
from tableapi.declarations.stream_sinks import is_stream_sink
from tableapi.lazy import lazy
from tableapi.spark.columns_to_write import check_not_null, read_schema, struct
from tableapi.spark.errors import readable_errors
from tableapi.spark.types import from_spark

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

    from tableapi.spark import external_tables, external_writing, orc_schemas, packages
else:
    orc_schemas = lazy(__name__, "tableapi.spark.orc_schemas")
    packages = lazy(__name__, "tableapi.spark.packages")
    external_tables = lazy(__name__, "tableapi.spark.external_tables")
    external_writing = lazy(__name__, "tableapi.spark.external_writing")

MISSING = "PATH_NOT_FOUND"
"""Spark's condition where nothing is at a path."""
_NO_KAFKA = "KAFKA_DATA_SOURCE_NOT_ENABLED"
# Spark's default formats for text files write milliseconds, although they read any precision.
_MICROSECONDS = {
    "timestampFormat": "yyyy-MM-dd'T'HH:mm:ss.SSSSSSXXX",
    "timestampNTZFormat": "yyyy-MM-dd'T'HH:mm:ss.SSSSSS",
}


def read_files(session: SparkSession, files: FileTable, *, may_be_missing: bool = False) -> DataFrame:
    """Return the rows of a table of files, with the stored columns before the derived ones.

    Raises:
        TableException: nothing exists at the path and ``may_be_missing`` is not set, or Spark rejects the options.
    """
    if isinstance(files, ExternalTable):
        if is_stream_sink(files.format):
            if may_be_missing:
                return session.createDataFrame([], struct(files.source.schema))
            raise TableException(f"A table with the connector {files.format!r} is only written, and cannot be read.")
        if may_be_missing and isinstance(files, NatsTable):
            return session.createDataFrame([], struct(files.source.schema))
        try:
            return external_tables.read_external(session, files)
        except TableException as error:
            # A table can be declared, typed and printed before the session has the connector.
            if may_be_missing and error.condition == _NO_KAFKA:
                return session.createDataFrame([], struct(files.source.schema))
            raise
    source = files.source
    assert files.schema is not None
    try:
        with readable_errors(f"Reading the files of {files.path}"):
            reader = session.readStream if files.is_stream else session.read
            reader = (
                reader.format(files.format)
                .options(**files.options)
                .schema(read_schema(files.schema, is_stream=files.is_stream))
            )
            # The path is a directory, not a glob pattern, whatever characters it contains.
            frame = reader.option("__globPaths__", "false").load(files.path)
            columns = [quote(column.name) for column in files.schema.columns]
            derived = [f"{text} AS {quote(column.name)}" for column, text in files.derived]
            frame = frame.selectExpr(*columns, *derived)
            # Spark Connect inspects the files only for a request.
            _ = frame.schema
            if files.format == "orc" and not files.is_stream:
                orc_schemas.require_stored_types(session, files, frame)
            return frame
    except TableException as error:
        if may_be_missing and error.condition == MISSING and not files.is_stream:
            return session.createDataFrame([], struct(source.schema))
        packages.advise_package(error, session)
        raise


def type_of_sql(session: SparkSession, stored: ResolvedSchema, text: str) -> LogicalType:
    """Return the type of a SQL expression over the columns of a table of files.

    Raises:
        TableException: Spark rejects the expression.
    """
    with readable_errors(f"The computed column {text[1:-2]}"):
        return from_spark(session.createDataFrame([], struct(stored)).selectExpr(text).schema.fields[0].dataType)


def options_for_writing(files: FileTable) -> dict[str, str]:
    """Return the options for Spark's writer of a table of files."""
    given = {key.lower() for key in files.options}
    return {**files.options, **{key: value for key, value in _MICROSECONDS.items() if key.lower() not in given}}


def write_files(
    frame: DataFrame, files: FileTable, schema: ResolvedSchema, *, overwrite: bool, not_null: Mapping[str, str]
) -> None:
    """Write rows to the files of a table.

    Args:
        frame: the rows, with the columns of ``schema``.
        files: the table.
        schema: the stored columns of the table.
        overwrite: replace the existing files: all of them, or those of the partitions that get rows.
        not_null: the columns that must not be NULL, each with its error message.
    """
    if isinstance(files, ExternalTable):
        external_writing.write_external(frame, files, schema, overwrite=overwrite, not_null=not_null)
        return
    with readable_errors(f"Writing the files of {files.path}"):
        frame = check_not_null(frame, schema, not_null)
        dynamic = overwrite and bool(files.partition_keys)
        if overwrite and not dynamic:
            # Spark deletes the old files before it computes new rows; a failing row would lose both.
            frame = frame.localCheckpoint()
        writer = frame.write.format(files.format).options(**options_for_writing(files))
        writer = writer.mode("overwrite" if overwrite else "append")
        writer = writer.option("partitionOverwriteMode", "dynamic" if dynamic else "static")
        if files.partition_keys:
            writer = writer.partitionBy(*files.partition_keys)
        try:
            with readable_errors(f"Writing the files of {files.path}"):
                writer.save(files.path)
        except TableException as error:
            packages.advise_package(error, frame.sparkSession)
            raise
