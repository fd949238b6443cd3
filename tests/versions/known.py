"""Queries that older versions of Spark answer otherwise than the newest, each with the reason."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import Final

import attrs


@attrs.frozen
class Known:
    """Queries that differ for the same reason.

    Attributes:
        reason: why they differ.
        answer: what differs, in the words of ``tests.versions.facts.difference_of_answers``.
        versions: the versions that differ.
        names: the queries by their names in ``tests.versions.texts``.
    """

    reason: str
    answer: str
    versions: tuple[str, ...]
    names: tuple[str, ...]


KNOWN: Final = (
    Known("NULL has no fields", "INVALID_EXTRACT_BASE_FIELD_TYPE", ("4.0", "4.1"), ("sql/names-93",)),
    Known(
        "DATE + NULL and DATE - NULL are dates, so that NULL counts as a number of days; later it counts as a time",
        "other types",
        ("3.5", "4.0"),
        ("sql/names-56",),
    ),
    Known(
        "the UNION of two decimals with too many digits keeps those of the fraction in Spark 3.5, and the others later",
        "other types",
        ("3.5",),
        ("tpcds/q36a",),
    ),
)


@functools.cache
def known(version: str) -> Mapping[str, str]:
    """Return what differs for each listed query of a version."""
    return {name: entry.answer for entry in KNOWN if version in entry.versions for name in entry.names}
