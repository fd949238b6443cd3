"""The registry of test programs; importing this package fills it."""

from tests.programs import (
    count_windows,
    dates,
    expressions,
    group_windows,
    grouping,
    lateral,
    mathematics,
    names,
    over_windows,
    partitions,
    relational,
    subqueries,
    window_functions,
)
from tests.programs.program import PROGRAMS, Program

__all__ = [
    "PROGRAMS",
    "Program",
    "count_windows",
    "dates",
    "expressions",
    "group_windows",
    "grouping",
    "lateral",
    "mathematics",
    "names",
    "over_windows",
    "partitions",
    "relational",
    "subqueries",
    "window_functions",
]
