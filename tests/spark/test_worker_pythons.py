"""What a user is told when the Python of Spark's workers cannot run functions; the texts are those of each engine."""

from __future__ import annotations

import pytest

from ir.errors import TableException
from tableapi.spark.errors import translate
from tableapi.spark.worker_pythons import explain_worker_python

pytestmark = pytest.mark.long

_CHOOSES = (
    "The environment variable PYSPARK_PYTHON, or the setting spark.pyspark.python, chooses the Python of the workers "
    "before Spark starts."
)
_TRACEBACK = (
    "An exception was thrown from the Python worker. Please see the stack trace below.\nTraceback (most recent call "
    'last):\n  File "/opt/pyspark.zip/pyspark/worker.py", line 1100, in main\n    raise PySparkRuntimeError(\n'
)
_MISMATCH = f"{_TRACEBACK}pyspark.errors.exceptions.base.PySparkRuntimeError: [PYTHON_VERSION_MISMATCH]"
_ADVICE = (
    "PySpark cannot run with different minor versions.\nPlease check environment variables PYSPARK_PYTHON and "
    "PYSPARK_DRIVER_PYTHON are correctly set."
)
_OTHER_VERSION = (
    f"Spark's workers run Python 3.12, and this process runs Python 3.11. Functions in Python need the same minor "
    f"version in both. {_CHOOSES} Name a Python 3.11 there; or run this program with Python 3.12."
)


@pytest.mark.parametrize(
    ("message", "explanation"),
    [
        (
            f"{_MISMATCH} Python in worker has different version (3, 12) than that in driver 3.11, {_ADVICE}",
            _OTHER_VERSION,
        ),
        (
            f"{_MISMATCH} Python in worker has different version: 3.12 than that in driver: 3.11, {_ADVICE}",
            _OTHER_VERSION,
        ),
        (
            "invalid argument: Python version used to compile the UDF (3.12) does not match the Python version at "
            "runtime (3.11.7 (main, May  9 2026, 07:35:25) [GCC 12.2.0])",
            "The Sail server runs Python 3.11, and this process runs Python 3.12. Functions in Python need the same "
            "minor version in both. Start the server with Python 3.12; or run this program with Python 3.11.",
        ),
        (
            'java.io.IOException: Cannot run program "/opt/python9": error=2, No such file or directory',
            f"Spark cannot start the Python of its workers, /opt/python9: No such file or directory. {_CHOOSES}",
        ),
        (
            "org.apache.spark.SparkException: EOFException occurred while reading the port number from "
            "pyspark.daemon's stdout.",
            f"What Spark starts as the Python of its workers does not run PySpark's daemon. {_CHOOSES}",
        ),
        (
            f"{_TRACEBACK}ModuleNotFoundError: No module named 'pyarrow.compute'",
            f"The Python of Spark's workers lacks the package pyarrow. Install it there. {_CHOOSES}",
        ),
        (
            f"{_TRACEBACK}pyspark.errors.exceptions.base.PySparkImportError: [PACKAGE_NOT_INSTALLED] PyArrow >= 15.0.0 "
            "must be installed; however, it was not found.",
            f"The Python of Spark's workers lacks the package pyarrow. Install it there. {_CHOOSES}",
        ),
        (f"{_TRACEBACK}ValueError: the function of a user fails", None),
        ("[DIVIDE_BY_ZERO] Division by zero. SQLSTATE: 22012", None),
    ],
    ids=["3.5", "4.0", "sail", "no program", "no python", "no module", "no package", "other error", "no worker"],
)
def test_the_python_of_workers_is_named(message: str, explanation: str | None) -> None:
    assert explain_worker_python(message) == explanation


def test_an_error_has_the_explanation_in_place_of_the_traceback() -> None:
    from pyspark.errors import PySparkException

    error = translate(
        PySparkException(
            f"{_TRACEBACK}PySparkRuntimeError: [PYTHON_VERSION_MISMATCH] Python in worker has different version: 3.12 "
            f"than that in driver: 3.11, {_ADVICE}"
        ),
        "Project",
    )
    assert isinstance(error, TableException)
    assert str(error) == f"Project failed: {_OTHER_VERSION}"
