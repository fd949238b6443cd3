"""Python functions within lambdas: Spark cannot call them there, so their values are computed outside."""

from __future__ import annotations

import random
from typing import Any

import pytest
from pyspark.sql import SparkSession

from ir.errors import TableException, ValidationException
from tableapi import DataTypes, TableEnvironment, udf
from tableapi.expressions import call, col


@udf
def next_of(number: int) -> int:
    """Return the next number."""
    return number + 1


@pytest.fixture(scope="module")
def env(spark: SparkSession) -> TableEnvironment:
    env = TableEnvironment.create(spark=spark.newSession())
    env.create_temporary_system_function("next_of", next_of)
    env.create_temporary_system_function("place", udf(lambda n: n + 1, ["INT"], "INT", name="place"))
    drawn = udf(lambda n: random.random(), ["BIGINT"], "DOUBLE", deterministic=False, name="drawn")
    env.create_temporary_system_function("drawn", drawn)
    env.execute_sql("CREATE TEMPORARY FUNCTION by_way(x BIGINT) RETURNS BIGINT RETURN next_of(x)")
    rows = [(1, [1, 2]), (2, []), (3, None)]
    row = DataTypes.ROW([DataTypes.FIELD("i", DataTypes.INT()), DataTypes.FIELD("a", DataTypes.ARRAY(DataTypes.INT()))])
    env.create_temporary_view("t", env.from_elements(rows, row))
    return env


VALUES: dict[str, list[Any]] = {
    "transform(a, x -> x + next_of(i))": [[3, 4], [], None],
    "transform(a, x -> x + next_of(3))": [[5, 6], [], None],
    "transform(a, x -> x + by_way(i))": [[3, 4], [], None],
    "transform(a, x -> transform(a, y -> x * y + next_of(i)))": [[[3, 4], [4, 6]], [], None],
    "filter(a, x -> x = next_of(i))": [[2], [], None],
    "exists(a, value_0 -> value_0 = next_of(next_of(i)) - 1)": [True, False, None],
    "aggregate(a, next_of(i), (s, x) -> s + x + next_of(i) * next_of(0))": [9, 3, None],
    "transform(array(next_of(i)), x -> x * 2)": [[4], [6], [8]],
    "transform(array(next_of(i)), x -> x * next_of(i))": [[4], [9], [16]],
    "array_slice(array(1, 2, 3, 4), place(0), place(i))": [[1, 2], [1, 2, 3], [1, 2, 3, 4]],
}


@pytest.mark.parametrize("text", VALUES)
def test_calls_with_one_value_per_row(env: TableEnvironment, text: str) -> None:
    found = env.sql_query(f"SELECT i, {text} AS v FROM t")
    assert [list(row) for row in sorted(found.execute().collect())] == [
        [i + 1, value] for i, value in enumerate(VALUES[text])
    ]
    assert env.sql_query(found.as_serializable_string()).query_operation is found.query_operation


def test_in_other_clauses(env: TableEnvironment) -> None:
    kept = env.sql_query("SELECT SUM(i) AS s FROM t WHERE exists(a, x -> x = next_of(i)) HAVING MAX(i) > 0")
    assert [list(row) for row in kept.execute().collect()] == [[1]]
    t = env.from_path("t")
    fluent = t.filter(col("i") == 1).select(
        call("transform", col("a"), lambda x: x + call("next_of", col("i"))).alias("v")
    )
    assert [list(row) for row in fluent.execute().collect()] == [[[3, 4]]]


@pytest.mark.parametrize("text", ["transform(a, x -> next_of(x))", "transform(a, x -> transform(a, y -> next_of(x)))"])
def test_calls_on_elements_are_rejected_when_built(env: TableEnvironment, text: str) -> None:
    with pytest.raises(
        ValidationException, match="next_of is a function in Python, which Spark does not call within a"
    ):
        env.sql_query(f"SELECT {text} FROM t")


def test_calls_rejected_when_run(env: TableEnvironment) -> None:
    for text, told in (
        ("transform(a, x -> by_way(x))", r"next_of is a function in Python, .* a lambda on 'x'\. Make rows"),
        ("transform(a, x -> x + drawn(i))", "drawn is a function in Python that is not deterministic"),
    ):
        with pytest.raises(TableException, match=told):
            env.sql_query(f"SELECT {text} AS v FROM t").execute()
