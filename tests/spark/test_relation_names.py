"""A person's names of WITH steps and relations, in the SQL that Spark receives and in stored views."""

from __future__ import annotations

from tableapi import Table, TableEnvironment
from tests.spark.rows import rows

TOTALS = (
    "WITH totals AS (SELECT k, sum(v) AS s FROM t GROUP BY k) "
    "SELECT big.k FROM totals AS big JOIN totals AS small ON big.s > small.s"
)


def _made(env: TableEnvironment) -> Table:
    env.execute_sql("CREATE TABLE t (k INT, v INT) USING parquet")
    env.execute_sql("INSERT INTO t VALUES (1, 5), (2, 7)")
    return env.sql_query(TOTALS)


def _has_names(text: str) -> bool:
    return all(f" {name}" in text.replace("`", "") for name in ("totals", "big", "small"))


def test_spark_is_given_the_names(env: TableEnvironment) -> None:
    table = _made(env)
    assert rows(table) == [(2,)]
    plan = table.to_spark()._jdf.queryExecution().logical().toString()
    for name in ("CTE [totals", "SubqueryAlias big", "SubqueryAlias small"):
        assert name in plan, plan
    # Over a temporary view, the executed tree is another one.
    env.create_temporary_view("passing", env.from_path("t"))
    plan = env.sql_query(TOTALS.replace(" t ", " passing ")).to_spark()._jdf.queryExecution().logical().toString()
    assert "SubqueryAlias big" in plan, plan


def test_views_store_the_names(env: TableEnvironment) -> None:
    table = _made(env)
    env.create_view("stored", table)
    assert _has_names(env.show_create_view("stored"))
    read = env.from_view_definition("stored")
    assert read.query_operation.normalize() is table.query_operation.normalize()
    assert _has_names(read.as_serializable_string(layout="MERGED"))
    env.execute_sql(f"CREATE VIEW made_by_sql AS {TOTALS}")
    assert _has_names(env.show_create_view("made_by_sql"))
    env.execute_sql(f"ALTER VIEW stored AS {TOTALS.replace('big', 'large')}")
    assert " large\n" in env.show_create_view("stored")
    assert rows(env.from_path("stored")) == [(2,)]


def test_names_of_a_temporary_view_stay_with_it(env: TableEnvironment) -> None:
    env.create_temporary_view("w", _made(env))
    assert _has_names(env.from_view_definition("w").as_serializable_string(layout="MERGED"))
    # A query over the view has none of the view's names.
    assert "big" not in env.from_path("w").as_serializable_string(layout="MERGED")
    assert rows(env.from_path("w")) == [(2,)]
