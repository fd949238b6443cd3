"""The result of a running stream: waiting, stopping, progress, rows through a buffer, Ctrl-C, repeated starts."""

from __future__ import annotations

import signal
import threading
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import SparkSession

from tableapi import (
    EnvironmentSettings,
    JobStatus,
    Row,
    StreamOptions,
    Table,
    TableDescriptor,
    TableEnvironment,
    TableException,
)
from tableapi.exceptions import ValidationException
from tableapi.expressions import col
from tests.streams.conftest import NOW, Drops

NOOP = TableDescriptor.for_connector("noop").build()


def test_a_query_runs_until_it_is_stopped(env: TableEnvironment, drops: Drops) -> None:
    reached, go_on = threading.Event(), threading.Event()

    def wait(rows: Table, number: int) -> None:
        reached.set()
        assert go_on.wait(60)

    drops.drop((1, "a", 1))
    result = env.from_path("events").for_each_batch(wait)
    assert reached.wait(60)
    assert not result.wait(10)
    assert result.is_running
    assert repr(result).endswith(" over a stream: running")
    assert [repr(each) for each in env.streams()] == [repr(result)]
    job = result.get_job_client()
    assert job is not None
    assert job.get_job_status().result() is JobStatus.RUNNING
    finished = job.get_job_execution_result()
    assert result.exception() is None
    # Stopping waits for the end of the batch.
    stopping = threading.Thread(target=result.stop)
    stopping.start()
    go_on.set()
    stopping.join(60)
    assert not stopping.is_alive()
    assert not result.is_running
    assert [record.batch for record in result.progress()] == [0]
    assert result.exception() is None
    assert result.wait()
    assert job.get_job_status().result() is JobStatus.CANCELED
    assert repr(result).endswith(" over a stream: ended")
    assert finished.result(60).get_net_runtime() > 0
    assert env.streams() == []
    assert [tuple(row) for row in result.collect()] == [(-1,)]


def test_progress_is_typed(env: TableEnvironment, drops: Drops) -> None:
    drops.drop((1, "a", 1), (2, "b", 300))
    # The second batch sets the watermark to five minutes, less ten seconds. The third one drops late rows by it.
    drops.drop((3, "b", 301))
    drops.drop((4, "a", 2))
    query = """
        SELECT w, COUNT(*) AS n FROM (SELECT window(ts, '10 seconds') AS w FROM events) GROUP BY w
    """
    result = env.sql_query(query).execute_insert(NOOP, options=NOW)
    assert result.wait()
    records = result.progress()
    assert [record.batch for record in records] == list(range(len(records)))
    assert sum(record.rows_in for record in records) == 4
    assert sum(record.late_rows for record in records) == 1
    assert records[-1].watermark == "2024-05-01T10:04:51.000Z"
    assert records[0].operators[0].name == "stateStoreSave"
    assert records[0].state_rows == 2
    assert records[0].state_bytes > 0
    assert records[0].sources[0].rows == 2
    assert str(drops.directory) in records[0].sources[0].description
    assert records[0].describe().startswith("batch 0, 2 rows read, ")


def test_progress_names_the_source_that_holds_the_watermark_back(
    env: TableEnvironment, drops: Drops, tmp_path: Path
) -> None:
    for second in (1, 100, 200):
        drops.drop((second, "a", second))
    (tmp_path / "idle").mkdir()
    idle = Drops(env, tmp_path / "idle")
    idle.drop((1, "a", 50))
    env.create_temporary_view("others", idle.stream())
    query = """
        SELECT e.id FROM events AS e JOIN others AS o
        ON e.k = o.k AND o.ts BETWEEN e.ts AND e.ts + INTERVAL 1 HOUR
    """
    result = env.sql_query(query).execute_insert(NOOP, options=NOW)
    assert result.wait()
    last = result.progress()[-1]
    assert last.watermark == "2024-05-01T10:00:40.000Z"
    (holder,) = last.held_back_by
    assert str(idle.directory) in holder
    assert holder in [source.description for source in last.sources]
    assert f"held back by {holder}" in last.describe()


def test_rows_are_fetched_as_they_come(env: TableEnvironment, drops: Drops, capsys: pytest.CaptureFixture[str]) -> None:
    drops.drop((1, "a", 1), (2, "b", 2))
    result = env.from_path("events").select(col("id"), col("k")).execute()
    assert result.wait()
    with result.collect() as found:
        assert sorted(tuple(next(found)) for _ in range(2)) == [(1, "a"), (2, "b")]
        drops.drop((3, "c", 3))
        assert tuple(next(found)) == (3, "c")
        assert result.is_running
    assert not result.is_running
    assert list(found) == []
    limited = env.from_path("events").select(col("id")).execute()
    assert len(list(limited.collect(limit=2))) == 2
    assert not limited.is_running
    env.get_config().set("execution.stream.trigger", "available-now")
    assert sorted(row[0] for row in env.from_path("events").execute().collect()) == [1, 2, 3]
    env.from_path("events").select(col("ts"), col("k")).execute().print(limit=1)
    lines = capsys.readouterr().out.splitlines()
    assert lines[-1] == "1 row so far"
    assert len({*map(len, lines[:-1])}) == 1
    with pytest.raises(ValidationException, match="limit is a number of rows"):
        env.from_path("events").execute().collect(limit=-1)


def test_rows_of_a_failed_query(env: TableEnvironment, drops: Drops) -> None:
    drops.drop((0, "a", 1))
    result = env.sql_query("SELECT 1 DIV id AS x FROM events").execute()
    with pytest.raises(TableException, match=r"DIVIDE_BY_ZERO"):
        list(result.collect())
    assert result.exception() is not None


def test_ctrl_c_stops_the_query(env: TableEnvironment, drops: Drops) -> None:
    drops.drop((1, "a", 1))

    def press(rows: Table, number: int) -> None:
        main = threading.main_thread().ident
        assert main is not None
        signal.pthread_kill(main, signal.SIGINT)

    result = env.from_path("events").for_each_batch(press)
    with pytest.raises(KeyboardInterrupt):
        result.wait()
    assert not result.is_running
    assert result.exception() is None
    assert [record.batch for record in result.progress()] == [0]


def test_a_start_whose_worker_did_not_connect_is_repeated(
    env: TableEnvironment, drops: Drops, monkeypatch: pytest.MonkeyPatch
) -> None:
    from pyspark.errors import PySparkRuntimeError
    from pyspark.sql.streaming.readwriter import DataStreamWriter

    drops.drop((1, "a", 1))
    start, failures = DataStreamWriter.start, [2]

    def fail(writer: Any, *arguments: Any) -> Any:
        if failures[0]:
            failures[0] -= 1
            raise PySparkRuntimeError("[PYTHON_WORKER] Python worker failed to connect back.")
        return start(writer, *arguments)

    monkeypatch.setattr(DataStreamWriter, "start", fail)
    result = env.from_path("events").execute_insert(NOOP, options=NOW)
    assert result.wait()
    assert [record.rows_in for record in result.progress()] == [1]
    failures[0] = 10
    with pytest.raises(TableException, match="failed to connect back"):
        env.from_path("events").execute_insert(NOOP, options=NOW)
    # Four starts, and no more.
    assert failures[0] == 6


def test_options_are_checked(env: TableEnvironment, drops: Drops, tmp_path: Path) -> None:
    stream = env.from_path("events")
    with pytest.raises(ValidationException, match=r"options takes StreamOptions, but was given 'now'"):
        stream.execute_insert(NOOP, options="now")  # type: ignore[arg-type]
    with pytest.raises(ValidationException, match=r"has the unit 'fortnights'"):
        StreamOptions(trigger="2 fortnights")
    with pytest.raises(ValidationException, match=r"There is no output mode 'apend'.*Did you mean 'append'"):
        env.get_config().set("execution.stream.output-mode", "apend")
    with pytest.raises(ValidationException, match=r"Did you mean 'execution.stream.checkpoint'"):
        env.get_config().set("execution.stream.checkpoints", "x")
    memory = TableDescriptor.for_connector("memory").build()
    with pytest.raises(ValidationException, match="forgets its rows when the query ends"):
        stream.execute_insert(memory, options=StreamOptions(name="m", checkpoint=tmp_path / "c"))
    with pytest.raises(ValidationException, match="timeout_ms is a number of milliseconds"):
        env.execute_sql("SELECT 1").wait("x")  # type: ignore[arg-type]


def test_real_time_is_refused_by_name(env: TableEnvironment, drops: Drops, monkeypatch: pytest.MonkeyPatch) -> None:
    from pyspark.sql.streaming.readwriter import DataStreamWriter

    drops.drop((1, "a", 1))
    options = StreamOptions(trigger="real-time")
    query = env.from_path("events").select(col("id"))
    # Spark reads no files in real time, and says so.
    with pytest.raises(TableException, match="REAL_TIME") as raised:
        query.execute_insert(NOOP, options=options).wait()
    assert "py4j" not in str(raised.value)
    monkeypatch.setattr(DataStreamWriter, "trigger", lambda writer, *, processingTime=None: writer)
    with pytest.raises(TableException, match=r"The trigger 'real-time' needs Spark 4\.2; the module pyspark"):
        query.execute_insert(NOOP, options=options)


def test_a_sink_has_no_directory_before_its_first_row(spark: SparkSession, tmp_path: Path) -> None:
    te = TableEnvironment.create(EnvironmentSettings.in_streaming_mode(), spark=spark.newSession())
    connector = "WITH ('connector' = 'filesystem', 'path' = '{}', 'format' = 'json')"
    for name in ("source", "sink"):
        te.execute_sql(f"CREATE TEMPORARY TABLE {name} (a INT) {connector.format(tmp_path / name)}")
    te.create_temporary_view("doubled", te.sql_query("SELECT a * 2 AS a FROM source"))
    # The session starts here, and declares what it can read.
    assert te.from_elements([(1,)], ["a"]).to_arrow().to_pylist() == [{"a": 1}]
    with pytest.raises(TableException, match=r"source failed: \[PATH_NOT_FOUND\]"):
        te.from_path("doubled").execute_insert("sink", options=StreamOptions(checkpoint=str(tmp_path / "checkpoint")))
    (tmp_path / "source").mkdir()
    (tmp_path / "source" / "rows.json").write_text('{"a": 3}\n', encoding="utf-8")
    options = StreamOptions(checkpoint=str(tmp_path / "checkpoint"), trigger="available-now")
    assert te.from_path("doubled").execute_insert("sink", options=options).wait()
    assert spark.read.json(str(tmp_path / "sink")).collect() == [(6,)]
    with te.from_path("sink").execute().collect() as rows:
        assert next(rows) == Row(6)
