"""A partition of a process table function in a harness: the model of what its virtual processor does.

The model is written for reading. Each step is spelled out for one row and one timer, so that the tests can compare the
runtimes of tables and of streams with it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import attrs
import pyarrow as pa

from ir.errors import ValidationException
from tableapi.spark.runtime.base import FunctionContext
from tableapi.spark.runtime.failures import FunctionFailed, failure
from tableapi.spark.runtime.process.declarations import StateRow
from tableapi.spark.runtime.process.rows import values
from tableapi.spark.runtime.process.times import END, MILLISECOND, watermark_before
from tableapi.spark.runtime.row import Row
from tableapi.spark.runtime.wrong_values import WRONG
from tableapi.testing.process_call import InputRow, TypedCall
from tableapi.testing.process_context import WATERMARK, HarnessContext, PendingTimer, TimerList
from tableapi.testing.process_states import HeldState, StateKeeper

_NO_TIMERS_IN_LATE = (
    "Timers are not supported in the current PTF declaration: on_late gets a row without its partition."
)
_NO_TIMERS_IN_FINISH = "No timer can be registered in finish(), since none fires after it."
# The most timers that may fire after the last row of a partition, in case each registers another one.
_MOST_AT_END = 1_000_000
_OWN = "tableapi/testing/"


class FunctionRun:
    """The run of a function, which all partitions of a call share.

    Attributes:
        call: the call.
        function: the instance of the function.
        output: the output rows.
        fired: the timers that have fired: name, time in microseconds since 1970, and key of the partition.
        is_open: whether the function was opened.
    """

    def __init__(self, call: TypedCall) -> None:
        self.call = call
        self.function = call.target
        self.output: list[Row] = []
        self.fired: list[tuple[str | None, int, tuple[Any, ...]]] = []
        self.is_open = False

    def open(self) -> None:
        """Open the function before its first call.

        Raises:
            FunctionFailed: the function failed.
        """
        if not self.is_open:
            self.is_open = True
            try:
                self.function.open(FunctionContext({}))
            except (Exception, SystemExit) as error:
                raise failure_of(f"{self.call.name}.open", None, error) from error

    def close(self) -> None:
        """Close the function if it was opened.

        Raises:
            FunctionFailed: the function failed.
        """
        if self.is_open:
            self.is_open = False
            try:
                self.function.close()
            except (Exception, SystemExit) as error:
                raise failure_of(f"{self.call.name}.close", None, error) from error


class Partition:
    """A partition: its state, its timers, its watermark, and the rows that wait for the watermark.

    Attributes:
        keys: the keys of its last row, as Arrow arrays.
        watermark: the time up to which its rows have been seen and its timers have fired; None in the beginning.
        last_time: the time of its last row.
        waiting: the rows that wait until the watermark passes them.
        timers: its timers.
        states: its states, in the order of the declaration.
    """

    def __init__(self, run: FunctionRun, keys: Sequence[pa.Array], watermark: int | None) -> None:
        self._of_function = run
        self._call = run.call
        self.keys = keys
        self.watermark = watermark
        self.last_time: int | None = None
        self.waiting: list[InputRow] = []
        self.timers = TimerList()
        self.states = [HeldState(keeper) for keeper in self._call.states]
        # The time of the last timer that fired, for finish().
        self._last_timer: int | None = None
        self._is_at_end = False

    @property
    def key(self) -> tuple[Any, ...]:
        """The values of the keys."""
        return tuple([values(key)[0] for key in self.keys])

    # --- steps -------------------------------------------------------------------------------------------------------

    def process_at_watermark(self, row: InputRow) -> None:
        """Process a row when it comes: the watermark stays what it is, and state expires by it."""
        self._eval(row, self.watermark)

    def process_late(self, row: InputRow) -> None:
        """Process a row that is late by ``on_late``, without state and timers."""
        context = self._context(time=row.time, watermark=self.watermark, no_timers=_NO_TIMERS_IN_LATE, states=[])
        arguments = self._call.arguments_of_late(row, context)
        if arguments is not None:
            self._run("on_late", arguments, row.time, row)

    def process_in_time(self, row: InputRow) -> None:
        """Process the next row in the order of time: the watermark first advances to just before it."""
        if row.time is not None:
            self.advance(watermark_before(row.time))
        self._eval(row, row.time)

    def release(self, watermark: int | None) -> None:
        """Process the waiting rows up to a watermark in their order; all of them for None."""
        waiting = sorted(self.waiting, key=_place_in_time)
        self.waiting = [row for row in waiting if watermark is not None and (row.time or 0) > watermark]
        for row in waiting[: len(waiting) - len(self.waiting)]:
            self.process_in_time(row)

    def advance(self, watermark: int) -> None:
        """Advance the watermark, and fire timers: the timer for watermarks, then those whose time has passed.

        Raises:
            FunctionFailed: the function failed.
        """
        before = self.watermark
        if before is not None and watermark <= before:
            return
        if self.timers.on_watermark is not None:
            if not self.timers.on_watermark:
                self.timers.on_watermark = None
            self._fire(WATERMARK, watermark - MILLISECOND, watermark=before, following=watermark)
        self.watermark = watermark
        fired = 0
        while (due := self.timers.take_due(watermark)) is not None:
            self._fire(due.name, due.time, watermark=watermark, following=None)
            fired += 1
            if self._is_at_end and fired > _MOST_AT_END:
                problem = RuntimeError(
                    f"more than {_MOST_AT_END:,} timers have fired after the last row of a partition; a timer that "
                    "registers the next one has to stop by itself"
                )
                raise self._failure("on_timer", problem, None)

    def finish(self) -> None:
        """End the partition: fire all timers up to the end of time, then call ``finish``.

        Raises:
            FunctionFailed: the function failed.
        """
        self._is_at_end = True
        if self.timers.on_watermark:
            self.timers.on_watermark = False
        for timer in self.timers.pending:
            timer.period = None
        self.advance(END)
        signature = self._call.operation.signature
        if signature.finish is None:
            return
        time = max([t for t in (self.last_time, self._last_timer) if t is not None], default=None)
        context = self._context(time=time, watermark=END, no_timers=_NO_TIMERS_IN_FINISH)
        self._run("finish", self._method_arguments(signature.finish, context, time), time, None)

    # --- state -------------------------------------------------------------------------------------------------------

    def checkpoint(self) -> Checkpoint:
        """Return all that a checkpoint keeps of the partition.

        Raises:
            FunctionFailed: a state does not have its declared type.
        """
        timers = [attrs.evolve(timer) for timer in self.timers.pending]
        on_watermark, registered = self.timers.on_watermark, self.timers.registered
        times = (self.watermark, self.last_time, self._last_timer)
        return Checkpoint(self.store(), timers, on_watermark, registered, times, self.keys, list(self.waiting))

    def restore(self, kept: Checkpoint) -> None:
        """Return to a checkpoint, with new objects for the states."""
        self.states = [HeldState(keeper) for keeper in self._call.states]
        self.load(kept.states)
        self.timers.pending = [attrs.evolve(timer) for timer in kept.timers]
        self.timers.on_watermark, self.timers.registered = kept.on_watermark, kept.registered
        self.watermark, self.last_time, self._last_timer = kept.times
        self.keys, self.waiting = kept.keys, list(kept.waiting)
        self._is_at_end = False

    def set_state(self, number: int, value: Any) -> None:
        """Set a state to an object, or to plain values.

        Raises:
            ValidationException: the value does not have the type of the state.
        """
        keeper = self._call.states[number]
        try:
            self.states[number].assign(value)
        except WRONG as error:
            declared = keeper.data_type.as_summary_string()
            raise ValidationException(
                f"The value {value!r} is none of the state {keeper.entry.label!r}, which is {declared}: {error}."
            ) from None

    def store(self) -> list[Any]:
        """Return the states in the form that a checkpoint keeps.

        Raises:
            FunctionFailed: a state does not have its declared type.
        """
        return [self._store(keeper, state) for keeper, state in zip(self._call.states, self.states, strict=True)]

    def _store(self, keeper: StateKeeper, state: HeldState) -> Any:
        try:
            return state.store()
        except WRONG as error:
            declared = keeper.data_type.as_summary_string()
            problem = TypeError(f"the state {keeper.entry.label!r} is {state.value!r}, and no {declared}: {error}")
            raise self._failure("eval", problem, None, with_keys=True) from None

    def load(self, stored: Sequence[Any]) -> None:
        """Replace the states by new objects from their stored form."""
        for state, kept in zip(self.states, stored, strict=True):
            state.load(kept)

    def _clear_state(self, label: str | None) -> None:
        """Reset a state, or all states, for the next call; the running call keeps its objects."""
        for number, keeper in enumerate(self._call.states):
            if label is None or keeper.entry.label == label:
                self.states[number] = HeldState(keeper)

    # --- calls of the function ---------------------------------------------------------------------------------------

    def require_time(self, row: InputRow) -> None:
        """Check that a row has a time if the call has ``on_time``.

        Raises:
            FunctionFailed: the time of the row is NULL.
        """
        if self._call.has_time and row.time is None:
            problem = ValueError("the time of a row, in the column that on_time names, is NULL")
            raise self._failure("eval", problem, row)

    def _eval(self, row: InputRow, expiry: int | None) -> None:
        self.keys, self.last_time = row.keys, row.time
        context = self._context(time=row.time, watermark=self.watermark)
        states = self._begin_states(expiry, row.time)
        self._run("eval", self._call.arguments_of_eval(row, states, context), row.time, row)

    def call_without_tables(self) -> None:
        """Call ``eval`` of a function without tables."""
        context = self._context(time=None, watermark=None)
        self._run("eval", self._call.arguments_of_eval(None, [], context), None, None)

    def _fire(self, name: str | None, time: int, *, watermark: int | None, following: int | None) -> None:
        self._last_timer = time
        self._of_function.fired.append((name, time, self.key))
        context = self._context(time=time, watermark=watermark, following=following, timer=name)
        signature = self._call.operation.signature
        assert signature.on_timer is not None, "without on_timer, registering a timer is refused"
        self._run("on_timer", self._method_arguments(signature.on_timer, context, time), time, None)

    def _method_arguments(self, method: Any, context: HarnessContext, time: int | None) -> list[Any]:
        of_names = dict(
            zip([keeper.entry.name for keeper in self._call.states], self._begin_states(time, time), strict=True)
        )
        return [*([context] if method.wants_context else []), *[of_names[name] for name in method.states]]

    def _begin_states(self, expiry: int | None, change: int | None) -> list[Any]:
        """Return the states for a call; without ``on_time``, no state expires."""
        by = expiry if self._call.has_time else None
        return [state.begin(by, change) for state in self.states]

    def _run(self, method: str, arguments: Sequence[Any], time: int | None, row: InputRow | None) -> None:
        self._of_function.open()
        try:
            given = getattr(self._of_function.function, method)(*arguments)
            for made in () if given is None else _rows_of(given):
                self._of_function.output.append(self._call.output_row(made, row, self.keys, time))
        except (Exception, SystemExit) as error:
            raise self._failure(method, error, row) from error
        for state in self.states:
            state.end(time)

    def _context(
        self, *, no_timers: str | None = None, states: Sequence[str] | None = None, **times: Any
    ) -> HarnessContext:
        return HarnessContext(
            self.timers,
            has_zone=self._call.has_zone,
            no_timers=no_timers or self._call.no_timers,
            no_periods=self._is_at_end,
            semantics=self._call.semantics,
            clear=self._clear_state,
            states=[keeper.entry.label for keeper in self._call.states] if states is None else states,
            **times,
        )

    def _failure(
        self, method: str, error: BaseException, row: InputRow | None, with_keys: bool = False
    ) -> FunctionFailed:
        has_keys = bool(self.keys) and (method != "eval" or len(self._call.names) > 1 or with_keys)
        shown = [Named("partition", self.key)] if has_keys else []
        if method in ("eval", "on_late") and not with_keys:
            shown += [Named(name, value) for name, value in self._call.describe_arguments(row)]
        return failure_of(f"{self._call.name}.{method}", shown or None, error)


@attrs.frozen(eq=False)
class Checkpoint:
    """The checkpoint of a partition: states, timers, watermark and times, keys, and waiting rows."""

    states: list[Any]
    timers: list[PendingTimer]
    on_watermark: bool | None
    registered: int
    times: tuple[int | None, int | None, int | None]
    keys: Sequence[pa.Array]
    waiting: list[InputRow]


class Named:
    """An argument with its name for messages."""

    def __init__(self, name: str, value: Any) -> None:
        self._name = name
        self._value = value

    def __repr__(self) -> str:
        return f"{self._name}={self._value!r}"


def failure_of(name: str, arguments: Any, error: BaseException) -> FunctionFailed:
    """Return the failure for an exception, with the frames of the user's code."""
    frames, trace = 0, error.__traceback__
    while trace is not None and _OWN in trace.tb_frame.f_code.co_filename.replace("\\", "/"):
        frames, trace = frames + 1, trace.tb_next
    return failure(name, arguments, error, skip=frames)


def _place_in_time(row: InputRow) -> tuple[Any, ...]:
    return (row.time or 0, *row.place)


def _rows_of(given: Any) -> Iterable[Any]:
    """Return the rows of a method, which may yield them, or return an iterable of rows or one row."""
    is_one = isinstance(given, (tuple, Row, str, bytes, Mapping, StateRow)) or not hasattr(given, "__iter__")
    return (given,) if is_one else given
