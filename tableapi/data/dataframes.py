"""DataFrames as sources of queries."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ir.operations.source import InlineSource

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

    from ir.schema import ResolvedSchema

KIND: Final = "DataFrame"


def dataframe_source(frame: DataFrame, schema: ResolvedSchema) -> InlineSource:
    """Return the operation that reads a DataFrame, of which ``schema`` is what the analysed plan says."""
    return InlineSource(frame, schema, KIND)
