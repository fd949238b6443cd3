"""Expressions that may fail for some groups are computed after HAVING, unless HAVING uses a computed expression."""

from __future__ import annotations

import pytest

from ir.operations.filter import Filter
from ir.operations.project import Project
from tableapi import DataTypes, Layout, Table, TableEnvironment
from tableapi.expressions import col, lit


@pytest.fixture
def env() -> TableEnvironment:
    """An environment without Spark."""
    return TableEnvironment.create()


@pytest.fixture
def table(env: TableEnvironment) -> Table:
    """A table ``t`` without rows."""
    made = env.from_elements([], DataTypes.ROW([DataTypes.FIELD(n, DataTypes.INT()) for n in ("k", "v")]))
    env.create_temporary_view("t", made)
    return env.from_path("t")


def test_conditions_on_selected_columns_are_evaluated_last(env: TableEnvironment, table: Table) -> None:
    written = env.sql_query(
        "SELECT k, 12 / COUNT(v) AS share, COUNT(v) AS n FROM t GROUP BY k HAVING 12 / COUNT(v) > 3 AND COUNT(v) < 9"
    )
    built = (
        table.group_by(col("k"))
        .select(col("k"), (lit(12) / col("v").count).alias("share"), col("v").count.alias("n"))
        .filter((col("share") > 3) & (col("n") < 9))
    )
    assert isinstance(built.query_operation, Filter)
    assert written.query_operation is built.query_operation
    assert "HAVING" in built.as_serializable_string(layout=Layout.MERGED)


def test_a_condition_on_something_else_is_asked_first(env: TableEnvironment, table: Table) -> None:
    written = env.sql_query("SELECT k, 12 / COUNT(v) AS share FROM t GROUP BY k HAVING COUNT(*) > 3")
    assert isinstance(written.query_operation, Project)
    assert isinstance(written.query_operation.input, Filter)


def test_conditions_that_never_fail_join_having(table: Table) -> None:
    counted = table.group_by(col("k")).select(col("k"), col("v").count.alias("n")).filter(col("n") > 0)
    safe = counted.select(col("k"), (col("n") + 1).alias("m")).as_serializable_string(layout=Layout.MERGED)
    assert safe.count("SELECT") == 1
    failing = counted.select(col("k"), (lit(12) / col("n")).alias("m")).as_serializable_string(layout=Layout.MERGED)
    assert failing.count("SELECT") == 2
