"""Processor time of Spark's Python workers, which a busy machine disturbs less than the time that passes."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

_PROCESSES = Path("/proc")


def is_measurable() -> bool:
    """Whether the system tells it: Linux does."""
    return (_PROCESSES / "self" / "stat").exists()


def of_workers() -> float:
    """Return the seconds that the Python workers below this process have used, those that ended included."""
    below = _below(os.getpid())
    return sum(ticks for pid, ticks in below if _is_worker(pid)) / os.sysconf("SC_CLK_TCK")


def _below(ancestor: int) -> Iterator[tuple[int, int]]:
    """Yield the processes below one: their numbers, and the ticks that they and their ended children used."""
    children: dict[int, list[tuple[int, int]]] = {}
    for path in _PROCESSES.glob("[0-9]*/stat"):
        try:
            # The name of a process, in parentheses, may have blanks; the numbers are behind it.
            fields = path.read_text().rpartition(")")[2].split()
        except OSError:  # it ended meanwhile
            continue
        children.setdefault(int(fields[1]), []).append((int(path.parent.name), sum(map(int, fields[11:15]))))
    waiting = [ancestor]
    while waiting:
        for pid, ticks in children.get(waiting.pop(), []):
            yield pid, ticks
            waiting.append(pid)


def _is_worker(pid: int) -> bool:
    try:
        return b"pyspark.daemon" in (_PROCESSES / str(pid) / "cmdline").read_bytes()
    except OSError:
        return False
