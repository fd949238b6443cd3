"""Streams of NATS JetStream as tables: read, written, and continued after a kill of the server. A real server runs."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from importlib import util
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import SparkSession

from tableapi import Schema, TableDescriptor, TableEnvironment
from tableapi.exceptions import TableException
from tableapi.expressions import col
from tests.streams import nats_kills
from tests.streams.conftest import NOW, rows
from tests.streams.nats_server import NatsServer, why_missing

pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(why_missing() is not None, reason=str(why_missing())),
]
_COLUMNS = Schema.of({"name": "STRING", "cups": "INT"})


@pytest.fixture
def server(tmp_path: Path) -> Iterator[NatsServer]:
    made = NatsServer(tmp_path / "nats")
    made.start()
    yield made
    made.kill()


def _drinks(server: NatsServer, *drinks: tuple[str, int]) -> None:
    server.publish([(f"drinks.{name}", json.dumps({"name": name, "cups": cups}).encode(), {}) for name, cups in drinks])


def test_a_table_of_messages(env: TableEnvironment, server: NatsServer) -> None:
    server.create("DRINKS", "drinks.*")
    _drinks(server, ("tea", 1), ("milk", 2), ("tea", 3))
    server.publish([("drinks.tea", b"no json", {"by": "program"})])
    env.create_temporary_table("messages", server.descriptor("DRINKS").build())
    found = env.from_path("messages").select(col("sequence"), col("subject"), col("data"), col("headers"))
    assert [tuple(row) for row in found.order_by(col("sequence")).execute().collect()][2:] == [
        (3, "drinks.tea", b'{"name": "tea", "cups": 3}', {}),
        (4, "drinks.tea", b"no json", {"by": "program"}),
    ]
    schema = Schema.new_builder().column("name", "STRING").column("cups", "INT")
    schema = schema.column_by_metadata("seq", "BIGINT", "sequence", True).column_by_metadata("time", "TIMESTAMP_LTZ")
    made = server.descriptor("DRINKS", subject="drinks.tea", format="json", **{"on-error": "skip"}).schema(
        schema.build()
    )
    env.create_temporary_table("teas", made.build())
    assert rows(env, "teas")[0][:3] == ("tea", 1, 1)
    assert [row[2] for row in rows(env, "teas")] == [1, 3]
    assert abs(rows(env, "teas")[0][3].timestamp() - time.time()) < 3_600  # type: ignore[attr-defined]
    fails = server.descriptor("DRINKS", format="json").schema(Schema.of({"name": "STRING", "cups": "INT"})).build()
    with pytest.raises(TableException, match=r"not of the format json .* sequence 4: no json"):
        env.from_descriptor(fails).to_arrow()


def test_rows_are_published_once_by_a_batch(env: TableEnvironment, server: NatsServer) -> None:
    server.create("DRINKS", "drinks.*")
    schema = Schema.new_builder().column("name", "STRING").column("cups", "INT")
    schema = schema.column_by_metadata("subject", "STRING").column_by_metadata("headers", "MAP<STRING, STRING>")
    made = server.descriptor("DRINKS", subject="drinks.other", format="json").schema(schema.build()).build()
    env.create_temporary_table("drinks", made)
    env.execute_sql("INSERT INTO drinks VALUES ('tea', 1, 'drinks.tea', MAP('by', 'me')), ('milk', 2, NULL, NULL)")
    found = {subject: (json.loads(data), headers) for subject, data, headers in server.read("DRINKS")}
    assert found["drinks.tea"][0] == {"name": "tea", "cups": 1}
    assert found["drinks.tea"][1]["by"] == "me"
    assert found["drinks.other"][0] == {"name": "milk", "cups": 2}
    assert len(server.read("DRINKS")) == 2
    with pytest.raises(TableException, match=r"^A row for NATS has the subject 'drinks\.\*'; it needs one"):
        env.execute_sql("INSERT INTO drinks VALUES ('tea', 1, 'drinks.*', NULL)")


@pytest.mark.nightly
def test_the_lag_is_how_many_messages_wait(env: TableEnvironment, server: NatsServer) -> None:
    server.create("DRINKS", "drinks.*")
    _drinks(server, *[("tea", cups) for cups in range(5)])
    made = server.descriptor("DRINKS", format="json", streaming="true", **{"scan.messages-per-trigger": "2"})
    noop = TableDescriptor.for_connector("noop").build()
    result = env.from_descriptor(made.schema(_COLUMNS).build()).execute_insert(noop, options=NOW)
    assert result.wait()
    assert [record.behind for record in result.progress()] == [3, 1, 0]


@pytest.mark.nightly
def test_a_query_continues_after_a_kill_and_a_loss(env: TableEnvironment, server: NatsServer, tmp_path: Path) -> None:
    server.create("DRINKS", "drinks.*")
    _drinks(server, ("tea", 1), ("milk", 2))
    made = server.descriptor("DRINKS", format="json", streaming="true", **{"scan.messages-per-trigger": "2"})
    env.create_temporary_table("drinks", made.schema(_COLUMNS).build())
    env.execute_sql("CREATE TABLE cups (name STRING, cups INT) USING parquet")
    running = env.from_path("drinks").execute_insert("cups")
    until = time.monotonic() + 120
    while not running.progress() and time.monotonic() < until:
        time.sleep(0.05)
    server.restart()
    _drinks(server, ("tea", 3), ("tea", 4), ("tea", 5))
    while len(rows(env, "cups")) < 5 and running.is_running and time.monotonic() < until:
        time.sleep(0.2)
    running.stop(20_000)
    assert running.exception() is None
    assert rows(env, "cups") == [("milk", 2), ("tea", 1), ("tea", 3), ("tea", 4), ("tea", 5)]
    # The server is down for longer than the query waits: the query fails in words, and continues later.
    server.kill()
    with pytest.raises(TableException, match=r"NATS at .* cannot be reached\. .*Nothing was started"):
        env.from_path("drinks").execute_insert("cups", options=NOW)
    server.start()
    _drinks(server, ("tea", 6), ("tea", 7), ("tea", 8))
    server.ask(lambda context: context.purge_stream("DRINKS", seq=7))
    result = env.from_path("drinks").execute_insert("cups", options=NOW)
    with pytest.raises(TableException, match=r"^The message 6 of the stream DRINKS of NATS was deleted before"):
        result.wait()
    assert len(rows(env, "cups")) == 5


@pytest.mark.nightly
def test_an_interrupted_batch_is_published_once(env: TableEnvironment, spark: SparkSession, tmp_path: Path) -> None:
    found = nats_kills.run(env, tmp_path, messages=600, kills=1, restarts=1, seed=1, window=8)
    assert (len(found.published), found.repeated_batches) == (600, 1)
    assert (len(found.copied), found.lost, found.doubled) == (600, 0, 0)


def test_what_is_known_before_the_first_batch(
    env: TableEnvironment, server: NatsServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    server.create("DRINKS", "drinks.*")
    server.create("OTHER", "other")
    server.create("SHORT", "short", duplicate_window=5.0)
    env.create_temporary_table("drinks", server.descriptor("DRINKS", streaming="true").build())

    def refusal(descriptor: Any) -> str:
        with pytest.raises(TableException) as caught:
            env.from_path("drinks").select(col("data")).execute_insert(descriptor, options=NOW)
        return str(caught.value)

    def sink(stream: str, subject: str) -> Any:
        return server.descriptor(stream, subject=subject).schema(Schema.of({"data": "BYTES"})).build()

    assert "has no stream 'NONE'. Create it first: nats stream add NONE. Nothing" in refusal(sink("NONE", "x"))
    assert "does not store the subject 'other': the stream OTHER stores it." in refusal(sink("DRINKS", "other"))
    assert "does not store the subject 'x': no stream stores it." in refusal(sink("DRINKS", "x"))
    assert "recognises a repeated message for 5 seconds (its duplicate window)" in refusal(sink("SHORT", "short"))
    env.create_temporary_table("missing", server.descriptor("NONE", streaming="true").build())
    with pytest.raises(TableException, match=r"has no stream 'NONE'"):
        env.from_path("missing").select(col("data")).execute_insert(sink("OTHER", "other"), options=NOW)
    real = util.find_spec
    monkeypatch.setattr("tableapi.spark.nats_access.find_spec", lambda name: None if name == "nats" else real(name))
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None if name == "nats" else real(name))
    with pytest.raises(ModuleNotFoundError, match=r"needs the package nats, which comes with the extra 'nats'"):
        env.from_path("drinks").select(col("data")).execute_insert(sink("OTHER", "other"), options=NOW)


def test_what_the_sink_promises(env: TableEnvironment, server: NatsServer) -> None:
    server.create("DRINKS", "drinks.*")
    env.create_temporary_table("drinks", server.descriptor("DRINKS", streaming="true").build())
    sink = server.descriptor("DRINKS", subject="drinks.tea").schema(Schema.of({"data": "BYTES"})).build()
    plan = env.from_path("drinks").select(col("data")).insert_into(sink).explain()
    assert "sink: the stream DRINKS of NATS: exactly once. Each message has an identifier" in plan
