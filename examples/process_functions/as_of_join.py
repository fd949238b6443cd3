"""An as-of join: ``python -m examples.process_functions.as_of_join``.

Join each trade with the quote that was valid at its time. Both tables are partitioned by the same key, and their rows
arrive in the order of time. A quote older than a minute does not count.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

from examples.process_functions.show import at, show, timeline
from tableapi import Table, TableEnvironment
from tableapi.expressions import col, descriptor
from tableapi.process_functions import ProcessTableFunction, StateHint, TableAsSet


@dataclass
class Quote:
    """A price at which one can buy or sell."""

    ts: dt.datetime
    bid: float
    ask: float


@dataclass
class Trade:
    """Something that was sold."""

    ts: dt.datetime
    price: float


@dataclass
class LastQuote:
    """The last quote so far."""

    quote: Quote | None = None


@dataclass
class Joined:
    """A trade with its quote."""

    price: float
    bid: float | None
    ask: float | None


class AsOf(ProcessTableFunction):
    """Join each trade with the last quote at or before its time."""

    def eval(
        self,
        last: Annotated[LastQuote, StateHint(ttl=dt.timedelta(minutes=1))],
        quote: TableAsSet[Quote | None],
        trade: TableAsSet[Trade | None],
    ) -> Iterator[Joined]:
        if quote is not None:
            last.quote = quote
        if trade is not None:
            valid = last.quote
            yield Joined(trade.price, valid.bid if valid else None, valid.ask if valid else None)


def build(env: TableEnvironment) -> Table:
    """Return some trades with their quotes."""
    quotes = [
        ("AAA", at("10:00:00"), 9.9, 10.1),
        ("AAA", at("10:00:20"), 10.0, 10.2),
        ("BBB", at("10:00:00"), 5.0, 5.5),
    ]
    trades = [
        ("AAA", at("09:59:59"), 10.0),
        ("AAA", at("10:00:10"), 10.1),
        ("AAA", at("10:00:20"), 10.2),
        ("AAA", at("10:02:00"), 10.3),
        ("BBB", at("10:00:01"), 5.2),
    ]
    env.create_temporary_view("quotes", env.from_elements(quotes, ["symbol", "ts", "bid", "ask"]))
    env.create_temporary_view("trades", env.from_elements(trades, ["symbol", "ts", "price"]))
    env.create_temporary_system_function("as_of", AsOf)
    joined = env.from_call(
        "as_of",
        env.from_path("quotes").partition_by(col("symbol")),
        env.from_path("trades").partition_by(col("symbol")),
        on_time=descriptor("ts"),
    )
    return joined.select(col("symbol"), col("rowtime"), col("price"), col("bid"), col("ask"))


def picture(rows: Sequence[Any]) -> str:
    """Draw when there were trades: with a quote (x) or without one (?)."""
    return timeline([(row.symbol, row.rowtime, row.rowtime, " ?" if row.bid is None else " x") for row in rows])


if __name__ == "__main__":
    show(build(TableEnvironment.create()), picture)
