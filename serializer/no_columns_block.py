"""Writes the SELECT of rows without columns."""

from __future__ import annotations

from ir.operations.no_columns import NoColumns
from ir.operations.operation import QueryOperation
from ir.rendering import Dialect
from serializer.names import name_text
from serializer.select_block import Item, Line, input_lines, require_spark_without_columns


def no_columns_block(operation: QueryOperation, depth: int, dialect: Dialect) -> list[Item]:
    """Write the SELECT that expands a row without fields.

    Raises:
        TableException: the dialect is FLINK.
    """
    assert isinstance(operation, NoColumns)
    require_spark_without_columns(dialect)
    (row,) = operation.input.schema.names
    return [Line(depth, (f"SELECT {name_text(row, dialect)}.*",)), *input_lines(operation.input, depth)]
