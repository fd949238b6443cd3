"""TPC-DS queries whose plan differs from the plan of the original text, with the reason."""

from __future__ import annotations

from typing import NamedTuple

from tests.tpcds.comparison import FORMS, PYTHON


class Known(NamedTuple):
    """The forms in which the plan of a query differs, and the reason."""

    forms: tuple[str, ...]
    reason: str


_RUNTIME_FILTER = Known(
    ("MERGED", PYTHON),
    "MERGED has no projection between two joins that gives columns other names, and Spark finds a runtime filter more "
    "where it looks through: the same bloom filter once again",
)
_SHARED_AGGREGATE = Known(
    FORMS,
    "the original computes SUM twice where a window is over it, and cannot share the exchange above the aggregation "
    "with the other readers of the step; the text computes it once, and Spark exchanges the rows once less",
)
_RENAMED_TWICE = Known(
    ("NESTED",),
    "NESTED gives columns of a table that is joined twice other names below the second join, and Spark does not reuse "
    "an exchange of the same rows by other names: it reads the table once more",
)
DIFFERENT_COSTS: dict[str, Known] = {
    **dict.fromkeys(("q2", "q59"), _RUNTIME_FILTER),
    **dict.fromkeys(("q47", "q57"), _SHARED_AGGREGATE),
    **dict.fromkeys(("q44", "q64", "q95"), _RENAMED_TWICE),
}
"""Queries whose scans, pruning, pushed filters, joins or exchanges differ."""

_AGGREGATE_ONCE = "an aggregate that the original computes several times is computed once, and used several times above"
_GROUPS_ABOVE = "what is computed of aggregates stands above the aggregation, in a projection of its own"
_NAMES_BELOW = "columns of two relations with equal names get other names below the join, and these back above it"
_SORT_BY_ALIAS = (
    "ORDER BY names a column of SELECT, and not the column of FROM that it is: the sort is above the projection"
)
_FACTOR_OUTSIDE = (
    "a scalar subquery that multiplies an aggregate gives the aggregate, multiplied in the condition: IS NOT NULL is "
    "asked of the one instead of the other"
)
_IN_AGGREGATE = "what is aggregated is computed in the aggregation, and not in a projection below it"
DIFFERENT_PLANS: dict[str, str] = {
    **dict.fromkeys(("q2", "q59"), _RUNTIME_FILTER.reason),
    **dict.fromkeys(("q47", "q57"), _AGGREGATE_ONCE),
    **dict.fromkeys(("q10", "q10a", "q12", "q20", "q53", "q63", "q67", "q70a", "q89", "q98"), _AGGREGATE_ONCE),
    **dict.fromkeys(("q36", "q70", "q86"), _GROUPS_ABOVE),
    **dict.fromkeys(("q14", "q14a", "q14b", "q64"), _NAMES_BELOW),
    **dict.fromkeys(("q78", "q84"), _SORT_BY_ALIAS),
    **dict.fromkeys(("q1", "q30", "q32", "q81", "q92"), _FACTOR_OUTSIDE),
    "q93": _IN_AGGREGATE,
}
"""Queries whose optimised plan in MERGED differs beyond names."""
