"""The registry of test programs; importing this package fills it."""

from tests.programs import (
    count_windows,
    expressions,
    group_windows,
    grouping,
    lambdas,
    lateral,
    names,
    over_windows,
    relational,
    subqueries,
    window_functions,
)
from tests.programs.program import PROGRAMS, Program

__all__ = [
    "PROGRAMS",
    "Program",
    "count_windows",
    "expressions",
    "group_windows",
    "grouping",
    "lambdas",
    "lateral",
    "names",
    "over_windows",
    "relational",
    "subqueries",
    "window_functions",
]
