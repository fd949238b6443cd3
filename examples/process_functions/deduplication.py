"""Deduplication with a memory that ends: ``python -m examples.process_functions.deduplication``.

A message is a duplicate if a message with the same id came within the ten minutes before it. The state of an id expires
by itself (time to live of the state).
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

from examples.process_functions.show import at, show, timeline
from tableapi import Row, Table, TableEnvironment
from tableapi.expressions import col, descriptor
from tableapi.process_functions import (
    ArgumentHint,
    ArgumentTrait,
    ProcessTableFunction,
    StateHint,
)

MEMORY = dt.timedelta(minutes=10)


@dataclass
class Seen:
    """How often an id was seen."""

    times: int = 0


class Deduplicate(ProcessTableFunction):
    """Pass the first message of an id through, and drop its duplicates."""

    def eval(
        self,
        seen: Annotated[Seen, StateHint(ttl=MEMORY)],
        message: Annotated[Row, ArgumentHint(ArgumentTrait.TABLE_AS_SET, ArgumentTrait.PASS_COLUMNS_THROUGH)],
    ) -> Iterator[bool]:
        seen.times += 1
        if seen.times == 1:
            yield True


def build(env: TableEnvironment) -> Table:
    """Return the messages without duplicates."""
    messages = [
        (1, at("08:00"), "door open"),
        (1, at("08:01"), "door open"),
        (2, at("08:02"), "smoke"),
        (1, at("08:09"), "door open"),
        (1, at("08:30"), "door open"),
        (2, at("08:03"), "smoke"),
    ]
    env.create_temporary_view("messages", env.from_elements(messages, ["id", "ts", "text"]))
    env.create_temporary_system_function("deduplicate", Deduplicate)
    passed = env.from_path("messages").partition_by(col("id")).process("deduplicate", on_time=descriptor("ts"))
    return passed.select(col("id"), col("ts"), col("text"))


def picture(rows: Sequence[Any]) -> str:
    """Draw when a message was passed, and the ten minutes in which another one would be a duplicate."""
    return timeline([(f"{row.id} {row.text}", row.ts, row.ts + MEMORY, "·|") for row in rows])


if __name__ == "__main__":
    show(build(TableEnvironment.create()), picture)
