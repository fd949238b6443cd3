"""Fixtures of streams: files that are dropped into a directory, and a home for checkpoints."""

from __future__ import annotations

import os
import uuid
from collections.abc import Iterator
from pathlib import Path

import attrs
import pytest
from pyspark.sql import SparkSession

from tableapi import StreamOptions, Table, TableEnvironment
from tests.formats import databases
from tests.streams.databases import CREATE, LEDGER, SCHEMA, Database

NOW = StreamOptions(trigger="available-now")


@attrs.define
class Drops:
    """A directory of JSON files, which a stream reads one after the other."""

    env: TableEnvironment
    directory: Path
    files: int = 0

    def drop(self, *rows: tuple[int, str, int]) -> None:
        """Drop a file with rows: an id, a key and a second."""
        lines = [f'{{"id":{i},"k":"{k}","ts":"2024-05-01T10:{s // 60:02}:{s % 60:02}Z"}}' for i, k, s in rows]
        # Spark must not see a file that is being written.
        made = self.directory / f".{self.files}"
        made.write_text("\n".join(lines) + "\n")
        # Spark reads files in the order of their times.
        os.utime(made, (self.files, self.files))
        made.rename(self.directory / f"{self.files:04}.json")
        self.files += 1

    def stream(self, name: str | None = None) -> Table:
        """Return the stream of all files, one file a batch; with a name for its source."""
        reader = self.env.spark.readStream.schema("id BIGINT, k STRING, ts TIMESTAMP")
        reader = reader if name is None else reader.name(name)
        frame = reader.option("maxFilesPerTrigger", 1).json(str(self.directory))
        return self.env.from_spark(frame.withWatermark("ts", "10 seconds"))


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The home directory of this library, for the checkpoints of queries by their names."""
    path = tmp_path / "home"
    monkeypatch.setenv("TABLEAPI_HOME", str(path))
    return path


@pytest.fixture
def env(spark: SparkSession, home: Path) -> Iterator[TableEnvironment]:
    """An environment with its own database and session; no stream runs after the test."""
    made = TableEnvironment.create(spark=spark.newSession())
    database = f"streams_{uuid.uuid4().hex[:8]}"
    made.spark.sql(f"CREATE DATABASE {database}")
    made.use_database(database)
    yield made
    for running in made.streams():
        running.stop(0)
    made.spark.sql(f"DROP DATABASE {database} CASCADE")


@pytest.fixture
def drops(env: TableEnvironment, tmp_path: Path) -> Drops:
    """An empty directory of files, whose stream is the view ``events``."""
    directory = tmp_path / "drops"
    directory.mkdir()
    found = Drops(env, directory)
    env.create_temporary_view("events", found.stream())
    return found


def rows(env: TableEnvironment, path: str) -> list[tuple[object, ...]]:
    """Return the rows of a table in order."""
    with env.from_path(path).execute().collect() as found:
        return sorted(map(tuple, found))


@pytest.fixture
def derby(spark: SparkSession) -> Iterator[Database]:
    databases.run_in_derby(spark, *CREATE)
    options = {"url": databases.DERBY, "driver": databases.DERBY_DRIVER, "username": "ann", "password": "s3cret"}
    yield Database(options, lambda *texts: databases.run_in_derby(spark, *texts))
    tables = [f"DROP TABLE {SCHEMA}.{name}" for name in ("totals", "log", LEDGER)]
    databases.run_in_derby(spark, *tables, f"DROP SCHEMA {SCHEMA} RESTRICT")


@pytest.fixture
def postgres(spark: SparkSession, postgres_server: tuple[str, Path, int]) -> Iterator[Database]:
    url, programs, port = postgres_server
    for text in CREATE:
        databases.run_in_postgres(programs, port, text)
    options = {"url": url, "driver": databases.POSTGRES_DRIVER, "username": "ann", "password": "s3cret"}
    yield Database(options, lambda text: databases.run_in_postgres(programs, port, text))
    databases.run_in_postgres(programs, port, f"DROP SCHEMA {SCHEMA} CASCADE")


@pytest.fixture(params=["derby", "postgres"])
def database(request: pytest.FixtureRequest) -> Database:
    return request.getfixturevalue(request.param)  # type: ignore[no-any-return]  # it is that of one of the parameters
