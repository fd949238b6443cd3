"""Functions of pandas: columns as series, those of the frames of windows too, and what is missing among their results.

The series of a frame is a part of that of its partition, whose index says where in the partition its rows are, as in
PySpark and PyFlink: to make one of its own takes longer than most functions do.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from tableapi.spark.runtime.columns import values_of
from tableapi.spark.runtime.failures import failure, own_frames
from tableapi.spark.runtime.frames import Result, ValueOf, of_columns, opened, place_of
from tableapi.spark.runtime.functions import Columns, Program


def series_of(column: pa.Array) -> Any:
    """Return a column as pandas.Series.

    Where values are missing, whole numbers are floats, as in PySpark and PyFlink; those that no float has exactly are
    of the type of pandas that has both. Within arrays and rows they are objects.
    """
    if has_no_floats(column):
        import pandas as pd

        return column.to_pandas(types_mapper={pa.int64(): pd.Int64Dtype()}.get)
    return column.to_pandas(date_as_object=True, integer_object_nulls=pa.types.is_nested(column.type))


def has_no_floats(column: pa.Array) -> bool:
    """Whether a column of whole numbers and NULL has one that is not exactly a float."""
    if not column.null_count or not pa.types.is_int64(column.type):
        return False
    found = _compute.min_max(column).as_py()
    return found["min"] is not None and not -_LARGEST_FLOAT <= found["min"] <= found["max"] <= _LARGEST_FLOAT


_LARGEST_FLOAT = 2**53
_compute: Any = pc


def of_pandas(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function of Arrow's columns that calls one of pandas.Series, whose result is one too."""

    def over_series(*columns: pa.Array) -> Any:
        import pandas as pd

        made = function(*map(series_of, columns))
        return pa.array(made, from_pandas=True) if isinstance(made, pd.Series) else made

    return over_series


def aggregate_of_pandas(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return an aggregate of Arrow's columns that calls one of pandas.Series."""

    def over_series(*columns: pa.Array) -> Any:
        return none_if_missing(function(*map(series_of, columns)))

    return over_series


def none_if_missing(made: Any) -> Any:
    """Return a value, None for what pandas has where a value is missing, NaN among it."""
    import pandas as pd

    return None if pd.api.types.is_scalar(made) and pd.isna(made) else made


# --- the frames of windows -------------------------------------------------------------------------------------------


def series_of_frames(program: Program, is_filtered: bool) -> ValueOf:
    """Return what calls an aggregate with the columns of a frame, which are Arrow's, as series."""
    wholes: list[_Whole] = []
    place: tuple[int, ...] | None = None

    def convert(columns: Columns) -> list[Any]:
        nonlocal place, wholes
        found = place_of(columns)
        if found is None or found != place:
            # What is made here keeps the memory, so that no other column gets its place.
            place, wholes = found, [_Whole(column) for column in columns]
        return [whole.part(column) for whole, column in zip(wholes, columns, strict=True)]

    return of_columns(program, is_filtered, convert, none_if_missing)


def value_of_series(program: Program) -> Callable[..., Any]:
    """Return the function that Spark calls with the columns of each frame as the series that it makes itself.

    Args:
        program: the function of the user.
    """
    state: list[Callable[..., Any]] = []

    def value(*parts: Any) -> Any:
        if not state:
            opened(program)
            state.append(_of_series(program))
        return state[0](parts)

    return value


def _of_series(program: Program) -> Callable[..., Any]:
    import numpy as np
    import pandas as pd

    plain = ((pa.types.is_float64, (np.float64, float)), (pa.types.is_int64, (np.int64,)), (pa.types.is_string, (str,)))
    # What needs no look into it, other than for NaN.
    exact = next((types for is_one, types in plain if is_one(program.result)), ())
    result = Result(program, none_if_missing)
    call = program.call
    # Before, a function that changes its argument would change the frames after it.
    shares = int(pd.__version__.split(".")[0]) >= 3

    def value(parts: tuple[Any, ...]) -> Any:
        try:
            made = call(*parts) if shares else call(*[part.copy() for part in parts])
        except Exception as error:
            raise failure(program.name, told(parts), error, skip=own_frames(error)) from None
        if type(made) in exact and made == made:
            return made
        found = result.of(made, lambda: told(parts))
        # Beside None, integers would be floats.
        return pd.NA if found is None else found

    def told(parts: tuple[Any, ...]) -> list[list[Any]]:
        return [values_of(pa.array(part, from_pandas=True), program.make_row) for part in parts]

    return value


class _Whole:
    """The column that those of frames are slices of, as series of which theirs are parts.

    With NULL, integers are mostly floats, and truth values objects: there is one series for the frames without, one for
    those with it. Of types whose values lie elsewhere in memory than their numbers, each frame has a series of its own.
    """

    def __init__(self, column: pa.Array) -> None:
        # Its memory is that of the series.
        self._column = column
        data_type = column.type
        bits = getattr(data_type, "bit_width", 0) if any(is_one(data_type) for is_one in _NUMBERS) else 0
        validity, data = column.buffers() if bits else (None, None)
        self._has_whole = data is not None
        self._valid: Any = None
        self._with_null: Any = None
        if data is not None:
            length = data.size * 8 // bits
            self._length = length if validity is None else min(length, validity.size * 8)

    def part(self, column: pa.Array) -> Any:
        """Return the series of a slice."""
        start = column.offset
        end = start + len(column)
        if not self._has_whole:
            import pandas as pd

            made = series_of(column)
            made.index = pd.RangeIndex(start, end)
            return made
        if column.null_count:
            if self._with_null is None:
                self._with_null = self._series(self._column.buffers()[0])
            return self._with_null[start:end]
        if self._valid is None:
            self._valid = self._series(None)
        return self._valid[start:end]

    def _series(self, validity: pa.Buffer | None) -> Any:
        import pandas as pd

        data = self._column.buffers()[1]
        whole = pa.Array.from_buffers(self._column.type, self._length, [validity, data])
        if has_no_floats(whole):
            return series_of(whole)
        values = whole.to_numpy(zero_copy_only=False)
        values.flags.writeable = False
        return pd.Series(values, copy=False)


_NUMBERS = (pa.types.is_integer, pa.types.is_floating, pa.types.is_boolean)
