"""Writes the SELECT of PIVOT and UNPIVOT."""

from __future__ import annotations

from ir.operations.operation import QueryOperation
from ir.operations.pivot import Pivot, Unpivot
from serializer.items import Item, Line
from serializer.names import name_text, write_plain_name
from serializer.notation import Notation
from serializer.pieces import Piece
from serializer.select_block import (
    column_lines,
    expression_item,
    input_lines,
    item_lines,
    parenthesise_several,
    separate_items,
)


def pivot_block(operation: QueryOperation, depth: int, notation: Notation) -> list[Item]:
    """Write the SELECT of a pivot."""
    assert isinstance(operation, Pivot)
    aggregates: list[tuple[Piece, ...]] = [expression_item(a, notation) for a in operation.aggregates]
    if operation.aggregate_names:
        named = zip(aggregates, operation.aggregate_names, strict=True)
        aggregates = [(*pieces, f" AS {name_text(name, notation)}") for pieces, name in named]
    values = []
    for value, name in zip(operation.values, operation.value_names, strict=True):
        pieces = parenthesise_several([expression_item(part, notation) for part in value])
        values.append((*pieces, f" AS {name_text(name, notation)}"))
    columns = parenthesise_several([expression_item(column, notation) for column in operation.pivot_columns])
    if notation.puts_pivot_column_in_brackets and len(operation.pivot_columns) == 1:
        columns = ("(", *columns, ")")
    return [
        *column_lines("SELECT", operation.schema, depth, notation),
        *input_lines(operation.input, depth),
        Line(depth, ("PIVOT (",)),
        *item_lines("", aggregates, depth + 1),
        *item_lines("FOR", [(*columns, " IN (", *separate_items(values), ")")], depth + 1),
        Line(depth, (")",)),
    ]


def unpivot_block(operation: QueryOperation, depth: int, notation: Notation) -> list[Item]:
    """Write the SELECT of an unpivot."""
    assert isinstance(operation, Unpivot)
    groups = []
    for group, label in zip(operation.groups, operation.labels, strict=True):
        pieces = parenthesise_several([expression_item(column, notation) for column in group])
        default = "_".join(column.name for column in group)
        groups.append(pieces if label == default else (*pieces, f" AS {name_text(label, notation)}"))
    values = parenthesise_several([(write_plain_name(name, notation),) for name in operation.value_columns])
    label_column = name_text(operation.label_column, notation)
    return [
        *column_lines("SELECT", operation.schema, depth, notation),
        *input_lines(operation.input, depth),
        Line(depth, ("UNPIVOT INCLUDE NULLS (",)),
        *item_lines("", [(*values, f" FOR {label_column} IN (", *separate_items(groups), ")")], depth + 1),
        Line(depth, (")",)),
    ]
