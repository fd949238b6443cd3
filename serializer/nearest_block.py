"""Writes the SELECT of a join with the nearest rows."""

from __future__ import annotations

from ir.operations.nearest_join import NearestJoin
from ir.operations.operation import QueryOperation
from serializer.clauses import join_keyword
from serializer.items import Item, Line
from serializer.notation import Notation
from serializer.select_block import column_lines, expression_item, input_lines


def nearest_block(operation: QueryOperation, depth: int, notation: Notation) -> list[Item]:
    """Write the SELECT of a join with the nearest rows."""
    assert isinstance(operation, NearestJoin)
    keyword = join_keyword(operation.join_type, operation.ranking, notation)
    return [
        *column_lines("SELECT", operation.schema, depth, notation),
        *input_lines(operation.left, depth),
        *input_lines(operation.right, depth, keyword),
        Line(depth, (f"{operation.clause} ", *expression_item(operation.ranking, notation))),
    ]
