"""The data source of NATS reads and publishes messages, without Spark, over a real server that is killed."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql.streaming.datasource import ReadAllAvailable, ReadMaxRows

from tableapi.spark.runtime.failures import SourceFailed
from tableapi.spark.runtime.nats import settings as keys
from tableapi.spark.runtime.nats.client import Client
from tableapi.spark.runtime.nats.reading import BoundedReader, Range, StreamReader, read_messages
from tableapi.spark.runtime.nats.settings import Settings, read_settings
from tableapi.spark.runtime.nats.writing import Published, publish_rows
from tests.streams.nats_server import NatsServer, why_missing

pytestmark = pytest.mark.skipif(why_missing() is not None, reason=str(why_missing()))


@pytest.fixture
def server(tmp_path: Path) -> Iterator[NatsServer]:
    made = NatsServer(tmp_path / "nats")
    made.start()
    yield made
    made.kill()


def _settings(server: NatsServer, options: Mapping[str, str] = {}) -> Settings:
    return read_settings({keys.SERVERS: server.url, keys.STREAM: "S", keys.TIMEOUT: "20", **options})


def _fill(server: NatsServer, count: int, **settings: Any) -> None:
    server.create("S", "s.*", **settings)
    server.publish([(f"s.{number % 3}", str(number).encode(), {}) for number in range(1, count + 1)])


def _sequences(settings: Settings, start: int, end: int, needs_all: bool = True) -> list[int]:
    batches = read_messages(settings, Range(start, end, needs_all))
    return [number for batch in batches for number in batch.column("sequence").to_pylist()]


# --- reading ----------------------------------------------------------------------------------------------------------


def test_a_message_has_all_that_the_server_knows(server: NatsServer) -> None:
    server.create("S", "s.*")
    before = time.time()
    server.publish([("s.a", b"\x00\xff", {"kind": "first", "by": "é"}), ("s.b", b"", {})])
    (batch,) = read_messages(_settings(server), Range(1, 3))
    first, second = batch.to_pylist()
    assert (first["data"], first["subject"], first["sequence"]) == (b"\x00\xff", "s.a", 1)
    assert dict(first["headers"]) == {"kind": "first", "by": "é"}
    assert before - 1 < first["time"].timestamp() < time.time() + 1
    assert (second["data"], second["subject"], second["sequence"], second["headers"]) == (b"", "s.b", 2, [])


def test_ranges_have_each_message_once(server: NatsServer) -> None:
    _fill(server, 1_200)
    found = _settings(server)
    assert _sequences(found, 1, 1_201) == list(range(1, 1_201))
    assert _sequences(found, 5, 8) == [5, 6, 7]
    assert _sequences(found, 8, 8) == []
    only = _settings(server, {keys.SUBJECT: "s.1"})
    assert _sequences(only, 1, 10) == [1, 4, 7]
    assert _sequences(only, 2, 4) == []
    assert _sequences(_settings(server, {keys.SUBJECT: "s.none"}), 1, 10) == []


def test_a_range_is_read_through_two_kills(server: NatsServer) -> None:
    _fill(server, 1_700)
    found: list[int] = []
    for number, batch in enumerate(read_messages(_settings(server), Range(1, 1_701))):
        found += batch.column("sequence").to_pylist()
        if number in (0, 2):
            server.restart()
    assert found == list(range(1, 1_701))


def test_a_message_that_was_deleted_by_hand_is_left_out(server: NatsServer) -> None:
    _fill(server, 6)
    server.ask(lambda context: context.delete_msg("S", 3))
    assert _sequences(_settings(server), 1, 7) == [1, 2, 4, 5, 6]


def test_messages_that_retention_has_deleted_are_named(server: NatsServer) -> None:
    _fill(server, 10, max_msgs=4)
    with pytest.raises(SourceFailed) as caught:
        _sequences(_settings(server), 3, 9)
    assert caught.value.sentence.startswith("The messages 3 to 6 of the stream S of NATS were deleted before")
    assert "'scan.fail-on-data-loss' = 'false'" in caught.value.sentence
    with pytest.raises(SourceFailed) as caught:
        _sequences(_settings(server), 6, 7)
    assert caught.value.sentence.startswith("The message 6 of the stream S")
    assert _sequences(_settings(server, {keys.FAIL_ON_DATA_LOSS: "false"}), 3, 9) == [7, 8]
    # A query that asked for what there is has lost nothing.
    assert _sequences(_settings(server), 3, 9, needs_all=False) == [7, 8]


def test_messages_that_are_deleted_while_a_range_is_read_are_named(server: NatsServer) -> None:
    _fill(server, 1_500)
    batches = read_messages(_settings(server), Range(1, 1_501))
    assert next(batches).num_rows == 500
    server.ask(lambda context: context.purge_stream("S", seq=1_200))
    with pytest.raises(SourceFailed, match=r"messages 501 to 1199 of the stream S") as caught:
        next(batches)
    assert "\\n" not in caught.value.sentence


# --- beginning and ending ---------------------------------------------------------------------------------------------


def _parts(server: NatsServer, **options: str) -> list[tuple[int, int]]:
    made = BoundedReader(_settings(server, {key.replace("_", "."): value for key, value in options.items()}))
    return [(part.start, part.end) for part in made.partitions()]


def test_where_a_query_begins(server: NatsServer) -> None:
    _fill(server, 4)
    middle = int(time.time() * 1000) + 1
    time.sleep(0.01)
    server.publish([("s.1", b"later", {})])

    def begin(mode: str, **options: str) -> int:
        reader = StreamReader(_settings(server, {keys.STARTUP_MODE: mode, **options}))
        try:
            return int(reader.initialOffset()["sequence"])
        finally:
            reader.stop()

    assert begin(keys.EARLIEST) == 1
    assert begin(keys.LATEST) == 6
    assert begin(keys.AT_SEQUENCE, **{keys.STARTUP_SEQUENCE: "3"}) == 3
    assert begin(keys.AT_TIMESTAMP, **{keys.STARTUP_TIMESTAMP: str(middle)}) == 5
    assert begin(keys.AT_TIMESTAMP, **{keys.STARTUP_TIMESTAMP: "0"}) == 1
    assert begin(keys.AT_TIMESTAMP, **{keys.STARTUP_TIMESTAMP: str(middle + 3_600_000)}) == 6
    server.ask(lambda context: context.purge_stream("S", seq=3))
    assert begin(keys.EARLIEST) == 3
    with pytest.raises(SourceFailed, match=r"The message 2 of the stream S"):
        begin(keys.AT_SEQUENCE, **{keys.STARTUP_SEQUENCE: "2"})
    assert begin(keys.AT_SEQUENCE, **{keys.STARTUP_SEQUENCE: "2", keys.FAIL_ON_DATA_LOSS: "false"}) == 3


def test_the_messages_that_there_are_become_ranges(server: NatsServer) -> None:
    server.create("S", "s.*")
    assert _parts(server) == [(1, 1)]
    server.publish([("s.1", b"", {})] * 5)
    found = BoundedReader(_settings(server, {keys.MESSAGES_PER_PARTITION: "2"})).partitions()
    assert [(part.start, part.end) for part in found] == [(1, 3), (3, 5), (5, 6)]


def test_batches_have_a_limit_and_an_end(server: NatsServer) -> None:
    _fill(server, 5)
    reader = StreamReader(_settings(server, {keys.MESSAGES_PER_TRIGGER: "3"}))
    limit = reader.getDefaultReadLimit()
    assert limit == ReadMaxRows(3)
    start = reader.initialOffset()
    first = reader.latestOffset(start, limit)
    assert [first["sequence"], reader.latestOffset(start, ReadAllAvailable())["sequence"]] == [4, 6]
    reader.prepareForTriggerAvailableNow()
    server.publish([("s.1", b"", {})] * 9)
    assert reader.reportLatestOffset()["sequence"] == 15
    second = reader.latestOffset(first, limit)
    assert second["sequence"] == 6
    # The offset that a batch begins with means that there is nothing more.
    assert reader.latestOffset(second, ReadAllAvailable()) is second
    assert [(part.start, part.end) for part in reader.partitions(first, second)] == [(4, 6)]
    assert reader.partitions(second, second) == []
    reader.stop()


def test_a_batch_begins_behind_no_gap(server: NatsServer) -> None:
    _fill(server, 9)
    reader = StreamReader(_settings(server))
    start = reader.initialOffset()
    second = reader.latestOffset(start, ReadMaxRows(2))
    server.ask(lambda context: context.purge_stream("S", seq=6))
    # Of a query that begins with the earliest message, that is another one now.
    assert reader.latestOffset(start, ReadMaxRows(2))["sequence"] == 8
    assert [part.needs_all for part in reader.partitions(start, second)] == [False]
    with pytest.raises(SourceFailed, match=r"The messages 3 to 5 of the stream S"):
        reader.latestOffset(second, ReadAllAvailable())
    reader.stop()


def test_a_stream_that_was_created_anew_is_another_one(server: NatsServer) -> None:
    _fill(server, 9)
    reader = StreamReader(_settings(server))
    offset = reader.latestOffset(reader.initialOffset(), ReadAllAvailable())
    server.ask(lambda context: context.delete_stream("S"))
    _fill(server, 20)
    with pytest.raises(SourceFailed, match=r"was created anew at .* up to the message 9. Start a new query"):
        reader.latestOffset(offset, ReadAllAvailable())
    going_on = StreamReader(_settings(server, {keys.FAIL_ON_DATA_LOSS: "false"}))
    later = going_on.latestOffset(offset, ReadAllAvailable())
    assert [(part.start, part.end) for part in going_on.partitions(offset, later)] == [(1, 21)]
    reader.stop()
    going_on.stop()


# --- publishing -------------------------------------------------------------------------------------------------------

_ROWS = [{"data": b"a"}, {"data": b"a"}, {"data": None, "headers": {"x": "y"}}, {"data": b"b", "subject": "s.other"}]


def test_a_repeated_task_publishes_nothing_twice(server: NatsServer) -> None:
    server.create("S", "s.*")
    to = _settings(server, {keys.SUBJECT: "s.out"})
    assert publish_rows(to, _ROWS, "query", "7", 0) == Published(4, 0)
    # Spark may give the rows in another order.
    assert publish_rows(to, reversed(_ROWS), "query", "7", 0) == Published(4, 4)
    found = server.read("S")
    assert [(subject, data) for subject, data, _ in found] == [
        ("s.out", b"a"),
        ("s.out", b"a"),
        ("s.out", b""),
        ("s.other", b"b"),
    ]
    assert found[2][2]["x"] == "y"
    assert all(headers["Nats-Msg-Id"].startswith("query/7/0/") for _, _, headers in found)
    for query, batch, partition in (("query", "8", 0), ("query", "7", 1), ("other", "7", 0)):
        assert publish_rows(to, _ROWS[:1], query, batch, partition) == Published(1, 0)


def test_a_row_may_say_its_identifier(server: NatsServer) -> None:
    server.create("S", "s.*")
    to = _settings(server, {keys.SUBJECT: "s.out"})
    rows = [{"data": b"a", "headers": {"Nats-Msg-Id": "order 7"}}]
    assert publish_rows(to, rows, "query", "7", 0) == Published(1, 0)
    assert publish_rows(to, rows, "query", "8", 3) == Published(1, 1)


def test_an_unfinished_batch_is_completed_after_the_duplicate_window(server: NatsServer) -> None:
    server.create("S", "s.*", duplicate_window=0.1)
    begun = str(round(time.time() * 1000) - 60_000)
    rows = [{"data": str(number).encode()} for number in range(700)]
    to = _settings(server, {keys.SUBJECT: "s.out"})
    assert publish_rows(to, rows[:600], "query", "7", 0) == Published(600, 0)
    time.sleep(0.3)
    again = _settings(server, {keys.SUBJECT: "s.out", keys.REPEATED_BATCH: "7", keys.REPEATED_SINCE: begun})
    assert publish_rows(again, rows, "query", "7", 0) == Published(700, 600)
    assert sorted(int(data) for _, data, _ in server.read("S")) == list(range(700))
    time.sleep(0.3)
    # The window alone does not do: without a look at the stream, and for another batch, all are new.
    assert publish_rows(to, rows[:3], "query", "7", 0) == Published(3, 0)
    assert publish_rows(again, rows[:3], "query", "8", 0) == Published(3, 0)


def test_a_task_that_spark_repeats_is_completed_after_the_duplicate_window(server: NatsServer) -> None:
    server.create("S", "s.*", duplicate_window=0.1)
    begun = round(time.time() * 1000) - 60_000
    to = _settings(server, {keys.SUBJECT: "s.out"})
    assert publish_rows(to, _ROWS[:2], "query", "7", 0) == Published(2, 0)
    time.sleep(0.3)
    assert publish_rows(to, _ROWS, "query", "7", 0, begun) == Published(4, 2)
    assert [data for _, data, _ in server.read("S")] == [b"a", b"a", b"", b"b"]


def test_rows_are_published_through_a_kill(server: NatsServer) -> None:
    server.create("S", "s.*")

    def rows() -> Iterator[dict[str, Any]]:
        for number in range(2_000):
            if number in (300, 1_100):
                server.restart()
            yield {"data": str(number).encode()}

    publish_rows(_settings(server, {keys.SUBJECT: "s.out"}), rows(), "query", "7", 0)
    assert sorted(int(data) for _, data, _ in server.read("S")) == list(range(2_000))


# --- errors -----------------------------------------------------------------------------------------------------------


def _refusal(options: Mapping[str, str], server: NatsServer, *rows: Mapping[str, Any]) -> str:
    found = _settings(server, {keys.TIMEOUT: "0.3", **options})
    with pytest.raises(SourceFailed) as caught:
        publish_rows(found, rows, "query", "7", 0) if rows else BoundedReader(found).partitions()
    return caught.value.sentence


def test_what_cannot_be_published_is_named(server: NatsServer) -> None:
    _fill(server, 1)
    row = {"data": b"1", "subject": "s.1"}
    assert "stores a subject of the rows within 0.3 seconds" in _refusal({}, server, {**row, "subject": "none"})
    assert _refusal({}, server, {**row, "subject": "s.*"}).startswith("A row for NATS has the subject 's.*'")
    assert _refusal({}, server, {"data": b"1"}).startswith("A row for NATS has the subject ''; it needs one")
    assert "is larger than" in _refusal({}, server, {**row, "data": b"1" * 2_000_000})
    assert "invalid header: 'a b" in _refusal({}, server, {**row, "headers": {"a b": "c"}})


def test_a_full_stream_is_named(server: NatsServer) -> None:
    server.create("S", "s.*", max_msgs=1, discard="new")
    sentence = _refusal({}, server, {"data": b"1", "subject": "s.1"}, {"data": b"2", "subject": "s.1"})
    assert "refuses a request: maximum messages exceeded" in sentence


def test_servers_and_streams_that_are_not_there_are_named(server: NatsServer) -> None:
    assert f"NATS at {server.url} has no stream 'S'. Create it first" in _refusal({}, server)
    server.create("W", "w", retention="workqueue")
    assert "The stream W of NATS has the retention 'workqueue'" in _refusal({keys.STREAM: "W"}, server)
    server.kill()
    sentence = _refusal({}, server)
    assert sentence == (
        f"NATS at {server.url} cannot be reached within 0.3 seconds ('connection.timeout'). Check the option "
        "'servers', and that the server runs."
    )
    assert "x:y@" not in _refusal({keys.SERVERS: server.url.replace("//", "//x:y@")}, server)


def test_users(tmp_path: Path) -> None:
    server = NatsServer(
        tmp_path / "nats",
        'authorization { users = [ { user: ann, password: secret, permissions: { publish: ["$JS.API.>", "s.1"], '
        'subscribe: "_INBOX.>" } } ] }',
    )
    server.start()
    try:
        ann = {keys.USERNAME: "ann", keys.PASSWORD: "secret"}
        server.ask(lambda context: context.add_stream(name="S", subjects=["s.*"]), user="ann", password="secret")
        row = {"data": b"1", "subject": "s.1"}
        assert publish_rows(_settings(server, ann), [row], "query", "7", 0) == Published(1, 0)
        assert _sequences(_settings(server, ann), 1, 2) == [1]
        refused = _refusal({**ann, keys.PASSWORD: "wrong"}, server)
        assert refused.startswith(f"NATS at {server.url} does not accept the user 'ann': Authorization Violation.")
        assert "wrong" not in refused
        assert "does not accept a client without user and token" in _refusal({}, server)
        assert "does not accept the token" in _refusal({keys.TOKEN: "abc"}, server)
        sentence = _refusal(ann, server, {**row, "subject": "s.2"})
        assert "does not allow it to the user 'ann': permissions violation for publish to \"s.2\"." in sentence
    finally:
        server.kill()


def test_a_server_without_jetstream_is_named(tmp_path: Path) -> None:
    server = NatsServer(tmp_path / "nats", has_streams=False)
    server.start()
    try:
        assert "has no JetStream" in _refusal({}, server)
    finally:
        server.kill()


def test_a_missing_package_is_named(server: NatsServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "nats", None)
    with pytest.raises(SourceFailed) as caught, Client(_settings(server)) as client:
        client.stream_info()
    assert "needs the package nats-py, which the Python of Spark's workers lacks" in caught.value.sentence
    assert "-m pip install nats-py" in caught.value.sentence
