"""Queries with process table functions: their differences, and very long chains."""

from __future__ import annotations

import gc
import weakref

import pytest

from tableapi import Dialect, Table, TableEnvironment, diff
from tableapi.expressions import col, descriptor, lit
from tests.process_functions.tables import environment

DEPTH = 5_000


@pytest.fixture(scope="module")
def env() -> TableEnvironment:
    return environment()


def _counted(env: TableEnvironment) -> Table:
    orders = env.from_path("orders")
    return orders.partition_by(col("customer_id")).process("by_set", on_time=descriptor("ordered_at"))


@pytest.mark.slow
def test_equal_queries_have_no_changes(env: TableEnvironment) -> None:
    assert not diff(_counted(env), _counted(env))


def test_changes_in_a_call(env: TableEnvironment) -> None:
    new = (
        env.from_path("orders")
        .filter(col("amount") > 5)
        .partition_by(col("customer_id"), col("status"))
        .order_by(col("order_id").desc)
        .process("by_set", 2, uid="mine")
    )
    found = diff(_counted(env), new)
    assert str(found).splitlines() == [
        "A filter was added: `amount` > 5.",
        "In the call of `by_set`, the time `ordered_at` was removed.",
        "In the call of `by_set`, the uid by_set became mine.",
        "In the call of `by_set`, the partition of r `customer_id` became `customer_id`, `status`.",
        "In the call of `by_set`, the order of r `order_id` DESC was added.",
        "In the argument i of the call of `by_set`, 1L became 2L.",
        "In the result:",
        "  the column `rowtime` was removed",
        "  the column `status` was added, STRING",
        "Readers of the old columns would notice.",
    ]


def test_a_changed_function(env: TableEnvironment) -> None:
    new = env.from_path("orders").partition_by(col("customer_id")).process("many_states")
    text = str(diff(_counted(env), new))
    assert "`by_set`" in text
    assert "`many_states`" in text


def test_a_renamed_column_below(env: TableEnvironment) -> None:
    orders = env.from_path("orders").rename_columns(col("customer_id").alias("customer"))
    new = orders.partition_by(col("customer")).process("by_set", on_time=descriptor("ordered_at"))
    assert "the partition" not in str(diff(_counted(env), new))


@pytest.mark.slow
def test_a_chain_of_very_many(env: TableEnvironment) -> None:
    table = env.from_path("customers").select(col("id"))
    for number in range(DEPTH):
        table = table.partition_by(col("id")).process("by_set", number, uid=f"u{number}").select(col("id"))
    for dialect in Dialect:
        assert table.as_serializable_string(dialect).count("PARTITION BY") == DEPTH
    assert table.as_summary_string().count("ProcessTableFunction") == DEPTH
    operation = weakref.ref(table.query_operation)
    del table
    gc.collect()
    assert operation() is None


def test_a_deep_text(env: TableEnvironment) -> None:
    table = env.from_path("customers").select(col("id"))
    for number in range(500):
        table = table.partition_by(col("id")).process("by_set", number, uid=f"u{number}").select(col("id"))
    assert env.sql_query(table.as_serializable_string()).query_operation is table.query_operation


def test_branches_of_one_query_have_identifiers_of_their_own(env: TableEnvironment) -> None:
    below = env.from_path("customers").partition_by(col("id")).process("by_set", uid="below")
    branches = [below.partition_by(col("id")).process("by_set", n, uid="above") for n in range(3)]
    assert len({branch.query_operation for branch in branches}) == 3
    together = branches[0].select(lit(1).alias("a")).union_all(below.select(lit(1).alias("a")))
    assert together.get_resolved_schema().names == ("a",)
