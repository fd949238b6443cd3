"""Checks of the packages that this package needs: its sibling packages and the packages of its extras.

``ir``, ``serializer`` and ``grammar`` are common names. Python would find a user's own ``ir.py`` in the working
directory first, and fail later with an unrelated message about a missing attribute.

Without an extra, everything works that needs no package of it. A call that needs one names the extra.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable

from tableapi.lazy import lazy

TYPE_CHECKING = False  # a constant that type checkers know; typing takes long to load
if TYPE_CHECKING:
    from importlib import metadata, util
    from typing import Any
else:
    metadata = lazy(__name__, "importlib.metadata")
    util = lazy(__name__, "importlib.util")

_NAMES = ("ir", "serializer", "grammar")
# The extra of tableapi that brings a package, by the import name of the package; see pyproject.toml.
_EXTRAS = {
    "pyspark": "spark",
    "py4j": "spark",
    "pandas": "spark",
    "numpy": "spark",
    "pyarrow": "arrow",
    "nats": "nats",
    "grpc": "connect",
    "grpc_status": "connect",
    "google": "connect",
    "zstandard": "connect",
    "pytest": "testing",
    "syrupy": "testing",
}
# Packages whose projects have another name.
_PROJECTS = {"nats": "nats-py", "grpc": "grpcio", "grpc_status": "grpcio-status", "google": "googleapis-common-protos"}


def require_own_packages() -> None:
    """Check that the sibling packages come from the directory of this package.

    Raises:
        ImportError: a package is another module of the same name; the message names its file.
    """
    ours = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))
    for name in _NAMES:
        # Not importlib.util.find_spec, whose module takes long to load.
        found = next((s for finder in sys.meta_path if (s := finder.find_spec(name, None)) is not None), None)
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


def named_extra(error: ImportError, function: Callable[..., Any]) -> ImportError:
    """Return the error of a public function that needs a missing package: it names the extra and the command.

    Args:
        error: the error that Python or PySpark raises; returned unchanged if no package of an extra is missing.
        function: the public function.
    """
    owner, _, method = function.__qualname__.rpartition(".")
    return name_extra(error, owner if method == "__init__" else method)


def name_extra(error: ImportError, name: str) -> ImportError:
    """Return the error of a public name that needs a missing package, as ``named_extra`` does for a function."""
    package = _missing_package(error)
    if package not in _EXTRAS:
        return error
    extra = _extra_with(package)
    if extra is None:
        reason, requirement = "is not installed for this Python", _PROJECTS.get(package, package)
    else:
        reason, requirement = f"comes with the extra {extra!r} of tableapi", f"'{_own_project()}[{extra}]'"
    return ModuleNotFoundError(
        f"{name} needs the package {package}, which {reason}: {sys.executable} -m pip install {requirement}",
        name=package,
    )


def _missing_package(error: ImportError) -> str:
    """Return the import name of the package whose absence caused an error; empty if no package is missing."""
    # PySpark raises an error of its own for a package that it needs.
    for found in (error, error.__cause__):
        if isinstance(found, ModuleNotFoundError) and found.name:
            package = found.name.partition(".")[0]
            # Another version of the package may lack a module.
            return package if util.find_spec(package) is None else ""
    return ""


def _extra_with(package: str) -> str | None:
    """Return the extra that installs a package; None if the extra would overwrite the pyspark of this Python."""
    if util.find_spec("pyspark") is None or package == "pyspark":
        return _EXTRAS[package]
    try:
        metadata.distribution("pyspark")
    except metadata.PackageNotFoundError:
        # The platform provides it, or databricks-connect.
        return "arrow" if package == "pyarrow" else None
    return "spark" if package == "pyarrow" else _EXTRAS[package]


def _own_project() -> str:
    """Return pip's name of this project: its name, or its directory if it runs without being installed."""
    try:
        metadata.distribution("tableapi")
    except metadata.PackageNotFoundError:
        return os.path.dirname(os.path.dirname(os.path.realpath(__file__)))
    return "tableapi"
