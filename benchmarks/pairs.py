"""Timing in pairs: what is compared runs in turns within one process, so that a busy machine slows both alike."""

from __future__ import annotations

import gc
import statistics
import time
from collections.abc import Callable

import attrs


@attrs.frozen
class Comparison:
    """The medians of two sides in seconds, and the quartiles of the ratios of their pairs."""

    ours: float
    theirs: float
    ratios: tuple[float, float, float]


def seconds(work: Callable[[], object]) -> float:
    """Return how long ``work`` takes once, no collection of garbage falling into it."""
    gc.collect()
    gc.disable()
    try:
        started = time.perf_counter()
        work()
        return time.perf_counter() - started
    finally:
        gc.enable()


def compare(ours: Callable[[], object], theirs: Callable[[], object], pairs: int) -> Comparison:
    """Return how long both take, each run once before it counts."""
    ours(), theirs()
    times = [(seconds(ours), seconds(theirs)) for _ in range(pairs)]
    low, middle, high = statistics.quantiles([a / b for a, b in times], n=4)
    mine, other = (statistics.median(side) for side in zip(*times, strict=True))
    return Comparison(mine, other, (low, middle, high))
