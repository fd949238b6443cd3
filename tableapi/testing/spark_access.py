"""Whether tests have Spark, and the session in which they run queries."""

from __future__ import annotations

import functools
import tempfile
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import pytest

from ir.errors import TableException
from tableapi.lazy import lazy
from tableapi.testing.current_run import current_config

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from tableapi import table as tables
    from tableapi.spark import java, needed_packages
    from tableapi.spark import session as spark_session
    from tableapi.table import Table
    from tableapi.testing import sail_access
else:
    tables = lazy(__name__, "tableapi.table")
    java = lazy(__name__, "tableapi.spark.java")
    sail_access = lazy(__name__, "tableapi.testing.sail_access")
    needed_packages = lazy(__name__, "tableapi.spark.needed_packages")
    spark_session = lazy(__name__, "tableapi.spark.session")


@functools.cache
def find_obstacle() -> str | None:
    """Return the reason why there is no Spark, None if there is one. Nothing is started."""
    if find_spec("pyspark") is None:
        return "the package pyspark is not installed (pip install 'tableapi[spark]')"
    try:
        needed_packages.require_packages()
        java.find_java()
    except (TableException, ImportError) as error:
        return " ".join(str(error).split())
    return None


def require_spark(config: pytest.Config | None, caller: str) -> None:
    """Skip the test by name, or fail it, if it has no Spark, or no Sail where that is the engine.

    Args:
        config: the configuration of the run, None outside of pytest.
        caller: the function or fixture that needs Spark.
    """
    use = "auto" if config is None else config.getini("tableapi_spark")
    if use == "never":
        pytest.skip(f"{caller} needs Spark, and the option tableapi_spark is 'never'")
    on_sail = _is_on_sail(config)
    obstacle = sail_access.find_obstacle() if on_sail else find_obstacle()
    if obstacle is not None:
        _refuse(f"{caller} needs {'Sail' if on_sail else 'Spark'}: {obstacle}", is_required=use == "required")


def _is_on_sail(config: pytest.Config | None) -> bool:
    return config is not None and config.getini("tableapi_engine") == "sail"


def _refuse(message: str, *, is_required: bool) -> NoReturn:
    if is_required:
        pytest.fail(message, pytrace=False)
    pytest.skip(message)


def require_spark_for(table: Table, caller: str) -> None:
    """Skip the test, or fail it, if a table has no Spark to run on; start the session of the tests if none runs.

    Args:
        table: the table that will run.
        caller: the function that runs it.
    """
    runtime = tables.query_of(table).environment.runtime
    if runtime.started is not None:
        return
    config = current_config()
    session = session_of_tests(config, caller)
    if _is_on_sail(config):
        runtime.attach(session)


def session_of_tests(config: pytest.Config | None, caller: str) -> SparkSession:
    """Return the session of the tests of this process; start it if there is none.

    It is the embedded session in a temporary directory, or, if the option ``tableapi_engine`` is ``sail``, a session on
    a Sail in this process.

    Args:
        config: the configuration of the run, None outside of pytest.
        caller: the function or fixture that needs Spark, for the message of a test that is skipped.
    """
    require_spark(config, caller)
    if _is_on_sail(config):
        return sail_access.session_on_sail()
    running = spark_session.running_session()
    return spark_session.embedded_session(Path(_directory().name)) if running is None else running


@functools.cache
def _directory() -> tempfile.TemporaryDirectory[str]:
    # Deleted at exit. The tables of tests must neither meet those of the user nor stay.
    return tempfile.TemporaryDirectory(prefix="tableapi-tests-", ignore_cleanup_errors=True)
