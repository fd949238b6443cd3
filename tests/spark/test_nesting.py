"""Expressions that are nested too deeply for the stack of Spark's threads."""

from __future__ import annotations

import functools
import operator

import pytest
from pyspark.sql import SparkSession

from tableapi import DataTypes, Table, TableEnvironment, TableException
from tableapi.expressions import col, if_then_else, lit
from tableapi.spark.planner.nesting import require_shallow
from tableapi.spark.settings import thread_stack

ROW = DataTypes.ROW([DataTypes.FIELD("a", DataTypes.BIGINT()), DataTypes.FIELD("f", DataTypes.BOOLEAN())])


@pytest.fixture
def table() -> Table:
    return TableEnvironment.create().from_elements([(1, True)], ROW)


def _sum(table: Table, terms: int) -> Table:
    return table.select(functools.reduce(operator.add, [col("a")] * terms))


def test_too_deep_queries_are_rejected_with_the_depths(table: Table) -> None:
    require_shallow(_sum(table, 800).query_operation, 1024)
    message = (
        r"Project: an expression has 1,600 levels .* takes about 800 with a stack of 1 MB .*"
        r"spark\.driver\.extraJavaOptions=-Xss64m"
    )
    with pytest.raises(TableException, match=message):
        require_shallow(_sum(table, 1600).query_operation, 1024)
    require_shallow(_sum(table, 1600).query_operation, 65536)
    nested = lit(0)
    for number in range(1000):
        nested = if_then_else(col("a") == number, number, nested)
    with pytest.raises(TableException, match=r"1,002 levels"):
        require_shallow(table.select(nested).query_operation, 1024)
    with pytest.raises(TableException, match=r"levels of operators"):
        require_shallow(table.filter(col("a").in_(_sum(table, 1600))).query_operation, 1024)


@pytest.mark.slow
def test_wide_is_not_deep(table: Table) -> None:
    conditions = [col("a") != number for number in range(5000)]
    for operators in (operator.and_, operator.or_):
        require_shallow(table.filter(functools.reduce(operators, conditions)).query_operation, 1024)
    require_shallow(table.filter(col("a").in_(*range(5000))).query_operation, 1024)
    branches = " ".join(f"WHEN a = {number} THEN {number}" for number in range(2000))
    env = TableEnvironment.create()
    env.create_temporary_view("t", env.from_elements([(1, True)], ROW))
    require_shallow(env.sql_query(f"SELECT CASE {branches} END FROM t").query_operation, 1024)


def test_the_stack_of_the_session_limits_the_depth(spark: SparkSession, monkeypatch: pytest.MonkeyPatch) -> None:
    # The embedded session starts with -Xss64m.
    assert thread_stack(spark) == 65536
    env = TableEnvironment.create(spark=spark.newSession())
    deep = _sum(env.from_elements([(1, True)], ROW), 1600)
    assert [tuple(row) for row in deep.execute().collect()] == [(1600,)]
    monkeypatch.setattr("tableapi.spark.execution.thread_stack", lambda session: 1024)
    env = TableEnvironment.create(spark=spark.newSession())
    with pytest.raises(TableException, match=r"1,600 levels"):
        _sum(env.from_elements([(1, True)], ROW), 1600).execute()
