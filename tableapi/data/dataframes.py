"""Spark DataFrames as query sources."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ir.operations.source import InlineSource

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

    from ir.operations.source import StreamRead
    from ir.schema import ResolvedSchema

KIND: Final = "DataFrame"


def dataframe_source(frame: DataFrame, schema: ResolvedSchema, stream: StreamRead | None = None) -> InlineSource:
    """Return the operation that reads a DataFrame.

    Args:
        frame: the DataFrame.
        schema: the schema of its analysed plan.
        stream: how it is read if it is streaming.
    """
    return InlineSource(frame, schema, KIND, stream)
