"""Run a process table function over given rows and times, without Spark.

The function is declared, its call is checked and planned as in a query, and its rows go through the runtime of the
workers. Each partition has a runtime of its own, because rows of a test may come in any order of partitions.
"""

from __future__ import annotations

import dataclasses
import datetime as dt
from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import TracebackType
from typing import Any

import attrs
import pyarrow as pa

from ir.errors import ValidationException, did_you_mean, listing
from ir.expressions import ValueLiteral
from ir.operations.process import ProcessTable
from tableapi.environment.table_environment import TableEnvironment
from tableapi.environment_settings import EnvironmentSettings
from tableapi.expressions import col, descriptor, lit
from tableapi.result import python_values
from tableapi.spark import versions
from tableapi.spark.errors import SparkExecutionException, function_failure
from tableapi.spark.planner.process import PlannedCall, plan_call
from tableapi.spark.runtime.failures import FunctionFailed
from tableapi.spark.runtime.process.plan import Plan
from tableapi.spark.runtime.process.rows import microseconds, starts_of_partitions, values
from tableapi.spark.runtime.process.running import Running
from tableapi.spark.runtime.process.times import MILLISECOND, time_type, watermark_before
from tableapi.spark.runtime.row import Row
from tableapi.spark.types import to_spark
from tableapi.testing.planned_rows import PlannedRows, column_of_value, columns_of_row
from tableapi.tracebacks import boundaries

__all__ = ["ProcessTableFunctionTestHarness", "TimerRecord"]


@attrs.frozen
class TimerRecord:
    """A timer that is pending or has fired.

    Attributes:
        name: its name, None for a timer that has only a time.
        time: its time, in the type that ``Context.timers()`` gives.
        partition: the key of its partition.
    """

    name: str | None
    time: dt.datetime
    partition: tuple[Any, ...]


@attrs.frozen
class _TableArgument:
    columns: Any
    partition_by: tuple[str, ...]


@boundaries
class ProcessTableFunctionTestHarness:
    """Runs a process table function row by row, with watermarks that the test sets. No Spark and no Java is started.

    As on Spark, the rows of a partition come in the order of their times, and the watermark before a row is the
    millisecond before its time, so that a row fires the timers of its partition that are due before it. In addition,
    the test sets the watermark of all partitions. The names are those of Flink's class (FLIP-567).

    >>> import datetime as dt
    >>> from collections.abc import Iterator
    >>> from typing import Any
    >>> from tableapi import Row
    >>> from tableapi.process_functions import Context, OnTimerContext, ProcessTableFunction, TableAsSet
    >>> from tableapi.testing import ProcessTableFunctionTestHarness
    >>> class Silence(ProcessTableFunction):
    ...     def eval(self, ctx: Context, event: TableAsSet[Row]) -> Iterator[str]:
    ...         ctx.timers().register_on_time("silence", event.ts + dt.timedelta(minutes=5))
    ...         return iter(())
    ...
    ...     def on_timer(self, ctx: OnTimerContext) -> Iterator[str]:
    ...         yield f"no event since {ctx.timers().current_time() - dt.timedelta(minutes=5):%H:%M}"
    >>> harness = (
    ...     ProcessTableFunctionTestHarness.of_class(Silence)
    ...     .with_table_argument("event", {"sensor": "STRING", "ts": "TIMESTAMP"}, partition_by="sensor")
    ...     .with_on_time_column("ts")
    ...     .build()
    ... )
    >>> harness.process_element("door", dt.datetime(2026, 1, 1, 9, 0))
    >>> harness.process_element("door", dt.datetime(2026, 1, 1, 9, 3))
    >>> harness.get_pending_timers()
    [TimerRecord(name='silence', time=datetime.datetime(2026, 1, 1, 9, 8), partition=('door',))]
    >>> harness.set_watermark(dt.datetime(2026, 1, 1, 9, 8))
    >>> [row[1] for row in harness.get_output()]
    ['no event since 09:03']
    """

    def __init__(self, planned: PlannedCall, scalars: Sequence[pa.Array]) -> None:
        call = planned.call
        self._call = call
        output = versions.arrow_schema(to_spark(call.schema.as_row_type()))  # type: ignore[arg-type]  # a row is a struct
        # Rows are processed when the test gives them, so that the runtime has nothing to sort.
        self._plan = dataclasses.replace(planned.plan(output, {}), order=())
        self._rows = PlannedRows(planned.input, call.tables)
        self._scalars = scalars
        self._names = [table.name for table in call.signature.tables]
        self._partitions: list[_Partition] = []
        self._batches: list[pa.RecordBatch] = []
        self._fired: list[TimerRecord] = []
        self._watermark: int | None = None
        self._count = 0
        self._has_ended = False
        if self._rows.has_sentinel:
            self._process(self._rows.sentinel())

    @staticmethod
    def of_class(function: Any) -> Builder:
        """Return a builder for a function.

        Args:
            function: the class of a process table function, or an instance.
        """
        return Builder(function)

    # --- input -------------------------------------------------------------------------------------------------------

    def process_element(self, *row: Any, **named: Any) -> None:
        """Process a row of the only table; call it without arguments for a function without tables.

        Args:
            row: the row as a tuple or a mapping by column, or its values.
            named: the values by column; missing columns are NULL.

        Raises:
            SparkExecutionException: the function failed; the message is that of a query, and its cause the exception.
            ValidationException: a value does not have the type of its column, the row is late, or the function has
                several tables.
        """
        if len(self._names) > 1:
            raise ValidationException(
                f"The function has the tables {listing(self._names)}. Name one: "
                f"process_element_for_table({self._names[0]!r}, …)."
            )
        if not self._names:
            self._process(self._rows.single())
            return
        self._process_row(0, _row_of_arguments(row, named))

    def process_element_for_table(self, table: str, *row: Any, **named: Any) -> None:
        """Process a row of one of several tables.

        Args:
            table: the name of the argument.
            row: the row as a tuple or a mapping by column, or its values.
            named: the values by column; missing columns are NULL.

        Raises:
            SparkExecutionException: the function failed.
            ValidationException: there is no such table, a value does not have the type of its column, or the row is
                late.
        """
        if table not in self._names:
            raise ValidationException(
                f"The function has no table {table!r}, but [{listing(self._names)}]." + did_you_mean(table, self._names)
            )
        self._process_row(self._names.index(table), _row_of_arguments(row, named))

    def process_elements(self, rows: Iterable[Any]) -> None:
        """Process rows of the only table in their order.

        Args:
            rows: tuples, or mappings by column.

        Raises:
            SparkExecutionException: the function failed.
            ValidationException: a row is invalid.
        """
        for row in rows:
            self.process_element(row)

    def set_watermark(self, watermark: dt.datetime | int) -> None:
        """Advance the watermark of all partitions, and fire the timers up to it.

        Args:
            watermark: a datetime, or milliseconds since 1970.

        Raises:
            SparkExecutionException: the function failed.
            ValidationException: the watermark is before the current one.
        """
        self._require_running()
        time = time_type(dt.datetime, False).read(watermark)
        time -= time % MILLISECOND
        if self._watermark is not None and time < self._watermark:
            raise ValidationException(
                f"The watermark is {self._show(self._watermark)}, and cannot go back to {self._show(time)}."
            )
        self._watermark = time
        with _ReadableFailures():
            for partition in self._partitions:
                self._batches += partition.advance_watermark(time)

    def finish(self) -> None:
        """End the input, as Spark does after the last row: fire the timers that are left, and call ``finish()``.

        Raises:
            SparkExecutionException: the function failed.
        """
        self._require_running()
        self._has_ended = True
        with _ReadableFailures():
            for partition in self._partitions:
                self._batches += partition.end()

    def close(self) -> None:
        """Call ``close()`` of the function if it was opened. A ``with`` block does this at its end.

        Raises:
            SparkExecutionException: ``close()`` failed.
        """
        self._has_ended = True
        with _ReadableFailures():
            # The first partition opened the function.
            while self._partitions:
                self._partitions.pop().close()

    def __enter__(self) -> ProcessTableFunctionTestHarness:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    # --- what the function did ---------------------------------------------------------------------------------------

    def get_output(self) -> list[Row]:
        """Return the output so far, as a query returns it: with the keys of partitions, and with ``rowtime``."""
        names = self._call.schema.names
        rows: list[Row] = []
        for batch in self._batches:
            columns = [
                python_values(array, column.data_type)
                for array, column in zip(batch.columns, self._call.schema.columns, strict=True)
            ]
            rows += [Row.of(names, given) for given in zip(*columns, strict=True)]
        return rows

    def clear_output(self) -> None:
        """Forget the output so far."""
        self._batches.clear()

    def get_state(self, name: str, *key: Any) -> Any:
        """Return a state of a partition: the object that the function gets. Changes of it are changes of the state.

        Args:
            name: the name of the state.
            key: the key of the partition, one value for each column.

        Raises:
            ValidationException: there is no such state, or no row of the partition was processed.
        """
        names = [state.name for state in self._plan.states]
        if name not in names:
            has = f"its states are [{listing(names)}]" if names else "it has no state"
            raise ValidationException(f"The function has no state {name!r}; {has}." + did_you_mean(name, names))
        for partition in self._partitions:
            if partition.key == key:
                return partition.state(names.index(name))
        known = listing([repr(partition.key) for partition in self._partitions]) or "none"
        raise ValidationException(f"There is no partition with the key {key!r}; there are: {known}.")

    def get_pending_timers(self) -> list[TimerRecord]:
        """Return the timers that have not fired, in the order in which they will fire."""
        found = [
            (time, TimerRecord(name, self._show(time), partition.key))
            for partition in self._partitions
            for time, name in partition.pending_timers()
        ]
        return [record for _, record in sorted(found, key=lambda pair: pair[0])]

    def get_fired_timers(self) -> list[TimerRecord]:
        """Return the timers that have fired, in the order in which they did."""
        return list(self._fired)

    # --- partitions --------------------------------------------------------------------------------------------------

    def _process_row(self, table: int, row: Any) -> None:
        number, self._count = self._count, self._count + 1
        batch = self._rows.batch(table, columns_of_row(row, self._call.tables[table].schema, number))
        if self._plan.time is not None:
            (time,) = microseconds(batch.column(self._plan.time))
            if time is not None:
                self._require_in_time(number, time, self._partition(batch))
        self._process(batch)

    def _process(self, batch: pa.RecordBatch) -> None:
        self._require_running()
        partition = self._partition(batch)
        with _ReadableFailures():
            self._batches += partition.process(batch, self._scalars)

    def _partition(self, batch: pa.RecordBatch) -> _Partition:
        keys = [batch.column(key) for key in self._plan.keys]
        for partition in self._partitions:
            if not keys or not starts_of_partitions(keys, partition.keys):
                return partition
        plan = self._plan
        if self._partitions:
            plan = dataclasses.replace(plan, function=_OpenFunction(plan.function))
        made = _Partition(plan, keys, self._record)
        self._partitions.append(made)
        return made

    def _require_running(self) -> None:
        if self._has_ended:
            raise ValidationException("The input of the function has ended. Build another harness.")

    def _require_in_time(self, number: int, time: int, partition: _Partition) -> None:
        if self._watermark is not None and watermark_before(time) < self._watermark:
            raise ValidationException(
                f"Row {number} is late: its time is {self._show(time)}, and the watermark is "
                f"{self._show(self._watermark)}. The function never gets such a row."
            )
        if partition.last_time is not None and time < partition.last_time:
            raise ValidationException(
                f"Row {number} has the time {self._show(time)}, before the time {self._show(partition.last_time)} of "
                "an earlier row of its partition. On Spark, the rows of a partition come in the order of their times."
            )
        partition.last_time = time

    def _record(self, partition: _Partition, time: int, name: str | None) -> None:
        self._fired.append(TimerRecord(name, self._show(time), partition.key))

    def _show(self, time: int) -> Any:
        return time_type(dt.datetime, self._plan.has_zone).show(time)


class Builder:
    """Collects the arguments of a call; made by ``ProcessTableFunctionTestHarness.of_class``."""

    def __init__(self, function: Any) -> None:
        self._function = function
        self._tables: dict[str, _TableArgument] = {}
        self._scalars: dict[str, Any] = {}
        self._on_time: tuple[str, ...] = ()

    def with_table_argument(self, name: str, columns: Any, *, partition_by: str | Sequence[str] = ()) -> Builder:
        """Declare a table argument.

        Args:
            name: the name of the parameter of ``eval``.
            columns: names with types, or another form that ``TableEnvironment.declare`` takes.
            partition_by: the names of the columns of PARTITION BY.
        """
        keys = (partition_by,) if isinstance(partition_by, str) else tuple(partition_by)
        self._tables[name] = _TableArgument(columns, keys)
        return self

    def with_scalar_argument(self, name: str, value: Any) -> Builder:
        """Set a scalar argument.

        Args:
            name: the name of the parameter of ``eval``.
            value: its value.
        """
        self._scalars[name] = value
        return self

    def with_on_time_column(self, *names: str) -> Builder:
        """Name the time column, or that of each table in their order.

        Args:
            names: the names.
        """
        self._on_time = names
        return self

    def build(self) -> ProcessTableFunctionTestHarness:
        """Return the harness, after the checks of a call in a query.

        Raises:
            ValidationException: the function is invalid, or the call does not fit it.
        """
        settings = EnvironmentSettings.new_instance().with_built_in_catalog_name("memory").build()
        environment = TableEnvironment.create(settings)
        named: dict[str, Any] = {}
        for name, argument in self._tables.items():
            table = environment.declare(f"`{name.replace('`', '``')}`", argument.columns)
            keys = [col(key) for key in argument.partition_by]
            named[name] = table.partition_by(*keys) if keys else table
        named |= {name: lit(value) for name, value in self._scalars.items()}
        if self._on_time:
            named["on_time"] = descriptor(*self._on_time)
        call = environment.from_call(self._function, **named).query_operation
        if not isinstance(call, ProcessTable):
            raise ValidationException(f"{self._function!r} is not a process table function.")
        planned = plan_call(call)
        return ProcessTableFunctionTestHarness(planned, list(_scalar_columns(planned, self._scalars)))


def _scalar_columns(planned: PlannedCall, given: Mapping[str, Any]) -> Iterator[pa.Array]:
    """Yield the columns of the scalar arguments that are sent to workers."""
    names = [argument.name for argument in planned.call.signature.arguments if not argument.is_table]
    for name, expression in zip(names, planned.call.scalars, strict=True):
        if expression not in planned.arguments:
            continue
        value = given[name] if name in given else _literal_value(expression)
        yield column_of_value(value, expression.data_type, f"The argument {name!r}")


def _literal_value(default: Any) -> Any:
    assert isinstance(default, ValueLiteral)
    return default.value


def _row_of_arguments(row: tuple[Any, ...], named: Mapping[str, Any]) -> Any:
    if named:
        if row:
            raise ValidationException("A row has its values either by position or by name.")
        return dict(named)
    is_row = len(row) == 1 and isinstance(row[0], (tuple, list, Mapping, Row))
    return row[0] if is_row else row


class _Partition(Running):
    """The runtime of one partition."""

    def __init__(self, plan: Plan, keys: list[pa.Array], record: Any) -> None:
        super().__init__(plan)
        self.keys = keys
        self.key = tuple([values(key)[0] for key in keys])
        self.last_time: int | None = None
        self._record = record

    def process(self, batch: pa.RecordBatch, scalars: Sequence[pa.Array]) -> list[pa.RecordBatch]:
        """Process a row, and return its output."""
        made = list(self.rows(batch, scalars))
        if self._at:
            made.append(self.flush())
        return made

    def state(self, position: int) -> Any:
        """Return a state."""
        return self._states[position]

    def pending_timers(self) -> list[tuple[int, str | None]]:
        """Return the times and names of the timers that have not fired."""
        return self._context.queue.pending()

    def _open(self, scalars: Sequence[pa.Array]) -> None:
        super()._open(scalars)
        # Rare garbage collection is for the batches of a worker. Here it would last until the test closes the harness.
        self._collection.close()

    def _fire(self, time: int, name: str | None) -> Iterator[pa.RecordBatch]:
        self._record(self, time, name)
        return super()._fire(time, name)


class _OpenFunction:
    """A function that another partition has opened, and will close."""

    def __init__(self, function: Any) -> None:
        self._function = function

    def open(self, context: Any) -> None:
        """Do nothing."""

    def close(self) -> None:
        """Do nothing."""

    def __getattr__(self, name: str) -> Any:
        return getattr(self._function, name)


class _ReadableFailures:
    """Turns the failure of a function into the exception that a query raises, with the function's own as its cause."""

    def __enter__(self) -> None:
        pass

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if isinstance(error, FunctionFailed):
            raise SparkExecutionException(function_failure(str(error)) or str(error)) from error.__context__
