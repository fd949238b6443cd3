"""The programs with which Flink tests process table functions, under their names, over tables and over streams.

The rows over a table are those of batch mode, in which a watermark is perfect: timers fire as soon as the time of a row
passes them. Over a stream, a call gives the same rows if it is ordered by its time, which Flink's programs are not.
Source: ProcessTableFunctionTestPrograms of Apache Flink 2.1.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from tableapi import Table, TableEnvironment
from tableapi.expressions import col, descriptor, lit, row
from tests.process_functions.running import functions as f

Built = str | Callable[[TableEnvironment], Table]
Rows = list[tuple[Any, ...]]


# --- tables ----------------------------------------------------------------------------------------------------------


def at(milliseconds: int) -> dt.datetime:
    """Return a time of the programs, in UTC without its zone."""
    return dt.datetime(1970, 1, 1) + dt.timedelta(milliseconds=milliseconds)


def _utc(milliseconds: int) -> dt.datetime:
    return at(milliseconds).replace(tzinfo=dt.timezone.utc)


_BASIC = {"name": "STRING NOT NULL", "score": "INT NOT NULL"}
_TIMED = {**_BASIC, "ts": "TIMESTAMP_LTZ NOT NULL"}
_END = 253_402_300_799_999
"""The last watermark of a table: 9999-12-31 23:59:59.999 in milliseconds."""

COLUMNS: dict[str, dict[str, str]] = {
    "t": _BASIC,
    "multi": _BASIC,
    "timed": _TIMED,
    "slow": _TIMED,
    "late": _TIMED,
    "codes": {"code": "STRING NOT NULL", "name": "STRING NOT NULL", "count": "BIGINT NOT NULL"},
}
"""The columns of the tables of the programs. Those with a column ts are read by a time."""

ROWS: dict[str, Rows] = {
    "t": [("Bob", 12), ("Alice", 42)],
    "multi": [("Bob", 12), ("Alice", 42), ("Bob", 99), ("Bob", 100), ("Alice", 400)],
    "timed": [
        ("Bob", 1, _utc(0)),
        ("Alice", 1, _utc(1)),
        *[("Bob", number, _utc(number)) for number in range(2, 7)],
    ],
    "slow": [
        ("Bob", 1, _utc(0)),
        ("Alice", 1, _utc(0)),
        ("Bob", 2, _utc(1_000)),
        ("Bob", 3, _utc(4_000)),
        ("Alice", 2, _utc(4_500)),
        ("Bob", 4, _utc(6_000)),
    ],
    "late": [
        ("Bob", 1, _utc(0)),
        ("Alice", 1, _utc(1)),
        ("Bob", 2, _utc(99_999)),
        ("Bob", 3, _utc(3)),
        ("Bob", 4, _utc(4)),
    ],
    # The changes of Flink's view, which counts the rows ('Bob', 12), ('Alice', 42), ('Bob', 14) by their names.
    "codes": [("+I", "Bob", 1), ("+I", "Alice", 1), ("-U", "Bob", 1), ("+U", "Bob", 2)],
}
LAST = ("the end", 2, _utc(10**9))
"""The last row of the streams ``timed`` and ``slow``, with which the watermark passes all times of their other rows."""


def register(env: TableEnvironment, tables: Mapping[str, Table]) -> None:
    """Register the functions of the programs, and their tables: those of ``COLUMNS``, and the changes ``updating``."""
    for name, made in vars(f).items():
        if isinstance(made, type) and issubclass(made, f.ProcessTableFunction) and made is not f.ProcessTableFunction:
            env.create_temporary_system_function(name, made)
    for name, table in tables.items():
        env.create_temporary_view(name, table)
    kinds = {"+I": "INSERT", "-U": "UPDATE_BEFORE", "+U": "UPDATE_AFTER"}
    env.create_temporary_view("updating", tables["codes"].from_changelog(op="code", op_mapping=kinds))


# --- programs --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Program:
    """A query over the tables, and what becomes of it if they are streams.

    Attributes:
        query: the query.
        rows: its rows over tables.
        has_table: whether the query has a table; one without tables has no stream.
        stream_query: the form of the query over streams, if it is another one.
        stream_rows: the rows of that form, if they are others.
        refused_query: a form of the query that is refused over streams.
        reason: the reason why it is refused.
    """

    query: Built
    rows: Rows
    has_table: bool = True
    stream_query: Built | None = None
    stream_rows: Rows | None = None
    refused_query: Built | None = None
    reason: str | None = None

    @property
    def over_streams(self) -> Built:
        """The form of the query that runs over streams."""
        return self.stream_query or self.query


def build_query(env: TableEnvironment, query: Built) -> Table:
    """Return the query of a program."""
    return env.sql_query(query) if isinstance(query, str) else query(env)


def _outs(*texts: str) -> Rows:
    return [(text,) for text in texts]


def _without_table(query: Built, *texts: str) -> Program:
    return Program(query, _outs(*texts), has_table=False)


def _by_score(function: str, rows: Rows) -> Program:
    """Return a program of state that numbers the rows of a name; those of the stream come in the order of the score."""
    call = f"SELECT * FROM {function}(r => TABLE(multi) PARTITION BY name"
    ordered = f"{call} ORDER BY score)"
    return Program(ordered, rows, stream_query=f"{call})", refused_query=ordered, reason=_ORDER_WITHOUT_TIME)


def _by_time(
    function: str, rows: Rows, *, table: str = "slow", keys: str = "PARTITION BY name", end: str = ""
) -> Program:
    call = f"SELECT * FROM {function}(r => TABLE({table}) {keys}"
    time = f"on_time => DESCRIPTOR(ts)){end}"
    return Program(f"{call}, {time}", rows, stream_query=f"{call} ORDER BY ts, {time}")


_ORDER_WITHOUT_TIME = "has ORDER BY, so that rows wait until the watermark passes them, and the stream has no watermark"
_NO_WATERMARK = "has timers, which fire when the watermark passes their time, and the stream has no watermark"
_GROUPS_BELOW = "keeps state over the result of the aggregation, and Spark would not know its watermark"

_BOB, _ALICE = "{+I[Bob, 12], 1}", "{+I[Alice, 42], 1}"
_TYPED_BOB, _TYPED_ALICE = "{User(s='Bob', i=12), 1}", "{User(s='Alice', i=42), 1}"
_BOTH, _TYPED = _outs(_ALICE, _BOB), _outs(_TYPED_ALICE, _TYPED_BOB)
_KEYED = [("Alice", _ALICE), ("Bob", _BOB)]
_KEYED_TYPED = [("Alice", _TYPED_ALICE), ("Bob", _TYPED_BOB)]
_PASSED = [("Alice", 42, _ALICE), ("Bob", 12, _BOB)]
_CONVERTED = _outs(
    "Time 1, watermark 0",
    "Time 1970-01-01 00:00:00.001000+00:00, watermark 1970-01-01 00:00:00+00:00",
    "Time Instant(seconds=0, nanos=1000000), watermark Instant(seconds=0, nanos=0)",
)
_CHAINED = [
    ("Alice", "count", 1, at(2_000)),
    ("Alice", "count", 1, at(6_500)),
    ("Bob", "count", 1, at(3_000)),
    ("Bob", "count", 1, at(8_000)),
    ("Bob", "count", 1, at(6_000)),
]


def _chain(order: str) -> str:
    first = f"SELECT * FROM ChainedTime(r => TABLE(slow) PARTITION BY name{order.format('ts')}"
    return (
        f"SELECT * FROM ChainedTime(r => TABLE({first}, on_time => DESCRIPTOR(ts), uid => 'first'))"
        f" PARTITION BY name{order.format('rowtime')}, on_time => DESCRIPTOR(rowtime), uid => 'second')"
    )


def _chain_in_python(*, ordered: bool) -> Callable[[TableEnvironment], Table]:
    def chain(env: TableEnvironment) -> Table:
        table = env.from_path("slow")
        for time, uid in (("ts", "first"), ("rowtime", "second")):
            partitions = table.partition_by(col("name"))
            sorted_partitions = partitions.order_by(col(time)) if ordered else partitions
            table = sorted_partitions.process(f.ChainedTime, on_time=descriptor(time), uid=uid)
        return table

    return chain


PROGRAMS: dict[str, Program] = {
    "PROCESS_SCALAR_ARGS": _without_table(
        "SELECT * FROM ScalarArgs(i => 42, b => CAST('TRUE' AS BOOLEAN))", "{42, true}"
    ),
    "PROCESS_SCALAR_ARGS_TABLE_API": _without_table(lambda env: env.from_call("ScalarArgs", 42, True), "{42, true}"),
    "PROCESS_TABLE_AS_ROW": Program("SELECT * FROM AsRow(r => TABLE(t), i => 1)", _BOTH),
    "PROCESS_TABLE_AS_ROW_TABLE_API": Program(
        lambda env: env.from_call("AsRow", env.from_path("t").as_argument("r"), lit(1).as_argument("i")), _BOTH
    ),
    "PROCESS_TABLE_AS_ROW_TABLE_API_INLINE": Program(lambda env: env.from_path("t").process(f.AsRow, 1), _BOTH),
    "PROCESS_TABLE_AS_ROW_TABLE_API_INLINE_NAMED": Program(
        lambda env: env.from_path("t").process(f.AsRow, lit(1).as_argument("i")), _BOTH
    ),
    "PROCESS_TYPED_TABLE_AS_ROW": Program("SELECT * FROM TypedAsRow(u => TABLE(t), i => 1)", _TYPED),
    "PROCESS_TYPED_TABLE_AS_ROW_TABLE_API": Program(
        lambda env: env.from_call(f.TypedAsRow, env.from_path("t"), 1), _TYPED
    ),
    "PROCESS_TABLE_AS_SET": Program("SELECT * FROM AsSet(r => TABLE(t) PARTITION BY name, i => 1)", _KEYED),
    "PROCESS_TABLE_AS_SET_TABLE_API": Program(
        lambda env: env.from_call(
            "AsSet", env.from_path("t").partition_by(col("name")).as_argument("r"), lit(1).as_argument("i")
        ),
        _KEYED,
    ),
    "PROCESS_TABLE_AS_SET_TABLE_API_INLINE": Program(
        lambda env: env.from_path("t").partition_by(col("name")).process(f.AsSet, 1), _KEYED
    ),
    "PROCESS_TABLE_AS_SET_TABLE_API_INLINE_NAMED": Program(
        lambda env: env.from_path("t").partition_by(col("name")).process(f.AsSet, lit(1).as_argument("i")), _KEYED
    ),
    "PROCESS_TYPED_TABLE_AS_SET": Program(
        "SELECT * FROM TypedAsSet(u => TABLE(t) PARTITION BY name, i => 1)", _KEYED_TYPED
    ),
    "PROCESS_TYPED_TABLE_AS_SET_TABLE_API": Program(
        lambda env: env.from_path("t").partition_by(col("name")).process("TypedAsSet", i=1), _KEYED_TYPED
    ),
    "PROCESS_POJO_ARGS": Program(
        lambda env: env.from_call(f.PojoArgs, env.from_path("t"), row(lit("Bob"), 12)),
        _outs("{User(s='Alice', i=42), User(s='Bob', i=12)}", "{User(s='Bob', i=12), User(s='Bob', i=12)}"),
    ),
    "PROCESS_EMPTY_ARGS": _without_table("SELECT * FROM EmptyArgs()", "{empty}"),
    "PROCESS_TABLE_AS_ROW_PASS_THROUGH": Program("SELECT * FROM AsRowPassThrough(r => TABLE(t), i => 1)", _PASSED),
    "PROCESS_TABLE_AS_SET_PASS_THROUGH": Program(
        "SELECT * FROM AsSetPassThrough(r => TABLE(t) PARTITION BY name, i => 1)", _PASSED
    ),
    # Flink groups below the call, which makes changes there. Spark's groups over a table have final rows alone, and
    # over a stream no operation with state can follow them.
    "PROCESS_UPDATING_INPUT": Program(
        "SELECT * FROM UpdatingArg(r => TABLE(updating))",
        _outs("{+I[Bob, 1]}", "{+I[Alice, 1]}", "{-U[Bob, 1]}", "{+U[Bob, 2]}"),
        refused_query="SELECT * FROM UpdatingArg(r => TABLE(SELECT name, COUNT(*) AS `count` FROM t GROUP BY name))",
        reason=_GROUPS_BELOW,
    ),
    "PROCESS_OPTIONAL_PARTITION_BY": Program("SELECT * FROM WithoutPartitions(r => TABLE(t), i => 1)", _BOTH),
    "PROCESS_OPTIONAL_PARTITION_BY_TABLE_API": Program(
        lambda env: env.from_path("t").process(f.WithoutPartitions, 1), _BOTH
    ),
    "PROCESS_ATOMIC_WRAPPING": Program("SELECT `EXPR$0` FROM AtomicWrapping(r => TABLE(t))", [(12,), (42,)]),
    "PROCESS_CONTEXT": Program(
        "SELECT * FROM Contexts(r => TABLE(t) PARTITION BY score, s => 'param')",
        [
            (12, "{+I[Bob, 12], param, +I[+I[1]], +I[], null}"),
            (42, "{+I[Alice, 42], param, +I[+I[1]], +I[], null}"),
        ],
    ),
    "PROCESS_POJO_STATE": _by_score(
        "PojoState",
        [
            ("Alice", "{Score(s='Alice', i=1), +I[Alice, 400]}"),
            ("Alice", "{Score(s='None', i=0), +I[Alice, 42]}"),
            ("Bob", "{Score(s='Bob', i=1), +I[Bob, 99]}"),
            ("Bob", "{Score(s='Bob', i=2), +I[Bob, 100]}"),
            ("Bob", "{Score(s='None', i=0), +I[Bob, 12]}"),
        ],
    ),
    "PROCESS_DEFAULT_POJO_STATE": _by_score(
        "DefaultPojoState",
        [
            ("Alice", "{Alice 100 ['Alice'], +I[Alice, 400]}"),
            ("Alice", "{unknown 99 [], +I[Alice, 42]}"),
            ("Bob", "{Bob 100 ['Bob'], +I[Bob, 99]}"),
            ("Bob", "{Bob 101 ['Bob', 'Bob'], +I[Bob, 100]}"),
            ("Bob", "{unknown 99 [], +I[Bob, 12]}"),
        ],
    ),
    "PROCESS_MULTI_STATE": _by_score(
        "MultiState",
        [
            ("Alice", "{+I[1], +I[12], +I[Alice, 400]}"),
            ("Alice", "{+I[null], +I[10], +I[Alice, 42]}"),
            ("Bob", "{+I[1], +I[12], +I[Bob, 99]}"),
            ("Bob", "{+I[2], +I[14], +I[Bob, 100]}"),
            ("Bob", "{+I[null], +I[10], +I[Bob, 12]}"),
        ],
    ),
    "PROCESS_CLEARING_STATE": _by_score(
        "ClearingState",
        [
            ("Alice", "{Score(s='None', i=0), +I[Alice, 42]}"),
            ("Alice", "{Score(s='None', i=1), +I[Alice, 400]}"),
            ("Bob", "{Score(s='None', i=0), +I[Bob, 100]}"),
            ("Bob", "{Score(s='None', i=0), +I[Bob, 12]}"),
            ("Bob", "{Score(s='None', i=1), +I[Bob, 99]}"),
        ],
    ),
    "PROCESS_STATE_TTL": _by_time(
        "StateTtl",
        [
            ("Alice", "{0, 0, 0}", at(0)),
            ("Alice", "{0, 1, 1}", at(4_500)),
            ("Bob", "{0, 0, 0}", at(0)),
            ("Bob", "{0, 2, 2}", at(4_000)),
            ("Bob", "{0, 3, 3}", at(6_000)),
            ("Bob", "{1, 1, 1}", at(1_000)),
        ],
    ),
    "PROCESS_LIST_STATE": _by_score(
        "ListState",
        [
            ("Alice", "{['Alice-0'], +I[Alice, 400]}"),
            ("Alice", "{[], +I[Alice, 42]}"),
            ("Bob", "{['Bob-0', 'Bob-1'], +I[Bob, 100]}"),
            ("Bob", "{['Bob-0'], +I[Bob, 99]}"),
            ("Bob", "{[], +I[Bob, 12]}"),
        ],
    ),
    "PROCESS_MAP_STATE": _by_score(
        "MapState",
        [
            ("Alice", "{{'Alice': 1, 'oldAlice': 42}, +I[Alice, 400]}"),
            ("Alice", "{{}, +I[Alice, 42]}"),
            ("Bob", "{{'Bob': 1, 'oldBob': 12}, +I[Bob, 99]}"),
            ("Bob", "{{}, +I[Bob, 100]}"),
            ("Bob", "{{}, +I[Bob, 12]}"),
        ],
    ),
    "PROCESS_DESCRIPTOR": _without_table(
        "SELECT * FROM Descriptors(columns => DESCRIPTOR(a, b))", "{['a', 'b'], null}"
    ),
    "PROCESS_TIME_CONVERSIONS": Program(
        "SELECT `out` FROM TimeConversions(r => TABLE(timed) PARTITION BY name, on_time => DESCRIPTOR(ts))"
        " WHERE name = 'Alice'",
        _CONVERTED,
        stream_query="SELECT `out` FROM TimeConversions(r => TABLE(timed) PARTITION BY name ORDER BY ts,"
        " on_time => DESCRIPTOR(ts)) WHERE name = 'Alice'",
    ),
    "PROCESS_TIME_CONVERSIONS_TABLE_API": Program(
        lambda env: (
            env.from_path("timed")
            .filter(col("name") == "Alice")
            .partition_by(col("name"))
            .process("TimeConversions", descriptor("ts").as_argument("on_time"))
            .select(col("out"))
        ),
        _CONVERTED,
        stream_query=lambda env: (
            env.from_path("timed")
            .filter(col("name") == "Alice")
            .partition_by(col("name"))
            .order_by(col("ts"))
            .process("TimeConversions", descriptor("ts").as_argument("on_time"))
            .select(col("out"))
        ),
    ),
    "PROCESS_REGULAR_TIMESTAMP": Program(
        lambda env: (
            env.sql_query("SELECT name, ts AS c FROM timed WHERE score = 2")
            .partition_by(col("name"))
            .process(f.ChainedTime, on_time=descriptor("c"))
        ),
        [("Bob", "count", 1, at(1_002))],
    ),
    "PROCESS_NAMED_TIMERS": _by_time(
        "NamedTimers",
        [
            ("Alice", "{registered}", at(0)),
            ("Alice", "{timeout1, 1000}", at(1_000)),
            ("Alice", "{timeout3, 3500}", at(3_500)),
            ("Alice", "{timeout4, 4000}", at(4_000)),
            ("Alice", "{timeout5, 5000}", at(5_000)),
            ("Bob", "{cleared}", at(4_000)),
            ("Bob", "{registered}", at(0)),
            ("Bob", "{timeout1, 1000}", at(1_000)),
            ("Bob", "{timeout3, 3500}", at(3_500)),
        ],
    ),
    "PROCESS_UNNAMED_TIMERS": _by_time(
        "UnnamedTimers",
        [
            ("Alice", "{null, 1000}", at(1_000)),
            ("Alice", "{null, 2000}", at(2_000)),
            ("Alice", "{null, 99000}", at(99_000)),
            ("Alice", "{row}", at(0)),
            ("Alice", "{row}", at(4_500)),
        ],
        end=" WHERE name = 'Alice'",
    ),
    # Over a table, no row is late. Over a stream, the watermark is that of the rows of the micro-batches before.
    "PROCESS_LATE_EVENTS": Program(
        "SELECT * FROM LateTimers(r => TABLE(late) PARTITION BY name, on_time => DESCRIPTOR(ts))",
        [
            ("Alice", "row 1 at 1, watermark 0", at(1)),
            *[("Alice", f"timer {timer} at 0, watermark {_END}", at(0)) for timer in ("t", None)],
            *[
                ("Bob", f"row {number} at {time}, watermark {time - 1}", at(time))
                for number, time in ((1, 0), (3, 3), (4, 4), (2, 99_999))
            ],
            *[
                ("Bob", f"timer {timer} at 0, watermark {watermark}", at(0))
                for timer in ("t", None)
                for watermark in (2, 3, 99_998, _END)
            ],
            ("Bob", f"timer late at 1, watermark {_END}", at(1)),
        ],
        stream_rows=[
            ("Alice", "row 1 at 1, watermark None", at(1)),
            ("Bob", "row 1 at 0, watermark None", at(0)),
            ("Bob", "row 2 at 99999, watermark None", at(99_999)),
            *[(name, f"timer {timer} at 0, watermark 1", at(0)) for name in ("Alice", "Bob") for timer in ("t", None)],
            ("Bob", "timer late at 1, watermark 1", at(1)),
            ("Bob", "row 3 at 3, watermark 1", at(3)),
            *[("Bob", f"timer {timer} at 0, watermark 99999", at(0)) for timer in ("t", None)],
        ],
    ),
    "PROCESS_SCALAR_ARGS_TIME": _without_table("SELECT * FROM ScalarArgsTime(i => 1)", "{1, null, null}"),
    "PROCESS_OPTIONAL_PARTITION_BY_TIME": Program(
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
        stream_query="SELECT * FROM WithoutPartitionsTime(r => TABLE(slow) ORDER BY ts, on_time => DESCRIPTOR(ts))",
    ),
    "PROCESS_OPTIONAL_ON_TIME": Program(
        "SELECT * FROM OptionalOnTime(r => TABLE(t) PARTITION BY name)",
        [
            ("Alice", "{Alice, null, null}"),
            ("Alice", "{t, 2}"),
            ("Bob", "{Bob, null, null}"),
            ("Bob", "{t, 2}"),
        ],
        # The time of the timer is past for later rows of a name, for which it fires again.
        stream_query="SELECT * FROM OptionalOnTime(r => TABLE(timed) PARTITION BY name)",
        stream_rows=[
            ("Alice", "{Alice, null, null}"),
            ("Alice", "{t, 2}"),
            *[("Bob", f"{{Bob, null, {watermark}}}") for watermark in ("null", "null", 1, 2, 3, 4)],
            *[("Bob", "{t, 2}")] * 4,
        ],
        refused_query="SELECT * FROM OptionalOnTime(r => TABLE(t) PARTITION BY name)",
        reason=_NO_WATERMARK,
    ),
    "PROCESS_POJO_STATE_TIME": _by_time(
        "PojoStateTime",
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
    "PROCESS_CHAINED_TIME": Program(_chain(""), _CHAINED, stream_query=_chain(" ORDER BY {}")),
    "PROCESS_CHAINED_TIME_TABLE_API": Program(
        _chain_in_python(ordered=False), _CHAINED, stream_query=_chain_in_python(ordered=True)
    ),
}

INVALID: dict[str, str] = {
    "PROCESS_INVALID_TABLE_AS_ROW_TIMERS": "SELECT * FROM TimersInRow(r => TABLE(t))",
    "PROCESS_INVALID_PASS_THROUGH_TIMERS": "SELECT * FROM TimersInPassThrough(r => TABLE(t) PARTITION BY name)",
    "PROCESS_INVALID_UPDATING_TIMERS": "SELECT * FROM TimersInUpdating(r => TABLE(updating) PARTITION BY name)",
}
"""The programs that fail when a function registers a timer."""
