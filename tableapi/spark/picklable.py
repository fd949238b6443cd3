"""Check that user-defined functions can be sent to Spark's workers, if PySpark is installed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tableapi.lazy import lazy
from tableapi.spark.needed_packages import are_installed

if TYPE_CHECKING:
    from tableapi.spark import python_functions
else:
    python_functions = lazy(__name__, "tableapi.spark.python_functions")


def require_picklable(name: str, target: Any) -> None:
    """Check that a function, or an instance of a function class, can be pickled for workers.

    PySpark pickles it. Without PySpark, nothing is checked, because queries can be built but not run. A query that runs
    pickles the function again.

    Args:
        name: the name of the function, for the message.
        target: the function or the instance.

    Raises:
        TableException: the function refers to an object that cannot be pickled.
    """
    if are_installed():
        python_functions.require_picklable(name, target)
