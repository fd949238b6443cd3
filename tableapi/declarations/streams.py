"""Tables that are streams by their declaration: files that are followed, and sources that only a stream can read.

Source: https://spark.apache.org/docs/latest/streaming/apis-on-dataframes-and-datasets.html#input-sources
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from ir import light_attrs as attrs
from ir.call_expressions import Call
from ir.errors import TableException, ValidationException, did_you_mean, listing
from ir.expressions import Expression, FieldReference, ResolvedExpression, ValueLiteral
from ir.functions.arithmetic import MINUS
from ir.identifiers import fold
from ir.operations.operation import QueryOperation
from ir.operations.source import Versions
from ir.operations.watermark import make_watermark
from ir.resolution.commands.tables import resolve_watermark
from ir.resolution.lookup import FunctionLookup
from ir.schema import Column, ResolvedSchema
from ir.types import BIGINT, STRING, TIMESTAMP_LTZ, DayTimeIntervalType
from tableapi.declarations.file_options import MONITOR_INTERVAL, STREAMING, capitalize
from tableapi.schema import Schema


@attrs.frozen
class StreamConnector:
    """A source that only a stream can read.

    Attributes:
        format: Spark's name of the source.
        columns: the columns that the source has.
        options: Spark's names of the options, by the names that are accepted.
        required: the options, by Spark's names, without which the source cannot start.
    """

    format: str
    columns: ResolvedSchema
    options: Mapping[str, str]
    required: tuple[str, ...] = ()


_GENERATED: Final = ResolvedSchema((Column("timestamp", TIMESTAMP_LTZ), Column("value", BIGINT)))
CONNECTORS: Final[Mapping[str, StreamConnector]] = {
    "rate": StreamConnector(
        "rate",
        _GENERATED,
        {
            "rows-per-second": "rowsPerSecond",
            "rowsPerSecond": "rowsPerSecond",
            "rampUpTime": "rampUpTime",
            "numPartitions": "numPartitions",
        },
    ),
    "rate-micro-batch": StreamConnector(
        "rate-micro-batch",
        _GENERATED,
        {
            "rows-per-batch": "rowsPerBatch",
            "rowsPerBatch": "rowsPerBatch",
            "numPartitions": "numPartitions",
            "startTimestamp": "startTimestamp",
            "advanceMillisPerBatch": "advanceMillisPerBatch",
        },
        ("rowsPerBatch",),
    ),
    "socket": StreamConnector(
        "socket",
        ResolvedSchema((Column("value", STRING),)),
        {"hostname": "host", "host": "host", "port": "port"},
        ("host", "port"),
    ),
}
"""The sources that only a stream can read, by the name of the connector."""


def take_streaming(options: Mapping[str, str], name: str) -> tuple[dict[str, str], bool | None]:
    """Return the options of a table without those that say whether it is a stream, and what they say.

    Args:
        options: the options of the descriptor.
        name: the name of the table in messages.

    Raises:
        ValidationException: the option is neither true nor false, or both options are given and contradict each other.
    """
    left = dict(options)
    said = left.pop(STREAMING, None)
    interval = left.pop(MONITOR_INTERVAL, None)
    if said is not None and said.lower() not in ("true", "false"):
        raise ValidationException(f"The option {STREAMING!r} of {name} is 'true' or 'false', but was given {said!r}.")
    if said is None:
        return left, None if interval is None else True
    if interval is not None and said.lower() == "false":
        raise ValidationException(
            f"{capitalize(name)} has {MONITOR_INTERVAL!r}, which makes it a stream, and {STREAMING!r} = 'false'. Leave "
            "one of them out."
        )
    return left, said.lower() == "true"


def is_stream(connector: str | None, said: bool | None, is_streaming_mode: bool, name: str) -> bool:
    """Whether a table is a stream.

    In streaming mode, files and data sources in Python are, unless the table says otherwise; a database is none.

    Args:
        connector: the connector of the table.
        said: what the options of the table say.
        is_streaming_mode: whether the environment runs in streaming mode.
        name: the name of the table in messages.

    Raises:
        TableException: the options say what the connector cannot be.
    """
    if connector in CONNECTORS:
        if said is False:
            raise TableException(f"{capitalize(name)} has the connector {connector!r}, which is a stream in any case.")
        return True
    if connector == "jdbc":
        if said:
            raise TableException(
                f"{capitalize(name)} is a table of a database, which Spark cannot follow. Join the stream with the "
                "table, or write the changes of the database to files."
            )
        return False
    return is_streaming_mode if said is None else said


def spark_options(connector: str, options: Mapping[str, str], name: str) -> dict[str, str]:
    """Return the options of a source that only a stream can read, by Spark's names.

    Raises:
        ValidationException: a required option is missing.
        TableException: there is no such option; the message suggests the nearest name.
    """
    known = CONNECTORS[connector]
    found = {_spark_option(connector, key, f"{capitalize(name)} has an option"): options[key] for key in options}
    for target in known.required:
        if target not in found:
            written = next(key for key, spark in known.options.items() if spark == target)
            raise ValidationException(f"{capitalize(name)} has no option {written!r}, which {connector!r} needs.")
    return found


def refuse_stream_option(connector: str, key: str) -> None:
    """Reject an option that a source of streams does not have.

    Raises:
        TableException: there is no such option; the message suggests the nearest name.
    """
    if key != STREAMING:
        _spark_option(connector, key, "There is no option")


def _spark_option(connector: str, key: str, problem: str) -> str:
    """Return Spark's name of an option of a source of streams."""
    known = CONNECTORS[connector].options
    target = {fold(name): spark for name, spark in known.items()}.get(fold(key))
    if target is None:
        raise TableException(
            f"{problem} {key!r} of the connector {connector!r}, which has [{listing(sorted(known))}]."
            f"{did_you_mean(key, known)}",
            option=key,
        )
    return target


ParseExpression = Callable[[str], Expression]


def add_watermark(
    schema: Schema, operation: QueryOperation, lookup: FunctionLookup, parse: ParseExpression, name: str
) -> QueryOperation:
    """Return the query of a table with the watermark of its schema, if the table is a stream and has one.

    A watermark of a table whose rows end has no effect, as in Flink.

    Args:
        schema: the schema of the table.
        operation: the query that reads the table with its computed columns.
        lookup: finds the functions in the watermark.
        parse: reads a watermark that is given as SQL.
        name: the name of the table in messages.

    Raises:
        ValidationException: the watermark is not the column, or the column minus a constant interval.
    """
    if not operation.is_unbounded:
        return operation
    for column, written in schema.watermarks:
        expression = parse(written) if isinstance(written, str) else written
        resolved = resolve_watermark(column, expression, operation.schema, lookup)
        reference, delay = _split(resolved.expression, resolved.column, name)
        return make_watermark(operation, reference, delay)
    return operation


def find_versions(schema: Schema | None, columns: ResolvedSchema) -> Versions | None:
    """Return which columns say that the rows of a table are versions, None if it lacks a primary key or a watermark.

    Args:
        schema: what the table declares.
        columns: the columns that queries see.
    """
    if schema is None or not schema.watermarks or not schema.primary_key_columns:
        return None
    time, *key = [columns.index_of(name) for name in (schema.watermarks[0][0], *schema.primary_key_columns)]
    known = tuple([index for index in key if index is not None])
    return None if time is None or len(known) < len(key) else Versions(time, known)


def _split(value: ResolvedExpression, column: str, name: str) -> tuple[FieldReference, ValueLiteral]:
    """Return the column and the delay of a watermark."""
    if isinstance(value, FieldReference):
        return value, ValueLiteral(0, DayTimeIntervalType(nullable=False))
    if isinstance(value, Call) and value.function is MINUS:
        time, delay = value.arguments
        if (
            isinstance(time, FieldReference)
            and fold(time.name) == fold(column)
            and isinstance(delay, ValueLiteral)
            and isinstance(delay.data_type, DayTimeIntervalType)
        ):
            return time, delay
    raise ValidationException(
        f"The watermark of {column!r} of {name} is {value.as_summary_string()}. Spark knows the delay of a column "
        f"alone: {column} - INTERVAL '10' SECOND. Compute another time as a column, and declare the watermark of that."
    )
