"""The Sail of tests: a server in this process that runs Spark SQL without Java (decision 26)."""

from __future__ import annotations

import atexit
import functools
import os
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING

from ir.errors import TableException
from tableapi.lazy import lazy

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from tableapi.spark import needed_packages
    from tableapi.spark import session as spark_session
else:
    needed_packages = lazy(__name__, "tableapi.spark.needed_packages")
    spark_session = lazy(__name__, "tableapi.spark.session")

# Sail reads its settings from the environment. Spark's name of the catalog makes names of tables the same on both.
_SETTINGS = {
    "SAIL_CATALOG__LIST": '[{name="spark_catalog", type="memory", initial_database=["default"]}]',
    "SAIL_CATALOG__DEFAULT_CATALOG": "spark_catalog",
    # It would log its end after the report of the tests.
    "RUST_LOG": "error",
}
_INSTALL = "(pip install 'tableapi[sail]')"


@functools.cache
def find_obstacle() -> str | None:
    """Return the reason why there is no Sail, None if there is one. Nothing is started."""
    for package in ("pysail", "pyspark"):
        if find_spec(package) is None:
            return f"the package {package} is not installed {_INSTALL}"
    try:
        needed_packages.require_packages()
    except (TableException, ImportError) as error:
        return " ".join(str(error).split())
    return None


@functools.cache
def session_on_sail() -> SparkSession:
    """Return the session on the server of this process; start the server if there is none. It ends with the process."""
    given = {name: os.environ.get(name) for name in _SETTINGS}
    os.environ |= {name: value for name, value in _SETTINGS.items() if given[name] is None}
    try:
        server = import_module("pysail.spark").SparkConnectServer(ip="127.0.0.1", port=0)
        server.start(background=True)
    finally:
        for name, value in given.items():
            if value is None:
                del os.environ[name]
    address, port = server.listening_address
    session = spark_session.remote_session(f"sc://{address}:{port}")
    session.conf.set("spark.sql.session.timeZone", "UTC")
    atexit.register(server.stop)
    # Functions that are registered at exit run last first: the session is closed while its server runs.
    atexit.register(session.stop)
    return session
