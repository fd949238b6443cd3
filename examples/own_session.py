"""Use the library beside the DataFrames of an existing session: ``python -m examples.own_session``."""

from __future__ import annotations

from pyspark.sql import SparkSession

from tableapi import TableEnvironment
from tableapi.expressions import col, lit


def main(spark: SparkSession) -> None:
    te = TableEnvironment.create(spark=spark)

    # A DataFrame becomes a table ...
    readings = te.from_spark(spark.range(10).selectExpr("id", "id % 3 AS sensor", "id * 1.5D AS value"))
    means = (
        readings.group_by(col("sensor"))
        .select(col("sensor"), lit(1).count.alias("readings"), col("value").avg.alias("mean"))
        .order_by(col("sensor"))
    )

    # ... a table a DataFrame ...
    means.to_spark().show()

    # ... and both can read a temporary view.
    te.create_temporary_view("sensor_means", means)
    spark.sql("SELECT max(mean) AS greatest FROM sensor_means").show()
    te.drop_temporary_view("sensor_means")


if __name__ == "__main__":
    main(SparkSession.builder.master("local[2]").appName("own session").getOrCreate())
