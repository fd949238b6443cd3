"""Interrupt a call of a process table function that does not return.

A timer of the process looks from time to time which call is running. If it is the same call as the last time, an
exception is raised in it. So a call costs nothing, and may take between once and twice the limit.
"""

from __future__ import annotations

import signal
import threading
from types import CodeType, FrameType
from typing import Any

LIMIT = "table.exec.process-table-function.timeout"
"""The configuration key of the limit."""
_POSITION = "position"


class CallTimeout(KeyboardInterrupt):
    """A call of a function has not returned within its time limit; a handler of ``Exception`` does not catch it."""


class TimeLimit:
    """Watches the calls that a run makes, from ``start`` to ``stop``.

    Args:
        seconds: how long a call may take at least before it is interrupted.
        loop: the name of the file of loops over rows, whose frames have the position of the row.
        call: the code that calls the other methods, one frame for each call.
    """

    def __init__(self, seconds: float, loop: str, call: CodeType) -> None:
        self._seconds = seconds
        self._loop = loop
        self._call = call
        self._before: Any = None
        # The frame of the running call, kept so that no other frame has its identity.
        self._last: tuple[FrameType | None, Any] = (None, None)
        self._is_on = False

    def start(self) -> None:
        """Begin to watch. Signals reach the main thread alone, in which workers of Spark run; Windows has none."""
        if threading.current_thread() is threading.main_thread() and hasattr(signal, "setitimer"):
            self._is_on = True
            self._before = signal.signal(signal.SIGALRM, self._look)
            signal.setitimer(signal.ITIMER_REAL, self._seconds, self._seconds)

    def stop(self) -> None:
        """End watching."""
        if self._is_on:
            self._is_on = False
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, self._before)
            self._last = (None, None)

    def _look(self, number: int, frame: FrameType | None) -> None:
        found = self._find_call(frame)
        if found[0] is not None and found[0] is self._last[0] and found[1] == self._last[1]:
            raise CallTimeout(f"the call has not returned within {self._seconds:g} seconds, the limit of {LIMIT}")
        self._last = found

    def _find_call(self, frame: FrameType | None) -> tuple[FrameType | None, Any]:
        """Return the frame that runs a call, and the position of the row if it is a loop; None between calls."""
        while frame is not None:
            if frame.f_code.co_filename == self._loop:
                return frame, frame.f_locals.get(_POSITION)
            if frame.f_code is self._call:
                return frame, None
            frame = frame.f_back
        return None, None
