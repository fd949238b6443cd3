"""Aggregates over windows: Spark calls them with the columns of each row's frame, in the order of a partition's rows.

The columns of all frames of a partition are slices of the same memory, by which two frames are known to share rows. So
each row is taken out of Arrow once; and where a frame only has more rows than the one before, as those up to the
current row do, each is accumulated once.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pyarrow as pa

from tableapi.spark.runtime.columns import column_of_any, values_of
from tableapi.spark.runtime.failures import failure, own_frames
from tableapi.spark.runtime.functions import Aggregation, Columns, Program, guarded, lacks, no_value

ValueOf = Callable[[Columns], Any]
_PLAIN: tuple[tuple[type, Callable[[pa.DataType], bool]], ...] = (
    (int, pa.types.is_int64),
    (float, pa.types.is_float64),
    (str, pa.types.is_string),
    (bool, pa.types.is_boolean),
)
_LARGEST = 2**63


def value_of_frame(program: Program, compute: Callable[[Program, bool], ValueOf], is_filtered: bool) -> Any:
    """Return the function that Spark calls with the columns of each frame, and that gives its value.

    Args:
        program: the function of the user; what it opens stays open, since nothing tells that the last frame was given.
        compute: makes what computes the values of frames: ``rows_of_frames`` or ``columns_of_frames``.
        is_filtered: whether a last column says which of the rows count.
    """
    # Made in the worker, where what it keeps of a frame is not sent along.
    made: list[ValueOf] = []

    def value(*columns: pa.Array) -> Any:
        if not made:
            if program.open is not None:
                guarded(program, "open", program.open)
            made.append(compute(program, is_filtered))
        return made[0](columns)

    return value


def rows_of_frames(program: Program, is_filtered: bool) -> ValueOf:
    """Return what calls an aggregate with each row of a frame."""
    return _Frames(program, is_filtered).value


def columns_of_frames(program: Program, is_filtered: bool) -> ValueOf:
    """Return what calls an aggregate of whole columns with those of a frame."""
    result = _Result(program)

    def value(columns: Columns) -> Any:
        given, counts = _arguments(program, columns, is_filtered)
        if counts is not None:
            given = [column.filter(counts) for column in given]
        try:
            made = program.call(*given)
        except Exception as error:
            told = [values_of(column, program.make_row) for column in given]
            raise failure(program.name, told, error, skip=own_frames(error)) from None
        return result.of(made, lambda: [values_of(column, program.make_row) for column in given])

    return value


def _arguments(program: Program, columns: Columns, is_filtered: bool) -> tuple[list[pa.Array], pa.Array | None]:
    """Return the arguments among the columns, and which rows count, None where all do."""
    given = list(columns)
    counts = given.pop() if is_filtered else None
    return given if program.has_arguments else [], counts


class _Frames:
    """The frames of an aggregate, one after the other.

    Rows are counted within the memory that the columns of a frame are slices of; those from ``_first`` to ``_end`` are
    known as values, None for one that does not count. Those from ``_start`` to ``_end`` are in the accumulator.
    """

    def __init__(self, program: Program, is_filtered: bool) -> None:
        self._program = program
        self._is_filtered = is_filtered
        self._parts: Aggregation = program.call  # type: ignore[assignment]
        self._result = _Result(program)
        # A column of the frame before, so that its memory is not used for another one.
        self._column: pa.Array | None = None
        self._place: tuple[int, ...] | None = None
        self._first = self._end = 0
        self._rows: list[tuple[Any, ...] | None] = []
        self._start: int | None = None
        self._accumulator: Any = None

    def value(self, columns: Columns) -> Any:
        """Return the value of a frame of which these are the columns."""
        column = columns[0]
        start, length = column.offset, len(column)
        end = start + length
        place = _place(columns)
        if place is None or place != self._place or not self._first <= start <= self._end <= end:
            self._place, self._rows, self._first, self._end, self._start = place, [], start, start, None
        self._column = column
        new, self._end = end - self._end, end
        if new:
            self._rows += self._counting(columns, new)
        behind = start - self._first
        if behind > length:
            del self._rows[:behind]
            self._first, behind = start, 0
        create, accumulate, finish = self._parts.create, self._parts.accumulate, self._parts.finish
        row: tuple[Any, ...] | None = None
        try:
            if start != self._start:
                self._accumulator, self._start, new = create(), start, length
            accumulator = self._accumulator
            for row in self._rows[len(self._rows) - new :]:
                if row is not None:
                    accumulate(accumulator, *row)
            # Of a failure from here on, this is what the method was given.
            row = (accumulator,)
            made = finish(accumulator)
        except Exception as error:
            raise failure(self._program.name, row, error, skip=own_frames(error)) from None
        return self._result.of(made, lambda: (accumulator,))

    def _counting(self, columns: Columns, count: int) -> list[tuple[Any, ...] | None]:
        """Return the last rows of a frame, None for those that do not count."""
        program = self._program
        given, counts = _arguments(
            program, [column.slice(len(column) - count) for column in columns], self._is_filtered
        )
        values = [values_of(column, program.make_row) for column in given]
        rows: list[tuple[Any, ...] | None] = list(zip(*values, strict=True)) if values else [()] * count
        required = [position for position in program.required if position < len(given) and given[position].null_count]
        if required:
            rows = [None if row is None or lacks(row, required) else row for row in rows]
        if counts is None:
            return rows
        return [row if does_count else None for row, does_count in zip(rows, counts.to_pylist(), strict=True)]


def _place(columns: Columns) -> tuple[int, ...] | None:
    """Return where the memory is that the columns are slices of, None where they have none."""
    for column in columns:
        place = tuple([0 if buffer is None else buffer.address for buffer in column.buffers()])
        if any(place):
            return place
    return None


class _Result:
    """What a function returned as Spark takes it: the value of a frame is put into an array with those of others."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._type = next((known for known, is_one in _PLAIN if is_one(program.result)), None)

    def of(self, made: Any, arguments: Callable[[], Any]) -> Any:
        """Return a value; ``arguments`` tells what the function was given, for a value that its type does not have."""
        if made is None:
            return None
        if type(made) is self._type and (self._type is not int or -_LARGEST <= made < _LARGEST):
            return made
        try:
            found = column_of_any([made], self._program.result)[0]
        except (TypeError, ValueError, pa.ArrowException) as error:
            raise failure(self._program.name, arguments(), no_value(self._program, made, error)) from None
        # Arrow makes an array of values of Python, or of its own with their type; there it has no NULL of every type.
        return found if found.is_valid and self._type is None else found.as_py()
