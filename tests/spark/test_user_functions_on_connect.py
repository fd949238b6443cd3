"""User-defined functions of every kind over Spark Connect."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from ir.errors import TableException
from tableapi import DirectoryCatalog, Table, TableEnvironment, udf
from tableapi.expressions import call, col
from tests.user_functions import accumulators, processes
from tests.user_functions import functions as f


@pytest.fixture
def env(connect_spark: Any) -> TableEnvironment:
    env = TableEnvironment.create(spark=connect_spark.newSession())
    env.get_config().set("python.job.greeting", "good day")
    env.create_temporary_view("t", env.from_elements([(1, "a bb", 1), (2, None, 1), (4, "c", 2)], ["id", "text", "k"]))
    return env


def rows_of(table: Table) -> list[tuple[Any, ...]]:
    return sorted((tuple(row) for row in table.execute().collect()), key=repr)


def test_every_kind(env: TableEnvironment) -> None:
    t = env.from_path("t")
    for function in (f.plus, f.words, f.total, f.largest, f.pandas_twice, f.arrow_mean):
        env.create_temporary_system_function(function.__name__.lower(), function)
    assert rows_of(t.select(call("plus", col("id")), f.greeting(col("text")))) == (
        [(11, "good day a bb"), (12, "good day None"), (14, "good day c")]
    )
    assert rows_of(env.sql_query("SELECT id, w.f0 FROM t, LATERAL words(text) AS w")) == [(1, "a"), (1, "bb"), (4, "c")]
    assert rows_of(t.group_by(col("k")).select(col("k"), f.total(col("id")), f.arrow_mean(col("id")))) == (
        [(1, 3, 1.5), (2, 4, 4.0)]
    )
    assert rows_of(t.group_by(col("k")).flat_aggregate(f.largest(col("id"))).select(col("k"), col("value"))) == (
        [(1, 1), (1, 2), (2, 4)]
    )
    assert rows_of(t.select(f.pandas_twice(col("id")))) == [(2,), (4,), (8,)]
    over = "total(id) OVER (PARTITION BY k ORDER BY id), total(id) FILTER (WHERE id > 1) OVER (PARTITION BY k)"
    assert rows_of(env.sql_query(f"SELECT id, {over} FROM t")) == [(1, 1, 2), (2, 3, 2), (4, 4, 4)]


def test_accumulators(env: TableEnvironment) -> None:
    groups = env.from_path("t").group_by(col("k"))
    sums = [aggregate(col("id"), col("k")) for aggregate in accumulators.AGGREGATES.values()]
    assert rows_of(groups.select(col("k"), *sums)) == [(1, *["3/2"] * len(sums)), (2, *["8/2"] * len(sums))]
    for aggregate in accumulators.TABLE_AGGREGATES.values():
        extremes = groups.flat_aggregate(aggregate(col("id"), col("k"))).select(col("end"), col("value"))
        assert rows_of(extremes) == [("greatest", 2), ("greatest", 4), ("least", 1), ("least", 4)]


def test_functions_of_expressions(env: TableEnvironment, tmp_path: Path) -> None:
    env.register_catalog("team", DirectoryCatalog("team", tmp_path))
    env.use_catalog("team")
    env.create_view("v", env.from_elements([(1, 1), (2, 1), (4, 2)], ["id", "k"]))
    env.create_function("of_key", lambda k: env.from_path("v").filter(col("k") == k), input_types=["INT"])
    env.create_function("spread", lambda x: x.max - x.min, input_types=["INT"])
    assert rows_of(env.sql_query("SELECT v.id, f.id FROM v, LATERAL of_key(v.id) AS f")) == [(1, 1), (1, 2), (2, 4)]
    assert rows_of(env.sql_query("SELECT k, spread(id) FROM v GROUP BY k")) == [(1, 1), (2, 0)]


def test_a_failure_shows_the_users_traceback(env: TableEnvironment) -> None:
    @udf
    def inverse(x: int) -> int:
        return 1 // (x - 2)

    with pytest.raises(TableException, match=r"The function inverse failed on \(2\): ZeroDivisionError") as raised:
        env.from_path("t").select(inverse(col("id"))).execute()
    assert "return 1 // (x - 2)" in str(raised.value)


def test_process_table_functions(env: TableEnvironment) -> None:
    by_key = env.from_path("t").partition_by(col("k")).order_by(col("id").desc)
    pairs = env.from_call(processes.Pairs, by_key.as_argument("left"), by_key.as_argument("right"))
    assert [row[0] for row in rows_of(pairs)] == [1, 1, 1, 1, 2]
    # The view in the session registers the process function as a table function of the session's kind.
    env.create_temporary_view("pairs", pairs)
    assert env.spark.sql("SELECT COUNT(*) FROM pairs").collect()[0][0] == 5
    assert [row[0] for row in rows_of(env.from_path("pairs"))] == [1, 1, 1, 1, 2]
