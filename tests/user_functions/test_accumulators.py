"""Every form of accumulator in PyFlink's documentation, on Spark."""

from __future__ import annotations

from typing import Any

import pytest
from pyspark.sql import SparkSession

from tableapi import Row, TableEnvironment, udf, udtf
from tableapi.expressions import col
from tableapi.window import Over
from tests.user_functions.accumulators import AGGREGATES, TABLE_AGGREGATES

ROWS = [("a", 1, 2), ("a", 5, 1), ("b", 3, 3)]


@pytest.fixture(scope="module")
def env(spark: SparkSession) -> TableEnvironment:
    return TableEnvironment.create(spark=spark.newSession())


def test_aggregates(env: TableEnvironment) -> None:
    t = env.from_elements(ROWS, ["k", "v", "w"])
    calls = [function(col("v"), col("w")).alias(name) for name, function in AGGREGATES.items()]
    found = sorted(t.group_by(col("k")).select(col("k"), *calls).execute().collect())
    assert found == [("a", *["7/3"] * len(calls)), ("b", *["9/3"] * len(calls))]


def test_aggregates_over_windows(env: TableEnvironment) -> None:
    t = env.from_elements(ROWS, ["k", "v", "w"])
    window = Over.partition_by(col("k")).order_by(col("v"))
    calls = [function(col("v"), col("w")).over(window).alias(name) for name, function in AGGREGATES.items()]
    found = sorted(t.select(col("v"), *calls).execute().collect())
    assert found == [(1, *["2/2"] * len(calls)), (3, *["9/3"] * len(calls)), (5, *["7/3"] * len(calls))]


@pytest.mark.parametrize("name", TABLE_AGGREGATES)
def test_table_aggregates(env: TableEnvironment, name: str) -> None:
    grouped = env.from_elements(ROWS, ["k", "v", "w"]).group_by(col("k"))
    call = TABLE_AGGREGATES[name](col("v"), col("w"))
    found = grouped.flat_aggregate(call).select(col("k"), col("end"), col("value"))
    expected = [("a", "greatest", 5), ("a", "least", 1), ("b", "greatest", 3), ("b", "least", 3)]
    assert sorted(found.execute().collect()) == expected


def test_rows_as_results_and_within_them(env: TableEnvironment) -> None:
    @udf(result_type="ROW<a BIGINT, inner ROW<b STRING, c ARRAY<ROW<d BIGINT>>>>")
    def nested(v: int) -> Any:
        made = Row(0, None)
        made[0] = v
        made[1] = Row(b="x", c=[Row(v), Row(d=v + 1)])
        return made

    @udtf(result_types=["BIGINT", "STRING"])
    def one_row(v: int) -> Any:
        return Row(v, "one")

    t = env.from_elements([(1,), (2,)], ["v"])
    assert sorted(t.select(nested(col("v")).alias("r")).execute().collect()) == [
        ((1, ("x", [(1,), (2,)])),),
        ((2, ("x", [(2,), (3,)])),),
    ]
    assert sorted(t.flat_map(one_row(col("v"))).execute().collect()) == [(1, "one"), (2, "one")]
