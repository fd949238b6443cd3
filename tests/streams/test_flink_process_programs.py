"""The programs with which Flink tests process table functions, over streams of one row a micro-batch."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import SparkSession

from tableapi import Table, TableEnvironment, TableException
from tableapi.exceptions import ValidationException
from tableapi.expressions import col, lit
from tests.process_functions.model_calls import environment
from tests.process_functions.running.flink_programs import (
    COLUMNS,
    INVALID,
    LAST,
    PROGRAMS,
    ROWS,
    build_query,
    register,
)
from tests.streams.event_files import Files, run_stream

pytestmark = pytest.mark.long

# The kinds of programs that other tests do not run over streams are run for each change, and all of them at night.
FOR_EACH_CHANGE = {
    "PROCESS_UPDATING_INPUT",
    "PROCESS_STATE_TTL",
    "PROCESS_LATE_EVENTS",
    "PROCESS_CHAINED_TIME",
}


def _some_nightly(names: Iterable[str]) -> list[Any]:
    return [name if name in FOR_EACH_CHANGE else pytest.param(name, marks=pytest.mark.nightly) for name in names]


@pytest.fixture(scope="module")
def env(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> TableEnvironment:
    env, folder = TableEnvironment.create(spark=spark.newSession()), tmp_path_factory.mktemp("programs")
    env.spark.conf.set("spark.sql.shuffle.partitions", 1)
    tables: dict[str, Table] = {}
    for name, columns in COLUMNS.items():
        files = Files(env, folder / name, ", ".join(f"{column} {kind}" for column, kind in columns.items()))
        for row in [*ROWS[name], *([LAST] if name in ("timed", "slow") else [])]:
            files.drop([dict(zip(columns, row, strict=True))])
        frame = files.read()
        tables[name] = env.from_spark(frame.withWatermark("ts", "0 seconds") if "ts" in columns else frame)
    register(env, tables)
    return env


@pytest.mark.parametrize("name", _some_nightly(name for name, program in PROGRAMS.items() if program.has_table))
def test_program(env: TableEnvironment, name: str, tmp_path: Path) -> None:
    program = PROGRAMS[name]
    rows = program.rows if program.stream_rows is None else program.stream_rows
    found = run_stream(build_query(env, program.over_streams), tmp_path / "checkpoint")
    # The last row of a timed stream is processed, too, and the table lacks it.
    of_last = [row for row in found if any(LAST[0] in str(value) for value in row)]
    assert [row for row in found if row not in of_last] == sorted(rows, key=repr)


@pytest.mark.parametrize("name", _some_nightly(INVALID))
def test_invalid(env: TableEnvironment, name: str, tmp_path: Path) -> None:
    with pytest.raises(TableException, match="Timers are not supported in the current PTF declaration"):
        run_stream(env.sql_query(INVALID[name]), tmp_path / "checkpoint")


# --- without Spark ---------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def streams() -> TableEnvironment:
    """An environment without Spark, in which the tables of the programs are declared and read as streams."""
    env = environment()
    for name, columns in COLUMNS.items():
        env.declare(f"{name}_rows", columns)
    rows = {name: env.from_path(f"{name}_rows", stream=True) for name in COLUMNS}
    timed = {name: rows[name].watermark(col("ts"), lit(0).seconds) for name in COLUMNS if "ts" in COLUMNS[name]}
    register(env, {**rows, **timed})
    return env


@pytest.mark.parametrize("name", [name for name, program in PROGRAMS.items() if program.refused_query is not None])
def test_refused(streams: TableEnvironment, name: str) -> None:
    program = PROGRAMS[name]
    assert program.refused_query is not None
    assert program.reason is not None
    with pytest.raises(ValidationException, match=program.reason):
        build_query(streams, program.refused_query)


def test_a_program_is_over_streams_unless_it_has_no_table(streams: TableEnvironment) -> None:
    for program in PROGRAMS.values():
        assert build_query(streams, program.over_streams).query_operation.is_unbounded == program.has_table
