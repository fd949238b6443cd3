"""Writes operations whose SELECT in Flink's SQL differs from Spark's."""

from __future__ import annotations

from collections.abc import Callable

from ir.errors import TableException
from ir.flink.arguments import cast_columns
from ir.flink.ordering import sorted_last
from ir.flink.rewritten import CAST_ALIAS, SORT_ALIAS
from ir.flink.subqueries import require_flink_subqueries
from ir.flink.time_windows import window_of, windows_of_rows
from ir.operations.aggregate import Aggregate, are_in_order
from ir.operations.lateral import LateralJoin
from ir.operations.operation import QueryOperation
from ir.operations.set_operation import SetOperation
from ir.operations.source import SINGLE_ROW
from serializer.clauses import set_keyword
from serializer.flink.lateral import flink_lateral_columns, flink_lateral_pieces
from serializer.flink.time_windows import rows_with_windows, windowed_aggregate
from serializer.select_block import Block, Item, Line, input_lines, item_lines


def prepared(operation: QueryOperation) -> tuple[QueryOperation, str | None]:
    """Return the operation to write for a query, and its alias if that differs.

    Raises:
        TableException: Flink does not support one of its subqueries.
    """
    written = sorted_last(operation)
    require_flink_subqueries(written)
    return written, None if written is operation else SORT_ALIAS


def flink_lines(operation: QueryOperation, depth: int) -> list[Item] | None:
    """Write the SELECT of an operation, or return None if it is the same as Spark's.

    Raises:
        TableException: Flink does not support the operation.
    """
    write = _WRITERS.get(type(operation))
    return None if write is None else write(operation, depth)


def _aggregate(operation: QueryOperation, depth: int) -> list[Item] | None:
    assert isinstance(operation, Aggregate)
    if window_of(operation) is not None:
        return windowed_aggregate(operation, depth)
    sets = operation.grouping_sets
    if sets is None:
        return None
    if not operation.group_keys:
        problem = "it groups all rows several times, by no key"
    elif not are_in_order(sets, len(operation.group_keys)):
        problem = "its keys are in another order than in the grouping sets, or in none of them"
    else:
        return None
    raise TableException(
        f"{operation.title}: {operation.describe()} has no text in Flink's SQL that means the same: {problem}. "
        "Serialise it with the dialect SPARK."
    )


def _lateral_join(operation: QueryOperation, depth: int) -> list[Item]:
    assert isinstance(operation, LateralJoin)
    windows = windows_of_rows(operation)
    if windows is not None:
        return rows_with_windows(operation, windows, depth)
    return [
        *item_lines("SELECT", flink_lateral_columns(operation), depth),
        *input_lines(operation.input, depth),
        Line(depth, (*flink_lateral_pieces(operation, operation.input is SINGLE_ROW),)),
    ]


def _set_operation(operation: QueryOperation, depth: int) -> list[Item]:
    assert isinstance(operation, SetOperation)
    left, right = (cast_columns(side, operation.schema) for side in (operation.left, operation.right))
    return [
        Line(depth, ("(",)),
        Block(depth + 1, left, None, None if left is operation.left else CAST_ALIAS),
        Line(depth, (f") {set_keyword(operation.kind, operation.all)} (",)),
        Block(depth + 1, right, None, None if right is operation.right else CAST_ALIAS),
        Line(depth, (")",)),
    ]


_WRITERS: dict[type[QueryOperation], Callable[[QueryOperation, int], list[Item] | None]] = {
    Aggregate: _aggregate,
    LateralJoin: _lateral_join,
    SetOperation: _set_operation,
}
