"""Detect code in coroutines that blocks: it stops all other calls, and no timeout can end it."""

from __future__ import annotations

import asyncio
import inspect
import sys
import threading
import time
import traceback
from collections.abc import Callable, Sequence
from types import CodeType, FrameType
from typing import Any

_BEAT = 0.1
# After so many checks at the same place, the loop counts as blocked.
_TIMES = 4


class Watch:
    """Warns once for each function that blocks the event loop.

    Args:
        thread: the thread of the loop.
        functions: names and coroutine functions.
    """

    def __init__(self, thread: threading.Thread, functions: Sequence[tuple[str, Callable[..., Any]]]) -> None:
        self._thread = thread
        self._names: dict[CodeType, str] = {}
        for name, function in functions:
            code = getattr(inspect.unwrap(function), "__code__", None)
            if code is not None:
                self._names[code] = name
        self._last = time.monotonic()
        self._ended = threading.Event()
        self._watcher = threading.Thread(target=self._watch, name="async-calls-watch", daemon=True)

    def start(self) -> None:
        """Start watching."""
        self._watcher.start()

    def stop(self) -> None:
        """Stop watching."""
        self._ended.set()
        if self._watcher.is_alive():
            self._watcher.join()

    def beat(self, loop: asyncio.AbstractEventLoop) -> None:
        """Record that the loop runs, and schedule the next record; first called when the functions are open."""
        self._last = time.monotonic()
        loop.call_later(_BEAT, self.beat, loop)

    def _watch(self) -> None:
        before: tuple[CodeType, int] | None = None
        times = 0
        last = time.monotonic()
        while not self._ended.wait(_BEAT):
            # On a busy machine this thread is late, too, so that a late loop proves nothing.
            is_late = time.monotonic() - last > 2 * _BEAT
            last = time.monotonic()
            found = None if is_late or last - self._last < _BEAT else self._stands_in()
            place = None if found is None else (found[0], found[1].f_lasti)
            times = times + 1 if place is not None and place == before else 0
            before = place
            if found is not None and times == _TIMES:
                self._warn(found[0], found[1])

    def _stands_in(self) -> tuple[CodeType, FrameType] | None:
        """Return the code and the frame of the watched function that the loop is running, None if there is none."""
        frame = sys._current_frames().get(self._thread.ident or 0)
        while frame is not None:
            if frame.f_code in self._names:
                return frame.f_code, frame
            frame = frame.f_back
        return None

    def _warn(self, code: CodeType, frame: FrameType) -> None:
        name = self._names.pop(code)
        place = "".join(traceback.format_stack(frame, 1)).rstrip()
        print(
            f"The asynchronous function {name} blocks: for {time.monotonic() - self._last:.1f} s its code has run "
            "without awaiting anything, and no other call went on meanwhile. Use an asynchronous client there, or "
            f"await asyncio.to_thread(...).\n{place}",
            file=sys.stderr,
            flush=True,
        )
