"""Checks of the packages that this package needs: its sibling packages and PySpark.

``ir``, ``serializer`` and ``grammar`` are common names. Python would find a user's own ``ir.py`` in the working
directory first, and fail later with an unrelated message about a missing attribute.
"""

from __future__ import annotations

import importlib.util
import os
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from tableapi.lazy import lazy

if TYPE_CHECKING:
    from importlib import metadata
else:
    metadata = lazy(__name__, "importlib.metadata")

_NAMES = ("ir", "serializer", "grammar")
# PySpark and the packages of its extra ``sql``.
_OF_SPARK = ("pyspark", "py4j", "pandas", "pyarrow", "numpy")


def require_own_packages() -> None:
    """Check that the sibling packages come from the directory of this package.

    Raises:
        ImportError: one of them is another module; the message names its file.
    """
    ours = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))
    for name in _NAMES:
        found = importlib.util.find_spec(name)
        if found is None or found.origin is None:
            raise ImportError(
                f"tableapi needs its package {name!r}, which should be in {os.path.join(ours, name)} and is not there."
            )
        origin = os.path.realpath(found.origin)
        if origin != os.path.join(ours, name, "__init__.py"):
            raise ImportError(
                f"tableapi needs its own package {name!r}, but Python finds {origin} under that name. Rename that "
                "file, or start Python where it is not importable.",
                name=name,
                path=origin,
            )


def named_package(error: ModuleNotFoundError, function: Callable[..., Any]) -> ModuleNotFoundError:
    """Return the error of a public function without PySpark, with the command that installs it.

    Args:
        error: the error that Python raises.
        function: the public function.
    """
    package = (error.name or "").partition(".")[0]
    if package not in _OF_SPARK:
        return error
    try:
        required = metadata.requires("tableapi") or ()
        needed = [one.partition(";")[0].strip() for one in required if one.startswith("pyspark")]
    except metadata.PackageNotFoundError:
        needed = []
    owner, _, method = function.__qualname__.rpartition(".")
    name = owner if method == "__init__" else method
    return ModuleNotFoundError(
        f"{name} needs the package {package}, which is not installed for this Python. Install it with: "
        f"{sys.executable} -m pip install '{needed[0] if needed else 'pyspark[sql]'}'",
        name=error.name,
        path=error.path,
    )
