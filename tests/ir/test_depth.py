"""Depth and sharing: no function recurses over a query, and shared parts are processed once."""

from __future__ import annotations

import datetime as dt
import pickle
from collections.abc import Callable

import pytest

from tableapi import Dialect, Table, TableException, Tumble
from tableapi.expressions import array, call, col, exists, grouping_id, lit, scalar
from tableapi.window import Over
from tests.depth import DEPTH
from tests.programs.tables import Tables, environment_without_spark

pytestmark = [pytest.mark.long, pytest.mark.usefixtures("short_stack")]


@pytest.fixture(scope="module")
def bag() -> Table:
    return Tables(environment_without_spark()).left_bag


def test_a_function_that_calls_itself_fails() -> None:
    def levels(depth: int) -> int:
        return levels(depth - 1) + 1 if depth else 0

    with pytest.raises(RecursionError):
        levels(DEPTH)


def _filters(table: Table) -> Table:
    for i in range(DEPTH):
        table = table.filter(col("x") > i)
    return table


def _projections(table: Table) -> Table:
    for _ in range(DEPTH):
        table = table.select((col("x") + 1).alias("x"))
    return table


def _unions(table: Table) -> Table:
    whole = table
    for _ in range(DEPTH):
        whole = whole.union_all(table)
    return whole


def _sum(table: Table) -> Table:
    total = col("x")
    for _ in range(DEPTH):
        total = total + 1
    return table.select(total.alias("t"))


def _alternatives(table: Table) -> Table:
    any_of = col("x") == 0
    for i in range(DEPTH):
        any_of = any_of | (col("x") == i)
    return table.filter(any_of)


def _nested_calls(table: Table) -> Table:
    text = col("y")
    for _ in range(DEPTH):
        text = text.upper_case
    return table.select(text.alias("t"))


def _windows(table: Table) -> Table:
    for _ in range(DEPTH):
        table = table.select(col("x").sum.over(Over.partition_by(col("x"))).alias("x"))
    return table


def _group_windows(table: Table) -> Table:
    table = table.select(lit(dt.datetime(2024, 1, 1)).alias("at"))
    for _ in range(DEPTH):
        tumbling = Tumble.over(lit(10).minutes).on(col("at")).alias("w")
        table = table.window(tumbling).group_by(col("w")).select(col("w").start.alias("at"))
    return table


def _lateral_joins(table: Table) -> Table:
    table = table.select(array(col("x")).alias("a"))
    for _ in range(DEPTH):
        table = table.join_lateral(call("explode", col("a")).alias("n")).select(array(col("n")).alias("a"))
    return table


def _pivots(table: Table) -> Table:
    for _ in range(DEPTH):
        table = table.group_by(col("x")).pivot(col("y"), {"y": "a"}).select(col("y").max)
    return table


def _unpivots(table: Table) -> Table:
    for _ in range(DEPTH):
        table = table.unpivot([col("x")], [col("y")], "label", "y", False).drop_columns(col("label"))
    return table


def _grouping_sets(table: Table) -> Table:
    for _ in range(DEPTH):
        table = table.rollup(col("x")).select(col("x"), grouping_id().alias("y"))
    return table


def _subqueries(table: Table) -> Table:
    whole = table
    for _ in range(DEPTH):
        whole = table.filter(exists(whole.filter(col("x") == table.outer("x"))))
    return whole


def _scalar_subqueries(table: Table) -> Table:
    whole = table.select(col("x"))
    for _ in range(DEPTH):
        whole = table.select(scalar(whole.select(col("x").max)).alias("x"))
    return whole


def _samples(table: Table) -> Table:
    for _ in range(DEPTH):
        table = table.sample(0.5)
    return table


def _hints(table: Table) -> Table:
    for _ in range(DEPTH):
        table = table.hint("broadcast")
    return table


@pytest.mark.slow
@pytest.mark.parametrize(
    ("build", "no_flink"),
    [
        (_filters, None),
        (_projections, None),
        (_unions, None),
        (_sum, None),
        (_alternatives, None),
        (_nested_calls, None),
        (_windows, None),
        (_group_windows, None),
        (_lateral_joins, None),
        (_pivots, None),
        (_unpivots, None),
        (_grouping_sets, None),
        (_subqueries, None),
        (_scalar_subqueries, None),
        (_samples, "A sample has no text in Flink's SQL"),
        (_hints, "The hint BROADCAST has no text in Flink's SQL"),
    ],
)
def test_deep_queries(build: Callable[[Table], Table], no_flink: str | None, bag: Table) -> None:
    operation = build(bag).query_operation
    again = build(bag).query_operation
    assert again is operation
    assert hash(again) == hash(operation)
    assert len(operation.as_serializable_string()) > DEPTH
    if no_flink is None:
        assert len(operation.as_serializable_string(Dialect.FLINK)) > DEPTH
    else:
        with pytest.raises(TableException, match=no_flink):
            operation.as_serializable_string(Dialect.FLINK)
    assert repr(operation)
    assert pickle.loads(pickle.dumps(operation)) is operation


def test_a_chain_of_or_is_one_call(bag: Table) -> None:
    condition = _alternatives(bag).query_operation.condition  # type: ignore[attr-defined]
    assert len(condition.arguments) == DEPTH + 1


def test_shared_parts_are_visited_once(bag: Table) -> None:
    table = bag
    for _ in range(40):
        table = table.union_all(table)
    assert table.query_operation.expanded_size() == 2**41 - 1
    assert len(list(table.query_operation.walk())) == 41
    assert len(repr(table).splitlines()) < 200
    assert pickle.loads(pickle.dumps(table.query_operation)) is table.query_operation
    assert table.as_serializable_string().count("UNION ALL") == 40
    with pytest.raises(TableException, match="uses parts of itself so often"):
        table.as_serializable_string("FLINK")


def test_shared_expressions_are_resolved_once(bag: Table) -> None:
    doubled = col("x")
    for _ in range(60):
        doubled = doubled + doubled
    projection = bag.select(doubled.alias("d")).query_operation.projections[0]  # type: ignore[attr-defined]
    assert len(list(projection.walk())) == 61
