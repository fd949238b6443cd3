"""Aggregates over windows: Spark calls them with the columns of each row's frame, in the order of a partition's rows.

The columns of all frames of a partition are slices of the same memory, by which two frames are known to share rows. So
each row is taken out of Arrow once; and where a frame only has more rows than the one before, as those up to the
current row do, each is accumulated once.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pyarrow as pa

from tableapi.spark.runtime.columns import column_of_any, values_of
from tableapi.spark.runtime.failures import failure, own_frames
from tableapi.spark.runtime.functions import Aggregation, Columns, Program, guarded, lacks, no_value, series_of

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
        compute: makes what computes the values of frames: one of the functions below.
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
    return _of_columns(program, is_filtered, lambda columns: columns)


def series_of_frames(program: Program, is_filtered: bool) -> ValueOf:
    """Return what calls an aggregate of whole columns with those of a frame as pandas.Series."""
    return _of_columns(program, is_filtered, _Series().of)


def _of_columns(program: Program, is_filtered: bool, convert: Callable[[Columns], Sequence[Any]]) -> ValueOf:
    result = _Result(program)
    all_count = program.has_arguments and not is_filtered

    def value(columns: Columns) -> Any:
        given: Columns = columns
        if not all_count:
            given, counts = _arguments(program, columns, is_filtered)
            given = given if counts is None else [column.filter(counts) for column in given]
        try:
            made = program.call(*convert(given))
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
        self._parts: Aggregation = program.call  # type: ignore[assignment]  # that of an aggregate is its parts
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


class _Series:
    """The columns of frames as series, one frame after the other.

    To make a series takes longer than most functions do. Where it can, that of a whole column is made once, and those
    of the frames are parts of it, with an index of their own.
    """

    def __init__(self) -> None:
        self._place: tuple[int, ...] | None = None
        self._whole: list[Any] = []

    def of(self, columns: Columns) -> list[Any]:
        """Return the columns of a frame as series."""
        place = _place(columns)
        if place is None or place != self._place:
            # What is made here keeps the memory, so that no other column gets its place.
            self._place, self._whole = place, [_whole_series(column) for column in columns]
        return [_part(whole, column) for whole, column in zip(self._whole, columns, strict=True)]


def _whole_series(column: pa.Array) -> Any:
    """Return the column that one is a slice of as a series, None where that may not be as series of its slices are."""
    import pandas as pd

    data_type = column.type
    is_float = pa.types.is_floating(data_type)
    if not is_float and not pa.types.is_integer(data_type):
        return None
    validity, data = column.buffers()
    # With NULL, numbers of whole columns are floats, those of slices without it are none.
    if data is None or (validity is not None and not is_float):
        return None
    length = data.size * 8 // data_type.bit_width
    if validity is not None:
        length = min(length, validity.size * 8)
    values = pa.Array.from_buffers(data_type, length, [validity, data]).to_numpy(zero_copy_only=False)
    values.flags.writeable = False
    return pd.Series(values, copy=False)


def _part(whole: Any, column: pa.Array) -> Any:
    if whole is None:
        return series_of(column)
    start, length = column.offset, len(column)
    part = whole.iloc[start : start + length]
    if start:
        part.index = range(length)
    return part


def _types_of_numpy() -> frozenset[type]:
    """Return the types of what functions of pandas return mostly."""
    try:
        import numpy as np
    except ImportError:
        return frozenset()
    return frozenset((np.int64, np.float64, np.bool_))


class _Result:
    """What a function returned as Spark takes it: the value of a frame is put into an array with those of others."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._of_numpy = _types_of_numpy()
        self._type = next((known for known, is_one in _PLAIN if is_one(program.result)), None)

    def of(self, made: Any, arguments: Callable[[], Any]) -> Any:
        """Return a value; ``arguments`` tells what the function was given, for a value that its type does not have."""
        if made is None:
            return None
        if type(made) in self._of_numpy:
            made = made.item()
        if type(made) is self._type and (not isinstance(made, int) or -_LARGEST <= made < _LARGEST):
            return made
        try:
            found = column_of_any([made], self._program.result)[0]
        except (TypeError, ValueError, pa.ArrowException) as error:
            raise failure(self._program.name, arguments(), no_value(self._program, made, error)) from None
        # Arrow makes an array of values of Python, or of its own with their type; there it has no NULL of every type.
        return found if found.is_valid and self._type is None else found.as_py()
