"""Make the calls of one function: with limited concurrency, retries, deduplication and a cache."""

from __future__ import annotations

import asyncio
from collections import OrderedDict, deque
from collections.abc import Callable, Sequence
from typing import Any

from tableapi.spark.runtime.asynchronous.keys import key_of
from tableapi.spark.runtime.asynchronous.program import FAIL, USE_DEFAULT, AsyncFunction
from tableapi.spark.runtime.asynchronous.time_limit import is_being_cancelled, time_limit
from tableapi.spark.runtime.failures import failure

_MISSING = object()
_KNOWN_AT_ONCE = 200


class Job:
    """A call that a row needs."""

    __slots__ = ("arguments", "batch", "call", "key", "row", "same")

    def __init__(self, batch: Any, row: int, call: int, arguments: tuple[Any, ...]) -> None:
        self.batch = batch
        self.row = row
        self.call = call
        self.arguments = arguments
        self.key: Any = None
        self.same: list[Job] | None = None


class _Results:
    """A cache of the latest results by argument values."""

    def __init__(self, size: int, ttl: float | None, now: Callable[[], float]) -> None:
        self._size = size
        self._ttl = ttl
        self._now = now
        self._found: OrderedDict[Any, tuple[float, Any]] = OrderedDict()

    def get(self, key: Any) -> Any:
        found = self._found.get(key)
        if found is None:
            return _MISSING
        if self._ttl is not None and self._now() - found[0] > self._ttl:
            del self._found[key]
            return _MISSING
        self._found.move_to_end(key)
        return found[1]

    def put(self, key: Any, value: Any) -> None:
        self._found[key] = (self._now(), value)
        self._found.move_to_end(key)
        if len(self._found) > self._size:
            self._found.popitem(last=False)


class Caller:
    """Makes the calls of one function in the thread of the event loop.

    Args:
        function: the function.
        done: called with a job and its result.
        failed: called with the error to raise.
    """

    def __init__(
        self, function: AsyncFunction, done: Callable[[Job, Any], None], failed: Callable[[BaseException], None]
    ) -> None:
        self.function = function
        self.waiting: deque[Job] = deque()
        self.attempts_made = 0
        settings = function.settings
        self._settings = settings
        self._loop = asyncio.get_running_loop()
        self._done = done
        self._failed = failed
        self._at_once = settings.batch_size if function.call_many is not None else 1
        self._workers: set[asyncio.Task[None]] = set()
        self._is_stopped = False
        self._next_start = 0.0
        self._in_flight: dict[Any, Job] = {}
        self._results = (
            _Results(settings.cache_size, settings.cache_ttl, self._loop.time) if settings.cache_size else None
        )
        self._has_keys = settings.deduplicate or self._results is not None

    @property
    def low_water(self) -> int:
        """The number of waiting jobs at which every worker finds enough work."""
        return self._settings.capacity * self._at_once

    def submit(self, job: Job) -> None:
        """Queue a job, and start a worker for it if the capacity allows one more."""
        self.waiting.append(job)
        if len(self._workers) < self._settings.capacity:
            worker = self._loop.create_task(self._work())
            self._workers.add(worker)
            worker.add_done_callback(self._workers.discard)

    def stop(self) -> list[asyncio.Task[None]]:
        """Cancel all calls in flight, and return the tasks to await."""
        self._is_stopped = True
        self.waiting.clear()
        workers = list(self._workers)
        for worker in workers:
            worker.cancel()
        return workers

    # --- workers -----------------------------------------------------------------------------------------------------

    async def _work(self) -> None:
        try:
            await self._work_off()
        finally:
            # Leave the set in the same step as the last check for waiting jobs. A job that is submitted in between
            # would otherwise find all workers counted, although none checks again.
            worker = asyncio.current_task()
            if worker is not None:
                self._workers.discard(worker)

    async def _work_off(self) -> None:
        waiting = self.waiting
        while waiting and not self._is_stopped:
            jobs: list[Job] = []
            known = 0
            while waiting and len(jobs) < self._at_once and known < _KNOWN_AT_ONCE:
                job = waiting.popleft()
                if self._is_known(job):
                    known += 1
                else:
                    jobs.append(job)
            if not jobs:
                # Rows that need no call must not keep the loop from the calls in flight.
                await asyncio.sleep(0)
                continue
            try:
                await self._make(jobs)
            except asyncio.CancelledError:
                if self._is_stopped:
                    raise
                self._failed(self._failure(jobs, asyncio.CancelledError("the call was cancelled"), 1))
                return
            except BaseException as error:
                self._failed(error)
                return

    def _is_known(self, job: Job) -> bool:
        """Whether a job needs no call of its own, because its result is known or another job's call will give it."""
        arguments = job.arguments
        for position in self.function.required:
            if position < len(arguments) and arguments[position] is None:
                self._done(job, None)
                return True
        if not self._has_keys:
            return False
        job.key = tuple([key_of(argument) for argument in arguments])
        if self._results is not None:
            found = self._results.get(job.key)
            if found is not _MISSING:
                self._done(job, found)
                return True
        if self._settings.deduplicate:
            first = self._in_flight.setdefault(job.key, job)
            if first is not job:
                if first.same is None:
                    first.same = []
                first.same.append(job)
                return True
        return False

    async def _make(self, jobs: list[Job]) -> None:
        """Make the calls of jobs, with retries, until each has a result or has finally failed."""
        settings = self._settings
        if settings.rate is not None:
            await self._wait_for_turn()
        deadline = None if settings.timeout is None else self._loop.time() + settings.timeout
        attempt = 0
        while jobs:
            attempt += 1
            if attempt > 1 and settings.rate is not None:
                await self._wait_for_turn()
            self.attempts_made += 1
            jobs, error, is_final = await self._attempt(jobs, deadline)
            if not jobs:
                return
            assert error is not None
            is_final = is_final or attempt >= settings.attempts or not self._is_retryable(jobs, error, attempt)
            if not is_final:
                delay = settings.delay_after(attempt)
                if deadline is not None and self._loop.time() + delay >= deadline:
                    is_final = True
                else:
                    await asyncio.sleep(delay)
            if is_final:
                self._give_up(jobs, error, attempt)
                return

    async def _attempt(self, jobs: list[Job], deadline: float | None) -> tuple[list[Job], BaseException | None, bool]:
        """Make one attempt; return the jobs without a result, the error, and whether the timeout has expired."""
        many = self.function.call_many
        try:
            async with time_limit(deadline) as limit:
                if many is None:
                    result = await self.function.call(*jobs[0].arguments)
                else:
                    results = await many([job.arguments for job in jobs])
        except Exception as error:
            if limit.expired() and isinstance(error, TimeoutError):
                told = TimeoutError(f"no result within {self._settings.timeout:g} s, the timeout of a call")
                cause = error.__cause__ or error.__context__
                return jobs, told.with_traceback(None if cause is None else cause.__traceback__), True
            return jobs, error, False
        except asyncio.CancelledError as error:
            if self._is_stopped or is_being_cancelled(asyncio.current_task()):
                raise
            # The function awaited something that was cancelled; the call itself was not.
            return jobs, error, False
        if many is None:
            self._finish(jobs[0], result)
            return [], None, False
        return self._finish_many(jobs, results)

    def _finish_many(self, jobs: list[Job], results: Sequence[Any]) -> tuple[list[Job], BaseException | None, bool]:
        given = list(results) if hasattr(results, "__iter__") and not isinstance(results, (str, bytes, dict)) else None
        if given is None or len(given) != len(jobs):
            shown = type(results).__name__ if given is None else f"{len(given)}"
            problem = ValueError(f"eval_batch has to return {len(jobs)} results, one for each call, but gave {shown}")
            raise self._failure(jobs, problem, None)
        left: list[Job] = []
        last: BaseException | None = None
        for job, result in zip(jobs, given, strict=True):
            if isinstance(result, BaseException):
                left.append(job)
                last = result
            else:
                self._finish(job, result)
        return left, last, False

    def _is_retryable(self, jobs: list[Job], error: BaseException, attempt: int) -> bool:
        decide = self._settings.is_retryable
        if decide is None:
            return True
        try:
            return bool(decide(error))
        except Exception as wrong:
            raise failure(f"{self.function.name}, retryable", (error,), wrong, attempts=attempt) from None

    def _give_up(self, jobs: list[Job], error: BaseException, attempt: int) -> None:
        settings = self._settings
        if settings.on_failure == FAIL:
            raise self._failure(jobs, error, attempt) from None
        for job in jobs:
            self._finish(job, settings.default if settings.on_failure == USE_DEFAULT else None, is_result=False)

    def _finish(self, job: Job, result: Any, *, is_result: bool = True) -> None:
        if self._results is not None and is_result:
            self._results.put(job.key, result)
        if self._settings.deduplicate:
            self._in_flight.pop(job.key, None)
            for other in job.same or ():
                self._done(other, result)
        self._done(job, result)

    def _failure(self, jobs: list[Job], error: BaseException, attempts: int | None) -> Exception:
        arguments = jobs[0].arguments if len(jobs) == 1 else ([job.arguments for job in jobs],)
        return failure(self.function.name, arguments, error, attempts=attempts)

    async def _wait_for_turn(self) -> None:
        """Wait until the rate limit allows another attempt; waiting attempts start in the order of their requests."""
        assert self._settings.rate is not None
        now = self._loop.time()
        start = max(self._next_start, now)
        self._next_start = start + 1 / self._settings.rate
        if start > now:
            await asyncio.sleep(start - now)
