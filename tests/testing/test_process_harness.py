"""The harness of process table functions."""

import datetime as dt
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

import pytest

from examples.process_functions.sessions import Sessions, at, build
from tableapi import Row, TableEnvironment
from tableapi.exceptions import SparkExecutionException, ValidationException
from tableapi.process_functions import (
    ArgumentTrait,
    Context,
    ListView,
    OnTimerContext,
    ProcessTableFunction,
    State,
    TableAsRow,
    TableAsSet,
)
from tableapi.testing import ProcessTableFunctionTestHarness, TimerRecord, assert_rows

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

EVENTS = {"user": "STRING NOT NULL", "ts": "TIMESTAMP NOT NULL", "kind": "STRING NOT NULL", "amount": "DOUBLE"}


def sessions() -> ProcessTableFunctionTestHarness:
    builder = ProcessTableFunctionTestHarness.of_class(Sessions)
    builder.with_table_argument("event", EVENTS, partition_by="user").with_on_time_column("ts")
    return builder.in_batch_mode().build()


@dataclass
class Total:
    """The sum so far."""

    total: int = 0


class Totals(ProcessTableFunction):
    """Emit the sum so far of values above a limit, and the last one at the end."""

    def __init__(self) -> None:
        self.log: list[str] = []

    def open(self, function_context: Any) -> None:
        self.log.append("open")

    def close(self) -> None:
        self.log.append("close")

    def eval(self, state: State[Total], seen: ListView[int], input: TableAsSet[Row], limit: int) -> Iterator[int]:
        if input.v is None:
            raise ValueError("no value")
        if input.v > limit:
            seen.add(input.v)
            state.total += input.v
            yield state.total

    def finish(self, state: Total) -> Iterator[int]:
        yield -state.total


def totals(function: Any = Totals) -> ProcessTableFunctionTestHarness:
    builder = ProcessTableFunctionTestHarness.of_class(function)
    builder.with_table_argument("input", {"k": "STRING", "v": "BIGINT"}, partition_by="k")
    return builder.with_scalar_argument("limit", 3).build()


# --- rows and partitions ---------------------------------------------------------------------------------------------


def test_rows_of_partitions_in_any_order() -> None:
    with totals() as harness:
        harness.process_elements([("a", 5), ("b", 4), ("a", 1), {"v": 7}, ("a", 10), (None, 1)])
        assert harness.get_output() == [("a", 5), ("b", 4), (None, 7), ("a", 15)]
        assert harness.get_state("state", "a") == Total(15)
        assert harness.get_state("seen", "a").get() == [5, 10]
        assert harness.get_state("state", None).total == 7
        harness.clear_output()
        harness.process_element(k="b", v=4)
        assert harness.get_output() == [("b", 8)]
        harness.finish()
        assert sorted(row[1] for row in harness.get_output()) == [-15, -8, -7, 8]


def test_state_can_be_set() -> None:
    with totals() as harness:
        harness.process_element("a", 5)
        harness.get_state("state", "a").total = 100
        harness.process_element("a", 5)
        assert [row[1] for row in harness.get_output()] == [5, 105]


def test_the_function_is_opened_and_closed_once() -> None:
    function = Totals()
    with totals(function) as harness:
        assert function.log == []
        harness.process_elements([("a", 5), ("b", 4)])
        assert function.log == ["open"]
    assert function.log == ["open", "close"]


class Loud(ProcessTableFunction):
    """A function of single rows."""

    def eval(self, input: TableAsRow[Row]) -> Iterator[str]:
        yield input.name.upper()


def test_row_semantics() -> None:
    builder = ProcessTableFunctionTestHarness.of_class(Loud).with_table_argument("input", {"name": "STRING"})
    with builder.build() as harness:
        harness.process_elements([("a",), ("b",)])
        assert [row[-1] for row in harness.get_output()] == ["A", "B"]


class Pairs(ProcessTableFunction):
    """Emit the orders of known customers."""

    def eval(
        self,
        names: ListView[str],
        customer: Annotated[TableAsSet[Row], ArgumentTrait.OPTIONAL_PARTITION_BY],
        orders: TableAsSet[Row],
    ) -> Iterator[tuple[str, int]]:
        if customer is not None:
            names.add(customer.name)
        elif orders is not None:
            for name in names:
                yield name, orders.amount


def test_several_tables() -> None:
    builder = ProcessTableFunctionTestHarness.of_class(Pairs)
    builder.with_table_argument("customer", {"id": "INT", "name": "STRING"}, partition_by="id")
    builder.with_table_argument("orders", {"customer": "INT", "amount": "BIGINT"}, partition_by=["customer"])
    with builder.build() as harness:
        harness.process_element_for_table("customer", 1, "ada")
        harness.process_element_for_table("orders", {"customer": 1, "amount": 5})
        harness.process_element_for_table("orders", 2, 6)
        assert [tuple(row)[-2:] for row in harness.get_output()] == [("ada", 5)]
        with pytest.raises(ValidationException, match=r"Name one: process_element_for_table\('customer', …\)"):
            harness.process_element(1, "ada")
        with pytest.raises(
            ValidationException, match=r"no table 'order', but \[customer, orders\]. Did you mean 'orders'"
        ):
            harness.process_element_for_table("order", 1, 2)


class Always(ProcessTableFunction):
    """Emit the number of rows, also of none."""

    def eval(self, state: State[Total], input: Annotated[TableAsSet[Row], ArgumentTrait.OPTIONAL_PARTITION_BY]) -> None:
        state.total += 1

    def finish(self, state: Total) -> Iterator[int]:
        yield state.total


@pytest.mark.parametrize("count", [0, 2])
def test_the_only_partition_finishes_without_rows(count: int) -> None:
    with ProcessTableFunctionTestHarness.of_class(Always).with_table_argument("input", {"v": "INT"}).build() as harness:
        harness.process_elements([(1,)] * count)
        harness.finish()
        assert harness.get_output() == [(count,)]


# --- time ------------------------------------------------------------------------------------------------------------


def test_timers_fire_by_rows_and_by_watermarks() -> None:
    with sessions() as harness:
        harness.process_element("ada", at("09:00"), "view", None)
        harness.process_element("bob", at("09:05"), "view", None)
        assert harness.get_pending_timers() == [
            TimerRecord("gap", at("09:30"), ("ada",)),
            TimerRecord("gap", at("09:35"), ("bob",)),
            TimerRecord("longest", at("11:00"), ("ada",)),
            TimerRecord("longest", at("11:05"), ("bob",)),
        ]
        # A row advances the time of its partition only.
        harness.process_element("bob", at("09:50"), "view", None)
        assert [timer.partition for timer in harness.get_fired_timers()] == [("bob",)]
        harness.set_watermark(at("09:29"))
        assert len(harness.get_fired_timers()) == 1
        harness.set_watermark(at("09:30"))
        assert harness.get_fired_timers()[1] == TimerRecord("gap", at("09:30"), ("ada",))
        assert [(row.user, row.events, row.reason, row.rowtime) for row in harness.get_output()] == [
            ("bob", 1, "silence", at("09:35")),
            ("ada", 1, "silence", at("09:30")),
        ]
        assert harness.get_state("session", "ada").began is None


class Clock(ProcessTableFunction):
    """Tell the time that a function sees."""

    def eval(self, ctx: Context, input: TableAsSet[Row]) -> Iterator[str]:
        timers = ctx.timers(int)
        timers.register_on_periodic_watermark()
        yield f"row at {timers.current_time()}, watermark {timers.current_watermark()}"

    def on_timer(self, ctx: OnTimerContext) -> Iterator[str]:
        timers = ctx.timers(int)
        yield f"{timers.current_watermark()} to {timers.following_watermark()}"


def test_the_watermark_that_a_function_sees() -> None:
    builder = ProcessTableFunctionTestHarness.of_class(Clock)
    builder.with_table_argument("input", {"k": "INT", "ts": "TIMESTAMP_LTZ(3)"}, partition_by="k")
    start = dt.datetime(1970, 1, 1, tzinfo=dt.timezone.utc)
    with builder.with_on_time_column("ts").in_batch_mode().build() as harness:
        harness.process_element(1, start + dt.timedelta(seconds=1))
        harness.set_watermark(5_000)
        harness.set_watermark(start + dt.timedelta(seconds=6))
        harness.process_element(1, start + dt.timedelta(seconds=9))
        assert [row[1] for row in harness.get_output()] == [
            "row at 1000, watermark 999",
            "999 to 5000",
            "5000 to 6000",
            "6000 to 8999",
            "row at 9000, watermark 8999",
        ]


def test_late_rows_are_refused() -> None:
    with sessions() as harness:
        harness.process_element("ada", at("09:10"), "view", None)
        with pytest.raises(
            ValidationException, match=r"Row 1 has the time 2\d{3}-.* 09:00:00, before the time .* 09:10:00"
        ):
            harness.process_element("ada", at("09:00"), "view", None)
        harness.set_watermark(at("10:00"))
        with pytest.raises(ValidationException, match=r"Row 2 is late: its time is .* 10:00:00, and the watermark is"):
            harness.process_element("bob", at("10:00"), "view", None)
        with pytest.raises(ValidationException, match="cannot go back to"):
            harness.set_watermark(at("09:59"))


# --- mistakes --------------------------------------------------------------------------------------------------------


def test_the_failure_is_that_of_a_query_with_the_own_exception_as_its_cause() -> None:
    with totals() as harness, pytest.raises(SparkExecutionException) as raised:
        harness.process_element("a", None)
    message = str(raised.value)
    assert message.startswith(
        "The function Totals.eval failed on (input=Row(k='a', v=None), limit=3): ValueError: no value"
    )
    assert 'raise ValueError("no value")' in message
    assert isinstance(raised.value.__cause__, ValueError)


@pytest.mark.parametrize(
    ("row", "message"),
    [
        (("a", "5"), "Row 0, column 'v': the value '5' is no value of its type BIGINT"),
        (("a", 2**63), "Row 0, column 'v': the value 9223372036854775808 is no value of its type BIGINT"),
        (("a",), r"Row 0: The row \('a',\) has 1 values where 2 are expected"),
        ({"k": "a", "w": 1}, "Row 0: The row .* has no place for 'w'"),
    ],
)
def test_wrong_values_are_named_with_row_and_column(row: Any, message: str) -> None:
    with totals() as harness, pytest.raises(ValidationException, match=message):
        harness.process_element(row)


def test_unknown_states_and_partitions() -> None:
    with totals() as harness:
        harness.process_element("a", 5)
        with pytest.raises(
            ValidationException, match=r"no state 'sate'; its states are \[state, seen\]. Did you mean 'state'"
        ):
            harness.get_state("sate", "a")
        with pytest.raises(ValidationException, match=r"no partition with the key \('b',\); there are: \('a',\)"):
            harness.get_state("state", "b")
        harness.finish()
        with pytest.raises(ValidationException, match="has ended"):
            harness.process_element("a", 5)


def test_the_call_is_checked_as_in_a_query() -> None:
    builder = ProcessTableFunctionTestHarness.of_class(Totals)
    builder.with_table_argument("input", {"k": "STRING", "v": "BIGINT"}, partition_by="k")
    with pytest.raises(ValidationException, match="limit"):
        builder.build()
    with pytest.raises(ValidationException, match="limit"):
        builder.with_scalar_argument("limit", "three").build()


# --- Spark -----------------------------------------------------------------------------------------------------------


def test_the_output_is_that_of_spark(spark: "SparkSession") -> None:
    te = TableEnvironment.create(spark=spark.newSession())
    query = build(te)
    rows = list(te.from_path("events").execute().collect())
    with sessions() as harness:
        harness.process_elements(rows)
        harness.finish()
        assert len(harness.get_output()) > 3
        assert_rows(query, harness.get_output())
