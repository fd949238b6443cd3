"""Watch running Spark jobs: show their progress, and cancel them on Ctrl-C.

PySpark's own handler of Ctrl-C calls the JVM over the connection on which the program waits, and both report that as
errors. The handler here only starts a thread, which cancels the jobs over a connection of its own. The program then
gets Spark's answer, and KeyboardInterrupt is raised instead. A second Ctrl-C stops the program at once.
"""

from __future__ import annotations

import contextlib
import signal
import threading
import uuid
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from tableapi.spark.progress import Described, ProgressOfServer, Reporter, display_for, progress_of_jobs
from tableapi.spark.versions import is_connect

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

# Seconds between two attempts to cancel: a query may start another job after one was cancelled.
_BETWEEN_TWO = 0.2
# The second one is that of Spark 3.5.
_MODULES_OF_CONTEXT = ("pyspark.core.context", "pyspark.context")


@contextlib.contextmanager
def watch_query(session: SparkSession, parameters: Mapping[str, str], tag: str | None = None) -> Iterator[None]:
    """Show the progress of jobs in the block, and cancel them on Ctrl-C.

    Args:
        session: the session that runs them.
        parameters: the configuration.
        tag: the tag that the jobs have already; None to tag them here.

    Raises:
        KeyboardInterrupt: Ctrl-C was pressed.
    """
    watch = _server if is_connect(session) else _jobs
    with watch(session, parameters, tag):
        yield


@contextlib.contextmanager
def _jobs(session: Any, parameters: Mapping[str, str], tag: str | None) -> Iterator[None]:
    context = session.sparkContext
    if context._jsc is None:
        # The session has been stopped; the call in the block reports that.
        yield
        return
    display = display_for(parameters, spark_shows=_has_spark_progress(session))
    handler = _handler()
    if display is None and handler is None:
        yield
        return
    own = tag or f"tableapi-{uuid.uuid4()}"
    with contextlib.ExitStack() as stack:
        if tag is None:
            context.addJobTag(own)
            stack.callback(_remove_tag, context, own)
        if handler is not None:
            stack.enter_context(_cancel_on_interrupt(lambda: context.cancelJobsWithTag(own), handler))
        if display is not None:
            stack.callback(Reporter(lambda: progress_of_jobs(context, own), display).end)
        yield


def _remove_tag(context: Any, tag: str) -> None:
    # The JVM may have ended; the call in the block has reported that.
    with contextlib.suppress(Exception):
        context.removeJobTag(tag)


def _has_spark_progress(session: Any) -> bool:
    """Return whether Spark draws its own progress bar.

    The session knows the settings of its context. ``SparkContext.getConf()`` would copy all of them, by some 300 calls
    of the JVM.
    """
    return str(session.conf.get("spark.ui.showConsoleProgress", "false")).lower() == "true"


@contextlib.contextmanager
def _server(session: Any, parameters: Mapping[str, str], tag: str | None) -> Iterator[None]:
    display = display_for(parameters, spark_shows=False)
    own = tag or f"tableapi-{uuid.uuid4()}"
    with contextlib.ExitStack() as stack:
        if tag is None:
            session.addTag(own)
            stack.callback(session.removeTag, own)
        if display is not None:
            told = ProgressOfServer()
            session.registerProgressHandler(told)
            stack.callback(session.removeProgressHandler, told)
            stack.callback(Reporter(told.last, display).end)
        try:
            yield
        except KeyboardInterrupt:
            session.interruptTag(own)
            raise


@contextlib.contextmanager
def interruptible() -> Iterator[threading.Event]:
    """Set an event on Ctrl-C in the block, instead of raising; a second Ctrl-C raises at once."""
    pressed = threading.Event()
    before = _handler()
    if before is None:
        yield pressed
        return

    def handle(number: int, frame: Any) -> None:
        if pressed.is_set():
            signal.default_int_handler(number, frame)
        pressed.set()

    signal.signal(signal.SIGINT, handle)
    try:
        yield pressed
    finally:
        signal.signal(signal.SIGINT, before)


@contextlib.contextmanager
def watch_stream(session: Any, parameters: Mapping[str, str], describe: Callable[[], str]) -> Iterator[None]:
    """Show the progress of a streaming query in the block, in the words of a function."""
    display = display_for(parameters, spark_shows=not is_connect(session) and _has_spark_progress(session))
    if display is None:
        yield
        return
    reporter = Reporter(lambda: Described(describe()), display)
    try:
        yield
    finally:
        reporter.end()


def _handler() -> Any:
    """Return the handler of Ctrl-C; None if the program has its own handler, or this is not the main thread."""
    if threading.current_thread() is not threading.main_thread():
        return None
    handler = signal.getsignal(signal.SIGINT)
    is_sparks = getattr(handler, "__module__", None) in _MODULES_OF_CONTEXT
    return handler if is_sparks or handler is signal.default_int_handler else None


@contextlib.contextmanager
def _cancel_on_interrupt(cancel: Callable[[], None], before: Any) -> Iterator[None]:
    ended = threading.Event()
    pressed = False

    def cancel_until_ended() -> None:
        while not ended.is_set():
            # The query and the session may have ended.
            with contextlib.suppress(Exception):
                cancel()
            ended.wait(_BETWEEN_TWO)

    def handle(number: int, frame: Any) -> None:
        nonlocal pressed
        if pressed:
            signal.default_int_handler(number, frame)
        pressed = True
        threading.Thread(target=cancel_until_ended, name="tableapi cancelling", daemon=True).start()

    signal.signal(signal.SIGINT, handle)
    try:
        yield
    except Exception:
        if pressed:
            raise KeyboardInterrupt from None
        raise
    finally:
        ended.set()
        signal.signal(signal.SIGINT, before)
    if pressed:
        raise KeyboardInterrupt
