"""The functions with which Flink tests process table functions, rewritten in Python.

Source: ProcessTableFunctionTestUtils of Apache Flink 2.1, by the behaviour of its functions.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Annotated, Any, NamedTuple, TypeVar

from tableapi import Row
from tableapi.process_functions import (
    ArgumentHint,
    ArgumentTrait,
    ColumnList,
    Context,
    Instant,
    ListView,
    MapView,
    OnTimerContext,
    ProcessTableFunction,
    State,
    StateHint,
    StateRow,
    TableAsRow,
    TableAsSet,
)

T = TypeVar("T")
OptionalPartitions = Annotated[T, ArgumentHint(ArgumentTrait.TABLE_AS_SET, ArgumentTrait.OPTIONAL_PARTITION_BY)]
PassingRow = Annotated[T, ArgumentHint(ArgumentTrait.TABLE_AS_ROW, ArgumentTrait.PASS_COLUMNS_THROUGH)]
PassingSet = Annotated[T, ArgumentHint(ArgumentTrait.TABLE_AS_SET, ArgumentTrait.PASS_COLUMNS_THROUGH)]
TimedSet = Annotated[T, ArgumentHint(ArgumentTrait.TABLE_AS_SET, ArgumentTrait.REQUIRE_ON_TIME)]
UpdatingSet = Annotated[
    T, ArgumentHint(ArgumentTrait.TABLE_AS_SET, ArgumentTrait.OPTIONAL_PARTITION_BY, ArgumentTrait.SUPPORT_UPDATES)
]


@dataclass
class Out:
    out: str


def shown(*values: Any) -> Iterator[Out]:
    """Return values as text in braces, with rows in Flink's notation."""
    yield Out("{" + ", ".join(_text(value) for value in values) + "}")


def _text(value: Any) -> str:
    if isinstance(value, tuple):
        return f"+I[{', '.join(_text(v) for v in value)}]"
    if isinstance(value, StateRow):
        return f"+I[{', '.join(_text(v) for v in value)}]"
    return "null" if value is None else str(value)


@dataclass
class User:
    s: str
    i: int

    def __str__(self) -> str:
        return f"User(s='{self.s}', i={self.i})"


class ScalarArgs(ProcessTableFunction):
    def eval(self, i: int, b: bool) -> Iterator[Out]:
        return shown(i, str(b).lower())


class EmptyArgs(ProcessTableFunction):
    def eval(self) -> Iterator[Out]:
        return shown("empty")


class AsRow(ProcessTableFunction):
    def eval(self, r: TableAsRow[Row], i: int) -> Iterator[Out]:
        return shown(r, i)


class TypedAsRow(ProcessTableFunction):
    def eval(self, u: TableAsRow[User], i: int) -> Iterator[Out]:
        return shown(u, i)


class AsSet(ProcessTableFunction):
    def eval(self, r: TableAsSet[Row], i: int) -> Iterator[Out]:
        return shown(r, i)


class TypedAsSet(ProcessTableFunction):
    def eval(self, u: TableAsSet[User], i: int) -> Iterator[Out]:
        return shown(u, i)


class PojoArgs(ProcessTableFunction):
    def eval(self, input: TableAsRow[User], scalar: User) -> Iterator[Out]:
        return shown(input, scalar)


class AsRowPassThrough(ProcessTableFunction):
    def eval(self, r: PassingRow[Row], i: int) -> Iterator[Out]:
        return shown(r, i)


class AsSetPassThrough(ProcessTableFunction):
    def eval(self, r: PassingSet[Row], i: int) -> Iterator[Out]:
        return shown(r, i)


class UpdatingArg(ProcessTableFunction):
    """Show each change with its kind."""

    def eval(self, r: UpdatingSet[Row]) -> Iterator[Out]:
        return shown(f"{r.get_row_kind()}[{r.name}, {r.count}]")


class WithoutPartitions(ProcessTableFunction):
    def eval(self, r: OptionalPartitions[Row], i: int) -> Iterator[Out]:
        return shown(r, i)


class AtomicWrapping(ProcessTableFunction):
    def eval(self, r: TableAsRow[Row]) -> Iterator[int]:
        yield r[1]


class Contexts(ProcessTableFunction):
    def eval(self, ctx: Context, r: TableAsSet[Row], s: str) -> Iterator[Out]:
        given = ctx.set_semantics("r")
        return shown(r, s, given.partition_by_columns(), given.order_by_columns(), given.time_column())


@dataclass
class Score:
    s: str | None = None
    i: int = 0

    def __str__(self) -> str:
        return f"Score(s='{self.s}', i={self.i})"


@dataclass
class ScoreWithDefaults:
    s: str = "unknown"
    i: int = 99
    names: list[str] = field(default_factory=list)


class PojoState(ProcessTableFunction):
    def eval(self, s: State[Score], r: TableAsSet[Row]) -> Iterator[Out]:
        yield from shown(str(s), r)
        s.s = r.name
        s.i += 1


class DefaultPojoState(ProcessTableFunction):
    def eval(self, s: State[ScoreWithDefaults], r: TableAsSet[Row]) -> Iterator[Out]:
        yield from shown(f"{s.s} {s.i} {s.names}", r)
        s.s, s.i = r.name, s.i + 1
        s.names.append(r.name)


Counters = Annotated[StateRow, StateHint(type="ROW<i INT>")]


class MultiState(ProcessTableFunction):
    def eval(
        self,
        s1: Counters,
        s2: Annotated[StateRow, StateHint(type="ROW<i INT>", defaults={"i": 10})],
        r: TableAsSet[Row],
    ) -> Iterator[Out]:
        yield from shown(s1, s2, r)
        s1["i"] = (s1["i"] or 0) + 1
        s2.i += 2


class ClearingState(ProcessTableFunction):
    def eval(self, ctx: Context, s: State[Score], r: TableAsSet[Row]) -> Iterator[Out]:
        yield from shown(str(s), r)
        s.i += 1
        if s.i == 2:
            ctx.clear_state("s")


Seconds = dt.timedelta(seconds=1)


class StateTtl(ProcessTableFunction):
    def eval(
        self,
        s0: Annotated[Score, StateHint(ttl=2 * Seconds)],
        s1: Annotated[Score, StateHint(ttl=0 * Seconds)],
        s2: State[Score],
        r: TimedSet[Row],
    ) -> Iterator[Out]:
        yield from shown(s0.i, s1.i, s2.i)
        for state in (s0, s1, s2):
            state.i += 1


class ListState(ProcessTableFunction):
    def eval(self, s: ListView[str], r: TableAsSet[Row]) -> Iterator[Out]:
        yield from shown(s.get(), r)
        s.add(f"{r.name}-{len(s)}")


class MapState(ProcessTableFunction):
    def eval(self, ctx: Context, s: MapView[str, int], r: TableAsSet[Row]) -> Iterator[Out]:
        yield from shown(dict(s.items()), r)
        s[r.name] = s.get(r.name, 0) + 1
        s.put("old" + r.name, r.score)
        if r.score == 99:
            ctx.clear_all_state()


class Descriptors(ProcessTableFunction):
    def eval(self, columns: ColumnList, other: ColumnList | None = None) -> Iterator[Out]:
        return shown(list(columns), None if other is None else list(other))


class TimeConversions(ProcessTableFunction):
    def eval(self, ctx: Context, r: TableAsSet[Row]) -> Iterator[Out]:
        for time_type in (int, Instant, dt.datetime):
            timers: Any = ctx.timers(time_type)
            yield Out(f"Time {timers.current_time()}, watermark {timers.current_watermark()}")


class NamedTimers(ProcessTableFunction):
    def eval(self, ctx: Context, r: TableAsSet[Row]) -> Iterator[Out]:
        timers = ctx.timers(int)
        now = timers.current_time()
        assert now is not None
        if now == 0:
            for number in range(1, 6):
                timers.register_on_time(f"timeout{number}", number * 1_000)
            timers.register_on_time("timeout3", 3_500)
            timers.delete_timer("timeout2")
            yield from shown("registered")
        elif now == 4_000:
            ctx.clear_all_timers()
            yield from shown("cleared")

    def on_timer(self, ctx: OnTimerContext) -> Iterator[Out]:
        return shown(ctx.current_timer(), ctx.timers(int).current_time())


class UnnamedTimers(ProcessTableFunction):
    def eval(self, ctx: Context, r: TableAsSet[Row]) -> Iterator[Out]:
        timers = ctx.timers(int)
        if timers.current_time() == 0:
            for time in (1_000, 2_000, 2_000, 3_000, 99_000):
                timers.register_on_time(time)
            timers.delete_timer(3_000)
        return shown("row")

    def on_timer(self, ctx: OnTimerContext) -> Iterator[Out]:
        return shown(ctx.current_timer(), ctx.timers(int).current_time())


class LateTimers(ProcessTableFunction):
    """Register two timers for the time 0 with each row, and one more with the row at 99,999."""

    def eval(self, ctx: Context, r: TableAsSet[Row]) -> Iterator[str]:
        timers = ctx.timers(int)
        yield f"row {r.score} at {timers.current_time()}, watermark {timers.current_watermark()}"
        if timers.current_time() == 99_999:
            timers.register_on_time("late", 1)
        timers.register_on_time("t", 0)
        timers.register_on_time(0)

    def on_timer(self, ctx: OnTimerContext) -> Iterator[str]:
        timers = ctx.timers(int)
        yield f"timer {ctx.current_timer()} at {timers.current_time()}, watermark {timers.current_watermark()}"


class ScalarArgsTime(ProcessTableFunction):
    def eval(self, ctx: Context, i: int) -> Iterator[Out]:
        timers = ctx.timers(int)
        return shown(i, timers.current_time(), timers.current_watermark())


class WithoutPartitionsTime(ProcessTableFunction):
    def eval(self, ctx: Context, r: OptionalPartitions[Row]) -> Iterator[Out]:
        timers = ctx.timers(int)
        now = timers.current_time()
        assert now is not None
        timers.register_on_time("t", now + 1_000)
        return shown(r.name, now)

    def on_timer(self, ctx: OnTimerContext) -> Iterator[Out]:
        return shown(ctx.current_timer(), ctx.timers(int).current_time())


class OptionalOnTime(ProcessTableFunction):
    def eval(self, ctx: Context, r: TableAsSet[Row]) -> Iterator[Out]:
        timers = ctx.timers(int)
        timers.register_on_time("t", 2)
        return shown(r.name, timers.current_time(), timers.current_watermark())

    def on_timer(self, ctx: OnTimerContext) -> Iterator[Out]:
        return shown(ctx.current_timer(), ctx.timers(int).current_time())


class PojoStateTime(ProcessTableFunction):
    def eval(self, ctx: Context, s: State[Score], r: TableAsSet[Row]) -> Iterator[Out]:
        timers = ctx.timers(int)
        now = timers.current_time()
        assert now is not None
        s.s, s.i = r.name, s.i + 1
        timers.register_on_time("timeout", now + 1_500)
        return shown(str(s))

    def on_timer(self, ctx: OnTimerContext, s: Score) -> Iterator[Out]:
        yield from shown("timeout", str(s))
        ctx.clear_all()


class Named(NamedTuple):
    name: str
    count: int


class ChainedTime(ProcessTableFunction):
    """Count rows, and emit the count one second after the last one."""

    def eval(self, ctx: Context, s: State[Score], r: TableAsSet[Row]) -> None:
        timers = ctx.timers(int)
        now = timers.current_time()
        assert now is not None
        s.i += 1
        timers.register_on_time("timeout", now + 1_000)

    def on_timer(self, ctx: OnTimerContext, s: Score) -> Iterator[Named]:
        yield Named("count", s.i)
        ctx.clear_all()


class TimersInRow(ProcessTableFunction):
    def eval(self, ctx: Context, r: TableAsRow[Row]) -> Iterator[Out]:
        ctx.timers(int).register_on_time("t", 1)
        return shown(r)


class TimersInPassThrough(ProcessTableFunction):
    def eval(self, ctx: Context, r: PassingSet[Row]) -> Iterator[Out]:
        ctx.timers(int).register_on_time("t", 1)
        return shown(r)


class TimersInUpdating(ProcessTableFunction):
    def eval(self, ctx: Context, r: UpdatingSet[Row]) -> Iterator[Out]:
        ctx.timers(int).register_on_time("t", 1)
        return shown(r)


class Counting(ProcessTableFunction):
    """Count all rows, even if there are none."""

    def eval(self, s: State[Score], r: OptionalPartitions[Row]) -> None:
        s.i += 1

    def finish(self, s: Score) -> Iterator[Named]:
        yield Named("rows", s.i)
