"""Compare the plans of a query in each layout with the plan of a DataFrame."""

from __future__ import annotations

from difflib import unified_diff
from enum import Enum
from typing import TYPE_CHECKING, NamedTuple

from ir.rendering import Layout
from tableapi import Table
from tests.plans.facts import facts, is_renamed, optimized

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession


class Sameness(Enum):
    """How closely a plan matches the DataFrame's."""

    EQUAL = "the optimised plan, but for names and the order of columns within it"
    ALIKE = "the same scans, pushed filters, joins and exchanges"
    DIFFERENT = "another plan"


class Compared(NamedTuple):
    """How closely the plan of a layout matches the DataFrame's, and the differences."""

    sameness: Sameness
    difference: str


def frames_of(table: Table, spark: SparkSession) -> dict[Layout, DataFrame]:
    """Return the DataFrame that Spark makes from the query's text in each layout; equal texts have one."""
    texts = {layout: table.as_serializable_string(layout=layout) for layout in Layout}
    frames = {text: spark.sql(text) for text in dict.fromkeys(texts.values())}
    return {layout: frames[text] for layout, text in texts.items()}


def compared(frame: DataFrame, native: DataFrame) -> Compared:
    """Compare the plan of a text with the plan of a DataFrame."""
    plan, other = optimized(frame), optimized(native)
    if is_renamed(plan, other):
        return Compared(Sameness.EQUAL, "")
    found, expected = facts(frame), facts(native)
    shown = _difference(other.toString(), plan.toString())
    if found == expected:
        return Compared(Sameness.ALIKE, shown)
    listed = _difference(expected.as_text(), found.as_text())
    return Compared(Sameness.DIFFERENT, f"{listed}\n{shown}")


def _difference(expected: str, found: str) -> str:
    lines = unified_diff(expected.splitlines(), found.splitlines(), "DataFrame", "text", n=100, lineterm="")
    return "\n".join(lines)
