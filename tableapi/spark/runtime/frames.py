"""Aggregates over windows: Spark calls them with the columns of each row's frame, in the order of a partition's rows.

The columns of all frames of a partition are slices of the same memory, by which two frames are known to share rows. So
each row is taken out of Arrow once; and where a frame only has more rows than the one before, as those up to the
current row do, each is accumulated once.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

import pyarrow as pa

from tableapi.spark.runtime.columns import column_of_any, values_of
from tableapi.spark.runtime.failures import FAILURES, failure, own_frames
from tableapi.spark.runtime.functions import Aggregation, Columns, Program, guarded, no_value, rows_that_count
from tableapi.spark.runtime.wrong_values import WRONG

ValueOf = Callable[[Columns], Any]
_PLAIN: tuple[tuple[type, Callable[[pa.DataType], bool]], ...] = (
    (int, pa.types.is_int64),
    (float, pa.types.is_float64),
    (str, pa.types.is_string),
    (bool, pa.types.is_boolean),
)
_LARGEST = 2**63
# How many rows are made values of Python at once, where more of a partition are seen than a frame has.
_AHEAD = 1000
_NUMBERS = (pa.types.is_integer, pa.types.is_floating, pa.types.is_boolean)


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
            opened(program)
            made.append(compute(program, is_filtered))
        return made[0](columns)

    return value


def opened(program: Program) -> None:
    """Open a function that is to be opened."""
    if program.open is not None:
        guarded(program, "open", program.open)


def rows_of_frames(program: Program, is_filtered: bool) -> ValueOf:
    """Return what calls an aggregate with each row of a frame."""
    return _Frames(program, is_filtered).value


def columns_of_frames(program: Program, is_filtered: bool) -> ValueOf:
    """Return what calls an aggregate of whole columns with those of a frame."""
    return of_columns(program, is_filtered)


def of_columns(
    program: Program,
    is_filtered: bool,
    convert: Callable[[Columns], Sequence[Any]] | None = None,
    without_missing: Callable[[Any], Any] | None = None,
) -> ValueOf:
    """Return what calls an aggregate with the columns of a frame, or with what is made of them."""
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
            raise failure(program.name, told(given), error, skip=own_frames(error)) from None
        return made if type(made) is as_it_is else result.of(made, functools.partial(told, given))

    def told(columns: Columns) -> list[list[Any]]:
        return [values_of(column, program.make_row) for column in columns]

    return value


def _arguments(program: Program, columns: Columns, is_filtered: bool) -> tuple[list[pa.Array], pa.Array | None]:
    """Return the arguments among the columns, and which rows count, None where all do."""
    given = list(columns)
    counts = given.pop() if is_filtered else None
    return given if program.has_arguments else [], counts


class _Frames:
    """The frames of an aggregate, one after the other.

    Rows are counted within the memory that the columns of a frame are slices of; those from ``_first`` to ``_known``
    are known as values, column by column. Those from ``_start`` to ``_end`` are in the accumulator.
    """

    def __init__(self, program: Program, is_filtered: bool) -> None:
        self._program = program
        self._is_filtered = is_filtered
        self._parts: Aggregation = program.call  # type: ignore[assignment]  # that of an aggregate is its parts
        self._result = Result(program)
        # Columns of a frame before, so that their memory is not used for others, and all that is seen of them: none
        # before a second frame is seen, since of many partitions there is one alone.
        self._columns: Columns = ()
        self._wholes: list[pa.Array] | None = None
        self._place: tuple[int, ...] | None = None
        self._first = self._known = self._end = 0
        self._values: list[list[Any]] = []
        # Which of the rows count, None as long as all do.
        self._counts: list[bool] | None = None
        self._start: int | None = None
        self._accumulator: Any = None

    def value(self, columns: Columns) -> Any:
        """Return the value of a frame of which these are the columns."""
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
            raise failure(program.name, (accumulator,), error, skip=own_frames(error)) from None
        return self._result.of(made, functools.partial(_alone, accumulator))

    def _take(self, columns: Columns, count: int) -> None:
        """Make the last rows of a frame values of Python, and some behind it once that is not the first."""
        program = self._program
        known = self._known - self._first
        taken = columns
        if known:
            wholes = self._wholes
            if wholes is None:
                found = [whole for whole in map(whole_of, columns) if whole is not None]
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
        """Forget the first of the known rows."""
        for column in self._values:
            del column[:count]
        if self._counts is not None:
            del self._counts[:count]
        self._first += count


def _alone(value: Any) -> tuple[Any]:
    return (value,)


def whole_of(column: pa.Array) -> pa.Array | None:
    """Return the column that a slice of numbers is one of, None where its type has none in memory as they are.

    Memory is larger than what lies in it: behind the last row of a partition there may be numbers that are none of it.
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
    """Return where the memory is that the columns are slices of, None where they have none."""
    for column in columns:
        buffers = column.buffers()
        if len(buffers) == 2 and buffers[1]:
            # Of a column of plain values, these alone say it.
            return (buffers[1].address,)
        place = tuple([0 if buffer is None else buffer.address for buffer in buffers])
        if any(place):
            return place
    return None


def _types_of_numpy() -> frozenset[type]:
    """Return the types of what functions of pandas return mostly."""
    try:
        import numpy as np
    except ImportError:
        return frozenset()
    return frozenset((np.int64, np.float64, np.bool_))


class Result:
    """What a function returned as Spark takes it: the value of a frame is put into an array with those of others.

    Args:
        program: the function.
        without_missing: makes None of the values that stand for none, where there are such.

    Attributes:
        as_it_is: the type of Python whose values are all taken as they are, None where there is none.
    """

    def __init__(self, program: Program, without_missing: Callable[[Any], Any] | None = None) -> None:
        self._program = program
        self._without_missing = without_missing
        self._of_numpy = _types_of_numpy()
        self._type = next((known for known, is_one in _PLAIN if is_one(program.result)), None)
        self.as_it_is = None if self._type is int or without_missing is not None else self._type

    def of(self, made: Any, arguments: Callable[[], Any]) -> Any:
        """Return a value; ``arguments`` tells what the function was given, for a value that its type does not have."""
        if type(made) in self._of_numpy:
            made = made.item()
        if type(made) is self._type and (not isinstance(made, int) or -_LARGEST <= made < _LARGEST):
            # NaN alone is not what it is.
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
            raise failure(self._program.name, arguments(), no_value(self._program, made, error)) from None
        # Arrow makes an array of values of Python, or of its own with their type.
        return found if self._type is None else found.as_py()
