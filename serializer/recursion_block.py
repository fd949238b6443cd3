"""Writes recursive queries, which Flink lacks."""

from __future__ import annotations

from ir.errors import TableException
from ir.operations.operation import QueryOperation
from ir.operations.recursion import Recursion, RecursiveReference
from ir.rendering import Dialect
from serializer.names import name_text
from serializer.select_block import Block, Item, Line, column_lines


def recursion_block(operation: QueryOperation, depth: int, dialect: Dialect) -> list[Item]:
    """Write a query with its WITH RECURSIVE.

    Raises:
        TableException: the dialect is FLINK.
    """
    assert isinstance(operation, Recursion)
    if dialect is Dialect.FLINK:
        raise TableException(
            f"{operation.title}: {operation.describe()} has no text in Flink's SQL, which has no recursive queries. "
            "Serialise it with the dialect SPARK."
        )
    name = name_text(operation.name, dialect)
    names = ", ".join(name_text(column, dialect) for column in operation.schema.names)
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
        *column_lines("SELECT", operation.schema, depth, dialect),
        Line(depth, (f"FROM {name}",)),
        *([Line(depth, ("LIMIT ALL",))] if operation.is_unlimited else []),
    ]


def recursive_reference_block(operation: QueryOperation, depth: int, dialect: Dialect) -> list[Item]:
    """Write the SELECT by which a recursive query reads itself."""
    assert isinstance(operation, RecursiveReference)
    return [
        *column_lines("SELECT", operation.schema, depth, dialect),
        Line(depth, (f"FROM {name_text(operation.name, dialect)}",)),
    ]
