"""The harness as a stream: micro-batches, late and waiting rows, restarts, state, and mistakes."""

from __future__ import annotations

import datetime as dt
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Annotated, Any, ClassVar

import pytest

from tableapi import EnvironmentSettings, Row, Table, TableEnvironment
from tableapi.exceptions import SparkExecutionException, ValidationException
from tableapi.expressions import col, descriptor, lit
from tableapi.process_functions import (
    ArgumentTrait,
    Context,
    ListView,
    MapView,
    OnTimerContext,
    ProcessTableFunction,
    State,
    StateHint,
    TableAsRow,
    TableAsSet,
)
from tableapi.testing import LateRow, ProcessTableFunctionHarness, ProcessTableFunctionTestHarness, TimerRecord
from tests.process_functions.running.flink_programs import COLUMNS, ROWS
from tests.process_functions.running.functions import LateTimers

START = dt.datetime(2026, 1, 1, 9)
EVENTS = {"k": "STRING", "ts": "TIMESTAMP", "v": "BIGINT"}


def at(seconds: float) -> dt.datetime:
    return START + dt.timedelta(seconds=seconds)


@pytest.fixture
def env() -> TableEnvironment:
    settings = EnvironmentSettings.new_instance().with_built_in_catalog_name("memory").build()
    return TableEnvironment.create(settings)


def events(env: TableEnvironment) -> Any:
    return env.declare("events", EVENTS).partition_by(col("k"))


@dataclass
class Part:
    name: str
    size: int


@dataclass
class Memory:
    count: int = 0
    last: Part | None = None
    parts: list[Part] = field(default_factory=list)


class Remembering(ProcessTableFunction):
    """Count in the state, in the instance, and in the class."""

    of_class = 0
    shared: ClassVar[list[int]] = []

    def __init__(self) -> None:
        self.of_instance = 0
        self.log: list[str] = []

    def open(self, function_context: Any) -> None:
        self.log.append("open")

    def close(self) -> None:
        self.log.append("close")

    def eval(
        self,
        ctx: Context,
        memory: State[Memory],
        seen: ListView[Part],
        sizes: MapView[str, int],
        event: TableAsSet[Row],
    ) -> Iterator[tuple[int, int, int, int]]:
        memory.count += 1
        self.of_instance += 1
        type(self).of_class += 1
        self.shared.append(1)
        part = Part(f"p{event.v}", event.v)
        memory.last = part
        memory.parts.append(part)
        seen.add(part)
        sizes[part.name] = part.size
        if event.v == 13:
            raise RuntimeError("thirteen")
        ctx.timers().register_on_time("check", event.ts + dt.timedelta(seconds=10))
        yield memory.count, self.of_instance, type(self).of_class, len(self.shared)

    def on_timer(
        self, ctx: OnTimerContext, memory: Memory, seen: ListView[Part]
    ) -> Iterator[tuple[int, int, int, int]]:
        assert all(type(part) is Part for part in [memory.last, *memory.parts, *seen])
        yield -memory.count, 0, 0, 0


def remembering(env: TableEnvironment, **options: Any) -> ProcessTableFunctionHarness:
    Remembering.of_class = 0
    Remembering.shared.clear()
    return ProcessTableFunctionHarness(events(env).process(Remembering(), on_time=descriptor("ts")), **options)


# --- restarts and state ----------------------------------------------------------------------------------------------


def test_a_restart_keeps_state_and_timers_only(env: TableEnvironment) -> None:
    harness = remembering(env)
    harness.process_element("a", at(0), 1)
    harness.process_element("a", at(1), 2)
    first = harness.function
    harness.restart()
    assert harness.function is not first
    assert first.log == ["open"]
    harness.process_element("a", at(2), 3)
    harness.set_watermark(at(12))
    assert [tuple(row)[1:5] for row in harness.get_output()] == [
        (1, 1, 1, 1),
        (2, 2, 2, 2),
        (3, 1, 1, 1),
        (-3, 0, 0, 0),
    ]
    assert harness.function.log == ["open"]


def test_restarts_before_each_step(env: TableEnvironment) -> None:
    harness = remembering(env, restarts=True)
    harness.process_batch([("a", at(0), 1), ("a", at(1), 2)])
    harness.process_element("a", at(2), 3)
    assert [tuple(row)[1:5] for row in harness.get_output()] == [(1, 1, 1, 1), (2, 2, 2, 2), (3, 1, 1, 1)]


def test_state_is_read_and_set_as_plain_values(env: TableEnvironment) -> None:
    harness = remembering(env)
    harness.process_element("a", at(0), 1)
    assert harness.get_state_for_key("memory", "a") == {
        "count": 1,
        "last": {"name": "p1", "size": 1},
        "parts": [{"name": "p1", "size": 1}],
    }
    assert harness.get_state_for_key("seen", ("a",)) == [{"name": "p1", "size": 1}]
    assert harness.get_state_for_all_keys("sizes") == {("a",): {"p1": 1}}
    harness.set_state_for_key("memory", "b", {"count": 40, "parts": []})
    harness.set_state_for_key("seen", "b", [("x", 5), Part("y", 6)])
    harness.set_state_for_key("sizes", "b", {"z": 7})
    harness.restart()
    assert harness.get_state("memory", "b") == Memory(40)
    assert harness.get_state("seen", "b").get() == [Part("x", 5), Part("y", 6)]
    assert harness.get_state_for_key("sizes", "b") == {"z": 7}
    harness.process_element("b", at(0), 2)
    assert [row[1] for row in harness.get_output()] == [1, 41]
    assert harness.get_keys() == [("a",), ("b",)]
    with pytest.raises(ValidationException, match=r"The value \{'cuont': 1\} is none of the state 'memory'"):
        harness.set_state_for_key("memory", "b", {"cuont": 1})
    with pytest.raises(ValidationException, match=r"has 2 values, but PARTITION BY has k"):
        harness.set_state_for_key("memory", ("b", 1), {"count": 1})


class Shares(ProcessTableFunction):
    """Keep one object in two states, and change it by one of them."""

    def eval(self, first: State[Memory], second: State[Memory], event: TableAsSet[Row]) -> Iterator[int]:
        if first.last is None:
            first.last = second.last = Part("both", 0)
        assert first.last is not None
        first.last.size += 1
        assert second.last is not None
        yield second.last.size


def test_objects_are_loaded_anew_after_each_step_of_a_stream(env: TableEnvironment) -> None:
    harness = ProcessTableFunctionHarness(events(env).process(Shares))
    harness.process_batch([("a", at(0), 1), ("a", at(0), 1)])
    harness.process_element("a", at(0), 1)
    assert [row[1] for row in harness.get_output()] == [1, 2, 2]


def test_a_value_that_is_not_of_the_type_of_its_state_is_named_with_the_key(env: TableEnvironment) -> None:
    class Wrong(ProcessTableFunction):
        def eval(self, memory: State[Memory], event: TableAsSet[Row]) -> Iterator[int]:
            memory.count = event.k
            yield 1

    harness = ProcessTableFunctionHarness(events(env).process(Wrong))
    with pytest.raises(
        SparkExecutionException, match=r"failed on \(partition=\('a',\)\).*the state 'memory' is Memory"
    ):
        harness.process_element("a", at(0), 1)
    assert harness.get_output() == []
    assert harness.get_keys() == []


def test_a_failed_step_changes_nothing(env: TableEnvironment) -> None:
    harness = remembering(env)
    harness.process_batch([("a", at(0), 1)], watermark=at(0))
    with pytest.raises(SparkExecutionException, match="RuntimeError: thirteen") as raised:
        harness.process_batch([("a", at(1), 2), ("b", at(1), 3), ("a", at(0), 4), ("a", at(2), 13)], watermark=at(11))
    assert isinstance(raised.value.__cause__, RuntimeError)
    assert str(raised.value).startswith(
        f"The function Remembering.eval failed on (event=Row(k='a', ts={at(2)!r}, v=13)): "
    )
    assert [row[1] for row in harness.get_output()] == [1]
    assert harness.get_keys() == [("a",)]
    assert harness.get_late_rows() == []
    assert harness.get_fired_timers() == []
    assert harness.get_pending_timers() == [TimerRecord("check", at(10), ("a",))]
    harness.process_batch([("a", at(1), 2), ("b", at(1), 3), ("a", at(2), 4)], watermark=at(10.5))
    assert [row[1] for row in harness.get_output()] == [1, 2, 1, 3]
    harness.set_watermark(at(11))
    assert [row[1] for row in harness.get_output()] == [1, 2, 1, 3, -1]


def test_an_instance_that_cannot_be_copied_cannot_restart(env: TableEnvironment) -> None:
    function = Remembering()
    function.lock = threading.Lock()  # type: ignore[attr-defined]
    harness = ProcessTableFunctionHarness(events(env).process(function, on_time=descriptor("ts")))
    harness.process_element("a", at(0), 1)
    with pytest.raises(ValidationException, match=r"cannot be copied for a restart: .*lock.*open\(\)"):
        harness.restart()


class Expires(ProcessTableFunction):
    """Count within ten seconds."""

    def eval(
        self,
        memory: Annotated[Memory, StateHint(ttl=dt.timedelta(seconds=10))],
        seen: Annotated[ListView[int], StateHint(ttl=dt.timedelta(seconds=10))],
        event: TableAsSet[Row],
    ) -> Iterator[tuple[int, int]]:
        memory.count += 1
        seen.add(event.v)
        yield memory.count, len(seen)


def test_state_of_a_stream_expires_when_the_watermark_has_passed_its_time_to_live(env: TableEnvironment) -> None:
    harness = ProcessTableFunctionHarness(events(env).process(Expires, on_time=descriptor("ts")))
    harness.process_batch([("a", at(0), 1)], watermark=at(9))
    # The row is eleven seconds later, but a row of the fifth second may still come.
    harness.process_element("a", at(11), 2)
    assert [tuple(row)[1:3] for row in harness.get_output()] == [(1, 1), (2, 2)]
    harness.set_watermark(at(20))
    harness.process_element("a", at(21), 3)
    harness.set_watermark(at(40))
    harness.process_element("a", at(41), 4)
    assert [tuple(row)[1:3] for row in harness.get_output()[2:]] == [(3, 2), (1, 1)]


# --- time ------------------------------------------------------------------------------------------------------------


class Told(ProcessTableFunction):
    """Tell of rows, timers and watermarks in seconds."""

    def eval(self, ctx: Context, event: TableAsSet[Row]) -> Iterator[str]:
        timers = ctx.timers()
        timers.register_on_time("t", event.ts + dt.timedelta(seconds=1))
        yield f"{event.v} at {seconds(timers.current_watermark())}"

    def on_timer(self, ctx: OnTimerContext) -> Iterator[str]:
        timers = ctx.timers()
        yield f"timer {seconds(timers.current_time())} at {seconds(timers.current_watermark())}"


def seconds(time: dt.datetime | None) -> float | None:
    return None if time is None else (time - START).total_seconds()


def told(harness: ProcessTableFunctionHarness) -> list[str]:
    found = [row[-2] for row in harness.get_output()]
    harness.clear_output()
    return found


def test_rows_of_a_micro_batch_come_before_its_timers_and_late_rows_are_dropped(env: TableEnvironment) -> None:
    harness = ProcessTableFunctionHarness(events(env).process(Told, on_time=descriptor("ts")))
    # The timer of the first row is due before the second row, but the watermark has not passed it.
    harness.process_batch([("a", at(5), 2), ("a", at(0), 1)], watermark=at(3))
    assert told(harness) == ["1 at None", "2 at None"]
    harness.process_batch([("b", at(3), 3), ("b", at(3.0005), 4), ("a", at(1), 5)], watermark=at(6))
    assert told(harness) == ["4 at 3.0", "timer 6.0 at 6.0", "timer 4.0005 at 6.0"]
    assert [late.row.v for late in harness.get_late_rows()] == [5, 3]
    assert harness.get_late_rows()[0] == LateRow("event", Row(k="a", ts=at(1), v=5))


def test_rows_with_order_wait_for_the_watermark(env: TableEnvironment) -> None:
    query = events(env).order_by(col("ts"), col("v").desc).process(Told, on_time=descriptor("ts"))
    harness = ProcessTableFunctionHarness(query)
    harness.process_batch([("a", at(5), 2), ("a", at(0), 1)])
    harness.process_element("a", at(5), 3)
    assert told(harness) == []
    assert [row.v for row in harness.get_waiting_rows()] == [1, 2, 3]
    harness.set_watermark(at(4))
    assert told(harness) == ["1 at -0.001", "timer 1.0 at 3.999"]
    harness.restart()
    harness.finish()
    assert told(harness)[:2] == ["3 at 4.999", "2 at 4.999"]
    assert harness.get_waiting_rows() == []


class SameTime(ProcessTableFunction):
    """Register timers for one time."""

    def eval(self, ctx: Context, event: TableAsSet[Row]) -> None:
        timers = ctx.timers()
        for name in ("a", "b", "c", "a"):
            timers.register_on_time(name, at(9))
        timers.register_on_time(at(9))
        timers.register_on_time("early", at(8))
        timers.register_on_periodic_time("often", at(8.5), dt.timedelta(milliseconds=400))

    def on_timer(self, ctx: OnTimerContext) -> Iterator[str]:
        yield str(ctx.current_timer())


def test_timers_of_one_time_fire_in_the_order_of_their_registration(env: TableEnvironment) -> None:
    harness = ProcessTableFunctionHarness(events(env).process(SameTime, on_time=descriptor("ts")), restarts=True)
    harness.process_element("k", at(0), 1)
    harness.set_watermark(at(9))
    fired = ["early", "often", "often", "b", "c", "a", None]
    assert [timer.name for timer in harness.get_fired_timers()] == fired
    assert told(harness) == [str(name) for name in fired]
    assert harness.get_pending_timers() == [TimerRecord("often", at(9.3), ("k",))]


class Both(ProcessTableFunction):
    """Wait a second for the other side."""

    def eval(self, ctx: Context, left: TableAsSet[Row] | None, right: TableAsSet[Row] | None) -> Iterator[str]:
        time = ctx.timers().current_time()
        assert time is not None
        ctx.timers().register_on_time("t", time + dt.timedelta(seconds=1))
        yield "left" if left is not None else "right"

    def on_timer(self) -> Iterator[str]:
        yield "timer"


def test_the_watermark_of_a_call_is_the_least_of_its_tables(env: TableEnvironment) -> None:
    left = env.declare("l", EVENTS).partition_by(col("k"))
    right = env.declare("r", EVENTS).partition_by(col("k"))
    harness = ProcessTableFunctionHarness(env.from_call(Both, left, right, on_time=descriptor("ts")))
    harness.process_batch({"left": [("a", at(0), 1)]})
    harness.set_watermark_for_table("left", at(10))
    assert harness.get_fired_timers() == []
    # A row of the other table is not late: its watermark has not passed.
    harness.process_element_for_table("right", "b", at(1), 1)
    harness.set_watermark_for_table("right", at(1.5))
    assert [record.partition for record in harness.get_fired_timers()] == [("a",)]
    harness.set_watermark_for_table("right", at(2))
    assert [record.partition for record in harness.get_fired_timers()] == [("a",), ("b",)]
    harness.clear_fired_timers()
    assert harness.get_fired_timers() == []
    with pytest.raises(ValidationException, match="cannot go back to"):
        harness.set_watermark_for_table("left", at(9))
    with pytest.raises(ValidationException, match=r"no table 'lft', but \[left, right\]. Did you mean 'left'"):
        harness.set_watermark_for_table("lft", at(20))
    assert [row[2] for row in harness.get_output()] == ["left", "right", "timer", "timer"]


class WithoutTime(ProcessTableFunction):
    """Register a timer although rows have no time."""

    def eval(self, ctx: Context, event: TableAsSet[Row]) -> Iterator[str]:
        timers = ctx.timers()
        timers.register_on_time("t", at(5))
        yield f"{timers.current_time()} {seconds(timers.current_watermark())}"

    def on_timer(self, ctx: OnTimerContext) -> Iterator[str]:
        yield f"timer {seconds(ctx.timers().current_time())}"


def test_timers_follow_the_watermark_without_on_time(env: TableEnvironment) -> None:
    harness = ProcessTableFunctionHarness(events(env).process(WithoutTime))
    harness.process_batch([("a", at(0), 1)], watermark=at(4))
    harness.process_batch([("a", at(0), 1)], watermark=at(5))
    assert [tuple(row) for row in harness.get_output()] == [("a", "None None"), ("a", "None 4.0"), ("a", "timer 5.0")]


class Ends(ProcessTableFunction):
    """Emit at the end alone."""

    def eval(
        self, memory: State[Memory], event: Annotated[TableAsSet[Row], ArgumentTrait.OPTIONAL_PARTITION_BY]
    ) -> None:
        memory.count += 1

    def finish(self, memory: Memory) -> Iterator[int]:
        yield memory.count


def test_the_end_comes_with_finish_alone_and_finds_the_only_partition_without_rows(env: TableEnvironment) -> None:
    table = env.declare("events", EVENTS)
    with ProcessTableFunctionHarness(table.process(Ends, on_time=descriptor("ts"))) as harness:
        harness.set_watermark(at(100))
        assert harness.get_output() == []
        harness.finish()
        assert harness.get_output() == [(0, None)]
        with pytest.raises(ValidationException, match="has ended"):
            harness.set_watermark(at(101))
    with ProcessTableFunctionHarness(table.partition_by(col("k")).process(Ends)) as harness:
        harness.finish()
        assert harness.get_output() == []


def test_rows_of_row_semantics_are_never_late(env: TableEnvironment) -> None:
    class Loud(ProcessTableFunction):
        def eval(self, ctx: Context, event: TableAsRow[Row], by: int) -> Iterator[str]:
            yield f"{event.k * by} {ctx.timers().current_watermark()}"

    query = env.declare("events", EVENTS).process(Loud, 2)
    harness = ProcessTableFunctionHarness(query)
    harness.process_batch([("a", at(1), 1)], watermark=at(9))
    harness.process_element("b", at(1), 1)
    assert [row[0] for row in harness.get_output()] == ["aa None", f"bb {at(9)}"]


def test_a_row_without_a_time_fails_with_the_row(env: TableEnvironment) -> None:
    harness = ProcessTableFunctionHarness(events(env).process(Told, on_time=descriptor("ts")))
    with pytest.raises(SparkExecutionException, match=r"event=Row\(k='a', ts=None, v=1\).*that on_time names, is NULL"):
        harness.process_element("a", None, 1)


# --- calls -----------------------------------------------------------------------------------------------------------


def test_the_call_may_be_anywhere_in_a_query(env: TableEnvironment) -> None:
    query = (
        events(env)
        .process(Told, on_time=descriptor("ts"), uid="one")
        .partition_by(col("k"))
        .process(Ends, uid="two")
        .filter(col("k") == "a")
    )
    with pytest.raises(ValidationException, match=r"has several calls. Choose one by uid=: \[one, two\]"):
        ProcessTableFunctionHarness(query)
    with pytest.raises(ValidationException, match=r"No call has the uid 'on', but \[one, two\]. Did you mean 'one'"):
        ProcessTableFunctionHarness(query, uid="on")
    harness = ProcessTableFunctionHarness(query, uid="two")
    harness.process_element("a", "told", at(1))
    harness.finish()
    assert harness.get_output() == [("a", 1)]
    with pytest.raises(ValidationException, match="no call of a process table function"):
        ProcessTableFunctionHarness(env.declare("others", EVENTS))


class Numbers(ProcessTableFunction):
    """Emit numbers."""

    def eval(self, first: int, more: list[int], wait: dt.timedelta) -> Iterator[int]:
        yield from [first, *more, int(wait.total_seconds())]


def test_constants_are_computed_as_far_as_no_engine_is_needed(env: TableEnvironment) -> None:
    harness = ProcessTableFunctionHarness(env.from_call(Numbers, lit(3) + 4, lit([1, 2]), lit(90).seconds))
    harness.process()
    assert [row[0] for row in harness.get_output()] == [7, 1, 2, 90]
    with pytest.raises(ValidationException, match=r"no tables. Call it with process\(\)"):
        harness.process_batch([(1,)])
    with pytest.raises(ValidationException, match=r"the argument 'more' is .*, which only Spark evaluates"):
        ProcessTableFunctionHarness(env.from_call(Numbers, 1, lit([3, 1]).array_sort(), dt.timedelta(0)))


Wrong = Callable[[TableEnvironment], Any]


def _computed(env: TableEnvironment) -> Table:
    return env.declare("events", EVENTS).partition_by(col("k").upper_case).process(Ends)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (
            lambda env: ProcessTableFunctionHarness(events(env).process(Ends), mode="bach"),
            "modes .* Did you mean 'batch'",
        ),
        (
            lambda env: ProcessTableFunctionHarness(events(env).order_by(col("v")).process(Ends)),
            r"has ORDER BY and no on_time.*mode='batch'",
        ),
        (lambda env: ProcessTableFunctionHarness(_computed(env)), r"has the key UPPER\(k\), which Spark would compute"),
        (
            lambda env: ProcessTableFunctionHarness(events(env).process(Ends), mode="batch", restarts=True),
            "starts anew",
        ),
        (lambda env: ProcessTableFunctionHarness(events(env).process(Ends), mode="batch").restart(), "starts anew"),
        (lambda env: ProcessTableFunctionHarness(events(env).process(Ends)).process(), r"has the tables event"),
        (
            lambda env: ProcessTableFunctionTestHarness.of_class(Ends).with_partition_by("events", "k"),
            "No table argument 'events' was declared",
        ),
    ],
)
def test_mistakes_are_refused(env: TableEnvironment, wrong: Wrong, message: str) -> None:
    with pytest.raises(ValidationException, match=f"(?i){message}"):
        wrong(env)


def test_the_builder_has_the_names_of_flink() -> None:
    builder = ProcessTableFunctionTestHarness.of_class(Told)
    builder.with_table_argument("event", EVENTS, order_by=["ts", col("v").desc]).with_partition_by("event", "k")
    harness = builder.with_on_time_column("ts").build(restarts=True)
    assert isinstance(harness, ProcessTableFunctionHarness)
    harness.process_elements([("a", at(0), 1), ("a", at(0), 2)])
    harness.set_watermark(at(0))
    assert [row[1] for row in harness.get_output()] == ["2 at -0.001", "1 at -0.001"]


# --- a program of Flink -----------------------------------------------------------------------------------------------


def late_timers(env: TableEnvironment) -> ProcessTableFunctionHarness:
    t = env.declare("t", COLUMNS["late"]).partition_by(col("name"))
    return ProcessTableFunctionHarness(t.process(LateTimers, on_time=descriptor("ts")))


def test_process_late_events_row_by_row(env: TableEnvironment) -> None:
    """PROCESS_LATE_EVENTS of Flink, which has a watermark a millisecond behind the latest row, after each row."""
    harness, seen = late_timers(env), list[dt.datetime]()
    for event in ROWS["late"]:
        seen.append(event[2])
        harness.process_batch([event], watermark=max(seen) - dt.timedelta(milliseconds=1))
    assert [(row[0], row[1]) for row in harness.get_output()] == [
        ("Bob", "row 1 at 0, watermark None"),
        ("Alice", "row 1 at 1, watermark -1"),
        ("Bob", "timer t at 0, watermark 0"),
        ("Bob", "timer None at 0, watermark 0"),
        ("Alice", "timer t at 0, watermark 0"),
        ("Alice", "timer None at 0, watermark 0"),
        ("Bob", "row 2 at 99999, watermark 0"),
        # Flink drops a timer for the past; here it fires with the next watermark.
        ("Bob", "timer t at 0, watermark 99998"),
        ("Bob", "timer None at 0, watermark 99998"),
        ("Bob", "timer late at 1, watermark 99998"),
    ]
    assert [row.row.score for row in harness.get_late_rows()] == [3, 4]


def test_process_late_events_in_one_micro_batch(env: TableEnvironment) -> None:
    """Without a watermark between them, no row is late, and the rows come in the order of time."""
    harness = late_timers(env)
    harness.process_batch(ROWS["late"], watermark=99_998)
    rows = [(row[0], row[1]) for row in harness.get_output()]
    assert [text for name, text in rows if name == "Bob"] == [
        *[f"row {score} at {time}, watermark None" for score, time in ((1, 0), (3, 3), (4, 4), (2, 99_999))],
        # A timer with a name is registered anew by each row, one without stays as it is.
        "timer None at 0, watermark 99998",
        "timer t at 0, watermark 99998",
        "timer late at 1, watermark 99998",
    ]
    assert harness.get_late_rows() == []
