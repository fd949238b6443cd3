"""Compare this library's inferred types and results with Spark's."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING, Any

from ir import types as t
from ir.types import LogicalType
from tableapi import Row, Table

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession


def plain(value: Any) -> Any:
    """Return a value without the field names of rows, so that it equals a tuple, and with instants in UTC."""
    if isinstance(value, Row | tuple):
        return tuple(map(plain, value))
    if isinstance(value, list):
        return [plain(item) for item in value]
    if isinstance(value, dict):
        return {key: plain(item) for key, item in sorted(value.items())}
    if isinstance(value, dt.datetime) and value.tzinfo is not None:
        return value.astimezone(dt.UTC)
    return value


def assert_schema_is_sparks(table: Table, spark: SparkSession) -> None:
    """Assert that a table's schema matches Spark's analysis of its text, and is NOT NULL only where Spark's is.

    Raises:
        AssertionError: a name or a type differs, or a part is NOT NULL here but nullable in Spark.
    """
    assert_schema_is_that_of(table, spark.sql(table.as_serializable_string()))


def assert_schema_is_that_of(table: Table, frame: DataFrame) -> None:
    """As ``assert_schema_is_sparks``, with the DataFrame that Spark has made from the table's text.

    Raises:
        AssertionError: a name or a type differs, or a part is NOT NULL here but nullable in Spark.
    """
    from tableapi.spark.types import from_spark

    analysed = frame.schema
    inferred = table.get_resolved_schema()
    assert [field.name for field in analysed.fields] == list(inferred.names)
    for field, column in zip(analysed.fields, inferred.columns, strict=True):
        spark_type = from_spark(field.dataType, field.nullable)
        assert nullable(spark_type) is nullable(column.data_type), (column, spark_type)
        assert is_sound(column.data_type, spark_type), (column, spark_type)


def nullable(data_type: LogicalType) -> LogicalType:
    """Return the type with all of its parts nullable."""
    match data_type:
        case t.ArrayType():
            return t.ArrayType(nullable(data_type.element))
        case t.MapType():
            return t.MapType(nullable(data_type.key), nullable(data_type.value))
        case t.RowType():
            return t.RowType(tuple(t.RowField(f.name, nullable(f.data_type)) for f in data_type.fields))
        case _:
            return data_type.as_nullable()


def is_sound(inferred: LogicalType, spark_type: LogicalType) -> bool:
    """Whether every part inferred as NOT NULL is also NOT NULL in Spark."""
    if not inferred.nullable and spark_type.nullable:
        return False
    return all(map(is_sound, inferred.children, spark_type.children))
