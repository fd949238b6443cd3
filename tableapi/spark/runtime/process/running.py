"""Run a process table function over the rows of a task, which come partition by partition.

A task has one instance of the function. Spark calls ``rows`` for each batch, and ``end`` after the last one. Between
batches, only the last row is kept, and the part of a partition that a ``Sorter`` has to hold.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from itertools import repeat
from types import GeneratorType
from typing import Any

import pyarrow as pa

from tableapi.spark.runtime.base import FunctionContext
from tableapi.spark.runtime.failures import FAILURES, FunctionFailed, failure
from tableapi.spark.runtime.functions import collecting_rarely
from tableapi.spark.runtime.process.columns_read import columns_read
from tableapi.spark.runtime.process.declarations import StateRow
from tableapi.spark.runtime.process.loop import FILE, caller, loop_of, view_class
from tableapi.spark.runtime.process.outputs import BATCH, NoSuchRow, Outputs
from tableapi.spark.runtime.process.plan import Given, Plan
from tableapi.spark.runtime.process.rows import (
    convert_column,
    find_wrong_kind,
    microseconds,
    row_maker,
    starts_of_partitions,
    values,
    view_of,
)
from tableapi.spark.runtime.process.running_context import RunningContext
from tableapi.spark.runtime.process.sorting import Sorter
from tableapi.spark.runtime.process.states import Expiring, expiring
from tableapi.spark.runtime.process.time_limit import TimeLimit
from tableapi.spark.runtime.process.timers import WATERMARK
from tableapi.spark.runtime.process.times import END, MILLISECOND, NEVER, watermark_before
from tableapi.spark.runtime.row import Row, RowKind

# The most timers that may fire after the last row of a partition, in case each registers another one.
_MOST_TIMERS = 1_000_000
_NO_TIMERS_IN_FINISH = "No timer can be registered in finish(), since none fires after it."
_PATH = "tableapi/spark/runtime/"


class Running:
    """The run of a process table function in a task."""

    # Whether messages name the partition keys beside the row.
    _names_keys = False
    # The method that gets the rows, in messages.
    _row_method = "eval"

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        # The states of the current partition.
        self._states: list[Any] = [None] * len(plan.states)
        self._create = [state.create for state in plan.states]
        self._constants: list[Any] = [parameter.value for parameter in plan.parameters]
        self._outputs = Outputs(plan.output, len(plan.forwarded), plan.has_rowtime, plan.is_atomic, plan.changes)
        self._context = self._make_context()
        self._expires = plan.time is not None and any(state.ttl is not None for state in plan.states)
        self._expiring: dict[int, Expiring] = {}
        self._sorter = Sorter(plan.keys, plan.order) if plan.order else None
        self._is_open = False
        seconds = plan.call_seconds
        self._limit = None if seconds is None else TimeLimit(seconds, FILE, Running._call.__code__)
        self._collection = ExitStack()
        self.in_partition = False
        self._has_ended = False
        # The batch that is being processed, and for each yielded row its input row, its values, and its time.
        self._source: pa.RecordBatch | None = None
        self._at: list[int] = []
        self._yielded: list[tuple[Any, ...]] = []
        self._times: list[int | None] = []
        # A row of the batch in the partition to which timers and ``finish`` belong.
        self.position = 0
        self._read = [
            columns_read(plan.function.eval, slot)
            for slot, parameter in enumerate(plan.parameters)
            if parameter.given is Given.TABLE
        ]
        self._view = view_of(plan.tables[0], self._read[0]) if len(plan.tables) == 1 and plan.tag is None else None
        self._whole_rows = [row_maker(table) for table in plan.tables]
        self._rows_read = [row_maker(table, read) for table, read in zip(plan.tables, self._read, strict=True)]

    def _make_context(self) -> RunningContext:
        return RunningContext(self._plan, self._clear_state)

    # --- entry points for Spark --------------------------------------------------------------------------------------

    def rows(self, batch: pa.RecordBatch, scalars: Sequence[pa.Array]) -> Iterator[pa.RecordBatch]:
        """Process the next batch of rows, and yield output batches.

        Raises:
            FunctionFailed: the function failed.
        """
        if not batch.num_rows:
            return
        if not self._is_open:
            self._open(scalars)
        if self._sorter is None:
            yield from self._process(batch)
            return
        for rows in self._sorter.take(batch):
            yield from self._process(rows)

    def _process(self, batch: pa.RecordBatch) -> Iterator[pa.RecordBatch]:
        """Process rows that are in their final order."""
        starts = self._starts(batch)
        if starts and starts[0] == 0 and self.in_partition:
            ending = self.end_partition()
            if ending is not None:
                yield from ending
        if self._at:
            yield self.flush()
        self._source = batch
        yield from self._loop(self._columns_of_loop(batch), iter(starts))

    def end(self) -> Iterator[pa.RecordBatch]:
        """Finish the input and flush: yield the rest of the output.

        Raises:
            FunctionFailed: the function failed.
        """
        if self._sorter is not None:
            for rows in self._sorter.rest():
                yield from self._process(rows)
        yield from self._end_rows(self.in_partition)

    def _end_rows(self, in_partition: bool) -> Iterator[pa.RecordBatch]:
        """End the last partition, if one has begun, and yield the rest of the output."""
        ending = self.end_partition() if in_partition else None
        if ending is not None:
            yield from ending
        if self._at:
            yield self.flush()

    def close(self) -> None:
        """Close the function if it was opened."""
        if self._sorter is not None:
            self._sorter.close()
        if self._is_open:
            self._is_open = False
            if self._limit is not None:
                self._limit.stop()
            self._collection.close()
            try:
                self._plan.function.close()
            except FAILURES as error:
                raise self.failure("close", error, None) from None

    def _open(self, scalars: Sequence[pa.Array]) -> None:
        self._is_open = True
        self._collection.enter_context(collecting_rarely())
        try:
            self._plan.function.open(FunctionContext(self._plan.job_parameters))
        except FAILURES as error:
            raise self.failure("open", error, None) from None
        self._set_scalars(scalars)
        self._compile()
        if self._limit is not None:
            self._limit.start()

    def _set_scalars(self, scalars: Sequence[pa.Array]) -> None:
        """Take the values of the scalar arguments from the first row of their columns."""
        for slot, parameter in enumerate(self._plan.parameters):
            # Where no rows come, timers need no arguments.
            if parameter.given is Given.SCALAR and scalars:
                column = scalars[parameter.index]
                value = values(column.slice(0, 1))[0]
                make = parameter.value
                self._constants[slot] = value if make is None else make(value)

    def _compile(self) -> None:
        """Compile the calls of the methods, when everything that they have in common is known."""
        plan, function = self._plan, self._plan.function
        names = {
            "running": self,
            "context": self._context,
            "states": self._states,
            "create": self._create,
            "constants": self._constants,
            "row": None if self._view is None else view_class(self._view)(),
            "eval": function.eval,
            "finish": function.finish,
            "on_timer": function.on_timer,
            "at": self._at,
            "yielded": self._yielded,
            "times": self._times,
            "convert": self._outputs.convert,
            "rows_of": _rows_of,
            "Failed": FunctionFailed,
        }
        self._loop = self._make_loop(names)
        self._on_timer = caller("on_timer", plan.on_timer or (), names)
        self._finish = caller("finish", plan.finish or (), names)

    def _make_loop(self, names: Mapping[str, Any]) -> Callable[[Sequence[Any], Iterator[int]], Iterator[Any]]:
        return loop_of(self._plan, self._view, self._expires, self._outputs.width, BATCH, names)

    # --- batches -----------------------------------------------------------------------------------------------------

    def _starts(self, batch: pa.RecordBatch) -> list[int]:
        """Return the positions where partitions begin in a batch."""
        if not self._plan.keys:
            return [0] if self._source is None else []
        before = []
        if self._source is not None:
            last = self._source.num_rows - 1
            before = [self._source.column(key).slice(last) for key in self._plan.keys]
        return starts_of_partitions([batch.column(key) for key in self._plan.keys], before)

    def _columns_of_loop(self, batch: pa.RecordBatch) -> list[Any]:
        """Return the columns over which the loop iterates in parallel."""
        plan = self._plan
        columns: list[Any] = [range(batch.num_rows)]
        tags = None if plan.tag is None else batch.column(plan.tag).to_pylist()
        if plan.time is not None:
            columns.append(self._times_of_rows(batch, tags))
        if tags is not None:
            columns.append(tags)
        for number, table in enumerate(plan.tables):
            if table.kinds is not None:
                self._require_kinds(batch, tags, number)
        if self._view is not None:
            table, of_table = plan.tables[0], self._columns(batch, 0)
            for name in self._view:
                given = values(of_table[table.columns.index(name)])
                columns.append(convert_column(given, table.converters.get(name)))
            return columns
        return [*columns, self._rows(batch, tags, self._rows_read)]

    def _rows(self, batch: pa.RecordBatch, tags: list[int] | None, makers: Sequence[Any]) -> Iterable[Any]:
        """Return the rows of a batch as the function gets them."""
        plan = self._plan
        if tags is None:
            made: Iterable[Any] = makers[0](self._columns(batch, 0)) if plan.tables else repeat(None)
            return made
        rows: list[Any] = [None] * len(tags)
        for number in range(len(plan.tables)):
            own = [position for position, tag in enumerate(tags) if tag == number]
            if own:
                columns = self._columns(batch if len(own) == len(tags) else batch.take(pa.array(own)), number)
                for position, row in zip(own, makers[number](columns), strict=True):
                    rows[position] = row
        return rows

    def _columns(self, batch: pa.RecordBatch, number: int) -> list[pa.Array]:
        table = self._plan.tables[number]
        if table.in_struct:
            found: list[pa.Array] = batch.column(table.positions[0]).flatten()
            return found
        return [batch.column(position) for position in table.positions]

    def _require_kinds(self, batch: pa.RecordBatch, tags: list[int] | None, number: int) -> None:
        """Check that each row of a table of changes has a kind."""
        table = self._plan.tables[number]
        assert table.kinds is not None
        kinds = self._columns(batch, number)[table.columns.index(table.kinds)].to_pylist()
        if tags is not None:
            kinds = [kind if tag == number else RowKind.INSERT.name for kind, tag in zip(kinds, tags, strict=True)]
        wrong = find_wrong_kind(kinds)
        if wrong is not None:
            problem = ValueError(
                f"the column {table.kinds} of a table of changes is {kinds[wrong]!r}; it is one of "
                f"{', '.join(RowKind.__members__)}"
            )
            raise self.failure("eval", problem, wrong)

    def _times_of_rows(self, batch: pa.RecordBatch, tags: list[int] | None) -> list[Any]:
        column = batch.column(self._plan.time)
        times = microseconds(column)
        if column.null_count:
            for position, time in enumerate(times):
                if time is None and (tags is None or tags[position] >= 0):
                    problem = ValueError("the time of a row, in the column that on_time names, is NULL")
                    raise self.failure("eval", problem, position)
        return times

    def flush(self) -> pa.RecordBatch:
        assert self._source is not None
        try:
            made = self._outputs.batch(self._source, self._plan.forwarded, self._at, self._yielded, self._times)
        except NoSuchRow as error:
            at = self._at[error.position]
            raise self.failure("eval", TypeError(str(error)), at) from None
        self._at.clear()
        self._yielded.clear()
        self._times.clear()
        return made

    # --- partitions --------------------------------------------------------------------------------------------------

    def begin_partition(self) -> None:
        """Reset the state for a new partition."""
        self.in_partition = True
        context = self._context
        if self._has_ended:
            self._has_ended = False
            context.begin()
        else:
            context.time, context.due, context.watermark = None, NEVER, None
        if self._expires:
            self._clear_state(None)
            return
        self._states[:] = [create() for create in self._create]

    def end_partition(self) -> Iterator[pa.RecordBatch] | None:
        """Return the rest of the partition's output, or None if there is none."""
        context, plan = self._context, self._plan
        self.in_partition = False
        has_timers = context.on_watermark or context.queue.next_time() < NEVER
        if not plan.has_partitions or (plan.finish is None and not has_timers):
            return None
        self._has_ended = True
        return self._process_with_timers() if has_timers else self._finish_partition(context.time)

    def _process_with_timers(self) -> Iterator[pa.RecordBatch]:
        context = self._context
        last, before = context.time, context.reached_watermark()
        context.is_at_end, context.is_periodic, context.watermark = True, False, END
        context.queue.stop_periods()
        yield from self._advance(END, before)
        if self._plan.finish is not None:
            yield from self._finish_partition(max([t for t in (last, context.time) if t is not None], default=None))

    def _finish_partition(self, time: int | None) -> Iterator[pa.RecordBatch]:
        context = self._context
        context.time, context.watermark, context.is_at_end = time, END, True
        context.no_timers = _NO_TIMERS_IN_FINISH
        if self._expires:
            self.begin_call()
        return self._call("finish", self._finish)

    def _clear_state(self, name: str | None) -> None:
        """Reset one state or all states to the initial value; a running call keeps the objects that it has."""
        for number, state in enumerate(self._plan.states):
            if name is None or state.name == name:
                if state.ttl is not None and self._expires:
                    self._expiring[number] = expiring(state.create, state.ttl)
                    self._states[number] = self._expiring[number].begin(None, self._context.time or 0)
                else:
                    self._states[number] = state.create()

    def begin_call(self) -> None:
        """Expire state that has not changed within its time to live."""
        expiry, time = self._context.expiry_time(), self._context.time or 0
        for number, state in self._expiring.items():
            self._states[number] = state.begin(expiry, time)

    def end_call(self) -> None:
        """Record the state that a call has changed."""
        for state in self._expiring.values():
            state.end(self._context.time or 0)

    @property
    def _has_no_rows_between(self) -> bool:
        """Whether no row limits how many timers fire one after the other."""
        return self._context.is_at_end

    # --- timers ------------------------------------------------------------------------------------------------------

    def advance(self, time: int) -> Iterator[pa.RecordBatch]:
        """Fire the timers that are due before a row with this time."""
        return self._advance(watermark_before(time), self._context.reached_watermark())

    def advance_watermark(self, watermark: int) -> Iterator[pa.RecordBatch]:
        """Fire the timers of the partition that a watermark between two rows passes, and yield output batches.

        The time of the partition stays that of its last row.

        Raises:
            FunctionFailed: the function failed.
        """
        context = self._context
        last = context.time
        yield from self._advance(watermark, context.reached_watermark())
        context.time = last
        if self._at:
            yield self.flush()

    def _advance(self, watermark: int, before: int | None) -> Iterator[pa.RecordBatch]:
        """Fire the timers that a watermark passes."""
        context = self._context
        if context.on_watermark:
            context.on_watermark = context.is_periodic
            context.watermark, context.following = before, watermark
            yield from self._fire(watermark - MILLISECOND, WATERMARK)
            context.following = None
        context.watermark = watermark
        fired = 0
        while (due := context.queue.due(watermark)) is not None:
            yield from self._fire(*due)
            fired += 1
            if self._has_no_rows_between and fired > _MOST_TIMERS:
                problem = RuntimeError(
                    f"more than {_MOST_TIMERS:,} timers have fired after the last row of a partition; a timer that "
                    "registers the next one has to stop by itself"
                )
                raise self.failure("on_timer", problem, self.position)
        context.schedule_next()

    def _fire(self, time: int, name: str | None) -> Iterator[pa.RecordBatch]:
        context = self._context
        context.time, context.timer, context.is_firing = time, name, True
        if self._expires:
            self.begin_call()
        yield from self._call("on_timer", self._on_timer)
        if self._expires:
            self.end_call()
        context.timer, context.is_firing = None, False

    def _call(self, method: str, function: Callable[[], Any]) -> Iterator[pa.RecordBatch]:
        at, yielded, convert = self._at, self._yielded, self._outputs.convert
        try:
            given = function()
            if given is None:
                return
            for row in _rows_of(given):
                yielded.append(convert[type(row)](row))
                at.append(self.position)
                if self._plan.has_rowtime:
                    time = self._context.time
                    self._times.append(time)
                if len(at) >= BATCH:
                    yield self.flush()
        except FunctionFailed:
            raise
        except FAILURES as error:
            raise self.failure(method, error, self.position) from None

    # --- failures ----------------------------------------------------------------------------------------------------

    def failure(self, method: str, error: BaseException, position: int | None) -> FunctionFailed:
        plan = self._plan
        name = plan.name if plan.uid == plan.name else f"{plan.name} (uid {plan.uid})"
        frames = 0
        trace = error.__traceback__
        while trace is not None and _PATH in trace.tb_frame.f_code.co_filename.replace("\\", "/"):
            frames, trace = frames + 1, trace.tb_next
        shown = self._row_method if method == "eval" else method
        return failure(f"{name}.{shown}", self._describe_arguments(method, position), error, skip=frames)

    def _row_at(self, position: int) -> tuple[Any, int]:
        """Return the row at a position of the batch, and the number of its table."""
        assert self._source is not None
        batch = self._source.slice(position, 1)
        tags = None if self._plan.tag is None else batch.column(self._plan.tag).to_pylist()
        return next(iter(self._rows(batch, tags, self._whole_rows))), tags[0] if tags else 0

    def _describe_arguments(self, method: str, position: int | None) -> list[Any] | None:
        """Return the arguments for a message: the row and scalars for ``eval``, otherwise the partition keys."""
        if position is None:
            return None
        shown = []
        # The rows of several tables may not contain the keys.
        if (
            (method != "eval" or self._plan.tag is not None or self._names_keys)
            and self._source is not None
            and self._plan.keys
        ):
            keys = [self._source.column(key).slice(position, 1) for key in self._plan.keys]
            shown.append(_Named("partition", tuple([values(key)[0] for key in keys])))
        if method != "eval":
            return shown or None
        row, table = self._row_at(position)
        for slot, parameter in enumerate(self._plan.parameters):
            if parameter.given is Given.TABLE:
                shown.append(_Named(parameter.name, row if parameter.index == table else None))
            elif parameter.given is Given.SCALAR:
                shown.append(_Named(parameter.name, self._constants[slot]))
        return shown


class _Named:
    """An argument with its name for messages."""

    def __init__(self, name: str, value: Any) -> None:
        self._name = name
        self._value = value

    def __repr__(self) -> str:
        return f"{self._name}={self._value!r}"


def _rows_of(given: Any) -> Iterable[Any]:
    """Return the rows of a method, which may yield them, or return an iterable of rows or one row."""
    if type(given) is GeneratorType:
        return given
    if isinstance(given, (tuple, Row, str, bytes, Mapping, StateRow)) or not hasattr(given, "__iter__"):
        return (given,)
    rows: Iterable[Any] = given
    return rows
