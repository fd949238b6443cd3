"""Whether the rows of a batch have the order in which their changes were made.

Spark hands out a batch in tasks. Rows are in order within a task, and rows of a file, or of a partition of a process
table function, are in one task. Any operator that moves rows between tasks loses their order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from enum import Enum
from typing import TYPE_CHECKING, Any, Final

from ir.expressions import FieldReference
from ir.identifiers import fold
from ir.operations.filter import Filter
from ir.operations.operation import QueryOperation
from ir.operations.process import ProcessTable
from ir.operations.project import Project
from ir.operations.source import Source
from ir.operations.watermark import Watermark
from tableapi.spark.versions import is_connect

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


class ChangeOrder(Enum):
    """The order of the changes of one key in a batch."""

    BY_CALL = "by call"
    """All are rows of one partition of a process table function."""
    BY_SOURCE = "by source"
    """The order of the source: of the files by their times, and of the rows of a file."""
    UNKNOWN = "unknown"
    """None."""


# Operators of a plan that compute each row from one row, in the same task.
_BY_ROW: Final = frozenset(
    {"Project", "Filter", "SubqueryAlias", "View", "EventTimeWatermark", "UpdateEventTimeWatermarkColumn"}
)
_STREAMS: Final = ("StreamingRelation", "StreamingDataSourceV2")


def find_call_order(
    query: QueryOperation, key: Iterable[str], behind: Callable[[Source], QueryOperation | None]
) -> bool:
    """Whether the changes of one key are rows of one partition of a process table function.

    Args:
        query: the changes.
        key: the columns of the query that are the key.
        behind: returns the query behind a name, None if there is none.
    """
    places = {fold(name): index for index, name in enumerate(query.schema.names)}
    wanted = {places[fold(name)] for name in key}
    operation = query
    while True:
        if isinstance(operation, Project):
            projections = [operation.projections[index] for index in wanted]
            # A computed key may be equal for rows of several partitions.
            wanted = {each.index for each in projections if isinstance(each, FieldReference)}
            operation = operation.input
        elif isinstance(operation, (Filter, Watermark)):
            operation = operation.input
        elif isinstance(operation, ProcessTable):
            return _is_in_one_partition(operation, wanted)
        elif isinstance(operation, Source):
            found = behind(operation)
            if found is None or len(found.schema) != len(operation.schema):
                return False
            operation = found
        else:
            return False


def _is_in_one_partition(call: ProcessTable, wanted: set[int]) -> bool:
    """Whether rows with equal values in some columns of a call are of one partition."""
    if len(call.tables) != 1 or not call.signature.tables[0].is_set:
        return False
    keys = call.partition_keys[0]
    if call.signature.tables[0].passes_through:
        places = {each.index for each in keys if isinstance(each, FieldReference)}
        return len(places) == len(keys) and places <= wanted
    return set(range(len(keys))) <= wanted


def has_source_order(frame: DataFrame) -> bool:
    """Whether the rows of a query have the order of its source, as Spark has analysed it.

    Python functions get rows in batches, so that Spark does not know the file of their rows.
    """
    if is_connect(frame.sparkSession):
        return False
    session: Any = frame.sparkSession
    plan: Any = frame._jdf.queryExecution().analyzed()
    if plan.containsPattern(session._jvm.org.apache.spark.sql.catalyst.trees.TreePattern.PYTHON_UDF()):
        return False
    while plan.nodeName() in _BY_ROW:
        plan = plan.children().head()
    return str(plan.nodeName()).startswith(_STREAMS)
