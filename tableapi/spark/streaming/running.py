"""A streaming query that runs: waiting for it, stopping it, its progress and its failure."""

from __future__ import annotations

import os
import threading
import time
import traceback
import warnings
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, ExitStack
from typing import TYPE_CHECKING, Any, Final

import attrs

from ir.errors import TableException
from tableapi.declarations.file_options import capitalize
from tableapi.lazy import lazy
from tableapi.spark.errors import SparkExecutionException, translate
from tableapi.spark.query_watch import interruptible, watch_stream
from tableapi.spark.runtime.process.stream_processor import LARGE_STATE
from tableapi.spark.streaming.sinks import StreamSink
from tableapi.spark.streaming.watermarks import find_holders
from tableapi.spark.versions import is_connect
from tableapi.stream_progress import StreamProgress, read_progress

if TYPE_CHECKING:
    from py4j import protocol
    from pyspark import errors
    from pyspark.sql import SparkSession
    from pyspark.sql.streaming.query import StreamingQuery

    from tableapi.spark.streaming.checkpoints import Checkpoint
    from tableapi.spark.streaming.restoring import Restoration
else:
    protocol = lazy(__name__, "py4j.protocol")
    errors = lazy(__name__, "pyspark.errors")

# Python workers that plan a query have ten seconds to connect, a constant of Spark; a busy machine needs longer. Such
# a start has read nothing, so that it can be repeated.
_NOT_CONNECTED: Final = "to connect back"
_STARTS: Final = 4
# Frames of this library are no help to the author of a function.
_LIBRARIES: Final = (f"{os.sep}pyspark{os.sep}", f"{os.sep}py4j{os.sep}")
_OWN_FILES: Final = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))) + os.sep
# Seconds between two looks at a query.
_BETWEEN_TWO: Final = 0.05


def _is_of_libraries(path: str) -> bool:
    """Whether code is of this library or of Spark, and not of the user."""
    return path.startswith(_OWN_FILES) or any(part in path for part in _LIBRARIES)


@attrs.frozen(eq=False)
class StreamPlan:
    """A checked streaming query, and how it is started.

    Attributes:
        name: the name of the query.
        sink: the sink.
        output_mode: the output mode.
        trigger: the trigger as text; None for one batch after the other.
        checkpoint: the checkpoint directory as text; None for a temporary one.
        session: the session that runs the query.
        parameters: the configuration of the environment.
        begin: starts the query in Spark.
        readable: returns a context manager that translates errors of the query.
        guard: locks and unlocks the checkpoint; None for a temporary one, or one of another file system.
        claim: locks the checkpoint, checks it again, and writes the record of the query.
        restoration: what the query takes over from another checkpoint; None for nothing.
    """

    name: str
    sink: StreamSink
    output_mode: str
    trigger: str | None
    checkpoint: str | None
    session: SparkSession
    parameters: dict[str, str]
    begin: Callable[[RunningStream], StreamingQuery]
    readable: Callable[[], AbstractContextManager[None]]
    guard: Checkpoint | None = None
    claim: Callable[[], None] = lambda: None
    restoration: Restoration | None = None


class RunningStream:
    """A started streaming query. A thread waits for its end, frees its checkpoint, and repeats a start that failed.

    Args:
        plan: the checked query; its checkpoint is locked.

    Raises:
        TableException: Spark rejects the query.
    """

    def __init__(self, plan: StreamPlan) -> None:
        self.plan = plan
        self.name = plan.name
        self.failure_of_function: BaseException | None = None
        self.report_of_function = ""
        self.is_stopping = False
        self._id: str | None = None
        self._started = threading.Event()
        self._ended = threading.Event()
        self._failure: TableException | None = None
        self._progress: list[StreamProgress] = []
        # The size of the largest state of each call that was warned of.
        self._largest_states: dict[str, int] = {}
        self._starts = 0
        self._began_at = time.monotonic()
        self._ended_at: float | None = None
        self._query = self._start()
        self._id = str(self._query.id)
        self._started.set()
        self._thread = threading.Thread(target=self._supervise, name=f"tableapi stream {plan.name}", daemon=True)
        self._thread.start()

    def _start(self) -> StreamingQuery:
        while True:
            self._starts += 1
            try:
                with self.plan.readable():
                    return self.plan.begin(self)
            except TableException as error:
                if not self._can_repeat(error):
                    raise

    def _can_repeat(self, error: TableException) -> bool:
        return _NOT_CONNECTED in str(error) and self._starts < _STARTS and not self.is_stopping

    def _supervise(self) -> None:
        while True:
            failure = self._await_end()
            self._progress = self._ask_progress() or self._progress
            if failure is None or self._progress or not self._can_repeat(failure):
                break
            try:
                self._query = self._start()
            except TableException as error:
                failure = error
                break
        self._failure = failure
        if self.plan.guard is not None:
            self.plan.guard.unlock()
        self._ended_at = time.monotonic()
        self._ended.set()

    def _await_end(self) -> TableException | None:
        """Wait for the end of the query, and return why it failed."""
        try:
            self._query.awaitTermination()
        except Exception as error:
            return None if self.is_stopping and self.failure_of_function is None else self._describe(error)
        return None

    def _describe(self, error: Exception) -> TableException:
        """Return the failure of the query in words, with the function's own exception if one raised it."""
        cause = self.failure_of_function
        if isinstance(cause, TableException):
            return cause
        if cause is not None:
            return SparkExecutionException(self.report_of_function)
        try:
            with self.plan.readable():
                raise self._find_cause(error)
        except TableException as translated:
            return translated
        except Exception as other:
            return translate(other)

    def _find_cause(self, error: Exception) -> Exception:
        """Return the cause of the query's failure; the exception of the query itself repeats its plan."""
        if is_connect(self.plan.session):
            return error
        query: Any = self._query
        found = query._jsq.exception()
        if not found.isDefined():
            return error
        cause = found.get().getCause()
        return error if cause is None else protocol.Py4JJavaError("", cause)

    def note_failure(self, error: BaseException, number: int) -> None:
        """Note the exception of the function that takes each batch, with the frames of the user's code."""
        frames = traceback.extract_tb(error.__traceback__)
        own = [frame for frame in frames if not _is_of_libraries(frame.filename)]
        said = f"{type(error).__name__}: {error}"
        if isinstance(error, (errors.PySparkException, protocol.Py4JError)):
            translated = translate(error)
            if not own:
                # A function of this library has only asked Spark for the rows.
                self.failure_of_function = translated
                return
            said = str(translated)
        lines = [f"{capitalize(self.plan.sink.shown)} failed on batch {number}: {said}"]
        if own:
            lines.append("Traceback of the function (most recent call last):")
            lines.append("".join(traceback.format_list(own)).rstrip())
        self.failure_of_function, self.report_of_function = error, "\n".join(lines)

    # --- what users ask ----------------------------------------------------------------------------------------------

    @property
    def is_running(self) -> bool:
        """Whether the query runs."""
        return not self._ended.is_set()

    @property
    def state(self) -> str:
        """One of the words running, failed and ended."""
        return "running" if self.is_running else "ended" if self._failure is None else "failed"

    @property
    def id(self) -> str:
        """The identifier of the query, which its checkpoint keeps over restarts."""
        # The first batch may begin before Spark has returned the query.
        self._started.wait()
        return str(self._id)

    @property
    def seconds(self) -> float:
        """How long the query runs, or ran."""
        return (self._ended_at or time.monotonic()) - self._began_at

    def join(self) -> None:
        """Wait for the end of the query in a thread of its own, without a display.

        Raises:
            TableException: the query failed.
        """
        self._ended.wait()
        if self._failure is not None:
            raise self._failure

    def exception(self) -> TableException | None:
        """Return why the query failed; None if it runs, or ended without failure."""
        return self._failure

    def progress(self) -> list[StreamProgress]:
        """Return the progress of the last batches, the oldest first."""
        if self.is_running:
            self._progress = self._ask_progress() or self._progress
        return list(self._progress)

    def _ask_progress(self) -> list[StreamProgress]:
        try:
            reports = self._query.recentProgress
        except Exception:
            # The session may have ended; the query reports that.
            return []
        found = [read_progress(self.name, report) for report in reports]
        warn_of_large_states(self.name, found, self._largest_states)
        if found and len(found[-1].sources) > 1:
            found[-1] = attrs.evolve(found[-1], held_back_by=self._find_holders())
        return found

    def _find_holders(self) -> tuple[str, ...]:
        if is_connect(self.plan.session):
            return ()
        try:
            return find_holders(self._query, self.plan.session)
        except (protocol.Py4JError, TypeError):
            # Another version of Spark keeps the watermarks elsewhere.
            return ()

    def wait(self, seconds: float | None = None) -> bool:
        """Wait for the end of the query; show its progress; stop the query on Ctrl-C.

        Returns:
            Whether the query has ended.

        Raises:
            TableException: the query failed.
            KeyboardInterrupt: Ctrl-C was pressed.
        """
        with ExitStack() as stack:
            pressed = stack.enter_context(interruptible())
            stack.enter_context(watch_stream(self.plan.session, self.plan.parameters, self._latest))
            ended = self._wait_for(self._ended.is_set, seconds, pressed)
        if pressed.is_set():
            self.stop()
            raise KeyboardInterrupt
        if self._failure is not None:
            raise self._failure
        return ended

    def _latest(self) -> str:
        known = self.progress()
        return f"{self.name}: {known[-1].describe() if known else 'no batch has ended yet'}"

    @staticmethod
    def _wait_for(done: Callable[[], bool], seconds: float | None, pressed: threading.Event) -> bool:
        until = None if seconds is None else time.monotonic() + seconds
        while not done():
            left = _BETWEEN_TWO if until is None else min(_BETWEEN_TWO, until - time.monotonic())
            if left <= 0 or pressed.is_set():
                return False
            time.sleep(left)
        return True

    def stop(self, seconds: float | None = None) -> None:
        """Stop the query after its current batch, or after some seconds if the batch takes longer.

        Raises:
            TableException: Spark cannot stop the query.
        """
        if not self.is_running:
            return
        self.is_stopping = True
        before = self._last_batch()
        self._wait_for(lambda: self._ended.is_set() or self._has_finished(before), seconds, threading.Event())
        if self.is_running:
            with self.plan.readable():
                self._query.stop()
        self._ended.wait()

    def _last_batch(self) -> int | None:
        known = self._ask_progress()
        return known[-1].batch if known else None

    def _has_finished(self, before: int | None) -> bool:
        """Whether no batch runs, or the one that ran when the query was asked to stop has ended."""
        try:
            return not self._query.status["isTriggerActive"] or self._last_batch() != before
        except Exception:
            return True

    def __repr__(self) -> str:
        return f"<stream {self.name} into {self.plan.sink.shown}, {'running' if self.is_running else 'ended'}>"


class RunningStreams:
    """The streaming queries that one environment has started."""

    def __init__(self) -> None:
        self._streams: list[RunningStream] = []

    def add(self, stream: RunningStream) -> None:
        """Remember a query while it runs."""
        self._streams = [each for each in self._streams if each.is_running]
        self._streams.append(stream)

    def __iter__(self) -> Iterator[RunningStream]:
        return iter([each for each in self._streams if each.is_running])


def warn_of_large_states(query: str, records: Iterable[StreamProgress], known: dict[str, int]) -> None:
    """Warn of states of one partition that grow, each time that they have doubled.

    Args:
        query: the name of the query.
        records: its progress.
        known: the size of the largest state of each call that was warned of, by its ``uid``; it is updated.
    """
    for call in (call for record in records for call in record.calls):
        if call.largest_state >= max(LARGE_STATE, 2 * known.get(call.uid, 0)):
            known[call.uid] = call.largest_state
            warnings.warn(
                f"The query {query}: the state of the partition {call.largest_partition} of the process table function "
                f"with the uid {call.uid} has {call.largest_state >> 20:,} MB. It is read and written in each batch "
                "that has rows of the partition. Give the state a time to live, clear it by a timer, or partition by "
                "more columns.",
                RuntimeWarning,
                stacklevel=2,
            )
