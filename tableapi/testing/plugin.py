"""The pytest plugin: options, and fixtures of environments and snapshots.

pytest loads it in every run where the library is installed. It therefore loads the library only when a fixture is used.
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

import pytest

from tableapi.testing.current_run import begin_run, end_run

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from tableapi.environment.table_environment import TableEnvironment
    from tableapi.project.project import Project

_CHOICES = {"tableapi_spark": ("auto", "required", "never"), "tableapi_engine": ("spark", "sail")}
_MARKER = (
    "tableapi_catalog(folder, name='main', database='default'): the directory catalog of the fixtures "
    "table_environment and spark_table_environment"
)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Declare the options of the configuration file."""
    parser.addini(
        "tableapi_catalog", "the folder of the directory catalog, relative to the configuration file", default=""
    )
    parser.addini("tableapi_catalog_name", "the name of the directory catalog", default="main")
    parser.addini("tableapi_database", "the database of names without one", default="default")
    parser.addini(
        "tableapi_spark",
        "what happens to tests that need Spark: auto skips them where there is none, required fails them there, never "
        "skips them always",
        default="auto",
    )
    parser.addini(
        "tableapi_engine",
        "what the tests run queries on: spark, or sail, a server in this process that needs no Java (pysail)",
        default="spark",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Declare the marker.

    Raises:
        pytest.UsageError: an option has a value that it does not take.
    """
    config.addinivalue_line("markers", _MARKER)
    for option, accepted in _CHOICES.items():
        given = config.getini(option)
        if given not in accepted:
            raise pytest.UsageError(f"{option} is one of {', '.join(accepted)}, but is {given!r}")
    begin_run(config)


def pytest_unconfigure(config: pytest.Config) -> None:
    """End the run."""
    end_run(config)


@pytest.fixture
def table_environment(request: pytest.FixtureRequest) -> TableEnvironment:
    """A new environment without Spark: over the catalog of the marker or the configuration, else over the project."""
    environment: TableEnvironment = _load("environments").environment_without_spark(request)
    return environment


@pytest.fixture
def tableapi_project(request: pytest.FixtureRequest) -> Project:
    """The project beside the configuration file of pytest, with its views; read anew for each test."""
    project: Project = _load("environments").load_project(request.config)
    return project


@pytest.fixture(scope="session")
def tableapi_spark_session(request: pytest.FixtureRequest) -> SparkSession:
    """The session of the tests: the embedded one, in a temporary directory, or one on Sail (``tableapi_engine``).

    Redefine it to use another session. A test that uses it is skipped by name where pyspark or Java is missing, or
    pysail.
    """
    access = _load("spark_access")
    session: SparkSession = access.session_of_tests(request.config, "the fixture tableapi_spark_session")
    return session


@pytest.fixture
def spark_table_environment(
    request: pytest.FixtureRequest, tableapi_spark_session: SparkSession
) -> Iterator[TableEnvironment]:
    """A new environment with Spark, over the directory catalog as well as Spark's own."""
    with _load("environments").environment_with_spark(request, tableapi_spark_session) as environment:
        yield environment


@pytest.fixture
def sql_snapshot(request: pytest.FixtureRequest) -> Any:
    """syrupy's ``snapshot``, which stores a query as a ``.sql`` file: ``assert table == sql_snapshot``."""
    if find_spec("syrupy") is None:
        pytest.fail(
            "The fixture sql_snapshot needs the package syrupy, which comes with the extra 'testing' of tableapi: "
            "pip install 'tableapi[testing]'",
            pytrace=False,
        )
    return request.getfixturevalue("snapshot").use_extension(_load("snapshots").SqlSnapshotExtension)


def _load(module: str) -> Any:
    """Return a module of the test kit.

    pytest reads attributes of all globals of a plugin in its search for fixtures. A global of ``tableapi.lazy`` would
    therefore be loaded in every run.
    """
    return import_module(f"tableapi.testing.{module}")
