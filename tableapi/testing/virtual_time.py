"""An event loop whose clock jumps to the next timer as soon as nothing else is to do, so that no test waits."""

from __future__ import annotations

import asyncio
import selectors
from collections.abc import Mapping
from typing import Any


class VirtualTimeLoop(asyncio.SelectorEventLoop):
    """An event loop that starts at the time 0, and passes the time of ``asyncio.sleep`` at once.

    Work in threads and on sockets takes no virtual time. If the loop waits for it and for a timer, the timer is first.

    >>> async def wait():
    ...     await asyncio.sleep(3600)
    ...     return asyncio.get_running_loop().time()
    >>> loop = VirtualTimeLoop()
    >>> loop.run_until_complete(wait())
    3600.0
    >>> loop.close()
    """

    def __init__(self) -> None:
        self._now = 0.0
        super().__init__(_JumpingSelector(self))

    def time(self) -> float:
        """Return the virtual time in seconds."""
        return self._now

    def jump(self, seconds: float) -> None:
        """Advance the clock."""
        # The sum may fall short of the time of the timer by a rounding error, after which the loop asks for less again.
        self._now += seconds


class _JumpingSelector(selectors.BaseSelector):
    """Waits for nothing: where the loop would wait for a timer, the clock jumps to its time."""

    def __init__(self, loop: VirtualTimeLoop) -> None:
        self._loop = loop
        self._selector = selectors.DefaultSelector()

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        """Return the ready files; if there are none, advance the clock by the timeout."""
        if timeout is None:
            return self._selector.select(None)
        ready = self._selector.select(0)
        if not ready and timeout > 0:
            self._loop.jump(timeout)
        return ready

    def register(self, fileobj: Any, events: int, data: Any = None) -> selectors.SelectorKey:
        """Register a file."""
        return self._selector.register(fileobj, events, data)

    def unregister(self, fileobj: Any) -> selectors.SelectorKey:
        """Unregister a file."""
        return self._selector.unregister(fileobj)

    def modify(self, fileobj: Any, events: int, data: Any = None) -> selectors.SelectorKey:
        """Change what a file is registered for."""
        return self._selector.modify(fileobj, events, data)

    def close(self) -> None:
        """Close the selector."""
        self._selector.close()

    def get_map(self) -> Mapping[Any, selectors.SelectorKey]:
        """Return the registered files."""
        return self._selector.get_map()
