"""Run an asynchronous function over given rows, by the runtime of workers and a clock that needs no waiting."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import attrs

from ir.errors import ValidationException
from tableapi.async_functions.declaration import is_async
from tableapi.async_functions.options import options_for
from tableapi.result import python_values
from tableapi.spark.asynchronous_functions import worker_function
from tableapi.spark.errors import SparkExecutionException, function_failure
from tableapi.spark.planner.asynchronous.lowering import Configured
from tableapi.spark.python_functions import make_row
from tableapi.spark.runtime.asynchronous.batches import check_result
from tableapi.spark.runtime.asynchronous.calls import Caller, Job
from tableapi.spark.runtime.asynchronous.program import AsyncFunction, Passage
from tableapi.spark.runtime.failures import FunctionFailed, failure
from tableapi.testing.virtual_time import VirtualTimeLoop
from tableapi.tracebacks import boundaries
from tableapi.udf import udf
from tableapi.user_functions.declaration import UserFunction
from tableapi.user_functions.wrapper import UserDefinedFunctionWrapper

__all__ = ["AsyncCall", "AsyncFunctionTestHarness", "AsyncRun"]


@attrs.define
class AsyncCall:
    """An attempt to call the function. Times are seconds since the start of the run.

    Attributes:
        arguments: the arguments; for ``eval_batch``, the list of argument tuples.
        started: when it started.
        ended: when it ended, None if it did not.
        error: what it raised, None if it returned; ``TimeoutError`` at the end of the timeout, ``CancelledError`` at
            the end of the run.
    """

    arguments: Any
    started: float
    ended: float | None = None
    error: BaseException | None = None


@attrs.frozen
class AsyncRun:
    """The results of a run.

    Attributes:
        results: the results in the order of the rows.
        completed: the positions of the rows in the order in which their results came.
        seconds: how long the run took by the virtual clock.
    """

    results: list[Any]
    completed: list[int]
    seconds: float


@boundaries
class AsyncFunctionTestHarness:
    """Runs an asynchronous function with its options: capacity, retries, timeout, cache. No Spark is started.

    The clock is virtual: ``asyncio.sleep(60)`` takes no time, and the test sees 60 seconds. The function has to wait by
    ``asyncio``; a client that waits for a network or a thread has to be replaced by one of the test.

    >>> import asyncio
    >>> from tableapi import udf
    >>> from tableapi.testing import AsyncFunctionTestHarness
    >>> @udf(result_type="STRING", input_types=["STRING"], buffer_capacity=2)
    ... async def fetch(name):
    ...     await asyncio.sleep(10)
    ...     return name.upper()
    >>> harness = AsyncFunctionTestHarness(fetch)
    >>> harness.run([("a",), ("b",), ("c",)])
    AsyncRun(results=['A', 'B', 'C'], completed=[0, 1, 2], seconds=20.0)
    >>> [(call.arguments, call.started, call.ended) for call in harness.calls]
    [(('a',), 0.0, 10.0), (('b',), 0.0, 10.0), (('c',), 10.0, 20.0)]
    >>> harness.most_in_flight
    2

    Args:
        function: a function that ``udf`` declares, or the class or an instance of an ``AsyncScalarFunction``, which
            then has a declared result type.
        configuration: options as in the configuration of an environment, and the job parameters of ``open()``.

    Raises:
        ValidationException: the function is not asynchronous, or an option is invalid.
    """

    def __init__(self, function: Any, *, configuration: Mapping[str, str] | None = None) -> None:
        self._declared = _declared(function)
        parameters = dict(configuration or {})
        options = options_for(self._declared.options, None, parameters)
        self._function = worker_function(Configured(self._declared, options), parameters)
        self._passage = Passage(self._function.result, make_row)
        self.calls: list[AsyncCall] = []

    def run(self, rows: Iterable[Any]) -> AsyncRun:
        """Call the function for rows, as one task on Spark does, and return the results.

        Args:
            rows: the arguments of each call as a tuple, or the only argument.

        Raises:
            SparkExecutionException: a call has finally failed; the message is that of a query.
        """
        given = [row if isinstance(row, tuple) else (row,) for row in rows]
        self.calls = []
        loop = VirtualTimeLoop()
        try:
            return loop.run_until_complete(self._run(given))
        except FunctionFailed as error:
            cause = next((call.error for call in reversed(self.calls) if isinstance(call.error, Exception)), None)
            raise SparkExecutionException(function_failure(str(error)) or str(error)) from cause
        finally:
            loop.close()

    @property
    def most_in_flight(self) -> int:
        """The most calls of the last run that were in flight at once."""
        changes = [(call.started, 1) for call in self.calls]
        changes += [(call.ended, -1) for call in self.calls if call.ended is not None]
        most = now = 0
        # At one time, ends come first: a call that starts when another one ends takes its place.
        for _, change in sorted(changes):
            now += change
            most = max(most, now)
        return most

    async def _run(self, rows: list[tuple[Any, ...]]) -> AsyncRun:
        loop = asyncio.get_running_loop()
        function = self._function
        await self._step("open", function.open)
        began = loop.time()
        results: list[Any] = [None] * len(rows)
        completed: list[int] = []
        finished: asyncio.Future[None] = loop.create_future()

        def finish(job: Job, result: Any) -> None:
            results[job.row] = check_result(self._passage, function.name, job.arguments, result)
            completed.append(job.row)
            if len(completed) == len(rows) and not finished.done():
                finished.set_result(None)

        def fail(error: BaseException) -> None:
            if not finished.done():
                finished.set_exception(error)

        caller = _RecordingCaller(function, finish, fail, self.calls)
        for number, row in enumerate(rows):
            caller.submit(Job(None, number, 0, row))
        try:
            if rows:
                await finished
            seconds = loop.time() - began
        finally:
            tasks = caller.stop()
            if tasks:
                await asyncio.wait(tasks)
            await self._step("close", function.close)
        values = python_values(self._passage.array(results), self._declared.result)
        return AsyncRun(values, completed, seconds)

    async def _step(self, name: str, step: Callable[[], Any] | None) -> None:
        try:
            done = None if step is None else step()
            if inspect.isawaitable(done):
                await done
        except Exception as error:
            raise failure(f"{self._function.name}.{name}", None, error) from None


class _RecordingCaller(Caller):
    """Makes calls as a worker does, and records each attempt."""

    def __init__(
        self,
        function: AsyncFunction,
        done: Callable[[Job, Any], None],
        failed: Callable[[BaseException], None],
        calls: list[AsyncCall],
    ) -> None:
        super().__init__(function, done, failed)
        self._calls = calls
        self._began = self._loop.time()

    async def _attempt(self, jobs: list[Job], deadline: float | None) -> tuple[list[Job], BaseException | None, bool]:
        arguments = jobs[0].arguments if self.function.call_many is None else [job.arguments for job in jobs]
        record = AsyncCall(arguments, self._loop.time() - self._began)
        self._calls.append(record)
        try:
            left, record.error, is_final = await super()._attempt(jobs, deadline)
        except BaseException as error:
            record.error = error
            raise
        finally:
            record.ended = self._loop.time() - self._began
        return left, record.error, is_final


def _declared(given: Any) -> UserFunction:
    wrapper = given if isinstance(given, UserDefinedFunctionWrapper) else udf(given)
    function = getattr(wrapper, "function", None)
    target = getattr(function, "target", None)
    if not isinstance(function, UserFunction) or not is_async(target):
        raise ValidationException(f"AsyncFunctionTestHarness takes an asynchronous function, but was given {given!r}.")
    return function
