"""Progress of a query that takes long: one line on a terminal or in a notebook, which disappears when it ends.

The line appears after half a second, on standard error, so that a program's own output stays as it is. ``rich`` draws
it where it is installed, else plain control sequences do. ``table.display.progress`` of the configuration, or the
environment variable ``TABLEAPI_PROGRESS``, says whether there is one.
"""

from __future__ import annotations

import contextlib
import html
import os
import sys
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping
from importlib import import_module
from typing import Any

from attrs import frozen

from tableapi.environment_settings import PROGRESS, PROGRESS_VARIABLE

# Seconds. A shorter query shows nothing.
_BEFORE_THE_FIRST = 0.5
_BETWEEN_TWO = 0.25
_BETWEEN_TWO_LINES = 10.0
_BAR = 24


@frozen
class Progress:
    """How far a query is."""

    stages: int = 0
    finished_stages: int = 0
    tasks: int = 0
    finished_tasks: int = 0
    running_tasks: int = 0
    rows_read: int = 0
    rows_written: int = 0

    @property
    def fraction(self) -> float:
        """The part of the known tasks that has finished."""
        return self.finished_tasks / self.tasks if self.tasks else 0.0

    def describe(self) -> str:
        """Return stages, tasks and rows in words."""
        parts = []
        if self.tasks:
            parts.append(f"stage {min(self.finished_stages + 1, self.stages)} of {self.stages}")
            parts.append(f"{self.finished_tasks:,} of {self.tasks:,} tasks, {self.running_tasks:,} running")
        else:
            parts.append("planning")
        if self.rows_read:
            parts.append(f"{self.rows_read:,} rows read")
        if self.rows_written:
            parts.append(f"{self.rows_written:,} rows written")
        return ", ".join(parts)


class Display(ABC):
    """Where progress is shown."""

    interval = _BETWEEN_TWO

    @abstractmethod
    def show(self, progress: Progress, seconds: float) -> None:
        """Show how far the query is, after so many seconds."""

    @abstractmethod
    def close(self) -> None:
        """Remove what is shown."""


class PlainDisplay(Display):
    """A line of a terminal, which is written over itself."""

    def __init__(self, stream: Any) -> None:
        self._stream = stream

    def show(self, progress: Progress, seconds: float) -> None:
        done = round(progress.fraction * _BAR)
        text = f"[{'#' * done}{'.' * (_BAR - done)}] {progress.describe()}, {seconds:.0f} s"
        with contextlib.suppress(OSError, ValueError):
            # A line that the terminal breaks could not be erased.
            width = os.get_terminal_size(self._stream.fileno()).columns or 80
            text = text[: width - 1]
        self._write(f"\r\x1b[2K{text}")

    def close(self) -> None:
        self._write("\r\x1b[2K")

    def _write(self, text: str) -> None:
        # A terminal that has gone is no reason for the query to fail.
        with contextlib.suppress(OSError, ValueError):
            self._stream.write(text)
            self._stream.flush()


class LinesDisplay(Display):
    """Lines of a log, one in ten seconds, for a stream that is no terminal."""

    interval = _BETWEEN_TWO_LINES

    def __init__(self, stream: Any) -> None:
        self._stream = stream

    def show(self, progress: Progress, seconds: float) -> None:
        with contextlib.suppress(OSError, ValueError):
            print(f"tableapi: {progress.describe()}, {seconds:.0f} s", file=self._stream, flush=True)

    def close(self) -> None:
        """Keep the lines."""


class RichDisplay(Display):
    """A bar that rich draws on a terminal."""

    def __init__(self, stream: Any) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

        self._bar = Progress(
            SpinnerColumn(),
            BarColumn(bar_width=_BAR),
            TextColumn("{task.description}", markup=False),
            TimeElapsedColumn(),
            console=Console(file=stream, force_terminal=True),
            transient=True,
            # The program's own output goes where it would go, also while the bar is shown.
            redirect_stdout=False,
            redirect_stderr=False,
        )
        self._task: Any = None

    def show(self, progress: Progress, seconds: float) -> None:
        if self._task is None:
            self._task = self._bar.add_task("", total=1.0)
            self._bar.tasks[0].start_time = time.monotonic() - seconds
            self._bar.start()
        self._bar.update(self._task, description=progress.describe(), completed=progress.fraction)

    def close(self) -> None:
        if self._task is not None:
            self._bar.stop()


class NotebookDisplay(Display):
    """A bar in the output of a cell, which is empty again when the query ends."""

    def __init__(self) -> None:
        self._handle: Any = None

    def show(self, progress: Progress, seconds: float) -> None:
        display: Any = import_module("IPython.display").display
        text = f"{progress.describe()}, {seconds:.0f} s"
        bundle = {
            "text/plain": text,
            "text/html": f'<progress value="{progress.fraction:.3f}" max="1"></progress> '
            f"<code>{html.escape(text)}</code>",
        }
        if self._handle is None:
            self._handle = display(bundle, raw=True, display_id=True)
        else:
            self._handle.update(bundle, raw=True)

    def close(self) -> None:
        if self._handle is not None:
            self._handle.update({}, raw=True)


def display_for(parameters: Mapping[str, str], *, spark_shows: bool) -> Callable[[], Display] | None:
    """Return what makes the display, None where progress is not shown.

    Args:
        parameters: the configuration.
        spark_shows: whether Spark draws a bar on the terminal itself.
    """
    wanted = parameters.get(PROGRESS) or os.environ.get(PROGRESS_VARIABLE, "").strip().lower() or "auto"
    if wanted not in ("auto", "on"):
        return None
    if _is_notebook():
        return NotebookDisplay
    stream = sys.stderr
    if not _is_terminal(stream):
        return (lambda: LinesDisplay(stream)) if wanted == "on" and stream is not None else None
    if spark_shows:
        return None
    return lambda: _on_terminal(stream)


def _on_terminal(stream: Any) -> Display:
    try:
        return RichDisplay(stream)
    except ImportError:
        return PlainDisplay(stream)


def _is_terminal(stream: Any) -> bool:
    try:
        return bool(stream.isatty()) and os.environ.get("TERM") != "dumb"
    except (AttributeError, ValueError, OSError):
        return False


def _is_notebook() -> bool:
    """Whether this program runs in a kernel of Jupyter."""
    shell = sys.modules.get("IPython")
    found = None if shell is None else shell.get_ipython()
    return getattr(found, "kernel", None) is not None


class Reporter:
    """Shows the progress of one query from a thread of its own, from half a second after its beginning on.

    ``ask`` returns how far the query is; it is called in that thread.
    """

    def __init__(self, ask: Callable[[], Progress], display: Callable[[], Display]) -> None:
        self._ask = ask
        self._display = display
        self._ended = threading.Event()
        self._began = time.monotonic()
        self._thread = threading.Thread(target=self._report, name="tableapi progress", daemon=True)
        self._thread.start()

    def end(self) -> None:
        """Remove what is shown; nothing is shown after this."""
        self._ended.set()
        self._thread.join()

    def _report(self) -> None:
        if self._ended.wait(_BEFORE_THE_FIRST):
            return
        display = self._display()
        try:
            while not self._ended.is_set():
                # The session may end while it is asked; the query says so itself.
                with contextlib.suppress(Exception):
                    progress = self._ask()
                    if not self._ended.is_set():
                        display.show(progress, time.monotonic() - self._began)
                self._ended.wait(display.interval)
        finally:
            display.close()


def progress_of_jobs(context: Any, tag: str) -> Progress:
    """Return how far the jobs with a tag are, in a session of this process."""
    spark = context._jsc.sc()
    tracker, store = spark.statusTracker(), spark.statusStore()
    numbers = {number for job in tracker.getJobIdsForTag(tag) for number in _stages_of(tracker.getJobInfo(job))}
    return _total([found for number in sorted(numbers) if (found := _stage(store, number)) is not None])


def _stages_of(job: Any) -> list[int]:
    return list(job.get().stageIds()) if job.isDefined() else []


def _stage(store: Any, number: int) -> Any:
    from py4j.protocol import Py4JJavaError

    try:
        found = store.lastStageAttempt(number)
    except Py4JJavaError:
        # Of a stage that has not begun nothing is known.
        return None
    # One whose result is there already counts for nothing.
    return None if found.status().toString() == "SKIPPED" else found


def _total(stages: Iterable[Any]) -> Progress:
    known = list(stages)
    return Progress(
        stages=len(known),
        finished_stages=sum(stage.status().toString() == "COMPLETE" for stage in known),
        tasks=sum(stage.numTasks() for stage in known),
        finished_tasks=sum(stage.numCompleteTasks() for stage in known),
        running_tasks=sum(stage.numActiveTasks() for stage in known),
        rows_read=sum(stage.inputRecords() for stage in known),
        rows_written=sum(stage.outputRecords() for stage in known),
    )


class ProgressOfServer:
    """How far the last query is that a session behind Spark Connect told of."""

    def __init__(self) -> None:
        self._last = Progress()

    def __call__(
        self, stages: Iterable[Any] | None = None, inflight_tasks: int = 0, operation_id: Any = None, done: bool = False
    ) -> None:
        """Take what the server says; the parameters are those that Spark gives by name."""
        known = list(stages or ())
        self._last = Progress(
            stages=len(known),
            finished_stages=sum(bool(stage.done) for stage in known),
            tasks=sum(stage.num_tasks for stage in known),
            finished_tasks=sum(stage.num_completed_tasks for stage in known),
            running_tasks=inflight_tasks,
        )

    def last(self) -> Progress:
        """Return the latest progress."""
        return self._last
