"""How much has happened in a Spark, by which one sees that nothing it knows can have changed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tableapi.spark.settings import is_connect

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


class SparkEvents:
    """The events of a Spark in this process: each statement, each job and each change of a catalog is one.

    They are counted before the statement returns, whichever session of the Spark runs it, so that what was read while
    the count was the same is as it was. What other processes do to a metastore is no event; it is seen after the next.
    """

    def __init__(self, spark: SparkSession) -> None:
        self._spark = spark
        self._counter: Any = None

    def count(self) -> int | None:
        """Return how many there have been; None where that is not known, behind Spark Connect."""
        if self._counter is None:
            if is_connect(self._spark):
                return None
            bus = self._spark._jsparkSession.sparkContext().listenerBus()
            self._counter = bus.metrics().numEventsPosted()
        return int(self._counter.getCount())
