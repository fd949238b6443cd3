"""Every function of Spark and of Flink is either supported or rejected with a reason."""

from __future__ import annotations

from pyspark.sql import SparkSession

from tests.oracle.coverage import of_flink, of_spark


def test_functions_of_spark(spark: SparkSession) -> None:
    assert of_spark([row[0] for row in spark.sql("SHOW SYSTEM FUNCTIONS").collect()]).missing == []


def test_functions_of_flink() -> None:
    assert of_flink().missing == []
