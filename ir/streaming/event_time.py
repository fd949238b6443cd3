"""The columns that carry the watermark of a stream, by which Spark knows which rows are late.

Source: https://spark.apache.org/docs/latest/streaming/apis-on-dataframes-and-datasets.html#handling-late-data-and-watermarking
"""

from __future__ import annotations

from typing import Final

from ir.call_expressions import Call
from ir.expressions import FieldReference, ResolvedExpression
from ir.functions.time_window import TIME_WINDOWS, WINDOW_TIME
from ir.operations.aggregate import Aggregate
from ir.operations.operation import QueryOperation
from ir.operations.process import ProcessTable
from ir.operations.project import Project
from ir.operations.set_operation import SetOperation
from ir.operations.source import InlineSource, Source, StreamRead
from ir.operations.watermark import Watermark
from ir.streaming.remembered import RememberedFacts

_NONE: Final[frozenset[int]] = frozenset()


def time_columns_of(operation: QueryOperation) -> frozenset[int]:
    """Return the positions of the columns of a query that carry a watermark.

    A query whose rows end has none, because Spark ignores a watermark there.
    """
    return _TIMES.of(operation) if operation.is_unbounded else _NONE


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


def _find_time_columns(operation: QueryOperation) -> frozenset[int]:
    match operation:
        case Source() | InlineSource():
            stream = operation.stream
            return _NONE if stream is None else frozenset(stream.time_columns)
        case Watermark():
            # Spark takes the watermark from all other columns.
            return frozenset((operation.column.index,))
        case Project():
            return _of_expressions(operation.projections, time_columns_of(operation.input))
        case Aggregate():
            return _of_expressions(operation.group_keys, time_columns_of(operation.input))
        case SetOperation():
            return time_columns_of(operation.inputs[0])
        case ProcessTable() if operation.on_time and operation.signature.tables[0].is_set:
            # The last column is rowtime, which is never behind the watermark.
            has_watermark = all(time_columns_of(table) for table in operation.tables)
            return frozenset((len(operation.schema) - 1,)) if has_watermark else _NONE
    carried = set()
    for index in range(len(operation.schema)):
        below = operation.column_below(index)
        if below is not None and below[1] in time_columns_of(below[0]):
            carried.add(index)
    return frozenset(carried)


def _of_expressions(expressions: tuple[ResolvedExpression, ...], below: frozenset[int]) -> frozenset[int]:
    return frozenset(index for index, written in enumerate(expressions) if carries_time(written, below))


_TIMES: Final = RememberedFacts(_find_time_columns)
