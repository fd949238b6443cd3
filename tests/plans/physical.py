"""The costs of a physical plan, read from its text: scans, joins and exchanges, without column names.

The text is fetched once. A JVM call for each operator would take longer than Spark takes to plan.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple

from tableapi.spark.views.plan_texts import split_items

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

# Spark renumbers columns, subqueries and exchanges in each plan.
_ID = re.compile(r"#\d+L?|\[plan_id=\d+\]|\[id=#?\d+\]")
_LINE = re.compile(r"^([ :+\-]*)(?:\*\(\d+\) )?(\w+)(.*)$")
_SCAN = re.compile(
    r" \w+ ([\w.`]+)\[.*?\] Batched: .*?PartitionFilters: (\[.*\]), PushedFilters: (\[.*\]), ReadSchema: (.*)$"
)
_JOIN = re.compile(r"\b(Inner|Cross|LeftOuter|RightOuter|FullOuter|LeftSemi|LeftAnti|LeftSingle|ExistenceJoin)\b")
_BUILD = re.compile(r"\bBuild(?:Left|Right)\b")
_PARTITIONING = re.compile(r"^ (\w+)(?:\((.*)\))?")
# Operators that only pass rows on, or that compute values from a single row.
_FREE = frozenset(
    ("Project", "Filter", "ColumnarToRow", "RowToColumnar", "InputAdapter", "WholeStageCodegen", "AdaptiveSparkPlan")
)
# How many of an operator's lists are compared by their number of items: its keys and functions, without its output.
_COUNTED = {"Sort": 1, "Aggregate": 2, "HashAggregate": 2, "Window": 3, "Expand": 0}
_ALL_FIELDS = 1_000_000
SETTINGS = {
    # Adaptive execution replaces the plan while it runs; the initial plan is compared.
    "spark.sql.adaptive.enabled": "false",
    # By default, Spark truncates the filters of a scan.
    "spark.sql.maxMetadataStringLength": "1000000",
}
"""The settings under which the text of a plan is complete."""


class Cost(NamedTuple):
    """An expensive operator: its depth among such operators, its kind, and the details that are compared."""

    depth: int
    operator: str
    details: str

    def __str__(self) -> str:
        return f"{'  ' * self.depth}{self.operator} {self.details}".rstrip()


def set_plan_settings(spark: SparkSession) -> None:
    """Configure a session to show plans in full, as they are before they run."""
    for name, value in SETTINGS.items():
        spark.conf.set(name, value)


def costs(frame: Any) -> list[Cost]:
    """Return the expensive operators of a DataFrame's plan, with those of subqueries at the place of use."""
    plan = frame._jdf.queryExecution().executedPlan()
    return list(costs_of_text(plan.treeString(True, False, _ALL_FIELDS, False, False)))


def costs_of_text(plan: str) -> Iterator[Cost]:
    """Yield the operators of a plan, as Spark shows it, that cost something.

    >>> [str(cost) for cost in costs_of_text("Project [a#1]\\n+- *(2) Sort [a#1 ASC], true, 0\\n   +- Range (0, 9)")]
    ['Sort 1', '  Range']
    """
    above: list[int] = []
    for line in plan.splitlines():
        match = _LINE.match(line)
        if match is None:
            # A literal with a line break continues on the next line.
            continue
        tree, operator, rest = match.groups()
        if operator in _FREE:
            continue
        while above and above[-1] >= len(tree):
            above.pop()
        yield Cost(len(above), operator, _details(operator, rest))
        above.append(len(tree))


def costs_no_more(plan: Sequence[Cost], other: Sequence[Cost]) -> bool:
    """Whether a plan costs the same as another one, operator by operator, or less.

    A plan may cost less in two ways alone:

    - It reuses an exchange that the other plan makes again. Spark reuses an exchange only for the same rows, which the
      plan makes elsewhere. So the plan reads, joins and exchanges less.
    - It filters by one more value that the plan computes elsewhere, such as a bloom filter. A ``ReusedSubquery`` reads
      nothing. Its filter leaves out rows that the join above leaves out, too. If a scan prunes partitions by it, the
      details of the scan say so, and these have to be equal.

    All other operators have to be equal, in the same order and at the same depth.

    >>> made, reused = [
    ...     list(costs_of_text(f"Union\\n:- Exchange hashpartitioning(a#1, 4)\\n:  +- Range (0, 9)\\n{right}"))
    ...     for right in ("+- Exchange hashpartitioning(a#2, 4)\\n   +- Range (0, 9)", "+- ReusedExchange [a#2]")
    ... ]
    >>> costs_no_more(reused, made), costs_no_more(made, reused)
    (True, False)
    """
    place = 0
    for cost in plan:
        theirs = other[place] if place < len(other) else None
        if cost == theirs:
            place += 1
        elif theirs is not None and _reuses(cost, theirs):
            place = _end_of_subtree(other, place)
        elif cost.operator != "ReusedSubquery":
            return False
    return place == len(other)


def _reuses(cost: Cost, other: Cost) -> bool:
    """Whether an operator reuses an exchange where another plan makes one."""
    is_made = other.operator.endswith("Exchange") and other.operator != "ReusedExchange"
    return cost.operator == "ReusedExchange" and is_made and cost.depth == other.depth


def _end_of_subtree(plan: Sequence[Cost], place: int) -> int:
    """Return the place after an operator and all operators below it."""
    depth = plan[place].depth
    place += 1
    while place < len(plan) and plan[place].depth > depth:
        place += 1
    return place


def _details(operator: str, rest: str) -> str:
    if operator == "FileScan":
        return _scan(rest)
    if "Join" in operator or operator == "CartesianProduct":
        return _join(rest)
    if operator.endswith("Exchange") and operator != "ReusedExchange":
        match = _PARTITIONING.match(rest)
        assert match is not None, rest
        keys = _count_items(match[2]) - 1 if match[1] in ("hashpartitioning", "rangepartitioning") else 0
        return f"{match[1]} {keys}"
    lists = _COUNTED.get(operator.removeprefix("Object").removeprefix("Sort") or operator, 0)
    return " ".join([str(_count_items(part)) for part in islice(_lists(rest), lists)])


def _scan(rest: str) -> str:
    match = _SCAN.match(rest)
    assert match is not None, rest
    table, partitions, pushed, schema = match.groups()
    filters = [", ".join(sorted(split_items(_ID.sub("", text)[1:-1]))) for text in (partitions, pushed)]
    return f"{table.rsplit('.', 1)[-1]} [{filters[0]}] [{filters[1]}] {schema}"


def _join(rest: str) -> str:
    kind, build = _JOIN.search(rest), _BUILD.search(rest)
    keys = next(_lists(rest), "")
    return f"{kind[0] if kind else ''} {build[0] if build else ''} keys {_count_items(keys)}"


def _lists(text: str) -> Iterator[str]:
    """Yield the contents of each outermost pair of brackets."""
    depth = start = 0
    for position, character in enumerate(text):
        if character == "[":
            start = start if depth else position + 1
            depth += 1
        elif character == "]" and depth:
            depth -= 1
            if not depth:
                yield text[start:position]


def _count_items(text: str) -> int:
    return len(list(split_items(text))) if text else 0
