"""Writes aggregations and sorts in the layout NESTED."""

from __future__ import annotations

from ir.contents import OUTER, OVER, QUERY, TIME_WINDOW
from ir.expressions import FieldReference, ResolvedExpression
from ir.operations.aggregate import Aggregate
from ir.operations.operation import QueryOperation
from ir.operations.project import Project
from ir.operations.sort import Sort
from ir.resolution.aggregation import GroupKeys, select_aggregated
from ir.rewriting import replace
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


def merge_into_aggregation(project: Project) -> tuple[QueryOperation, tuple[ResolvedExpression, ...]]:
    """Return the input of the SELECT of a correlated projection, and its expressions, including an aggregation below.

    For a SELECT above an aggregating SELECT, Spark would join the outer rows once more. Any other projection stays, and
    so does one whose merged text would read back as another query.
    """
    aggregate, separate = project.input, (project.input, project.projections)
    if not isinstance(aggregate, Aggregate) or aggregate.group_keys or aggregate.grouping_sets is not None:
        return separate
    aggregates, contents = aggregate.aggregates, 0
    for expression in (*project.projections, *aggregates):
        contents |= expression.contents
    if contents & (QUERY | OVER | OUTER | TIME_WINDOW):
        return separate

    def find(part: ResolvedExpression) -> ResolvedExpression | None:
        return aggregates[part.index] if isinstance(part, FieldReference) else None

    computed = tuple([replace(projection, find) for projection in project.projections])
    merged = select_aggregated(aggregate.input, GroupKeys(), computed, project.names)
    return (aggregate.input, computed) if merged is project else separate


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
