"""Read and write tables of files."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from pyspark.sql.types import StructField, StructType

from ir.cast_rules import plain_type
from ir.errors import TableException
from ir.identifiers import quote
from ir.schema import ResolvedSchema
from ir.types import LogicalType
from tableapi.catalog.statements import string
from tableapi.declarations.file_tables import FileTable
from tableapi.spark.errors import readable_errors
from tableapi.spark.types import from_spark, to_spark

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

_MISSING = "PATH_NOT_FOUND"
# Spark's default formats for text files write milliseconds, although they read any precision.
_MICROSECONDS = {
    "timestampFormat": "yyyy-MM-dd'T'HH:mm:ss.SSSSSSXXX",
    "timestampNTZFormat": "yyyy-MM-dd'T'HH:mm:ss.SSSSSS",
}


def struct(schema: ResolvedSchema) -> StructType:
    """Convert a schema to a Spark struct type; CHAR and VARCHAR become STRING, as Spark reads them."""
    columns = [(column, plain_type(column.data_type)) for column in schema.columns]
    return StructType([StructField(c.name, to_spark(data_type), data_type.nullable) for c, data_type in columns])


def read_files(session: SparkSession, files: FileTable, *, may_be_missing: bool = False) -> DataFrame:
    """Return the rows of a table of files, with the stored columns before the derived ones.

    Raises:
        TableException: nothing exists at the path and ``may_be_missing`` is not set, or Spark rejects the options.
    """
    source = files.source
    assert files.schema is not None
    try:
        with readable_errors(f"Reading the files of {files.path}"):
            reader = session.read.format(files.format).options(**files.options).schema(struct(files.schema))
            # The path is a directory, not a glob pattern, whatever characters it contains.
            reader = reader.option("__globPaths__", "false")
            frame = reader.load(files.path)
            columns = [quote(column.name) for column in files.schema.columns]
            derived = [f"{text} AS {quote(column.name)}" for column, text in files.derived]
            frame = frame.selectExpr(*columns, *derived)
            # Spark Connect inspects the files only for a request.
            _ = frame.schema
            return frame
    except TableException as error:
        if may_be_missing and error.condition == _MISSING:
            return session.createDataFrame([], struct(source.schema))
        raise


def type_of_sql(session: SparkSession, stored: ResolvedSchema, text: str) -> LogicalType:
    """Return the type of a SQL expression over the columns of a table of files.

    Raises:
        TableException: Spark rejects the expression.
    """
    with readable_errors(f"The computed column {text[1:-2]}"):
        return from_spark(session.createDataFrame([], struct(stored)).selectExpr(text).schema.fields[0].dataType)


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
    with readable_errors(f"Writing the files of {files.path}"):
        checked = []
        for column in schema.columns:
            name = quote(column.name)
            message = not_null.get(column.name)
            text = name if message is None else f"IF({name} IS NULL, RAISE_ERROR({string(message)}), {name})"
            checked.append(f"{text} AS {name}")
        frame = frame.selectExpr(*checked)
        dynamic = overwrite and bool(files.partition_keys)
        if overwrite and not dynamic:
            # Spark deletes the old files before it computes new rows; a failing row would lose both.
            frame = frame.localCheckpoint()
        writer = frame.write.format(files.format).options(**files.options).mode("overwrite" if overwrite else "append")
        given = {key.lower() for key in files.options}
        writer = writer.options(**{key: value for key, value in _MICROSECONDS.items() if key.lower() not in given})
        writer = writer.option("partitionOverwriteMode", "dynamic" if dynamic else "static")
        if files.partition_keys:
            writer = writer.partitionBy(*files.partition_keys)
        writer.save(files.path)
