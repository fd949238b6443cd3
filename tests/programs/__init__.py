"""The registry of test programs; importing this package fills it."""

from tests.programs import (
    aggregates,
    count_windows,
    dates,
    expressions,
    group_windows,
    grouping,
    lambdas,
    lateral,
    mathematics,
    names,
    over_windows,
    partitions,
    relational,
    semi_structured,
    subqueries,
    text_functions,
    window_functions,
)
from tests.programs.program import PROGRAMS, Program

__all__ = [
    "PROGRAMS",
    "Program",
    "aggregates",
    "count_windows",
    "dates",
    "expressions",
    "group_windows",
    "grouping",
    "lambdas",
    "lateral",
    "mathematics",
    "names",
    "over_windows",
    "partitions",
    "relational",
    "semi_structured",
    "subqueries",
    "text_functions",
    "window_functions",
]
