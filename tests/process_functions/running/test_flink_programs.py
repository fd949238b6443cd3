"""The programs with which Flink tests process table functions, under their names; those that need no stream.

The rows are those of batch mode, in which a watermark is perfect: timers fire as soon as the time of a row passes them.
Source: ProcessTableFunctionTestPrograms of Apache Flink 2.1.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from pyspark.sql import SparkSession

from ir.errors import TableException
from tableapi import Table, TableEnvironment
from tableapi.expressions import col, descriptor, lit, row
from tableapi.spark.schemas import dataframe_schema
from tests.cases import some_nightly
from tests.process_functions.running import functions as f

_END = 253402300799999


def at(milliseconds: int) -> dt.datetime:
    return dt.datetime(1970, 1, 1) + dt.timedelta(milliseconds=milliseconds)


@pytest.fixture(scope="module")
def env(spark: SparkSession) -> Iterator[TableEnvironment]:
    env = TableEnvironment.create(spark=spark.newSession())
    basic = [("Bob", 12), ("Alice", 42)]
    multi = [("Bob", 12), ("Alice", 42), ("Bob", 99), ("Bob", 100), ("Alice", 400)]
    timed = [
        ("Bob", 1, at(0)),
        ("Alice", 1, at(1)),
        ("Bob", 2, at(2)),
        ("Bob", 3, at(3)),
        ("Bob", 4, at(4)),
        ("Bob", 5, at(5)),
        ("Bob", 6, at(6)),
    ]
    slow = [
        ("Bob", 1, at(0)),
        ("Alice", 1, at(0)),
        ("Bob", 2, at(1_000)),
        ("Bob", 3, at(4_000)),
        ("Alice", 2, at(4_500)),
        ("Bob", 4, at(6_000)),
    ]
    env.create_temporary_view("t", env.from_elements(basic, ["name", "score"]))
    env.create_temporary_view("multi", env.from_elements(multi, ["name", "score"]))
    env.create_temporary_view("timed", env.from_elements(timed, ["name", "score", "ts"]))
    env.create_temporary_view("slow", env.from_elements(slow, ["name", "score", "ts"]))
    for name in dir(f):
        made = getattr(f, name)
        if isinstance(made, type) and issubclass(made, f.ProcessTableFunction) and made is not f.ProcessTableFunction:
            env.create_temporary_system_function(name, made)
    yield env
    for name in ("t", "multi", "timed", "slow"):
        env.drop_temporary_view(name)


def rows_of(table: Table) -> list[tuple[Any, ...]]:
    return sorted((tuple(row) for row in table.execute().collect()), key=repr)


def outs(*texts: str) -> list[tuple[Any, ...]]:
    return [(text,) for text in texts]


BOB, ALICE = "{+I[Bob, 12], 1}", "{+I[Alice, 42], 1}"
TYPED_BOB, TYPED_ALICE = "{User(s='Bob', i=12), 1}", "{User(s='Alice', i=42), 1}"
KEYED = [("Alice", ALICE), ("Bob", BOB)]
PASSED = [("Alice", 42, ALICE), ("Bob", 12, BOB)]
SCALAR = outs("{42, true}")

Built = str | Callable[[TableEnvironment], Table]
_NAMED_TIMERS = [
    ("Alice", "{registered}", at(0)),
    *[("Alice", f"{{timeout{n}, {time}}}", at(time)) for n, time in ((1, 1_000), (3, 3_500), (4, 4_000))],
    ("Alice", "{timeout5, 5000}", at(5_000)),
    ("Bob", "{cleared}", at(4_000)),
    ("Bob", "{registered}", at(0)),
    ("Bob", "{timeout1, 1000}", at(1_000)),
    ("Bob", "{timeout3, 3500}", at(3_500)),
]
_CHAINED = "SELECT * FROM ChainedTime(r => TABLE({}) PARTITION BY name, on_time => DESCRIPTOR({}), uid => '{}')"

PROGRAMS: dict[str, tuple[Built, list[tuple[Any, ...]]]] = {
    "PROCESS_SCALAR_ARGS": ("SELECT * FROM ScalarArgs(i => 42, b => CAST('TRUE' AS BOOLEAN))", SCALAR),
    "PROCESS_SCALAR_ARGS_TABLE_API": (lambda env: env.from_call("ScalarArgs", 42, True), SCALAR),
    "PROCESS_TABLE_AS_ROW": ("SELECT * FROM AsRow(r => TABLE(t), i => 1)", outs(ALICE, BOB)),
    "PROCESS_TABLE_AS_ROW_TABLE_API": (
        lambda env: env.from_call("AsRow", env.from_path("t").as_argument("r"), lit(1).as_argument("i")),
        outs(ALICE, BOB),
    ),
    "PROCESS_TABLE_AS_ROW_TABLE_API_INLINE": (lambda env: env.from_path("t").process(f.AsRow, 1), outs(ALICE, BOB)),
    "PROCESS_TABLE_AS_ROW_TABLE_API_INLINE_NAMED": (
        lambda env: env.from_path("t").process(f.AsRow, lit(1).as_argument("i")),
        outs(ALICE, BOB),
    ),
    "PROCESS_TYPED_TABLE_AS_ROW": ("SELECT * FROM TypedAsRow(u => TABLE(t), i => 1)", outs(TYPED_ALICE, TYPED_BOB)),
    "PROCESS_TYPED_TABLE_AS_ROW_TABLE_API": (
        lambda env: env.from_call(f.TypedAsRow, env.from_path("t"), 1),
        outs(TYPED_ALICE, TYPED_BOB),
    ),
    "PROCESS_TABLE_AS_SET": ("SELECT * FROM AsSet(r => TABLE(t) PARTITION BY name, i => 1)", KEYED),
    "PROCESS_TABLE_AS_SET_TABLE_API": (
        lambda env: env.from_call(
            "AsSet", env.from_path("t").partition_by(col("name")).as_argument("r"), lit(1).as_argument("i")
        ),
        KEYED,
    ),
    "PROCESS_TABLE_AS_SET_TABLE_API_INLINE": (
        lambda env: env.from_path("t").partition_by(col("name")).process(f.AsSet, 1),
        KEYED,
    ),
    "PROCESS_TABLE_AS_SET_TABLE_API_INLINE_NAMED": (
        lambda env: env.from_path("t").partition_by(col("name")).process(f.AsSet, lit(1).as_argument("i")),
        KEYED,
    ),
    "PROCESS_TYPED_TABLE_AS_SET": (
        "SELECT * FROM TypedAsSet(u => TABLE(t) PARTITION BY name, i => 1)",
        [("Alice", TYPED_ALICE), ("Bob", TYPED_BOB)],
    ),
    "PROCESS_TYPED_TABLE_AS_SET_TABLE_API": (
        lambda env: env.from_path("t").partition_by(col("name")).process("TypedAsSet", i=1),
        [("Alice", TYPED_ALICE), ("Bob", TYPED_BOB)],
    ),
    "PROCESS_POJO_ARGS": (
        lambda env: env.from_call(f.PojoArgs, env.from_path("t"), row(lit("Bob"), 12)),
        outs("{User(s='Alice', i=42), User(s='Bob', i=12)}", "{User(s='Bob', i=12), User(s='Bob', i=12)}"),
    ),
    "PROCESS_EMPTY_ARGS": ("SELECT * FROM EmptyArgs()", outs("{empty}")),
    "PROCESS_TABLE_AS_ROW_PASS_THROUGH": ("SELECT * FROM AsRowPassThrough(r => TABLE(t), i => 1)", PASSED),
    "PROCESS_TABLE_AS_SET_PASS_THROUGH": (
        "SELECT * FROM AsSetPassThrough(r => TABLE(t) PARTITION BY name, i => 1)",
        PASSED,
    ),
    "PROCESS_OPTIONAL_PARTITION_BY": ("SELECT * FROM WithoutPartitions(r => TABLE(t), i => 1)", outs(ALICE, BOB)),
    "PROCESS_OPTIONAL_PARTITION_BY_TABLE_API": (
        lambda env: env.from_path("t").process(f.WithoutPartitions, 1),
        outs(ALICE, BOB),
    ),
    "PROCESS_ATOMIC_WRAPPING": ("SELECT `EXPR$0` FROM AtomicWrapping(r => TABLE(t))", [(12,), (42,)]),
    "PROCESS_CONTEXT": (
        "SELECT * FROM Contexts(r => TABLE(t) PARTITION BY score, s => 'param')",
        [
            (12, "{+I[Bob, 12], param, +I[+I[1]], +I[], null}"),
            (42, "{+I[Alice, 42], param, +I[+I[1]], +I[], null}"),
        ],
    ),
    "PROCESS_POJO_STATE": (
        "SELECT * FROM PojoState(r => TABLE(multi) PARTITION BY name ORDER BY score)",
        [
            ("Alice", "{Score(s='Alice', i=1), +I[Alice, 400]}"),
            ("Alice", "{Score(s='None', i=0), +I[Alice, 42]}"),
            ("Bob", "{Score(s='Bob', i=1), +I[Bob, 99]}"),
            ("Bob", "{Score(s='Bob', i=2), +I[Bob, 100]}"),
            ("Bob", "{Score(s='None', i=0), +I[Bob, 12]}"),
        ],
    ),
    "PROCESS_DEFAULT_POJO_STATE": (
        "SELECT * FROM DefaultPojoState(r => TABLE(multi) PARTITION BY name ORDER BY score)",
        [
            ("Alice", "{Alice 100 ['Alice'], +I[Alice, 400]}"),
            ("Alice", "{unknown 99 [], +I[Alice, 42]}"),
            ("Bob", "{Bob 100 ['Bob'], +I[Bob, 99]}"),
            ("Bob", "{Bob 101 ['Bob', 'Bob'], +I[Bob, 100]}"),
            ("Bob", "{unknown 99 [], +I[Bob, 12]}"),
        ],
    ),
    "PROCESS_MULTI_STATE": (
        "SELECT * FROM MultiState(r => TABLE(multi) PARTITION BY name ORDER BY score)",
        [
            ("Alice", "{+I[1], +I[12], +I[Alice, 400]}"),
            ("Alice", "{+I[null], +I[10], +I[Alice, 42]}"),
            ("Bob", "{+I[1], +I[12], +I[Bob, 99]}"),
            ("Bob", "{+I[2], +I[14], +I[Bob, 100]}"),
            ("Bob", "{+I[null], +I[10], +I[Bob, 12]}"),
        ],
    ),
    "PROCESS_CLEARING_STATE": (
        "SELECT * FROM ClearingState(r => TABLE(multi) PARTITION BY name ORDER BY score)",
        [
            ("Alice", "{Score(s='None', i=0), +I[Alice, 42]}"),
            ("Alice", "{Score(s='None', i=1), +I[Alice, 400]}"),
            ("Bob", "{Score(s='None', i=0), +I[Bob, 100]}"),
            ("Bob", "{Score(s='None', i=0), +I[Bob, 12]}"),
            ("Bob", "{Score(s='None', i=1), +I[Bob, 99]}"),
        ],
    ),
    "PROCESS_STATE_TTL": (
        "SELECT * FROM StateTtl(r => TABLE(slow) PARTITION BY name, on_time => DESCRIPTOR(ts))",
        [
            ("Alice", "{0, 0, 0}", at(0)),
            ("Alice", "{0, 1, 1}", at(4_500)),
            ("Bob", "{0, 0, 0}", at(0)),
            ("Bob", "{0, 2, 2}", at(4_000)),
            ("Bob", "{0, 3, 3}", at(6_000)),
            ("Bob", "{1, 1, 1}", at(1_000)),
        ],
    ),
    "PROCESS_LIST_STATE": (
        "SELECT * FROM ListState(r => TABLE(multi) PARTITION BY name ORDER BY score)",
        [
            ("Alice", "{['Alice-0'], +I[Alice, 400]}"),
            ("Alice", "{[], +I[Alice, 42]}"),
            ("Bob", "{['Bob-0', 'Bob-1'], +I[Bob, 100]}"),
            ("Bob", "{['Bob-0'], +I[Bob, 99]}"),
            ("Bob", "{[], +I[Bob, 12]}"),
        ],
    ),
    "PROCESS_MAP_STATE": (
        "SELECT * FROM MapState(r => TABLE(multi) PARTITION BY name ORDER BY score)",
        [
            ("Alice", "{{'Alice': 1, 'oldAlice': 42}, +I[Alice, 400]}"),
            ("Alice", "{{}, +I[Alice, 42]}"),
            ("Bob", "{{'Bob': 1, 'oldBob': 12}, +I[Bob, 99]}"),
            ("Bob", "{{}, +I[Bob, 100]}"),
            ("Bob", "{{}, +I[Bob, 12]}"),
        ],
    ),
    "PROCESS_DESCRIPTOR": ("SELECT * FROM Descriptors(columns => DESCRIPTOR(a, b))", outs("{['a', 'b'], null}")),
    "PROCESS_TIME_CONVERSIONS": (
        "SELECT `out` FROM TimeConversions(r => TABLE(timed) PARTITION BY name, on_time => DESCRIPTOR(ts))"
        " WHERE name = 'Alice'",
        outs(
            "Time 1, watermark 0",
            "Time 1970-01-01 00:00:00.001000, watermark 1970-01-01 00:00:00",
            "Time Instant(seconds=0, nanos=1000000), watermark Instant(seconds=0, nanos=0)",
        ),
    ),
    "PROCESS_TIME_CONVERSIONS_TABLE_API": (
        lambda env: (
            env.from_path("timed")
            .filter(col("name") == "Alice")
            .partition_by(col("name"))
            .process("TimeConversions", descriptor("ts").as_argument("on_time"))
            .select(col("out"))
        ),
        outs(
            "Time 1, watermark 0",
            "Time 1970-01-01 00:00:00.001000, watermark 1970-01-01 00:00:00",
            "Time Instant(seconds=0, nanos=1000000), watermark Instant(seconds=0, nanos=0)",
        ),
    ),
    "PROCESS_REGULAR_TIMESTAMP": (
        lambda env: (
            env.sql_query("SELECT name, ts AS c FROM timed WHERE score = 2")
            .partition_by(col("name"))
            .process(f.ChainedTime, on_time=descriptor("c"))
        ),
        [("Bob", "count", 1, at(1_002))],
    ),
    "PROCESS_NAMED_TIMERS": (
        "SELECT * FROM NamedTimers(r => TABLE(slow) PARTITION BY name, on_time => DESCRIPTOR(ts))",
        _NAMED_TIMERS,
    ),
    "PROCESS_UNNAMED_TIMERS": (
        "SELECT * FROM UnnamedTimers(r => TABLE(slow) PARTITION BY name, on_time => DESCRIPTOR(ts))"
        " WHERE name = 'Alice'",
        [
            ("Alice", "{null, 1000}", at(1_000)),
            ("Alice", "{null, 2000}", at(2_000)),
            ("Alice", "{null, 99000}", at(99_000)),
            ("Alice", "{row}", at(0)),
            ("Alice", "{row}", at(4_500)),
        ],
    ),
    "PROCESS_SCALAR_ARGS_TIME": ("SELECT * FROM ScalarArgsTime(i => 1)", outs("{1, null, null}")),
    "PROCESS_OPTIONAL_PARTITION_BY_TIME": (
        "SELECT * FROM WithoutPartitionsTime(r => TABLE(slow), on_time => DESCRIPTOR(ts))",
        [
            ("{Alice, 0}", at(0)),
            ("{Alice, 4500}", at(4_500)),
            ("{Bob, 0}", at(0)),
            ("{Bob, 1000}", at(1_000)),
            ("{Bob, 4000}", at(4_000)),
            ("{Bob, 6000}", at(6_000)),
            ("{t, 2000}", at(2_000)),
            ("{t, 5500}", at(5_500)),
            ("{t, 7000}", at(7_000)),
        ],
    ),
    "PROCESS_OPTIONAL_ON_TIME": (
        "SELECT * FROM OptionalOnTime(r => TABLE(t) PARTITION BY name)",
        [
            ("Alice", "{Alice, null, null}"),
            ("Alice", "{t, 2}"),
            ("Bob", "{Bob, null, null}"),
            ("Bob", "{t, 2}"),
        ],
    ),
    "PROCESS_POJO_STATE_TIME": (
        "SELECT * FROM PojoStateTime(r => TABLE(slow) PARTITION BY name, on_time => DESCRIPTOR(ts))",
        [
            ("Alice", "{Score(s='Alice', i=1)}", at(0)),
            ("Alice", "{Score(s='Alice', i=1)}", at(4_500)),
            ("Alice", "{timeout, Score(s='Alice', i=1)}", at(1_500)),
            ("Alice", "{timeout, Score(s='Alice', i=1)}", at(6_000)),
            ("Bob", "{Score(s='Bob', i=1)}", at(0)),
            ("Bob", "{Score(s='Bob', i=1)}", at(4_000)),
            ("Bob", "{Score(s='Bob', i=1)}", at(6_000)),
            ("Bob", "{Score(s='Bob', i=2)}", at(1_000)),
            ("Bob", "{timeout, Score(s='Bob', i=1)}", at(5_500)),
            ("Bob", "{timeout, Score(s='Bob', i=1)}", at(7_500)),
            ("Bob", "{timeout, Score(s='Bob', i=2)}", at(2_500)),
        ],
    ),
    "PROCESS_CHAINED_TIME": (
        "SELECT * FROM ChainedTime(r => TABLE("
        "SELECT * FROM ChainedTime(r => TABLE(slow) PARTITION BY name, on_time => DESCRIPTOR(ts), uid => 'first')"
        ") PARTITION BY name, on_time => DESCRIPTOR(rowtime), uid => 'second')",
        [
            ("Alice", "count", 1, at(2_000)),
            ("Alice", "count", 1, at(6_500)),
            ("Bob", "count", 1, at(3_000)),
            ("Bob", "count", 1, at(8_000)),
            ("Bob", "count", 1, at(6_000)),
        ],
    ),
    "PROCESS_CHAINED_TIME_TABLE_API": (
        lambda env: (
            env.from_path("slow")
            .partition_by(col("name"))
            .process(f.ChainedTime, on_time=descriptor("ts"), uid="first")
            .partition_by(col("name"))
            .process(f.ChainedTime, on_time=descriptor("rowtime"), uid="second")
        ),
        [
            ("Alice", "count", 1, at(2_000)),
            ("Alice", "count", 1, at(6_500)),
            ("Bob", "count", 1, at(3_000)),
            ("Bob", "count", 1, at(8_000)),
            ("Bob", "count", 1, at(6_000)),
        ],
    ),
}


@pytest.mark.parametrize("name", some_nightly(PROGRAMS))
def test_program(env: TableEnvironment, name: str) -> None:
    build, rows = PROGRAMS[name]
    table = env.sql_query(build) if isinstance(build, str) else build(env)
    assert rows_of(table) == sorted(rows, key=repr)


@pytest.mark.parametrize("name", PROGRAMS)
def test_types_are_those_of_spark(env: TableEnvironment, name: str) -> None:
    build, _ = PROGRAMS[name]
    table = env.sql_query(build) if isinstance(build, str) else build(env)
    analysed = dataframe_schema(table.to_spark()).columns
    assert [(c.name, c.data_type) for c in analysed] == [
        (c.name, c.data_type) for c in table.get_resolved_schema().columns
    ]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("PROCESS_INVALID_TABLE_AS_ROW_TIMERS", "SELECT * FROM TimersInRow(r => TABLE(t))"),
        (
            "PROCESS_INVALID_PASS_THROUGH_TIMERS",
            "SELECT * FROM TimersInPassThrough(r => TABLE(t) PARTITION BY name)",
        ),
    ],
)
def test_invalid(env: TableEnvironment, name: str, text: str) -> None:
    with pytest.raises(TableException, match="Timers are not supported in the current PTF declaration"):
        rows_of(env.sql_query(text))


def test_finish_runs_without_rows(env: TableEnvironment) -> None:
    assert rows_of(env.from_path("t").process(f.Counting)) == [("rows", 2)]
    assert rows_of(env.from_path("t").filter(col("score") < 0).process(f.Counting)) == [("rows", 0)]
    assert rows_of(env.from_path("t").partition_by(col("name")).process(f.Counting)) == [
        ("Alice", "rows", 1),
        ("Bob", "rows", 1),
    ]
    none = env.from_path("t").filter(col("score") < 0).partition_by(col("name"))
    assert rows_of(none.process(f.Counting)) == []
