"""Writes the SELECT of rows without columns."""

from __future__ import annotations

from ir.operations.no_columns import NoColumns
from ir.operations.operation import QueryOperation
from serializer.items import Item, Line
from serializer.names import name_text
from serializer.notation import Notation
from serializer.select_block import input_lines


def no_columns_block(operation: QueryOperation, depth: int, notation: Notation) -> list[Item]:
    """Write the SELECT that expands a row without fields."""
    assert isinstance(operation, NoColumns)
    (row,) = operation.input.schema.names
    return [Line(depth, (f"SELECT {name_text(row, notation)}.*",)), *input_lines(operation.input, depth)]
