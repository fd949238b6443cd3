"""Streams into databases: a batch that comes again is not written again, on Derby and PostgreSQL."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import attrs
import pytest
from pyspark.sql import SparkSession

from tableapi import StreamOptions, TableEnvironment, TableException
from tableapi.expressions import col
from tests.formats import databases
from tests.streams.conftest import Drops

SCHEMA = "s_streams"


@attrs.frozen
class Database:
    """A database with the tables ``totals`` (k, n), whose key is ``k``, and ``log`` (id)."""

    options: dict[str, str]
    run: Callable[..., Any]

    def declare(self, env: TableEnvironment, table: str, columns: str) -> None:
        given = {**self.options, "table-name": f"{SCHEMA}.{table}"}
        text = ", ".join(f"'{key}' = '{value}'" for key, value in given.items())
        env.execute_sql(f"CREATE TEMPORARY TABLE {table} ({columns}) WITH ('connector' = 'jdbc', {text})")


_CREATE = (
    f"CREATE SCHEMA {SCHEMA}",
    f"CREATE TABLE {SCHEMA}.totals (k VARCHAR(10) PRIMARY KEY, n BIGINT)",
    f"CREATE TABLE {SCHEMA}.log (id BIGINT)",
)
_LEDGER = "tableapi_stream_batches"


@pytest.fixture
def derby(spark: SparkSession) -> Iterator[Database]:
    databases.run_in_derby(spark, *_CREATE)
    options = {"url": databases.DERBY, "driver": databases.DERBY_DRIVER, "username": "ann", "password": "s3cret"}
    yield Database(options, lambda *texts: databases.run_in_derby(spark, *texts))
    tables = [f"DROP TABLE {SCHEMA}.{name}" for name in ("totals", "log", _LEDGER)]
    databases.run_in_derby(spark, *tables, f"DROP SCHEMA {SCHEMA} RESTRICT")


@pytest.fixture
def postgres(spark: SparkSession, postgres_server: tuple[str, Path, int]) -> Iterator[Database]:
    url, programs, port = postgres_server
    for text in _CREATE:
        databases.run_in_postgres(programs, port, text)
    options = {"url": url, "driver": databases.POSTGRES_DRIVER, "username": "ann", "password": "s3cret"}
    yield Database(options, lambda text: databases.run_in_postgres(programs, port, text))
    databases.run_in_postgres(programs, port, f"DROP SCHEMA {SCHEMA} CASCADE")


@pytest.fixture(params=["derby", "postgres"])
def database(request: pytest.FixtureRequest) -> Database:
    return request.getfixturevalue(request.param)  # type: ignore[no-any-return]


def _rows(env: TableEnvironment, table: str) -> list[tuple[object, ...]]:
    with env.from_path(table).execute().collect() as found:
        return sorted(map(tuple, found))


def test_a_repeated_batch_is_written_once(
    env: TableEnvironment, drops: Drops, database: Database, tmp_path: Path
) -> None:
    database.declare(env, "log", "id BIGINT")
    options = StreamOptions(trigger="available-now", checkpoint=tmp_path / "checkpoint")
    drops.drop((1, "a", 1), (2, "b", 2))
    pipeline = env.from_path("events").select(col("id")).insert_into("log")
    assert "exactly once" in pipeline.explain()
    assert pipeline.execute(options=options).wait()
    # As after a crash between the transaction of the database and Spark's commit.
    for name in ("0", ".0.crc"):
        (tmp_path / "checkpoint" / "commits" / name).unlink()
    drops.drop((3, "a", 3))
    result = pipeline.execute(options=options)
    assert result.wait()
    assert [record.batch for record in result.progress()] == [0, 1]
    assert _rows(env, "log") == [(1,), (2,), (3,)]


def test_updates_replace_rows_by_their_key(
    env: TableEnvironment, drops: Drops, database: Database, tmp_path: Path
) -> None:
    database.declare(env, "totals", "k STRING, n BIGINT, PRIMARY KEY (k) NOT ENFORCED")
    drops.drop((1, "a", 1), (2, "b", 2))
    drops.drop((3, "a", 3))
    totals = env.sql_query("SELECT k, COUNT(*) AS n FROM events GROUP BY k")
    options = StreamOptions(trigger="available-now", checkpoint=tmp_path / "update")
    assert totals.execute_insert("totals", options=options).wait()
    assert _rows(env, "totals") == [("a", 2), ("b", 1)]
    # Each batch replaces all rows.
    complete = StreamOptions(trigger="available-now", checkpoint=tmp_path / "complete", output_mode="complete")
    others = env.sql_query("SELECT k, COUNT(*) AS n FROM events WHERE k = 'a' GROUP BY k")
    assert others.execute_insert("totals", options=complete).wait()
    assert _rows(env, "totals") == [("a", 2)]


def test_a_failed_batch_writes_nothing(env: TableEnvironment, drops: Drops, derby: Database, tmp_path: Path) -> None:
    derby.run(f"ALTER TABLE {SCHEMA}.log ADD CONSTRAINT small CHECK (id < 10)")
    derby.declare(env, "log", "id BIGINT")
    options = StreamOptions(trigger="available-now", checkpoint=tmp_path / "checkpoint")
    drops.drop((1, "a", 1), (20, "b", 2))
    result = env.from_path("events").select(col("id")).execute_insert("log", options=options)
    with pytest.raises(TableException, match=r"(?i)small") as raised:
        result.wait()
    assert "s3cret" not in str(raised.value)
    assert "py4j" not in str(raised.value)
    assert _rows(env, "log") == []
    derby.run(f"ALTER TABLE {SCHEMA}.log DROP CONSTRAINT small")
    assert env.from_path("events").select(col("id")).execute_insert("log", options=options).wait()
    assert _rows(env, "log") == [(1,), (20,)]
