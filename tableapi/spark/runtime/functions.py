"""Functions over Arrow batches that Spark calls, built from user-defined functions.

Every kind of function becomes one that returns a value per row, because Spark takes such functions in any expression. A
table function returns an array of rows, which the query unfolds. An aggregate takes an array of the rows of a group,
which the query collects.
"""

from __future__ import annotations

import gc
import itertools
import operator
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import pyarrow as pa

from tableapi.spark.runtime.columns import column_as, column_of_any, values_of
from tableapi.spark.runtime.failures import FAILURES, count_own_frames, failure
from tableapi.spark.runtime.table_rows import TableRows, rows_of
from tableapi.spark.runtime.wrong_values import WRONG, sql_name, wrong_value

Columns = Sequence[pa.Array]
# Thresholds of the garbage collector while tens of thousands of values come and go.
_COLLECT_AFTER = (100_000, 50, 50)


class Program:
    """Everything that a worker needs to run a user function.

    Attributes:
        name: the name of the function in messages.
        call: the function for a scalar function, and otherwise the callable for each row or group.
        open, close: called once per task, before the first row and after the last.
        result: the Arrow type of the result.
        required: the positions of the arguments that reject NULL: a NULL there gives NULL without a call.
        has_arguments: whether the first column is an argument; if not, it only counts rows.
        is_repeatable: whether a call may be repeated to find out on which row it fails.
        make_row: makes a row from names and values.
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
        is_repeatable: bool = True,
        make_row: Callable[[Sequence[str], Sequence[Any]], Any],
    ) -> None:
        self.name = name
        self.call = call
        self.result = result
        self.open = open
        self.close = close
        self.required = tuple(required)
        self.has_arguments = has_arguments
        self.is_repeatable = is_repeatable
        self.make_row = make_row


def batches_of(
    program: Program, run: Callable[[Program, Columns], pa.Array]
) -> Callable[[Iterator[Any]], Iterator[pa.Array]]:
    """Return the function that Spark calls once per task: it opens the user function, runs batches, and closes it."""

    def over_batches(batches: Iterator[Any]) -> Iterator[pa.Array]:
        if program.open is not None:
            call_guarded(program, "open", program.open)
        try:
            for given in batches:
                with collecting_rarely():
                    made = run(program, given if isinstance(given, (tuple, list)) else (given,))
                yield made
        finally:
            if program.close is not None:
                call_guarded(program, "close", program.close)

    return over_batches


def batch_of(program: Program, run: Callable[[Program, Columns], pa.Array]) -> Callable[..., pa.Array]:
    """Return the function that Spark calls for each batch, for a user function without ``open()`` and ``close()``."""

    def over_batch(*columns: pa.Array) -> pa.Array:
        with collecting_rarely():
            return run(program, columns)

    return over_batch


@contextmanager
def collecting_rarely() -> Iterator[None]:
    """Reduce garbage collection while a batch runs, in which tens of thousands of values live until its end.

    The default thresholds would scan all of them repeatedly, which costs as much as many functions do. The objects that
    are there before are left out; the daemon of the embedded session leaves them out itself, after the first task.
    """
    thresholds = gc.get_threshold()
    are_left_out = getattr(sys.modules.get("__main__"), "LEAVES_OUT_MODULES", False)
    if not are_left_out:
        gc.freeze()
    gc.set_threshold(*_COLLECT_AFTER)
    try:
        yield
    finally:
        gc.set_threshold(*thresholds)
        if not are_left_out:
            gc.unfreeze()


def call_guarded(program: Program, step: str, call: Callable[[], None]) -> None:
    """Call ``open()`` or ``close()``; the error of a failure names the step."""
    try:
        call()
    except FAILURES as error:
        raise failure(f"{program.name}.{step}", None, error) from None


# --- a value for each row --------------------------------------------------------------------------------------------


def scalar(program: Program, columns: Columns) -> pa.Array:
    """Call a scalar function with each row."""
    return _build_array(program, _results(program, columns), columns)


def table(program: Program, columns: Columns) -> pa.Array:
    """Call a table function with each row; return arrays of the rows that it yields."""
    data_type = program.result
    rows = TableRows(data_type.value_type)
    ends = _results(program, columns, rows.of_calls)
    try:
        elements = rows.array()
        _require_columns(elements)
    except WRONG:
        every = rows.all()
        of_calls = [every[start:after] for start, after in itertools.pairwise(ends)]
        return _build_array(program, of_calls, columns, are_rows=True)
    return pa.ListArray.from_arrays(pa.array(ends, pa.int32()), elements, type=data_type)


def arrow(program: Program, columns: Columns) -> pa.Array:
    """Call a function of whole columns."""
    try:
        return _call_with_columns(program, columns)
    except FAILURES as error:
        told, row = _row_that_fails(program, columns, error)
        raise failure(program.name, row, told, skip=count_own_frames(told)) from None


def _call_with_columns(program: Program, columns: Columns) -> pa.Array:
    made = program.call(*_select_columns(program, columns))
    made = made.combine_chunks() if isinstance(made, pa.ChunkedArray) else made
    if not isinstance(made, pa.Array):
        raise TypeError(f"a pyarrow.Array is wanted, but {type(made).__name__} was returned")
    if len(made) != len(columns[0]):
        raise ValueError(f"{len(columns[0])} values are wanted, one for each row, but {len(made)} were returned")
    try:
        return column_as(made, program.result)
    except WRONG as error:
        of_type = sql_name(program.result)
        raise TypeError(f"what was returned, of Arrow's type {made.type}, is no {of_type}: {error}") from None


def _row_that_fails(program: Program, columns: Columns, error: BaseException) -> tuple[BaseException, Any]:
    """Find a row on which a function of whole columns fails; return the error and the arguments of the row.

    The search bisects the batch. If no half fails, or the function must not be called again, return the error of the
    smallest batch that failed, with its columns.
    """
    start, length = 0, len(columns[0])
    while program.is_repeatable and length > 1:
        half = length // 2
        for first, count in ((start, half), (start + half, length - half)):
            try:
                _call_with_columns(program, [column.slice(first, count) for column in columns])
            except FAILURES as found:
                error, start, length = found, first, count
                break
        else:
            break
    given = [_values(program, column.slice(start, length)) for column in _select_columns(program, columns)]
    return error, [values[0] if length == 1 else values for values in given]


def _select_columns(program: Program, columns: Columns) -> Columns:
    return columns if program.has_arguments else ()


def _values(program: Program, column: pa.Array) -> list[Any]:
    return values_of(column, program.make_row)


Collect = Callable[[Callable[[Any], Any], Iterable[Any]], list[Any]]


def _results(program: Program, columns: Columns, collect: Collect | None = None) -> list[Any]:
    """Return the result for each row, and NULL for rows with a NULL argument where the function rejects it.

    Args:
        program: the function.
        columns: its arguments.
        collect: calls a function with each of many values and combines the results; by default it lists them.
    """
    call = program.call
    # A batch without NULL needs no check per row.
    required = [position for position in program.required if position < len(columns) and columns[position].null_count]
    if not program.has_arguments:
        return _call_with_values(program, lambda _: call(), [range(len(columns[0]))], collect)
    values = [_values(program, column) for column in columns]
    if not required:
        return _call_with_values(program, call, values, collect)
    if len(columns) == 1:
        return _call_with_values(program, lambda value: None if value is None else call(value), values, collect)
    return _call_with_values(program, lambda *row: None if lacks(row, required) else call(*row), values, collect)


def _call_with_values(
    program: Program, call: Callable[..., Any], columns: Sequence[Sequence[Any]], collect: Collect | None
) -> list[Any]:
    """Return the results of calls with the values of columns."""
    first = iter(columns[0])
    try:
        # Not ``map``, which would take a StopIteration raised by a call as its end.
        if len(columns) == 1:
            return [call(value) for value in first] if collect is None else collect(call, first)
        rows = zip(first, *columns[1:], strict=True)
        return [call(*row) for row in rows] if collect is None else collect(lambda row: call(*row), rows)
    except FAILURES as error:
        # The rest of the iterator shows which row failed, so that no counting per row is needed.
        position = len(columns[0]) - operator.length_hint(first) - 1
        told = [column[position] for column in columns] if program.has_arguments else []
        raise failure(program.name, told, error, skip=count_own_frames(error)) from None


def lacks(row: tuple[Any, ...], required: Sequence[int]) -> bool:
    """Whether a required argument of a row is NULL; arguments that the call leaves out have defaults."""
    return any(position < len(row) and row[position] is None for position in required)


def _row(program: Program, columns: Columns, position: int) -> list[Any]:
    """Return the arguments of a row."""
    return [_values(program, column.slice(position, 1))[0] for column in _select_columns(program, columns)]


def _build_array(
    program: Program,
    results: list[Any],
    columns: Columns,
    arguments: Callable[[Program, Columns, int], list[Any]] = _row,
    *,
    are_rows: bool = False,
) -> pa.Array:
    """Build a column from results; ``arguments`` returns those of a call whose result has the wrong type."""
    try:
        return _column(results, program.result, are_rows=are_rows)
    except WRONG:
        for position, result in enumerate(results):
            try:
                _column([result], program.result, are_rows=are_rows)
            except WRONG as error:
                problem = (
                    _make_row_error(program, result, error) if are_rows else make_value_error(program, result, error)
                )
                raise failure(program.name, arguments(program, columns, position), problem) from None
        raise


def _column(results: list[Any], data_type: pa.DataType, *, are_rows: bool) -> pa.Array:
    """Build a column from results; for a table function with one nullable column, a row that is None stands for NULL.

    Raises:
        ValueError: the value of a NOT NULL column is None.
    """
    made = column_of_any(results, data_type)
    if are_rows:
        _require_columns(made.flatten())
    return made


def _require_columns(rows: pa.Array) -> None:
    """Check that the NOT NULL columns of rows have values.

    Raises:
        ValueError: a row, or the value of a NOT NULL column, is None.
    """
    for position in range(rows.type.num_fields):
        field = rows.type.field(position)
        if not field.nullable and (rows.null_count or rows.field(position).null_count):
            raise ValueError(f"the field {field.name} is None, but its type is NOT NULL")


def make_value_error(program: Program, result: Any, error: Exception) -> TypeError:
    """Return the error for a result that does not have the declared type."""
    return TypeError(wrong_value("the result", result, program.result, error))


def _make_row_error(program: Program, rows: list[Any], error: Exception) -> TypeError:
    """Return the error for a call that yielded a row of a wrong type."""
    data_type = program.result.value_type
    for row in rows:
        try:
            _column([[row]], pa.list_(data_type), are_rows=True)
        except WRONG as found:
            return TypeError(wrong_value("the row", row, data_type, found))
    return make_value_error(program, rows, error)


# --- a value for each group ------------------------------------------------------------------------------------------


class Aggregation:
    """The parts of an aggregate: create an accumulator, add a row to it, compute the result from it."""

    def __init__(
        self, create: Callable[[], Any], accumulate: Callable[..., None], finish: Callable[[Any], Any]
    ) -> None:
        self.create = create
        self.accumulate = accumulate
        self.finish = finish

    def of_columns(self, *columns: Any) -> Any:
        """Return the value of whole columns, which are accumulated in one call."""
        accumulator = self.create()
        self.accumulate(accumulator, *columns)
        return self.finish(accumulator)

    def new(self, program: Program) -> Any:
        """Return a new accumulator."""
        try:
            return self.create()
        except FAILURES as error:
            raise failure(program.name, None, error, skip=count_own_frames(error)) from None

    def add(
        self,
        program: Program,
        accumulator: Any,
        columns: Sequence[list[Any]],
        counts: list[bool] | None,
        start: int,
        end: int,
    ) -> None:
        """Accumulate the rows from ``start`` to ``end``; with ``counts``, only the rows where it is True."""
        accumulate = self.accumulate
        given = columns
        if columns and (start or end < len(columns[0])):
            given = [column[start:end] for column in columns]
        if counts is not None:
            of_rows = counts[start:end]
            given = [list(itertools.compress(column, of_rows)) for column in given]
        row: Any = ()
        try:
            # Avoid a tuple per row for few arguments, the usual case: this halves the time.
            if len(given) == 1:
                for row in given[0]:
                    accumulate(accumulator, row)
            elif len(given) == 2:
                for row in zip(*given, strict=True):
                    one, other = row
                    accumulate(accumulator, one, other)
            elif given:
                for row in zip(*given, strict=True):
                    accumulate(accumulator, *row)
            else:
                for _ in range(end - start if counts is None else sum(of_rows)):
                    accumulate(accumulator)
        except FAILURES as error:
            told = (row,) if len(given) == 1 else row
            raise failure(program.name, told, error, skip=count_own_frames(error)) from None


def aggregate(program: Program, columns: Columns) -> pa.Array:
    """Call an aggregate with the rows of each group, which are the elements of an array of structs."""
    return _build_array(program, list(_compute_groups(program, columns[0])), columns, _column_lists)


def table_aggregate(program: Program, columns: Columns) -> pa.Array:
    """Call a table aggregate with the rows of each group; return arrays of the rows that it yields."""
    of_groups = list(_compute_groups(program, columns[0], lambda given: list(rows_of(given))))
    return _build_array(program, of_groups, columns, _column_lists, are_rows=True)


def aggregate_of_columns(program: Program, columns: Columns) -> pa.Array:
    """Call an aggregate of whole columns with the columns of each group."""
    groups = columns[0]

    def of_columns(start: int, length: int) -> Any:
        return program.call(*[column.slice(start, length) for column in _columns_of(program, groups)])

    results = []
    for start, length in _extents(groups):
        try:
            value = of_columns(start, length)
            results.append(value.as_py() if isinstance(value, pa.Scalar) else value)
        except FAILURES as error:
            given = _column_lists(program, columns, len(results))
            raise failure(program.name, given, error, skip=count_own_frames(error)) from None
    return _build_array(program, results, columns, _column_lists)


def _column_lists(program: Program, columns: Columns, position: int) -> list[Any]:
    """Return the arguments of a group: the values of each column."""
    groups = columns[0]
    start, length = _extents(groups)[position]
    return [_values(program, column.slice(start, length)) for column in _columns_of(program, groups)]


def _compute_groups(program: Program, groups: pa.Array, finish: Callable[[Any], Any] | None = None) -> Iterator[Any]:
    """Yield the value of each group; ignore rows with NULL in an argument that rejects it."""
    parts: Aggregation = program.call  # type: ignore[assignment]  # the call of an aggregate is its parts
    # Convert all groups of a batch from Arrow at once, column by column.
    columns = _columns_of(program, groups)
    values = [_values(program, column) for column in columns]
    counts = rows_that_count(program, columns)
    for start, length in _extents(groups):
        end = start + length
        accumulator = parts.new(program)
        parts.add(program, accumulator, values, counts, start, end)
        try:
            value = parts.finish(accumulator)
            yield value if finish is None else finish(value)
        except FAILURES as error:
            raise failure(program.name, (accumulator,), error, skip=count_own_frames(error)) from None


def rows_that_count(program: Program, columns: Columns) -> list[bool] | None:
    """Return which rows have no NULL in an argument that rejects it; None if all rows do."""
    required = [
        columns[position] for position in program.required if position < len(columns) and columns[position].null_count
    ]
    if not required:
        return None
    return [all(row) for row in zip(*[column.is_valid().to_pylist() for column in required], strict=True)]


def _columns_of(program: Program, groups: pa.Array) -> list[pa.Array]:
    # ``values`` are the values of the whole buffer, to which the offsets refer, even if the array is a slice.
    rows = groups.values
    return [rows.field(i) for i in range(rows.type.num_fields)] if program.has_arguments else []


def _extents(groups: pa.Array) -> list[tuple[int, int]]:
    offsets = groups.offsets.to_pylist()
    return [(start, end - start) for start, end in itertools.pairwise(offsets)]
