"""Queries over streams: Spark computes them once they are started, and they cannot be fetched."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tableapi.spark.settings import is_connect

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

NO_PLAN = (
    "(none: Spark plans a query over a stream when it is started; explain() of what start() returns shows the plan)"
)


def require_runnable(frame: DataFrame) -> None:
    """Refuse a query over a stream that no output mode can run, as Spark itself would when the query is started.

    A session behind Spark Connect cannot be asked; it refuses such a query when that is started.

    Raises:
        pyspark.errors.AnalysisException: Spark's reason; that of appending, where each mode has one.
    """
    if not frame.isStreaming or is_connect(frame.sparkSession):
        return
    session: Any = frame.sparkSession
    spark: Any = session._jvm.org.apache.spark.sql
    modes = spark.streaming.OutputMode
    plan = frame._jdf.queryExecution().analyzed()
    refused: Exception | None = None
    for mode in (modes.Append(), modes.Update(), modes.Complete()):
        try:
            spark.catalyst.analysis.UnsupportedOperationChecker.checkForStreaming(plan, mode)
            return
        except Exception as error:
            refused = refused or error
    assert refused is not None
    raise refused
