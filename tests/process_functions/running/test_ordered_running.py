"""Calls with ORDER BY over random micro-batches: equal to the runtime of tables, and to the model of the harness."""

from __future__ import annotations

import datetime as dt
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from examples.process_functions.alerts import Unpaid
from examples.process_functions.funnel import Funnel
from examples.process_functions.gaps import FillGaps
from examples.process_functions.proposal import CountWithTimeout, TimedLastValue
from examples.process_functions.sessions import Sessions
from ir.operations.process import ProcessTable
from tableapi import EnvironmentSettings, Row, Table, TableEnvironment
from tableapi.expressions import array, col, descriptor, lit
from tableapi.process_functions import Context, OnTimerContext, ProcessTableFunction, State, TableAsSet
from tableapi.spark.planner.process import process_calls
from tableapi.spark.runtime.failures import FunctionFailed
from tableapi.testing import ProcessTableFunctionHarness
from tests.cases import fewer
from tests.process_functions.batch_runtime import run_over_table
from tests.process_functions.stream_runtime import CalledStream

MANY = int(os.environ.get("TABLEAPI_EXAMPLES") or fewer(40))
START = dt.datetime(2024, 5, 1)
UTC = dt.timezone.utc
SECOND = dt.timedelta(seconds=1)
MILLISECOND = dt.timedelta(milliseconds=1)
COMMANDS = ("none", "named", "other", "unnamed", "beat", "past", "delete", "clear timers", "clear all")
COLUMNS = {
    "k": "STRING",
    "ts": "TIMESTAMP",
    "at": "TIMESTAMP_LTZ",
    "command": "STRING NOT NULL",
    "kind": "STRING NOT NULL",
    "action": "STRING NOT NULL",
    "number": "INT NOT NULL",
    "share": "DOUBLE",
    "amount": "DOUBLE",
    "value": "STRING NOT NULL",
}
Line = tuple[Any, ...]
Batch = tuple[list[Line], dt.datetime | None]


@dataclass
class Log:
    """A state that remembers the order of rows and timers."""

    count: int = 0
    seen: list[str] = field(default_factory=list)


def obey(ctx: Any, row: Any) -> None:
    """Do with the timers what a row says; times have microseconds."""
    timers = ctx.timers()
    at = timers.current_time() + row.number * dt.timedelta(microseconds=333_500)
    match row.command:
        case "named" | "other":
            timers.register_on_time(row.command, at)
        case "unnamed":
            timers.register_on_time(at)
        case "beat":
            timers.register_on_periodic_time("beat", at, 7 * SECOND)
        case "past":
            timers.register_on_time("past", at - 20 * SECOND)
        case "delete":
            timers.delete_timer("named")
            timers.delete_timer("beat")
        case "clear timers":
            ctx.clear_all_timers()
        case "clear all":
            ctx.clear_all()
        case "watermark":
            timers.register_on_watermark()
        case "every watermark":
            timers.register_on_periodic_watermark()


class Obeys(ProcessTableFunction):
    """Obey each row, and tell of the order in which rows and timers came."""

    def eval(self, ctx: Context, log: State[Log], row: TableAsSet[Row]) -> Iterator[str]:
        timers = ctx.timers()
        log.count += 1
        log.seen = [*log.seen[-3:], f"{row.command} {row.share}"]
        yield f"row {row.command} {row.number} {row.share} {timers.current_watermark()} {log}"
        obey(ctx, row)

    def on_timer(self, ctx: OnTimerContext, log: Log) -> Iterator[str]:
        timers = ctx.timers()
        yield f"timer {ctx.current_timer()} {timers.current_time()} {log}"
        log.seen = [*log.seen[-3:], str(ctx.current_timer())]
        if ctx.current_timer() == "other":
            timers.register_on_time("after", timers.current_time() + 2 * SECOND)


class TellsWatermarks(Obeys):
    """Tell of the watermarks in timers, too, which are those of micro-batches."""

    def on_timer(self, ctx: OnTimerContext, log: Log) -> Iterator[str]:
        timers = ctx.timers()
        yield f"at {timers.current_watermark()} before {timers.following_watermark()}"
        yield from super().on_timer(ctx, log)


@pytest.fixture(scope="module")
def env() -> TableEnvironment:
    made = TableEnvironment.create(EnvironmentSettings.new_instance().with_built_in_catalog_name("memory").build())
    made.declare("events", COLUMNS)
    made.declare("typed", {"k": "STRING", "at": "TIMESTAMP_LTZ", **{name: known for name, (known, _) in TYPES.items()}})
    made.declare("readings", {**COLUMNS, "value": "DOUBLE"})
    return made


def call_of(build: Callable[[Table], Table], table: Table) -> tuple[Table, ProcessTable]:
    query = build(table)
    (call,) = process_calls(query.query_operation)
    return query, call


def both(env: TableEnvironment, name: str, table: str) -> tuple[ProcessTable, ProcessTable]:
    """Return a call over a table and over a stream."""
    stream = env.from_path(table, stream=True).watermark(col("at"), lit(5).seconds)
    return call_of(CALLS[name], env.from_path(table))[1], call_of(CALLS[name], stream)[1]


def _obeys(events: Table, function: Any = Obeys) -> Table:
    ordered = events.partition_by(col("k")).order_by(col("at"), col("share").desc.nulls_last, col("command"))
    return ordered.process(function, on_time=descriptor("at"))


def _gallery(function: Any, *arguments: Any) -> Callable[[Table], Table]:
    return lambda events: (
        events.partition_by(col("k"))
        .order_by(col("at"), col("number"), col("value"))
        .process(function, *arguments, on_time=descriptor("at"))
    )


CALLS: dict[str, Callable[[Table], Table]] = {
    "obeys": _obeys,
    "sessions": _gallery(Sessions),
    "alerts": _gallery(Unpaid),
    "gaps": _gallery(FillGaps),
    "funnel": _gallery(Funnel, array("visit", "basket", "pay")),
    "count with timeout": _gallery(CountWithTimeout),
    "timed last value": _gallery(TimedLastValue),
}


@st.composite
def streams(draw: Any, commands: tuple[str, ...] = COMMANDS) -> list[Batch]:
    """Return micro-batches of rows in any order with the watermark after each, None before the first one."""
    times = st.builds(
        # Some times share a second, a millisecond or a microsecond.
        lambda seconds, rest: START + dt.timedelta(seconds=seconds, microseconds=rest),
        st.integers(0, 9) | st.sampled_from([20, 21, 45]),
        st.sampled_from([0, 0, 1, 500, 999, 1_000, 1_001, 333_500]),
    )
    drawn = draw(
        st.lists(
            st.tuples(
                st.sampled_from([None, "ada", "bob"]),
                times,
                st.sampled_from(commands),
                st.sampled_from(["view", "placed", "paid", "purchase"]),
                st.sampled_from(["visit", "basket", "pay"]),
                st.integers(0, 9),
                st.sampled_from([None, 0.0, -0.0, 1.5, float("nan")]),
                st.sampled_from([None, 1.5]),
                st.sampled_from(["x", "y"]),
            ),
            max_size=25,
        )
    )
    rows = [(key, time, time.replace(tzinfo=UTC), *others) for key, time, *others in drawn]
    cuts = sorted(draw(st.lists(st.integers(0, len(rows)), max_size=6)))
    delay = draw(st.sampled_from([0, 1, 999, 1_500, 5_000, 60_000])) * MILLISECOND
    batches: list[Batch] = []
    watermark = None
    for start, stop in zip([0, *cuts], [*cuts, len(rows)], strict=True):
        batches.append((rows[start:stop], watermark))
        # Spark's watermark follows from the rows of the micro-batches before, in whole milliseconds.
        seen = [row[1] - delay for row in rows[start:stop]]
        reached = [time.replace(microsecond=time.microsecond // 1_000 * 1_000) for time in seen]
        watermark = max([*reached, *([] if watermark is None else [watermark])], default=None)
    return [*batches, ([], watermark)]


def kept_rows(batches: list[Batch]) -> list[Line]:
    """Return the rows that are not late."""
    found: list[Line] = []
    before = None
    for rows, watermark in batches:
        found += [row for row in rows if before is None or row[1] > before]
        before = watermark
    return found


LAST = START + dt.timedelta(seconds=90)


def _last(key: str | None) -> Line:
    """Return the last row of a partition, so that timers of a table fire between rows up to it."""
    return (key, LAST, LAST.replace(tzinfo=UTC), "last", "last", "last", 99, None, None, "last")


def by_partition(output: Any, last: bool = False) -> dict[Any, list[str]]:
    """Return output rows by their keys: the order of partitions is not defined, but that of the rows of each is."""
    found: dict[Any, list[str]] = {}
    for row in output:
        if last or row["rowtime"].replace(tzinfo=None) < LAST - MILLISECOND:
            found.setdefault(row[0], []).append(repr(row))
    return found


@pytest.mark.slow
@pytest.mark.parametrize("name", CALLS)
def test_a_stream_equals_the_table_of_the_rows_that_are_not_late(name: str, env: TableEnvironment) -> None:
    is_numeric = name == "gaps"
    over_table, over_stream = both(env, name, "readings" if is_numeric else "events")

    @settings(max_examples=MANY)
    @given(batches=streams(), size=st.integers(1, 5))
    def check(batches: list[Batch], size: int) -> None:
        ends = [_last(key) for key in (None, "ada", "bob")]
        batches = [*batches[:-1], (ends, batches[-1][1]), ([], LAST)]
        if is_numeric:
            batches = [([(*row[:-1], row[-2]) for row in rows], watermark) for rows, watermark in batches]
        stream = CalledStream(over_stream, size)
        output = [row for rows, watermark in batches for row in stream.process(rows, watermark)]
        kept = kept_rows(batches)
        assert stream.late == sum(len(rows) for rows, _ in batches) - len(kept)
        expected = run_over_table(over_table, [(0, row) for row in kept], 5)
        assert by_partition(output) == by_partition(expected)

    check()


@pytest.mark.parametrize("group", [1, 256])
def test_a_stream_equals_the_model(group: int, env: TableEnvironment, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tableapi.spark.runtime.process.ordered_running.MOST_KEYS", group)
    stream = env.from_path("events", stream=True).watermark(col("at"), lit(5).seconds)
    query, call = call_of(lambda events: _obeys(events, TellsWatermarks), stream)

    @settings(max_examples=MANY)
    @given(batches=streams((*COMMANDS, "watermark", "every watermark")), size=st.integers(1, 5))
    def check(batches: list[Batch], size: int) -> None:
        harness = ProcessTableFunctionHarness(query, restarts=True)
        runtime = CalledStream(call, size)
        for rows, watermark in batches:
            output = runtime.process(rows, watermark)
            harness.process_batch(rows, watermark=watermark)
            assert by_partition(output, last=True) == by_partition(harness.get_output(), last=True)
            harness.clear_output()
        assert runtime.late == len(harness.get_late_rows())
        if not any(harness.get_waiting_rows()) and not harness.get_pending_timers():
            # What is left are states alone.
            assert all(b"\n" not in stored for stored in runtime.memory.states.values())

    check()


# --- what waits ------------------------------------------------------------------------------------------------------


class Shows(ProcessTableFunction):
    """Pass on rows as text, with the argument of the call."""

    def eval(self, log: State[Log], row: TableAsSet[Row], more: int) -> Iterator[str]:
        log.count += more
        yield f"{log.count} {tuple(row)[2:]}"


TYPES = {
    "flag": ("BOOLEAN", True),
    "price": ("DECIMAL(20, 5)", Decimal("-1.50000")),
    "share": ("DOUBLE", 1e300),
    "name": ("STRING", "ä\n€"),
    "raw": ("BINARY", b"\x00\n\xff"),
    "day": ("DATE", dt.date(1, 1, 1)),
    "local": ("TIMESTAMP", dt.datetime(9999, 12, 31, 23, 59, 59, 999_999)),
    "wait": ("INTERVAL DAY TO SECOND", dt.timedelta(days=3, microseconds=5)),
    "list": ("ARRAY<ROW<a INT, b STRING>>", [(1, "x"), (None, None)]),
    "map": ("MAP<STRING, ARRAY<BIGINT>>", {"a": [1, None], "b": None}),
    "nested": ("ROW<a ROW<b DATE>>", ((dt.date(2024, 2, 29),),)),
}


def _shows(env: TableEnvironment, more: int = 10) -> ProcessTable:
    stream = env.from_path("typed", stream=True).watermark(col("at"), lit(5).seconds)
    ordered = stream.partition_by(col("k")).order_by(col("at"), col("share"), col("wait"), col("flag").desc)
    return call_of(lambda _: ordered.process(Shows, more, on_time=descriptor("at")), stream)[1]


def _at(second: float) -> dt.datetime:
    return (START + second * SECOND).replace(tzinfo=UTC)


def _typed(second: float, *, empty: bool = False) -> Line:
    return ("a", _at(second), *[None if empty else value for _, value in TYPES.values()])


def test_rows_of_all_types_wait(env: TableEnvironment) -> None:
    call = _shows(env)
    at_once, waits = CalledStream(call), CalledStream(call)
    rows = [_typed(2), _typed(1, empty=True)]
    expected = [*at_once.process(rows, None), *at_once.process([], START + 2 * SECOND)]
    assert waits.process(rows[:1], None) == waits.process(rows[1:], START) == []
    assert waits.process([], START + SECOND) == expected[:1]
    assert waits.process([], START + 2 * SECOND) == expected[1:]
    assert "None, None, None" in expected[0][1]
    for shown in ("Decimal('-1.50000')", r"'ä\n€'", r"b'\x00\n\xff'", "datetime.date(1, 1, 1)", "{'a': [1, None], 'b'"):
        assert shown in expected[1][1]


def test_a_row_has_the_arguments_with_which_it_came(env: TableEnvironment) -> None:
    stream = CalledStream(_shows(env, 1))
    stream.process([_typed(1), _typed(3)], None)
    changed = CalledStream(_shows(env, 100))
    changed.memory = stream.memory
    changed.process([_typed(2), _typed(4)], START)
    counts = [row[1].split()[0] for row in changed.process([], START + 3 * SECOND)]
    assert counts == ["1", "101", "102"]
    assert [row[1].split()[0] for row in changed.process([], START + 4 * SECOND)] == ["202"]


def _line(second: float, command: str, number: int = 0, key: str = "a") -> Line:
    time = START + second * SECOND
    return (key, time, time.replace(tzinfo=UTC), command, "view", "visit", number, None, None, "x")


def _words(output: list[Row]) -> list[str]:
    return [" ".join(row[1].split()[:2]) for row in output]


def test_spark_wakes_for_the_first_row_or_timer(env: TableEnvironment) -> None:
    stream = CalledStream(both(env, "obeys", "events")[1])

    def wake() -> float | None:
        found = [(dt.datetime(1970, 1, 1) + wake * MILLISECOND - START) / SECOND for _, wake in stream.memory.wakes]
        return found[0] if found else None

    # The number is a third of a second after the time of the row.
    assert stream.process([_line(8, "none"), _line(2.0001, "named", 9), _line(5, "none")], None) == []
    assert wake() == 2.001
    assert _words(stream.process([], START + 2.001 * SECOND)) == ["row named"]
    assert wake() == 5
    assert _words(stream.process([], START + 5 * SECOND)) == ["row none"]
    # The timer is at 5.0016 seconds; a row within the millisecond after the watermark may still come before it.
    assert wake() == 5.003
    assert _words(stream.process([], START + 5.002 * SECOND)) == []
    assert _words(stream.process([_line(5.0021, "none"), _line(5.002, "late")], START + 5.003 * SECOND)) == [
        "row none",
        "timer named",
    ]
    assert stream.late == 1
    assert wake() == 8
    assert _words(stream.process([], START + 60 * SECOND)) == ["row none"]
    assert wake() is None


def test_rows_within_the_millisecond_of_the_watermark(env: TableEnvironment) -> None:
    over_table, over_stream = both(env, "obeys", "events")
    # A timer in the past that waits for the next watermark, and a timer at 5.0015 seconds.
    rows = [_line(5, "past"), _line(5.0005, "none"), _line(2, "named", 9, "b"), _line(5.0021, "none", key="b")]
    expected = run_over_table(over_table, [(0, row) for row in [*rows, _last("a"), _last("b")]], 5)
    assert [words for words in _words(expected) if words != "row last"] == [
        "row past",
        "row none",
        "timer past",
        "row named",
        "row none",
        "timer named",
    ]
    stream = CalledStream(over_stream)
    output = stream.process([rows[0], rows[2]], START + 5 * SECOND)
    output += stream.process([rows[1]], START + 5.002 * SECOND)
    output += stream.process([rows[3]], LAST - SECOND)
    assert by_partition(output) == by_partition(expected)


def test_what_has_been_processed_does_not_wait_on(env: TableEnvironment) -> None:
    stream = CalledStream(both(env, "obeys", "events")[1])
    sizes = []
    for second in range(50):
        watermark = START + (second - 5) * SECOND
        stream.process([_line(second, "clear all")], watermark)
        sizes.append(sum(map(len, stream.memory.states.values())))
    assert max(sizes[20:]) <= max(sizes[:20])
    stream.process([], START + 100 * SECOND)
    assert stream.memory.states == {}


def test_a_change_of_the_columns_that_wait_is_reported(env: TableEnvironment) -> None:
    stream = CalledStream(both(env, "obeys", "events")[1])
    stream.process([_line(1, "none")], None)
    changed = CalledStream(both(env, "obeys", "readings")[1])
    changed.memory = stream.memory
    with pytest.raises(FunctionFailed, match=r"whose states have other types has stored the state") as raised:
        changed.process([], START + SECOND)
    assert "partition=('a',)" in str(raised.value)


class Fails(ProcessTableFunction):
    def eval(self, row: TableAsSet[Row]) -> Iterator[str]:
        if row.command == "bad":
            raise ValueError("a bad row")
        yield row.command


def test_failures_name_the_row_that_waited(env: TableEnvironment) -> None:
    stream = env.from_path("events", stream=True).watermark(col("at"), lit(5).seconds)
    call = call_of(lambda events: _obeys(events, Fails), stream)[1]
    started = CalledStream(call)
    started.process([_line(1, "good"), _line(2, "bad", key="b")], None)
    with pytest.raises(FunctionFailed, match="ValueError: a bad row") as raised:
        started.process([], START + 5 * SECOND)
    assert "partition=('b',)" in str(raised.value)
    assert "command='bad'" in str(raised.value)
    with pytest.raises(FunctionFailed, match="the time of a row, in the column that on_time names, is NULL"):
        CalledStream(call).process([("a", None, None, *_line(0, "good")[3:])], None)


@dataclass
class Command:
    word: str = ""


class FailsLater(ProcessTableFunction):
    def eval(self, ctx: Context, last: State[Command], row: TableAsSet[Row]) -> None:
        last.word = row.command
        ctx.timers(dt.datetime).register_on_time("later", row.at + 10 * SECOND)

    def on_timer(self, last: State[Command]) -> Iterator[str]:
        if last.word == "bad":
            raise ValueError("a bad timer")
        yield last.word


@pytest.mark.parametrize("is_ordered", [False, True])
def test_timers_of_several_partitions_fire_together_and_a_failure_names_its_own(
    is_ordered: bool, env: TableEnvironment
) -> None:
    keyed = env.from_path("events", stream=True).watermark(col("at"), lit(5).seconds).partition_by(col("k"))
    keyed = keyed.order_by(col("at")) if is_ordered else keyed
    (call,) = process_calls(keyed.process(FailsLater, on_time=descriptor("at")).query_operation)
    started = CalledStream(call, size=10)
    started.process([_line(1, "one", key="a"), _line(2, "two", key="b"), _line(3, "three", key="c")], None)
    assert started.process([], START + 5 * SECOND) == []
    assert [row[:2] for row in started.process([], START + 12.5 * SECOND)] == [("a", "one"), ("b", "two")]
    started.process([_line(20, "four", key="a"), _line(20, "bad", key="b")], START + 18 * SECOND)
    started.process([], START + 25 * SECOND)
    with pytest.raises(FunctionFailed, match="ValueError: a bad timer") as raised:
        started.process([], START + 40 * SECOND)
    assert "partition=('b',)" in str(raised.value)
