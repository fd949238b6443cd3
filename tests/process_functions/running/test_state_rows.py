"""Stored states as rows of a table, and as initial states of a new query."""

from __future__ import annotations

import datetime as dt
import decimal
import json
from typing import Any

import pyarrow as pa

from tableapi.spark.runtime.process.initial_states import convert_initial
from tableapi.spark.runtime.process.packing import KEY
from tableapi.spark.runtime.process.plan import FieldForm, Kind, StateForm, StoredForm
from tableapi.spark.runtime.process.state_rows import StateTable, read_states
from tableapi.spark.runtime.process.stored_collections import chunk_key
from tableapi.spark.runtime.process.stored_forms import head_of
from tableapi.spark.runtime.process.stored_values import join_stored, split_stored
from tests.process_functions.running.test_stream_running import encode

INTEGER: Kind = ("integer",)
STRING: Kind = ("string",)
ROW: Kind = ("row", (("a", ("decimal",)), ("t", ("timestamp",))))
OLD = StoredForm(b"old.....", (StateForm("count", "value", (FieldForm("n", INTEGER, "INT NOT NULL", 0),)),))
NEW = StoredForm(
    b"new.....",
    (
        StateForm(
            "count", "value", (FieldForm("n", INTEGER, "BIGINT NOT NULL", 0), FieldForm("r", ROW, "ROW<…>")), True
        ),
        StateForm("seen", "list", (FieldForm("element", INTEGER, "INT"),)),
        StateForm("last", "map", (FieldForm("key", STRING, "STRING"), FieldForm("value", INTEGER, "INT")), True),
    ),
)
TIMERS = pa.list_(
    pa.struct([("name", pa.string()), ("time", pa.timestamp("us", "UTC")), ("period", pa.duration("us"))])
)
VALUE = pa.struct([("n", pa.int64()), ("r", pa.struct([("a", pa.decimal128(9, 2)), ("t", pa.timestamp("us", "UTC"))]))])
SCHEMA = pa.schema(
    [
        pa.field("k", pa.int32()),
        pa.field("count", VALUE),
        pa.field("seen", pa.list_(pa.int32())),
        pa.field("last", pa.map_(pa.string(), pa.int32())),
        pa.field("timers", TIMERS),
        pa.field("watermark", pa.timestamp("us", "UTC")),
        pa.field("waiting_rows", pa.int64()),
        pa.field("bytes", pa.int64()),
    ]
)
EPOCH = dt.datetime(1970, 1, 1, tzinfo=dt.timezone.utc)


def _store(*rows: tuple[int, bytes, bytes]) -> pa.RecordBatch:
    columns = [[row[number] for row in rows] for number in range(3)]
    types = (pa.int32(), pa.binary(), pa.binary())
    arrays = [pa.array(column, known) for column, known in zip(columns, types, strict=True)]
    return pa.RecordBatch.from_arrays(arrays, ["partition_id", KEY, "state"])


def _waiting() -> bytes:
    sink = pa.BufferOutputStream()
    rows = pa.table({"_0": [1, 2, 3]})
    with pa.ipc.new_stream(sink, rows.schema) as writer:
        writer.write_table(rows)
    written: bytes = sink.getvalue().to_pybytes()
    return written


def _read(*batches: pa.RecordBatch) -> list[dict[str, Any]]:
    table = StateTable(SCHEMA, (INTEGER,), {0: (OLD, NEW), 1: (NEW,)}, {0: 1_500})
    return [row for batch in read_states(batches, table) for row in batch.to_pylist()]


def test_states_of_all_structures_and_versions() -> None:
    value = {"value": [7, ["1.5", "2024-05-01T10:00:00"]], "changed": 3}
    timers = [9, 1, [(2_000_000, "gap", None), (3_000_000, None, 60_000_000)]]
    stored = join_stored(NEW.fingerprint, [value, [1, 2], {"timed": True, "rest": [["x", 5, 1]]}], timers, _waiting())
    old = join_stored(OLD.fingerprint, [[4]], None)
    found = _read(
        _store((0, b"", b"{}"), (0, encode(1), old), (0, encode(2), stored)), _store((1, encode(None), stored))
    )
    assert [row["k"] for row in found] == [1, 2, None]
    assert found[0]["count"] == {"n": 4, "r": None}
    assert (found[0]["seen"], found[0]["last"], found[0]["timers"], found[0]["waiting_rows"]) == ([], [], [], 0)
    assert found[0]["watermark"] == EPOCH + dt.timedelta(milliseconds=1_500)
    assert found[0]["bytes"] == len(old)
    second = {**found[1], "k": None, "watermark": None}
    assert found[2] == second
    time = dt.datetime(2024, 5, 1, 10, tzinfo=dt.timezone.utc)
    assert second["count"] == {"n": 7, "r": {"a": decimal.Decimal("1.50"), "t": time}}
    assert (second["seen"], second["last"], second["waiting_rows"]) == ([1, 2], [("x", 5)], 3)
    assert [(timer["name"], timer["time"], timer["period"]) for timer in second["timers"]] == [
        ("gap", EPOCH + dt.timedelta(seconds=2), None),
        (None, EPOCH + dt.timedelta(seconds=3), dt.timedelta(minutes=1)),
        ("watermark", None, None),
    ]


def test_parts_of_large_collections_are_read_whatever_their_place() -> None:
    key = encode(1)
    states = [
        {"value": [7, None], "changed": None},
        {"rest": [5], "chunks": [3, 2, 1]},
        {"timed": True, "buckets": 2, "count": 3, "next": 3, "size": 99},
    ]
    chunks = {
        ("seen", 3): [1, 2],
        ("seen", 4): [4],
        ("last", 0): [["c", 3, 2, 8], ["a", 1, 0, 8]],
        ("last", 1): [["b", 2, 1, 8]],
    }
    rows = [(1, chunk_key(key, *place), json.dumps(part).encode()) for place, part in chunks.items()]
    stored = join_stored(NEW.fingerprint, states, None)
    rows.insert(2, (1, key, stored))
    (found,) = _read(_store(*rows))
    assert (found["seen"], found["last"]) == ([1, 2, 4, 5], [("a", 1), ("b", 2), ("c", 3)])
    assert found["bytes"] == sum(len(row[2]) for row in rows)


def test_initial_states() -> None:
    again = (OLD, NEW, OLD, NEW)
    key = encode(1)
    timers = [9, 0, [(2_000_000, "gap", None)]]
    chunk = (0, chunk_key(key, "seen", 3), b"[1]")
    stored = join_stored(head_of(again, 2), [[4]], timers, b"rows")
    (batch,) = convert_initial([_store((0, b"", b"{}"), chunk, (0, key, stored))], {0: again})
    part, state = batch.to_pylist()
    assert part == {KEY: key, "key": chunk[1], "state": b"[1]", "wake": None}
    assert (state[KEY], state["key"], state["wake"]) == (key, key, 9)
    # The new query knows one form alone.
    assert split_stored(state["state"]) == (
        NEW.fingerprint,
        [{"value": [4, None], "changed": None}, [], {"timed": True, "rest": []}],
        [9, 0, [[2_000_000, "gap", None]]],
        b"rows",
    )
