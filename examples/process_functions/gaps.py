"""Filling gaps: ``python -m examples.process_functions.gaps``.

A sensor reports a value every ten minutes. If it misses one, the last value stands in for at most half an hour.
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

STEP = dt.timedelta(minutes=10)
MOST = 3


@dataclass
class Last:
    """The last value, and how often it has stood in."""

    value: float | None = None
    filled: int = 0


@dataclass
class Reading:
    """A value that was reported, or that stands in for a missing one."""

    value: float | None
    is_filled: bool


class FillGaps(ProcessTableFunction):
    """Emit each reported value, and a stand-in for each missing one."""

    def eval(self, ctx: Context, last: State[Last], reading: TableAsSet[Row]) -> Iterator[Reading]:
        last.value, last.filled = reading.value, 0
        ctx.timers().register_on_time("missing", reading.ts + STEP)
        yield Reading(reading.value, False)

    def on_timer(self, ctx: Context, last: Last) -> Iterator[Reading]:
        timers = ctx.timers()
        now = timers.current_time()
        last.filled += 1
        yield Reading(last.value, True)
        if last.filled < MOST and now is not None:
            timers.register_on_time("missing", now + STEP)


def build(env: TableEnvironment) -> Table:
    """Return readings without gaps."""
    readings = [
        ("north", at("06:00"), 4.0),
        ("north", at("06:10"), 4.5),
        ("north", at("06:40"), 6.0),
        ("south", at("06:00"), 9.0),
        ("south", at("07:00"), 9.5),
    ]
    env.create_temporary_view("readings", env.from_elements(readings, ["sensor", "ts", "value"]))
    env.create_temporary_system_function("fill_gaps", FillGaps)
    return env.from_path("readings").partition_by(col("sensor")).process("fill_gaps", on_time=descriptor("ts"))


def picture(rows: Sequence[Any]) -> str:
    """Draw when there are values: reported ones (●) and stand-ins (○)."""
    return timeline([(row.sensor, row.rowtime, row.rowtime, " ○" if row.is_filled else " ●") for row in rows])


if __name__ == "__main__":
    show(build(TableEnvironment.create()), picture)
