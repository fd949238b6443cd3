"""What the Python workers of the embedded session do between two tasks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pyspark.sql import SparkSession, functions


def _ask_worker(spark: SparkSession, question: Callable[[int], list[int]]) -> Any:
    """Return what a function returns in the only task of a query."""
    asked = functions.udf(question, "array<bigint>", useArrow=False)
    (row,) = spark.range(0, 1, 1, 1).select(asked("id")).collect()
    return row[0]


def test_collections_of_garbage_leave_out_the_objects_of_modules(spark: SparkSession) -> None:
    def count_objects(_: int) -> list[int]:
        import gc

        return [gc.get_freeze_count(), len(gc.get_objects())]

    # A worker that has not ended a task before leaves out nothing.
    left_out, others = max(_ask_worker(spark, count_objects) for _ in range(5))
    assert left_out > 10_000
    assert others < left_out / 2


def test_the_garbage_of_a_task_is_collected_after_it(spark: SparkSession) -> None:
    def count_nodes(_: int) -> list[int]:
        import gc

        class Node:
            itself: Any = None

        node = Node()
        # Reference counts do not free a cycle.
        node.itself = node
        return [sum(type(each).__name__ == "Node" for each in gc.get_objects())]

    assert [_ask_worker(spark, count_nodes) for _ in range(4)] == [[1]] * 4
