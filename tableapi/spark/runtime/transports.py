"""Run functions of Arrow columns where Spark itself sends pandas series or single rows: before Spark 4.1.

The functions of the other modules get the same columns as from a newer Spark, so they give the same results.
"""

from __future__ import annotations

import datetime as dt
import weakref
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import pyarrow as pa

from tableapi.spark.runtime.columns import column_of_any
from tableapi.spark.runtime.functions import Columns, Program, batch_of, call_guarded

_Convert = Callable[[Any], Any]


class Sent(NamedTuple):
    """How Spark sends a column.

    Attributes:
        data_type: the type that the function gets.
        is_text: whether numbers come as text, because a pandas series of them holds no NULL. Instants come as numbers
            of microseconds.
    """

    data_type: pa.DataType
    is_text: bool = False


# --- pandas series ---------------------------------------------------------------------------------------------------


def over_series(run: Callable[..., pa.Array], sent: Sequence[Sent]) -> Callable[..., Any]:
    """Return a function of series from a function of columns."""

    def call(*series: Any) -> Any:
        return _pandas_of(run(*_columns_of(series, sent)))

    return call


def over_batches_of_series(
    run: Callable[[Iterator[Any]], Iterator[pa.Array]], sent: Sequence[Sent]
) -> Callable[[Iterator[Any]], Iterator[Any]]:
    """Return a function of batches of series from a function of batches of columns."""

    def call(batches: Iterator[Any]) -> Iterator[Any]:
        given = (_columns_of(batch if isinstance(batch, tuple) else (batch,), sent) for batch in batches)
        for column in run(given):
            yield _pandas_of(column)

    return call


def _columns_of(series: Sequence[Any], sent: Sequence[Sent]) -> tuple[pa.Array, ...]:
    return tuple([_column_of(one, how) for one, how in zip(series, sent, strict=True)])


def _column_of(series: Any, how: Sent) -> pa.Array:
    data_type = how.data_type
    numbers: pa.DataType = pa.int64() if pa.types.is_timestamp(data_type) else data_type
    if how.is_text:
        made = pa.array(series, pa.string(), from_pandas=True).cast(numbers)
    else:
        # NaN is a number, because columns of such numbers are text if they may have NULL.
        made = pa.array(series, numbers, from_pandas=not pa.types.is_floating(numbers))
    made = made.combine_chunks() if isinstance(made, pa.ChunkedArray) else made
    return made if made.type == data_type else made.cast(data_type)


def _pandas_of(column: pa.Array) -> Any:
    """Return a column as a series with the memory of Arrow, and a column of rows as a frame of such series."""
    import pandas as pd

    if pa.types.is_struct(column.type):
        names = [column.type.field(i).name for i in range(column.type.num_fields)]
        return pd.DataFrame(dict(zip(names, map(_pandas_of, column.flatten()), strict=True)))
    return pd.Series(pd.array(column, dtype=pd.ArrowDtype(column.type)))


# --- rows ------------------------------------------------------------------------------------------------------------


def over_rows(
    program: Program, run: Callable[[Program, Columns], pa.Array], sent: Sequence[Sent]
) -> Callable[..., Any]:
    """Return a function of the values of one row from a function of columns.

    The user function is opened at its first row. It is closed when the worker drops it at the end of the task, because
    Spark does not report that end; an error of ``close()`` is then printed by the worker.
    """
    state: list[_Task] = []
    inward = [_inward(how.data_type) for how in sent]
    outward = _outward(program.result)

    def call(*values: Any) -> Any:
        if not state:
            state.append(_Task(program, run))
        given = zip(values, inward, sent, strict=True)
        columns = [column_of_any([convert(value)], how.data_type) for value, convert, how in given]
        return outward(state[0].run(*columns)[0])

    return call


class _Task:
    """A user function that is open until this object is dropped; nothing that it refers to refers back to it."""

    def __init__(self, program: Program, run: Callable[[Program, Columns], pa.Array]) -> None:
        if program.open is not None:
            call_guarded(program, "open", program.open)
        if program.close is not None:
            weakref.finalize(self, call_guarded, program, "close", program.close)
        self.run = batch_of(program, run)


def _inward(data_type: pa.DataType) -> _Convert:
    """Return the conversion of a value of PySpark to one that Arrow takes: PySpark has instants in local time."""
    if pa.types.is_timestamp(data_type) and data_type.tz is not None:
        return _nullable(dt.datetime.astimezone)
    if pa.types.is_list(data_type):
        return _each(_inward(data_type.value_type))
    if pa.types.is_map(data_type):
        key, value = _inward(data_type.key_type), _inward(data_type.item_type)
        return _nullable(lambda given: {key(k): value(v) for k, v in given.items()})
    if pa.types.is_struct(data_type):
        fields = [_inward(data_type.field(i).type) for i in range(data_type.num_fields)]
        return _nullable(lambda given: tuple([convert(one) for convert, one in zip(fields, given, strict=True)]))
    return _same


def _outward(data_type: pa.DataType) -> _Convert:
    """Return the conversion of a scalar of Arrow to a value that PySpark takes."""
    if pa.types.is_list(data_type):
        element = _outward(data_type.value_type)
        return _valid(lambda given: [element(one) for one in given.values])
    if pa.types.is_map(data_type):
        key, value = _outward(data_type.key_type), _outward(data_type.item_type)
        return _valid(lambda given: {key(one[0]): value(one[1]) for one in given.values})
    if pa.types.is_struct(data_type):
        fields = [_outward(data_type.field(i).type) for i in range(data_type.num_fields)]
        return _valid(lambda given: tuple([convert(given[i]) for i, convert in enumerate(fields)]))
    return _python


def _python(scalar: pa.Scalar) -> Any:
    return scalar.as_py()


def _same(value: Any) -> Any:
    return value


def _nullable(convert: _Convert) -> _Convert:
    return lambda given: None if given is None else convert(given)


def _valid(convert: _Convert) -> _Convert:
    return lambda given: convert(given) if given.is_valid else None


def _each(convert: _Convert) -> _Convert:
    return _nullable(lambda given: list(map(convert, given)))
