"""Writes recursive queries."""

from __future__ import annotations

from ir.operations.operation import QueryOperation
from ir.operations.recursion import Recursion, RecursiveReference
from serializer.items import Block, Item, Line
from serializer.names import name_text
from serializer.notation import Notation
from serializer.select_block import column_lines


def recursion_block(operation: QueryOperation, depth: int, notation: Notation) -> list[Item]:
    """Write a query with its WITH RECURSIVE."""
    assert isinstance(operation, Recursion)
    name = name_text(operation.name, notation)
    names = ", ".join(name_text(column, notation) for column in operation.schema.names)
    columns = f"({names})" if names else ""
    limit = "" if operation.limit is None else f" MAX RECURSION LEVEL {operation.limit}"
    return [
        Line(depth, (f"WITH RECURSIVE {name}{columns}{limit} AS (",)),
        Line(depth + 1, ("(",)),
        Block(depth + 2, operation.base),
        Line(depth + 1, (") UNION ALL (",)),
        Block(depth + 2, operation.step),
        Line(depth + 1, (")",)),
        Line(depth, (")",)),
        *column_lines("SELECT", operation.schema, depth, notation),
        Line(depth, (f"FROM {name}",)),
        *([Line(depth, ("LIMIT ALL",))] if operation.is_unlimited else []),
    ]


def recursive_reference_block(operation: QueryOperation, depth: int, notation: Notation) -> list[Item]:
    """Write the SELECT by which a recursive query reads itself."""
    assert isinstance(operation, RecursiveReference)
    return [
        *column_lines("SELECT", operation.schema, depth, notation),
        Line(depth, (f"FROM {name_text(operation.name, notation)}",)),
    ]
