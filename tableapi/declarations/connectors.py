"""Flink's connectors that are not supported, and an alternative for each."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from ir.errors import TableException, did_you_mean, listing
from ir.migration_page import Section, see
from tableapi.declarations import python_sources

_READ: Final = "Read it with Spark's data source and te.from_spark"
_INSTEAD: Final[Mapping[str, str]] = {
    "upsert-kafka": (
        "Write with the connector 'kafka' and the options 'key.format' and 'key.fields', in the output mode "
        "'update': the newest record of a key is its row, and a topic that is compacted keeps that. Read such a "
        "topic with the connector 'kafka' as a bounded table, and take the newest row of each key: max_by(column, "
        "offset). Rows that are deleted, records without a value, are rows of NULLs there"
    ),
    "kinesis": f"{_READ}, or read the files to which the stream is delivered",
    "datagen": (
        "Generate rows with te.from_elements([…]), or with a query: SELECT id FROM range(1000). The connector 'rate' "
        "is a stream of numbers"
    ),
    "print": "Print the rows of a query with table.execute().print(). The connector 'console' prints those of a stream",
    "blackhole": 'Run a query without keeping rows: table.to_spark().write.format("noop").mode("overwrite").save(). '
    "The connector 'noop' is for streams",
    "values": "Write the rows out with te.from_elements([…])",
    "hive": "Tables of Spark's catalog are those of its Hive metastore: CREATE TABLE … USING, or te.from_path(…)",
    "elasticsearch": f"{_READ}, which the package elasticsearch-spark has",
    "opensearch": f"{_READ}, which the package opensearch-spark has",
    "hbase": f"{_READ}, which the package hbase-spark has",
    "mongodb": f"{_READ}, which the package mongo-spark-connector has",
    "mysql-cdc": "Read the table itself with the connector jdbc",
    "postgres-cdc": "Read the table itself with the connector jdbc",
    "python-input-format": "Give rows of Python with te.from_elements, te.from_pandas or te.from_arrow",
}
_ALIKE: Final[Mapping[str, str]] = {
    "firehose": "kinesis",
    "faker": "datagen",
    "hbase-1.4": "hbase",
    "hbase-2.2": "hbase",
    "elasticsearch-6": "elasticsearch",
    "elasticsearch-7": "elasticsearch",
    "elasticsearch-8": "elasticsearch",
    "oracle-cdc": "postgres-cdc",
    "sqlserver-cdc": "postgres-cdc",
    "mongodb-cdc": "mongodb",
}
STREAMS: Final = ("rate", "rate-micro-batch", "socket")
"""The connectors that only a stream can read (``tableapi.declarations.streams``)."""
STREAM_SINKS: Final = ("console", "memory", "noop")
"""The connectors that only take the rows of streams, for looking at them."""
TABLE_FORMATS: Final = ("delta", "hudi", "iceberg", "paimon")
"""The connectors of tables that catalogs of Spark have: ``USING delta`` and its like."""
_OTHER: Final = "Read another data source with Spark and te.from_spark, or make a table of it: CREATE TABLE … USING"
CONNECTORS: Final = tuple(sorted({*_INSTEAD, *_ALIKE}))


def make_connector_error(connector: str | None, owner: str = "") -> TableException:
    """Return the error about an unsupported connector, with an alternative.

    Args:
        connector: the connector, None if none is given.
        owner: the table with the connector, as the beginning of a sentence.
    """
    has = f"{owner} has the connector {connector!r}, which" if owner else f"The connector {connector!r}"
    return TableException(
        f"{has} is not supported: connectors are 'filesystem', 'jdbc', 'kafka', 'nats', the streams "
        f"{listing(map(repr, STREAMS))}, 'memory', 'console' and 'noop' for the rows of streams, data sources in "
        "Python, and 'delta', 'hudi', 'iceberg' and 'paimon' in catalogs of Spark. "
        f"{advice_on_connector(connector)}{see(Section.CONNECTORS)}",
        option_value="connector",
    )


def advice_on_connector(connector: str | None) -> str:
    """Return the alternative to a connector, as sentences.

    >>> advice_on_connector("values")
    'Write the rows out with te.from_elements([…]).'
    >>> advice_on_connector("filesytem")
    "Did you mean 'filesystem'?"
    """
    if connector is None:
        return "Say 'connector' = 'filesystem'."
    name = connector.lower()
    found = _INSTEAD.get(_ALIKE.get(name, name))
    if found is not None:
        return f"{found}."
    return did_you_mean(connector, known_names()).strip() or f"{_OTHER}."


def known_names() -> list[str]:
    """Return the names of all connectors, supported or not, and of the data sources in Python."""
    return [
        *("filesystem", "jdbc", "kafka", "nats"),
        *STREAMS,
        *STREAM_SINKS,
        *TABLE_FORMATS,
        *python_sources.names(),
        *CONNECTORS,
    ]
