"""The time limit of Python 3.10 acts like ``asyncio.timeout_at``."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from tableapi.spark.runtime.asynchronous.time_limit import TimeLimit, is_being_cancelled, time_limit

LIMITS = [TimeLimit, asyncio.timeout_at]


def _run(limit: Callable[[float | None], Any], seconds: float | None, body: Callable[[], Any]) -> tuple[str, bool]:
    """Return how the body of a time limit ends, and whether the limit says that it has expired."""

    async def main() -> tuple[str, bool]:
        deadline = None if seconds is None else asyncio.get_running_loop().time() + seconds
        manager = limit(deadline)
        try:
            async with manager:
                await body()
        except BaseException as error:
            return type(error).__name__, manager.expired()
        return "", manager.expired()

    return asyncio.run(main())


async def _fail() -> None:
    raise ValueError


async def _await_cancelled() -> None:
    future = asyncio.get_running_loop().create_future()
    future.cancel()
    await future


async def _hide_the_cancellation() -> None:
    try:
        await asyncio.sleep(30)
    except asyncio.CancelledError as error:
        raise KeyError from error


@pytest.mark.parametrize("limit", LIMITS)
@pytest.mark.parametrize(
    ("seconds", "body", "ends"),
    [
        (0.01, lambda: asyncio.sleep(30), ("TimeoutError", True)),
        (-1, lambda: asyncio.sleep(30), ("TimeoutError", True)),
        (30, lambda: asyncio.sleep(0), ("", False)),
        (None, lambda: asyncio.sleep(0), ("", False)),
        (30, _fail, ("ValueError", False)),
        # Something else was cancelled.
        (30, _await_cancelled, ("CancelledError", False)),
        (0.01, _hide_the_cancellation, ("KeyError", True)),
    ],
)
def test_how_a_limit_ends(limit: Any, seconds: float | None, body: Any, ends: tuple[str, bool]) -> None:
    assert _run(limit, seconds, body) == ends


def test_the_limit_of_this_python() -> None:
    assert time_limit is asyncio.timeout_at


def test_a_cancelled_task() -> None:
    async def body() -> bool:
        try:
            await asyncio.sleep(30)
        except asyncio.CancelledError:
            return is_being_cancelled(asyncio.current_task())
        return False

    async def main() -> tuple[bool, bool]:
        task = asyncio.create_task(body())
        await asyncio.sleep(0)
        task.cancel()
        return await task, is_being_cancelled(asyncio.current_task())

    assert asyncio.run(main()) == (True, False)
    assert not is_being_cancelled(None)
