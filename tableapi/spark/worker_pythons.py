"""Explain why Spark's workers cannot run functions: their Python is another one, lacks a package, or does not start."""

from __future__ import annotations

import re
from typing import Final

# Before Spark 4.0, the version of the worker is a tuple.
_OTHER_VERSION: Final = re.compile(
    r"\[PYTHON_VERSION_MISMATCH\] Python in worker has different version:? \(?(\d+)(?:\.|, )(\d+)\)? than that in "
    r"driver:? (\d+\.\d+)"
)
# Sail runs functions in the process of its server.
_OTHER_VERSION_OF_SAIL: Final = re.compile(
    r"Python version used to compile the UDF \((\d+\.\d+)\) does not match the Python version at runtime \((\d+\.\d+)"
)
# What the last line of a worker's traceback says. A function that fails by itself reports its error otherwise.
_NO_MODULE: Final = re.compile(
    r"^(?:ModuleNotFoundError: No module named '([\w.]+)'|\S*ImportError: (?:\[\w+\] )?(Pandas|PyArrow) >= \S+ must be "
    r"installed; however, it was not found\.)",
    re.MULTILINE,
)
_NOT_STARTED: Final = re.compile(r'Cannot run program "([^"]+)": .*?error=\d+, ([^\n]+)')
_NO_PORT: Final = re.compile(
    r"(?:EOFException occurred while reading the port number from|Bad data in) \S+'s (?:stdout|standard output)"
)
_SAME: Final = "Functions in Python need the same minor version in both."
_CHOOSES: Final = (
    "The environment variable PYSPARK_PYTHON, or the setting spark.pyspark.python, chooses the Python of the workers "
    "before Spark starts."
)


def explain_worker_python(message: str) -> str | None:
    """Return why the Python of the workers cannot run functions; None if a message does not say so.

    Args:
        message: the message of an exception of Spark or Sail.
    """
    mismatch = _OTHER_VERSION.search(message)
    if mismatch is not None:
        worker = f"{mismatch[1]}.{mismatch[2]}"
        return (
            f"Spark's workers run Python {worker}, and this process runs Python {mismatch[3]}. {_SAME} {_CHOOSES} "
            f"Name a Python {mismatch[3]} there; or run this program with Python {worker}."
        )
    mismatch = _OTHER_VERSION_OF_SAIL.search(message)
    if mismatch is not None:
        return (
            f"The Sail server runs Python {mismatch[2]}, and this process runs Python {mismatch[1]}. {_SAME} "
            f"Start the server with Python {mismatch[1]}; or run this program with Python {mismatch[2]}."
        )
    lacking = _NO_MODULE.search(message)
    if lacking is not None:
        module = (lacking[1] or lacking[2]).partition(".")[0].lower()
        return f"The Python of Spark's workers lacks the package {module}. Install it there. {_CHOOSES}"
    absent = _NOT_STARTED.search(message)
    if absent is not None:
        return f"Spark cannot start the Python of its workers, {absent[1]}: {absent[2].strip()}. {_CHOOSES}"
    if _NO_PORT.search(message) is not None:
        return f"What Spark starts as the Python of its workers does not run PySpark's daemon. {_CHOOSES}"
    return None
