"""A data source in Python with the columns and options of Spark's connector of Kafka, over files.

``kafka.bootstrap.servers`` is a directory, and each topic a file in it with one record a line. Spark reserves the name
``kafka`` for the connector itself, whose jar PySpark lacks, so that the tests give tables of Kafka this source's name.
"""

from __future__ import annotations

import datetime as dt
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pyspark.sql.datasource import (
    DataSource,
    DataSourceReader,
    DataSourceStreamWriter,
    DataSourceWriter,
    SimpleDataSourceStreamReader,
    WriterCommitMessage,
)

NAME = "fake_kafka"
_COLUMNS = (
    "key BINARY, value BINARY, topic STRING, partition INT, offset BIGINT, timestamp TIMESTAMP, timestampType INT"
)
_HEADERS = ", headers ARRAY<STRUCT<key: STRING, value: BINARY>>"


def send(
    directory: Path | str,
    topic: str,
    value: bytes | None,
    key: bytes | None = None,
    headers: list[tuple[str, bytes | None]] | None = None,
    partition: int = 0,
    at: dt.datetime | None = None,
) -> None:
    """Append a record to a topic."""
    record = {
        "key": None if key is None else key.hex(),
        "value": None if value is None else value.hex(),
        "headers": None if headers is None else [(name, None if v is None else v.hex()) for name, v in headers],
        "partition": partition,
        "at": (at or dt.datetime(2024, 5, 1, 10, tzinfo=dt.timezone.utc)).timestamp(),
    }
    with open(os.path.join(directory, topic), "a") as file:
        file.write(json.dumps(record) + "\n")


def records(directory: Path | str, topic: str) -> list[dict[str, Any]]:
    """Return the records of a topic, with bytes for key and value."""
    path = os.path.join(directory, topic)
    if not os.path.exists(path):
        return []
    found = []
    with open(path) as file:
        for offset, line in enumerate(file):
            record = json.loads(line)
            for part in ("key", "value"):
                record[part] = None if record[part] is None else bytes.fromhex(record[part])
            if record["headers"] is not None:
                record["headers"] = [(n, None if v is None else bytes.fromhex(v)) for n, v in record["headers"]]
            found.append({**record, "offset": offset})
    return found


class FakeKafka(DataSource):
    """The data source."""

    @classmethod
    def name(cls) -> str:
        return NAME

    def schema(self) -> str:
        return _COLUMNS + (_HEADERS if self.options.get("includeHeaders") == "true" else "")

    def reader(self, schema: Any) -> DataSourceReader:
        return _Reader(dict(self.options))

    def simpleStreamReader(self, schema: Any) -> SimpleDataSourceStreamReader:
        return _StreamReader(dict(self.options))

    def writer(self, schema: Any, overwrite: bool) -> DataSourceWriter:
        return _Writer(dict(self.options), schema.names)

    def streamWriter(self, schema: Any, overwrite: bool) -> DataSourceStreamWriter:
        return _StreamWriter(dict(self.options), schema.names)


def _option(options: dict[str, str], name: str) -> str | None:
    return {key.lower(): value for key, value in options.items()}.get(name.lower())


def _rows(options: dict[str, str], start: int, end: int | None) -> Iterator[tuple[Any, ...]]:
    directory, topic = str(_option(options, "kafka.bootstrap.servers")), str(_option(options, "subscribe"))
    has_headers = _option(options, "includeHeaders") == "true"
    for record in records(directory, topic)[start:end]:
        at = dt.datetime.fromtimestamp(record["at"], dt.timezone.utc)
        row = (record["key"], record["value"], topic, record["partition"], record["offset"], at, 0)
        yield (*row, record["headers"]) if has_headers else row


class _Reader(DataSourceReader):
    def __init__(self, options: dict[str, str]) -> None:
        self.options = options

    def read(self, partition: Any) -> Iterator[tuple[Any, ...]]:
        return _rows(self.options, 0, None)


class _StreamReader(SimpleDataSourceStreamReader):
    def __init__(self, options: dict[str, str]) -> None:
        self.options = options

    def initialOffset(self) -> dict[str, int]:
        return {"at": 0}

    def read(self, start: dict[str, int]) -> tuple[Iterator[tuple[Any, ...]], dict[str, int]]:
        found = list(_rows(self.options, start["at"], None))
        return iter(found), {"at": start["at"] + len(found)}

    def readBetweenOffsets(self, start: dict[str, int], end: dict[str, int]) -> Iterator[tuple[Any, ...]]:
        return _rows(self.options, start["at"], end["at"])


def _append(options: dict[str, str], names: list[str], rows: Iterator[Any]) -> None:
    directory = str(_option(options, "kafka.bootstrap.servers"))
    for row in rows:
        given = dict(zip(names, row, strict=True))
        headers = given.get("headers")
        pairs = None if headers is None else [(header[0], header[1]) for header in headers]
        key = given.get("key")
        value = given["value"]
        send(
            directory,
            given["topic"],
            None if value is None else bytes(value),
            None if key is None else bytes(key),
            pairs,
            given.get("partition") or 0,
        )


class _Writer(DataSourceWriter):
    def __init__(self, options: dict[str, str], names: list[str]) -> None:
        self.options = options
        self.names = names

    def write(self, iterator: Iterator[Any]) -> WriterCommitMessage:
        _append(self.options, self.names, iterator)
        return WriterCommitMessage()


class _StreamWriter(DataSourceStreamWriter):
    def __init__(self, options: dict[str, str], names: list[str]) -> None:
        self.options = options
        self.names = names

    def write(self, iterator: Iterator[Any]) -> WriterCommitMessage:
        _append(self.options, self.names, iterator)
        return WriterCommitMessage()

    def commit(self, messages: Any, batchId: int) -> None:
        """Nothing is to be done."""

    def abort(self, messages: Any, batchId: int) -> None:
        """Nothing is to be done."""
