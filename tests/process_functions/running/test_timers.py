"""Timers of process table functions under a perfect watermark, over local data; times are seconds."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterator
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tableapi.spark.runtime.failures import FunctionFailed
from tableapi.spark.runtime.process.context import Instant
from tableapi.spark.runtime.process.declarations import ProcessTableFunction
from tableapi.spark.runtime.process.timers import TimerQueue
from tests.process_functions.running.tasks import CONTEXT, INPUT, batch_of, plan_of, run, split

TEXT = pa.string()
END = 253402300799.999


class Scripted(ProcessTableFunction):
    """Run a script: ``rows`` has the action for the value of each row, ``timers`` the action for each timer."""

    def __init__(self, rows: dict[int, Callable[[Any], None]], timers: dict[Any, Callable[[Any], None]]) -> None:
        self.rows = rows
        self.timers = timers

    def eval(self, ctx: Any, input: Any) -> Iterator[tuple[str]]:
        yield (f"row {input.v}, watermark {ctx.timers(int).current_watermark()}",)
        self.rows.get(input.v, lambda ctx: None)(ctx)

    def on_timer(self, ctx: Any) -> Iterator[tuple[str]]:
        timers = ctx.timers(int)
        yield (f"timer {ctx.current_timer()} at {timers.current_time()}, watermark {timers.current_watermark()}",)
        self.timers.get(ctx.current_timer(), lambda ctx: None)(ctx)


def run_script(
    rows: list[tuple[Any, ...]],
    of_rows: dict[int, Callable[[Any], None]],
    of_timers: dict[Any, Callable[[Any], None]] | None = None,
    **more: Any,
) -> list[tuple[Any, ...]]:
    """Return the output without the key, after checking that it is the same for all batch sizes."""
    plan = plan_of(Scripted(of_rows, of_timers or {}), [CONTEXT, INPUT], [("what", TEXT)], on_timer=(CONTEXT,), **more)
    found = [run(plan, *split(rows, size)) for size in (1, 2, 100)]
    assert found[0] == found[1] == found[2]
    return [row[1:] for row in found[0]]


def at(name_or_time: Any, time: Any = None) -> Callable[[Any], None]:
    return lambda ctx: ctx.timers(int).register_on_time(*([name_or_time] if time is None else [name_or_time, time]))


def test_a_timer_fires_between_rows_once_it_is_due() -> None:
    rows = [(1, 0, 1), (1, 1, 2), (1, 2, 3), (1, 4, 4), (2, 4, 5)]
    assert run_script(rows, {1: at("a", 2_000), 2: at(3_000)}) == [
        ("row 1, watermark -1", 0),
        ("row 2, watermark 999", 1),
        ("row 3, watermark 1999", 2),
        ("timer a at 2000, watermark 3999", 2),
        ("timer None at 3000, watermark 3999", 3),
        ("row 4, watermark 3999", 4),
        ("row 5, watermark 3999", 4),
    ]


def test_all_timers_fire_at_the_end_of_a_partition() -> None:
    assert (
        run_script([(1, 0, 1), (2, 0, 1)], {1: at("late", 60_000)})
        == [
            ("row 1, watermark -1", 0),
            ("timer late at 60000, watermark 253402300799999", 60),
        ]
        * 2
    )


def test_a_name_has_one_timer_and_a_time_has_one() -> None:
    rows = [(1, 0, 1), (1, 1, 2), (1, 2, 3), (1, 3, 3), (1, 9, 0)]
    assert [
        row[0] for row in run_script(rows, {1: at("a", 4_000), 2: at("a", 6_000), 3: at(7_000)}) if "timer" in row[0]
    ] == [
        "timer a at 6000, watermark 8999",
        "timer None at 7000, watermark 8999",
    ]
    earlier = run_script(rows, {1: at("a", 8_000), 2: at("a", 2_500)})
    assert earlier[3] == ("timer a at 2500, watermark 2999", 2.5)
    assert len(earlier) == 6


def test_a_timer_can_be_deleted() -> None:
    rows = [(1, 0, 1), (1, 1, 2), (1, 5, 0)]

    def register(ctx: Any) -> None:
        timers = ctx.timers(int)
        timers.register_on_time("a", 2_000)
        timers.register_on_time("b", 3_000)
        timers.register_on_time(4_000)
        timers.register_on_periodic_watermark()

    def delete(ctx: Any) -> None:
        timers = ctx.timers(int)
        timers.delete_timer("b")
        timers.delete_timer(4_000)
        timers.delete_timer("nothing")
        timers.delete_timer(1)
        timers.delete_timer("watermark")

    assert [row[0] for row in run_script(rows, {1: register, 2: delete}) if row[0].startswith("timer")] == [
        "timer watermark at 998, watermark -1",
        "timer a at 2000, watermark 4999",
    ]
    cleared = run_script(rows, {1: register, 2: lambda ctx: ctx.clear_all_timers()})
    assert [row[0] for row in cleared if row[0].startswith("timer")] == ["timer watermark at 998, watermark -1"]


def test_a_timer_in_the_past_fires_with_the_next_watermark() -> None:
    rows = [(1, 10, 1), (1, 10, 2), (1, 10.0005, 3), (1, 10.001, 4)]
    assert run_script(rows, {1: at("a", 5_000)}) == [
        ("row 1, watermark 9999", 10),
        ("row 2, watermark 9999", 10),
        ("row 3, watermark 9999", 10.0005),
        ("timer a at 5000, watermark 10000", 5),
        ("row 4, watermark 10000", 10.001),
    ]


def test_a_watermark_is_in_whole_milliseconds() -> None:
    rows = [(1, 1, 1), (1, 2.0005, 2), (1, 2.001, 3), (1, 2.0015, 4)]
    assert run_script(rows, {1: at("a", 2_000), 2: at("b", 2_000)}) == [
        ("row 1, watermark 999", 1),
        ("row 2, watermark 1999", 2.0005),
        ("timer a at 2000, watermark 2000", 2),
        ("timer b at 2000, watermark 2000", 2),
        ("row 3, watermark 2000", 2.001),
        ("row 4, watermark 2000", 2.0015),
    ]


def test_a_periodic_timer() -> None:
    def register(ctx: Any) -> None:
        ctx.timers(int).register_on_periodic_time("tick", 2_000, dt.timedelta(seconds=3))

    rows = [(1, 0, 1), (1, 1, 0), (1, 9, 0), (1, 10, 0)]
    assert [row for row in run_script(rows, {1: register}) if "tick" in row[0]] == [
        ("timer tick at 2000, watermark 8999", 2),
        ("timer tick at 5000, watermark 8999", 5),
        ("timer tick at 8000, watermark 8999", 8),
        ("timer tick at 11000, watermark 253402300799999", 11),
    ]


def test_timers_on_watermarks() -> None:
    rows = [(1, 0, 1), (1, 0, 0), (1, 5, 0), (1, 7, 0)]
    once = run_script(rows, {1: lambda ctx: ctx.timers(int).register_on_watermark()})
    assert once[2:4] == [
        ("timer watermark at 3998, watermark -1".replace("3998", "4998"), 4.998),
        ("row 0, watermark 4999", 5),
    ]
    assert len(once) == 5
    always = run_script(rows, {1: lambda ctx: ctx.timers(int).register_on_periodic_watermark()})
    assert [row for row in always if "timer" in row[0]] == [
        ("timer watermark at 4998, watermark -1", 4.998),
        ("timer watermark at 6998, watermark 4999", 6.998),
        ("timer watermark at 253402300799998, watermark 6999", 253402300799.998),
    ]


class Following(ProcessTableFunction):
    def eval(self, ctx: Any, input: Any) -> Iterator[tuple[Any, Any]]:
        timers = ctx.timers(int)
        timers.register_on_watermark()
        yield timers.current_watermark(), timers.following_watermark()

    def on_timer(self, ctx: Any) -> Iterator[tuple[Any, Any]]:
        timers = ctx.timers(int)
        yield timers.current_watermark(), timers.following_watermark()


def test_the_watermark_that_is_about_to_come() -> None:
    columns = [("now", pa.int64()), ("next", pa.int64())]
    plan = plan_of(Following(), [CONTEXT, INPUT], columns, on_timer=(CONTEXT,))
    assert [row[1:3] for row in run(plan, batch_of([(1, 1, 0), (1, 2, 0)]))] == [
        (999, None),
        (999, 1999),
        (1999, None),
        (1999, 253402300799999),
    ]


def test_timers_register_timers() -> None:
    def again(ctx: Any) -> None:
        timers = ctx.timers(int)
        if timers.current_time() < 4_000:
            timers.register_on_time("a", timers.current_time() + 1_000)

    rows = [(1, 0, 1), (1, 3, 0)]
    assert [row[1] for row in run_script(rows, {1: at("a", 1_000)}, {"a": again}) if "timer" in row[0]] == [1, 2, 3, 4]


@pytest.mark.slow
def test_timers_that_never_stop_are_refused() -> None:
    def again(ctx: Any) -> None:
        timers = ctx.timers(int)
        timers.register_on_time("a", timers.current_time() + 1_000)

    class Endless(Scripted):
        def on_timer(self, ctx: Any) -> Any:
            again(ctx)

    plan = plan_of(Endless({1: at("a", 1)}, {}), [CONTEXT, INPUT], [("what", TEXT)], on_timer=(CONTEXT,))
    with pytest.raises(FunctionFailed, match="more than 1,000,000 timers have fired after the last row"):
        run(plan, batch_of([(1, 0, 1)]))


def test_without_a_time_column_timers_fire_at_the_end() -> None:
    plan = plan_of(
        Scripted({1: at("b", 2_000), 2: at("a", 1_000)}, {}),
        [CONTEXT, INPUT],
        [("what", TEXT)],
        on_timer=(CONTEXT,),
        timed=False,
    )
    assert [row[1] for row in run(plan, batch_of([(1, 5, 1), (1, 6, 2)]))] == [
        "row 1, watermark None",
        "row 2, watermark None",
        "timer a at 1000, watermark 253402300799999",
        "timer b at 2000, watermark 253402300799999",
    ]


class Typed(ProcessTableFunction):
    def __init__(self, time_type: Any) -> None:
        self.time_type = time_type

    def eval(self, ctx: Any, input: Any) -> Iterator[tuple[str]]:
        timers = ctx.timers(self.time_type)
        time = timers.current_time()
        timers.register_on_time("same", time)
        timers.register_on_time(dt.datetime(1970, 1, 2, tzinfo=getattr(time, "tzinfo", None)))
        timers.register_on_time(86_400_000)
        timers.register_on_time(Instant(86_400))
        yield (repr(time),)

    def on_timer(self, ctx: Any) -> Iterator[tuple[str]]:
        yield (f"timer {ctx.timers(self.time_type).current_time()!r}",)


@pytest.mark.parametrize(
    ("time_type", "has_zone", "shown", "late"),
    [
        (int, False, "1500", "86400000"),
        (dt.datetime, False, "datetime.datetime(1970, 1, 1, 0, 0, 1, 500250)", "datetime.datetime(1970, 1, 2, 0, 0)"),
        (
            dt.datetime,
            True,
            "datetime.datetime(1970, 1, 1, 0, 0, 1, 500250, tzinfo=datetime.timezone.utc)",
            "datetime.datetime(1970, 1, 2, 0, 0, tzinfo=datetime.timezone.utc)",
        ),
        (Instant, False, "Instant(seconds=1, nanos=500250000)", "Instant(seconds=86400, nanos=0)"),
    ],
)
def test_times_are_of_the_type_asked_for(time_type: Any, has_zone: bool, shown: str, late: str) -> None:
    plan = plan_of(Typed(time_type), [CONTEXT, INPUT], [("what", TEXT)], on_timer=(CONTEXT,), has_zone=has_zone)
    rows = [row[1] for row in run(plan, batch_of([(1, 1.50025, 0)]))]
    assert rows == [shown, f"timer {shown}", f"timer {late}"]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda t: t.register_on_time("a", "b"),
            "a time is a datetime, an int of milliseconds since 1970 or an Instant",
        ),
        (lambda t: t.register_on_time("watermark", 1), "is the name of the timer that register_on_watermark"),
        (lambda t: t.register_on_periodic_time("a", 1, 5), "a period is a timedelta, but int was given"),
        (lambda t: t.register_on_periodic_time("a", 1, dt.timedelta(0)), "has to be positive, but it is 0:00:00"),
    ],
)
def test_wrong_timers(call: Any, message: str) -> None:
    with pytest.raises(FunctionFailed) as caught:
        run_script([(1, 0, 1)], {1: lambda ctx: call(ctx.timers(int))})
    assert message in str(caught.value)


def test_timers_without_support() -> None:
    with pytest.raises(FunctionFailed) as caught:
        run_script([(1, 0, 1)], {1: at("a", 1)}, no_timers="the function has no method on_timer")
    assert "Timers are not supported in the current PTF declaration: the function has no method" in str(caught.value)


class Finishes(Scripted):
    def finish(self, ctx: Any) -> Iterator[tuple[str]]:
        yield (f"finish, watermark {ctx.timers(int).current_watermark()}",)


def test_finish_comes_after_all_timers() -> None:
    plan = plan_of(
        Finishes({1: at("a", 3_000)}, {}),
        [CONTEXT, INPUT],
        [("what", TEXT)],
        on_timer=(CONTEXT,),
        finish=(CONTEXT,),
    )
    assert run(plan, batch_of([(1, 0, 1), (2, 7, 2)])) == [
        (1, "row 1, watermark -1", 0),
        (1, "timer a at 3000, watermark 253402300799999", 3),
        (1, "finish, watermark 253402300799999", 3),
        (2, "row 2, watermark 6999", 7),
        (2, "finish, watermark 253402300799999", 7),
    ]


def test_the_partition_that_is_there_without_rows() -> None:
    batch = pa.RecordBatch.from_arrays(
        [
            pa.array([None], pa.timestamp("us")),
            pa.array([-1], pa.int32()),
            pa.array([None], pa.struct([("v", pa.int64())])),
        ],
        ["ts", "tag", "row"],
    )
    from tableapi.spark.runtime.process.plan import TablePlan

    plan = plan_of(
        Finishes({}, {}),
        [CONTEXT, INPUT],
        [],
        on_timer=(CONTEXT,),
        finish=(CONTEXT,),
        tag=1,
        time=0,
        keys=(),
        forwarded=(),
        tables=(TablePlan("input", ("v",), (2,), True),),
    )
    plan = type(plan)(**{**vars(plan), "output": pa.schema([("what", TEXT), ("rowtime", pa.timestamp("us"))])})
    assert run(plan, batch) == [("finish, watermark 253402300799999", None)]


def test_a_row_without_a_time() -> None:
    with pytest.raises(FunctionFailed, match="the column that on_time names, is NULL"):
        run_script([(1, None, 1)], {})


def test_a_queue_does_not_grow_with_timers_that_are_gone() -> None:
    queue = TimerQueue()
    for time in range(100_000):
        queue.register_named("timeout", 1_000_000 + time)
        queue.register_named("sooner", 1_000_000 - time)
        queue.delete_named("other")
        queue.register_named("other", 2_000_000)
    assert len(queue._queue) < 200
    assert queue.due(3_000_000) == (900_001, "sooner")
    assert queue.due(3_000_000) == (1_099_999, "timeout")
    assert queue.due(3_000_000) == (2_000_000, "other")
    assert queue.due(3_000_000) is None


@given(st.lists(st.tuples(st.sampled_from("abc"), st.integers(1, 4), st.booleans())))
def test_the_order_is_that_of_the_last_registrations(commands: list[tuple[str, int, bool]]) -> None:
    queue, stored = TimerQueue(), TimerQueue()
    expected: dict[str, int] = {}
    for name, time, is_registered in commands:
        expected.pop(name, None)
        if is_registered:
            queue.register_named(name, time)
            expected[name] = time
        else:
            queue.delete_named(name)
    stored.restore(queue.stored())
    # Sorting keeps the order of equal times.
    wanted = sorted([(time, name) for name, time in expected.items()], key=lambda fired: fired[0])
    for timers in (queue, stored):
        assert timers.pending() == wanted
        assert list(iter(lambda timers=timers: timers.due(9), None)) == wanted
