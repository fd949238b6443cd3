"""A time limit for awaiting, also on Python 3.10, which lacks ``asyncio.timeout_at``."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from types import TracebackType
from typing import Any


class TimeLimit:
    """Cancels the body of ``async with`` at a time of the event loop, which then raises TimeoutError.

    Python 3.10 does not count the cancellations of a task. If the task is also cancelled by others once the time has
    come, this class raises TimeoutError nonetheless.

    Args:
        deadline: a time of the event loop's clock; None for no limit.
    """

    def __init__(self, deadline: float | None) -> None:
        self._deadline = deadline
        self._timer: asyncio.TimerHandle | None = None
        self._is_expired = False

    async def __aenter__(self) -> TimeLimit:
        task = asyncio.current_task()
        assert task is not None
        if self._deadline is not None:
            self._timer = asyncio.get_running_loop().call_at(self._deadline, self._expire, task)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._timer is not None:
            self._timer.cancel()
        if self._is_expired and kind is not None and issubclass(kind, asyncio.CancelledError):
            raise TimeoutError from error

    def expired(self) -> bool:
        """Whether the time has come during the body."""
        return self._is_expired

    def _expire(self, task: asyncio.Task[object]) -> None:
        self._is_expired = True
        task.cancel()


time_limit: Callable[[float | None], Any] = getattr(asyncio, "timeout_at", TimeLimit)


def is_being_cancelled(task: asyncio.Task[Any] | None) -> bool:
    """Whether something other than a time limit cancels a task; always False on Python 3.10, which cannot tell."""
    cancelling = getattr(task, "cancelling", None)
    return cancelling is not None and cancelling() > 0
