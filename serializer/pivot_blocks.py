"""Writes the SELECT of PIVOT and UNPIVOT."""

from __future__ import annotations

from ir.flink.operations import aggregated_by_value, paired_with_labels
from ir.flink.rewritten import UNPIVOT_ALIAS, pivot_alias
from ir.operations.operation import QueryOperation
from ir.operations.pivot import Pivot, Unpivot
from ir.rendering import Dialect
from serializer.call_syntax import Piece
from serializer.names import name_text, plain_name_text
from serializer.select_block import (
    Block,
    Item,
    Line,
    column_lines,
    expression_item,
    in_parentheses,
    input_lines,
    item_lines,
    separated_items,
)


def pivot_block(operation: QueryOperation, depth: int, dialect: Dialect) -> list[Item]:
    """Write the SELECT of a pivot, which is an aggregation in Flink."""
    assert isinstance(operation, Pivot)
    if dialect is Dialect.FLINK:
        return [Block(depth, aggregated_by_value(operation), None, pivot_alias(operation))]
    aggregates: list[tuple[Piece, ...]] = [expression_item(a, dialect) for a in operation.aggregates]
    if operation.aggregate_names:
        named = zip(aggregates, operation.aggregate_names, strict=True)
        aggregates = [(*pieces, f" AS {name_text(name, dialect)}") for pieces, name in named]
    values = []
    for value, name in zip(operation.values, operation.value_names, strict=True):
        pieces = in_parentheses([expression_item(part, dialect) for part in value])
        values.append((*pieces, f" AS {name_text(name, dialect)}"))
    columns = in_parentheses([expression_item(column, dialect) for column in operation.pivot_columns])
    return [
        *column_lines("SELECT", operation.schema, depth, dialect),
        *input_lines(operation.input, depth),
        Line(depth, ("PIVOT (",)),
        *item_lines("", aggregates, depth + 1),
        *item_lines("FOR", [(*columns, " IN (", *separated_items(values), ")")], depth + 1),
        Line(depth, (")",)),
    ]


def unpivot_block(operation: QueryOperation, depth: int, dialect: Dialect) -> list[Item]:
    """Write the SELECT of an unpivot, which is a join with the labels in Flink."""
    assert isinstance(operation, Unpivot)
    if dialect is Dialect.FLINK:
        return [Block(depth, paired_with_labels(operation), None, UNPIVOT_ALIAS)]
    groups = []
    for group, label in zip(operation.groups, operation.labels, strict=True):
        pieces = in_parentheses([expression_item(column, dialect) for column in group])
        default = "_".join(column.name for column in group)
        groups.append(pieces if label == default else (*pieces, f" AS {name_text(label, dialect)}"))
    values = in_parentheses([(plain_name_text(name, dialect),) for name in operation.value_columns])
    label_column = name_text(operation.label_column, dialect)
    return [
        *column_lines("SELECT", operation.schema, depth, dialect),
        *input_lines(operation.input, depth),
        Line(depth, ("UNPIVOT INCLUDE NULLS (",)),
        *item_lines("", [(*values, f" FOR {label_column} IN (", *separated_items(groups), ")")], depth + 1),
        Line(depth, (")",)),
    ]
