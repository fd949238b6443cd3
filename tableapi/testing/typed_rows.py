"""Convert the rows and values of a test to Arrow columns of their declared types."""

from __future__ import annotations

from typing import Any

import pyarrow as pa

from ir.errors import ValidationException
from ir.schema import ResolvedSchema
from ir.types import LogicalType
from tableapi.data.values import row_values
from tableapi.spark import versions
from tableapi.spark.runtime.columns import column_of_any
from tableapi.spark.runtime.wrong_values import WRONG, wrong_value
from tableapi.spark.types import to_spark


def arrow_type(data_type: LogicalType) -> pa.DataType:
    """Return the Arrow type in which Spark sends a type to workers."""
    return versions.arrow_type(to_spark(data_type))


def column_of_value(value: Any, data_type: LogicalType, what: str) -> pa.Array:
    """Return a value as a column of one row.

    Args:
        value: the value.
        data_type: its type.
        what: the name of the value for messages, such as ``Row 0, column 'id'``.

    Raises:
        ValidationException: the value does not have the type.
    """
    known = arrow_type(data_type)
    if value is None and not data_type.nullable:
        raise ValidationException(f"{what}: NULL is not a {data_type.as_summary_string()}.")
    try:
        return column_of_any([value], known)
    except WRONG as error:
        raise ValidationException(wrong_value(f"{what}: the value", value, known, error)) from None


def columns_of_row(row: Any, schema: ResolvedSchema, number: int) -> list[pa.Array]:
    """Return the columns of a table for one row.

    Args:
        row: a mapping by name, in which missing columns are NULL, or values by position.
        schema: the columns of the table.
        number: the position of the row for messages.

    Raises:
        ValidationException: a value does not have the type of its column, or the row has other columns.
    """
    try:
        values = row_values(row, schema.as_row_type())
    except ValidationException as error:
        raise ValidationException(f"Row {number}: {error}") from None
    return [
        column_of_value(value, column.data_type, f"Row {number}, column {column.name!r}")
        for value, column in zip(values, schema.columns, strict=True)
    ]
