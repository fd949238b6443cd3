"""Queries with nearly as many operations as Spark can resolve, and views over views of such queries."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from ir.errors import TableException
from tableapi import DataTypes, Table, TableEnvironment
from tableapi.expressions import col

pytestmark = pytest.mark.long

# Six operations that keep the rows, except that one adds 1 to v; adding an INT to a BIGINT needs an implicit cast.
STEPS: list[Callable[[Table], Table]] = [
    lambda t: t.select(col("k"), (col("v") + 1).alias("v")),
    lambda t: t.filter(col("v") > 0),
    lambda t: t.distinct(),
    lambda t: t.limit(100),
    lambda t: t.group_by(col("k"), col("v")).select(col("k"), col("v").max.alias("v")),
    lambda t: t.filter(col("k").is_not_null),
]
ROWS = [(1, 10), (2, 10), (2, 20)]


def _numbers(env: TableEnvironment) -> Table:
    fields = [DataTypes.FIELD("k", DataTypes.INT()), DataTypes.FIELD("v", DataTypes.BIGINT())]
    return env.from_elements([*ROWS, (None, 30)], DataTypes.ROW(fields))


def _mixed(table: Table, count: int) -> Table:
    for number in range(count):
        table = STEPS[number % len(STEPS)](table)
    return table


def _rows(table: Table) -> list[tuple[object, ...]]:
    return sorted([tuple(row) for row in table.execute().collect()])


@pytest.mark.nightly
@pytest.mark.parametrize("kind", ["temporary", pytest.param("stored", marks=pytest.mark.nightly)])
def test_three_views_of_ninety_operations_each_over_each_other(env: TableEnvironment, kind: str) -> None:
    # Stored views cannot read data of this process.
    env.execute_sql("CREATE TABLE numbers (k INT, v BIGINT)").wait()
    _numbers(env).execute_insert("numbers").wait()
    create = env.create_view if kind == "stored" else env.create_temporary_view
    table = env.from_path("numbers")
    for number in range(3):
        create(f"part_{number}", _mixed(table, 90))
        table = env.from_path(f"part_{number}")
    assert _rows(_mixed(table, 6)) == [(k, v + 3 * 15 + 1) for k, v in ROWS]


def test_a_chain_of_mixed_operations_near_the_limit(env: TableEnvironment) -> None:
    assert _rows(_mixed(_numbers(env), 240)) == [(k, v + 40) for k, v in ROWS]


def test_a_chain_beyond_the_limit_is_refused_with_the_way_out(env: TableEnvironment) -> None:
    with pytest.raises(TableException, match=r"Store the first part of it with create_view"):
        _mixed(_numbers(env), 1200).execute()
