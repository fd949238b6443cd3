"""Writes the SELECT of a function that the session registers for one query."""

from __future__ import annotations

from ir.errors import TableException
from ir.operations.engine import EngineFunction
from ir.operations.operation import QueryOperation
from ir.rendering import Dialect
from serializer.names import name_text
from serializer.select_block import Block, Item, Line, column_lines, expression_item


def engine_function_block(operation: QueryOperation, depth: int, dialect: Dialect) -> list[Item]:
    """Write the SELECT of a function over a table.

    Raises:
        TableException: the dialect is FLINK.
    """
    assert isinstance(operation, EngineFunction)
    if dialect is Dialect.FLINK:
        raise TableException("A plan for Spark has no text in Flink's SQL. Serialise the query that it was made of.")
    arguments = [piece for argument in operation.arguments for piece in (", ", *expression_item(argument, dialect))]
    return [
        *column_lines("SELECT", operation.schema, depth, dialect),
        Line(depth, (f"FROM {name_text(operation.name, dialect)}(TABLE(",)),
        Block(depth + 1, operation.input),
        Line(depth, (")", *arguments, ")")),
    ]
