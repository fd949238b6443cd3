"""The 22 TPC-H queries: answers at scale factor 0.01, types, plans, and the text in both dialects."""

from __future__ import annotations

import datetime as dt
import functools
import json
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from examples.tpch.data import COLUMNS, declare, generate
from examples.tpch.queries import QUERIES
from ir.rendering import Dialect, Layout
from tableapi import EnvironmentSettings, Table, TableEnvironment
from tests.answers import FETCHING, Answers, files_of
from tests.comparison import assert_schema_is_sparks
from tests.plans.comparison import Sameness, compared, frames_of
from tests.plans.counterpart import dataframe_of
from tests.snapshot_files import PythonFiles, SqlFiles

if TYPE_CHECKING:
    from pyspark.sql import SparkSession
    from syrupy.assertion import SnapshotAssertion

DATABASE = "tpch"
EXPECTED = json.loads(Path(__file__).with_name("answers.json").read_text(encoding="utf-8"))
ANSWERS = Answers(
    "tpch",
    "tests/tpch/test_tpch.py",
    "tests/to_python/evaluated.py",
    "examples/tpch/data.py",
    *files_of("tests/plans", "*.py"),
    *FETCHING,
)
every_query = pytest.mark.parametrize("name", QUERIES)


@functools.cache
def _table(te: TableEnvironment, name: str) -> Table:
    # After each query, Spark would be asked about a table again, which is slow.
    return te.from_path(f"{DATABASE}.{name}")


def _build(te: TableEnvironment, name: str) -> Table:
    return QUERIES[name](functools.partial(_table, te))


@pytest.fixture(scope="module")
def offline() -> TableEnvironment:
    settings = EnvironmentSettings.new_instance().with_built_in_catalog_name("spark_catalog")
    te = TableEnvironment.create(settings.with_built_in_database_name(DATABASE).build())
    declare(te, DATABASE, Path("/tpch"))
    return te


@pytest.fixture(scope="module")
def online(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> Iterator[TableEnvironment]:
    files = tmp_path_factory.mktemp("tpch")
    generate(files, 0.01)
    te = TableEnvironment.create()
    te.execute_sql(f"CREATE DATABASE {DATABASE}")
    declare(te, DATABASE, files)
    yield te
    te.execute_sql(f"DROP DATABASE {DATABASE} CASCADE")


@every_query
def test_snapshot_spark(name: str, offline: TableEnvironment, snapshot: SnapshotAssertion) -> None:
    text = _build(offline, name).as_serializable_string()
    assert snapshot.use_extension(SqlFiles)(name=f"tpch_{name}") == text + "\n"


@every_query
def test_snapshot_flink(name: str, offline: TableEnvironment, snapshot: SnapshotAssertion) -> None:
    text = _build(offline, name).as_serializable_string(Dialect.FLINK)
    assert snapshot.use_extension(SqlFiles)(name=f"tpch_{name}") == text + "\n"


@every_query
def test_snapshot_python(name: str, offline: TableEnvironment, snapshot: SnapshotAssertion) -> None:
    table = _build(offline, name)
    text = table.to_python()
    assert snapshot.use_extension(PythonFiles)(name=f"tpch_{name}") == text
    scope: dict[str, Any] = {"env": offline}
    exec(text, scope)
    assert scope["result"].query_operation is table.query_operation


def _question(name: str, offline: TableEnvironment, *expected: object) -> tuple[object, ...]:
    table = _build(offline, name)
    types = [data_type.as_summary_string() for data_type in table.get_resolved_schema().types]
    return (name, [table.as_serializable_string(layout=layout) for layout in Layout], types, *expected)


@every_query
@pytest.mark.usefixtures("jvm")
def test_answer(name: str, offline: TableEnvironment, request: pytest.FixtureRequest) -> None:
    question = _question(name, offline, EXPECTED[name])
    if not ANSWERS.know(*question):
        _assert_answer(name, request.getfixturevalue("online"))
        ANSWERS.keep(*question)


def _assert_answer(name: str, online: TableEnvironment) -> None:
    table, answer = _build(online, name), EXPECTED[name]
    assert list(table.get_resolved_schema().names) == answer["columns"]
    assert [
        t.as_nullable().as_summary_string().replace(", ", ",").lower() for t in table.get_resolved_schema().types
    ] == (answer["types"])
    assert_schema_is_sparks(table, online.spark)
    rows = [[_written(value) for value in row] for row in table.execute().collect()]
    assert rows == answer["rows"] if answer["ordered"] else sorted(rows) == sorted(answer["rows"])


@every_query
@pytest.mark.usefixtures("jvm")
def test_plans_equal_those_of_dataframes(name: str, offline: TableEnvironment, request: pytest.FixtureRequest) -> None:
    question = _question(name, offline, "plans")
    if not ANSWERS.know(*question):
        _assert_plans(name, request.getfixturevalue("online"))
        ANSWERS.keep(*question)


def _assert_plans(name: str, online: TableEnvironment) -> None:
    table = _build(online, name)
    native = dataframe_of(table.query_operation, online.spark)
    for layout, frame in frames_of(table, online.spark).items():
        found = compared(frame, native)
        assert found.sameness is not Sameness.DIFFERENT, f"{layout}\n{found.difference}"


def _written(value: Any) -> Any:
    """Return a value in the notation of the answer file."""
    return str(value) if isinstance(value, Decimal | dt.date) else value


def test_the_tables_are_all_there(online: TableEnvironment) -> None:
    online.use_database(DATABASE)
    assert online.list_tables() == sorted(COLUMNS)
