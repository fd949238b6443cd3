"""A conversion funnel: ``python -m examples.process_functions.funnel``.

A funnel counts the people who completed one step after another, each within an hour of the first. The steps are a
constant argument of the call. The second function counts the rows that the first one emits.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from examples.process_functions.show import at, bars, show
from tableapi import Row, Table, TableEnvironment
from tableapi.expressions import array, col, descriptor, lit
from tableapi.process_functions import Context, ProcessTableFunction, State, TableAsSet

WITHIN = dt.timedelta(hours=1)


@dataclass
class Progress:
    """How far a person has got, and since when."""

    reached: int = 0
    began: dt.datetime | None = None


@dataclass
class Step:
    """A step that was reached."""

    number: int
    step: str
    after: dt.timedelta


class Funnel(ProcessTableFunction):
    """Emit a row for each step that a person reaches in order."""

    def eval(self, ctx: Context, progress: State[Progress], event: TableAsSet[Row], steps: list[str]) -> Iterator[Step]:
        if progress.began is not None and event.ts - progress.began > WITHIN:
            return
        if progress.reached < len(steps) and event.action == steps[progress.reached]:
            progress.reached += 1
            progress.began = progress.began or event.ts
            yield Step(progress.reached, event.action, event.ts - progress.began)


def build(env: TableEnvironment) -> Table:
    """Return how many people reached each step, and the longest time that it took them."""
    actions = [
        ("ada", at("09:00"), "visit"),
        ("ada", at("09:05"), "basket"),
        ("ada", at("09:09"), "pay"),
        ("bob", at("09:00"), "visit"),
        ("bob", at("09:01"), "pay"),
        ("bob", at("09:30"), "basket"),
        ("cleo", at("09:00"), "basket"),
        ("cleo", at("09:02"), "visit"),
        ("cleo", at("10:30"), "basket"),
    ]
    env.create_temporary_view("actions", env.from_elements(actions, ["person", "ts", "action"]))
    env.create_temporary_system_function("funnel", Funnel)
    steps = (
        env.from_path("actions")
        .partition_by(col("person"))
        .process("funnel", array("visit", "basket", "pay"), on_time=descriptor("ts"))
    )
    return (
        steps.group_by(col("number"), col("step"))
        .select(col("number"), col("step"), lit(1).count.alias("people"), col("after").max.alias("slowest"))
        .order_by(col("number"))
    )


def picture(rows: Sequence[Any]) -> str:
    """Draw how many people reached each step."""
    return bars({row.step: row.people for row in rows})


if __name__ == "__main__":
    show(build(TableEnvironment.create()), picture)
