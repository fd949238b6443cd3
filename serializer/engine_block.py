"""Writes the SELECT of a function that the session registers for one query."""

from __future__ import annotations

from ir.operations.engine import EngineFunction
from ir.operations.operation import QueryOperation
from serializer.items import Block, Item, Line
from serializer.names import name_text
from serializer.notation import Notation
from serializer.select_block import column_lines, expression_item


def engine_function_block(operation: QueryOperation, depth: int, notation: Notation) -> list[Item]:
    """Write the SELECT of a function over a table."""
    assert isinstance(operation, EngineFunction)
    arguments = [piece for argument in operation.arguments for piece in (", ", *expression_item(argument, notation))]
    return [
        *column_lines("SELECT", operation.schema, depth, notation),
        Line(depth, (f"FROM {name_text(operation.name, notation)}(TABLE(",)),
        Block(depth + 1, operation.input),
        Line(depth, (")", *arguments, ")")),
    ]
