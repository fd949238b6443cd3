"""The test programs over streams: refused by name or read back without Spark, and a few of them run."""

from __future__ import annotations

from collections.abc import Iterator

import attrs
import pytest

from ir.errors import TableException
from ir.operations.operation import QueryOperation
from ir.rendering import Layout
from ir.streaming.rules import find_refusals
from tableapi import Table
from tests.cases import every
from tests.programs import PROGRAMS, Program
from tests.programs.tables import DATABASE, SCHEMAS, Tables, environment_without_spark
from tests.streams.programs import STREAMED, few_partitions, modes_of, run, write_tables

every_program = every("program", PROGRAMS.values, lambda program: program.name)
# One of each kind: rows, a function, groups in complete mode, with a condition, a join with a table.
RUN = ("filter_chain", "add_columns", "group_by_column", "conditions_of_groups", "join_inner")


@attrs.frozen
class OfflineStreams(Tables):
    """The tables of the programs, all of them read as streams."""

    def __getattr__(self, name: str) -> Table:
        if name not in SCHEMAS:
            raise AttributeError(name)
        if name not in self._found:
            self._found[name] = self.env.from_path(f"{DATABASE}.{name}", stream=True)
        return self._found[name]


@pytest.fixture(scope="module")
def offline() -> OfflineStreams:
    return OfflineStreams(environment_without_spark())


@every_program
def test_a_program_is_refused_by_name_or_read_back(program: Program, offline: OfflineStreams) -> None:
    try:
        operation = program.build(offline).query_operation
    except TableException:
        # Any other error is one of this library.
        return
    if not operation.is_unbounded:
        return
    if not modes_of(operation):
        assert all(refusal.message for refusal in find_refusals(operation))
        return
    for layout in Layout:
        read = offline.env.sql_query(operation.as_serializable_string(layout=layout)).query_operation
        assert read.normalize() is operation.normalize()
    assert QueryOperation.from_json(operation.to_json()) is operation


@pytest.fixture(scope="module")
def tables(tables_in_spark: Tables) -> Iterator[Tables]:
    write_tables(tables_in_spark.env, seed=1)
    yield tables_in_spark
    tables_in_spark.env.spark.sql(f"DROP DATABASE {STREAMED} CASCADE")


@pytest.mark.parametrize("name", RUN)
def test_a_stream_has_the_rows_of_the_table(name: str, tables: Tables) -> None:
    with few_partitions(tables.env.spark):
        assert run(PROGRAMS[name], tables.env, tables, only_first=name == "join_inner").kind == "equal"
