"""Writes aggregation by time windows in Flink's SQL, over a window table function.

Source: https://nightlies.apache.org/flink/flink-docs-stable/docs/dev/table/sql/queries/window-tvf/
"""

from __future__ import annotations

from ir.call_expressions import Call
from ir.expressions import FieldReference, ResolvedExpression
from ir.flink.time_windows import (
    function_of,
    lengths,
    rebuild_over_columns,
    rows_over_columns,
    window_of,
)
from ir.functions.time_window import END_COLUMN, SESSION_WINDOW, START_COLUMN
from ir.identifiers import quote
from ir.operations.aggregate import Aggregate
from ir.operations.lateral import LateralJoin
from ir.operations.operation import QueryOperation
from ir.types import LogicalType
from serializer.clauses import write_grouping_sets
from serializer.items import Block, Item, Line
from serializer.literals import literal_text
from serializer.names import name_text
from serializer.notation import Notation
from serializer.pieces import Piece
from serializer.select_block import expression_item, item_lines, write_named_item
from serializer.types import type_text

_BOUNDS = [quote(START_COLUMN), quote(END_COLUMN)]


def write_windowed_aggregate(aggregate: Aggregate, depth: int, notation: Notation) -> list[Item]:
    """Write an aggregation whose group keys include a time window.

    Raises:
        TableException: Flink does not support the windows.
    """
    formed = rebuild_over_columns(aggregate)
    window = window_of(formed)
    assert window is not None
    struct = _row_of_bounds(window.data_type, notation)
    items: list[tuple[Piece, ...]] = []
    for expression, name in zip(formed.group_keys + formed.aggregates, formed.names, strict=True):
        is_window = expression is window
        items.append(
            (struct, f" AS {name_text(name, notation)}") if is_window else write_named_item(expression, name, notation)
        )
    partition = _partition(formed, window, notation)
    arguments = _arguments(window, window.arguments[0], notation)
    return [
        *item_lines("SELECT", items, depth),
        *_table_function(formed.input, window, f"{partition}, {arguments}", depth),
        *_group_lines(formed, window, depth, notation),
    ]


def _group_lines(aggregate: Aggregate, window: Call, depth: int, notation: Notation) -> list[Item]:
    """Write the group keys, with both bounds in place of the window.

    With grouping sets, the bounds come first and are in no set.
    """
    bounds: list[tuple[Piece, ...]] = [(bound,) for bound in _BOUNDS]
    sets = aggregate.grouping_sets
    if sets is None:
        keys = [bounds if key is window else [expression_item(key, notation)] for key in aggregate.group_keys]
        return item_lines("GROUP BY", [item for items in keys for item in items], depth)
    others = [expression_item(key, notation) for key in aggregate.group_keys[1:]]
    without_window = tuple([tuple([position - 1 for position in chosen[1:]]) for chosen in sets])
    return item_lines("GROUP BY", [*bounds, write_grouping_sets(without_window, others)], depth)


def rows_with_windows(join: LateralJoin, windows: Call, depth: int, notation: Notation) -> list[Item]:
    """Write a lateral join with the windows of each row.

    Raises:
        TableException: Flink does not support the windows.
    """
    input, time, columns = rows_over_columns(join, windows)
    names = join.schema.names
    items = [write_named_item(column, name, notation) for column, name in zip(columns, names, strict=False)]
    struct = _row_of_bounds(join.schema.types[-1], notation)
    items.append((struct, f" AS {name_text(names[-1], notation)}"))
    arguments = _arguments(windows, time, notation)
    return [*item_lines("SELECT", items, depth), *_table_function(input, windows, f", {arguments}", depth)]


def _row_of_bounds(data_type: LogicalType, notation: Notation) -> str:
    return f"CAST(ROW({', '.join(_BOUNDS)}) AS {type_text(data_type, notation)})"


def _table_function(input: QueryOperation, window: Call, after_input: str, depth: int) -> list[Item]:
    return [
        Line(depth, ("FROM TABLE(",)),
        Line(depth + 1, (f"{function_of(window)}((",)),
        Block(depth + 2, input),
        Line(depth + 1, (f"){after_input})",)),
        Line(depth, (")",)),
    ]


def _partition(aggregate: Aggregate, window: Call, notation: Notation) -> str:
    """Return the PARTITION BY clause of session windows, which has the other group keys."""
    keys = [key for key in aggregate.group_keys if key is not window]
    if window.function is not SESSION_WINDOW or not keys:
        return ""
    names = [name_text(key.name, notation) for key in keys if isinstance(key, FieldReference)]
    return f" PARTITION BY ({', '.join(names)})"


def _arguments(window: Call, time: ResolvedExpression, notation: Notation) -> str:
    assert isinstance(time, FieldReference)
    intervals = [literal_text(length, notation) for length in lengths(window)]
    return ", ".join([f"DESCRIPTOR({name_text(time.name, notation)})", *intervals])
