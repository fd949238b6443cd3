"""Cumulative windows over streams, whose rows are those of hopping windows that begin early enough.

A cumulative window and the hopping window with the same end and the whole size contain the same rows, but for those
before the start of the cumulation. Spark has hopping windows, whose column carries the watermark.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ir import types as t
from ir.call_expressions import Call
from ir.calls import call
from ir.column_references import column_references
from ir.durations import duration_text
from ir.expressions import FieldReference, ResolvedExpression, ValueLiteral
from ir.functions.arithmetic import MINUS
from ir.functions.collection import GET, ROW
from ir.functions.comparison import GREATER_THAN_OR_EQUAL
from ir.functions.mathematics import PMOD
from ir.functions.time_window import CUMULATIVE_WINDOWS, END, START, WINDOW
from ir.functions.timestamps import TIMESTAMP_MICROS, UNIX_MICROS
from ir.literals import literal
from ir.names import Names
from ir.operations.filter import Filter
from ir.operations.operation import QueryOperation
from ir.operations.project import Project


class Cumulation(NamedTuple):
    """The lengths of cumulative windows in microseconds."""

    step: int
    size: int
    offset: int = 0

    @staticmethod
    def of(lengths: Sequence[int], time: ResolvedExpression) -> Cumulation:
        """Return the windows with a step, a size and possibly an offset.

        Raises:
            ValidationException: the size is not a multiple of the step, or a length is not valid by itself.
        """
        call(CUMULATIVE_WINDOWS, (time, *[literal(duration_text(length)) for length in lengths]))
        return Cumulation(*lengths)


def add_cumulative_windows(
    input: QueryOperation, time: ResolvedExpression, lengths: Cumulation, name: str
) -> QueryOperation:
    """Return a copy of each row of a stream for each cumulative window with its time.

    The last column is the hopping window with the same end; ``bounds_of_cumulation`` computes the bounds from it.
    """
    offset = lengths.offset % lengths.step
    texts = [literal(duration_text(part)) for part in (lengths.size, lengths.step, *([offset] if offset else []))]
    columns = column_references(input.schema)
    rows = Project(input, (*columns, call(WINDOW, (time, *texts))), (*input.schema.names, name))
    start, _ = bounds_of_cumulation(column_references(rows.schema)[-1], lengths)
    # The time is computed from columns that have kept their positions.
    return Filter(rows, call(GREATER_THAN_OR_EQUAL, (time, start)))


def cumulate_stream(
    input: QueryOperation, time: ResolvedExpression, lengths: Sequence[int], name: str
) -> QueryOperation:
    """Return a copy of each row of a stream for each cumulative window with its time, with the window as last column.

    Raises:
        ValidationException: the size is not a multiple of the step, or a length is not valid by itself.
    """
    found = Cumulation.of(lengths, time)
    rows = add_cumulative_windows(input, time, found, Names(input.schema.names).free("window"))
    *columns, window = column_references(rows.schema)
    return Project(rows, (*columns, _row_of_cumulation(window, found)), (*input.schema.names, name))


def bounds_of_cumulation(
    window: ResolvedExpression, lengths: Cumulation
) -> tuple[ResolvedExpression, ResolvedExpression]:
    """Return the start and the end of the cumulative window with the end of a hopping window."""
    end = call(GET, (window, literal(END)))
    return _start(end, lengths.size, lengths.offset), end


def _row_of_cumulation(window: ResolvedExpression, lengths: Cumulation) -> ResolvedExpression:
    """Return the cumulative window with the end of a hopping window, as a row of its bounds."""
    start, end = bounds_of_cumulation(window, lengths)
    return call(ROW, (literal(START), start, literal(END), end))


def _start(end: ResolvedExpression, size: int, offset: int) -> ResolvedExpression:
    """Return the start of the cumulation that contains the instant before an end."""
    last = call(MINUS, (call(UNIX_MICROS, (end,)), _number(1)))
    counted = call(MINUS, (last, _number(offset))) if offset else last
    return call(TIMESTAMP_MICROS, (call(MINUS, (last, call(PMOD, (counted, _number(size))))),))


def _number(value: int) -> ValueLiteral:
    return ValueLiteral(value, t.BIGINT.not_null())


def end_of_cumulation(start: ResolvedExpression) -> ResolvedExpression | None:
    """Return the end from which the start of a cumulative window is computed; None for any other expression."""
    match start:
        case Call(
            arguments=(
                Call(
                    arguments=(
                        Call(arguments=(Call(arguments=(end,)), ValueLiteral())) as last,
                        Call(arguments=(counted, ValueLiteral(value=int() as size))),
                    )
                ),
            )
        ):
            pass
        case _:
            return None
    offset = 0
    if counted is not last:
        offset = getattr(counted.arguments[1], "value", 0) if isinstance(counted, Call) else 0
    if not isinstance(offset, int) or size <= 0 or not isinstance(end, Call):
        return None
    return end if _start(end, size, offset) is start else None


def window_of_row(row: ResolvedExpression) -> FieldReference | None:
    """Return the hopping window of which a row has the bounds of the cumulative window; None for any other row."""
    match row:
        case Call(arguments=(_, start, _, end)) if row.function is ROW and end_of_cumulation(start) is end:
            window = end.arguments[0] if isinstance(end, Call) and end.function is GET else None
            return window if isinstance(window, FieldReference) else None
    return None
