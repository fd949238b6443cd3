"""Queries of TPC-DS whose plan differs from that of the original text, with the reason."""

from __future__ import annotations

from typing import NamedTuple

from tests.tpcds.comparison import PYTHON


class Known(NamedTuple):
    """The forms of a query whose plan differs, and the reason."""

    forms: tuple[str, ...]
    reason: str


_RUNTIME_FILTER = Known(
    ("MERGED", PYTHON),
    "The original renames a join key in a projection above a join. Spark's rule InjectRuntimeFilter looks for the "
    "origin of a key only through projections that leave its name. MERGED renames above all joins, and Spark also "
    "filters by a bloom filter that the plan already has",
)
_SHARED_AGGREGATE = Known(
    ("NESTED",),
    "The original computes SUM once for the column and once more for the window over it. A reader without the window "
    "needs only one of them, so Spark cannot share the exchange. NESTED computes SUM once, and Spark shares it",
)
LESS_COSTS: dict[str, Known] = {
    **dict.fromkeys(("q2", "q59"), _RUNTIME_FILTER),
    **dict.fromkeys(("q47", "q57"), _SHARED_AGGREGATE),
}
"""Queries whose plan costs less than that of the original, as ``costs_no_more`` says."""

_ONE_SELECT = (
    "the original computes the window in a query over that of the groups. MERGED writes both as one SELECT, in which "
    "Spark gives the window the aggregate as a column of its own"
)
_KEY_TWICE = "the original gives a key of the groups to the window as a column of its own, and so computes it twice"
_SORT_BY_ALIAS = (
    "the original sorts by a column of FROM that it also selects under another name, and carries it twice through the "
    "sort. MERGED sorts by the selected column"
)
_IN_AGGREGATE = "what is aggregated is computed in the aggregation, and not in a projection below it"
DIFFERENT_PLANS: dict[str, str] = {
    **dict.fromkeys(("q2", "q59"), _RUNTIME_FILTER.reason),
    "q67": _ONE_SELECT,
    **dict.fromkeys(("q70", "q70a"), _KEY_TWICE),
    **dict.fromkeys(("q78", "q84"), _SORT_BY_ALIAS),
    "q93": _IN_AGGREGATE,
}
"""Queries whose optimised plan in MERGED differs beyond names."""
