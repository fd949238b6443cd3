"""Statements about what a session has, on Spark: they read tables of catalogs that Spark does not have."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import SparkSession

from tableapi import TableEnvironment
from tableapi.exceptions import TableException


def _rows(te: TableEnvironment, query: str) -> list[tuple[Any, ...]]:
    return sorted(tuple(row) for row in te.execute_sql(query).collect())


def test_variables_and_global_views_over_tables_of_other_catalogs(spark: SparkSession, tmp_path: Path) -> None:
    te = TableEnvironment.create(spark=spark)
    te.execute_sql(f"CREATE CATALOG shop WITH ('type' = 'directory', 'path' = '{tmp_path}')")
    te.execute_sql("CREATE DATABASE shop.sales")
    te.execute_sql(f"CREATE TABLE shop.sales.orders (id INT, day STRING) USING json LOCATION '{tmp_path / 'orders'}'")
    te.execute_sql("INSERT INTO shop.sales.orders VALUES (1, 'mon'), (7, 'tue')")
    try:
        te.execute_sql("DECLARE OR REPLACE VARIABLE newest, other INT DEFAULT 3")
        te.execute_sql("DECLARE OR REPLACE VARIABLE called STRING")
        te.execute_sql("SET VAR (newest, called) = (SELECT id, day FROM shop.sales.orders ORDER BY id DESC LIMIT 1)")
        te.execute_sql("SET VARIABLE other = newest * 2 + other")
        assert _rows(te, "SELECT newest, called, other") == [(7, "tue", 17)]
        te.execute_sql("SET VAR other = DEFAULT")
        assert _rows(te, "SELECT other") == [(3,)]
        te.execute_sql("DECLARE OR REPLACE VARIABLE later INT DEFAULT newest + 1")
        assert _rows(te, "SELECT later") == [(8,)]
        with pytest.raises(TableException, match="newest"):
            # Spark resolves such a default only when the variable is declared.
            te.execute_sql("SET VAR later = DEFAULT")
        with pytest.raises(TableException) as refused:
            te.execute_sql("SET VAR other = (SELECT max(id) FROM shop.sales.orders)")
        assert "shop.sales.orders" in str(refused.value)
        te.execute_sql("CREATE OR REPLACE GLOBAL TEMPORARY VIEW late (number) AS SELECT id FROM shop.sales.orders")
        assert _rows(te, "SELECT number FROM global_temp.late") == [(1,), (7,)]
        with pytest.raises(TableException):
            te.execute_sql("CREATE GLOBAL TEMPORARY VIEW late AS SELECT id FROM shop.sales.orders WHERE id > 1")
        assert len(_rows(te, "SELECT * FROM global_temp.late")) == 2
    finally:
        te.execute_sql("DROP VIEW IF EXISTS global_temp.late")
        for name in ("newest", "other", "called", "later"):
            te.execute_sql(f"DROP TEMPORARY VARIABLE IF EXISTS {name}")
