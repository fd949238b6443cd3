"""The rows that a streaming query writes: with the checks of their sink, and as a DataFrame of a session."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ir.identifiers import quote
from tableapi.catalog.statements import string
from tableapi.declarations.sinks import Insert, build_not_null_messages
from tableapi.lazy import lazy
from tableapi.spark.columns_to_write import check_not_null
from tableapi.spark.versions import is_connect

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession
    from pyspark.sql import dataframe as dataframes
else:
    dataframes = lazy(__name__, "pyspark.sql.dataframe")


def with_checks(frame: DataFrame, insert: Insert) -> DataFrame:
    """Return rows whose computation fails at a NULL or a long string that the sink must not get."""
    kind = frame.columns[0] if insert.has_changes else None
    frame = check_not_null(frame, insert.schema, build_not_null_messages(insert), kind)
    if not insert.lengths:
        return frame
    fields = [field.name for field in insert.stored_fields]
    given = dict(zip(map(str.lower, insert.given_columns), fields, strict=True))
    columns = []
    for name in frame.columns:
        text, length = quote(name), insert.lengths.get(given.get(name.lower(), ""))
        if length is not None:
            message = string(f"A text for the column {name} is longer than {length} characters.")
            text = f"IF(CHAR_LENGTH(RTRIM({text})) > {length}, RAISE_ERROR({message}), {text})"
        columns.append(f"{text} AS {quote(name)}")
    return frame.selectExpr(*columns)


def rows_in_session(frame: DataFrame, session: SparkSession) -> DataFrame:
    """Return the rows of a batch as a DataFrame of a session; Spark hands them out in a copy of the session."""
    if is_connect(session):
        return frame
    own: Any = session
    made = own._jvm.org.apache.spark.sql.classic.Dataset.ofRows(
        own._jsparkSession, frame._jdf.queryExecution().logical()
    )
    return dataframes.DataFrame(made, session)
