"""Random MERGE statements: their text reads back, and in Delta and Iceberg they leave the rows of a join with CASE."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings

from tableapi import EnvironmentSettings, TableEnvironment
from tests.commands.merges import COLUMNS, Clause, Row, clauses, expected, joined, rows, statement
from tests.commands.sail import sail_session


@cache
def _environment() -> TableEnvironment:
    builder = EnvironmentSettings.new_instance().with_built_in_catalog_name("spark_catalog")
    te = TableEnvironment.create(builder.with_built_in_database_name("default").build())
    te.declare("merged", COLUMNS)
    te.declare("given", COLUMNS)
    return te


@given(clauses())
def test_text_reads_back(given_clauses: list[Clause]) -> None:
    te = _environment()
    made = statement(te, "merged", "given", given_clauses)
    assert te.sql_statement(made.as_serializable_string()).get_command() is made.get_command()


@pytest.fixture(scope="module", params=["delta", "iceberg"])
def lake(request: pytest.FixtureRequest) -> Iterator[Any]:
    """A session of a server in this process that has the tables in a table format, without a JVM."""
    with sail_session() as session, tempfile.TemporaryDirectory() as folder:
        for name in ("merged", "given"):
            columns = ", ".join(f"{column} {kind}" for column, kind in COLUMNS.items())
            session.sql(f"CREATE TABLE {name} ({columns}) USING {request.param} LOCATION '{folder}/{name}'")
        yield session


@given(target=rows(), source=rows(), given_clauses=clauses())
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_rows_in_a_table_format(lake: Any, target: list[Row], source: list[Row], given_clauses: list[Clause]) -> None:
    _fill(lake, "merged", target)
    _fill(lake, "given", source)
    te = _environment()
    text = statement(te, "merged", "given", given_clauses).as_serializable_string(target="spark-4.1")
    by_join = lake.sql(f"{joined('merged', 'given', given_clauses)} ORDER BY id").collect()
    # The server's catalog has another name.
    lake.sql(text.replace("`spark_catalog`.`default`.", "")).collect()
    after = [tuple(row) for row in lake.sql("SELECT * FROM merged ORDER BY id").collect()]
    assert after == [tuple(row) for row in by_join] == expected(target, source, given_clauses), text


def _fill(session: Any, name: str, given_rows: list[Row]) -> None:
    session.sql(f"DELETE FROM {name}").collect()
    if given_rows:
        values = ", ".join(
            f"({number}, {'NULL' if amount is None else amount}, {'NULL' if text is None else repr(text)})"
            for number, amount, text in given_rows
        )
        session.sql(f"INSERT INTO {name} VALUES {values}").collect()
