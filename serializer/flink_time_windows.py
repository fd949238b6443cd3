"""Aggregation by windows over time as Flink's SQL has it: over a window table function.

Source: https://nightlies.apache.org/flink/flink-docs-stable/docs/dev/table/sql/queries/window-tvf/
"""

from __future__ import annotations

from ir.expressions import Call, FieldReference
from ir.flink.time_windows import END_COLUMN, START_COLUMN, function_of, lengths, over_columns, window_of
from ir.functions.time_window import SESSION_WINDOW
from ir.operations.aggregate import Aggregate
from ir.rendering import Dialect
from serializer.call_syntax import Piece
from serializer.literals import literal_text
from serializer.names import name_text
from serializer.select_block import Block, Item, Line, expression_item, item_lines, named_item
from serializer.types import type_text

_FLINK = Dialect.FLINK


def windowed_aggregate(aggregate: Aggregate, depth: int) -> list[Item]:
    """Return the lines of an aggregation one of whose keys is a window over time.

    Raises:
        TableException: Flink has no such windows.
    """
    formed = over_columns(aggregate)
    window = window_of(formed)
    assert window is not None
    bounds = [name_text(START_COLUMN, _FLINK), name_text(END_COLUMN, _FLINK)]
    struct = f"CAST(ROW({', '.join(bounds)}) AS {type_text(window.data_type, _FLINK)})"
    items: list[tuple[Piece, ...]] = []
    group_by: list[tuple[Piece, ...]] = []
    for expression, name in zip(formed.group_keys + formed.aggregates, formed.names, strict=True):
        is_window = expression is window
        items.append((struct, f" AS {name_text(name, _FLINK)}") if is_window else named_item(expression, name, _FLINK))
    for key in formed.group_keys:
        group_by += [(bound,) for bound in bounds] if key is window else [expression_item(key, _FLINK)]
    return [
        *item_lines("SELECT", items, depth),
        Line(depth, ("FROM TABLE(",)),
        Line(depth + 1, (f"{function_of(window)}((",)),
        Block(depth + 2, formed.input),
        Line(depth + 1, (f"){_partition(formed, window)}, {_arguments(window)})",)),
        Line(depth, (")",)),
        *item_lines("GROUP BY", group_by, depth),
    ]


def _partition(aggregate: Aggregate, window: Call) -> str:
    """Return the clause by which sessions are found for each combination of the other keys."""
    keys = [key for key in aggregate.group_keys if key is not window]
    if window.function is not SESSION_WINDOW or not keys:
        return ""
    names = [name_text(key.name, _FLINK) for key in keys if isinstance(key, FieldReference)]
    return f" PARTITION BY ({', '.join(names)})"


def _arguments(window: Call) -> str:
    time = window.arguments[0]
    assert isinstance(time, FieldReference)
    intervals = [literal_text(length, _FLINK) for length in lengths(window)]
    return ", ".join([f"DESCRIPTOR({name_text(time.name, _FLINK)})", *intervals])
