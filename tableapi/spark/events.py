"""Count the events of a Spark application; while the count is unchanged, cached catalog facts are valid."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tableapi.spark.versions import is_connect

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


class EventCounter:
    """The events of a Spark application in this process: statements, jobs and catalog changes.

    Spark counts an event before the statement returns, in whichever session the statement runs. So facts that were read
    at the current count are still true. A change of a metastore by another process causes no event; it is noticed
    after the next event.
    """

    def __init__(self, spark: SparkSession) -> None:
        self._spark = spark
        self._counter: Any = None

    def count(self) -> int | None:
        """Return the number of events so far; None on Spark Connect, where it is unknown."""
        if self._counter is None:
            if is_connect(self._spark):
                return None
            bus = self._spark._jsparkSession.sparkContext().listenerBus()
            self._counter = bus.metrics().numEventsPosted()
        return int(self._counter.getCount())
