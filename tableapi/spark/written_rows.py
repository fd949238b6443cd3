"""Count the rows that a statement has written, from the metrics of its plan or from an observation of its rows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

from pyspark.errors import PySparkTypeError
from pyspark.sql import Observation, functions

from tableapi.spark.versions import is_connect

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

UNKNOWN: Final = -1
"""The number of rows where Spark does not report it."""

_METRIC: Final = "numOutputRows"
# Nodes that hold the plan that has run in a method of another name.
_HOLDERS: Final = {"AdaptiveSparkPlanExec": "executedPlan", "ResultQueryStageExec": "plan"}
# The node that writes the rows of an INSERT into a table of files. The nodes for other catalogs do not count.
_WRITER: Final = "DataWritingCommandExec"


def count_written_rows(frame: DataFrame) -> int:
    """Return the number of rows that an executed INSERT has written, ``UNKNOWN`` if Spark does not report it.

    A Connect client has no metrics, a connector of another catalog has others, and a command that runs its query
    inside itself, such as Spark's own CREATE TABLE AS, reports none.
    """
    if is_connect(frame.sparkSession):
        return UNKNOWN
    executed: Any = frame._jdf.queryExecution().commandExecuted()
    if executed.getClass().getSimpleName() != "CommandResult":
        return UNKNOWN
    counts = list(_counts(executed.commandPhysicalPlan()))
    return sum(counts) if counts else UNKNOWN


def count_rows_of_sail(frame: DataFrame) -> int:
    """Return the number of rows that Sail says it has written.

    For some formats, it says it in a type that PySpark does not read.
    """
    try:
        rows = frame.collect()
    except PySparkTypeError:
        return UNKNOWN
    return int(rows[0][0]) if rows and frame.columns == ["count"] else UNKNOWN


def _counts(plan: Any) -> Iterator[int]:
    """Yield the numbers of rows that the writing nodes of a physical plan report."""
    waiting = [plan]
    while waiting:
        node = waiting.pop()
        called = node.getClass().getSimpleName()
        if called in _HOLDERS:
            waiting.append(getattr(node, _HOLDERS[called])())
        elif called == _WRITER:
            metric = node.metrics().get(_METRIC)
            if metric.isDefined():
                yield int(metric.get().value())
        else:
            # The plan of a connector's own command has all operations of its query, which may be many.
            children = node.children()
            waiting += [children.apply(place) for place in range(children.size())]


def observe_rows(frame: DataFrame) -> tuple[DataFrame, Observation | None]:
    """Return the rows with an observation that counts them while they are written, None where Spark has none."""
    if is_connect(frame.sparkSession):
        return frame, None
    # In a process that also has a session of Connect, PySpark makes objects of Connect, which other sessions refuse.
    observation = object.__new__(Observation)
    observation.__init__()  # type: ignore[misc]  # as calling the class does
    count = functions.expr.__wrapped__(f"COUNT(*) AS {_METRIC}")  # type: ignore[attr-defined]  # functools.wraps sets it
    return frame.observe(observation, count), observation


def count_observed(observation: Observation | None) -> int:
    """Return the number of observed rows, after they are written."""
    return UNKNOWN if observation is None else int(observation.get.get(_METRIC, UNKNOWN))
