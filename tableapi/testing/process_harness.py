"""Drive a process table function step by step, without Spark: rows, watermarks, timers, state, restarts.

The call is resolved as in a query. What happens with a row, a watermark or the end of the input is the plain model of
``process_partition``, which the tests of the runtimes compare with.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from types import TracebackType
from typing import TYPE_CHECKING, Any

import attrs

from ir.errors import ValidationException, did_you_mean, listing
from tableapi.spark.errors import SparkExecutionException, function_failure
from tableapi.spark.runtime.failures import FunctionFailed
from tableapi.spark.runtime.process.times import MILLISECOND, time_type, watermark_before
from tableapi.spark.runtime.row import Row
from tableapi.testing.function_copies import FunctionCopies
from tableapi.testing.process_builder import Builder, Mode
from tableapi.testing.process_call import InputRow, TypedCall, canonical_key, find_call
from tableapi.testing.process_partition import Checkpoint, FunctionRun, Partition
from tableapi.testing.process_states import as_plain
from tableapi.tracebacks import boundaries

if TYPE_CHECKING:
    from tableapi.table import Table

__all__ = ["LateRow", "ProcessTableFunctionHarness", "ProcessTableFunctionTestHarness", "TimerRecord"]


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
class LateRow:
    """A row that came after the watermark had passed its time, and was dropped or handed to ``on_late``.

    Attributes:
        table: the name of the table argument.
        row: the row.
    """

    table: str
    row: Row


@boundaries
class ProcessTableFunctionHarness:
    """Drives a call of a process table function step by step. Neither Spark nor Java is started.

    The call is written and checked as in a query; only the columns of its tables matter, not their rows. The test gives
    rows and watermarks, and looks at output, timers and state.

    In the mode ``"stream"``, a step is a micro-batch of a stream. Its rows are processed when they come; with ORDER BY,
    they wait until the watermark passes them, and timers fire in order with them, when the watermark is a millisecond
    after them. Otherwise, timers fire when the watermark passes them. A row whose time is not after
    the watermark is late: it is handed to ``on_late``, or dropped. After each step, the state is stored as plain values
    and loaded as new objects, as a checkpoint does. A step that fails changes nothing.

    In the mode ``"batch"``, the watermark before a row is one millisecond before its time, as over a table, so that a
    row first fires the timers of its partition that are due before it. Rows come in the order of time; with ORDER BY,
    they may come in any order, and wait for a watermark or ``finish``.

    Args:
        query: a query with the call.
        uid: the ``uid`` of the call, needed if the query has several.
        mode: ``"stream"`` or ``"batch"``.
        restarts: whether the function restarts before each step, so that it loses what it keeps outside of its state.

    Raises:
        ValidationException: the query has no such call, or partitions, sorts or passes values by expressions that only
            Spark can evaluate.

    >>> import datetime as dt
    >>> from collections.abc import Iterator
    >>> from tableapi import EnvironmentSettings, Row, TableEnvironment
    >>> from tableapi.expressions import col, descriptor
    >>> from tableapi.process_functions import Context, OnTimerContext, ProcessTableFunction, TableAsSet
    >>> from tableapi.testing import ProcessTableFunctionHarness
    >>> class Silence(ProcessTableFunction):
    ...     def eval(self, ctx: Context, event: TableAsSet[Row]) -> Iterator[str]:
    ...         ctx.timers().register_on_time("silence", event.ts + dt.timedelta(minutes=5))
    ...         return iter(())
    ...
    ...     def on_timer(self, ctx: OnTimerContext) -> Iterator[str]:
    ...         yield f"no event since {ctx.timers().current_time() - dt.timedelta(minutes=5):%H:%M}"
    >>> settings = EnvironmentSettings.new_instance().with_built_in_catalog_name("memory").build()
    >>> te = TableEnvironment.create(settings)
    >>> events = te.declare("events", {"sensor": "STRING", "ts": "TIMESTAMP"})
    >>> harness = ProcessTableFunctionHarness(
    ...     events.partition_by(col("sensor")).process(Silence, on_time=descriptor("ts"))
    ... )
    >>> harness.process_element("door", dt.datetime(2026, 1, 1, 9, 0))
    >>> harness.process_element("door", dt.datetime(2026, 1, 1, 9, 3))
    >>> harness.get_pending_timers()
    [TimerRecord(name='silence', time=datetime.datetime(2026, 1, 1, 9, 8), partition=('door',))]
    >>> harness.set_watermark(dt.datetime(2026, 1, 1, 9, 8))
    >>> [row[1] for row in harness.get_output()]
    ['no event since 09:03']
    >>> harness.process_element("door", dt.datetime(2026, 1, 1, 9, 7))
    >>> harness.get_late_rows()
    [LateRow(table='event', row=Row(sensor='door', ts=datetime.datetime(2026, 1, 1, 9, 7)))]

    Source: the names of the methods are those of Flink's class (FLIP-567).
    """

    def __init__(self, query: Table, *, uid: str | None = None, mode: Mode = "stream", restarts: bool = False) -> None:
        self._prepare(TypedCall(find_call(query, uid), {}), mode, restarts)

    def _prepare(self, call: TypedCall, mode: Mode, restarts: bool) -> None:
        if mode not in ("stream", "batch"):
            raise ValidationException(
                f"The mode is {mode!r}, but a harness has the modes ['stream', 'batch']."
                + did_you_mean(str(mode), _MODES)
            )
        if mode == "stream" and call.has_order and not call.has_time:
            raise ValidationException(
                "A stream sorts rows by their time, but the call has ORDER BY and no on_time. Name the time column "
                "with on_time, or use mode='batch'."
            )
        if mode == "batch" and restarts:
            raise ValidationException("A query over a table starts anew; restarts=True is for mode='stream'.")
        self._call = call
        self._run = FunctionRun(call)
        self._mode = mode
        self._restarts = restarts
        self._new_code = FunctionCopies(call.target)
        self._has_ended = False
        self._partitions: dict[tuple[Any, ...], Partition] = {}
        self._watermarks: list[int | None] = [None] * len(call.names)
        # The watermark of a function without tables and the least watermark of all tables.
        self._watermark: int | None = None
        self._count = 0
        self._late: list[LateRow] = []
        # The partitions that the running step has reached, as they were before; None for new ones.
        self._before: dict[tuple[Any, ...], Checkpoint | None] = {}

    @classmethod
    def of_class(cls, function: Any) -> Builder[ProcessTableFunctionHarness]:
        """Return a builder that collects the arguments of a call, as in Flink.

        Args:
            function: the class of a process table function, an instance, or the result of ``udptf``.
        """
        return Builder(cls._of_call, function)

    @classmethod
    def _of_call(cls, call: TypedCall, mode: Mode, restarts: bool) -> ProcessTableFunctionHarness:
        made = cls.__new__(cls)
        made._prepare(call, mode, restarts)
        return made

    @property
    def function(self) -> Any:
        """The instance of the function that runs; another one after a restart."""
        return self._run.function

    # --- steps -------------------------------------------------------------------------------------------------------

    def process_element(self, *row: Any, **named: Any) -> None:
        """Process a row of the only table, as a step; call it without arguments for a function without tables.

        Args:
            row: the row as a tuple or a mapping by column, or its values.
            named: the values by column; missing columns are NULL.

        Raises:
            SparkExecutionException: the function failed; the message is that of a query, and its cause the exception.
            ValidationException: a value does not have the type of its column, the row is out of order in a batch, or
                the function has several tables.
        """
        if not self._call.names:
            self.process()
            return
        self._step_over_rows([(self._only_table("process_element_for_table"), _row_of_arguments(row, named))])

    def process_element_for_table(self, table: str, *row: Any, **named: Any) -> None:
        """Process a row of one of several tables, as a step.

        Args:
            table: the name of the argument.
            row: the row as a tuple or a mapping by column, or its values.
            named: the values by column; missing columns are NULL.

        Raises:
            SparkExecutionException: the function failed.
            ValidationException: there is no such table, a value does not have the type of its column, or the row is
                out of order in a batch.
        """
        self._step_over_rows([(self._table(table), _row_of_arguments(row, named))])

    def process_elements(self, rows: Iterable[Any]) -> None:
        """Process rows of the only table, each as a step of its own.

        Args:
            rows: tuples, or mappings by column.

        Raises:
            SparkExecutionException: the function failed.
            ValidationException: a row is invalid.
        """
        for row in rows:
            self.process_element(row)

    def process_batch(
        self, rows: Iterable[Any] | Mapping[str, Iterable[Any]] = (), *, watermark: dt.datetime | int | None = None
    ) -> None:
        """Process a micro-batch as one step: first its rows in the order of time, then its watermark.

        Args:
            rows: the rows of the only table as tuples or mappings by column; or a mapping from table names to rows.
            watermark: the watermark that all tables reach with the batch, None if it stays.

        Raises:
            SparkExecutionException: the function failed. Nothing of the batch is kept.
            ValidationException: a row is invalid, or the watermark is before the current one.
        """
        if isinstance(rows, Mapping):
            given = [(self._table(name), row) for name, of_table in rows.items() for row in of_table]
        else:
            listed = list(rows)
            table = self._only_table("process_batch of a mapping") if listed else 0
            given = [(table, row) for row in listed]
        self._step_over_rows(given, watermark)

    def process(self) -> None:
        """Call a function without tables.

        Raises:
            SparkExecutionException: the function failed.
            ValidationException: the function has tables.
        """
        if self._call.names:
            raise ValidationException(
                f"The function has the tables {listing(self._call.names)}. Give it rows: process_element(…)."
            )
        with self._step():
            Partition(self._run, (), None).call_without_tables()

    def set_watermark(self, watermark: dt.datetime | int) -> None:
        """Advance the watermark of all tables, and fire the timers that it passes, as a step.

        Args:
            watermark: a datetime, or milliseconds since 1970.

        Raises:
            SparkExecutionException: the function failed.
            ValidationException: the watermark is before the current one.
        """
        self._step_over_rows([], watermark)

    def set_watermark_for_table(self, table: str, watermark: dt.datetime | int) -> None:
        """Advance the watermark of one table, as a step. The watermark of the call is the least of all tables.

        Args:
            table: the name of the argument.
            watermark: a datetime, or milliseconds since 1970.

        Raises:
            SparkExecutionException: the function failed.
            ValidationException: there is no such table, or the watermark is before the one of the table.
        """
        number = self._table(table)
        with self._step():
            self._advance({number: self._read_watermark(watermark, self._watermarks[number])})

    def finish(self) -> None:
        """End the input: process the rows that wait, fire the timers that are left, and call ``finish()``.

        Raises:
            SparkExecutionException: the function failed.
        """
        with self._step():
            if self._call.is_set and not self._call.has_keys and self._call.operation.signature.finish is not None:
                # The only partition exists even without rows.
                self._partition_of((), ())
            for key, partition in list(self._partitions.items()):
                self._reach(key)
                partition.release(None)
                partition.finish()
        self._has_ended = True

    def restart(self) -> None:
        """Restart the function as after a crash: ``close()`` is not called, and state comes from a checkpoint.

        A new instance takes over: attributes that the old one has set are lost, and so are changes of attributes of its
        class. Variables of modules are not reset.

        Raises:
            ValidationException: the instance cannot be copied, or the mode is ``"batch"``.
        """
        if self._mode == "batch":
            raise ValidationException("A query over a table starts anew after a crash; use mode='stream'.")
        self._run.function = self._new_code.new_instance()
        self._run.is_open = False
        for partition in self._partitions.values():
            partition.restore(partition.checkpoint())

    def close(self) -> None:
        """Call ``close()`` of the function if it was opened. A ``with`` block does this at its end.

        Raises:
            SparkExecutionException: ``close()`` failed.
        """
        self._has_ended = True
        try:
            self._run.close()
        except FunctionFailed as error:
            raise _readable(error) from error.__cause__

    def __enter__(self) -> ProcessTableFunctionHarness:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    # --- what the function did ---------------------------------------------------------------------------------------

    def get_output(self) -> list[Row]:
        """Return the output so far, as a query returns it: with the keys of partitions, and with ``rowtime``."""
        return list(self._run.output)

    def clear_output(self) -> None:
        """Forget the output so far."""
        self._run.output.clear()

    def get_pending_timers(self) -> list[TimerRecord]:
        """Return the timers that have not fired, in the order of their times. The timer on watermarks has no time."""
        found = [
            (timer.time, self._show_timer(timer.name, timer.time, partition.key))
            for partition in self._partitions.values()
            for timer in partition.timers.in_order()
        ]
        return [record for _, record in sorted(found, key=lambda pair: pair[0])]

    def get_fired_timers(self) -> list[TimerRecord]:
        """Return the timers that have fired, in the order in which they did."""
        return [self._show_timer(*fired) for fired in self._run.fired]

    def clear_fired_timers(self) -> None:
        """Forget the timers that have fired."""
        self._run.fired.clear()

    def get_late_rows(self) -> list[LateRow]:
        """Return the late rows in the order of arrival; ``on_late`` received them if the function defines it."""
        return list(self._late)

    def get_waiting_rows(self) -> list[Row]:
        """Return the rows that wait for the watermark, partition by partition, in the order in which they came."""
        return [
            Row.of(self._call.operation.tables[row.table].schema.names, tuple(row.shown))
            for partition in self._partitions.values()
            for row in partition.waiting
        ]

    # --- state -------------------------------------------------------------------------------------------------------

    def get_state(self, name: str, *key: Any) -> Any:
        """Return a state of a partition: the object that the function gets next. Changes of it change the state.

        Args:
            name: the name of the state.
            key: the key of the partition, one value for each column.

        Raises:
            ValidationException: there is no such state, or no row of the partition was processed.
        """
        number = self._state(name)
        return self._known_partition(key).states[number].value

    def get_state_for_key(self, name: str, key: Any) -> Any:
        """Return a state of a partition as plain values: a dict of fields, a list, or a dict of a map.

        Args:
            name: the name of the state.
            key: the key of the partition as a tuple; a single value stands for a key of one column.

        Raises:
            ValidationException: there is no such state, or no row of the partition was processed.
        """
        return as_plain(self.get_state(name, *_as_key(key)))

    def get_state_for_all_keys(self, name: str) -> dict[tuple[Any, ...], Any]:
        """Return a state of all partitions as plain values, by the key of the partition.

        Args:
            name: the name of the state.

        Raises:
            ValidationException: there is no such state.
        """
        number = self._state(name)
        return {
            _hashable(partition.key): as_plain(partition.states[number].value)
            for partition in self._partitions.values()
        }

    def get_keys(self) -> list[tuple[Any, ...]]:
        """Return the keys of the partitions in the order of their first rows."""
        return [partition.key for partition in self._partitions.values()]

    def set_state_for_key(self, name: str, key: Any, value: Any) -> None:
        """Set a state of a partition, which need not have had a row.

        Args:
            name: the name of the state.
            key: the key of the partition as a tuple; a single value stands for a key of one column.
            value: an object of the class of the state, or plain values: a dict of fields, a list, or a dict of a map.

        Raises:
            ValidationException: there is no such state, or the value does not have its type.
        """
        number = self._state(name)
        keys = self._call.read_key(_as_key(key))
        partition = self._partition_of(canonical_key(keys), keys)
        partition.set_state(number, value)

    def _state(self, name: str) -> int:
        names = [keeper.entry.label for keeper in self._call.states]
        if name not in names:
            has = f"its states are [{listing(names)}]" if names else "it has no state"
            raise ValidationException(f"The function has no state {name!r}; {has}." + did_you_mean(name, names))
        return names.index(name)

    def _known_partition(self, key: tuple[Any, ...]) -> Partition:
        for partition in self._partitions.values():
            if partition.key == key:
                return partition
        known = listing([repr(partition.key) for partition in self._partitions.values()]) or "none"
        raise ValidationException(f"There is no partition with the key {key!r}; there are: {known}.")

    # --- running a step ----------------------------------------------------------------------------------------------

    @contextmanager
    def _step(self) -> Iterator[None]:
        """Run a step, whose failure leaves the harness as it was."""
        if self._has_ended:
            raise ValidationException("The input of the function has ended. Build another harness.")
        if self._restarts:
            self.restart()
        watermarks, watermark = list(self._watermarks), self._watermark
        kept: list[tuple[list[Any], int]] = [
            (of_step, len(of_step)) for of_step in (self._run.output, self._run.fired, self._late)
        ]
        self._before = {}
        try:
            yield
            if self._mode == "stream":
                for key in self._before:
                    self._partitions[key].restore(self._partitions[key].checkpoint())
        except (FunctionFailed, ValidationException) as error:
            self._watermarks, self._watermark = watermarks, watermark
            for of_step, count in kept:
                del of_step[count:]
            if self._mode == "stream":
                self._undo()
            if isinstance(error, FunctionFailed):
                raise _readable(error) from (error.__cause__ or error.__context__)
            raise

    def _undo(self) -> None:
        for key, before in self._before.items():
            if before is None:
                del self._partitions[key]
            else:
                self._partitions[key].restore(before)

    def _reach(self, key: tuple[Any, ...]) -> None:
        """Note a partition that a step changes."""
        if self._mode == "stream" and key not in self._before:
            self._before[key] = self._partitions[key].checkpoint()

    def _step_over_rows(self, given: Sequence[tuple[int, Any]], watermark: dt.datetime | int | None = None) -> None:
        with self._step():
            rows = [self._read_row(table, row) for table, row in given]
            if self._mode == "stream" and self._call.has_time:
                # Sorting keeps the order of equal times; a NULL is reported as a row.
                rows.sort(key=lambda row: (row.time or 0, row.table))
            for row in rows:
                self._take(row)
            if watermark is not None:
                least = max([w for w in self._watermarks if w is not None], default=self._watermark)
                reached = self._read_watermark(watermark, least)
                self._advance(dict.fromkeys(range(len(self._watermarks)), reached))

    def _read_row(self, table: int, row: Any) -> InputRow:
        number, self._count = self._count, self._count + 1
        return self._call.read_row(table, row, number)

    def _take(self, row: InputRow) -> None:
        if not self._call.is_set:
            self._process_alone(row)
            return
        if self._take_late(row):
            return
        key = canonical_key(row.keys)
        partition = self._partition_of(key, row.keys)
        partition.require_time(row)
        self._reach(key)
        if self._call.has_order:
            partition.waiting.append(row)
        elif self._mode == "stream":
            partition.process_at_watermark(row)
        else:
            self._require_order(row, partition)
            partition.process_in_time(row)

    def _process_alone(self, row: InputRow) -> None:
        """Process a row of a table with row semantics, which has neither partition nor state."""
        partition = Partition(self._run, (), self._watermark if self._mode == "stream" else None)
        partition.require_time(row)
        if self._mode == "stream":
            partition.process_at_watermark(row)
        else:
            partition.process_in_time(row)

    def _take_late(self, row: InputRow) -> bool:
        """Take a row of a stream whose time is not after the watermark out of the others; refuse one of a batch."""
        if row.time is None or self._watermark is None:
            return False
        shown = Row.of(self._call.operation.tables[row.table].schema.names, tuple(row.shown))
        if self._mode == "stream":
            if row.time <= self._watermark:
                self._late.append(LateRow(self._call.names[row.table], shown))
                Partition(self._run, row.keys, self._watermark).process_late(row)
                return True
        elif watermark_before(row.time) < self._watermark:
            raise ValidationException(
                f"Row {row.number} is late: its time is {self._show(row.time)}, and the watermark is "
                f"{self._show(self._watermark)}. The function never gets such a row."
            )
        return False

    def _require_order(self, row: InputRow, partition: Partition) -> None:
        if row.time is not None and partition.last_time is not None and row.time < partition.last_time:
            raise ValidationException(
                f"Row {row.number} has the time {self._show(row.time)}, before the time "
                f"{self._show(partition.last_time)} of an earlier row of its partition. On Spark, the rows of a "
                "partition come in the order of their times."
            )

    def _partition_of(self, key: tuple[Any, ...], keys: Sequence[Any]) -> Partition:
        if key not in self._partitions:
            reached = None if self._watermark is None else self._watermark_of_timers(self._watermark)
            self._partitions[key] = Partition(self._run, keys, reached)
            if self._mode == "stream":
                self._before[key] = None
        return self._partitions[key]

    # --- watermarks --------------------------------------------------------------------------------------------------

    def _read_watermark(self, given: dt.datetime | int, current: int | None) -> int:
        time = time_type(dt.datetime, False).read(given)
        time -= time % MILLISECOND
        if current is not None and time < current:
            raise ValidationException(
                f"The watermark is {self._show(current)}, and cannot go back to {self._show(time)}."
            )
        return time

    def _advance(self, reached: Mapping[int, int]) -> None:
        """Advance the watermarks of tables, and with them the least one, which partitions follow."""
        for number, watermark in reached.items():
            self._watermarks[number] = watermark
        known = [watermark for watermark in self._watermarks if watermark is not None]
        if len(known) < len(self._watermarks) or not known:
            return
        self._watermark = min(known)
        for key, partition in self._partitions.items():
            self._reach(key)
            if self._call.has_time:
                partition.release(self._watermark)
            partition.advance(self._watermark_of_timers(self._watermark))

    def _watermark_of_timers(self, watermark: int) -> int:
        """Return the time up to which timers fire.

        In a stream with ORDER BY, a row may still come within the millisecond of the watermark, and the watermark
        before such a row is a millisecond earlier.
        """
        return watermark - MILLISECOND if self._mode == "stream" and self._call.has_order else watermark

    # --- texts and names ---------------------------------------------------------------------------------------------

    def _show(self, time: int) -> Any:
        return time_type(dt.datetime, self._call.has_zone).show(time)

    def _show_timer(self, name: str | None, time: int, key: tuple[Any, ...]) -> TimerRecord:
        return TimerRecord(name, self._show(time), key)

    def _only_table(self, instead: str) -> int:
        names = self._call.names
        if not names:
            raise ValidationException("The function has no tables. Call it with process().")
        if len(names) > 1:
            raise ValidationException(
                f"The function has the tables {listing(names)}. Name one: {instead}({names[0]!r}, …)."
            )
        return 0

    def _table(self, name: str) -> int:
        names = self._call.names
        if name not in names:
            raise ValidationException(
                f"The function has no table {name!r}, but [{listing(names)}]." + did_you_mean(name, names)
            )
        return names.index(name)


_MODES = ("stream", "batch")

ProcessTableFunctionTestHarness = ProcessTableFunctionHarness
"""The name of Flink's class, for the same class."""


def _row_of_arguments(row: tuple[Any, ...], named: Mapping[str, Any]) -> Any:
    if named:
        if row:
            raise ValidationException("A row has its values either by position or by name.")
        return dict(named)
    is_row = len(row) == 1 and isinstance(row[0], (tuple, list, Mapping, Row))
    return row[0] if is_row else row


def _as_key(key: Any) -> tuple[Any, ...]:
    return key if isinstance(key, tuple) else (key,)


def _hashable(key: tuple[Any, ...]) -> tuple[Any, ...]:
    return tuple([tuple(part) if isinstance(part, list) else part for part in key])


def _readable(error: FunctionFailed) -> SparkExecutionException:
    """Return the exception that a query raises for the failure of a function."""
    return SparkExecutionException(function_failure(str(error)) or str(error))
