"""The messages for operations and clauses that Flink's SQL lacks."""

from __future__ import annotations

from ir.operations.operation import QueryOperation
from ir.operations.source import Source
from ir.operations.watermark import Watermark
from serializer.notation import Feature, Refusal

_NO_COLUMNS = "Flink's SQL has no rows without columns. Select a column, or a constant.".format
_PARTITIONS = (
    "{clause} has no text in Flink's SQL: partitions are how Spark spreads rows. Leave it out, or serialise the query "
    "with the dialect SPARK."
)


def _recursion(recursion: QueryOperation) -> str:
    return (
        f"{recursion.title}: {recursion.describe()} has no text in Flink's SQL, which has no recursive queries. "
        "Serialise it with the dialect SPARK."
    )


def _watermark(watermark: Watermark) -> str:
    name, delay = (part.as_serializable_string("FLINK") for part in (watermark.column, watermark.delay))
    return (
        f"The watermark of {name} has no text in a query of Flink's SQL. Declare it in CREATE TABLE, WATERMARK FOR "
        f"{name} AS {name} - {delay}, or serialise the query with the dialect SPARK."
    )


def _version(source: Source) -> str:
    return (
        f"The version {source.version} of {source.identifier.as_summary_string()} cannot be written in SQL of Flink, "
        "which reads tables only as they were at a point in time: use timestamp=."
    )


def _changes(source: Source) -> str:
    return (
        f"The changes of {source.identifier.as_summary_string()} cannot be written in SQL of Flink, which reads a "
        "change feed as a stream. Use the dialect SPARK."
    )


def _stream(source: Source) -> str:
    return (
        f"STREAM {source.identifier.as_summary_string()} has no text in SQL of Flink, where the declaration of a table "
        "says whether its rows end. Declare the table as a stream, or serialise the query with the dialect SPARK."
    )


def _options(source: Source) -> str:
    return (
        f"The options of {source.identifier.as_summary_string()} cannot be written in SQL of Flink: they are of the "
        "readers of Spark, and mean nothing to the connectors of Flink."
    )


def refuse_operation(operation: QueryOperation) -> str:
    """Return the message for an operation that only Spark's SQL has."""
    instead = operation.replacement or "Serialise the query with the dialect SPARK."
    return f"Flink's SQL lacks {operation.sql_clause or operation.label}. {instead}"


REFUSALS: dict[str, Refusal] = {
    Feature.MERGED: (
        "The layout MERGED is for the dialect SPARK alone: in the text for Flink, the form of each SELECT says which "
        "operation it was, and Flink reads some merged forms with another meaning. Use the layout NESTED for the "
        "dialect FLINK."
    ).format,
    Feature.FEW_QUOTES: (
        "Texts for Flink quote all names, because Flink reserves most words of SQL. Leave out the quoting for the "
        "dialect FLINK."
    ).format,
    Feature.NO_COLUMNS: _NO_COLUMNS,
    "NoColumns": _NO_COLUMNS,
    Feature.TABLE_VERSION: _version,
    Feature.READ_OPTIONS: _options,
    Feature.TABLE_CHANGES: _changes,
    Feature.STREAM: _stream,
    "Hint": (
        "The hint {0.name} has no text in Flink's SQL: it is advice to Spark. Leave it out, or serialise the query "
        "with the dialect SPARK."
    ).format,
    "Distribute": _PARTITIONS.replace("{clause}", "DISTRIBUTE BY").format,
    "SortPartitions": _PARTITIONS.replace("{clause}", "SORT BY").format,
    "Sample": (
        "A sample has no text in Flink's SQL, which parses TABLESAMPLE and cannot run it. Serialise the query with the "
        "dialect SPARK."
    ).format,
    "Watermark": _watermark,
    "Recursion": _recursion,
    "Script": "Flink's SQL has no rows that a program computes, as {0.command!r} does.".format,
    "EngineFunction": "A plan for Spark has no text in Flink's SQL. Serialise the query that it was made of.".format,
}
