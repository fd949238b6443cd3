"""Fixtures for Spark tests; the Spark Connect server runs in the suite's only JVM, so that it needs no second start."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest

from tableapi import TableEnvironment

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


@pytest.fixture
def env(spark: SparkSession) -> Iterator[TableEnvironment]:
    """An environment with its own database."""
    made = TableEnvironment.create()
    database = f"env_{uuid.uuid4().hex[:8]}"
    made.spark.sql(f"CREATE DATABASE {database}")
    made.use_database(database)
    yield made
    made.spark.sql(f"DROP DATABASE {database} CASCADE")


@pytest.fixture(params=["classic", "connect"])
def running(jvm: None, request: pytest.FixtureRequest) -> TableEnvironment:
    """An environment on each kind of session."""
    if request.param == "classic":
        return TableEnvironment.create(spark=request.getfixturevalue("spark").newSession())
    return TableEnvironment.create(spark=request.getfixturevalue("connect_spark"))


# What a Connect session has not, and what clients such as databricks-connect may answer by an error of any kind.
_OF_A_JVM = ("_jvm", "_sc", "_jsc", "_jconf", "_jsparkSession", "sparkContext")


def _refuse(session: object) -> None:
    # No Exception, so that no handler can hide it.
    pytest.fail("The JVM of a Connect session was requested.")


@pytest.fixture(scope="session")
def connect_spark(connect_address: str) -> Iterator[Any]:
    """A Connect session; a test that changes its settings works on ``connect_spark.newSession()``."""
    from pyspark.sql.connect.dataframe import DataFrame as ConnectDataFrame
    from pyspark.sql.connect.session import SparkSession as ConnectSession

    session = ConnectSession.builder.remote(connect_address).create()
    with pytest.MonkeyPatch.context() as patch:
        for kind, names in ((ConnectSession, _OF_A_JVM), (ConnectDataFrame, ("_jdf", "_jrdd", "rdd"))):
            for name in names:
                patch.setattr(kind, name, property(_refuse), raising=False)
        yield session
    session.stop()
