"""A terminal during Spark jobs: the progress display, the effect of Ctrl-C, and no other output."""

from __future__ import annotations

import io
import os
import pty
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tableapi import TableConfig, TableEnvironment, ValidationException
from tableapi.environment_settings import PROGRESS, PROGRESS_VARIABLE
from tableapi.lazy import lazy
from tableapi.spark import progress
from tableapi.spark.progress import (
    Display,
    LinesDisplay,
    PlainDisplay,
    Progress,
    ProgressOfServer,
    Reporter,
    display_for,
    progress_of_jobs,
)

pytestmark = pytest.mark.long

HALF = Progress(stages=2, finished_stages=1, tasks=8, finished_tasks=4, running_tasks=2, rows_written=1_500)


class _Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_progress_in_words() -> None:
    assert HALF.describe() == "stage 2 of 2, 4 of 8 tasks, 2 running, 1,500 rows written"
    assert Progress(stages=1, tasks=8).describe() == "stage 1 of 1, 0 of 8 tasks"
    assert Progress().describe() == "planning"


def test_a_line_of_a_terminal_is_erased() -> None:
    stream = _Terminal()
    display = PlainDisplay(stream)
    display.show(HALF, 3)
    display.close()
    shown = stream.getvalue()
    assert shown.startswith("\r\x1b[2K[############............] stage 2 of 2, ")
    assert shown.endswith(", 3 s\r\x1b[2K")


def test_rich_draws_the_bar_and_erases_it() -> None:
    stream = _Terminal()
    display = progress._choose_terminal_display(stream)
    assert isinstance(display, progress.RichDisplay)
    display.show(HALF, 3)
    display.close()
    assert "stage 2 of 2" in stream.getvalue()
    assert "\x1b[2K" in stream.getvalue()


def test_without_rich_the_line_is_plain(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "rich.console", None)
    # Another test may have loaded it.
    monkeypatch.setattr(progress, "rich_console", lazy(progress.__name__, "rich.console"))
    assert isinstance(progress._choose_terminal_display(_Terminal()), PlainDisplay)


def test_where_progress_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(PROGRESS_VARIABLE, raising=False)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    assert display_for({}, spark_shows=False) is None
    lines = display_for({PROGRESS: "on"}, spark_shows=False)
    assert lines is not None
    assert isinstance(lines(), LinesDisplay)
    monkeypatch.setattr(sys, "stderr", _Terminal())
    assert display_for({}, spark_shows=False) is not None
    # Two progress bars would overwrite each other.
    assert display_for({}, spark_shows=True) is None
    assert display_for({PROGRESS: "off"}, spark_shows=False) is None
    monkeypatch.setenv(PROGRESS_VARIABLE, "off")
    assert display_for({}, spark_shows=False) is None
    assert display_for({PROGRESS: "auto"}, spark_shows=False) is not None
    monkeypatch.delenv(PROGRESS_VARIABLE)
    monkeypatch.setenv("TERM", "dumb")
    assert display_for({}, spark_shows=False) is None


def test_a_setting_that_progress_has_not() -> None:
    with pytest.raises(
        ValidationException, match=r"is one of auto, on, off, but was given 'offf'\. Did you mean 'off'"
    ):
        TableConfig().set(PROGRESS, "offf")


class _Kept(Display):
    interval = 0.05

    def __init__(self) -> None:
        self.shown: list[Progress] = []
        self.closed = 0

    def show(self, progress: Progress, seconds: float) -> None:
        self.shown.append(progress)

    def close(self) -> None:
        self.closed += 1


def _reported(seconds: float, ask: Callable[[], Progress] = lambda: HALF) -> _Kept:
    display = _Kept()
    reporter = Reporter(ask, lambda: display)
    time.sleep(seconds)
    reporter.end()
    return display


def test_a_short_query_shows_nothing() -> None:
    display = _reported(0.1)
    assert (display.shown, display.closed) == ([], 0)


def test_a_long_query_shows_progress_and_removes_it() -> None:
    display = _reported(1.0)
    assert HALF in display.shown
    assert display.closed == 1


def test_a_session_that_ends_ends_no_query() -> None:
    def ask() -> Progress:
        raise OSError("the JVM has gone")

    assert _reported(0.8, ask).closed == 1


def test_spark_connect_reports_progress() -> None:
    class Stage:
        def __init__(self, tasks: int, completed: int, done: bool) -> None:
            self.num_tasks, self.num_completed_tasks, self.done = tasks, completed, done

    told = ProgressOfServer()
    assert told.last() == Progress()
    told(stages=[Stage(4, 4, True), Stage(4, 1, False)], inflight_tasks=2, operation_id="x", done=False)
    assert told.last() == Progress(2, 1, 8, 5, 2)


def test_jobs_are_found_by_their_tag(spark: Any) -> None:
    context = spark.sparkContext
    context.addJobTag("of-this-test")
    try:
        spark.sql("SELECT sum(id) FROM range(0, 1000, 1, 4)").collect()
    finally:
        context.removeJobTag("of-this-test")
    # Spark records the end of tasks a little later.
    until = time.monotonic() + 10
    while (found := progress_of_jobs(context, "of-this-test")).finished_tasks < 4 and time.monotonic() < until:
        time.sleep(0.1)
    assert found.tasks >= 4
    assert found.finished_tasks == found.tasks
    assert progress_of_jobs(context, "of-no-test") == Progress()


def test_no_tag_stays_behind(spark: Any) -> None:
    te = TableEnvironment.create(spark=spark.newSession())
    te.sql_query("SELECT 1 AS a").to_arrow()
    with te.sql_query("SELECT 1 AS a").execute().collect() as rows:
        next(rows)
    assert len(spark.sparkContext.getJobTags()) == 0


def test_the_handler_of_ctrl_c_is_the_one_of_before(spark: Any) -> None:
    before = signal.getsignal(signal.SIGINT)
    te = TableEnvironment.create(spark=spark.newSession())
    te.sql_query("SELECT 1 AS a").to_arrow()
    assert signal.getsignal(signal.SIGINT) is before


class _Screen:
    """A program that runs on its own terminal."""

    def __init__(self, program: str, home: Path) -> None:
        self._main, terminal = pty.openpty()
        environment = {**os.environ, "TABLEAPI_HOME": str(home), "TERM": "xterm", "COLUMNS": "120", "NO_COLOR": "1"}
        self._process = subprocess.Popen(
            [sys.executable, "-c", program],
            stdin=terminal,
            stdout=terminal,
            stderr=terminal,
            env=environment,
            start_new_session=True,
        )
        os.close(terminal)
        self.text = ""
        self._seen = 0

    def wait_for(self, part: str, seconds: float = 240) -> None:
        """Wait for a part of the output after the part of the previous wait."""
        until = time.monotonic() + seconds
        while part not in self.text[self._seen :]:
            assert time.monotonic() < until, self.text
            if not self._read():
                raise AssertionError(self.text)
        self._seen = self.text.index(part, self._seen) + len(part)

    def _read(self) -> bool:
        ready, _, _ = select.select([self._main], [], [], 1)
        if not ready:
            return True
        try:
            read = os.read(self._main, 65_536)
        except OSError:
            # The program has ended.
            return False
        self.text += read.decode(errors="replace")
        return bool(read)

    def interrupt(self) -> None:
        # As a terminal does, send the signal to all processes of the group.
        os.killpg(self._process.pid, signal.SIGINT)

    def end(self) -> str:
        while self._read():
            if self._process.poll() is not None and not select.select([self._main], [], [], 0.5)[0]:
                break
        self._process.wait(60)
        os.close(self._main)
        return self.text


_PROGRAM = """
import sys
from tableapi import TableEnvironment, udf
from tableapi.expressions import col
te = TableEnvironment.create()
te.sql_query("SELECT 1 AS a").execute().print()
@udf(result_type="STRING")
def text(x: int) -> str:
    if x == 0: print("said by a function", file=sys.stderr, flush=True)
    return "y" * 100
many = te.sql_query("SELECT id FROM range(0, 400000, 1, 4)").select(text(col("id")).alias("x"))
many.limit(2).execute().print()
with many.execute().collect() as rows:
    next(rows)
long = te.sql_query("SELECT sum(a.id & b.id) AS s FROM range(300000) a CROSS JOIN range(300000) b")
print("LONG", flush=True)
try:
    long.execute().print()
except KeyboardInterrupt:
    print("INTERRUPTED", flush=True)
te.sql_query("SELECT 2 AS after").execute().print()
"""


@pytest.fixture(scope="module")
def screen(jvm: None, tmp_path_factory: pytest.TempPathFactory) -> str:
    shown = _Screen(_PROGRAM, tmp_path_factory.mktemp("home"))
    shown.wait_for("LONG")
    shown.wait_for("tasks, ")
    shown.interrupt()
    return shown.end()


def test_ctrl_c_cancels_and_the_session_goes_on(screen: str) -> None:
    assert "INTERRUPTED" in screen
    assert "|     2 |" in screen


def test_progress_is_shown_and_erased(screen: str) -> None:
    running, _, after = screen.partition("INTERRUPTED")
    assert "stage 1 of " in running
    assert "\x1b[2K" in running
    assert "stage 1 of " not in after


@pytest.mark.parametrize("noise", ["Traceback", "BrokenPipe", "WARNING", "WARN ", "incubator", "ERROR", "py4j"])
def test_the_screen_is_quiet(screen: str, noise: str) -> None:
    assert noise not in screen


def test_output_of_functions_is_kept(screen: str) -> None:
    assert "said by a function" in screen
