"""What is known about queries that a version answers otherwise than the newest Spark."""

from __future__ import annotations

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
