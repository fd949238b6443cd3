"""The analyzer that all tests of this folder ask."""

from __future__ import annotations

import pytest
from pyspark.sql import SparkSession

from tests.oracle.oracle import Oracle


@pytest.fixture(scope="session")
def oracle(spark: SparkSession) -> Oracle:
    """Spark's analyzer over the view of all types."""
    return Oracle(spark)
