"""Cache the JVM's names of packages and classes.

To resolve ``jvm.org.apache``, the JVM searches some 300 archives for classes of that name. PySpark does so dozens of
times for each exception that it translates, and these tests make Spark reject tens of thousands of expressions.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from py4j.java_gateway import JavaPackage, JVMView


def remember_names() -> None:
    """Make every gateway to a JVM cache the meaning of package and class names."""
    for kind in (JVMView, JavaPackage):
        if not hasattr(kind.__getattr__, "__wrapped__"):
            kind.__getattr__ = _remembering(kind.__getattr__)


def _remembering(look_up: Callable[[Any, str], Any]) -> Callable[[Any, str], Any]:
    @wraps(look_up)
    def look_up_once(holder: Any, name: str) -> Any:
        # Python finds an instance's own attribute without calling ``__getattr__`` again.
        found = holder.__dict__[name] = look_up(holder, name)
        return found

    return look_up_once
