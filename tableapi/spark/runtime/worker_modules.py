"""Find the modules that a worker lacks."""

from __future__ import annotations

import platform
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from typing import Any

import pyarrow as pa


def missing_modules(modules: Sequence[str]) -> Callable[[Any], pa.Array]:
    """Return a function that tells, for each value of a column, which modules the worker lacks and what it has.

    Args:
        modules: the names of the modules.
    """

    def look(column: Any) -> pa.Array:
        lacking = [name for name in modules if not _has_module(name)]
        versions = f"Python {platform.python_version()}, pyarrow {pa.__version__}"
        return pa.array([f"{' '.join(lacking)}|{versions}"] * len(column))

    return look


def _has_module(name: str) -> bool:
    try:
        return find_spec(name) is not None
    except ModuleNotFoundError:
        # A package of the name is missing.
        return False
