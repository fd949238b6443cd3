"""Writes operations whose SELECT in Flink's SQL differs from the common one."""

from __future__ import annotations

from ir.errors import TableException
from ir.flink.arguments import cast_columns
from ir.flink.operation_raising import CAST_ALIAS, SORT_ALIAS, UNPIVOT_ALIAS, pivot_alias
from ir.flink.operations import rewrite_pivot, rewrite_unpivot
from ir.flink.ordering import sort_at_end
from ir.flink.subqueries import require_flink_subqueries
from ir.flink.time_windows import window_of, windows_of_rows
from ir.operations.aggregate import Aggregate, are_in_order
from ir.operations.lateral import LateralJoin
from ir.operations.operation import QueryOperation
from ir.operations.pivot import Pivot, Unpivot
from ir.operations.project import Project
from ir.operations.set_operation import SetOperation
from ir.operations.sort import Sort
from ir.operations.source import SINGLE_ROW
from serializer.clauses import choose_set_keyword, order_lines
from serializer.flink.lateral import flink_lateral_columns, flink_lateral_pieces
from serializer.flink.process_block import process_block
from serializer.flink.temporal_joins import temporal_join_block
from serializer.flink.time_windows import rows_with_windows, write_windowed_aggregate
from serializer.group_blocks import aggregate_block
from serializer.items import Block, Item, Line
from serializer.nested import project_block
from serializer.notation import Notation, OperationWriter
from serializer.select_block import input_lines, item_lines, write_named_item


def prepare(operation: QueryOperation) -> tuple[QueryOperation, str | None]:
    """Return the operation to write for a query, and its alias if that differs.

    Raises:
        TableException: Flink does not support one of its subqueries.
    """
    written = sort_at_end(operation)
    require_flink_subqueries(written)
    return written, None if written is operation else SORT_ALIAS


def _project(operation: QueryOperation, depth: int, notation: Notation) -> list[Item]:
    assert isinstance(operation, Project)
    input = operation.input
    if depth or not isinstance(input, Sort) or input.is_limited:
        return project_block(operation, depth, notation)
    # ``sort_at_end`` made this pair of operations to be one SELECT.
    items = [write_named_item(e, n, notation) for e, n in zip(operation.projections, operation.names, strict=True)]
    return [
        *item_lines("SELECT", items, depth),
        *input_lines(input.input, depth),
        *order_lines(input.order, depth, notation),
    ]


def _aggregate(operation: QueryOperation, depth: int, notation: Notation) -> list[Item]:
    assert isinstance(operation, Aggregate)
    if window_of(operation) is not None:
        return write_windowed_aggregate(operation, depth, notation)
    sets = operation.grouping_sets
    if sets is None:
        return aggregate_block(operation, depth, notation)
    if not operation.group_keys:
        problem = "it groups all rows several times, by no key"
    elif not are_in_order(sets, len(operation.group_keys)):
        problem = "its keys are in another order than in the grouping sets, or in none of them"
    else:
        return aggregate_block(operation, depth, notation)
    raise TableException(
        f"{operation.title}: {operation.describe()} has no text in Flink's SQL that means the same: {problem}. "
        "Serialise it with the dialect SPARK."
    )


def _lateral_join(operation: QueryOperation, depth: int, notation: Notation) -> list[Item]:
    assert isinstance(operation, LateralJoin)
    windows = windows_of_rows(operation)
    if windows is not None:
        return rows_with_windows(operation, windows, depth, notation)
    return [
        *item_lines("SELECT", flink_lateral_columns(operation, notation), depth),
        *input_lines(operation.input, depth),
        Line(depth, (*flink_lateral_pieces(operation, notation, is_first=operation.input is SINGLE_ROW),)),
    ]


def _write_set_operation(operation: QueryOperation, depth: int, notation: Notation) -> list[Item]:
    assert isinstance(operation, SetOperation)
    left, right = (cast_columns(side, operation.schema) for side in (operation.left, operation.right))
    return [
        Line(depth, ("(",)),
        Block(depth + 1, left, None, None if left is operation.left else CAST_ALIAS),
        Line(depth, (f") {choose_set_keyword(operation.kind, operation.all)} (",)),
        Block(depth + 1, right, None, None if right is operation.right else CAST_ALIAS),
        Line(depth, (")",)),
    ]


def _pivot(operation: QueryOperation, depth: int, notation: Notation) -> list[Item]:
    assert isinstance(operation, Pivot)
    return [Block(depth, rewrite_pivot(operation), None, pivot_alias(operation))]


def _unpivot(operation: QueryOperation, depth: int, notation: Notation) -> list[Item]:
    assert isinstance(operation, Unpivot)
    return [Block(depth, rewrite_unpivot(operation), None, UNPIVOT_ALIAS)]


OWN_OPERATIONS: dict[str, OperationWriter] = {
    Project.__name__: _project,
    Aggregate.__name__: _aggregate,
    LateralJoin.__name__: _lateral_join,
    SetOperation.__name__: _write_set_operation,
    Pivot.__name__: _pivot,
    Unpivot.__name__: _unpivot,
    "ProcessTable": process_block,
    "AsOfJoin": temporal_join_block,
}
