"""Queries that older versions of Spark, or Sail, answer otherwise than the newest Spark, each with the reason."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import Final

from tests.versions.known_entry import Known
from tests.versions.known_of_sail import KNOWN_OF_SAIL

KNOWN: Final = (
    Known(
        "the UNION of two decimals with too many digits keeps those of the fraction in Spark 3.5, and the others later",
        "other types",
        ("3.5",),
        ("tpcds/q36a",),
    ),
    *KNOWN_OF_SAIL,
)


@functools.cache
def known(version: str) -> Mapping[str, str]:
    """Return what differs for each listed query of a version."""
    return {name: entry.answer for entry in KNOWN if version in entry.versions for name in entry.names}


LEFT_OUT: Final[Mapping[str, str]] = {
    **dict.fromkeys(("currentTimestamp", "now", "localTimestamp", "currentTime"), "the time of the query"),
    "version": "the release of Spark",
}
"""Functions that ``tests.versions.values`` does not call, beside those that are not deterministic, with what decides
their value."""
KNOWN_VALUES: Final = (
    Known(
        "before Spark 4.2, the last digit is computed in another way",
        "another last digit",
        ("3.5", "4.0", "4.1"),
        ("asinh", "acosh"),
    ),
    Known(
        "LPAD of bytes fails in Spark 3.5 if the length is negative, and gives no bytes later",
        "an error",
        ("3.5",),
        ("lpad: LPAD(`n17`, `c11`)",),
    ),
    Known(
        "Spark 4.0 casts the length of the slice even if there is no array, and the cast fails",
        "an error",
        ("4.0",),
        ("slice: SLICE(`c39`, 9223372036854775807L, CAST(`c16` AS STRING) COLLATE de_AI)",),
    ),
    Known(
        "Spark 4.3 fails with an internal error where older versions give NULL",
        "no error",
        ("4.0", "4.1", "4.2"),
        ("try_variant_get: TRY_VARIANT_GET(NULL, NULL)",),
    ),
    Known(
        "before Spark 4.3, a collated string is shown in the form in which it compares",
        "other rows",
        ("4.1", "4.2"),
        ("approx_top_k: APPROX_TOP_K(`t0`, 7)", "approx_top_k_accumulate: APPROX_TOP_K_ACCUMULATE(UPPER(`t4`))"),
    ),
    Known(
        "THETA_INTERSECTION_AGG of Spark 4.1 fails on NULL alone",
        "an error",
        ("4.1",),
        ("theta_intersection_agg: THETA_INTERSECTION_AGG(`c17`)",),
    ),
    Known(
        "INITCAP of Spark 3.5 does not know letters with a form of their own for the beginning of a word",
        "other rows",
        ("3.5",),
        ("icu.caseMappings.enabled",),
    ),
    Known(
        "the UNION of two decimals with too many digits keeps those of the fraction in Spark 3.5, and the others later",
        "other types",
        ("3.5",),
        ("syntax: SELECT CAST(1 AS DECIMAL(38, 20)) AS a UNION ALL SELECT CAST(1 AS DECIMAL(38, 11))",),
    ),
)
"""Queries of ``tests.versions.values``: their names there, or what stands before the colon in them."""


def known_values(version: str) -> frozenset[str]:
    """Return the names of queries, or of functions, of which a version gives other values for a reason."""
    return frozenset([name for entry in KNOWN_VALUES if version in entry.versions for name in entry.names])
