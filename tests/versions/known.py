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


KNOWN_VALUES: Final[tuple[Known, ...]] = ()
"""Queries of ``tests.versions.values``, by their names there."""


def known_values(version: str) -> frozenset[str]:
    """Return the queries of which a version gives other values for a reason that is listed."""
    return frozenset([name for entry in KNOWN_VALUES if version in entry.versions for name in entry.names])
