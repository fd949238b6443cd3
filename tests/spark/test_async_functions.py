"""Asynchronous functions under Spark Connect."""

from __future__ import annotations

from pyspark.sql import SparkSession

from tableapi import TableEnvironment, udf
from tests.async_functions.service import Service, ask


def test_on_spark_connect(connect_spark: SparkSession) -> None:
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
    env.drop_temporary_view("numbers")
    service.close()
