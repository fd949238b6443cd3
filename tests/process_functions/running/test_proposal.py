"""The examples of the proposal (FLIP-440), called as it calls them."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from typing import Any

import pytest
from pyspark.sql import SparkSession

from examples.process_functions import proposal
from tableapi import Row, Table, TableEnvironment
from tableapi.expressions import call, col, descriptor, lit


def at(minutes: float) -> dt.datetime:
    return dt.datetime(2024, 1, 1, 12) + dt.timedelta(minutes=minutes)


@pytest.fixture(scope="module")
def env(spark: SparkSession) -> Iterator[TableEnvironment]:
    env = TableEnvironment.create(spark=spark.newSession())
    events = [("a", at(0), 1), ("a", at(0.5), 2), ("b", at(1), 3), ("a", at(2), 4), (None, at(3), 5)]
    customers = [
        (1, "Ada", "London", at(0)),
        (2, "Bob", "Paris", at(1)),
        (1, "Ann", "Oslo", at(2)),
        (4, "Dan", "Rome", at(9)),
    ]
    orders = [
        (1, 100, 9.5, at(3)),
        (1, 101, 1.0, at(4)),
        (2, 200, 2.5, at(0.5)),
        (3, 300, 3.0, at(0)),
        (4, 400, 4.0, at(0)),
    ]
    env.create_temporary_view("data", env.from_elements(events, ["user_id", "rowtime", "v"]))
    env.create_temporary_view("data1", env.from_elements(customers, ["customer_id", "name", "address", "c_rowtime"]))
    env.create_temporary_view("data2", env.from_elements(orders, ["customer_id", "order_id", "price", "o_rowtime"]))
    for made in (
        proposal.CountWithTimeout,
        proposal.OneMatchJoin,
        proposal.BuiltInOneMatchJoin,
        proposal.TimedLastValue,
        proposal.BuiltInChangelog,
    ):
        env.create_temporary_system_function(made.__name__, made)
    yield env
    for name in ("data", "data1", "data2"):
        env.drop_temporary_view(name)


def rows_of(table: Table) -> list[tuple[Any, ...]]:
    return sorted((tuple(row) for row in table.execute().collect()), key=repr)


COUNTS = [(None, 1), ("a", 1), ("a", 2), ("b", 1)]


def test_count_with_timeout(env: TableEnvironment) -> None:
    found = env.sql_query("""
        SELECT user_id, count
        FROM
          CountWithTimeout(
            input => TABLE(data) PARTITION BY user_id,
            on_time => DESCRIPTOR(rowtime),
            uid => 'main-counting'
          )
    """)
    assert rows_of(found) == sorted(COUNTS, key=repr)
    fluent = (
        env.from_path("data")
        .partition_by(col("user_id"))
        .process(
            proposal.CountWithTimeout,
            descriptor("rowtime").as_argument("on_time"),
            lit("main-counting").as_argument("uid"),
        )
    )
    assert rows_of(fluent) == [
        ("a", 1, at(3)),
        ("a", 2, at(1.5)),
        ("b", 1, at(2)),
        (None, 1, at(4)),
    ]


def test_one_match_join(env: TableEnvironment) -> None:
    found = env.sql_query("""
        SELECT * FROM
          OneMatchJoin(
            customer => TABLE(SELECT customer_id, name, address FROM data1) PARTITION BY customer_id,
            `order` => TABLE(SELECT customer_id, order_id, price FROM data2) PARTITION BY customer_id
              COPARTITION(customer, `order`)
          )
    """)
    assert found.get_schema().get_field_names() == ["customer_id", "customer_id0", "customer", "order"]
    assert [(row[0], row[1], row[2].name, row[3].order_id) for row in rows_of(found)] in (
        [(1, 1, name, order), (2, 2, "Bob", 200), (4, 4, "Dan", 400)] for name in ("Ada", "Ann") for order in (100, 101)
    )


def test_built_in_one_match_join(env: TableEnvironment) -> None:
    found = env.sql_query("""
        SELECT * FROM
          BuiltInOneMatchJoin(
            `left` => TABLE(data1) PARTITION BY customer_id,
            `right` => TABLE(data2) PARTITION BY customer_id COPARTITION(data1, data2),
            ttl => INTERVAL '5' MINUTE,
            on_time => DESCRIPTOR(c_rowtime, o_rowtime)
          )
    """)
    ada, bob = Row(1, "Ada", "London", at(0)), Row(2, "Bob", "Paris", at(1))
    expected = [(1, 1, ada, Row(1, 100, 9.5, at(3)), at(3)), (2, 2, bob, Row(2, 200, 2.5, at(0.5)), at(1))]
    assert [tuple(tuple(v) if isinstance(v, tuple) else v for v in row) for row in rows_of(found)] == [
        tuple(tuple(v) if isinstance(v, tuple) else v for v in row) for row in expected
    ]
    fluent = env.from_call(
        call(
            proposal.BuiltInOneMatchJoin,
            env.from_path("data1").partition_by(col("customer_id")).as_argument("left"),
            env.from_path("data2").partition_by(col("customer_id")).copartition_with("left").as_argument("right"),
            lit(dt.timedelta(minutes=5)).as_argument("ttl"),
            descriptor("c_rowtime", "o_rowtime").as_argument("on_time"),
        )
    )
    assert rows_of(fluent) == rows_of(found)


def test_timed_last_value(env: TableEnvironment) -> None:
    customers = env.from_path("data1").select(col("customer_id"), col("name").alias("value"), col("c_rowtime"))
    env.create_temporary_view("customers", customers)
    found = env.sql_query("""
        SELECT * FROM
          TimedLastValue(input => TABLE(customers) PARTITION BY customer_id, on_time => DESCRIPTOR(c_rowtime))
    """)
    assert rows_of(found) == [(1, "Ada", at(0)), (1, "Ann", at(2)), (2, "Bob", at(1)), (4, "Dan", at(9))]
    env.drop_temporary_view("customers")


def test_built_in_changelog(env: TableEnvironment) -> None:
    found = env.sql_query("SELECT flag, customer_id, name FROM BuiltInChangelog(TABLE(data1))")
    assert rows_of(found) == [("+I", 1, "Ada"), ("+I", 1, "Ann"), ("+I", 2, "Bob"), ("+I", 4, "Dan")]
