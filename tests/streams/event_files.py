"""Files of events, which a stream reads one in each micro-batch, and the rows of a query over them."""

from __future__ import annotations

import datetime as dt
import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pyspark.sql import DataFrame

from tableapi import StreamOptions, Table, TableEnvironment

START = dt.datetime(2024, 5, 1, 10)
DELAY = dt.timedelta(seconds=600)
COLUMNS = "k STRING, ts TIMESTAMP_NTZ, kind STRING, action STRING, value STRING, amount DOUBLE"
Event = Mapping[str, Any]


def without_zone(value: Any) -> Any:
    """Return a time in UTC without its zone, and any other value as it is."""
    return value.astimezone(dt.timezone.utc).replace(tzinfo=None) if isinstance(value, dt.datetime) else value


class Files:
    """A directory of JSON files, of which a stream reads one in each batch.

    Args:
        env: the environment of the stream.
        directory: the directory, which is created.
        columns: the columns of the rows.
    """

    def __init__(self, env: TableEnvironment, directory: Path, columns: str = COLUMNS) -> None:
        directory.mkdir()
        self._env, self.directory, self._columns, self._count = env, directory, columns, 0

    def drop(self, rows: Sequence[Event]) -> None:
        """Drop a file with rows."""
        lines = [json.dumps(row, default=dt.datetime.isoformat) for row in rows]
        made = self.directory / f".{self._count}"
        made.write_text("\n".join(lines) + "\n")
        # Spark reads files in the order of their times.
        os.utime(made, (self._count, self._count))
        made.rename(self.directory / f"{self._count:04}.json")
        self._count += 1

    def read(self) -> DataFrame:
        """Return the rows as a stream of Spark."""
        reader = self._env.spark.readStream.schema(self._columns)
        return reader.option("maxFilesPerTrigger", 1).json(str(self.directory))

    def stream(self, delay: str | None = "600 seconds") -> Table:
        """Return the stream, with the time also as ``at``, since Spark takes no watermark of a time without a zone."""
        frame = self.read().selectExpr("*", "TIMESTAMP(ts) AS at")
        return self._env.from_spark(frame if delay is None else frame.withWatermark("at", delay))


def run_stream(table: Table, checkpoint: Path) -> list[tuple[Any, ...]]:
    """Return the rows of all batches, in the order of their texts."""
    found: list[tuple[Any, ...]] = []

    def take(rows: Table, batch: int) -> None:
        with rows.execute().collect() as batches:
            found.extend(tuple(map(without_zone, row)) for row in batches)

    options = StreamOptions(trigger="available-now", checkpoint=checkpoint)
    assert table.for_each_batch(take, options=options).wait()
    return sorted(found, key=repr)
