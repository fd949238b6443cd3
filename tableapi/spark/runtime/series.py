"""pandas functions: convert columns and frames of windows to series, and missing values in results to None.

The series of a frame is a slice of the series of its partition, so its index gives the positions of its rows in the
partition, as in PySpark and PyFlink. Making a new series for each frame takes longer than most functions do.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from tableapi.spark.runtime.columns import column_as, column_of_any, values_of
from tableapi.spark.runtime.failures import FAILURES, count_own_frames, failure
from tableapi.spark.runtime.frames import (
    Result,
    ValueOf,
    find_whole_column,
    make_column_function,
    open_function,
    place_of,
)
from tableapi.spark.runtime.functions import Columns, Program
from tableapi.spark.runtime.wrong_values import WRONG, sql_name, wrong_value


def series_of(column: pa.Array) -> Any:
    """Convert a column to a pandas Series, and a column of rows to a pandas DataFrame of the fields.

    Integers with missing values become floats, as in PySpark and PyFlink, or nullable integers if a float cannot
    represent one of them exactly. Within arrays they become objects.
    """
    import pandas as pd

    if pa.types.is_struct(column.type) and column.type.num_fields:
        frame = pd.concat(list(map(series_of, column.flatten())), axis=1)
        frame.columns = [column.type.field(i).name for i in range(column.type.num_fields)]
        return frame
    if has_no_floats(column):
        return column.to_pandas(types_mapper={pa.int64(): pd.Int64Dtype()}.get)
    return column.to_pandas(date_as_object=True, integer_object_nulls=pa.types.is_nested(column.type))


def has_no_floats(column: pa.Array) -> bool:
    """Whether a column of integers and NULL contains an integer that a float cannot represent exactly."""
    if not column.null_count or not pa.types.is_int64(column.type):
        return False
    found = _compute.min_max(column).as_py()
    return found["min"] is not None and not -_LARGEST_FLOAT <= found["min"] <= found["max"] <= _LARGEST_FLOAT


_LARGEST_FLOAT = 2**53
_compute: Any = pc


def wrap_pandas_function(function: Callable[..., Any], result: pa.DataType) -> Callable[..., Any]:
    """Wrap a pandas function, which returns a series or a frame of rows, as a function of Arrow columns."""

    def over_series(*columns: pa.Array) -> pa.Array:
        return _array_of(function(*map(series_of, columns)), result)

    return over_series


def _array_of(made: Any, data_type: pa.DataType) -> pa.Array:
    """Convert the result of a pandas function to a column of a type.

    Raises:
        TypeError: the result does not have the type.
    """
    import pandas as pd

    is_row = pa.types.is_struct(data_type)
    if is_row and isinstance(made, pd.DataFrame):
        return _array_of_frame(made, data_type)
    if not isinstance(made, pd.Series):
        wanted = "a pandas.DataFrame or a pandas.Series" if is_row else "a pandas.Series"
        raise TypeError(f"{wanted} is wanted, but {type(made).__name__} was returned")
    try:
        return column_as(pa.array(made, from_pandas=True), data_type)
    except WRONG as error:
        if made.dtype != object:
            of_type = sql_name(data_type)
            raise TypeError(f"the series that was returned, of {made.dtype}, is no {of_type}: {error}") from None
    # Objects may be rows in the form of tuples, which Arrow would convert to arrays.
    values = [convert_missing_to_none(value) for value in made]
    try:
        return column_of_any(values, data_type)
    except WRONG:
        for value in values:
            try:
                column_of_any([value], data_type)
            except WRONG as error:
                raise TypeError(wrong_value("the value", value, data_type, error)) from None
        raise


def _array_of_frame(made: Any, data_type: pa.StructType) -> pa.Array:
    """Convert a frame to a column of rows; match its columns by name if the names agree, otherwise by position."""
    fields = [data_type.field(i) for i in range(data_type.num_fields)]
    names = [field.name for field in fields]
    given = list(made.columns)
    if len(given) != len(names):
        raise TypeError(f"a DataFrame of the {len(names)} columns {names} is wanted, but one of {given} was returned")
    in_order = names if set(given) == set(names) else given
    columns = [
        _array_of(made.iloc[:, given.index(name)], field.type) for name, field in zip(in_order, fields, strict=True)
    ]
    return pa.StructArray.from_arrays(columns, fields=fields)


def aggregate_of_pandas(function: Callable[..., Any]) -> Callable[..., Any]:
    """Wrap an aggregate of pandas series as an aggregate of Arrow columns."""

    def over_series(*columns: pa.Array) -> Any:
        return convert_missing_to_none(function(*map(series_of, columns)))

    return over_series


def convert_missing_to_none(made: Any) -> Any:
    """Return a value, or None for a pandas marker of missing values such as NaN."""
    import pandas as pd

    return None if pd.api.types.is_scalar(made) and pd.isna(made) else made


# --- the frames of windows -------------------------------------------------------------------------------------------


def series_of_frames(program: Program, is_filtered: bool) -> ValueOf:
    """Return a function that calls an aggregate with the Arrow columns of a frame as series."""
    wholes: list[_Whole] = []
    place: tuple[int, ...] | None = None

    def convert(columns: Columns) -> list[Any]:
        nonlocal place, wholes
        found = place_of(columns)
        if found is None or found != place:
            # The _Whole objects keep the memory alive, so that no other column gets the same address.
            place, wholes = found, [_Whole(column) for column in columns]
        return [whole.part(column) for whole, column in zip(wholes, columns, strict=True)]

    return make_column_function(program, is_filtered, convert, convert_missing_to_none)


def value_of_series(program: Program) -> Callable[..., Any]:
    """Return the function that Spark calls with the columns of each frame, as series that Spark itself makes.

    Args:
        program: the user function.
    """
    state: list[Callable[..., Any]] = []

    def value(*parts: Any) -> Any:
        if not state:
            open_function(program)
            state.append(_wrap_series_function(program))
        return state[0](parts)

    return value


def _wrap_series_function(program: Program) -> Callable[..., Any]:
    import numpy as np
    import pandas as pd

    plain = ((pa.types.is_float64, (np.float64, float)), (pa.types.is_int64, (np.int64,)), (pa.types.is_string, (str,)))
    # Types of values that need no check, except for NaN.
    exact = next((types for is_one, types in plain if is_one(program.result)), ())
    result = Result(program, convert_missing_to_none)
    call = program.call
    # Before pandas 3, a function that changes its argument would change later frames.
    shares = int(pd.__version__.split(".")[0]) >= 3

    def value(parts: tuple[Any, ...]) -> Any:
        try:
            made = call(*parts) if shares else call(*[part.copy() for part in parts])
        except FAILURES as error:
            raise failure(program.name, told(parts), error, skip=count_own_frames(error)) from None
        if type(made) in exact and made == made:
            return made
        found = result.of(made, lambda: told(parts))
        # A None would turn the integers beside it into floats.
        return pd.NA if found is None else found

    def told(parts: tuple[Any, ...]) -> list[list[Any]]:
        return [values_of(pa.array(part, from_pandas=True), program.make_row) for part in parts]

    return value


class _Whole:
    """The column that the columns of frames are slices of, as a series to slice.

    With NULL, most integers become floats, and Booleans become objects. So there is one series for frames without NULL,
    and one for frames with it. Types that do not store plain numbers get a new series for each frame.
    """

    def __init__(self, column: pa.Array) -> None:
        # The series uses the memory of the column.
        self._whole = find_whole_column(column)
        self._valid: Any = None
        self._with_null: Any = None

    def part(self, column: pa.Array) -> Any:
        """Return the series of a slice."""
        start = column.offset
        end = start + len(column)
        if self._whole is None:
            import pandas as pd

            made = series_of(column)
            made.index = pd.RangeIndex(start, end)
            return made
        if column.null_count:
            if self._with_null is None:
                self._with_null = _series(self._whole)
            return self._with_null[start:end]
        if self._valid is None:
            whole = self._whole
            self._valid = _series(pa.Array.from_buffers(whole.type, len(whole), [None, whole.buffers()[1]]))
        return self._valid[start:end]


def _series(whole: pa.Array) -> Any:
    import pandas as pd

    if has_no_floats(whole):
        return series_of(whole)
    values = whole.to_numpy(zero_copy_only=False)
    values.flags.writeable = False
    return pd.Series(values, copy=False)
