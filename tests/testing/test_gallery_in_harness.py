"""The functions of the gallery as streams, step by step, with what each step has to emit.

The expected rows are worked out by hand from what each function is for; they have the columns of the function, after
its keys and without ``rowtime``.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from typing import Any

import attrs
import pytest

from examples.process_functions import (
    alerts,
    as_of_join,
    deduplication,
    funnel,
    gaps,
    proposal,
    sessions,
    top,
)
from examples.process_functions.show import at
from tableapi import EnvironmentSettings, Table, TableEnvironment
from tableapi.expressions import array, col, descriptor, lit
from tableapi.process_functions import ProcessTableFunction
from tableapi.spark.planner.process import process_calls
from tableapi.testing import ProcessTableFunctionHarness

Build = Callable[[TableEnvironment], Table]
Emitted = list[tuple[Any, ...]]


@attrs.frozen
class Rows:
    """A micro-batch of rows, of one table or by the names of tables, and what it emits."""

    rows: Any
    emits: Emitted = attrs.field(factory=list)


@attrs.frozen
class Watermark:
    """A watermark, as a time of the day of the examples, and what it emits."""

    time: str
    emits: Emitted = attrs.field(factory=list)


@attrs.frozen
class Finish:
    """The end of the input, and what it emits."""

    emits: Emitted = attrs.field(factory=list)


@attrs.frozen
class Late:
    """A micro-batch of rows that are all dropped."""

    rows: Any


Step = Rows | Watermark | Finish | Late


def _table(env: TableEnvironment, columns: dict[str, str], name: str = "events") -> Table:
    return env.declare(name, columns)


TIME = "TIMESTAMP NOT NULL"
VISITS = {"user": "STRING", "ts": TIME, "kind": "STRING NOT NULL", "amount": "DOUBLE"}
ORDERS = {"order_id": "INT", "ts": TIME, "kind": "STRING NOT NULL"}
MESSAGES = {"id": "INT", "ts": TIME, "text": "STRING"}
READINGS = {"sensor": "STRING", "ts": TIME, "value": "DOUBLE"}
ACTIONS = {"person": "STRING", "ts": TIME, "action": "STRING"}
QUOTES = {"symbol": "STRING", "ts": TIME, "bid": "DOUBLE NOT NULL", "ask": "DOUBLE NOT NULL"}
TRADES = {"symbol": "STRING", "ts": TIME, "price": "DOUBLE NOT NULL"}
RESULTS = {"game": "STRING", "player": "STRING", "points": "INT NOT NULL"}


def _by(function: Any, columns: dict[str, str], key: str, *arguments: Any, ordered: bool = False) -> Build:
    def build(env: TableEnvironment) -> Table:
        table: Any = _table(env, columns).partition_by(col(key))
        table = table.order_by(col("ts")) if ordered else table
        return table.process(function, *arguments, on_time=descriptor("ts"))  # type: ignore[no-any-return]

    return build


def _as_of(env: TableEnvironment) -> Table:
    quotes = _table(env, QUOTES, "quotes").partition_by(col("symbol")).order_by(col("ts"))
    trades = _table(env, TRADES, "trades").partition_by(col("symbol")).order_by(col("ts"))
    return env.from_call(as_of_join.AsOf, quotes, trades, on_time=descriptor("ts"))


def _one_match(env: TableEnvironment) -> Table:
    customers = _table(env, {"id": "INT", "name": "STRING NOT NULL", "address": "STRING NOT NULL"}, "customers")
    orders = _table(env, {"id": "INT", "order_id": "BIGINT NOT NULL", "price": "DOUBLE NOT NULL"}, "orders")
    return env.from_call(proposal.OneMatchJoin, customers.partition_by(col("id")), orders.partition_by(col("id")))


def _built_in_join(env: TableEnvironment) -> Table:
    left = _table(env, {"k": "INT", "ts": TIME, "name": "STRING"}, "l").partition_by(col("k"))
    right = _table(env, {"k": "INT", "ts": TIME, "price": "DOUBLE"}, "r").partition_by(col("k"))
    return env.from_call(proposal.BuiltInOneMatchJoin, left, right, lit(5).minutes, on_time=descriptor("ts"))


GALLERY: dict[str, tuple[Build, list[Step]]] = {
    "sessions_end_by_silence_once_the_watermark_has_passed_it": (
        _by(sessions.Sessions, VISITS, "user"),
        [
            Rows([("ada", at("09:00"), "view", None), ("bob", at("09:05"), "view", 2.0)]),
            # Nobody knows yet whether ada was silent until 09:30.
            Watermark("09:29"),
            Rows([("ada", at("09:40"), "view", None)]),
            # Her event of 09:40 came before the watermark passed 09:30, and has moved the timer.
            Watermark("09:35", [("bob", at("09:05"), 1, 2.0, "silence")]),
            Late([("bob", at("09:35"), "view", None)]),
            Watermark("10:10", [("ada", at("09:00"), 2, 0.0, "silence")]),
        ],
    ),
    "sessions_in_order_do_not_depend_on_micro_batches": (
        _by(sessions.Sessions, VISITS, "user", ordered=True),
        [
            Rows([("ada", at("09:40"), "view", None)]),
            Rows([("ada", at("09:00"), "view", 1.0)]),
            # In order of time there was silence between 09:00 and 09:40.
            Watermark("09:45", [("ada", at("09:00"), 1, 1.0, "silence")]),
            Finish([("ada", at("09:40"), 1, 0.0, "silence")]),
        ],
    ),
    "sessions_end_with_a_purchase_and_after_two_hours": (
        _by(sessions.Sessions, VISITS, "user"),
        [
            Rows(
                [("ada", at("09:00"), "view", None), ("ada", at("09:05"), "purchase", 20.0)],
                [("ada", at("09:00"), 2, 20.0, "purchase")],
            ),
            Rows([("cleo", at("10:00") + dt.timedelta(minutes=20 * n), "view", None) for n in range(6)]),
            Watermark("11:50"),
            Rows([("cleo", at("12:00"), "view", None)]),
            Watermark("12:00", [("cleo", at("10:00"), 7, 0.0, "too long")]),
        ],
    ),
    "alerts_for_orders_that_were_not_paid_in_time": (
        _by(alerts.Unpaid, ORDERS, "order_id"),
        [
            Rows([(1, at("12:00"), "placed"), (2, at("12:01"), "placed")]),
            Rows([(1, at("12:14"), "paid"), (3, at("12:02"), "paid")], [(3, "paid, but never placed")]),
            Watermark("12:15"),
            Watermark("12:16", [(2, "not paid in time")]),
            Finish(),
        ],
    ),
    "a_message_is_passed_again_after_ten_minutes": (
        _by(deduplication.Deduplicate, MESSAGES, "id", ordered=True),
        [
            Rows([(1, at("08:00"), "door open"), (2, at("08:02"), "smoke")]),
            Watermark("08:05", [(1, at("08:00"), "door open", True), (2, at("08:02"), "smoke", True)]),
            # A duplicate prolongs the memory: it ends ten minutes after 08:09.
            Rows([(1, at("08:09"), "door open"), (1, at("08:15"), "door open")]),
            Watermark("08:20"),
            Rows([(1, at("08:25"), "door open")]),
            Watermark("08:26", [(1, at("08:25"), "door open", True)]),
        ],
    ),
    "gaps_are_filled_three_times_at_most": (
        _by(gaps.FillGaps, READINGS, "sensor"),
        [
            Rows([("north", at("06:00"), 4.0)], [("north", 4.0, False)]),
            Watermark("06:09"),
            Watermark("06:20", [("north", 4.0, True), ("north", 4.0, True)]),
            Rows([("north", at("06:25"), 5.0)], [("north", 5.0, False)]),
            Watermark("08:00", [("north", 5.0, True)] * 3),
        ],
    ),
    "a_funnel_counts_steps_within_an_hour_of_the_first": (
        _by(funnel.Funnel, ACTIONS, "person", array("visit", "basket", "pay")),
        [
            Rows([("ada", at("09:00"), "visit")], [("ada", 1, "visit", dt.timedelta(0))]),
            Rows([("ada", at("09:20"), "pay"), ("bob", at("09:20"), "basket")]),
            Rows([("ada", at("09:30"), "basket")], [("ada", 2, "basket", dt.timedelta(minutes=30))]),
            Rows([("ada", at("10:01"), "pay")]),
        ],
    ),
    "trades_meet_the_last_quote_of_the_last_minute": (
        _as_of,
        [
            Rows({"trade": [("A", at("10:00:10"), 10.0)]}),
            # The quote comes later, but it is older than the trade, and the watermark has waited for it.
            Rows({"quote": [("A", at("10:00:00"), 9.0, 11.0)]}),
            Watermark("10:00:10", [("A", "A", 10.0, 9.0, 11.0)]),
            Rows({"trade": [("A", at("10:02:00"), 12.0), ("B", at("10:02:00"), 1.0)]}),
            Watermark("10:03", [("A", "A", 12.0, None, None), ("B", "B", 1.0, None, None)]),
        ],
    ),
    "the_best_are_known_at_the_end": (
        lambda env: _table(env, RESULTS).partition_by(col("game")).process(top.Top, descriptor("points"), 2),
        [
            Rows([("chess", "ada", 21), ("chess", "bob", 35)]),
            Rows([("chess", "cleo", 28), ("go", "dan", 9)]),
            Finish([("chess", 1, "chess", "bob", 35), ("chess", 2, "chess", "cleo", 28), ("go", 1, "go", "dan", 9)]),
        ],
    ),
    "a_top_of_all_rows_without_rows": (
        lambda env: _table(env, RESULTS).process(top.Top, descriptor("points"), 2),
        [Finish()],
    ),
    "counts_after_a_minute_without_rows": (
        _by(proposal.CountWithTimeout, {"user": "STRING", "ts": TIME}, "user"),
        [
            Rows([("ada", at("09:00:00")), ("ada", at("09:00:30")), ("bob", at("09:00:10"))]),
            Watermark("09:01:10", [("bob", 1)]),
            Watermark("09:01:30", [("ada", 2)]),
            # The timer has cleared the state.
            Rows([("ada", at("09:05:00"))]),
            Finish([("ada", 1)]),
        ],
    ),
    "one_customer_meets_one_order": (
        _one_match,
        [
            Rows({"order": [(1, 100, 5.0), (1, 101, 6.0)]}),
            Rows({"customer": [(1, "Ada", "London")]}, [(1, 1, ("Ada", "London"), (100, 5.0))]),
            Rows({"order": [(1, 102, 7.0)], "customer": [(2, "Bob", "Paris")]}),
        ],
    ),
    "a_join_forgets_a_key_after_its_time_to_live": (
        _built_in_join,
        [
            Rows({"left": [(1, at("09:00"), "Ada"), (2, at("09:00"), "Bob")]}),
            Rows(
                {"right": [(1, at("09:04"), 5.0)]},
                [(1, 1, (1, at("09:00"), "Ada"), (1, at("09:04"), 5.0))],
            ),
            Watermark("09:05"),
            # The state of Bob is gone.
            Rows({"right": [(2, at("09:06"), 7.0)]}),
        ],
    ),
    "values_that_are_later_than_all_before": (
        _by(proposal.TimedLastValue, {"k": "INT", "ts": TIME, "value": "STRING NOT NULL"}, "k"),
        [
            Rows([(1, at("09:00"), "a")], [(1, "INSERT", "a")]),
            Rows([(1, at("08:59"), "b"), (1, at("09:01"), "c")], [(1, "UPDATE_BEFORE", "a"), (1, "UPDATE_AFTER", "c")]),
        ],
    ),
    "every_change_has_its_symbol": (
        lambda env: _table(env, {"op": "STRING", "b": "STRING"}).process(proposal.BuiltInChangelog),
        [Rows([("UPDATE_BEFORE", "x"), ("DELETE", "y")], [("-U", "UPDATE_BEFORE", "x"), ("-D", "DELETE", "y")])],
    ),
    "every_row_of_a_table_is_an_insertion": (
        lambda env: _table(env, {"a": "INT", "b": "STRING"}).process(proposal.BuiltInChangelog),
        [Rows([(1, "x"), (2, None)], [("+I", 1, "x"), ("+I", 2, None)])],
    ),
}


def _emitted(harness: ProcessTableFunctionHarness) -> Emitted:
    """Return the new output without its times."""
    found = [
        tuple([value for name, value in zip(row.names or (), row, strict=True) if name != "rowtime"])
        for row in harness.get_output()
    ]
    harness.clear_output()
    return found


@pytest.mark.parametrize("restarts", [False, True])
@pytest.mark.parametrize("name", GALLERY)
def test_each_step_emits_what_the_function_is_for(name: str, restarts: bool) -> None:
    build, steps = GALLERY[name]
    settings = EnvironmentSettings.new_instance().with_built_in_catalog_name("memory").build()
    harness = ProcessTableFunctionHarness(build(TableEnvironment.create(settings)), restarts=restarts)
    for number, step in enumerate(steps):
        dropped = len(harness.get_late_rows())
        emits: Emitted = []
        if isinstance(step, Watermark):
            harness.set_watermark(at(step.time))
            emits = step.emits
        elif isinstance(step, Finish):
            harness.finish()
            emits = step.emits
        else:
            harness.process_batch(step.rows)
            emits = step.emits if isinstance(step, Rows) else []
        assert _emitted(harness) == emits, f"step {number}: {step}"
        late = len(step.rows) if isinstance(step, Late) else 0
        assert len(harness.get_late_rows()) - dropped == late


def test_every_function_of_the_gallery_has_steps() -> None:
    modules = (alerts, as_of_join, deduplication, funnel, gaps, proposal, sessions, top)
    declared = {
        made
        for module in modules
        for made in vars(module).values()
        if isinstance(made, type) and issubclass(made, ProcessTableFunction) and made.__module__ == module.__name__
    }
    tested = set()
    for build, _ in GALLERY.values():
        settings = EnvironmentSettings.new_instance().with_built_in_catalog_name("memory").build()
        (call,) = process_calls(build(TableEnvironment.create(settings)).query_operation)
        tested.add(type(call.function.user_code.implementation.target))  # type: ignore[union-attr]
    assert tested == declared
