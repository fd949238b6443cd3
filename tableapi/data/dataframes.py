"""Spark DataFrames as query sources."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ir.operations.source import InlineSource

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

    from ir.schema import ResolvedSchema

KIND: Final = "DataFrame"


def dataframe_source(frame: DataFrame, schema: ResolvedSchema) -> InlineSource:
    """Return the operation that reads a DataFrame; ``schema`` is the schema of its analysed plan."""
    return InlineSource(frame, schema, KIND)
