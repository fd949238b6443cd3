"""The active session of a thread of the JVM, in which Spark looks data sources up while it plans."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from tableapi.spark.versions import is_connect

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


@contextmanager
def active(session: SparkSession) -> Iterator[None]:
    """Make a session the active one of this thread in the block.

    Spark does so itself in most calls. It does not for the statistics of a plan, nor when a writer finds its data
    source: there, it would find the data sources of the session that was used last.
    """
    if is_connect(session):
        yield
        return
    sessions: Any = session._jvm.SparkSession  # type: ignore[union-attr]
    before = sessions.getActiveSession()
    sessions.setActiveSession(session._jsparkSession)
    try:
        yield
    finally:
        if before.isDefined():
            sessions.setActiveSession(before.get())
        else:
            sessions.clearActiveSession()
