"""The worker runtime without Spark: capacity, order, failures, and cleanup."""

from __future__ import annotations

import asyncio
import threading
import time
import tracemalloc
from collections.abc import Awaitable, Callable, Iterator, Sequence
from typing import Any

import pyarrow as pa
import pytest

from tableapi.spark.runtime.asynchronous.keys import key_of
from tableapi.spark.runtime.asynchronous.program import Argument, AsyncFunction, PlannedCall, Settings, Stage
from tableapi.spark.runtime.asynchronous.stage import batches_of
from tableapi.spark.runtime.failures import FunctionFailed

INT64 = pa.int64()


def settings(**changes: Any) -> Settings:
    return Settings(**{"capacity": 10, "timeout": 30.0, **changes})


def function(call: Callable[..., Awaitable[Any]], result: pa.DataType = INT64, **changes: Any) -> AsyncFunction:
    more = {name: changes.pop(name) for name in ("call_many", "open", "close", "required") if name in changes}
    return AsyncFunction("f", call, result, settings(**changes), **more)


def stage_of(*functions: AsyncFunction, calls: Sequence[PlannedCall] | None = None, **changes: Any) -> Stage:
    calls = [PlannedCall(0, [Argument(0, is_call=False)])] if calls is None else calls
    return Stage(functions, calls, range(len(calls)), make_row=lambda names, values: tuple(values), **changes)


def run(stage: Stage, *batches: Sequence[Any]) -> list[Any]:
    """Return the results of the first call for all rows, in the order of output."""
    arrays = [(pa.array(batch, pa.int64()),) for batch in batches]
    return [row["f0"] for made in batches_of(stage)(iter(arrays)) for row in made.to_pylist()]


class Counter:
    """Count the calls, and the maximum in flight."""

    def __init__(self, latency: float = 0.005) -> None:
        self.calls: list[Any] = []
        self.now = 0
        self.most = 0
        self.latency = latency
        self.starts: list[float] = []

    async def __call__(self, x: Any) -> Any:
        self.calls.append(x)
        self.starts.append(time.monotonic())
        self.now += 1
        self.most = max(self.most, self.now)
        try:
            await asyncio.sleep(self.latency)
        finally:
            self.now -= 1
        return x


@pytest.fixture(autouse=True)
def nothing_left() -> Iterator[None]:
    """Check that every thread of the runtime ends."""
    before = set(threading.enumerate())
    yield
    assert [thread.name for thread in set(threading.enumerate()) - before] == []


# --- capacity and order ----------------------------------------------------------------------------------------------


def test_as_many_at_once_as_the_capacity_allows_and_no_more() -> None:
    counter = Counter()
    assert run(stage_of(function(counter, capacity=7)), range(100)) == list(range(100))
    assert (counter.most, len(counter.calls)) == (7, 100)


def test_the_capacity_spans_batches() -> None:
    counter = Counter(0.05)
    batches = [range(i, i + 3) for i in range(0, 300, 3)]
    assert run(stage_of(function(counter, capacity=60)), *batches) == list(range(300))
    # If each batch had to finish before the next one, only three calls would be in flight.
    assert counter.most == 60


def test_order_is_kept_whatever_takes_long() -> None:
    async def uneven(x: int) -> int:
        await asyncio.sleep(0.05 if x % 7 == 0 else 0)
        return x

    assert run(stage_of(function(uneven)), range(50), range(50, 60)) == list(range(60))


def test_completed_rows_are_emitted_with_their_results() -> None:
    async def backwards(x: int) -> int:
        await asyncio.sleep((10 - x) / 50)
        return x * 2

    stage = stage_of(function(backwards), kept=[0], is_ordered=False)
    batches = [(pa.array(range(5)),), (pa.array(range(5, 10)),)]
    rows = [tuple(row.values()) for made in batches_of(stage)(iter(batches)) for row in made.to_pylist()]
    assert sorted(rows) == [(x * 2, x) for x in range(10)]
    assert rows[0] == (18, 9)


def test_a_slow_row_does_not_stop_the_others_in_order() -> None:
    counter = Counter(0.0)

    async def first_is_slow(x: int) -> Any:
        if x == 0:
            await asyncio.sleep(0.5)
            return len(counter.calls)
        return await counter(x)

    found = run(stage_of(function(first_is_slow, capacity=4)), range(2000))
    assert found[0] == 1999


@pytest.mark.slow
def test_rows_inside_are_bounded() -> None:
    taken = 0

    def batches() -> Iterator[Any]:
        nonlocal taken
        for _ in range(100):
            taken += 1
            yield (pa.array([1] * 1000),)

    async def first_hangs(x: int) -> int:
        if not hung.is_set():
            hung.set()
            await asyncio.sleep(1)
        return x

    hung = threading.Event()
    outputs = batches_of(stage_of(function(first_hangs, capacity=100)))(batches())
    next(outputs)
    # The rows that may wait behind a slow row, plus the batch that is being read.
    assert taken <= 12
    assert sum(len(made) for made in outputs) < 100_000
    assert taken == 100


@pytest.mark.slow
def test_memory_is_flat() -> None:
    sizes: list[int] = []

    def batches() -> Iterator[Any]:
        for number in range(12):
            sizes.append(tracemalloc.get_traced_memory()[0])
            yield (pa.array(range(number * 5000, (number + 1) * 5000)),)

    async def text(x: int) -> str:
        await asyncio.sleep(0)
        return f"{x:100}"

    tracemalloc.start()
    try:
        count = 0
        for made in batches_of(stage_of(function(text, pa.string(), capacity=1000)))(batches()):
            count += len(made)
    finally:
        tracemalloc.stop()
    assert count == 60_000
    # All results together would take 9 MB, and their rows another 9 MB.
    assert max(sizes[4:]) < max(sizes[:4]) + 2 * 2**20


def test_no_rows() -> None:
    assert run(stage_of(function(Counter()))) == []
    assert run(stage_of(function(Counter())), [], [1], []) == [1]


# --- several calls ---------------------------------------------------------------------------------------------------


def test_calls_of_a_row_are_in_flight_together_and_a_nested_one_starts_when_its_argument_is_there() -> None:
    events: list[tuple[str, int]] = []

    def told(name: str, seconds: Callable[[int], float]) -> Callable[[int], Awaitable[int]]:
        async def call(x: int) -> int:
            events.append((name, x))
            await asyncio.sleep(seconds(x))
            return x + 100

        return call

    first = function(told("first", lambda x: 0.3 if x else 0.0))
    other = function(told("other", lambda x: 0.0))
    nested = function(told("nested", lambda x: 0.0))
    column, result = Argument(0, is_call=False), Argument(0, is_call=True)
    calls = [PlannedCall(0, [column]), PlannedCall(1, [column]), PlannedCall(2, [result])]
    stage = stage_of(first, other, nested, calls=calls)
    made = [row for made in batches_of(stage)(iter([(pa.array([1, 0]),)])) for row in made.to_pylist()]
    assert [tuple(row.values()) for row in made] == [(101, 101, 201), (100, 100, 200)]
    assert events.index(("other", 1)) < events.index(("nested", 100)) < events.index(("nested", 101))


def test_a_guard_keeps_rows_from_a_call_and_from_those_that_need_it() -> None:
    counter = Counter()
    calls = [
        PlannedCall(0, [Argument(0, is_call=False)], guard=1),
        PlannedCall(0, [Argument(0, is_call=True)], guard=1),
    ]
    stage = stage_of(function(counter), calls=calls)
    columns = (pa.array([1, 2, 3]), pa.array([True, False, None]))
    rows = [tuple(row.values()) for made in batches_of(stage)(iter([columns])) for row in made.to_pylist()]
    assert rows == [(1, 1), (None, None), (None, None)]
    assert counter.calls == [1, 1]


# --- failures --------------------------------------------------------------------------------------------------------


class Failing:
    """Fail ``times`` times for each argument."""

    def __init__(self, times: int, error: BaseException | None = None) -> None:
        self.times = times
        self.error = error or ConnectionError("no luck")
        self.calls: list[int] = []

    async def __call__(self, x: int) -> int:
        self.calls.append(x)
        await asyncio.sleep(0.001)
        if self.calls.count(x) <= self.times:
            raise self.error
        return x


FIXED = {"strategy": "FIXED_DELAY", "delay": 0.001, "attempts": 3}


def test_retries() -> None:
    failing = Failing(2)
    assert run(stage_of(function(failing, **FIXED)), [1, 2]) == [1, 2]
    assert len(failing.calls) == 6


@pytest.mark.parametrize(
    ("changes", "attempts"),
    [({}, 1), (FIXED, 3), ({**FIXED, "is_retryable": lambda error: not isinstance(error, ConnectionError)}, 1)],
)
def test_the_failure_names_function_arguments_and_attempts(changes: dict[str, Any], attempts: int) -> None:
    with pytest.raises(FunctionFailed) as raised:
        run(stage_of(function(Failing(9), **changes)), [7])
    told = str(raised.value)
    assert f'"attempts": {attempts}' in told
    assert '"function": "f", "arguments": ["7"], "error": "ConnectionError: no luck"' in told
    assert "raise self.error" in told


def test_results_of_failed_calls() -> None:
    assert run(stage_of(function(Failing(9), on_failure="NULL")), [1]) == [None]
    assert run(stage_of(function(Failing(9), on_failure="DEFAULT", default=-1)), [1]) == [-1]


def test_the_timeout_is_over_all_attempts() -> None:
    cancelled = []

    async def hang(x: int) -> int:
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            cancelled.append(x)
            raise
        return x

    with pytest.raises(FunctionFailed, match=r"TimeoutError: no result within 0\.2 s, the timeout of a call"):
        run(stage_of(function(hang, timeout=0.2, **FIXED)), [1])
    assert cancelled == [1]
    failing = Failing(10**6)
    with pytest.raises(FunctionFailed, match="ConnectionError"):
        run(stage_of(function(failing, timeout=0.2, strategy="FIXED_DELAY", delay=0.05, attempts=10**6)), [1])
    assert 2 <= len(failing.calls) <= 5


def test_delays_grow_up_to_the_longest_and_are_spread() -> None:
    growing = settings(strategy="EXPONENTIAL_DELAY", delay=1.0, longest_delay=5.0, attempts=9)
    delays = [[growing.delay_after(attempt) for _ in range(50)] for attempt in (1, 2, 3, 2000)]
    for found, middle in zip(delays, (1, 2, 4, 5), strict=True):
        assert all(0.8 * middle <= delay <= 1.2 * middle for delay in found)
        assert len(set(found)) > 40


def test_a_failure_cancels_the_others() -> None:
    ended: list[int] = []

    async def one_fails(x: int) -> int:
        if x == 3:
            await asyncio.sleep(0.05)
            raise ValueError("three")
        try:
            await asyncio.sleep(60)
        finally:
            ended.append(x)
        return x

    with pytest.raises(FunctionFailed, match="three"):
        run(stage_of(function(one_fails)), range(6))
    assert sorted(ended) == [0, 1, 2, 4, 5]


def test_a_cancellation_that_a_function_lets_out_is_a_failure() -> None:
    async def cancels(x: int) -> int:
        raise asyncio.CancelledError("inner")

    with pytest.raises(FunctionFailed, match="CancelledError"):
        run(stage_of(function(cancels)), [1])


def test_a_result_of_a_wrong_type() -> None:
    async def wrong(x: int) -> Any:
        return "text" if x == 2 else x

    with pytest.raises(FunctionFailed, match=r"\[\"2\"\].*the result 'text' is no value of its type BIGINT"):
        run(stage_of(function(wrong)), [1, 2])
    with pytest.raises(FunctionFailed, match="no value of its type INT: it is out of range"):
        run(stage_of(function(Counter(), pa.int32())), [2**40])


def test_reading_ends_with_a_limit_or_a_failure_of_the_input() -> None:
    closed = []
    counter = Counter()
    made = batches_of(stage_of(function(counter, close=lambda: closed.append(1))))(
        iter([(pa.array(range(1000)),), (pa.array(range(5000)),)])
    )
    next(made)
    made.close()  # type: ignore[attr-defined]  # it is a generator
    assert closed == [1]
    assert counter.now == 0

    def broken() -> Iterator[Any]:
        yield (pa.array([1]),)
        raise EOFError("the task was killed")

    with pytest.raises(EOFError):
        list(batches_of(stage_of(function(counter, close=lambda: closed.append(2))))(broken()))
    assert closed == [1, 2]


# --- opening and closing ---------------------------------------------------------------------------------------------


def test_functions_are_opened_and_closed_once_in_the_loop() -> None:
    events: list[str] = []

    async def opened() -> None:
        asyncio.get_running_loop()
        events.append("open")

    async def closed() -> None:
        events.append("close")

    counter = Counter()
    first = function(counter, open=opened, close=closed)
    second = function(counter, open=lambda: events.append("open 2"), close=lambda: events.append("close 2"))
    column = Argument(0, is_call=False)
    stage = stage_of(
        first, second, calls=[PlannedCall(0, [column]), PlannedCall(1, [column]), PlannedCall(0, [column])]
    )
    assert run(stage, [1], [2]) == [1, 2]
    assert events == ["open", "open 2", "close 2", "close"]


def test_failures_of_open_and_close() -> None:
    events: list[str] = []

    def fails() -> None:
        raise OSError("no")

    good = function(Counter(), open=lambda: None, close=lambda: events.append("closed"))
    column = Argument(0, is_call=False)
    both = [PlannedCall(0, [column]), PlannedCall(1, [column])]
    with pytest.raises(FunctionFailed, match=r"f\.open.*OSError: no"):
        run(stage_of(good, function(Counter(), open=fails, close=lambda: events.append("never")), calls=both), [1])
    assert events == ["closed"]
    with pytest.raises(FunctionFailed, match=r"f\.close.*OSError: no"):
        run(stage_of(function(Counter(), close=fails)), [1])


def test_tasks_that_a_function_leaves_behind_end() -> None:
    ended = []

    async def leaves(x: int) -> int:
        async def background() -> None:
            try:
                await asyncio.sleep(60)
            finally:
                ended.append(x)

        left.append(asyncio.get_running_loop().create_task(background()))
        await asyncio.sleep(0)
        return x

    left: list[asyncio.Task[None]] = []
    assert run(stage_of(function(leaves)), [1, 2]) == [1, 2]
    assert sorted(ended) == [1, 2]


def test_a_loop_may_run_already() -> None:
    async def notebook() -> list[Any]:
        return run(stage_of(function(Counter())), [1, 2, 3])

    assert asyncio.run(notebook()) == [1, 2, 3]


# --- fewer calls -----------------------------------------------------------------------------------------------------


def test_equal_arguments_share_the_call_in_flight() -> None:
    counter = Counter(0.05)
    assert run(stage_of(function(counter, deduplicate=True)), [1, 2, 1, None, 1, None]) == [1, 2, 1, None, 1, None]
    assert sorted(counter.calls, key=repr) == [1, 2, None]
    failing = Failing(9)
    assert run(stage_of(function(failing, deduplicate=True, on_failure="NULL")), [1, 1]) == [None, None]
    assert failing.calls == [1]


def test_results_are_kept() -> None:
    counter = Counter(0.0)
    stage = stage_of(function(counter, capacity=1, cache_size=2))
    assert run(stage, [1, 2, 1, 3, 1, 2]) == [1, 2, 1, 3, 1, 2]
    # The result for 2 was evicted for 3.
    assert counter.calls == [1, 2, 3, 2]
    counter = Counter(0.05)
    assert run(stage_of(function(counter, capacity=1, cache_size=9, cache_ttl=0.02)), [1, 2, 1]) == [1, 2, 1]
    assert counter.calls == [1, 2, 1]


def test_keys_distinguish_values_as_queries_do() -> None:
    nan = float("nan")
    assert key_of(nan) == key_of(float("nan"))
    different = [1, 1.0, True, "1", b"1", 0.0, -0.0, None, [1], (1,), {1: 1}, [1.0], [True]]
    assert len({key_of(value) for value in different}) == len(different)


def test_calls_in_batches() -> None:
    sizes = []

    async def many(calls: list[tuple[Any, ...]]) -> list[Any]:
        sizes.append(len(calls))
        await asyncio.sleep(0.001)
        return [call[0] * 2 for call in calls]

    stage = stage_of(function(Counter(), call_many=many, batch_size=40, capacity=2))
    assert run(stage, range(100), range(100, 103)) == [x * 2 for x in range(103)]
    assert max(sizes) == 40
    assert len(sizes) <= 5


def test_failures_within_a_batch() -> None:
    asked: list[list[int]] = []

    async def some(calls: list[tuple[Any, ...]]) -> list[Any]:
        asked.append([call[0] for call in calls])
        return [ValueError("odd") if x % 2 and len(asked) == 1 else x for (x,) in calls]

    stage = stage_of(function(Counter(), call_many=some, batch_size=10, capacity=1, **FIXED))
    assert run(stage, range(6)) == list(range(6))
    assert asked == [[0, 1, 2, 3, 4, 5], [1, 3, 5]]

    async def short(calls: list[tuple[Any, ...]]) -> list[Any]:
        return [1]

    with pytest.raises(FunctionFailed, match="eval_batch has to return 3 results, one for each call, but gave 1"):
        run(stage_of(function(Counter(), call_many=short, batch_size=10)), range(3))


def test_so_many_attempts_in_a_second() -> None:
    counter = Counter(0.0)
    run(stage_of(function(counter, rate=100.0)), range(20))
    assert counter.starts[-1] - counter.starts[0] >= 0.18


# --- blocking code ---------------------------------------------------------------------------------------------------


def test_blocking_code_is_found(capsys: pytest.CaptureFixture[str]) -> None:
    async def blocks(x: int) -> int:
        time.sleep(0.9)
        return x

    assert run(stage_of(function(blocks)), [1, 2]) == [1, 2]
    told = capsys.readouterr().err
    assert told.count("The asynchronous function f blocks") == 1
    assert "time.sleep(0.9)" in told
    assert "asyncio.to_thread" in told
    run(stage_of(function(Counter(0.9))), [1])
    assert "blocks" not in capsys.readouterr().err
