"""Random MERGE statements: their text reads back, and in Delta and Iceberg they leave the rows of a join with CASE."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings

from tableapi import EnvironmentSettings, TableEnvironment
from tests.commands.merges import COLUMNS, Clause, Row, clauses, expected, joined, rows, statement
from tests.commands.sail import sail_session
from tests.formats.with_jars import server_with_jars


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


@contextmanager
def _session(engine: str, format: str, folder: Path) -> Iterator[Any]:
    if engine == "sail":
        with sail_session() as session:
            yield session
        return
    from pyspark.sql import SparkSession

    with server_with_jars(format, folder) as address:
        session = SparkSession.builder.remote(address).create()
        yield session
        session.stop()


@pytest.fixture(scope="module", params=["sail-delta", "sail-iceberg", "spark-delta", "spark-iceberg"])
def lake(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """A session that has the tables in a table format: of Sail, or of Spark with the jars of the format."""
    engine, _, format = request.param.partition("-")
    folder = tmp_path_factory.mktemp(request.param)
    with _session(engine, format, folder) as session:
        for name in ("merged", "given"):
            columns = ", ".join(f"{column} {kind}" for column, kind in COLUMNS.items())
            place = f" LOCATION '{folder}/{name}'" if engine == "sail" else ""
            session.sql(f"CREATE TABLE {name} ({columns}) USING {format}{place}").collect()
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
