"""Timing in pairs: both sides run in turns within one process, so that a busy machine slows them alike."""

from __future__ import annotations

import gc
import statistics
import time
from collections.abc import Callable

import attrs


@attrs.frozen
class Comparison:
    """The median of each side in seconds, and the quartiles of the ratios of the pairs."""

    ours: float
    theirs: float
    ratios: tuple[float, float, float]


def seconds(work: Callable[[], object]) -> float:
    """Return the duration of one call of ``work``, without garbage collection during it."""
    gc.collect()
    gc.disable()
    try:
        started = time.perf_counter()
        work()
        return time.perf_counter() - started
    finally:
        gc.enable()


def compare(ours: Callable[[], object], theirs: Callable[[], object], pairs: int) -> Comparison:
    """Return the timings of both sides, each of which runs once before the timing begins."""
    ours(), theirs()
    times = [(seconds(ours), seconds(theirs)) for _ in range(pairs)]
    low, middle, high = statistics.quantiles([a / b for a, b in times], n=4)
    mine, other = (statistics.median(side) for side in zip(*times, strict=True))
    return Comparison(mine, other, (low, middle, high))
