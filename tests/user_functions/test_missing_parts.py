"""None for a NOT NULL part of a result: the error names the function, the row and the part."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from pyspark.sql import SparkSession

from tableapi import Row, TableEnvironment, TableFunction, udf, udtf
from tableapi.expressions import col


@pytest.mark.parametrize(
    ("result_type", "result", "part"),
    [
        ("ROW<a INT NOT NULL>", Row(None), "the field a is None"),
        ("ARRAY<INT NOT NULL>", [1, None], "an element is None"),
        ("MAP<STRING, INT NOT NULL>", {"k": None}, "a value of the map is None"),
        ("ARRAY<ROW<b ARRAY<ROW<a INT NOT NULL>>>>", [Row([Row(None)])], "the field a is None"),
    ],
)
def test_none_in_a_part_that_is_not_null_is_explained(
    spark: SparkSession, result_type: str, result: Any, part: str
) -> None:
    env = TableEnvironment.create(spark=spark.newSession())
    made = udf(lambda n: result if n == 7 else None, ["INT"], result_type, name="made")
    with pytest.raises(Exception, match="The function made failed on") as raised:
        env.from_elements([(7,)], ["n"]).select(made(col("n")).alias("v")).execute().collect()
    message = str(raised.value)
    assert message.startswith("The function made failed on (7): TypeError: the result ")
    assert message.endswith(f"{part}, but its type is NOT NULL")
    rows = env.from_elements([(8,)], ["n"]).select(made(col("n")).alias("v")).execute().collect()
    assert [row[0] for row in rows] == [None]


def test_none_for_a_row_of_a_column_that_is_not_null_is_explained(spark: SparkSession) -> None:
    @udtf
    def numbers(n: int) -> Iterator[int]:
        yield n
        yield None  # type: ignore[misc]  # the mistake

    @udtf(result_types=["INT"])
    def nullable(n: int) -> Iterator[Any]:
        yield None

    env = TableEnvironment.create(spark=spark.newSession())
    table = env.from_elements([(1,)], ["n"])
    with pytest.raises(Exception, match=r"numbers failed on \(1\): .*the field f0 is None, but its type is NOT NULL"):
        table.flat_map(numbers(col("n"))).execute().collect()
    assert [tuple(row) for row in table.flat_map(nullable(col("n"))).execute().collect()] == [(None,)]


def test_collect_in_a_table_function_suggests_yield(spark: SparkSession) -> None:
    class Java(TableFunction):
        def eval(self, n: int) -> Iterator[int]:
            self.collect(n)

    env = TableEnvironment.create(spark=spark.newSession())
    with pytest.raises(Exception, match=r"The function Java failed on \(1\).*rows are given with yield"):
        env.from_elements([(1,)], ["n"]).flat_map(udtf(Java())(col("n"))).execute().collect()
