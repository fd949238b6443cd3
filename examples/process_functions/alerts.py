"""Alerts with a timeout: ``python -m examples.process_functions.alerts``.

For each order, report that it was not paid within 15 minutes, or that it was paid without having been placed.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from examples.process_functions.show import at, show, timeline
from tableapi import Row, Table, TableEnvironment
from tableapi.expressions import col, descriptor
from tableapi.process_functions import Context, ProcessTableFunction, State, TableAsSet

PATIENCE = dt.timedelta(minutes=15)


@dataclass
class OrderState:
    """The state of an order."""

    is_placed: bool = False


@dataclass
class Alert:
    """A reason to look into an order."""

    alert: str


class Unpaid(ProcessTableFunction):
    """Wait for the payment of an order."""

    def eval(self, ctx: Context, order: State[OrderState], event: TableAsSet[Row]) -> Iterator[Alert]:
        if event.kind == "placed":
            order.is_placed = True
            ctx.timers().register_on_time("payment", event.ts + PATIENCE)
        elif not order.is_placed:
            yield Alert("paid, but never placed")
        else:
            ctx.clear_all_timers()

    def on_timer(self) -> Iterator[Alert]:
        yield Alert("not paid in time")


def build(env: TableEnvironment) -> Table:
    """Return the alerts for some orders."""
    events = [
        (100, at("12:00"), "placed"),
        (100, at("12:14"), "paid"),
        (101, at("12:01"), "placed"),
        (101, at("12:20"), "paid"),
        (102, at("12:02"), "paid"),
        (103, at("12:03"), "placed"),
    ]
    env.create_temporary_view("order_events", env.from_elements(events, ["order_id", "ts", "kind"]))
    env.create_temporary_system_function("unpaid", Unpaid)
    return env.from_path("order_events").partition_by(col("order_id")).process("unpaid", on_time=descriptor("ts"))


def picture(rows: Sequence[Any]) -> str:
    """Draw when there were alerts: for an unpaid order (!) or an order that was never placed (?)."""
    signs = {"not paid in time": "!", "paid, but never placed": "?"}
    return timeline([(row.order_id, row.rowtime, row.rowtime, " " + signs[row.alert]) for row in rows])


if __name__ == "__main__":
    show(build(TableEnvironment.create()), picture)
