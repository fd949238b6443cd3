"""Checks that run over every test program."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest

from ir.errors import TableException
from ir.normalization.normalize import normalize
from ir.rendering import Dialect, Layout
from tableapi import Table
from tests.answers import FETCHING, Answers
from tests.cases import every
from tests.comparison import plain
from tests.programs import PROGRAMS, Program
from tests.programs.tables import Tables, environment_without_spark, read_from_memory
from tests.snapshot_files import PythonFiles, SqlFiles, TreeFiles

if TYPE_CHECKING:
    from syrupy.assertion import SnapshotAssertion

# The rows are in the question, and the texts that give them.
ANSWERS = Answers("program_rows", "tests/test_programs.py", *FETCHING)
every_program = every("program", PROGRAMS.values, lambda program: program.name)
each_program = pytest.mark.parametrize("program", PROGRAMS.values(), ids=PROGRAMS.keys())


@pytest.fixture(scope="session")
def offline() -> Tables:
    return Tables(environment_without_spark())


@pytest.fixture(scope="module")
def online(tables_in_spark: Tables) -> Iterator[Tables]:
    with read_from_memory(tables_in_spark.env.spark):
        yield tables_in_spark


@pytest.fixture
def sql(snapshot: SnapshotAssertion) -> SnapshotAssertion:
    return snapshot.use_extension(SqlFiles)


# --- without Spark ----------------------------------------------------------------------------------------------------


@every_program
def test_snapshot_spark(program: Program, offline: Tables, sql: SnapshotAssertion) -> None:
    assert sql(name=program.name) == program.build(offline).as_serializable_string() + "\n"


@every_program
def test_snapshot_merged(program: Program, offline: Tables, sql: SnapshotAssertion) -> None:
    assert sql(name=program.name) == program.build(offline).as_serializable_string(layout=Layout.MERGED) + "\n"


@every_program
def test_normal_form(program: Program, offline: Tables) -> None:
    operation = program.build(offline).query_operation
    normal = normalize(operation)
    assert normalize(normal) is normal
    assert normal.schema == operation.schema
    read = offline.env.sql_query(operation.as_serializable_string(layout=Layout.MERGED)).query_operation
    assert normalize(read) is normal


@every_program
def test_snapshot_flink(program: Program, offline: Tables, sql: SnapshotAssertion) -> None:
    table = program.build(offline)
    if program.no_flink is not None:
        assert program.no_flink
        with pytest.raises(TableException, match=re.escape(program.no_flink)):
            table.as_serializable_string(Dialect.FLINK)
    else:
        assert sql(name=program.name) == table.as_serializable_string(Dialect.FLINK) + "\n"


@every_program
def test_snapshot_tree(program: Program, offline: Tables, snapshot: SnapshotAssertion) -> None:
    assert snapshot.use_extension(TreeFiles)(name=program.name) == program.build(offline).as_summary_string() + "\n"


@every_program
def test_snapshot_python(program: Program, offline: Tables, snapshot: SnapshotAssertion) -> None:
    table = program.build(offline)
    text = table.to_python()
    assert snapshot.use_extension(PythonFiles)(name=program.name) == text
    scope: dict[str, Any] = {"env": offline.env}
    exec(text, scope)
    assert scope["result"].query_operation is table.query_operation


@every_program
def test_building_twice_gives_the_same_object(program: Program, offline: Tables) -> None:
    assert program.build(offline).query_operation is program.build(offline).query_operation


# --- on Spark ---------------------------------------------------------------------------------------------------------


@each_program
@pytest.mark.usefixtures("jvm")
def test_rows(program: Program, offline: Tables, request: pytest.FixtureRequest) -> None:
    table = program.build(offline)
    texts = [table.as_serializable_string(layout=layout) for layout in Layout]
    columns = [(column.name, column.data_type) for column in table.get_resolved_schema().columns]
    question = (program.name, texts, columns, program.rows, program.ordered)
    if not ANSWERS.know(*question):
        _assert_rows(program, request.getfixturevalue("online"))
        ANSWERS.keep(*question)


def _assert_rows(program: Program, online: Tables) -> None:
    found = list(program.build(online).execute().collect())
    assert program.rows is not None
    if program.ordered:
        assert found == program.rows
    else:
        assert sorted(map(_key, found)) == sorted(map(_key, program.rows))


def _key(row: tuple[Any, ...]) -> str:
    return repr(plain(row))


@pytest.mark.nightly
@every_program
def test_text_is_the_same_over_tables_of_spark(program: Program, offline: Tables, online: Tables) -> None:
    """Plain Spark analyses the text as it stands in tests.plans.test_same_plans, with the inferred types."""
    assert program.build(online).as_serializable_string() == program.build(offline).as_serializable_string()


def test_a_program_that_executes_is_a_table(offline: Tables) -> None:
    assert all(isinstance(program.build(offline), Table) for program in PROGRAMS.values())
