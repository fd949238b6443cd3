"""The batches of a stream have the plans that Spark makes for the same query with DataFrames."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from benchmarks.streams import NOOP, NOW, QUERIES
from tableapi import TableEnvironment

_OF_ONE_RUN = re.compile(r"#\d+L?|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|plan_id=\d+|part-\d+\S*")


def _write(spark: SparkSession, folder: Path) -> None:
    rows = (
        "SELECT id, id % 7 AS shop, id * 0.5 AS price, 'x' AS item, TIMESTAMP_SECONDS(id) AS at FROM range(0, 99, 1, 2)"
    )
    spark.sql(rows).write.parquet(f"{folder}/sales")
    spark.sql("SELECT id AS number, CONCAT('city ', id) AS city FROM range(7)").write.parquet(f"{folder}/shops")


@pytest.mark.parametrize("name", QUERIES)
def test_plans_equal_those_of_dataframes(
    env: TableEnvironment, tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    spark, query = env.spark, QUERIES[name]
    _write(spark, tmp_path)
    schema = spark.read.parquet(f"{tmp_path}/sales").schema
    sales = spark.readStream.schema(schema).option("maxFilesPerTrigger", 1).parquet(f"{tmp_path}/sales")
    shops = spark.read.parquet(f"{tmp_path}/shops")
    env.create_temporary_view("sales", env.from_spark(sales))
    env.create_temporary_view("shops", env.from_spark(shops))
    result = query.ours(env.from_path("sales"), env.from_path("shops")).execute_insert(NOOP, options=NOW)
    assert result.wait()
    writer = query.theirs(sales, shops).writeStream.format("noop").outputMode("append")
    theirs = writer.trigger(availableNow=True).start()
    theirs.awaitTermination()
    plans = []
    for running in (result._streams[0]._query, theirs):
        capsys.readouterr()
        running.explain()
        plans.append(_OF_ONE_RUN.sub("", capsys.readouterr().out))
    assert "WriteToDataSourceV2" in plans[0]
    assert plans[0] == plans[1]
