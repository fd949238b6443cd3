"""Writes SELECT TRANSFORM, whose rows a script computes."""

from __future__ import annotations

from ir.operations.operation import QueryOperation
from ir.operations.script import RowFormat, Script
from serializer.items import Item, Line
from serializer.names import name_text
from serializer.notation import Notation
from serializer.pieces import Piece
from serializer.select_block import column_items, input_lines, separate_items
from serializer.types import type_text


def script_block(operation: QueryOperation, depth: int, notation: Notation) -> list[Item]:
    """Write the SELECT of a script."""
    assert isinstance(operation, Script)
    given = column_items(operation.input.schema, notation)
    return [*script_lines(operation, given, depth, notation), *input_lines(operation.input, depth)]


def script_lines(
    operation: QueryOperation, given: list[tuple[Piece, ...]], depth: int, notation: Notation
) -> list[Item]:
    """Write the part of a SELECT TRANSFORM before FROM: the script, its input and its output."""
    assert isinstance(operation, Script)
    columns = ", ".join(
        f"{name_text(name, notation)} {type_text(kind, notation)}"
        for name, kind in zip(operation.names, operation.types, strict=True)
    )
    declared = f" AS ({columns})" if columns else ""
    using = Line(depth, (f"USING {notation.string_text(operation.command)}{declared}",))
    return [
        Line(depth, ("SELECT TRANSFORM(", *separate_items(given), ")")),
        *_format_lines(operation.written, depth, notation),
        using,
        *_format_lines(operation.read, depth, notation),
    ]


def _format_lines(given: RowFormat | None, depth: int, notation: Notation) -> list[Item]:
    if given is None:
        return []
    text = notation.string_text
    if given.serde is None:
        clauses = "".join(f" {clause} {text(value)}" for clause, value in given.options)
        return [Line(depth, (f"ROW FORMAT DELIMITED{clauses}",))]
    properties = ", ".join(f"{text(key)} = {text(value)}" for key, value in given.options)
    known = f" WITH SERDEPROPERTIES ({properties})" if properties else ""
    return [Line(depth, (f"ROW FORMAT SERDE {text(given.serde)}{known}",))]
