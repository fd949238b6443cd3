"""The stateful processor with a handle like that of PySpark, whose client lets no requests be sent ahead."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import pyarrow as pa
import pytest

from tableapi.spark.process_functions import pickle_value
from tableapi.spark.runtime.process.packing import unpack
from tableapi.spark.runtime.process.partition_keys import PROGRESS_KEY
from tableapi.spark.runtime.process.state_store import Prefetched
from tableapi.spark.runtime.process.stream_processor import StreamProcessor
from tableapi.spark.runtime.process.stream_running import StreamRunning
from tests.process_functions.running.test_stream_running import (
    SECOND,
    START,
    Everything,
    batch_of,
    encode,
    packed_rows,
    stream_of,
)

_MILLISECOND = dt.timedelta(milliseconds=1)


@dataclass
class Store:
    """The state of a partition of Spark, which outlives its handles."""

    values: dict[bytes, bytes] = field(default_factory=dict)
    timers: set[tuple[bytes, int]] = field(default_factory=set)


class Handle:
    """The handle of a task, with the methods that PySpark documents."""

    def __init__(self, store: Store, watermark: int, state: str = "CREATED") -> None:
        self._store, self._watermark, self._key = store, watermark, b""
        self._statefulProcessorApiClient = self
        self.handle_state = type("State", (), {"name": state})

    def getValueState(self, name: str, schema: Any) -> Handle:
        assert name == "s_f"
        return self

    def set_implicit_key(self, key: tuple[bytes]) -> None:
        assert self.handle_state.name != "PRE_INIT"
        self._key = key[0]

    def get_timestamps(self, mode: str) -> tuple[int, int]:
        return 0, self._watermark

    def get(self) -> tuple[bytes] | None:
        found = self._store.values.get(self._key)
        return None if found is None else (found,)

    def update(self, value: tuple[bytes]) -> None:
        self._store.values[self._key] = value[0]

    def clear(self) -> None:
        self._store.values.pop(self._key, None)

    def registerTimer(self, time: int) -> None:
        self._store.timers.add((self._key, time))

    def deleteTimer(self, time: int) -> None:
        self._store.timers.remove((self._key, time))

    def getExpiryTimeInMs(self) -> int:
        return self._watermark


def _processor() -> StreamProcessor:
    stream = stream_of(Everything())
    return StreamProcessor(pickle_value((StreamRunning, stream.plan, stream.stored)), "s_f", True, 3)


def _milliseconds(time: dt.datetime) -> int:
    return (time - dt.datetime(1970, 1, 1)) // _MILLISECOND


def _read(rows: Iterator[Any]) -> list[str]:
    batch = pa.RecordBatch.from_arrays([pa.array([row.rows for row in rows], pa.binary())], ["rows"])
    return [value for made in unpack(iter([batch])) for value in made.column(1).to_pylist()]


def _batch(processor: StreamProcessor, store: Store, rows: Sequence[Any], watermark: int, task: int = 3) -> list[str]:
    """Run a micro-batch as Spark's worker does."""
    handle = Handle(store, watermark)
    processor.init(handle)
    found = []
    if rows:
        packed = packed_rows(batch_of(rows), task)
        handle.set_implicit_key((packed[0].key,))
        found += _read(processor.handleInputRows((packed[0].key,), iter(packed), None))
    for key, time in sorted(store.timers):
        if time <= watermark:
            handle.set_implicit_key((key,))
            expired = Handle(store, time)
            found += _read(processor.handleExpiredTimer((key,), None, expired))
            handle.deleteTimer(time)
    processor.close()
    return found


def test_micro_batches() -> None:
    processor, store = _processor(), Store()
    # Value 0 registers a timeout of 20 seconds.
    (made,) = _batch(processor, store, [(1, START, 0)], 0)
    assert made.startswith("row 0 of Seen(rows=1")
    assert store.timers == {(encode(1), _milliseconds(START + 20 * SECOND))}
    watermark = _milliseconds(START + 10 * SECOND)
    assert _batch(processor, store, [], watermark) == []
    # The row is late.
    assert _batch(processor, store, [(1, START + 10 * SECOND, 0)], watermark) == []
    (fired,) = _batch(processor, store, [], _milliseconds(START + 25 * SECOND))
    assert fired.startswith("timeout 2024-05-01 00:00:20 2024-05-01 00:00:25 None Seen(rows=1")
    assert set(store.values) == {PROGRESS_KEY}
    assert store.timers == set()


def test_rows_of_another_task_are_refused() -> None:
    processor, store = _processor(), Store()
    _batch(processor, store, [(1, START, 0)], 0)
    with pytest.raises(
        RuntimeError, match=r"rows of the partition 4 to the state of the partition 3(.*)adaptive\.enabled"
    ):
        _batch(processor, store, [(2, START, 0)], 0, task=4)
    assert encode(2) not in store.values


def test_the_driver_asks_for_names_alone() -> None:
    processor = _processor()
    processor.init(Handle(Store(), 0, "PRE_INIT"))
    processor.close()


def test_states_are_read_in_groups() -> None:
    asked: list[int] = []

    def read(keys: Sequence[bytes]) -> list[bytes | None]:
        asked.append(len(keys))
        return list(keys)

    expected = Prefetched(read)
    keys = [bytes([n % 256, n // 256]) for n in range(600)]
    expected.expect(keys[:300])
    taken = [expected.take() for _ in range(10)]
    expected.expect(keys[300:])
    taken += [expected.take() for _ in range(590)]
    assert taken == [(key, key) for key in keys]
    assert asked == [256, 256, 88]
