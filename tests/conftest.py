"""Fixtures of the whole suite. Starting Spark takes seconds, so one session serves the run, and only if a test asks."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from tests.programs.tables import Tables

# How long an example takes says something about the machine, and nothing about the code.
settings.register_profile("tableapi", settings(), deadline=None)
settings.load_profile("tableapi")


# A test asks about a few rows. Compiling code for many, by the JVM and by Spark, would take most of the time.
_FOR_FEW_ROWS = (
    "-XX:TieredStopAtLevel=1",
    # With that goes room for 48 MB of compiled code. A run fills it, and code would be thrown away and compiled anew.
    "-XX:ReservedCodeCacheSize=256m",
    "-XX:-UseCodeCacheFlushing",
    "-XX:+UseSerialGC",
    # The heap of 2 GB is filled in any case. Begun small, it is collected whole each time before it grows.
    "-Xms1g",
    "-Xmn512m",
    # Else all of the heap is collected each time that the room for classes grows.
    "-XX:MetaspaceSize=256m",
    # The JVM makes and prints a trace for each expression that it refuses, which some tests ask tens of thousands of.
    "-XX:MaxJavaStackTraceDepth=16",
    # Else each aggregation and each sort of a few rows takes and clears 32 MB on two cores. What does not fit a page
    # gets another.
    "-Dspark.buffer.pageSize=1m",
    "-Dspark.sql.adaptive.enabled=false",
    "-Dspark.sql.codegen.factoryMode=NO_CODEGEN",
    "-Dspark.sql.codegen.wholeStage=false",
    "-Dspark.sql.shuffle.partitions=2",
)
os.environ.setdefault("SPARK_SUBMIT_OPTS", " ".join(_FOR_FEW_ROWS))


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the files that take longest, so that the processes of a run end at about the same time."""
    tests = Counter(item.path for item in items)
    items.sort(key=lambda item: (item.get_closest_marker("long") is None, -tests[item.path], item.path))


@pytest.fixture(scope="session")
def spark(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SparkSession]:
    """The embedded session, with a metastore that ends with the run.

    A test that changes settings or registers functions works on ``spark.newSession()``.
    """
    from tableapi.spark.session import embedded_session, stop_embedded_session
    from tests.jvm_names import remember_names

    remember_names()
    yield embedded_session(warehouse=tmp_path_factory.mktemp("spark home"))
    stop_embedded_session()


@pytest.fixture(scope="session")
def tables_in_spark(spark: SparkSession) -> Iterator[Tables]:
    """The tables that the test programs read, in Spark's catalog; made once, since that takes seconds."""
    from tests.programs.tables import programs_in_spark

    with programs_in_spark(spark) as tables:
        yield tables
