"""The runtime of streams over random micro-batches, against a model; states are stored between any two."""

from __future__ import annotations

import dataclasses
import datetime as dt
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import pyarrow as pa
import pytest

from tableapi.process_functions import ProcessTableFunction
from tableapi.spark.runtime.failures import FunctionFailed
from tableapi.spark.runtime.process import stream_running
from tableapi.spark.runtime.process.packing import in_order, pack
from tableapi.spark.runtime.process.plan import Plan, StatePlan, StoredPlan, StoredState
from tableapi.spark.runtime.process.state_store import Change
from tableapi.spark.runtime.process.stream_running import StreamRunning
from tests.process_functions.running.tasks import CONTEXT, INPUT, TIME, plan_of, state
from tests.process_functions.stream_model import Batch, Model

# Stands for the only partition of a call without PARTITION BY.
WHOLE = -1
START = dt.datetime(2024, 5, 1)
SECOND = dt.timedelta(seconds=1)
_EPOCH = dt.datetime(1970, 1, 1)
_MICROSECOND = dt.timedelta(microseconds=1)


def encode(key: Any) -> bytes:
    """Return the encoding of a key as Spark makes it."""
    if key == 0:
        # 0.0 and -0.0 are one key.
        key = abs(key)
    if key == WHOLE:
        return b"\xff"
    if key is None:
        return b"\x00"
    text = str(key).encode()
    return b"\x01" + len(text).to_bytes(4, "big") + text


@dataclass
class Memory:
    """A state store and the wake-ups of Spark, in memory."""

    states: dict[bytes, bytes] = field(default_factory=dict)
    wakes: set[tuple[bytes, int]] = field(default_factory=set)
    reads: int = 0
    writes: int = 0

    def read(self, keys: Sequence[bytes]) -> list[bytes | None]:
        self.reads += len(keys)
        return [self.states.get(key) for key in keys]

    def write(self, changes: Sequence[Change]) -> None:
        for change in changes:
            if change.is_changed:
                self.writes += 1
                if change.state is None:
                    self.states.pop(change.key, None)
                else:
                    self.states[change.key] = change.state
            if change.cancelled is not None:
                self.wakes.remove((change.key, change.cancelled))
            if change.registered is not None:
                assert (change.key, change.registered) not in self.wakes
                self.wakes.add((change.key, change.registered))

    def due(self, reached: int | None, watermark: int | None) -> list[tuple[bytes, int]]:
        """Return the wake-ups that Spark finds after the rows of a micro-batch, in the order of their times.

        Spark looks at those after the watermark of the micro-batch before. It takes 0 for the watermark before the
        first one, so that a wake-up at 0 is never found.

        Args:
            reached: the watermark of the micro-batch before, in microseconds; None before the first one.
            watermark: the watermark of the micro-batch, in microseconds; None before the first one.
        """
        found = [(key, wake) for key, wake in self.wakes if (reached or 0) < wake * 1_000 <= (watermark or 0)]
        return sorted(found, key=lambda pair: pair[1])

    def fire(
        self, running: StreamRunning, reached: int | None, watermark: int | None, most: int
    ) -> Iterator[pa.RecordBatch]:
        """Have what is due processed as Spark's worker does, some partitions at a time."""
        due = self.due(reached, watermark)
        for first in range(0, len(due), most):
            yield from running.fire(due[first : first + most])
            # Spark deletes the wake-up that it handles, after the processor has registered the next one.
            self.wakes.remove(due[first])


class Stream:
    """Runs a plan over micro-batches as Spark does: a new run for each, and timers after its rows."""

    def __init__(self, plan: Plan, stored: StoredPlan) -> None:
        self.plan, self.stored = plan, stored
        self.memory = Memory()
        self.reached: int | None = None
        self.late = 0

    def run(self, batches: Sequence[Batch]) -> list[list[tuple[Any, Any, dt.datetime]]]:
        return [sorted(self._batch(*batch), key=repr) for batch in batches]

    def _batch(self, rows: Sequence[Any], watermark: dt.datetime | None) -> list[tuple[Any, Any, dt.datetime]]:
        following = None if watermark is None else _microseconds(watermark)
        running = StreamRunning(self.plan, self.stored, self.memory, self.reached, following)
        found: list[pa.RecordBatch] = []
        try:
            for batch in _packed(rows):
                found += running.rows(batch, [])
            found += running.end()
            found += self.memory.fire(running, self.reached, following, 2)
            assert len({key for key, _ in self.memory.wakes}) == len(self.memory.wakes)
        finally:
            running.close()
        self.late += running.late_rows
        self.reached = following
        return [(*row[:1], repr(row[1]), row[2]) for batch in found for row in _rows(batch)]


def _rows(batch: pa.RecordBatch) -> Iterator[tuple[Any, ...]]:
    *keys, out, times = [column.to_pylist() for column in batch.columns]
    if not keys:
        keys = [[WHOLE] * len(out)]
    return zip(*keys, zip(out, strict=True), times, strict=True)


def _packed(rows: Sequence[Any]) -> Iterator[pa.RecordBatch]:
    """Return rows as a task of Spark gets them."""
    return in_order(packed_rows(batch_of(rows), 3), lambda task: None)


def batch_of(rows: Sequence[Any]) -> pa.RecordBatch:
    """Return rows with the encoding of their keys."""
    columns = [
        pa.array([key for key, _, _ in rows], pa.int64()),
        pa.array([None if time is None else _microseconds(time) for _, time, _ in rows], pa.int64()).cast(TIME),
        pa.array([value for _, _, value in rows], pa.int64()),
        pa.array([encode(key) for key, _, _ in rows], pa.binary()),
    ]
    return pa.RecordBatch.from_arrays(columns, ["k", "ts", "v", "key"])


def packed_rows(rows: pa.RecordBatch, task: int) -> list[Packed]:
    """Return the packed rows of a task as Spark gives them to its processor."""
    return [Packed(*row.values()) for batch in pack([rows], [1], task) for row in batch.to_pylist()]


@dataclass
class Packed:
    key: bytes
    task: int
    number: int
    rows: bytes


def _microseconds(time: dt.datetime) -> int:
    return (time - _EPOCH) // _MICROSECOND


# --- functions -------------------------------------------------------------------------------------------------------


@dataclass
class Seen:
    """A state with a field of each simple kind, all of which may be NULL."""

    rows: int = 0
    total: int | None = None
    last: dt.datetime | None = None
    names: list[str | None] = field(default_factory=list)


class Everything(ProcessTableFunction):
    """Registers and deletes timers of all kinds, by the values of its rows, and shows what it sees."""

    def eval(self, ctx: Any, seen: Any, row: Any) -> Iterator[tuple[str]]:
        return everything(ctx, seen, row.v)

    def on_timer(self, ctx: Any, seen: Any) -> Iterator[tuple[str]]:
        return on_timer(ctx, seen)


def everything(ctx: Any, seen: Seen, value: int) -> Iterator[tuple[str]]:
    timers = ctx.timers()
    now = timers.current_time()
    seen.rows += 1
    seen.total = None if value % 3 == 0 else (seen.total or 0) + value
    seen.last = now
    seen.names.append(None if value % 5 == 0 else f"n{value}")
    match value % 8:
        case 0:
            timers.register_on_time("timeout", now + 20 * SECOND)
        case 1:
            timers.register_on_time(now + 5 * SECOND)
        case 2:
            timers.register_on_periodic_time("beat", now + 3 * SECOND, 10 * SECOND)
        case 3:
            timers.register_on_watermark()
        case 4:
            timers.delete_timer("beat")
            timers.delete_timer(now + 5 * SECOND)
        case 5:
            # In the past: it fires with the next watermark.
            timers.register_on_time("past", now - 100 * SECOND)
        case 6:
            ctx.clear_all()
        case 7:
            timers.register_on_periodic_watermark()
    yield (f"row {value} of {seen} at {timers.current_watermark()}",)


def on_timer(ctx: Any, seen: Seen) -> Iterator[tuple[str]]:
    timers = ctx.timers()
    name, now = ctx.current_timer(), timers.current_time()
    yield (f"{name} {now} {timers.current_watermark()} {timers.following_watermark()} {seen}",)
    if name == "timeout":
        ctx.clear_all()
    elif name == "beat" and seen.rows > 4:
        timers.delete_timer("beat")
    elif name == "watermark" and seen.rows > 3:
        ctx.clear_all_timers()
    elif name is None:
        seen.rows += 1


STORED = StoredState(
    "seen",
    ("rows", "total", "last", "names"),
    (("integer",), ("integer",), ("timestamp",), ("array", ("string",))),
    (None,) * 4,
)


def stream_of(function: ProcessTableFunction, stored: StoredState = STORED, create: Callable[[], Any] = Seen) -> Stream:
    plan = plan_of(
        function,
        [CONTEXT, state(), INPUT],
        [("out", pa.string())],
        states=[StatePlan("seen", create)],
        on_timer=(CONTEXT, state()),
    )
    return Stream(plan, StoredPlan("s_f", (stored,), b"12345678", (("integer",),), 3, True))


def random_batches(seed: int, count: int = 60) -> list[Batch]:
    """Return rows in random micro-batches, with some of them out of order, and watermarks that lag behind."""
    chosen = random.Random(seed)
    batches: list[Batch] = []
    now, watermark = START, None
    keys = [None, *range(1, chosen.randrange(2, 7))]
    while count > 0:
        rows = []
        for _ in range(min(count, chosen.choice([0, 1, 2, 5, 12]))):
            now += chosen.choice([0, 0.0005, 1, 3, 15]) * SECOND
            late = chosen.choice([0, 0, 0, 4, 40]) * SECOND
            rows.append((chosen.choice(keys), now - late, chosen.randrange(100)))
            count -= 1
        chosen.shuffle(rows)
        batches.append((rows, watermark))
        # Spark's watermark has whole milliseconds.
        seen = now - 10 * SECOND
        watermark = seen - dt.timedelta(microseconds=seen.microsecond % 1_000)
        count -= 1
    return [*batches, ([], watermark), ([], None if watermark is None else watermark + 60 * SECOND)]


@pytest.mark.parametrize("seed", range(60))
def test_random_micro_batches(seed: int) -> None:
    batches = random_batches(seed)
    stream, model = stream_of(Everything()), Model(Seen, everything, on_timer)
    # Rows of one key and one time may come in either order.
    assert stream.run(_distinct(batches)) == model.run(_distinct(batches))
    assert stream.late == model.late


def _distinct(batches: Sequence[Batch]) -> list[Batch]:
    """Keep one row of each key and time in a micro-batch."""
    return [(list({(key, time): (key, time, value) for key, time, value in rows}.values()), w) for rows, w in batches]


@pytest.mark.parametrize("seed", range(10))
def test_random_micro_batches_of_one_partition(seed: int) -> None:
    stream, model = stream_of(Everything()), Model(Seen, everything, on_timer)
    output = pa.schema([field for field in stream.plan.output if field.name != "k"])
    stream.plan = dataclasses.replace(stream.plan, keys=(), forwarded=(), output=output)
    stream.stored = dataclasses.replace(stream.stored, keys=())
    batches = [([(WHOLE, *row[1:]) for row in rows], watermark) for rows, watermark in random_batches(seed)]
    expected = model.run(_distinct(batches))
    assert [[(WHOLE, *row[1:]) for row in rows] for rows in stream.run(_distinct(batches))] == expected


def test_what_is_empty_is_not_stored() -> None:
    stream = stream_of(Everything())
    stream.run([([(1, START, 1), (2, START, 1), (3, START + SECOND, 6)], None)])
    assert set(stream.memory.states) == {encode(1), encode(2)}
    # Value 6 clears everything.
    stream.run([([(1, START + SECOND, 6)], None)])
    assert set(stream.memory.states) == {encode(2)}
    assert {key for key, _ in stream.memory.wakes} == {encode(2)}


class Reading(ProcessTableFunction):
    def eval(self, ctx: Any, seen: Any, row: Any) -> Iterator[tuple[str]]:
        if seen.rows == 0:
            seen.rows = 1
        yield ("read",)


def test_a_state_is_read_once_and_written_if_it_changed() -> None:
    stream = stream_of(Reading())
    batches: list[Batch] = [([(key, START + n * SECOND, n) for key in range(1_000) for n in range(3)], None)] * 3
    assert [len(rows) for rows in stream.run(batches)] == [3_000] * 3
    assert (stream.memory.reads, stream.memory.writes) == (3_000, 1_000)


class Failing(ProcessTableFunction):
    def eval(self, ctx: Any, seen: Any, row: Any) -> Iterator[tuple[str]]:
        if row.v == 1:
            seen.total = "much"
        if row.v == 2:
            seen.color = "red"
        if row.v == 3:
            raise ValueError("three")
        if row.v == 4:
            ctx.timers().register_on_time(ctx.timers().current_time())
        yield ("fine",)

    def on_timer(self, ctx: Any, seen: Any) -> Iterator[tuple[str]]:
        raise ValueError(f"timer of {seen.rows}")


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        (1, r"the field 'total' of the state 'seen' is 'much', which cannot be stored: "),
        (2, r"the state 'seen' was given attributes that its class does not declare, .*: color"),
        (3, "ValueError: three"),
        (4, "ValueError: timer of 0"),
    ],
)
def test_failures_name_the_key(value: int, reason: str) -> None:
    stream = stream_of(Failing())
    with pytest.raises(FunctionFailed, match=reason) as raised:
        stream.run([([(7, START, value)], START), ([], START + SECOND)])
    assert "partition=(7,)" in str(raised.value)
    assert ("v=3" in str(raised.value)) == (value == 3)


def test_a_state_that_no_value_of_the_store_can_hold_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stream_running, "MOST_OF_VALUE", 10)
    with pytest.raises(FunctionFailed, match=r"has \d+ bytes, and Spark stores at most 10 in a value") as raised:
        stream_of(Reading()).run([([(7, START, 1)], START)])
    assert "partition=(7,)" in str(raised.value)


def test_a_time_that_is_null_is_reported() -> None:
    stream = stream_of(Reading())
    stream.reached = _microseconds(START)
    with pytest.raises(FunctionFailed, match="the time of a row, in the column that on_time names, is NULL"):
        stream.run([([(1, None, 1)], None)])


def test_states_of_other_types_are_reported() -> None:
    stream = stream_of(Reading())
    stream.run([([(1, START, 1)], None)])
    stream.stored = StoredPlan("s_f", (STORED,), b"87654321", (("integer",),), 3, True)
    with pytest.raises(FunctionFailed, match="a function whose states have other types has stored the state"):
        stream.run([([(1, START, 1)], None)])


def test_timers_without_end_are_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tableapi.spark.runtime.process.running._MOST_TIMERS", 100)

    class Endless(ProcessTableFunction):
        def eval(self, ctx: Any, seen: Any, row: Any) -> None:
            ctx.timers().register_on_time("again", ctx.timers().current_time())

        def on_timer(self, ctx: Any, seen: Any) -> None:
            ctx.timers().register_on_time("again", ctx.timers().current_time())

    with pytest.raises(FunctionFailed, match="more than 100 timers have fired after the last row"):
        stream_of(Endless()).run([([(1, START, 1)], START)])


def test_chunks_come_in_any_order(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tableapi.spark.runtime.process.packing.BATCH", 10)
    monkeypatch.setattr("tableapi.spark.runtime.process.packing.CHUNK_BYTES", 500)
    packed = packed_rows(batch_of([(n % 7, START + n * SECOND, n) for n in range(100)]), 5)
    assert len(packed) > 3
    assert {row.key for row in packed} == {encode(0)}
    expected = sorted(range(100), key=lambda n: (n % 7, n))
    for order in (packed, packed[::-1], packed[2:] + packed[:2]):
        tasks: list[int] = []
        assert [n for batch in in_order(order, tasks.append) for n in batch.column(2).to_pylist()] == expected
        assert tasks == [5] * len(packed)
