"""Which columns of a table are sent to a function: those that it reads, if its code shows them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated

import pyarrow as pa
import pytest

from ir.types import RowType
from tableapi import EnvironmentSettings, Row, Table, TableEnvironment
from tableapi.expressions import col, descriptor, row
from tableapi.process_functions import ArgumentTrait, ProcessTableFunction, State, TableAsRow, TableAsSet
from tableapi.spark.planner.process import plan_call, process_calls
from tests.process_functions.running.tasks import batch_of, run


@dataclass
class Order:
    k: int
    b: str
    v: int = 0


@dataclass
class Route:
    k: int
    v: int
    place: Order | None = None


@dataclass
class Last:
    seen: str | None = None


@dataclass
class Doubled:
    k: int
    v: int

    def __post_init__(self) -> None:
        self.v *= 2


class ReadsOne(ProcessTableFunction):
    def eval(self, input: TableAsSet[Row], factor: int = 2) -> Iterator[int]:
        yield factor * input.v


class ReadsByRow(ProcessTableFunction):
    def eval(self, input: TableAsRow[Row]) -> Iterator[str]:
        yield input.b


class ReadsNothing(ProcessTableFunction):
    def eval(self, input: TableAsRow[Row]) -> Iterator[int]:
        yield 1


class ReadsAll(ProcessTableFunction):
    def eval(self, input: TableAsSet[Row]) -> Iterator[int]:
        yield len(input)


class ReadsNoColumn(ProcessTableFunction):
    def eval(self, input: TableAsSet[Row]) -> Iterator[int]:
        yield input.v + input.nothing


class PassesThrough(ProcessTableFunction):
    def eval(self, input: Annotated[TableAsRow[Row], ArgumentTrait.PASS_COLUMNS_THROUGH]) -> Iterator[int]:
        yield input.v


class ReadsField(ProcessTableFunction):
    def eval(self, input: TableAsSet[Order]) -> Iterator[int]:
        yield input.v


class ReadsObject(ProcessTableFunction):
    def eval(self, input: TableAsSet[Order]) -> Iterator[str]:
        yield repr(input)


class ReadsOfMore(ProcessTableFunction):
    def eval(self, input: TableAsSet[Doubled]) -> Iterator[int]:
        yield input.v


class ReadsOfTwo(ProcessTableFunction):
    def eval(self, state: State[Last], left: TableAsSet[Row], right: TableAsSet[Route]) -> Iterator[str]:
        if left is not None:
            state.seen = left.b
        if right is None:
            return
        yield f"{state.seen} {right.v} {right.place and right.place.b}"


class ReadsOneOfTwo(ProcessTableFunction):
    def eval(self, left: TableAsSet[Row], right: TableAsSet[Order]) -> Iterator[str]:
        yield str(left)
        if right is not None:
            yield "right"


class CountsAll(ProcessTableFunction):
    def eval(
        self, state: State[Last], input: Annotated[TableAsSet[Row], ArgumentTrait.OPTIONAL_PARTITION_BY]
    ) -> Iterator[str]:
        state.seen = input.b
        yield from ()

    def finish(self, state: Last) -> Iterator[str]:
        yield str(state.seen)


EVERY = ("k", "at", "b", "v", "c")


@pytest.fixture(scope="module")
def env() -> TableEnvironment:
    settings = EnvironmentSettings.new_instance().with_built_in_catalog_name("memory").build()
    return TableEnvironment.create(settings)


@pytest.fixture(scope="module")
def table(env: TableEnvironment) -> Table:
    return env.sql_query("SELECT 1L AS k, TIMESTAMP_NTZ'2024-01-01 00:00:00' AS at, 'x' AS b, 7L AS v, 1.5D AS c")


def sent(called: Table) -> tuple[list[str], tuple[str, ...]]:
    """Return the columns that Spark sends, and those of a row object."""
    (call,) = process_calls(called.query_operation)
    planned = plan_call(call)
    return list(planned.input.schema.names), planned.plan(None, {}).tables[0].columns


def test_columns_of_rows(table: Table) -> None:
    by_key = table.partition_by(col("k")).order_by(col("c"))
    assert sent(by_key.process(ReadsOne)) == (["k", "v"], ("k", "v"))
    timed = table.partition_by(col("k"))
    assert sent(timed.process(ReadsOne, on_time=descriptor("at"))) == (["k", "at", "v"], ("k", "at", "v"))
    assert sent(table.process(ReadsByRow)) == (["b"], ("b",))
    assert sent(table.process(ReadsNothing)) == (["k"], ("k",))


def test_computed_keys(table: Table) -> None:
    names, columns = sent(table.partition_by(col("v") % 2, col("b")).process(ReadsOne))
    assert (names[:2], len(names), columns) == (["b", "v"], 3, ("b", "v"))


def test_rows_that_are_sent_as_a_whole(table: Table) -> None:
    by_key = table.partition_by(col("k"))
    assert sent(by_key.process(ReadsAll))[1] == EVERY
    assert sent(by_key.process(ReadsNoColumn))[1] == EVERY


def test_columns_that_pass_through(table: Table) -> None:
    assert sent(table.process(PassesThrough)) == (list(EVERY), EVERY)


def structs(called: Table) -> list[list[str]]:
    """Return the columns of each table in the rows that Spark sends for several tables."""
    (call,) = process_calls(called.query_operation)
    planned = plan_call(call)
    tables = planned.plan(None, {}).tables
    types = [planned.input.schema.columns[table.positions[0]].data_type for table in tables]
    assert all(isinstance(t, RowType) and len(t.fields) == len(c.columns) for t, c in zip(types, tables, strict=True))
    return [list(table.columns) for table in tables]


def test_columns_of_several_tables(env: TableEnvironment, table: Table) -> None:
    routes = table.select(col("k"), col("v"), row(col("k"), col("b"), col("v")).alias("place"), col("c"))
    by_key = table.partition_by(col("k"))
    called = env.from_call(ReadsOfTwo, by_key, routes.partition_by(col("k")))
    assert structs(called) == [["b"], ["v", "place"]]
    assert structs(env.from_call(ReadsOneOfTwo, by_key, by_key)) == [list(EVERY), ["k"]]
    assert structs(table.process(CountsAll)) == [["b"]]


def test_fields_of_objects(table: Table) -> None:
    by_key = table.partition_by(col("k"))
    assert sent(by_key.process(ReadsField)) == (["k", "v"], ("v",))
    assert sent(by_key.process(ReadsObject))[1] == ("k", "b", "v")
    assert sent(by_key.process(ReadsOfMore))[1] == ("k", "v")


def test_objects_that_are_made_by_code_of_their_own_are_made(table: Table) -> None:
    (call,) = process_calls(table.partition_by(col("k")).process(ReadsOfMore).query_operation)
    plan = plan_call(call).plan(pa.schema([("k", pa.int64()), ("EXPR$0", pa.int64())]), {})
    columns = [batch_of([(1, 0, 5)]).column(0)] * 5
    assert run(plan, pa.RecordBatch.from_arrays(columns, list(EVERY))) == [(1, 2)]
