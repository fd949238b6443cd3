"""Functions that take and yield changes: the column of their kinds, and what does not fit it."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterator
from typing import Any

import pytest

from examples.process_functions.proposal import BuiltInChangelog, TimedLastValue
from ir import types as t
from tableapi import Row, RowKind, Table, TableEnvironment, TableException, ValidationException
from tableapi.exceptions import SparkExecutionException
from tableapi.expressions import col, descriptor, lit
from tableapi.process_functions import (
    ChangelogMode,
    Context,
    ListView,
    ProcessTableFunction,
    TableAsSet,
    function_hint,
)
from tableapi.spark.planner.process import process_calls
from tableapi.spark.runtime.failures import FunctionFailed
from tableapi.testing import ProcessTableFunctionHarness
from tests.process_functions.batch_runtime import run_over_table
from tests.process_functions.model_calls import environment
from tests.process_functions.stream_runtime import CalledStream


@pytest.fixture
def env() -> TableEnvironment:
    return environment()


def _values(env: TableEnvironment) -> Table:
    return env.declare("customers", {"k": "STRING", "ts": "TIMESTAMP", "value": "STRING"})


def test_the_kind_is_a_column_before_those_of_the_function(env: TableEnvironment) -> None:
    env.create_temporary_system_function("last_value", TimedLastValue)
    last = _values(env).partition_by(col("k")).process("last_value", on_time=descriptor("ts"))
    assert last.query_operation.schema.names == ("k", "op", "s", "rowtime")
    assert last.query_operation.schema.columns[1].data_type == t.STRING.not_null()
    assert env.sql_query(last.as_serializable_string()).query_operation is last.query_operation
    # A function over changes reads them from this column, whatever is between both.
    taken = last.filter(col("op") != "UPDATE_BEFORE").process(BuiltInChangelog)
    assert taken.query_operation.schema.names == ("flag", "k", "op", "s", "rowtime")
    assert [call.kind_column(0) for call in process_calls(taken.query_operation)] == [None, "op"]
    assert process_calls(last.select(col("s")).process(BuiltInChangelog).query_operation)[1].kind_column(0) is None
    with pytest.raises(TableException, match="last_value yields changes, which are rows with the column 'op' here"):
        last.as_serializable_string("FLINK")
    env.create_temporary_system_function("changelog", BuiltInChangelog)
    changes = env.declare("changes", {"op": "STRING"}).process("changelog")
    with pytest.raises(TableException, match="changelog takes changes, which are rows with the column 'op' here"):
        changes.as_serializable_string("FLINK")


@function_hint(output="ROW<Op INT>")
class Clash(ProcessTableFunction):
    def get_output_changelog_mode(self) -> ChangelogMode:
        return ChangelogMode.all()

    def eval(self, row: TableAsSet[Row]) -> Iterator[Any]:
        yield (1,)


def test_a_column_of_the_function_has_another_name(env: TableEnvironment) -> None:
    with pytest.raises(ValidationException, match=r"kinds are in the column 'op', but its own output has a column of"):
        _values(env).partition_by(col("k")).process(Clash)


class Says(ProcessTableFunction):
    """Yield a row of the kind that a row asks for."""

    def eval(self, row: TableAsSet[Row]) -> Iterator[str]:
        made: Any = Row.of_kind(RowKind[row.value], row.value)
        yield made


class Passes(ProcessTableFunction):
    """Yield the rows that come, as a function that declares no changes."""

    def get_input_changelog_mode(self) -> ChangelogMode:
        return ChangelogMode.all()

    def eval(self, row: TableAsSet[Row]) -> Iterator[tuple[str, str]]:
        made: Any = row
        yield made


def test_a_kind_that_was_not_declared_fails_with_the_row(env: TableEnvironment) -> None:
    said = _values(env).partition_by(col("k")).process(Says)
    (call,) = process_calls(said.query_operation)
    assert run_over_table(call, [(0, ("a", None, "INSERT"))], 2) == [("a", "INSERT")]
    with pytest.raises(FunctionFailed, match=r"value='DELETE'(.|\n)*kind DELETE, but the function declares insertions"):
        run_over_table(call, [(0, ("a", None, "INSERT")), (0, ("a", None, "DELETE"))], 2)
    harness = ProcessTableFunctionHarness(said)
    with pytest.raises(SparkExecutionException, match="is of the kind DELETE"):
        harness.process_element("a", None, "DELETE")


def test_rows_that_are_passed_on_keep_their_kind(env: TableEnvironment) -> None:
    changes = env.declare("changes", {"k": "STRING", "op": "STRING"})
    (call,) = process_calls(changes.partition_by(col("k")).process(Passes).query_operation)
    assert run_over_table(call, [(0, ("a", "INSERT"))], 2) == [("a", "a", "INSERT")]
    with pytest.raises(FunctionFailed, match="kind UPDATE_AFTER, but the function declares insertions"):
        run_over_table(call, [(0, ("a", "UPDATE_AFTER"))], 2)


class Reminds(ProcessTableFunction):
    """Yield the kind of the last change of a key, a second after it."""

    def get_input_changelog_mode(self) -> ChangelogMode:
        return ChangelogMode.all()

    def eval(self, ctx: Context, kinds: ListView[str], row: TableAsSet[Row]) -> Iterator[str]:
        kinds.clear()
        kinds.add(row.get_row_kind().name)
        now = ctx.timers().current_time()
        assert now is not None
        ctx.timers().register_on_time("last", now + dt.timedelta(seconds=1))
        yield from ()

    def on_timer(self, kinds: ListView[str]) -> Iterator[str]:
        yield from kinds


def test_a_function_that_takes_changes_has_timers(env: TableEnvironment) -> None:
    table = env.declare("changes", {"k": "STRING", "ts": "TIMESTAMP_LTZ", "op": "STRING"})
    stream = env.from_path("changes", stream=True).watermark(col("ts"), lit(0).seconds)
    queries = [t.partition_by(col("k")).process(Reminds, on_time=descriptor("ts")) for t in (table, stream)]
    over_table, over_stream = [process_calls(query.query_operation)[0] for query in queries]
    start, zone = dt.datetime(2026, 1, 1), dt.timezone.utc
    fired = start + dt.timedelta(seconds=1)
    kinds = [("a", "INSERT"), ("a", "UPDATE_BEFORE"), ("b", "INSERT"), ("b", "DELETE")]
    rows = [(key, start.replace(tzinfo=zone), kind) for key, kind in kinds]
    expected = [(key, kind, fired.replace(tzinfo=zone)) for key, kind in (("a", "UPDATE_BEFORE"), ("b", "DELETE"))]
    assert run_over_table(over_table, [(0, row) for row in rows], 2) == expected
    running = CalledStream(over_stream)
    assert running.process(rows, start) == []
    assert sorted(map(tuple, running.process([], fired))) == expected


@pytest.mark.parametrize("kind", ["insert", "+I", None, ""])
def test_a_value_that_is_no_kind_fails_with_the_row(kind: str | None, env: TableEnvironment) -> None:
    changes = env.declare("changes", {"k": "STRING", "op": "STRING", "n": "INT"})
    query = changes.partition_by(col("k")).process(Passes)
    (call,) = process_calls(query.query_operation)
    rows = [(0, ("a", "INSERT", 1)), (0, ("a", kind, 2))]
    words = rf"n=2(.|\n)*column op of a table of changes is {re.escape(repr(kind))}; it is one of INSERT, UPDATE_BEFORE"
    with pytest.raises(FunctionFailed, match=words):
        run_over_table(call, rows, 2)
    with pytest.raises(ValidationException, match="it is one of"):
        ProcessTableFunctionHarness(query).process_element("a", kind, 2)
