"""The harness of asynchronous functions."""

from __future__ import annotations

import asyncio
import time
from typing import Any

import pytest

from tableapi import AsyncScalarFunction, udf
from tableapi.exceptions import SparkExecutionException, ValidationException
from tableapi.testing import AsyncFunctionTestHarness
from tableapi.testing.virtual_time import VirtualTimeLoop


def declared(call: Any, **options: Any) -> Any:
    return udf(call, result_type="BIGINT", input_types=["BIGINT"], **options)


async def slow(x: int) -> int:
    await asyncio.sleep(x)
    return x * 2


class Failing:
    """Fail some times for each argument."""

    def __init__(self, times: int) -> None:
        self.left: dict[int, int] = {}
        self.times = times

    async def __call__(self, x: int) -> int:
        self.left.setdefault(x, self.times)
        self.left[x] -= 1
        await asyncio.sleep(1)
        if self.left[x] >= 0:
            raise ConnectionError("no luck")
        return x


def test_capacity_order_and_time() -> None:
    harness = AsyncFunctionTestHarness(declared(slow, buffer_capacity=2))
    began = time.monotonic()
    run = harness.run([100, 10, 20])
    assert time.monotonic() - began < 20
    assert run.results == [200, 20, 40]
    # The third call starts when the second one has ended.
    assert run.completed == [1, 2, 0]
    assert run.seconds == 100
    assert [(call.started, call.ended) for call in harness.calls] == [(0, 100), (0, 10), (10, 30)]
    assert harness.most_in_flight == 2


def test_retries_with_their_delays() -> None:
    options = {"retry_strategy": "FIXED_DELAY", "fixed_delay": "5 s", "max_attempts": 3}
    harness = AsyncFunctionTestHarness(declared(Failing(2), **options))
    run = harness.run([7])
    assert run.results == [7]
    assert [(call.started, type(call.error)) for call in harness.calls] == [
        (0, ConnectionError),
        (6, ConnectionError),
        (12, type(None)),
    ]
    assert run.seconds == 13


def test_the_failure_is_that_of_a_query_with_the_own_exception_as_its_cause() -> None:
    harness = AsyncFunctionTestHarness(declared(Failing(9), fixed_delay="1 min", max_attempts=2))
    with pytest.raises(
        SparkExecutionException, match=r"failed on \(7\) after 2 attempts: ConnectionError: no luck"
    ) as raised:
        harness.run([(7,)])
    assert isinstance(raised.value.__cause__, ConnectionError)
    # The frames are those of the function alone.
    assert "tableapi/" not in str(raised.value)
    assert len(harness.calls) == 2


def test_the_timeout_is_over_all_attempts() -> None:
    harness = AsyncFunctionTestHarness(declared(slow, timeout="30 s"))
    with pytest.raises(SparkExecutionException, match="TimeoutError: no result within 30 s, the timeout of a call"):
        harness.run([3600])
    (call,) = harness.calls
    assert call.ended == 30
    assert isinstance(call.error, TimeoutError)


def test_results_of_failed_calls() -> None:
    assert AsyncFunctionTestHarness(declared(Failing(9), on_failure="NULL")).run([1]).results == [None]
    assert AsyncFunctionTestHarness(declared(Failing(9), default_value=-1)).run([1]).results == [-1]


def test_options_of_the_configuration() -> None:
    harness = AsyncFunctionTestHarness(
        declared(slow),
        configuration={"table.exec.async-scalar.buffer-capacity": "1", "table.exec.async-scalar.rate-limit": "0.1"},
    )
    harness.run([1, 1, 1])
    assert [call.started for call in harness.calls] == [0, 10, 20]
    with pytest.raises(ValidationException, match="Did you mean 'rate-limit'"):
        AsyncFunctionTestHarness(declared(slow), configuration={"table.exec.async-scalar.rate-limt": "1"})


def test_equal_arguments_share_a_call_or_a_result() -> None:
    shared = AsyncFunctionTestHarness(declared(slow, deduplicate=True))
    assert shared.run([5, 5, 5]).results == [10, 10, 10]
    assert len(shared.calls) == 1
    cached = AsyncFunctionTestHarness(declared(slow, cache_size=10, cache_ttl="1 s", buffer_capacity=1))
    cached.run([1, 1, 5, 1])
    assert [call.arguments for call in cached.calls] == [(1,), (5,), (1,)]


class Lookup(AsyncScalarFunction):
    """A function with a batch method and a connection."""

    def __init__(self) -> None:
        self.log: list[str] = []

    async def open(self, function_context: Any) -> None:
        await asyncio.sleep(60)
        self.log.append(function_context.get_job_parameter("server", "none"))

    async def close(self) -> None:
        self.log.append("close")

    async def eval(self, x: int) -> int:
        raise NotImplementedError

    async def eval_batch(self, many: list[tuple[int]]) -> list[int]:
        await asyncio.sleep(1)
        return [x + 1 for (x,) in many]


def test_classes_with_open_close_and_batches() -> None:
    function = Lookup()
    harness = AsyncFunctionTestHarness(declared(function, batch_size=2), configuration={"server": "here"})
    run = harness.run([1, 2, 3])
    assert run.results == [2, 3, 4]
    assert function.log == ["here", "close"]
    assert [len(call.arguments) for call in harness.calls] == [2, 1]
    # Opening takes time before the first row.
    assert run.seconds == 1


def test_a_result_of_another_type_is_named() -> None:
    async def text(x: int) -> Any:
        return "a"

    with pytest.raises(SparkExecutionException, match="the result 'a' is no value of its type BIGINT"):
        AsyncFunctionTestHarness(declared(text)).run([1])


def test_no_rows() -> None:
    run = AsyncFunctionTestHarness(declared(slow)).run([])
    assert (run.results, run.seconds) == ([], 0)


def test_other_functions_are_refused() -> None:
    with pytest.raises(ValidationException, match="takes an asynchronous function"):
        AsyncFunctionTestHarness(udf(lambda x: x, result_type="BIGINT"))


def test_the_clock_waits_for_threads_without_timers() -> None:
    async def work() -> float:
        assert await asyncio.to_thread(lambda: time.sleep(0.05) or 1) == 1
        await asyncio.sleep(1e6)
        return asyncio.get_running_loop().time()

    loop = VirtualTimeLoop()
    assert loop.run_until_complete(work()) == 1e6
    loop.run_until_complete(loop.shutdown_default_executor())
    loop.close()
