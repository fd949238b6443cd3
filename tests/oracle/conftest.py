"""The analyzer shared by all tests of this folder."""

from __future__ import annotations

import pytest
from pyspark.sql import SparkSession

from tests.oracle.oracle import Oracle


@pytest.fixture(scope="session")
def oracle(spark: SparkSession) -> Oracle:
    """Spark's analyzer with the view of all types."""
    return Oracle(spark)
