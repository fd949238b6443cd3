"""The examples of the proposal (FLIP-440), with the calls of the proposal."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from typing import Any

import pytest
from pyspark.sql import SparkSession

from examples.process_functions import proposal
from ir.errors import ValidationException
from tableapi import Row, Table, TableEnvironment
from tableapi.expressions import call, col, descriptor, lit
from tableapi.process_functions import CallContext, TypeInference


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
            ttl => INTERVAL '5' MINUTES,
            on_time => DESCRIPTOR(c_rowtime, o_rowtime)
          )
    """)
    ada, bob = Row(1, "Ada", "London", at(0)), Row(2, "Bob", "Paris", at(1))
    expected = [(1, 1, ada, Row(1, 100, 9.5, at(3)), at(3)), (2, 2, bob, Row(2, 200, 2.5, at(0.5)), at(1))]
    assert rows_of(found) == expected
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
    assert found.get_schema().get_field_names() == ["customer_id", "op", "s", "rowtime"]
    changes = [
        (1, "INSERT", "Ada", at(0)),
        (1, "UPDATE_AFTER", "Ann", at(2)),
        (1, "UPDATE_BEFORE", "Ada", at(2)),
        (2, "INSERT", "Bob", at(1)),
        (4, "INSERT", "Dan", at(9)),
    ]
    assert rows_of(found) == changes
    # What one function yields, the other takes.
    logged = found.process(proposal.BuiltInChangelog).select(col("flag"), col("op"), col("s"))
    symbols = {"INSERT": "+I", "UPDATE_AFTER": "+U", "UPDATE_BEFORE": "-U"}
    assert rows_of(logged) == sorted([(symbols[kind], kind, value) for _, kind, value, _ in changes])
    env.drop_temporary_view("customers")


def test_built_in_changelog(env: TableEnvironment) -> None:
    found = env.sql_query("SELECT flag, customer_id, name FROM BuiltInChangelog(TABLE(data1))")
    assert rows_of(found) == [("+I", 1, "Ada"), ("+I", 1, "Ann"), ("+I", 2, "Bob"), ("+I", 4, "Dan")]


def test_simplified_call_of_a_row_function(env: TableEnvironment) -> None:
    written = env.sql_query("SELECT flag AS changeflag, customer_id, name FROM BuiltInChangelog(data1)")
    fluent = env.from_path("data1").process(proposal.BuiltInChangelog)
    assert rows_of(written) == rows_of(fluent.select(col("flag"), col("customer_id"), col("name")))


@pytest.mark.parametrize(
    "ttl",
    ["INTERVAL '5' MINUTES", "INTERVAL 5 MINUTES", "INTERVAL '0 00:05' DAY TO MINUTE", "INTERVAL '300' SECOND"],
)
def test_time_to_live_is_any_interval_of_days_and_seconds(env: TableEnvironment, ttl: str) -> None:
    found = env.sql_query(f"""
        SELECT * FROM BuiltInOneMatchJoin(
            TABLE(data1) PARTITION BY customer_id, TABLE(data2) PARTITION BY customer_id,
            ttl => {ttl}, on_time => DESCRIPTOR(c_rowtime, o_rowtime)
        )
    """)
    assert len(rows_of(found)) == 2
    assert "`ttl` => INTERVAL '300' SECOND" in found.as_serializable_string()
    again = env.sql_query(found.as_serializable_string())
    assert again.query_operation is found.query_operation


def test_call_without_names_for_its_arguments(env: TableEnvironment) -> None:
    sides = [env.from_path(name).partition_by(col("customer_id")) for name in ("data1", "data2")]
    time = descriptor("c_rowtime", "o_rowtime")
    given = (*sides, dt.timedelta(minutes=5), time)
    for found in (
        env.from_call(call(proposal.BuiltInOneMatchJoin, *given)),
        env.from_call(proposal.BuiltInOneMatchJoin, *given),
        env.from_call("BuiltInOneMatchJoin", *sides[:1], sides[1].copartition_with("left"), given[2], on_time=time),
        sides[0].process(proposal.BuiltInOneMatchJoin, *given[1:]),
        env.from_call(call("BuiltInOneMatchJoin", left=sides[0], right=sides[1], ttl=given[2], on_time=time)),
    ):
        assert len(rows_of(found)) == 2


def test_as_argument_before_arguments_without_a_name_says_what_to_name(env: TableEnvironment) -> None:
    # The proposal's first call names only its first table, which the second one refers to.
    left, right = (env.from_path(name).partition_by(col("customer_id")) for name in ("data1", "data2"))
    with pytest.raises(ValidationException) as raised:
        env.from_call(
            proposal.BuiltInOneMatchJoin,
            left.as_argument("left"),
            right.copartition_with("left"),
            dt.timedelta(hours=2),
        )
    assert str(raised.value) == (
        "Invalid call to function 'BuiltInOneMatchJoin'. Argument 2 has no name, but stands after 'left', which has "
        "one. The place of an argument counts only before the first name. Name it too, as_argument('right'), or leave "
        "out all names."
    )
    with pytest.raises(ValidationException, match="Name it too, right => …, or leave out all names"):
        env.sql_query(
            "SELECT * FROM BuiltInOneMatchJoin(`left` => TABLE(data1) PARTITION BY customer_id, "
            "TABLE(data2) PARTITION BY customer_id)"
        )


def test_strategy_sees_how_its_tables_are_given(env: TableEnvironment) -> None:
    seen: list[Any] = []

    class Seen(proposal.BuiltInOneMatchJoin):
        def get_type_inference(self) -> TypeInference:
            inference = super().get_type_inference()

            def output(call: CallContext) -> Any:
                for position in (0, 1):
                    given = call.get_set_semantics(position)
                    assert given is not None
                    assert given.data_type() is call.get_argument_data_type(position)
                    seen.append(
                        (
                            given.partition_by_columns(),
                            given.order_by_columns(),
                            given.time_column(),
                            given.co_partition_args(),
                        )
                    )
                assert call.get_set_semantics("ttl") is None
                return "INT"

            return TypeInference(inference.static_arguments, output, inference.state_type_strategies)

    env.from_call(
        Seen,
        env.from_path("data1").partition_by(col("customer_id")).order_by(col("c_rowtime")),
        env.from_path("data2").partition_by(col("customer_id")),
        dt.timedelta(minutes=5),
        on_time=descriptor("c_rowtime", "o_rowtime"),
    )
    assert seen == [(((0,),), ((3,),), 3, ("right",)), (((0,),), (), 3, ("left",))]
