"""Writes aggregations and sorts in the layout NESTED."""

from __future__ import annotations

from ir.operations.aggregate import Aggregate
from ir.operations.operation import QueryOperation
from ir.operations.sort import Sort
from serializer.clauses import group_lines, limit_lines, order_lines
from serializer.items import Item
from serializer.notation import Notation
from serializer.select_block import column_lines, expression_item, input_lines, item_lines, write_named_item


def aggregate_block(operation: QueryOperation, depth: int, notation: Notation) -> list[Item]:
    """Write the SELECT of an aggregation."""
    assert isinstance(operation, Aggregate)
    expressions = operation.group_keys + operation.aggregates
    items = [write_named_item(e, n, notation) for e, n in zip(expressions, operation.names, strict=True)]
    lines = [*item_lines("SELECT", items, depth), *input_lines(operation.input, depth)]
    keys = [expression_item(key, notation) for key in operation.group_keys]
    return [*lines, *group_lines(keys, operation.grouping_sets, depth)]


def sort_block(operation: QueryOperation, depth: int, notation: Notation) -> list[Item]:
    """Write the SELECT of a sort with its limits."""
    assert isinstance(operation, Sort)
    lines = [
        *column_lines("SELECT", operation.schema, depth, notation),
        *input_lines(operation.input, depth),
    ]
    return [
        *lines,
        *order_lines(operation.order, depth, notation),
        *limit_lines(operation.offset, operation.fetch, depth, notation),
    ]
