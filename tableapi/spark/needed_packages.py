"""The packages without which PySpark is installed but cannot give rows."""

from __future__ import annotations

from importlib.util import find_spec
from typing import Final

# PySpark declares it in its extra ``sql``.
NEEDED: Final = ("pyspark", "pyarrow")


def are_installed() -> bool:
    """Whether all needed packages are installed."""
    return all(find_spec(package) is not None for package in NEEDED)


def require_packages() -> None:
    """Check the packages before a session starts or is attached.

    Raises:
        ModuleNotFoundError: a package is missing; public functions name the extra that brings it.
    """
    for package in NEEDED:
        if find_spec(package) is None:
            raise ModuleNotFoundError(f"No module named {package!r}", name=package)
