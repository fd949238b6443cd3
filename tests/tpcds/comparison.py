"""The plans of a query of TPC-DS in every form beside that of its original text."""

from __future__ import annotations

from difflib import unified_diff
from typing import TYPE_CHECKING, Any

import attrs

from ir.rendering import Layout
from tableapi import TableEnvironment
from tests.plans.facts import is_renamed, optimized
from tests.plans.physical import costs
from tests.to_python.evaluated import evaluated

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

PYTHON = "to_python"
FORMS = (*[layout.name for layout in Layout], PYTHON)


@attrs.frozen(eq=False)
class Compared:
    """How far the plan of a form is that of the original text.

    ``has_same_costs`` tells of scans with their pruning, pushed filters, joins and exchanges, and ``difference`` shows
    where these differ.
    """

    has_same_costs: bool
    difference: str
    _plan: Any
    _original: Any

    def is_same_result(self) -> bool:
        """Whether Spark takes one optimised plan for the other."""
        return bool(self._plan.sameResult(self._original))

    def is_renamed(self) -> bool:
        """Whether the optimised plans are the same but for names."""
        return is_renamed(self._plan, self._original)


def compare_forms(env: TableEnvironment, text: str) -> dict[str, Compared]:
    """Return for each form of a query how far its plan is that of the text."""
    spark = env.spark
    original = _Plan(spark.sql(text))
    table = env.sql_query(text)
    found = {layout.name: original.compare(spark.sql(table.as_serializable_string(layout=layout))) for layout in Layout}
    again = evaluated(table.to_python(), env)
    if again.query_operation is table.query_operation:
        # The same query has the same texts.
        found[PYTHON] = found[Layout.MERGED.name]
    else:
        found[PYTHON] = original.compare(again.to_spark())
    return found


class _Plan:
    """The plan of the original text."""

    def __init__(self, frame: DataFrame) -> None:
        self._costs = costs(frame)
        self._optimised = optimized(frame)

    def compare(self, frame: DataFrame) -> Compared:
        plan = costs(frame)
        lines = unified_diff(list(map(str, self._costs)), list(map(str, plan)), "original", "text", lineterm="")
        return Compared(plan == self._costs, "\n".join(lines), optimized(frame), self._optimised)


def show_optimised(env: TableEnvironment, text: str) -> str:
    """Return where the optimised plan of each layout differs from that of the text."""
    table = env.sql_query(text)
    expected = optimized(env.spark.sql(text)).toString().splitlines()
    shown: list[str] = []
    for layout in Layout:
        plan = optimized(env.spark.sql(table.as_serializable_string(layout=layout))).toString().splitlines()
        shown += unified_diff(expected, plan, "original", layout.name, lineterm="")
    return "\n".join(shown)
