"""The programs with which Flink tests process table functions, over tables."""

from __future__ import annotations

from typing import Any

import pytest
from pyspark.sql import SparkSession

from ir.errors import TableException
from tableapi import Table, TableEnvironment
from tableapi.expressions import col
from tableapi.spark.schemas import dataframe_schema
from tests.cases import some_nightly
from tests.process_functions.running import functions as f
from tests.process_functions.running.flink_programs import COLUMNS, INVALID, PROGRAMS, ROWS, build_query, register
from tests.streams.event_files import without_zone


@pytest.fixture(scope="module")
def env(spark: SparkSession) -> TableEnvironment:
    env = TableEnvironment.create(spark=spark.newSession())
    register(env, {name: env.from_elements(rows, COLUMNS[name]) for name, rows in ROWS.items()})
    return env


def rows_of(table: Table) -> list[tuple[Any, ...]]:
    with table.execute().collect() as rows:
        return sorted([tuple(map(without_zone, row)) for row in rows], key=repr)


def test_every_program_of_flink_is_here() -> None:
    assert len({**PROGRAMS, **INVALID}) == 46


@pytest.mark.parametrize("name", some_nightly(PROGRAMS))
def test_program(env: TableEnvironment, name: str) -> None:
    program = PROGRAMS[name]
    assert rows_of(build_query(env, program.query)) == sorted(program.rows, key=repr)


@pytest.mark.parametrize("name", PROGRAMS)
def test_types_are_those_of_spark(env: TableEnvironment, name: str) -> None:
    table = build_query(env, PROGRAMS[name].query)
    analysed = dataframe_schema(table.to_spark()).columns
    assert [(c.name, c.data_type) for c in analysed] == [
        (c.name, c.data_type) for c in table.get_resolved_schema().columns
    ]


@pytest.mark.parametrize("name", INVALID)
def test_invalid(env: TableEnvironment, name: str) -> None:
    with pytest.raises(TableException, match="Timers are not supported in the current PTF declaration"):
        rows_of(env.sql_query(INVALID[name]))


def test_finish_runs_without_rows(env: TableEnvironment) -> None:
    assert rows_of(env.from_path("t").process(f.Counting)) == [("rows", 2)]
    assert rows_of(env.from_path("t").filter(col("score") < 0).process(f.Counting)) == [("rows", 0)]
    assert rows_of(env.from_path("t").partition_by(col("name")).process(f.Counting)) == [
        ("Alice", "rows", 1),
        ("Bob", "rows", 1),
    ]
    none = env.from_path("t").filter(col("score") < 0).partition_by(col("name"))
    assert rows_of(none.process(f.Counting)) == []
