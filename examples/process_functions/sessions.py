"""Sessions by business rules: ``python -m examples.process_functions.sessions``.

A user's session ends after half an hour without an event, ends at once with a purchase, and never lasts longer than two
hours. SQL has windows for the first of these three rules only.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from examples.process_functions.show import at, show, timeline
from tableapi import Row, Table, TableEnvironment
from tableapi.expressions import col, descriptor
from tableapi.process_functions import Context, OnTimerContext, ProcessTableFunction, State, TableAsSet

GAP, LONGEST = dt.timedelta(minutes=30), dt.timedelta(hours=2)


@dataclass
class Session:
    """A session so far."""

    began: dt.datetime | None = None
    events: int = 0
    spent: float = 0.0


@dataclass
class Ended:
    """A session that has ended, and why."""

    began: dt.datetime
    events: int
    spent: float
    reason: str


class Sessions(ProcessTableFunction):
    """Emit a row for each session when it ends."""

    def eval(self, ctx: Context, session: State[Session], event: TableAsSet[Row]) -> Iterator[Ended]:
        timers = ctx.timers()
        now = event.ts
        if session.began is None:
            session.began = now
            timers.register_on_time("longest", now + LONGEST)
        session.events += 1
        session.spent += event.amount or 0.0
        timers.register_on_time("gap", now + GAP)
        if event.kind == "purchase":
            yield self.ended(session, "purchase")
            ctx.clear_all()

    def on_timer(self, ctx: OnTimerContext, session: Session) -> Iterator[Ended]:
        yield self.ended(session, "silence" if ctx.current_timer() == "gap" else "too long")
        ctx.clear_all()

    @staticmethod
    def ended(session: Session, reason: str) -> Ended:
        """Return the output row of a session."""
        assert session.began is not None
        return Ended(session.began, session.events, session.spent, reason)


def build(env: TableEnvironment) -> Table:
    """Return the sessions of some events."""
    events = [
        ("ada", at("09:00"), "view", None),
        ("ada", at("09:10"), "view", None),
        ("ada", at("09:12"), "purchase", 20.0),
        ("ada", at("09:13"), "view", None),
        ("bob", at("09:00"), "view", None),
        ("bob", at("09:45"), "view", None),
        *[("cleo", at("10:00") + dt.timedelta(minutes=20 * number), "view", None) for number in range(8)],
    ]
    env.create_temporary_view("events", env.from_elements(events, ["user", "ts", "kind", "amount"]))
    env.create_temporary_system_function("sessions", Sessions)
    return env.from_path("events").partition_by(col("user")).process("sessions", on_time=descriptor("ts"))


def picture(rows: Sequence[Any]) -> str:
    """Draw each session as a line that ends with the first letter of its reason to end."""
    return timeline([(row.user, row.began, row.rowtime, f"={row.reason[0]}") for row in rows])


if __name__ == "__main__":
    show(build(TableEnvironment.create()), picture)
