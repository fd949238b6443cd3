"""The page for Ibis users: every line gives the rows that Ibis gave (``tests.docs.ibis_rows``)."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from pyspark.sql import SparkSession

import tableapi
from tableapi import Expression, Table, TableEnvironment, expressions
from tableapi.window import Over
from tests.docs.ibis_rows import PAGE, ROWS, SECTIONS, Line, U, V, in_order, lines, plain

LINES = list(lines())
_TYPES = {
    "a": "INT",
    "b": "STRING",
    "ts": "TIMESTAMP",
    "d": "DOUBLE",
    "tags": "ARRAY<STRING>",
    "m": "MAP<STRING, INT>",
    "r": "ROW<x INT, y STRING>",
}


def _scope(te: TableEnvironment) -> dict[str, Any]:
    """Return the names that the right side uses."""
    names = {name: getattr(expressions, name) for name in expressions.__all__}
    rows = [(*row[:6], None if row[6] is None else tuple(row[6].values())) for row in V]
    v = te.from_elements(rows, _TYPES)
    u = te.from_elements(U, {f"u{name}": type_ for name, type_ in list(_TYPES.items())[:3]})
    t = v.select(expressions.col("a"), expressions.col("b"), expressions.col("ts"))
    return {**names, "Over": Over, "TimeIntervalUnit": tableapi.TimeIntervalUnit, "te": te, "t": t, "u": u, "v": v}


def _table(line: Line, scope: dict[str, Any]) -> Table:
    made = eval(line.here, dict(scope))
    table: Table = scope["v"].select(made) if isinstance(made, Expression) else made
    assert isinstance(table, Table)
    return table


@pytest.fixture(scope="module")
def scope() -> dict[str, Any]:
    settings = tableapi.EnvironmentSettings.new_instance().with_built_in_catalog_name("memory").build()
    return _scope(TableEnvironment.create(settings))


def test_every_section_has_lines() -> None:
    assert {line.section for line in LINES} == set(SECTIONS)
    assert len({line.ibis for line in LINES}) == len(LINES)


def test_the_rows_of_ibis_are_those_of_the_page() -> None:
    # Otherwise run tests.docs.ibis_rows in an environment with Ibis.
    assert list(json.loads(ROWS.read_text(encoding="utf-8"))) == [line.ibis for line in LINES]


@pytest.mark.parametrize("line", LINES, ids=lambda line: line.ibis)
def test_each_line_builds_a_query_that_reads_back(line: Line, scope: dict[str, Any]) -> None:
    table = _table(line, scope)
    assert scope["te"].sql_query(table.as_serializable_string()).query_operation is table.query_operation


@pytest.fixture(scope="module")
def on_spark(spark: SparkSession) -> dict[str, Any]:
    return _scope(TableEnvironment.create(spark=spark))


@pytest.mark.parametrize("line", LINES, ids=lambda line: line.ibis)
def test_each_line_gives_the_rows_of_ibis(line: Line, on_spark: dict[str, Any]) -> None:
    wanted = json.loads(ROWS.read_text(encoding="utf-8"))[line.ibis]
    rows = [[plain(value) for value in row] for row in _table(line, on_spark).execute().collect()]
    assert in_order(rows, line.ibis) == wanted


def test_what_runs_and_stores_exists() -> None:
    text = PAGE.read_text(encoding="utf-8").split("\n## Running, storing and reading\n")[1]
    right = " ".join(line.split("|")[2] for line in text.splitlines() if line.startswith("|"))
    called = set(re.findall(r"`?\b(te|t)\.(\w+)", right))
    assert len(called) > 10
    classes: dict[str, type] = {"te": TableEnvironment, "t": Table}
    assert [name for owner, name in called if not hasattr(classes[owner], name)] == []
