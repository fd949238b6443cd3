"""Aggregates over windows: Spark calls them with the columns of each row's frame, in partition order.

The columns of all frames of a partition are slices of the same memory, which shows that two frames share rows. So each
row is converted from Arrow only once. If a frame only adds rows to the previous one, like a frame up to the current
row, each row is also accumulated only once.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

import pyarrow as pa

from tableapi.spark.runtime.columns import column_of_any, values_of
from tableapi.spark.runtime.failures import FAILURES, count_own_frames, failure
from tableapi.spark.runtime.functions import (
    Aggregation,
    Columns,
    Program,
    call_guarded,
    make_value_error,
    rows_that_count,
)
from tableapi.spark.runtime.wrong_values import WRONG

ValueOf = Callable[[Columns], Any]
_PLAIN: tuple[tuple[type, Callable[[pa.DataType], bool]], ...] = (
    (int, pa.types.is_int64),
    (float, pa.types.is_float64),
    (str, pa.types.is_string),
    (bool, pa.types.is_boolean),
)
_LARGEST = 2**63
# How many rows are converted to Python values ahead, once a partition has shown more than one frame.
_AHEAD = 1000
_NUMBERS = (pa.types.is_integer, pa.types.is_floating, pa.types.is_boolean)


def value_of_frame(program: Program, compute: Callable[[Program, bool], ValueOf], is_filtered: bool) -> Any:
    """Return the function that Spark calls with the columns of each frame, and that returns its value.

    Args:
        program: the user function. It stays open, because Spark does not report the last frame.
        compute: one of the functions below, which builds the function from a frame to its value.
        is_filtered: whether the last column says which rows count.
    """
    # Built in the worker, so that the state of a frame is not pickled.
    made: list[ValueOf] = []

    def value(*columns: pa.Array) -> Any:
        if not made:
            open_function(program)
            made.append(compute(program, is_filtered))
        return made[0](columns)

    return value


def open_function(program: Program) -> None:
    """Call ``open()`` if the function defines it."""
    if program.open is not None:
        call_guarded(program, "open", program.open)


def rows_of_frames(program: Program, is_filtered: bool) -> ValueOf:
    """Return a function that calls an aggregate with each row of a frame."""
    return _Frames(program, is_filtered).value


def columns_of_frames(program: Program, is_filtered: bool) -> ValueOf:
    """Return a function that calls an aggregate of whole columns with the columns of a frame."""
    return make_column_function(program, is_filtered)


def make_column_function(
    program: Program,
    is_filtered: bool,
    convert: Callable[[Columns], Sequence[Any]] | None = None,
    without_missing: Callable[[Any], Any] | None = None,
) -> ValueOf:
    """Return a function that calls an aggregate with the columns of a frame, or with converted columns."""
    result = Result(program, without_missing)
    call = program.call
    as_it_is = result.as_it_is
    all_count = program.has_arguments and not is_filtered

    def value(columns: Columns) -> Any:
        given: Columns = columns
        if not all_count:
            given, counts = _arguments(program, columns, is_filtered)
            given = given if counts is None else [column.filter(counts) for column in given]
        try:
            made = call(*given) if convert is None else call(*convert(given))
        except FAILURES as error:
            raise failure(program.name, told(given), error, skip=count_own_frames(error)) from None
        return made if type(made) is as_it_is else result.of(made, functools.partial(told, given))

    def told(columns: Columns) -> list[list[Any]]:
        return [values_of(column, program.make_row) for column in columns]

    return value


def _arguments(program: Program, columns: Columns, is_filtered: bool) -> tuple[list[pa.Array], pa.Array | None]:
    """Split columns into the arguments and the filter; None stands for a filter that all rows pass."""
    given = list(columns)
    counts = given.pop() if is_filtered else None
    return given if program.has_arguments else [], counts


class _Frames:
    """The frames of an aggregate, one after the other.

    Row numbers count from the start of the memory that the columns of frames are slices of. The values of the rows from
    ``_first`` to ``_known`` have been converted. The rows from ``_start`` to ``_end`` are in the accumulator.
    """

    def __init__(self, program: Program, is_filtered: bool) -> None:
        self._program = program
        self._is_filtered = is_filtered
        self._parts: Aggregation = program.call  # type: ignore[assignment]  # the call of an aggregate is its parts
        self._result = Result(program)
        # Columns of the previous frame, which keep their memory from being reused, and the whole columns behind them.
        # The latter are found at the second frame only, because many partitions have a single frame.
        self._columns: Columns = ()
        self._wholes: list[pa.Array] | None = None
        self._place: tuple[int, ...] | None = None
        self._first = self._known = self._end = 0
        self._values: list[list[Any]] = []
        # Which of the rows count; None while all of them do.
        self._counts: list[bool] | None = None
        self._start: int | None = None
        self._accumulator: Any = None

    def value(self, columns: Columns) -> Any:
        """Return the value of the frame with these columns."""
        program, parts = self._program, self._parts
        column = columns[0]
        start, length = column.offset, len(column)
        end = start + length
        place = place_of(columns)
        if place is None or place != self._place or not self._first <= start <= self._end <= end:
            self._columns, self._place, self._wholes, self._values, self._counts = columns, place, None, [], None
            self._first, self._known, self._end, self._start = start, start, start, None
        new, self._end = end - self._end, end
        if end > self._known:
            self._take(columns, end - self._known)
        behind = start - self._first
        if behind > length and behind > _AHEAD:
            self._forget(behind)
        if start != self._start:
            self._accumulator, self._start, new = parts.new(program), start, length
        accumulator = self._accumulator
        if new:
            last = end - self._first
            parts.add(program, accumulator, self._values, self._counts, last - new, last)
        try:
            made = parts.finish(accumulator)
        except FAILURES as error:
            raise failure(program.name, (accumulator,), error, skip=count_own_frames(error)) from None
        return self._result.of(made, functools.partial(_wrap_alone, accumulator))

    def _take(self, columns: Columns, count: int) -> None:
        """Convert the last rows of a frame to Python values; from the second frame on, also rows behind it."""
        program = self._program
        known = self._known - self._first
        taken = columns
        if known:
            wholes = self._wholes
            if wholes is None:
                found = [whole for whole in map(find_whole_column, columns) if whole is not None]
                wholes = self._wholes = found if len(found) == len(columns) else []
            if wholes:
                taken = [whole.slice(self._known, max(count, _AHEAD)) for whole in wholes]
                count = min(map(len, taken))
                taken = [column.slice(0, count) for column in taken]
            else:
                taken = [column.slice(len(column) - count) for column in columns]
        self._known += count
        given, counts = _arguments(program, taken, self._is_filtered)
        values = [values_of(column, program.make_row) for column in given]
        if self._values:
            for column, further in zip(self._values, values, strict=True):
                column += further
        else:
            self._values = values
        of_rows = rows_that_count(program, given)
        if counts is not None:
            of_rows = [
                bool(does and may) for does, may in zip(counts.to_pylist(), of_rows or [True] * count, strict=True)
            ]
        if of_rows is None and self._counts is None:
            return
        if self._counts is None:
            self._counts = [True] * known
        self._counts += of_rows or [True] * count

    def _forget(self, count: int) -> None:
        """Drop the first of the converted rows."""
        for column in self._values:
            del column[:count]
        if self._counts is not None:
            del self._counts[:count]
        self._first += count


def _wrap_alone(value: Any) -> tuple[Any]:
    return (value,)


def find_whole_column(column: pa.Array) -> pa.Array | None:
    """Return the whole column in memory that a slice of numbers is part of; None for other types.

    The memory may be larger than its content: undefined numbers may follow the last row of a partition.
    """
    data_type = column.type
    if not any(is_one(data_type) for is_one in _NUMBERS):
        return None
    validity, data = column.buffers()
    if data is None:
        return None
    length = data.size * 8 // data_type.bit_width
    if validity is not None:
        length = min(length, validity.size * 8)
    return pa.Array.from_buffers(data_type, length, [validity, data])


def place_of(columns: Columns) -> tuple[int, ...] | None:
    """Return the memory address that columns are slices of; None if they have no memory."""
    for column in columns:
        buffers = column.buffers()
        if len(buffers) == 2 and buffers[1]:
            # For a column of plain values, this address is enough.
            return (buffers[1].address,)
        place = tuple([0 if buffer is None else buffer.address for buffer in buffers])
        if any(place):
            return place
    return None


def _types_of_numpy() -> frozenset[type]:
    """Return the numpy types that pandas functions mostly return."""
    try:
        import numpy as np
    except ImportError:
        return frozenset()
    return frozenset((np.int64, np.float64, np.bool_))


class Result:
    """Converts the value of a frame for Spark, which puts it into an array with the values of other frames.

    Args:
        program: the function.
        without_missing: converts pandas markers of missing values to None; None if the function has no such markers.

    Attributes:
        as_it_is: the Python type whose values need no conversion at all, or None.
    """

    def __init__(self, program: Program, without_missing: Callable[[Any], Any] | None = None) -> None:
        self._program = program
        self._without_missing = without_missing
        self._of_numpy = _types_of_numpy()
        self._type = next((known for known, is_one in _PLAIN if is_one(program.result)), None)
        self.as_it_is = None if self._type is int or without_missing is not None else self._type

    def of(self, made: Any, arguments: Callable[[], Any]) -> Any:
        """Convert a value; ``arguments`` returns the arguments of the call for the error message."""
        if type(made) in self._of_numpy:
            made = made.item()
        if type(made) is self._type and (not isinstance(made, int) or -_LARGEST <= made < _LARGEST):
            # NaN is the only value that differs from itself.
            return None if made != made and self._without_missing is not None else made
        if self._without_missing is not None:
            made = self._without_missing(made)
        if isinstance(made, pa.Scalar):
            made = made.as_py()
        if made is None:
            return None
        try:
            found = column_of_any([made], self._program.result)[0]
        except WRONG as error:
            raise failure(self._program.name, arguments(), make_value_error(self._program, made, error)) from None
        # Spark builds an array either from Python values or from typed Arrow values.
        return found if self._type is None else found.as_py()
