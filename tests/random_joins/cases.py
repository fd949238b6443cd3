"""The test space of the random joins: the dimensions of a case, their balanced choice, and counts of covered pairs."""

from __future__ import annotations

import random
from collections import Counter
from itertools import combinations

from tests.random_joins.choices import Choices, Made

DIMENSIONS: dict[str, tuple[str, ...]] = {
    "join": (
        "inner",
        "left",
        "right",
        "full",
        "cross",
        "semi",
        "anti",
        "comma",
        "lateral",
        "left lateral",
        "comma lateral",
    ),
    "condition": ("on", "using", "natural", "none"),
    "key": ("first", "middle", "last", "differs", "several", "several swapped"),
    "selection": (
        "star",
        "left star",
        "right star",
        "both stars",
        "star and columns",
        "star except",
        "left star except",
        "right star except",
        "struct of star",
        "struct of left star",
        "count of star",
        "array of star",
        "qualified",
        "unqualified",
        "renamed",
        "lateral alias",
    ),
    "correlation": ("none", "exists", "not exists", "in", "not in", "scalar", "lateral", "left lateral"),
    "depth": ("1", "2", "3"),
    "place": ("outside", "inside", "both"),
    "naming": ("different", "equal", "tables", "columns", "case"),
    "around": (
        "nothing",
        "derived table",
        "union all",
        "union",
        "intersect",
        "except",
        "with",
        "with of a table's name",
        "distinct",
        "group by",
        "group by all",
        "having",
        "window",
        "qualify",
        "order by name",
        "order by ordinal",
        "order by all",
        "pivot",
        "unpivot",
        "pipe select",
        "pipe extend",
        "pipe set",
        "pipe drop",
        "pipe as",
        "pipe join",
        "pipe aggregate",
        "pipe union",
        "pipe order by",
    ),
}
Case = dict[str, str]
_CANDIDATES = 12


def pairs(case: Case) -> list[tuple[str, str, str, str]]:
    """Return the pairs of values in a case, each with the names of its dimensions."""
    return [(a, case[a], b, case[b]) for a, b in combinations(case, 2)]


class Coverage:
    """How often each pair of values occurred, and how often both Spark and this library accepted the query."""

    def __init__(self, dimensions: dict[str, tuple[str, ...]]) -> None:
        self.dimensions = dimensions
        self.met: Counter[tuple[str, str, str, str]] = Counter()
        self.taken: Counter[tuple[str, str, str, str]] = Counter()

    def count(self, case: Case, is_taken: bool) -> None:
        """Count the pairs of a case."""
        found = pairs(case)
        self.met.update(found)
        if is_taken:
            self.taken.update(found)

    def rarity(self, case: Case) -> float:
        """Return a score that is higher for cases whose pairs occurred less often."""
        return sum(1 / (1 + self.met[pair]) for pair in pairs(case))

    def summary(self) -> str:
        """Return a line for each pair of dimensions: how many pairs occurred, how many were accepted, and how often."""
        lines = [f"{'dimensions':<26} {'pairs':>6} {'met':>6} {'taken':>6} {'least':>6} {'most':>6}"]
        for a, b in combinations(self.dimensions, 2):
            every = [(a, x, b, y) for x in self.dimensions[a] for y in self.dimensions[b]]
            counts = [self.met[pair] for pair in every]
            met, taken = sum(map(bool, counts)), sum(self.taken[pair] > 0 for pair in every)
            name = f"{a} x {b}"
            lines.append(f"{name:<26} {len(every):>6} {met:>6} {taken:>6} {min(counts):>6} {max(counts):>6}")
        return "\n".join(lines)

    def missing(self) -> list[tuple[str, str, str, str]]:
        """Return the pairs that never occurred."""
        return [
            (a, x, b, y)
            for a, b in combinations(self.dimensions, 2)
            for x in self.dimensions[a]
            for y in self.dimensions[b]
            if not self.met[(a, x, b, y)]
        ]


def choose_case(at: Choices, dimensions: dict[str, tuple[str, ...]] = DIMENSIONS) -> Case:
    """Choose a value for each dimension, and return the case."""
    return {name: at.one(values) for name, values in dimensions.items()}


def rare_choices(coverage: Coverage, chance: random.Random) -> Made:
    """Return the choices for a case whose pairs occurred less often than those of other random cases."""
    candidates = []
    for _ in range(_CANDIDATES):
        made = {"": [chance.randrange(len(values)) for values in coverage.dimensions.values()]}
        candidates.append((coverage.rarity(choose_case(Choices(made), coverage.dimensions)), made))
    return max(candidates, key=lambda candidate: candidate[0])[1]
