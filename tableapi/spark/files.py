"""Reading and writing tables of files."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from ir.cast_rules import plain_type
from ir.errors import TableException
from ir.identifiers import quote
from ir.schema import ResolvedSchema
from ir.types import LogicalType
from tableapi.catalog.statements import string
from tableapi.files import FileTable
from tableapi.spark.errors import readable_errors
from tableapi.spark.types import from_spark, to_spark

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession
    from pyspark.sql.types import StructType

_MISSING = "PATH_NOT_FOUND"
# As text, Spark writes milliseconds if it is not told, and reads what is there.
_MICROSECONDS = {
    "timestampFormat": "yyyy-MM-dd'T'HH:mm:ss.SSSSSSXXX",
    "timestampNTZFormat": "yyyy-MM-dd'T'HH:mm:ss.SSSSSS",
}


def struct(schema: ResolvedSchema) -> StructType:
    """Return a schema as Spark's type of a row; CHAR and VARCHAR are STRING, as Spark reads them."""
    from pyspark.sql.types import StructField, StructType

    columns = [(column, plain_type(column.data_type)) for column in schema.columns]
    return StructType([StructField(c.name, to_spark(data_type), data_type.nullable) for c, data_type in columns])


def read_files(session: SparkSession, files: FileTable, *, may_be_missing: bool = False) -> DataFrame:
    """Return the rows of a table of files, the stored columns before the derived ones.

    Raises:
        TableException: there is nothing at the path, and that is not allowed; or Spark refuses the options.
    """
    source = files.source
    assert files.schema is not None
    try:
        with readable_errors(f"Reading the files of {files.path}"):
            reader = session.read.format(files.format).options(**files.options).schema(struct(files.schema))
            # The path is a directory, and no pattern of paths, whatever characters it has.
            reader = reader.option("__globPaths__", "false")
            frame = reader.load(files.path)
            columns = [quote(column.name) for column in files.schema.columns]
            derived = [f"{text} AS {quote(column.name)}" for column, text in files.derived]
            frame = frame.selectExpr(*columns, *derived)
            # Spark Connect looks at the files only when something is asked.
            _ = frame.schema
            return frame
    except TableException as error:
        if may_be_missing and error.condition == _MISSING:
            return session.createDataFrame([], struct(source.schema))
        raise


def type_of_sql(session: SparkSession, stored: ResolvedSchema, text: str) -> LogicalType:
    """Return the type of SQL text over the columns of a table of files.

    Raises:
        TableException: Spark refuses the text.
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
        schema: its stored columns.
        overwrite: replace what is there: all files, or those of the partitions that are written to.
        not_null: the columns that must not be NULL, each with what an error says.
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
            # Spark deletes the old files before it computes the new rows; a row that fails would lose both.
            frame = frame.localCheckpoint()
        writer = frame.write.format(files.format).options(**files.options).mode("overwrite" if overwrite else "append")
        given = {key.lower() for key in files.options}
        writer = writer.options(**{key: value for key, value in _MICROSECONDS.items() if key.lower() not in given})
        writer = writer.option("partitionOverwriteMode", "dynamic" if dynamic else "static")
        if files.partition_keys:
            writer = writer.partitionBy(*files.partition_keys)
        writer.save(files.path)
