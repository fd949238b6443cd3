"""Running a process table function over the rows of a task, which come partition by partition.

There is one instance of the function for all of them. What Spark calls is ``rows`` for each batch and ``end`` after the
last one; nothing is kept of a batch but its last row, so that the size of a partition does not matter.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from types import GeneratorType
from typing import Any

import pyarrow as pa

from tableapi.spark.runtime.base import FunctionContext
from tableapi.spark.runtime.failures import FunctionFailed, failure
from tableapi.spark.runtime.process.columns_read import columns_read
from tableapi.spark.runtime.process.declarations import StateRow
from tableapi.spark.runtime.process.outputs import BATCH, NoSuchRow, Outputs
from tableapi.spark.runtime.process.plan import SENTINEL, Given, Parameter, Plan
from tableapi.spark.runtime.process.rows import microseconds, row_maker, starts_of_partitions, values
from tableapi.spark.runtime.process.running_context import RunningContext
from tableapi.spark.runtime.process.states import Expiring, expiring
from tableapi.spark.runtime.process.timers import WATERMARK
from tableapi.spark.runtime.process.times import END, MILLISECOND, NEVER, watermark_before

# So many timers may fire after the last row of a partition of those that were registered after it.
_MOST_AT_END = 1_000_000
_NO_TIMERS_IN_FINISH = "No timer can be registered in finish(), since none fires after it."
_COLLECT_AFTER = (100_000, 50, 50)
_PATH = "tableapi/spark/runtime/"


class Running:
    """A process table function at work in a task."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._eval: Callable[..., Any] = plan.function.eval
        self._on_timer: Callable[..., Any] = plan.function.on_timer
        self._finish: Callable[..., Any] = plan.function.finish
        self._eval_arguments: list[Any] = [None] * len(plan.parameters)
        self._timer_arguments: list[Any] = [None] * len(plan.on_timer or ())
        self._finish_arguments: list[Any] = [None] * len(plan.finish or ())
        self._slots = [0] * len(plan.tables)
        self._states = [(state, self._places(number)) for number, state in enumerate(plan.states)]
        self._outputs = Outputs(plan.output, len(plan.forwarded), plan.has_rowtime, plan.is_atomic)
        self._context = RunningContext(plan, self._clear_state)
        self._expires = plan.time is not None and any(state.ttl is not None for state in plan.states)
        self._expiring: dict[int, Expiring] = {}
        self._is_open = False
        self._in_partition = False
        self._has_ended = False
        # The batch whose rows are seen, and what was yielded for them: of which row, what, and at which time.
        self._source: pa.RecordBatch | None = None
        self._at: list[int] = []
        self._yielded: list[tuple[Any, ...]] = []
        self._times: list[int | None] = []
        self._position = 0
        for parameters, arguments in self._methods():
            for slot, parameter in enumerate(parameters):
                if parameter.given is Given.CONTEXT:
                    arguments[slot] = self._context
                elif parameter.given is Given.CONSTANT:
                    arguments[slot] = parameter.value
                elif parameter.given is Given.TABLE:
                    self._slots[parameter.index] = slot
        self._whole_rows = [row_maker(table.columns, table.make) for table in plan.tables]
        self._rows_read = [
            row_maker(table.columns, table.make, columns_read(self._eval, slot))
            for table, slot in zip(plan.tables, self._slots, strict=True)
        ]

    def _methods(self) -> list[tuple[Sequence[Parameter], list[Any]]]:
        plan = self._plan
        return [
            (plan.parameters, self._eval_arguments),
            (plan.on_timer or (), self._timer_arguments),
            (plan.finish or (), self._finish_arguments),
        ]

    def _places(self, number: int) -> list[tuple[list[Any], int]]:
        """Return where a state is among the arguments of methods."""
        return [
            (arguments, slot)
            for parameters, arguments in self._methods()
            for slot, parameter in enumerate(parameters)
            if parameter.given is Given.STATE and parameter.index == number
        ]

    # --- what Spark calls --------------------------------------------------------------------------------------------

    def rows(self, batch: pa.RecordBatch, scalars: Sequence[pa.Array]) -> Iterator[pa.RecordBatch]:
        """Take the next batch of rows, and yield batches of the output.

        Raises:
            FunctionFailed: the function did.
        """
        if not batch.num_rows:
            return
        if not self._is_open:
            self._open(scalars)
        plan, context, arguments, evaluate = self._plan, self._context, self._eval_arguments, self._eval
        starts = self._starts(batch)
        if starts and starts[0] == 0 and self._in_partition:
            ending = self._end_partition()
            if ending is not None:
                yield from ending
        if self._at:
            yield self._flush()
        self._source = batch
        has_rowtime, expires, outputs = plan.has_rowtime, self._expires, self._outputs
        at, yielded, times_of = self._at, self._yielded, self._times
        columns = outputs.width
        rows, slots = self._rows(batch)
        for slot in self._slots:
            arguments[slot] = None
        slot = self._slots[0] if plan.tables else -1
        times = self._times_of_rows(batch, slots)
        now = 0
        bounds = [*starts, batch.num_rows] if starts and starts[0] == 0 else [0, *starts, batch.num_rows]
        is_new = bool(starts) and starts[0] == 0
        position = 0
        try:
            for start, end in pairwise(bounds):
                if is_new:
                    if self._in_partition:
                        ending = self._end_partition()
                        if ending is not None:
                            yield from ending
                    self._begin_partition()
                is_new = True
                for position in range(start, end):
                    if times is not None:
                        now = times[position]
                        if now is not None:
                            if now >= context.due:
                                self._position = position
                                yield from self._advance(watermark_before(now), context.current_watermark())
                            context.time = now
                    if slots is not None:
                        if slot >= 0:
                            arguments[slot] = None
                        slot = slots[position]
                        if slot < 0:
                            continue
                    if slot >= 0:
                        arguments[slot] = rows[position]
                    if expires:
                        self._begin_call()
                    given = evaluate(*arguments)
                    if given is not None:
                        for row in given if type(given) is GeneratorType else _rows_of(given):
                            yielded.append(row if type(row) is tuple and len(row) == columns else outputs.row(row))
                            at.append(position)
                            if has_rowtime:
                                times_of.append(now)
                            if len(at) >= BATCH:
                                yield self._flush()
                    if expires:
                        self._end_call()
                self._position = end - 1
        except FunctionFailed:
            raise
        except Exception as error:
            raise self._failure("eval", error, position) from None

    def end(self) -> Iterator[pa.RecordBatch]:
        """Take notice that there are no more rows, and yield the rest of the output.

        Raises:
            FunctionFailed: the function did.
        """
        if self._in_partition:
            ending = self._end_partition()
            if ending is not None:
                yield from ending
        if self._at:
            yield self._flush()

    def close(self) -> None:
        """Close the function, if it was opened."""
        if self._is_open:
            self._is_open = False
            gc.set_threshold(*self._thresholds)
            gc.unfreeze()
            try:
                self._plan.function.close()
            except Exception as error:
                raise self._failure("close", error, None) from None

    def _open(self, scalars: Sequence[pa.Array]) -> None:
        self._is_open = True
        # A batch is ten thousands of rows that live for a short time. By default Python looks through all of them for
        # cycles again and again, which costs more than all else here.
        self._thresholds = gc.get_threshold()
        gc.freeze()
        gc.set_threshold(*_COLLECT_AFTER)
        try:
            self._plan.function.open(FunctionContext(self._plan.job_parameters))
        except Exception as error:
            raise self._failure("open", error, None) from None
        for slot, parameter in enumerate(self._plan.parameters):
            if parameter.given is Given.SCALAR:
                column = scalars[parameter.index]
                value = values(column.slice(0, 1))[0]
                make = parameter.value
                self._eval_arguments[slot] = value if make is None or value is None else make(*value)

    # --- batches -----------------------------------------------------------------------------------------------------

    def _starts(self, batch: pa.RecordBatch) -> list[int]:
        """Return where partitions begin in a batch."""
        if not self._plan.keys:
            return [0] if self._source is None else []
        before = []
        if self._source is not None:
            last = self._source.num_rows - 1
            before = [self._source.column(key).slice(last) for key in self._plan.keys]
        return starts_of_partitions([batch.column(key) for key in self._plan.keys], before)

    def _rows(self, batch: pa.RecordBatch, *, whole: bool = False) -> tuple[list[Any], list[int] | None]:
        """Return the rows of a batch as the function gets them, and among which argument each is."""
        plan = self._plan
        makers = self._whole_rows if whole else self._rows_read
        if plan.tag is None:
            return (list(makers[0](self._columns(batch, 0))) if plan.tables else []), None
        tags = batch.column(plan.tag).to_pylist()
        rows: list[Any] = [None] * len(tags)
        for number in range(len(plan.tables)):
            own = [position for position, tag in enumerate(tags) if tag == number]
            if own:
                columns = self._columns(batch if len(own) == len(tags) else batch.take(pa.array(own)), number)
                for position, row in zip(own, makers[number](columns), strict=True):
                    rows[position] = row
        return rows, [SENTINEL if tag == SENTINEL else self._slots[tag] for tag in tags]

    def _columns(self, batch: pa.RecordBatch, number: int) -> list[pa.Array]:
        table = self._plan.tables[number]
        if table.in_struct:
            found: list[pa.Array] = batch.column(table.positions[0]).flatten()
            return found
        return [batch.column(position) for position in table.positions]

    def _times_of_rows(self, batch: pa.RecordBatch, slots: list[int] | None) -> list[Any] | None:
        if self._plan.time is None:
            return None
        times = microseconds(batch.column(self._plan.time))
        if None in times:
            for position, time in enumerate(times):
                if time is None and (slots is None or slots[position] >= 0):
                    problem = ValueError("the time of a row, in the column that on_time names, is NULL")
                    raise self._failure("eval", problem, position)
        return times

    def _flush(self) -> pa.RecordBatch:
        assert self._source is not None
        try:
            made = self._outputs.batch(self._source, self._plan.forwarded, self._at, self._yielded, self._times)
        except NoSuchRow as error:
            at = self._at[error.position]
            raise self._failure("eval", TypeError(str(error)), at) from None
        self._at.clear()
        self._yielded.clear()
        self._times.clear()
        return made

    # --- partitions --------------------------------------------------------------------------------------------------

    def _begin_partition(self) -> None:
        self._in_partition = True
        context = self._context
        if self._has_ended:
            self._has_ended = False
            context.begin()
        else:
            context.time, context.due = None, NEVER
        if self._expires:
            self._clear_state(None)
            return
        for state, places in self._states:
            made = state.create()
            for arguments, slot in places:
                arguments[slot] = made

    def _end_partition(self) -> Iterator[pa.RecordBatch] | None:
        """Return the rest of the output of the partition, None where there is none."""
        context, plan = self._context, self._plan
        self._in_partition = False
        has_timers = context.on_watermark or context.queue.next_time() < NEVER
        if not plan.has_partitions or (plan.finish is None and not has_timers):
            return None
        self._has_ended = True
        return self._with_timers() if has_timers else self._finished(context.time)

    def _with_timers(self) -> Iterator[pa.RecordBatch]:
        context = self._context
        last, before = context.time, context.current_watermark()
        context.is_at_end, context.is_periodic, context.watermark = True, False, END
        context.queue.stop_periods()
        yield from self._advance(END, before)
        if self._plan.finish is not None:
            yield from self._finished(max([t for t in (last, context.time) if t is not None], default=None))

    def _finished(self, time: int | None) -> Iterator[pa.RecordBatch]:
        context = self._context
        context.time, context.watermark, context.is_at_end = time, END, True
        context.no_timers = _NO_TIMERS_IN_FINISH
        if self._expires:
            self._begin_call()
        return self._call("finish", self._finish, self._finish_arguments)

    def _clear_state(self, name: str | None) -> None:
        """Make a state, or all, what it is in a new partition; a call that goes on keeps what it was given."""
        for number, (state, places) in enumerate(self._states):
            if name is None or state.name == name:
                if state.ttl is not None and self._expires:
                    self._expiring[number] = expiring(state.create, state.ttl)
                    made = self._expiring[number].begin(self._context.time or 0)
                else:
                    made = state.create()
                for arguments, slot in places:
                    arguments[slot] = made

    def _begin_call(self) -> None:
        time = self._context.time
        for number, state in self._expiring.items():
            made = state.begin(time or 0)
            for arguments, slot in self._states[number][1]:
                arguments[slot] = made

    def _end_call(self) -> None:
        for state in self._expiring.values():
            state.end(self._context.time or 0)

    # --- timers ------------------------------------------------------------------------------------------------------

    def _advance(self, watermark: int, before: int | None) -> Iterator[pa.RecordBatch]:
        """Let the timers fire that a watermark passes."""
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
            if context.is_at_end and fired > _MOST_AT_END:
                problem = RuntimeError(
                    f"more than {_MOST_AT_END:,} timers have fired after the last row of a partition; a timer that "
                    "registers the next one has to stop by itself"
                )
                raise self._failure("on_timer", problem, self._position)
        context.schedule_next()

    def _fire(self, time: int, name: str | None) -> Iterator[pa.RecordBatch]:
        context = self._context
        context.time, context.timer, context.is_firing = time, name, True
        if self._expires:
            self._begin_call()
        yield from self._call("on_timer", self._on_timer, self._timer_arguments)
        if self._expires:
            self._end_call()
        context.timer, context.is_firing = None, False

    def _call(self, method: str, function: Callable[..., Any], arguments: list[Any]) -> Iterator[pa.RecordBatch]:
        at, yielded, outputs = self._at, self._yielded, self._outputs
        try:
            given = function(*arguments)
            if given is None:
                return
            for row in given if type(given) is GeneratorType else _rows_of(given):
                yielded.append(outputs.row(row))
                at.append(self._position)
                if self._plan.has_rowtime:
                    time = self._context.time
                    self._times.append(time)
                if len(at) >= BATCH:
                    yield self._flush()
        except FunctionFailed:
            raise
        except Exception as error:
            raise self._failure(method, error, self._position) from None

    # --- failures ----------------------------------------------------------------------------------------------------

    def _failure(self, method: str, error: BaseException, position: int | None) -> FunctionFailed:
        plan = self._plan
        name = plan.name if plan.uid == plan.name else f"{plan.name} (uid {plan.uid})"
        frames = 0
        trace = error.__traceback__
        while trace is not None and _PATH in trace.tb_frame.f_code.co_filename.replace("\\", "/"):
            frames, trace = frames + 1, trace.tb_next
        return failure(f"{name}.{method}", self._shown(method, position), error, skip=frames)

    def _restore(self, position: int) -> None:
        """Make the row at a position of the batch the current one again."""
        assert self._source is not None
        rows, slots = self._rows(self._source.slice(position, 1), whole=True)
        for slot in self._slots:
            self._eval_arguments[slot] = None
        slot = self._slots[0] if slots is None and rows else slots[0] if slots else SENTINEL
        if slot != SENTINEL:
            self._eval_arguments[slot] = rows[0]

    def _shown(self, method: str, position: int | None) -> list[Any] | None:
        """Return the arguments as messages show them: the row and the values in ``eval``, else the partition's keys."""
        if position is None:
            return None
        if method != "eval":
            if self._source is None or not self._plan.keys:
                return None
            keys = [self._source.column(key).slice(position, 1) for key in self._plan.keys]
            return [_Named("partition", tuple([values(key)[0] for key in keys]))]
        self._restore(position)
        return [
            _Named(parameter.name, self._eval_arguments[slot])
            for slot, parameter in enumerate(self._plan.parameters)
            if parameter.given in (Given.TABLE, Given.SCALAR)
        ]


class _Named:
    """An argument as messages show it."""

    def __init__(self, name: str, value: Any) -> None:
        self._name = name
        self._value = value

    def __repr__(self) -> str:
        return f"{self._name}={self._value!r}"


def _rows_of(given: Any) -> Iterable[Any]:
    """Return the rows of what a method returned: it may yield them, or return all of them or one."""
    if isinstance(given, (tuple, str, bytes, Mapping, StateRow)) or not hasattr(given, "__iter__"):
        return (given,)
    rows: Iterable[Any] = given
    return rows
