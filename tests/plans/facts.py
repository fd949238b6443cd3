"""Facts that distinguish Spark plans: optimised plans up to names; reads, joins and exchanges of physical plans."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from tableapi.spark.views.plan_texts import same_but_for_names

# Spark renumbers columns, subqueries and exchanges in each plan.
_ID = re.compile(r"#\d+L?|\[plan_id=\d+\]|\[id=#\d+\]")
_COSTS = ("Exchange", "Join", "Sort", "HashAggregate", "Window", "TakeOrdered", "CartesianProduct", "ReusedExchange")
# An operator begins a line, after the lines that draw the tree.
_OPERATOR = re.compile(
    rf"^[ :+\-*]*(?:\(\d+\) )?(\w*(?:{'|'.join(_COSTS)})\w*)(?: \[[^\]]*\])?(?:, \[[^\]]*\])?(, \w+)?", re.MULTILINE
)
_ALL_FIELDS = 1_000_000


class Facts(NamedTuple):
    """The reads of a plan, and its expensive operators."""

    reads: list[str]
    operators: list[str]

    def as_text(self) -> str:
        return "\n".join([*self.reads, *self.operators])


def optimized(frame: Any) -> Any:
    """Return the optimised plan of a DataFrame."""
    return frame._jdf.queryExecution().optimizedPlan()


def is_same_plan(frame: Any, other: Any) -> bool:
    """Whether Spark runs the same plan for both DataFrames, and so returns the same rows; false if it cannot plan one.

    Spark itself uses this result to replace a plan by another one's rows, such as those of a cached table.
    """
    from py4j.protocol import Py4JJavaError
    from pyspark.errors import PySparkException

    try:
        return bool(optimized(frame).sameResult(optimized(other)))
    except (PySparkException, Py4JJavaError):
        return False


def is_renamed(plan: Any, other: Any) -> bool:
    """Whether optimised plans are equal up to the names of columns."""
    # Spark's sameResult compares lambda parameters by their numbers alone, and treats renamed columns as different.
    if plan.sameResult(other) or _numbered(plan) == _numbered(other):
        return True
    return same_but_for_names(_shown(plan), _shown(other))


def _shown(plan: Any) -> str:
    shown: str = plan.treeString(True, False, _ALL_FIELDS, False, False)
    return shown


def _numbered(plan: Any) -> str:
    """Return the canonical plan as text, with its column numbers counted from zero."""
    numbers: dict[str, str] = {}
    shown = _shown(plan.canonicalized())
    return re.sub(r"#\d+", lambda found: numbers.setdefault(found[0], f"#{len(numbers)}"), shown)


def scans(plan: Any) -> list[Any]:
    """Return the file scans of an executed plan, without those of its subqueries."""
    return [leaf for leaf in _leaves(plan) if leaf.getClass().getSimpleName() == "FileSourceScanExec"]


def facts(frame: Any) -> Facts:
    """Return the reads and the expensive operators of a DataFrame's plan."""
    plan = frame._jdf.queryExecution().executedPlan()
    leaves = [leaf for part in (plan, *_elements(plan.subqueriesAll())) for leaf in _leaves(part)]
    reads = [read for read in map(_read, leaves) if not read.startswith("Reused")]
    operators = [" ".join(found) for found in _OPERATOR.findall(plan.toString())]
    return Facts(sorted(reads), operators)


def _read(leaf: Any) -> str:
    kind: str = leaf.getClass().getSimpleName()
    if kind != "FileSourceScanExec":
        return kind
    said = [
        ", ".join(sorted(_ID.sub("", leaf.metadata().apply(key)).strip("[]").split(", ")))
        for key in ("PartitionFilters", "PushedFilters", "ReadSchema")
    ]
    return f"{leaf.tableIdentifier().get().table()}: {' | '.join(said)}"


def _leaves(plan: Any) -> list[Any]:
    return list(_elements(plan.collectLeaves()))


def _elements(sequence: Any) -> Iterator[Any]:
    return (sequence.apply(position) for position in range(sequence.length()))
