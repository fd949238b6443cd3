"""Streams over Spark Connect: what runs in the server runs, and the rest is refused by name."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest
from attrs import evolve
from pyspark.sql import SparkSession

from tableapi import Schema, StreamOptions, TableDescriptor, TableEnvironment, TableException, udf
from tableapi.exceptions import ValidationException
from tableapi.expressions import col
from tests.streams.conftest import NOW, Drops, rows
from tests.streams.nats_server import NatsServer, why_missing


@pytest.fixture
def remote(connect_address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Drops]:
    """An environment on a session of the server, with the view ``events`` of a stream."""
    # PySpark sets it for the whole process, and does not take it back.
    monkeypatch.setenv("SPARK_CONNECT_MODE_ENABLED", "1")
    session = SparkSession.builder.remote(connect_address).create()
    env = TableEnvironment.create(spark=session)
    database = f"remote_{uuid.uuid4().hex[:8]}"
    session.sql(f"CREATE DATABASE {database}").collect()
    env.use_database(database)
    (tmp_path / "drops").mkdir()
    drops = Drops(env, tmp_path / "drops")
    env.create_temporary_view("events", drops.stream())
    yield drops
    for running in env.streams():
        running.stop(0)
    session.sql(f"DROP DATABASE {database} CASCADE").collect()
    session.stop()


def test_streams_of_the_server(remote: Drops, tmp_path: Path) -> None:
    env = remote.env
    env.execute_sql("CREATE TABLE t (id BIGINT, k STRING) USING parquet")
    query = env.from_path("events").filter(col("id") > 1).select(col("id"), col("k"))
    remote.drop((1, "a", 1), (2, "b", 2))
    with pytest.raises(ValidationException, match="needs a checkpoint in the file system of the Spark Connect server"):
        query.execute_insert("t", options=NOW)
    options = StreamOptions(trigger="available-now", checkpoint=tmp_path / "checkpoint")
    assert query.execute_insert("t", options=options).wait()
    remote.drop((3, "c", 3))
    result = query.execute_insert("t", options=options)
    assert result.wait()
    assert [record.rows_in for record in result.progress()] == [1]
    assert rows(env, "t") == [(2, "b"), (3, "c")]
    running = query.execute_insert(TableDescriptor.for_connector("noop").build())
    assert running.is_running
    running.stop()
    assert not running.is_running
    assert running.exception() is None

    @udf(result_type="BIGINT")
    def fail(x: int) -> int:
        raise ValueError("unlucky number")

    failing = (
        env.from_path("events")
        .select(fail(col("id")))
        .execute_insert(TableDescriptor.for_connector("noop").build(), options=NOW)
    )
    with pytest.raises(TableException, match=r"The function fail failed on \(\d\): ValueError: unlucky number"):
        failing.wait()


def test_what_this_process_would_do_is_refused(remote: Drops) -> None:
    stream = remote.env.from_path("events")
    with pytest.raises(TableException, match="The rows of a stream cannot be fetched over Spark Connect"):
        stream.execute()
    with pytest.raises(TableException, match=r"cannot write to the function .* over Spark Connect"):
        stream.for_each_batch(lambda rows, batch: None)


@pytest.mark.nightly
@pytest.mark.skipif(why_missing() is not None, reason=str(why_missing()))
def test_a_broker_behind_the_server(remote: Drops, tmp_path: Path) -> None:
    server = NatsServer(tmp_path / "nats")
    server.start()
    try:
        server.create("S", "in", "out")
        server.publish([("in", str(number).encode(), {}) for number in range(5)])
        env, columns = remote.env, Schema.of({"data": "STRING"})
        env.create_temporary_table(
            "incoming", server.descriptor("S", subject="in", streaming="true").schema(columns).build()
        )
        sink = server.descriptor("S", subject="out").schema(columns).build()
        query = env.from_path("incoming").filter(col("data") != "3")
        options = StreamOptions(trigger="available-now", checkpoint=str(tmp_path / "checkpoint"))
        assert "sink: the stream S of NATS: at least once" in query.insert_into(sink).explain()
        assert query.execute_insert(sink, options=options).wait()
        assert sorted(data for _, data, _ in server.read("S", "out")) == [b"0", b"1", b"2", b"4"]
        # The server of Spark asks for the stream, so that the query begins before it is known.
        env.create_temporary_table("none", server.descriptor("NONE", streaming="true").schema(columns).build())
        with pytest.raises(TableException, match=r"has no stream 'NONE'\. Create it first"):
            env.from_path("none").execute_insert(
                sink, options=evolve(options, checkpoint=str(tmp_path / "other"))
            ).wait()
    finally:
        server.kill()
