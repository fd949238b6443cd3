"""The plans of a query of TPC-DS in every form beside that of its original text.

A text may cost less than the original, and never more. ``costs_no_more`` says what less is, for all queries alike.
"""

from __future__ import annotations

from difflib import unified_diff
from functools import cached_property
from typing import TYPE_CHECKING, Any

import attrs

from ir.rendering import Layout
from tableapi import TableEnvironment
from tests.plans.facts import is_renamed, optimized
from tests.plans.physical import Cost, costs, costs_no_more
from tests.to_python.evaluated import evaluated

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

PYTHON = "to_python"
FORMS = (*[layout.name for layout in Layout], PYTHON)


@attrs.frozen(eq=False)
class Compared:
    """How closely the plan of a form matches the plan of the original text.

    The costs are scans with their pruning, pushed filters, joins and exchanges. ``costs_no_more`` tells whether these
    are the same or less, and ``difference`` shows where they differ. ``is_renamed`` tells whether the optimised plans
    are the same up to names.
    """

    has_same_costs: bool
    costs_no_more: bool
    difference: str
    is_renamed: bool
    _plan: Any
    _original: Any

    def is_same_result(self) -> bool:
        """Whether Spark considers both optimised plans to give the same result."""
        return bool(self._plan.sameResult(self._original))


def compare_forms(env: TableEnvironment, text: str) -> dict[str, Compared]:
    """Compare the plan of each form of a query with the plan of the text."""
    spark = env.spark
    original = _Plan(spark.sql(text))
    table = env.sql_query(text)
    found = {layout.name: original.compare(spark.sql(table.as_serializable_string(layout=layout))) for layout in Layout}
    again = evaluated(table.to_python(), env)
    if again.query_operation is table.query_operation:
        # Equal queries have equal texts.
        found[PYTHON] = found[Layout.MERGED.name]
    else:
        found[PYTHON] = original.compare(again.to_spark())
    return found


class _Plan:
    """The plan of the original text."""

    def __init__(self, frame: DataFrame) -> None:
        self._frame = frame
        self._optimised = optimized(frame)

    @cached_property
    def _costs(self) -> list[Cost]:
        return costs(self._frame)

    def compare(self, frame: DataFrame) -> Compared:
        plan = optimized(frame)
        if is_renamed(plan, self._optimised):
            # Spark makes physical plans of these: equal ones have equal costs, and need not be made.
            return Compared(True, True, "", True, plan, self._optimised)
        found = costs(frame)
        lines = unified_diff(list(map(str, self._costs)), list(map(str, found)), "original", "text", lineterm="")
        no_more = costs_no_more(found, self._costs)
        return Compared(found == self._costs, no_more, "\n".join(lines), False, plan, self._optimised)


def show_optimised(env: TableEnvironment, text: str) -> str:
    """Return the differences between the optimised plan of each layout and the plan of the text."""
    table = env.sql_query(text)
    expected = optimized(env.spark.sql(text)).toString().splitlines()
    shown: list[str] = []
    for layout in Layout:
        plan = optimized(env.spark.sql(table.as_serializable_string(layout=layout))).toString().splitlines()
        shown += unified_diff(expected, plan, "original", layout.name, lineterm="")
    return "\n".join(shown)
