"""Writes the SELECT of a join with the nearest rows."""

from __future__ import annotations

from ir.operations.nearest_join import NearestJoin, refuse_flink_nearest
from ir.operations.operation import QueryOperation
from ir.rendering import Dialect
from serializer.clauses import join_keyword
from serializer.select_block import Item, Line, column_lines, expression_item, input_lines


def nearest_block(operation: QueryOperation, depth: int, dialect: Dialect) -> list[Item]:
    """Write the SELECT of a join with the nearest rows.

    Raises:
        TableException: the dialect is FLINK.
    """
    assert isinstance(operation, NearestJoin)
    if dialect is Dialect.FLINK:
        raise refuse_flink_nearest()
    keyword = join_keyword(operation.join_type, operation.ranking, dialect)
    return [
        *column_lines("SELECT", operation.schema, depth, dialect),
        *input_lines(operation.left, depth),
        *input_lines(operation.right, depth, keyword),
        Line(depth, (f"{operation.clause} ", *expression_item(operation.ranking, dialect))),
    ]
