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

_NUMBERS = (
    "Spark numbers the columns of an Expand in a query of WITH anew, and not those of one in parentheses. Both plans "
    "are the same but for these numbers"
)
_KEY_TWICE = (
    "the original selects a key of the groups under its own name, as in SELECT k AS k, which makes it another column. "
    "So Spark computes it twice, for the column and for the window"
)
DIFFERENT_PLANS: dict[str, str] = {
    **dict.fromkeys(("q2", "q59"), _RUNTIME_FILTER.reason),
    "q67": _NUMBERS,
    **dict.fromkeys(("q70", "q70a"), _KEY_TWICE),
}
"""Queries whose optimised plan in MERGED differs beyond names."""
