"""Depth and sharing: nothing recurses over a query, and nothing is done again for each use of a shared part."""

from __future__ import annotations

import pickle
from collections.abc import Callable

import pytest

from tableapi import Dialect, Table, TableException
from tableapi.expressions import col
from tests.programs.tables import Tables, environment_without_spark

DEPTH = 5_000


@pytest.fixture(scope="module")
def bag() -> Table:
    return Tables(environment_without_spark()).left_bag


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


@pytest.mark.parametrize("build", [_filters, _projections, _unions, _sum, _alternatives, _nested_calls])
def test_deep_queries(build: Callable[[Table], Table], bag: Table) -> None:
    operation = build(bag).query_operation
    assert build(bag).query_operation is operation
    assert hash(operation) == hash(build(bag).query_operation)
    assert len(operation.as_serializable_string()) > DEPTH
    assert len(operation.as_serializable_string(Dialect.FLINK)) > DEPTH
    assert repr(operation)
    assert pickle.loads(pickle.dumps(operation)) is operation


def test_a_chain_of_or_is_one_call(bag: Table) -> None:
    condition = _alternatives(bag).query_operation.condition  # type: ignore[attr-defined]
    assert len(condition.arguments) == DEPTH + 1


def test_shared_parts_cost_nothing(bag: Table) -> None:
    table = bag
    for _ in range(40):
        table = table.union_all(table)
    assert table.query_operation.expanded_size() == 2**41 - 1
    assert len(list(table.query_operation.walk())) == 41
    assert len(repr(table).splitlines()) < 200
    assert pickle.loads(pickle.dumps(table.query_operation)) is table.query_operation
    with pytest.raises(TableException, match="uses parts of itself so often"):
        table.as_serializable_string()


def test_shared_expressions_are_resolved_once(bag: Table) -> None:
    doubled = col("x")
    for _ in range(60):
        doubled = doubled + doubled
    projection = bag.select(doubled.alias("d")).query_operation.projections[0]  # type: ignore[attr-defined]
    assert len(list(projection.walk())) == 61
