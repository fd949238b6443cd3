"""Run the event loop of a stage in a thread of its own, independent of any loop that runs already."""

from __future__ import annotations

import asyncio
import inspect
import sys
import threading
from collections import deque
from collections.abc import Sequence
from typing import Any

from tableapi.spark.runtime.asynchronous.batches import Batch, check_result
from tableapi.spark.runtime.asynchronous.calls import Caller, Job
from tableapi.spark.runtime.asynchronous.program import Passage, Stage
from tableapi.spark.runtime.asynchronous.watching import Watch
from tableapi.spark.runtime.failures import failure

# How many seconds cancelled tasks and close() may take: a coroutine that refuses to end must not block a task forever.
_GRACE = 10.0
_WAKE_AFTER = 500


class Engine:
    """Makes the calls of a stage for the rows of batches.

    The worker's thread admits batches and takes complete rows. The loop's thread does everything else.
    """

    def __init__(self, stage: Stage, passages: Sequence[Passage]) -> None:
        self._stage = stage
        self._passages = passages
        self.wake = threading.Event()
        self.error: BaseException | None = None
        self.finished: deque[tuple[Batch, int]] = deque()
        self._since_wake = 0
        self._opened: list[int] = []
        self._callers: list[Caller] = []
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._run, name="async-calls", daemon=True)
        self._watch = Watch(self._thread, [(f.name, f.call_many or f.call) for f in stage.functions])
        calls = stage.calls
        self._first = [position for position, call in enumerate(calls) if not call.needs]
        self._then: list[list[int]] = [
            [later for later, call in enumerate(calls) if position in call.needs] for position in range(len(calls))
        ]
        self._entered = sorted({calls[position].function for position in self._first})

    # --- the worker's thread -----------------------------------------------------------------------------------------

    def start(self) -> None:
        """Start the loop, and open the functions.

        Raises:
            FunctionFailed: ``open()`` of a function failed.
        """
        self._thread.start()
        self._watch.start()
        try:
            asyncio.run_coroutine_threadsafe(self._open(), self._loop).result()
        except BaseException:
            self.stop()
            raise

    def admit(self, batch: Batch) -> None:
        """Start the calls for the rows of a batch."""
        self._loop.call_soon_threadsafe(self._admit, batch)

    @property
    def is_hungry(self) -> bool:
        """Whether a function that is called first has fewer waiting rows than it could process at once."""
        for position in self._entered:
            caller = self._callers[position]
            if len(caller.waiting) < caller.low_water:
                return True
        return False

    def wait(self, seconds: float) -> None:
        """Wait for progress, at most some seconds.

        Raises:
            FunctionFailed: a call has failed.
        """
        self.wake.wait(seconds)
        self.wake.clear()
        self.check()

    def check(self) -> None:
        """Raise the error that occurred, if any.

        Raises:
            FunctionFailed: a call has failed.
            RuntimeError: the event loop has ended.
        """
        if self.error is not None:
            raise self.error
        if not self._thread.is_alive():
            raise RuntimeError("the event loop of the asynchronous functions has ended before its time")

    def stop(self) -> BaseException | None:
        """Cancel calls in flight, close the functions and end the loop; return the error of closing, if any."""
        self._watch.stop()
        problem: BaseException | None = None
        try:
            problem = asyncio.run_coroutine_threadsafe(self._close(), self._loop).result(2 * _GRACE)
        except TimeoutError:
            print("Asynchronous functions did not close in time; their tasks are abandoned.", file=sys.stderr)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(_GRACE)
        return problem

    # --- the loop's thread -------------------------------------------------------------------------------------------

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        try:
            self._loop.run_forever()
        finally:
            self._loop.close()

    async def _open(self) -> None:
        for position, function in enumerate(self._stage.functions):
            if function.open is not None:
                try:
                    await _done(function.open())
                except Exception as error:
                    raise failure(f"{function.name}.open", None, error) from None
            self._opened.append(position)
            self._callers.append(Caller(function, self._done, self._fail))
        self._watch.beat(self._loop)

    def _admit(self, batch: Batch) -> None:
        for call in self._first:
            for row in range(batch.size):
                self._begin(batch, row, call)

    def _begin(self, batch: Batch, row: int, position: int) -> None:
        call = self._stage.calls[position]
        if call.guard is not None and batch.given[call.guard][row] is not True:
            self._settle(batch, row, position, None)
            return
        arguments = tuple(
            [
                self._passages[argument.position].back(batch.results[argument.position][row])
                if argument.is_call
                else batch.given[argument.position][row]
                for argument in call.arguments
            ]
        )
        self._callers[call.function].submit(Job(batch, row, position, arguments))

    def _done(self, job: Job, result: Any) -> None:
        position = job.call
        name = self._stage.functions[self._stage.calls[position].function].name
        self._settle(job.batch, job.row, position, check_result(self._passages[position], name, job.arguments, result))

    def _settle(self, batch: Batch, row: int, position: int, value: Any) -> None:
        batch.results[position][row] = value
        for later in self._then[position]:
            batch.needed[later][row] -= 1
            if not batch.needed[later][row]:
                self._begin(batch, row, later)
        batch.left[row] -= 1
        if not batch.left[row]:
            batch.finished[row] = 1
            if not self._stage.is_ordered:
                self.finished.append((batch, row))
            self._since_wake += 1
            batch.unfinished -= 1
            if self._since_wake >= _WAKE_AFTER or not batch.unfinished:
                self._since_wake = 0
                self.wake.set()

    def _fail(self, error: BaseException) -> None:
        if self.error is None:
            self.error = error
        for caller in self._callers:
            caller.stop()
        self.wake.set()

    async def _close(self) -> BaseException | None:
        own = asyncio.current_task()
        tasks = [task for caller in self._callers for task in caller.stop()]
        if tasks:
            await asyncio.wait(tasks, timeout=_GRACE / 2)
        problem: BaseException | None = None
        while self._opened:
            function = self._stage.functions[self._opened.pop()]
            if function.close is not None:
                try:
                    await _done(function.close())
                except Exception as error:
                    problem = problem or failure(f"{function.name}.close", None, error)
        # Tasks that functions started and did not await.
        left = [task for task in asyncio.all_tasks() if task is not own]
        for task in left:
            task.cancel()
        if left:
            await asyncio.wait(left, timeout=_GRACE / 2)
        await self._loop.shutdown_asyncgens()
        return problem


async def _done(given: Any) -> None:
    if inspect.isawaitable(given):
        await given
