"""Calls of process table functions that do not run over streams yet, and what is refused around those that do."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Annotated, Any

import pytest

from ir.errors import ValidationException
from ir.streaming.process_calls import calls_below_state
from ir.streaming.refusals import OutputMode
from ir.streaming.rules import find_refusals, refusals_in
from tableapi import EnvironmentSettings, Row, Table, TableEnvironment
from tableapi.expressions import array, col, descriptor, lit
from tableapi.process_functions import (
    ArgumentHint,
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
from tableapi.window import Tumble

COLUMNS = {
    "k": "STRING",
    "ts": "TIMESTAMP_LTZ",
    "other": "TIMESTAMP_LTZ",
    "v": "INT",
    "day": "INTERVAL DAY TO SECOND",
    "name": "STRING",
}


@dataclass
class Count:
    n: int = 0


class Values(ProcessTableFunction):
    def eval(self, count: State[Count], row: TableAsSet[Row]) -> Iterator[int]:
        yield count.n


class Timed(ProcessTableFunction):
    def eval(self, ctx: Context, count: State[Count], row: TableAsSet[Row]) -> Iterator[int]:
        yield count.n

    def on_timer(self, ctx: OnTimerContext) -> Iterator[int]:
        yield 1


class Listed(ProcessTableFunction):
    def eval(self, values: ListView[int], row: TableAsSet[Row]) -> Iterator[int]:
        yield len(values)


class Mapped(ProcessTableFunction):
    def eval(self, values: MapView[str, int], row: TableAsSet[Row]) -> Iterator[int]:
        yield len(values)


class Expiring(ProcessTableFunction):
    def eval(
        self, count: Annotated[Count, StateHint(ttl=dt.timedelta(hours=1))], row: TableAsSet[Row]
    ) -> Iterator[int]:
        yield count.n


class Variants(ProcessTableFunction):
    def eval(self, state: Annotated[Any, StateHint(type="ROW<v VARIANT>")], row: TableAsSet[Row]) -> Iterator[int]:
        yield 1


class ListOfVariants(ProcessTableFunction):
    def eval(
        self, values: Annotated[ListView[Any], StateHint(type="ARRAY<VARIANT>")], row: TableAsSet[Row]
    ) -> Iterator[int]:
        yield 1


class ByRow(ProcessTableFunction):
    def eval(self, row: TableAsRow[Row]) -> Iterator[int]:
        yield 1


class Whole(ProcessTableFunction):
    def eval(
        self,
        row: Annotated[Row, ArgumentHint(ArgumentTrait.TABLE_AS_SET, ArgumentTrait.OPTIONAL_PARTITION_BY)],
    ) -> Iterator[int]:
        yield 1


class Passing(ProcessTableFunction):
    def eval(
        self, row: Annotated[Row, ArgumentHint(ArgumentTrait.TABLE_AS_SET, ArgumentTrait.PASS_COLUMNS_THROUGH)]
    ) -> Iterator[int]:
        yield 1


class Two(ProcessTableFunction):
    def eval(self, left: TableAsSet[Row], right: TableAsSet[Row]) -> Iterator[int]:
        yield 1


@pytest.fixture(scope="module")
def env() -> TableEnvironment:
    made = TableEnvironment.create(EnvironmentSettings.new_instance().with_built_in_catalog_name("memory").build())
    made.declare("events", COLUMNS)
    return made


@pytest.fixture
def stream(env: TableEnvironment) -> Table:
    return env.from_path("events", stream=True)


@pytest.fixture
def late(stream: Table) -> Table:
    return stream.watermark(col("ts"), lit(10).seconds)


Call = Callable[[TableEnvironment, Table], Table]
DECLARED: dict[str, tuple[Call, str, str]] = {
    "a table beside a stream": (
        lambda env, s: env.from_call(Two, s.partition_by(col("k")), env.from_path("events").partition_by(col("k"))),
        "The call of `Two` has streams and the table right, whose rows end, and their rows cannot come together.",
        "Read the table as a stream, too; or join it to the rows of the stream before the call.",
    ),
    "a type of state": (
        lambda env, s: s.partition_by(col("k")).process(Variants),
        "The state state of the call of `Variants` is of type ROW<`v` VARIANT>",
        "Keep it in another type, such as the STRING of its JSON; or call the function over a table, such as the one",
    ),
    "a type in a list": (
        lambda env, s: s.partition_by(col("k")).process(ListOfVariants),
        "The state values of the call of `ListOfVariants` is of type ARRAY<VARIANT>",
        "Keep it in another type",
    ),
    "an interval as key": (
        lambda env, s: s.partition_by(col("k"), col("day")).process(Values),
        "The partition key day of the call of `Values` is of type INTERVAL DAY TO SECOND",
        "Partition by a cast or a part of it.",
    ),
    "a collated key of the second table": (
        lambda env, s: env.from_call(
            Two,
            s.partition_by(col("name").collate("UTF8_LCASE")),
            s.partition_by(col("name").collate("UTF8_LCASE")),
        ),
        "The partition key collate(name, 'UTF8_LCASE') of the call of `Two` is of type STRING COLLATE UTF8_LCASE",
        "Partition by a cast or a part of it.",
    ),
}


@pytest.mark.parametrize("name", DECLARED)
def test_a_call_that_cannot_keep_its_state(name: str, env: TableEnvironment, late: Table) -> None:
    call, reason, instead = DECLARED[name]
    with pytest.raises(ValidationException) as raised:
        call(env, late)
    assert str(raised.value).startswith(reason)
    assert instead in str(raised.value)
    assert raised.value.sql_state == "0A000"
    # Over a table, each of them runs.
    assert not find_refusals(call(env, env.from_path("events")).query_operation)


def test_time_to_live_is_measured_by_the_watermark(stream: Table, late: Table, env: TableEnvironment) -> None:
    for table, on_time, reason in [
        (stream, {"on_time": descriptor("ts")}, r"by the watermark, and the stream has no watermark. Add a watermark"),
        (late, {}, r"from the time of rows, and the call has no on_time. Name ts by on_time."),
    ]:
        with pytest.raises(ValidationException, match=f"The state count .* has a time to live, .*{reason}"):
            table.partition_by(col("k")).process(Expiring, **on_time)
    sides = [table.partition_by(col("k")).order_by(col("ts")) for table in (late, stream)]
    with pytest.raises(ValidationException, match="and its table right has no watermark"):
        env.from_call(Two, *sides, on_time=descriptor("ts"))


def test_calls_that_run(env: TableEnvironment, stream: Table, late: Table) -> None:
    for call in (
        stream.partition_by(col("k")).process(Values),
        stream.partition_by(col("k"), col("v") + 1).process(Values, on_time=descriptor("ts")),
        late.filter(col("v") > 1).partition_by(col("k")).process(Timed, on_time=descriptor("ts")),
        late.partition_by(col("k")).process(Timed).filter(col("k") == "a"),
        late.process(Whole, on_time=descriptor("ts")),
        late.partition_by(col("k")).order_by(col("ts"), col("v") + 1).process(Timed, on_time=descriptor("ts")),
        late.partition_by(col("k")).process(Passing),
        late.process(ByRow),
        late.process(ByRow).process(Whole),
        late.partition_by(col("k")).process(Listed),
        late.partition_by(col("k")).process(Mapped),
        late.partition_by(col("k")).process(Expiring, on_time=descriptor("ts")),
        env.from_call(Two, late.partition_by(col("k")), stream.partition_by(col("name"))),
        env.from_call(
            Two,
            late.partition_by(col("k")).order_by(col("ts"), col("v")),
            late.partition_by(col("name")),
            on_time=descriptor("ts"),
        ),
        # A call over another call, also by its rowtime.
        late.partition_by(col("k")).process(Timed).partition_by(col("k")).process(Values, uid="second"),
        late.partition_by(col("k"))
        .process(Timed, on_time=descriptor("ts"))
        .partition_by(col("k"))
        .order_by(col("rowtime"))
        .process(Values, on_time=descriptor("rowtime"), uid="second"),
    ):
        modes = {mode for mode in OutputMode if not refusals_in(mode, call.query_operation)}
        assert modes == {OutputMode.APPEND, OutputMode.UPDATE}


def test_timers_need_the_watermark(stream: Table, late: Table) -> None:
    with pytest.raises(
        ValidationException, match=r"has timers, which fire when .* Add a watermark to the stream, water"
    ):
        stream.partition_by(col("k")).process(Timed, on_time=descriptor("ts"))
    for function in (Timed, Values):
        with pytest.raises(
            ValidationException, match=r"names other, which does not carry the .* Name ts, which carries"
        ):
            late.partition_by(col("k")).process(function, on_time=descriptor("other"))


ORDERED: dict[str, tuple[Call, str]] = {
    "without on_time": (
        lambda env, s: (
            s.watermark(col("ts"), lit(1).seconds).partition_by(col("k")).order_by(col("ts")).process(Values)
        ),
        "has order_by without on_time, .* Name ts by on_time, and begin order_by with it",
    ),
    "without a watermark": (
        lambda env, s: s.partition_by(col("k")).order_by(col("ts")).process(Timed, on_time=descriptor("ts")),
        r"has order_by, so that rows wait .* has no watermark. Add a watermark .*; or leave order_by out, and rows",
    ),
    "by an array": (
        lambda env, s: (
            s.watermark(col("ts"), lit(1).seconds)
            .partition_by(col("k"))
            .order_by(col("ts"), array(col("v")))
            .process(Values, on_time=descriptor("ts"))
        ),
        r"The order_by key .* is of type ARRAY<INT>.* by which rows that wait .* Sort by fields or a cast of it",
    ),
}


@pytest.mark.parametrize("name", ORDERED)
def test_an_order_in_which_rows_cannot_wait(name: str, env: TableEnvironment, stream: Table) -> None:
    call, reason = ORDERED[name]
    with pytest.raises(ValidationException, match=reason) as raised:
        call(env, stream)
    assert raised.value.sql_state == "0A000"
    assert not find_refusals(call(env, env.from_path("events")).query_operation)


def test_order_begins_with_the_time(late: Table) -> None:
    for order in (col("v"), col("ts").desc):
        with pytest.raises(ValidationException, match="the first ORDER BY column must be that one in ascending order"):
            late.partition_by(col("k")).order_by(order).process(Values, on_time=descriptor("ts"))


def test_messages_for_sql(env: TableEnvironment) -> None:
    env.create_temporary_system_function("timed", Timed)
    text = "SELECT k\nFROM timed(row => TABLE(SELECT * FROM STREAM events) PARTITION BY k)"
    with pytest.raises(ValidationException, match="WATERMARK ts DELAY OF INTERVAL 10 SECONDS") as raised:
        env.sql_query(text)
    assert "line 2" in str(raised.value)


def test_state_above_and_below(late: Table) -> None:
    called = late.partition_by(col("k")).process(Values, on_time=descriptor("ts"))
    above: list[Callable[[], Any]] = [
        called.distinct,
        lambda: called.limit(3),
        lambda: called.join(late.select(col("k").alias("j")), col("k") == col("j")),
    ]
    for step in above:
        with pytest.raises(ValidationException, match="keeps state over the result of the call of `Values`"):
            step()
    grouped = called.group_by(col("k")).select(col("k"), lit(1).count.alias("n"))
    assert {mode for mode in OutputMode if not refusals_in(mode, grouped.query_operation)} == {OutputMode.UPDATE}
    window = Tumble.over(lit(10).minutes).on(col("rowtime")).alias("w")
    windows = called.window(window).group_by(col("w"), col("k")).select(col("k"), col("w").start, lit(1).count)
    modes = {mode for mode in OutputMode if not refusals_in(mode, windows.query_operation)}
    assert modes == {OutputMode.APPEND, OutputMode.UPDATE}
    assert calls_below_state(windows.query_operation) == {"Values": True}
    assert calls_below_state(grouped.query_operation) == {}
    counted = late.group_by(col("k"), col("ts")).select(col("k"), col("ts"), lit(1).count.alias("n"))
    with pytest.raises(ValidationException, match="keeps state over the result of the aggregation"):
        counted.partition_by(col("k")).process(Values)
