"""Streaming queries: Spark runs them after they are started, and their rows cannot be fetched."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tableapi.spark.versions import is_connect

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

NO_PLAN = (
    "(none: Spark plans a query over a stream when it is started; explain() of what start() returns shows the plan)"
)


def require_runnable(frame: DataFrame) -> None:
    """Check that some output mode can run a streaming query, as Spark itself would check at its start.

    A Spark Connect session offers no such check; it rejects the query at the start.

    Raises:
        pyspark.errors.AnalysisException: no output mode can run the query; the reason is that of append mode.
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
