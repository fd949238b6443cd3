"""The amount of work as a count that is the same on a fast machine and on a busy one."""

from __future__ import annotations

import cProfile
import gc
import pstats
from collections.abc import Callable


def calls(work: Callable[[], object]) -> int:
    """Return the number of function calls during ``work``."""
    profile = cProfile.Profile()
    # Garbage collection would count the finalizers of other tests' objects.
    gc.collect()
    gc.disable()
    try:
        profile.runcall(work)
    finally:
        gc.enable()
    return int(pstats.Stats(profile).total_calls)  # type: ignore[attr-defined]  # not in typeshed
