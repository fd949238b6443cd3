"""Writes SELECT TRANSFORM, whose rows a script computes."""

from __future__ import annotations

from ir.errors import TableException
from ir.literals import literal
from ir.operations.operation import QueryOperation
from ir.operations.script import RowFormat, Script
from ir.rendering import Dialect
from serializer.call_syntax import Piece
from serializer.literals import literal_text
from serializer.names import name_text
from serializer.select_block import Item, Line, column_items, input_lines, separated_items
from serializer.types import type_text


def script_block(operation: QueryOperation, depth: int, dialect: Dialect) -> list[Item]:
    """Write the SELECT of a script.

    Raises:
        TableException: the dialect is FLINK.
    """
    assert isinstance(operation, Script)
    if dialect is Dialect.FLINK:
        raise TableException(f"Flink's SQL has no rows that a program computes, as {operation.command!r} does.")
    given = column_items(operation.input.schema, dialect)
    return [*script_lines(operation, given, depth), *input_lines(operation.input, depth)]


def script_lines(operation: QueryOperation, given: list[tuple[Piece, ...]], depth: int) -> list[Item]:
    """Write the part of a SELECT TRANSFORM before FROM: the script, its input and its output."""
    assert isinstance(operation, Script)
    dialect = Dialect.SPARK
    columns = ", ".join(
        f"{name_text(name, dialect)} {type_text(kind, dialect)}"
        for name, kind in zip(operation.names, operation.types, strict=True)
    )
    declared = f" AS ({columns})" if columns else ""
    using = Line(depth, (f"USING {_text(operation.command)}{declared}",))
    return [
        Line(depth, ("SELECT TRANSFORM(", *separated_items(given), ")")),
        *_format_lines(operation.written, depth),
        using,
        *_format_lines(operation.read, depth),
    ]


def _format_lines(given: RowFormat | None, depth: int) -> list[Item]:
    if given is None:
        return []
    if given.serde is None:
        clauses = "".join(f" {clause} {_text(value)}" for clause, value in given.options)
        return [Line(depth, (f"ROW FORMAT DELIMITED{clauses}",))]
    properties = ", ".join(f"{_text(key)} = {_text(value)}" for key, value in given.options)
    known = f" WITH SERDEPROPERTIES ({properties})" if properties else ""
    return [Line(depth, (f"ROW FORMAT SERDE {_text(given.serde)}{known}",))]


def _text(value: str) -> str:
    return literal_text(literal(value), Dialect.SPARK)
