"""Streams into databases: a batch that comes again is not written again, on Derby and PostgreSQL."""

from __future__ import annotations

from pathlib import Path

import pytest

from tableapi import StreamOptions, TableEnvironment, TableException
from tableapi.expressions import col
from tests.streams.conftest import Drops
from tests.streams.databases import SCHEMA, Database


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
