"""Names of the JVM's packages and classes, each asked for once.

To know what ``jvm.org.apache`` is, the JVM looks for classes of that name in some 300 archives. PySpark asks so dozens
of times for each exception that it translates, and these tests have Spark refuse tens of thousands of expressions.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from py4j.java_gateway import JavaPackage, JVMView


def remember_names() -> None:
    """Have every gateway to a JVM keep what the names of packages and classes are."""
    for kind in (JVMView, JavaPackage):
        if not hasattr(kind.__getattr__, "__wrapped__"):
            kind.__getattr__ = _remembering(kind.__getattr__)


def _remembering(look_up: Callable[[Any, str], Any]) -> Callable[[Any, str], Any]:
    @wraps(look_up)
    def look_up_once(holder: Any, name: str) -> Any:
        # An attribute that an instance has itself is found without asking again.
        found = holder.__dict__[name] = look_up(holder, name)
        return found

    return look_up_once
