"""Spark's schema of declared columns, and checks of columns while they are written."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from pyspark.sql.types import StructField, StructType

from ir import types as t
from ir.cast_rules import plain_type
from ir.identifiers import quote
from ir.schema import ResolvedSchema
from tableapi.catalog.statements import string
from tableapi.declarations.file_tables import read_type
from tableapi.spark.types import to_spark

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


def read_schema(schema: ResolvedSchema, *, is_stream: bool) -> StructType | str:
    """Return the columns of a table as Spark's readers take them.

    PySpark's reader of streams parses a ``StructType`` with the active session, which may be a Connect session beside a
    classic one. It passes a string on unchanged.
    """
    if not is_stream:
        return struct(schema)
    return ", ".join(f"{quote(c.name)} {read_type(c.data_type).as_serializable_string()}" for c in schema.columns)


def struct(schema: ResolvedSchema) -> StructType:
    """Convert a schema to a Spark struct type; CHAR and VARCHAR become STRING, as Spark reads them."""
    columns = [(column, plain_type(column.data_type)) for column in schema.columns]
    return StructType([StructField(c.name, to_spark(data_type), data_type.nullable) for c, data_type in columns])


def check_not_null(
    frame: DataFrame, schema: ResolvedSchema, not_null: Mapping[str, str], kind: str | None = None
) -> DataFrame:
    """Return rows whose computation fails at a NULL in a column that must not have one; the error has the row.

    Args:
        frame: the rows, with the columns of ``schema``.
        schema: the columns.
        not_null: the columns that must not be NULL, each with its error message.
        kind: the column with the kinds of the rows, which are changes; it stays, and rows that are not stored may have
            NULL.
    """
    checked = [] if kind is None else [quote(kind)]
    stored = "" if kind is None else f"{quote(kind)} IN ('INSERT', 'UPDATE_AFTER') AND "
    row = _row_text(schema) if not_null else ""
    for column in schema.columns:
        name = quote(column.name)
        message = not_null.get(column.name)
        text = name
        if message is not None:
            failure = f"RAISE_ERROR(CONCAT({string(f'{message} The row: ')}, {row}))"
            text = f"IF({stored}{name} IS NULL, {failure}, {name})"
        checked.append(f"{text} AS {name}")
    return frame.selectExpr(*checked)


_SHOWN: Final = (t.NumericType, t.BooleanType, t.CharacterType, t.DateType, t.TimestampType, t.LocalZonedTimestampType)
_LONGEST_VALUE: Final = 60


def _row_text(schema: ResolvedSchema) -> str:
    """Return SQL that writes the columns of a row whose values are short, as in: id = 1, name = NULL."""
    parts = []
    for column in schema.columns:
        if isinstance(column.data_type, _SHOWN):
            value = f"COALESCE(LEFT(CAST({quote(column.name)} AS STRING), {_LONGEST_VALUE}), 'NULL')"
            parts.append(f"CONCAT({string(f'{column.name} = ')}, {value})")
    return f"CONCAT_WS(', ', {', '.join(parts)})" if parts else "'…'"
