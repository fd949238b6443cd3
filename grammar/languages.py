"""The object of each dialect: the only place that asks which dialect a text is in."""

from __future__ import annotations

from grammar.language import Language
from grammar.spark import SPARK
from ir.rendering import Dialect


def find_language(dialect: Dialect) -> Language:
    """Return how SQL of a dialect is read. Flink's object is loaded with the first text in its dialect."""
    if dialect is Dialect.SPARK:
        return SPARK
    from grammar.flink.language import FLINK

    return FLINK
