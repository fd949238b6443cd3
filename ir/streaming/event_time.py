"""The columns that carry the watermark of a stream, by which Spark knows which rows are late.

Source: https://spark.apache.org/docs/latest/streaming/apis-on-dataframes-and-datasets.html#handling-late-data-and-watermarking
"""

from __future__ import annotations

from typing import Final

from ir.expressions import Call, FieldReference, ResolvedExpression
from ir.functions.time_window import TIME_WINDOWS, WINDOW_TIME
from ir.nodes import post_order
from ir.operations.aggregate import Aggregate
from ir.operations.operation import QueryOperation
from ir.operations.project import Project
from ir.operations.set_operation import SetOperation
from ir.operations.source import InlineSource, Source, StreamRead
from ir.operations.watermark import Watermark

_NONE: Final[frozenset[int]] = frozenset()
TimeColumns = dict[QueryOperation, frozenset[int]]
"""For operations over streams, the positions of the columns that carry a watermark."""


def time_columns_of(root: QueryOperation) -> frozenset[int]:
    """Return the positions of the columns of a query that carry a watermark."""
    return find_time_columns(root).get(root, _NONE)


def find_time_columns(root: QueryOperation) -> TimeColumns:
    """Return the columns with a watermark for each operation of a query over streams, without those of subqueries.

    Operations whose rows end are left out, because Spark ignores a watermark there.
    """
    found: TimeColumns = {}
    if root.is_unbounded:
        for operation in post_order(root, _list_unbounded):
            found[operation] = _time_columns(operation, found)
    return found


def declared_stream(operation: QueryOperation) -> StreamRead | None:
    """Return how a view or table with this query is read: as a stream by its definition, or None if its rows end."""
    if not operation.is_unbounded:
        return None
    return StreamRead(is_declared=True, time_columns=tuple(sorted(time_columns_of(operation))))


def carries_time(expression: ResolvedExpression, below: frozenset[int]) -> bool:
    """Return whether the value of an expression carries the watermark of the columns ``below`` in Spark.

    A column does under any name, and so do a whole time window over it and the time of that window. A bound of the
    window, and any other expression, does not.
    """
    while isinstance(expression, Call) and expression.function in _CARRIERS:
        expression = expression.arguments[0]
    return isinstance(expression, FieldReference) and expression.index in below


_CARRIERS: Final = (*TIME_WINDOWS, WINDOW_TIME)


def _list_unbounded(operation: QueryOperation) -> list[QueryOperation]:
    return [read for read in operation.inputs if read.is_unbounded]


def _time_columns(operation: QueryOperation, found: TimeColumns) -> frozenset[int]:
    match operation:
        case Source() | InlineSource():
            stream = operation.stream
            return _NONE if stream is None else frozenset(stream.time_columns)
        case Watermark():
            # Spark takes the watermark from all other columns.
            return frozenset((operation.column.index,))
        case Project():
            return _of_expressions(operation.projections, found.get(operation.input, _NONE))
        case Aggregate():
            return _of_expressions(operation.group_keys, found.get(operation.input, _NONE))
        case SetOperation():
            return found.get(operation.inputs[0], _NONE)
    carried = set()
    for index in range(len(operation.schema)):
        below = operation.column_below(index)
        if below is not None and below[1] in found.get(below[0], _NONE):
            carried.add(index)
    return frozenset(carried)


def _of_expressions(expressions: tuple[ResolvedExpression, ...], below: frozenset[int]) -> frozenset[int]:
    return frozenset(index for index, written in enumerate(expressions) if carries_time(written, below))
