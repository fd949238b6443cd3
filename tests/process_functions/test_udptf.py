"""Process table functions under PyFlink's names: ``udptf``, its arguments and states, and the names of its context."""

from __future__ import annotations

import datetime as dt
import pickle
from collections.abc import Iterator
from typing import Any

import pytest
from pyspark import cloudpickle
from pyspark.sql import SparkSession

from tableapi import DataTypes, EnvironmentSettings, Row, TableEnvironment
from tableapi.exceptions import ValidationException
from tableapi.expressions import col, descriptor, lit
from tableapi.process_functions import ArgumentTrait, Context, ProcessTableFunction, State, TableAsSet
from tableapi.testing import ProcessTableFunctionHarness, assert_rows
from tableapi.udf import (
    ProcessTableFunctionArgument,
    ProcessTableFunctionState,
    udptf,
)
from tableapi.udf import ProcessTableFunctionArgumentTrait as Trait

EVENTS = {"user": "STRING", "text": "STRING", "ts": "TIMESTAMP_LTZ(3)"}
UTC = dt.timezone.utc
NINE = dt.datetime(2026, 1, 1, 9, tzinfo=UTC)


@pytest.fixture
def env() -> TableEnvironment:
    settings = EnvironmentSettings.new_instance().with_built_in_catalog_name("memory").build()
    made = TableEnvironment.create(settings)
    made.declare("events", EVENTS)
    return made


class Tokenize(ProcessTableFunction):
    """Split a text."""

    def eval(self, ctx, event, separator):  # type: ignore[no-untyped-def]
        for token in event.text.split(separator):
            if token:
                yield Row(token=token)


def tokenize(function: Any = None) -> Any:
    return udptf(
        function or Tokenize(),
        arguments=[
            ProcessTableFunctionArgument.table("event", traits={Trait.ROW_SEMANTIC_TABLE}),
            ProcessTableFunctionArgument.scalar("separator", DataTypes.STRING()),
        ],
        result_type=DataTypes.ROW([DataTypes.FIELD("token", DataTypes.STRING())]),
    )


class Timeout(ProcessTableFunction):
    """Count events, and tell of silence."""

    def eval(self, ctx, memory, last, event, seconds):  # type: ignore[no-untyped-def]
        previous = last.text
        memory["count"] = (memory.count or 0) + 1
        last["text"] = event.text
        timers = ctx.time_context(int)
        timers.register_on_time("timeout", timers.time() + 10_000)
        timers.register_on_time("timeout", timers.time() + 1_000 * seconds)
        if event.text == "cancel":
            timers.clear_timer("timeout")
        if event.text == "reset":
            ctx.clear_state("memory")
        yield Row(f"{previous} {ctx.time_context().time():%H:%M:%S} {timers.table_watermark()}", memory.count)

    def on_timer(self, ctx, memory, last):  # type: ignore[no-untyped-def]
        yield Row(f"{ctx.current_timer()} {ctx.time_context().time()}", memory.count)
        ctx.clear_all()


TIMEOUT: dict[str, Any] = {
    "arguments": [
        ProcessTableFunctionArgument.table("event", {Trait.SET_SEMANTIC_TABLE, Trait.REQUIRE_ON_TIME}),
        ProcessTableFunctionArgument.scalar("seconds", "INT"),
    ],
    "states": [
        ProcessTableFunctionState.value("memory", "ROW<count BIGINT>", ttl=dt.timedelta(days=1)),
        ProcessTableFunctionState.value("last", DataTypes.ROW([DataTypes.FIELD("text", DataTypes.STRING())])),
    ],
    "result_type": "ROW<what STRING, count BIGINT>",
}


def test_both_forms_of_a_call_and_its_sql_are_one_tree(env: TableEnvironment) -> None:
    env.create_temporary_system_function("tokenize", tokenize())
    events = env.from_path("events")
    implicit = events.process("tokenize", lit(" ").as_argument("separator"))
    explicit = env.from_call("tokenize", events.as_argument("event"), lit(" ").as_argument("separator"))
    in_sql = env.sql_query("SELECT * FROM tokenize(event => TABLE events, `separator` => ' ')")
    assert implicit.query_operation is explicit.query_operation is in_sql.query_operation
    assert str(implicit.get_resolved_schema()) == "(`token` STRING)"
    harness = ProcessTableFunctionHarness(implicit)
    harness.process_element("ada", "hello  world", NINE)
    assert harness.get_output() == [("hello",), ("world",)]


def test_states_timers_and_times_have_the_names_of_pyflink(env: TableEnvironment) -> None:
    events = env.from_path("events").partition_by(col("user"))
    function = udptf(Timeout, **TIMEOUT)
    harness = ProcessTableFunctionHarness(events.process(function, 60, on_time=descriptor("ts")), restarts=True)
    start = int(NINE.timestamp()) * 1_000
    harness.process_batch([("ada", "one", NINE), ("bob", "cancel", NINE)], watermark=NINE)
    harness.process_element("ada", "two", NINE + dt.timedelta(seconds=20))
    assert harness.get_state_for_key("memory", "ada") == {"count": 2}
    assert [timer.name for timer in harness.get_pending_timers()] == ["timeout"]
    harness.set_watermark(NINE + dt.timedelta(seconds=80))
    harness.process_element("ada", "reset", NINE + dt.timedelta(seconds=90))
    assert harness.get_state_for_key("memory", "ada") == {"count": None}
    assert [tuple(row)[:3] for row in harness.get_output()] == [
        ("ada", "None 09:00:00 None", 1),
        ("bob", "None 09:00:00 None", 1),
        ("ada", f"one 09:00:20 {start}", 2),
        ("ada", "timeout 2026-01-01 09:01:20", 2),
        ("ada", f"None 09:01:30 {start + 80_000}", 1),
    ]


def test_a_decorator_declares_a_class(env: TableEnvironment) -> None:
    @udptf(arguments=[ProcessTableFunctionArgument.table("event")], result_type="ROW<n INT>", name="sizes")
    class Sizes(ProcessTableFunction):
        def eval(self, ctx, event):  # type: ignore[no-untyped-def]
            return [Row(len(event.text)), (0,)]

    query = env.from_path("events").process(Sizes)
    assert "sizes" in query.explain()
    harness = ProcessTableFunctionHarness(query)
    harness.process_element("ada", "abc", NINE)
    assert harness.get_output() == [(3,), (0,)]


class Semantics(ProcessTableFunction):
    """Tell of the table of the call."""

    def eval(self, ctx, event):  # type: ignore[no-untyped-def]
        known = ctx.table_semantics_for("event")
        timers = ctx.time_context()
        shown = f"{known.partition_by_columns()} {known.order_by_columns()} {known.time_column()}"
        yield Row(f"{shown} {timers.time()} {ctx.timers(int).current_time()} {timers.following_watermark()}")


def test_the_context_tells_of_the_table(env: TableEnvironment) -> None:
    table = ProcessTableFunctionArgument.table("event", [Trait.SET_SEMANTIC_TABLE])
    function = udptf(Semantics, [table], "ROW<s STRING>")
    events = env.from_path("events").partition_by(col("text"), col("user"))
    harness = ProcessTableFunctionHarness(events.process(function))
    harness.process_element("ada", "x", NINE)
    timed = ProcessTableFunctionHarness(events.order_by(col("ts")).process(function, on_time=descriptor("ts")))
    timed.process_batch([("ada", "x", NINE)], watermark=NINE)
    assert [harness.get_output()[0][2], timed.get_output()[0][2]] == [
        "(1, 0) () -1 None None None",
        "(1, 0) (2,) 2 2026-01-01 09:00:00 1767258000000 None",
    ]


class Annotated(ProcessTableFunction):
    """The declaration by annotations of what the next test declares by arguments."""

    def eval(self, ctx: Context, event: TableAsSet[Row], n: int | None) -> Iterator[tuple[int]]:
        yield (1,)


def test_traits_are_those_of_the_proposal() -> None:
    assert Trait is ArgumentTrait
    given = ProcessTableFunctionArgument.table("e", {Trait.SET_SEMANTIC_TABLE, Trait.PASS_COLUMNS_THROUGH})
    assert given.as_static_argument().traits == (ArgumentTrait.TABLE_AS_SET, ArgumentTrait.PASS_COLUMNS_THROUGH)
    assert ProcessTableFunctionArgument.table("e").as_static_argument().traits == (ArgumentTrait.TABLE_AS_ROW,)


def test_the_declaration_stays_where_queries_are_built() -> None:
    sent = cloudpickle.dumps(udptf(Timeout, **TIMEOUT))
    assert b"TypeInference" not in sent
    assert pickle.loads(sent).name == "Timeout"


@pytest.mark.parametrize(
    ("function", "changes", "message"),
    [
        (Tokenize, {}, r"Tokenize.eval takes \(ctx, event, separator\), but udptf declares \(ctx, memory, last, event"),
        (len, {}, "takes a class that derives from ProcessTableFunction"),
        (Timeout, {"result_type": None}, "udptf of Timeout has no result_type"),
        (Timeout, {"result_type": "STRING"}, r"result_type of Timeout is STRING, .* ROW<value STRING>"),
        (
            Timeout,
            {"arguments": ["event"]},
            "arguments as a list of ProcessTableFunctionArgument, but was given 'event'",
        ),
        (Timeout, {"arguments": None}, "but was given None"),
        (Timeout, {"states": [State]}, "states as a list of ProcessTableFunctionState"),
        (Timeout, {"argumets": []}, "udptf has no argument 'argumets'. Did you mean 'arguments'"),
        (
            Timeout,
            {"arguments": [ProcessTableFunctionArgument.table("event"), TIMEOUT["arguments"][1]]},
            "has the state 'memory', but no table with set semantics",
        ),
    ],
)
def test_mistakes_are_refused(env: TableEnvironment, function: Any, changes: Any, message: str) -> None:
    with pytest.raises(ValidationException, match=message):
        env.create_temporary_system_function("f", udptf(function, **{**TIMEOUT, **changes}))


@pytest.mark.parametrize("method", ["finish", "on_late"])
def test_methods_that_need_another_declaration(method: str) -> None:
    class Ends(ProcessTableFunction):
        def eval(self, ctx, event):  # type: ignore[no-untyped-def]
            yield (1,)

    setattr(Ends, method, lambda self, *arguments: iter([(1,)]))
    with pytest.raises(ValidationException, match=f"Ends has {method}, which udptf does not declare"):
        udptf(Ends, [ProcessTableFunctionArgument.table("event")], "ROW<n INT>")


def test_functions_run_on_spark(spark: SparkSession) -> None:
    te = TableEnvironment.create(spark=spark.newSession())
    rows = [("ada", "one two", NINE), ("ada", "three", NINE + dt.timedelta(seconds=30)), ("bob", "reset", NINE)]
    te.create_temporary_view("events", te.from_elements(rows, EVENTS))
    words = te.from_path("events").process(tokenize(), " ")
    assert_rows(words, [("one",), ("two",), ("three",), ("reset",)])
    events = te.from_path("events").partition_by(col("user"))
    query = events.process(udptf(Timeout, **TIMEOUT), 60, on_time=descriptor("ts"))
    harness = ProcessTableFunctionHarness(query, mode="batch")
    harness.process_elements(rows)
    harness.finish()
    assert len(harness.get_output()) == 5
    assert_rows(query, harness.get_output())
