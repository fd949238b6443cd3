"""Show the progress of long queries: one line on a terminal or in a notebook, which disappears at the end.

The line appears after half a second on standard error, so that the output of the program stays intact. ``rich`` draws
it if it is installed; otherwise control sequences do. The setting ``table.display.progress``, or the environment
variable ``TABLEAPI_PROGRESS``, determines whether progress is shown.
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
from typing import TYPE_CHECKING, Any, ClassVar

from attrs import frozen

from tableapi.environment_settings import PROGRESS, PROGRESS_VARIABLE
from tableapi.lazy import lazy

if TYPE_CHECKING:
    from py4j import protocol
    from rich import console as rich_console
    from rich import progress as rich_progress
else:
    protocol = lazy(__name__, "py4j.protocol")
    rich_console = lazy(__name__, "rich.console")
    rich_progress = lazy(__name__, "rich.progress")

# In seconds. A shorter query shows no progress.
_BEFORE_THE_FIRST = 0.5
_BETWEEN_TWO = 0.25
_BETWEEN_TWO_LINES = 10.0
_BAR = 24
# Queries of several threads may end at a time.
_places_of_cell = threading.Lock()


@frozen
class Progress:
    """The progress of a query."""

    stages: int = 0
    finished_stages: int = 0
    tasks: int = 0
    finished_tasks: int = 0
    running_tasks: int = 0
    rows_read: int = 0
    rows_written: int = 0

    @property
    def fraction(self) -> float:
        """The finished fraction of the known tasks."""
        return self.finished_tasks / self.tasks if self.tasks else 0.0

    def describe(self) -> str:
        """Describe stages, tasks and rows in words."""
        parts = []
        if self.tasks:
            parts.append(f"stage {min(self.finished_stages + 1, self.stages)} of {self.stages}")
            parts.append(f"{self.finished_tasks:,} of {self.tasks:,} tasks")
            # Spark reports running tasks late, and none before that.
            if self.running_tasks:
                parts.append(f"{self.running_tasks:,} running")
        else:
            parts.append("planning")
        if self.rows_read:
            parts.append(f"{self.rows_read:,} rows read")
        if self.rows_written:
            parts.append(f"{self.rows_written:,} rows written")
        return ", ".join(parts)


@frozen
class Described:
    """The progress of a query without an end, in words."""

    text: str
    fraction: None = None

    def describe(self) -> str:
        """Return the words."""
        return self.text


class Display(ABC):
    """A place where progress is shown."""

    interval = _BETWEEN_TWO

    @abstractmethod
    def show(self, progress: Progress | Described, seconds: float) -> None:
        """Show the progress of a query after some seconds."""

    @abstractmethod
    def close(self) -> None:
        """Remove the display."""


class PlainDisplay(Display):
    """A line of a terminal that is overwritten in place."""

    def __init__(self, stream: Any) -> None:
        self._stream = stream

    def show(self, progress: Progress | Described, seconds: float) -> None:
        text = f"{progress.describe()}, {seconds:.0f} s"
        if progress.fraction is not None:
            done = round(progress.fraction * _BAR)
            text = f"[{'#' * done}{'.' * (_BAR - done)}] {text}"
        with contextlib.suppress(OSError, ValueError):
            # A line that the terminal wraps could not be erased.
            width = os.get_terminal_size(self._stream.fileno()).columns or 80
            text = text[: width - 1]
        self._write(f"\r\x1b[2K{text}")

    def close(self) -> None:
        self._write("\r\x1b[2K")

    def _write(self, text: str) -> None:
        # A closed terminal must not make the query fail.
        with contextlib.suppress(OSError, ValueError):
            self._stream.write(text)
            self._stream.flush()


class LinesDisplay(Display):
    """Lines of a log, one every ten seconds, for a stream that is not a terminal."""

    interval = _BETWEEN_TWO_LINES

    def __init__(self, stream: Any) -> None:
        self._stream = stream

    def show(self, progress: Progress | Described, seconds: float) -> None:
        with contextlib.suppress(OSError, ValueError):
            print(f"tableapi: {progress.describe()}, {seconds:.0f} s", file=self._stream, flush=True)

    def close(self) -> None:
        """Do nothing: the lines stay."""


class RichDisplay(Display):
    """A progress bar that rich draws on a terminal."""

    def __init__(self, stream: Any) -> None:
        self._bar = rich_progress.Progress(
            rich_progress.SpinnerColumn(),
            rich_progress.BarColumn(bar_width=_BAR),
            rich_progress.TextColumn("{task.description}", markup=False),
            rich_progress.TimeElapsedColumn(),
            console=rich_console.Console(file=stream, force_terminal=True),
            transient=True,
            # Leave the output of the program alone while the bar is shown.
            redirect_stdout=False,
            redirect_stderr=False,
        )
        self._task: Any = None

    def show(self, progress: Progress | Described, seconds: float) -> None:
        if self._task is None:
            self._task = self._bar.add_task("", total=1.0)
            self._bar.tasks[0].start_time = time.monotonic() - seconds
            self._bar.start()
        if progress.fraction is None:
            self._bar.update(self._task, description=progress.describe(), total=None)
        else:
            self._bar.update(self._task, description=progress.describe(), completed=progress.fraction)

    def close(self) -> None:
        if self._task is not None:
            self._bar.stop()


class NotebookDisplay(Display):
    """A progress bar in the output of a notebook cell, removed when the query ends.

    A removed bar leaves an empty place in the output. The next query of the cell shows its bar there, so that a cell
    has as many places as queries that run at a time.
    """

    # The number of the cell, and its places without a bar.
    _cell: int | None = None
    _places: ClassVar[list[Any]] = []

    def __init__(self) -> None:
        self._handle: Any = None
        self._of_cell: int | None = None
        self._shown: dict[str, str] = {}

    def show(self, progress: Progress | Described, seconds: float) -> None:
        text = f"{progress.describe()}, {seconds:.0f} s"
        done = "" if progress.fraction is None else f' value="{progress.fraction:.3f}"'
        bundle = {
            "text/plain": text,
            "text/html": f'<progress{done} max="1"></progress> <code>{html.escape(text)}</code>',
        }
        if bundle == self._shown:
            return
        self._shown = bundle
        if self._handle is None:
            self._of_cell, self._handle = self._free_place()
        if self._handle is None:
            display: Any = import_module("IPython.display").display
            self._handle = display(bundle, raw=True, display_id=True)
        else:
            self._handle.update(bundle, raw=True)

    @classmethod
    def _free_place(cls) -> tuple[int | None, Any]:
        """Return the number of this cell and a free place for a bar in its output, None without a free place."""
        cell = getattr(_shell(), "execution_count", None)
        with _places_of_cell:
            if cls._cell != cell:
                cls._cell = cell
                cls._places.clear()
            return cell, cls._places.pop() if cls._places else None

    def close(self) -> None:
        if self._handle is not None:
            self._handle.update({}, raw=True)
            with _places_of_cell:
                if self._of_cell == self._cell:
                    self._places.append(self._handle)


def display_for(parameters: Mapping[str, str], *, spark_shows: bool) -> Callable[[], Display] | None:
    """Return the factory of the display, or None if progress is not shown.

    Args:
        parameters: the configuration.
        spark_shows: whether Spark itself draws a bar on the terminal.
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
    return lambda: _choose_terminal_display(stream)


def _choose_terminal_display(stream: Any) -> Display:
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
    """Whether this program runs in a Jupyter kernel."""
    return getattr(_shell(), "kernel", None) is not None


def _shell() -> Any:
    """Return the shell of IPython that runs this program; None if there is none."""
    package = sys.modules.get("IPython")
    return None if package is None else package.get_ipython()


class Reporter:
    """Shows the progress of one query from its own thread, starting after half a second.

    ``ask`` returns the current progress; it is called in that thread.
    """

    def __init__(self, ask: Callable[[], Progress | Described], display: Callable[[], Display]) -> None:
        self._ask = ask
        self._display = display
        self._ended = threading.Event()
        self._began = time.monotonic()
        self._thread = threading.Thread(target=self._report, name="tableapi progress", daemon=True)
        self._thread.start()

    def end(self) -> None:
        """Remove the display and stop reporting."""
        self._ended.set()
        self._thread.join()

    def _report(self) -> None:
        if self._ended.wait(_BEFORE_THE_FIRST):
            return
        display = self._display()
        try:
            while not self._ended.is_set():
                # The session may end during a request; the query itself reports that.
                with contextlib.suppress(Exception):
                    progress = self._ask()
                    if not self._ended.is_set():
                        display.show(progress, time.monotonic() - self._began)
                self._ended.wait(display.interval)
        finally:
            display.close()


def progress_of_jobs(context: Any, tag: str) -> Progress:
    """Return the progress of the jobs with a tag, in a session of this process."""
    spark = context._jsc.sc()
    tracker, store = spark.statusTracker(), spark.statusStore()
    numbers = {number for job in tracker.getJobIdsForTag(tag) for number in _stages_of(tracker.getJobInfo(job))}
    return _total([found for number in sorted(numbers) if (found := _stage(store, number)) is not None])


def _stages_of(job: Any) -> list[int]:
    return list(job.get().stageIds()) if job.isDefined() else []


def _stage(store: Any, number: int) -> Any:
    try:
        found = store.lastStageAttempt(number)
    except protocol.Py4JJavaError:
        # Spark knows nothing about a stage that has not started.
        return None
    # A skipped stage, whose result exists already, does not count.
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
    """The progress of the last query that a Spark Connect server reported."""

    def __init__(self) -> None:
        self._last = Progress()

    def __call__(
        self, stages: Iterable[Any] | None = None, inflight_tasks: int = 0, operation_id: Any = None, done: bool = False
    ) -> None:
        """Record a report of the server; Spark passes the parameters by name."""
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
