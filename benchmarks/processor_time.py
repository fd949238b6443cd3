"""Processor time of Spark and its Python workers, which a busy machine disturbs less than elapsed time."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from pathlib import Path

_PROCESSES = Path("/proc")


def is_measurable() -> bool:
    """Whether the system reports processor times, as Linux does."""
    return (_PROCESSES / "self" / "stat").exists()


def of_workers() -> float:
    """Return the processor seconds of the Python workers below this process, including workers that have ended.

    For live processes, the scheduler reports nanoseconds where the system supports it; for ended ones, only ticks are
    known.
    """
    second = os.sysconf("SC_CLK_TCK")
    return sum(
        (own / second if (exact := _nanoseconds(pid)) is None else exact / 1e9) + ended / second
        for pid, own, ended in _below(os.getpid())
        if _is_worker(pid)
    )


def of_program() -> float:
    """Return the processor seconds of this process and of all processes below it, such as the JVM of Spark."""
    second = os.sysconf("SC_CLK_TCK")
    own = _nanoseconds(os.getpid())
    below = sum(
        (ticks / second if (exact := _nanoseconds(pid)) is None else exact / 1e9) + ended / second
        for pid, ticks, ended in _below(os.getpid())
    )
    return below + (time.process_time() if own is None else own / 1e9)


def is_below(pid: int) -> bool:
    """Whether a process was started by this one, or by one of its descendants."""
    return any(pid == below for below, _, _ in _below(os.getpid()))


def _nanoseconds(pid: int) -> int | None:
    try:
        return sum(
            int(path.read_text().split()[0]) for path in (_PROCESSES / str(pid) / "task").glob("[0-9]*/schedstat")
        )
    except (OSError, IndexError):
        return None


def _below(ancestor: int) -> Iterator[tuple[int, int, int]]:
    """Yield the descendants of a process: their numbers, their ticks, and the ticks of their ended children."""
    children: dict[int, list[tuple[int, int, int]]] = {}
    for path in _PROCESSES.glob("[0-9]*/stat"):
        try:
            # The process name, in parentheses, may contain blanks; the numbers follow it.
            fields = path.read_text().rpartition(")")[2].split()
        except OSError:  # the process has ended meanwhile
            continue
        used = list(map(int, fields[11:15]))
        children.setdefault(int(fields[1]), []).append((int(path.parent.name), sum(used[:2]), sum(used[2:])))
    waiting = [ancestor]
    while waiting:
        for pid, own, ended in children.get(waiting.pop(), []):
            yield pid, own, ended
            waiting.append(pid)


def _is_worker(pid: int) -> bool:
    try:
        words = (_PROCESSES / str(pid) / "cmdline").read_bytes().split(b"\0")
    except OSError:
        return False
    # The library starts workers by a daemon of its own, whose name the JVM has in its arguments, too.
    return words[1:2] == [b"-m"] and b"daemon" in words[2]
