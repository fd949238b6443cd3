"""Declared tables on a session: the session has the table with the declared columns, or the query is rejected."""

from __future__ import annotations

import pytest

from tableapi import TableEnvironment, TableNotExistException, ValidationException
from tableapi.expressions import col
from tests.spark.rows import rows

ORDERS = {"id": "BIGINT NOT NULL", "amount": "DECIMAL(10, 2)"}


def test_a_declared_table_reads_the_table_of_the_session(env: TableEnvironment) -> None:
    orders = env.declare("orders", ORDERS)
    doubled = orders.select(col("id"), (col("amount") * 2).alias("twice"))
    with pytest.raises(TableNotExistException, match="declared without data, and the Spark session has no table"):
        doubled.execute()
    # Additional columns and another order make no difference.
    env.execute_sql("CREATE TABLE orders (amount DECIMAL(10, 2), more STRING, id BIGINT) USING parquet")
    env.execute_sql("INSERT INTO orders VALUES (1.5, 'x', 7)")
    assert [tuple(map(str, row)) for row in rows(doubled)] == [("7", "3.00")]
    assert env.from_path("orders").get_resolved_schema().names == ("amount", "more", "id")
    assert env.drop_table("orders")
    with pytest.raises(TableNotExistException, match="was not found"):
        env.from_path("orders")


def test_a_table_with_other_columns_than_declared_is_refused(env: TableEnvironment) -> None:
    orders = env.declare("orders", {"id": "INT", "amount": "DOUBLE", "at": "TIMESTAMP", "name": "STRING"})
    env.execute_sql("CREATE TABLE orders (id BIGINT, amuont DOUBLE, at TIMESTAMP, name STRING) USING parquet")
    with pytest.raises(ValidationException) as caught:
        orders.execute()
    assert str(caught.value).splitlines()[1:] == [
        "  'id' is declared as INT, and is BIGINT.",
        "  there is no column 'amount'. Did you mean 'amuont'?",
        "  'at' is declared as TIMESTAMP, and is TIMESTAMP_LTZ. Spark's TIMESTAMP is declared as TIMESTAMP_LTZ.",
    ]
    with pytest.raises(ValidationException, match="is not as it was declared"):
        env.from_path("orders")
    with pytest.raises(ValidationException, match="is not as it was declared"):
        env.declare("orders", ORDERS, or_replace=True)


def test_a_declaration_of_a_table_that_is_there_is_checked_at_once(env: TableEnvironment) -> None:
    env.execute_sql("CREATE TABLE orders (id BIGINT, name VARCHAR(5), tags ARRAY<STRUCT<a: INT>>) USING parquet")
    env.declare("orders", {"id": "BIGINT NOT NULL", "name": "STRING", "tags": "ARRAY<ROW<a INT NOT NULL> NOT NULL>"})
    with pytest.raises(ValidationException, match="'tags' is declared as"):
        env.declare("orders", {"tags": "ARRAY<ROW<a STRING>>"}, or_replace=True)
    # A rejected table is not declared.
    assert env.from_path("orders").get_resolved_schema().names == ("id", "name", "tags")


def test_a_view_of_the_session_may_be_declared(env: TableEnvironment) -> None:
    env.execute_sql("CREATE VIEW recent AS SELECT CAST(1 AS BIGINT) AS id, 'a' AS name")
    assert rows(env.declare("recent", {"name": "STRING", "id": "BIGINT"})) == [(1, "a")]
