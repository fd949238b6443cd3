"""Functions over batches of Arrow: what Spark calls, made of what people wrote.

Every kind of function becomes one that gives a value for each row, since those run wherever Spark has an expression: a
table function gives an array of rows, which the query unfolds; an aggregate is given the array of a group's rows, which
the query collects.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import pyarrow as pa

from tableapi.spark.runtime.failures import failure
from tableapi.spark.runtime.values import Converter, from_arrow, to_arrow

Columns = Sequence[pa.Array]


class Program:
    """What a worker needs of a function: its code, and how its arguments and results look.

    Attributes:
        name: what messages call the function.
        call: for a function of values, the function itself; otherwise what is called for each row.
        open: called once by a task before the first row, ``close`` after the last.
        result: the type of the result in Arrow.
        required: the positions of arguments for which NULL is no value: with it, the function is not called.
        has_arguments: whether the first column is an argument, and not only there to count rows.
        make_row: makes a row of its names and values.
    """

    def __init__(
        self,
        name: str,
        call: Callable[..., Any],
        result: pa.DataType,
        *,
        open: Callable[[], None] | None = None,
        close: Callable[[], None] | None = None,
        required: Sequence[int] = (),
        has_arguments: bool = True,
        make_row: Callable[[Sequence[str], Sequence[Any]], Any],
    ) -> None:
        self.name = name
        self.call = call
        self.result = result
        self.open = open
        self.close = close
        self.required = tuple(required)
        self.has_arguments = has_arguments
        self.make_row = make_row


def batches_of(
    program: Program, run: Callable[[Program, Columns], pa.Array]
) -> Callable[[Iterator[Any]], Iterator[pa.Array]]:
    """Return the function that Spark calls once a task: it opens the user's, runs all batches, and closes it."""

    def over_batches(batches: Iterator[Any]) -> Iterator[pa.Array]:
        if program.open is not None:
            _guarded(program, "open", program.open)
        try:
            for given in batches:
                yield run(program, given if isinstance(given, (tuple, list)) else (given,))
        finally:
            if program.close is not None:
                _guarded(program, "close", program.close)

    return over_batches


def batch_of(program: Program, run: Callable[[Program, Columns], pa.Array]) -> Callable[..., pa.Array]:
    """Return the function that Spark calls for each batch, of a function that has nothing to open."""

    def over_batch(*columns: pa.Array) -> pa.Array:
        return run(program, columns)

    return over_batch


def _guarded(program: Program, step: str, call: Callable[[], None]) -> None:
    try:
        call()
    except Exception as error:
        raise failure(f"{program.name}.{step}", None, error) from None


# --- a value for each row --------------------------------------------------------------------------------------------


def scalar(program: Program, columns: Columns) -> pa.Array:
    """Call a function of values with each row."""
    return _as_array(program, list(_results(program, columns)), columns)


def table(program: Program, columns: Columns) -> pa.Array:
    """Call a table function with each row; the rows that it gives are the elements of an array."""
    return _as_array(program, list(_results(program, columns, _rows_of)), columns)


def arrow(program: Program, columns: Columns) -> pa.Array:
    """Call a function of whole columns."""
    try:
        made = program.call(*_given(program, columns))
        made = made.combine_chunks() if isinstance(made, pa.ChunkedArray) else made
        if not isinstance(made, pa.Array):
            raise TypeError(f"a pyarrow.Array is wanted, but {type(made).__name__} was returned")
        if len(made) != len(columns[0]):
            raise ValueError(f"{len(columns[0])} values are wanted, one for each row, but {len(made)} were returned")
        return made if made.type == program.result else made.cast(program.result)
    except Exception as error:
        raise failure(program.name, None, error) from None


def _given(program: Program, columns: Columns) -> Columns:
    return columns if program.has_arguments else ()


def _values(program: Program, column: pa.Array) -> list[Any]:
    values: list[Any] = column.to_pylist()
    convert = from_arrow(column.type, program.make_row)
    return values if convert is None else [convert(value) for value in values]


def _rows(program: Program, columns: Columns) -> Iterable[tuple[Any, ...]]:
    if not program.has_arguments:
        return iter([()] * len(columns[0]))
    return zip(*[_values(program, column) for column in columns], strict=True)


def _results(program: Program, columns: Columns, finish: Callable[[Any], Any] | None = None) -> Iterator[Any]:
    call, required = program.call, program.required
    row: tuple[Any, ...] = ()
    try:
        for row in _rows(program, columns):
            if required and _lacks(row, required):
                yield None
            else:
                yield call(*row) if finish is None else finish(call(*row))
    except Exception as error:
        raise failure(program.name, row, error) from None


def _lacks(row: tuple[Any, ...], required: Sequence[int]) -> bool:
    """Whether an argument is NULL that may not be; those that a call left out have their defaults."""
    return any(position < len(row) and row[position] is None for position in required)


def _rows_of(given: Any) -> list[Any]:
    """Return the rows of a table function, which may be a generator, or return all rows or one of them."""
    if given is None:
        return []
    if isinstance(given, (tuple, str, bytes, dict)) or not hasattr(given, "__iter__"):
        return [given]
    return list(given)


def _as_array(program: Program, results: list[Any], columns: Columns) -> pa.Array:
    convert = to_arrow(program.result)
    try:
        return _array(results, convert, program.result)
    except (TypeError, ValueError, pa.ArrowException):
        for position, result in enumerate(results):
            try:
                _array([result], convert, program.result)
            except (TypeError, ValueError, pa.ArrowException) as error:
                row = [_values(program, column.slice(position, 1))[0] for column in _given(program, columns)]
                problem = TypeError(f"the result {result!r} is no value of its type {program.result}: {error}")
                raise failure(program.name, row, problem) from None
        raise


def _array(results: list[Any], convert: Converter, data_type: pa.DataType) -> pa.Array:
    return pa.array(results if convert is None else [convert(result) for result in results], data_type)


# --- a value for each group ------------------------------------------------------------------------------------------


class Aggregation:
    """An aggregate as its parts: what makes an accumulator, adds a row to it, and makes a value of it."""

    def __init__(
        self,
        create: Callable[[], Any],
        accumulate: Callable[..., None],
        finish: Callable[[Any], Any],
        required: Sequence[int],
    ) -> None:
        self.create = create
        self.accumulate = accumulate
        self.finish = finish
        self.required = tuple(required)

    def of_rows(self, rows: Iterable[tuple[Any, ...]]) -> Any:
        """Return the value of a group; a row with NULL where that is no value does not count."""
        accumulator, accumulate, required = self.create(), self.accumulate, self.required
        for row in rows:
            if not (required and _lacks(row, required)):
                accumulate(accumulator, *row)
        return self.finish(accumulator)


def aggregate(program: Program, columns: Columns) -> pa.Array:
    """Call an aggregate with the rows of each group, which are the elements of an array of structs."""
    return _as_array(program, list(_of_groups(program, columns[0], program.call)), ())


def table_aggregate(program: Program, columns: Columns) -> pa.Array:
    """Call a table aggregate with the rows of each group; the rows that it gives are the elements of an array."""
    return _as_array(program, [_rows_of(given) for given in _of_groups(program, columns[0], program.call)], ())


def aggregate_of_columns(program: Program, columns: Columns) -> pa.Array:
    """Call an aggregate of whole columns with those of each group."""
    groups = columns[0]

    def of_columns(start: int, length: int) -> Any:
        return program.call(*[column.slice(start, length) for column in _columns_of(program, groups)])

    results = []
    for start, length in _extents(groups):
        try:
            results.append(of_columns(start, length))
        except Exception as error:
            raise failure(program.name, None, error) from None
    return _as_array(program, results, ())


def _of_groups(program: Program, groups: pa.Array, call: Callable[[Any], Any]) -> Iterator[Any]:
    # All groups of a batch are taken out of Arrow at once, column by column.
    values = [_values(program, column) for column in _columns_of(program, groups)]
    for start, length in _extents(groups):
        rows = _Rows(zip(*[column[start : start + length] for column in values], strict=True), length, bool(values))
        try:
            yield call(rows)
        except Exception as error:
            raise failure(program.name, rows.current, error) from None


class _Rows:
    """The rows of a group, of which the current one is known when something fails."""

    def __init__(self, rows: Iterable[tuple[Any, ...]], length: int, has_arguments: bool) -> None:
        self._rows = rows if has_arguments else iter([()] * length)
        self.current: tuple[Any, ...] | None = None

    def __iter__(self) -> Iterator[tuple[Any, ...]]:
        for row in self._rows:
            self.current = row
            yield row


def _columns_of(program: Program, groups: pa.Array) -> list[pa.Array]:
    # ``values`` are those of the whole buffer, to which the offsets refer, also where the array is a slice.
    rows = groups.values
    return [rows.field(i) for i in range(rows.type.num_fields)] if program.has_arguments else []


def _extents(groups: pa.Array) -> list[tuple[int, int]]:
    offsets = groups.offsets.to_pylist()
    return [(start, end - start) for start, end in itertools.pairwise(offsets)]


# --- functions of pandas ---------------------------------------------------------------------------------------------


def of_pandas(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function of Arrow's columns that calls one of pandas.Series."""

    def over_series(*columns: pa.Array) -> Any:
        import pandas as pd

        made = function(*[column.to_pandas(date_as_object=True) for column in columns])
        return pa.array(made, from_pandas=True) if isinstance(made, pd.Series) else made

    return over_series
