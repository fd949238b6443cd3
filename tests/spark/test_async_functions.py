"""Asynchronous functions under Spark Connect."""

from __future__ import annotations

from pathlib import Path

from pyspark.sql import SparkSession

from tableapi import TableEnvironment, udf
from tableapi.expressions import col
from tests.async_functions.service import Service, ask


def test_on_spark_connect(connect_spark: SparkSession, tmp_path: Path) -> None:
    env = TableEnvironment.create(spark=connect_spark.newSession())
    service = Service()
    port = service.port

    @udf
    async def remote(x: int) -> int:
        return int(await ask(port, "remote", x)) + 1

    env.create_temporary_view("numbers", env.from_elements([(1,), (2,), (3,)], ["n"]))
    env.create_temporary_system_function("remote", remote)
    found = env.sql_query("SELECT n, remote(remote(n)) AS r FROM numbers WHERE remote(n) > 2")
    assert sorted(tuple(row) for row in found.execute().collect()) == [(2, 4), (3, 5)]
    assert service.counts() == {"remote": 5}
    # A stream of the same rows, read from files.
    service.reset()
    files = str(tmp_path / "numbers")
    env.spark.range(1, 4, 1, 2).write.parquet(files)
    stream = env.spark.readStream.schema("id BIGINT").option("maxFilesPerTrigger", 1).parquet(files)
    frame = env.from_spark(stream).filter(col("id") > 1).select(col("id"), remote(col("id")).alias("r")).to_spark()
    query = frame.writeStream.format("memory").queryName("answers").trigger(availableNow=True).start()
    assert query.awaitTermination(120)
    assert sorted(tuple(row) for row in env.spark.table("answers").collect()) == [(2, 3), (3, 4)]
    assert sorted(service.calls) == [("remote", (2,)), ("remote", (3,))]
    env.drop_temporary_view("numbers")
    service.close()
