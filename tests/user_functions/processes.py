"""Process table functions for workers without this project: state, timers, objects, two tables."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from dataclasses import dataclass

from tableapi import Row
from tableapi.process_functions import (
    Context,
    ListView,
    OnTimerContext,
    ProcessTableFunction,
    State,
    TableAsRow,
    TableAsSet,
)


@dataclass
class Part:
    id: int
    text: str | None


@dataclass
class Parted:
    id: int
    parts: list[Part]
    by_name: dict[str, Part]


@dataclass
class Seen:
    rows: int = 0
    last: Part | None = None


@dataclass
class Told:
    what: str
    rows: int
    last: Part | None


class Timeouts(ProcessTableFunction):
    """Report the number of rows after 15 seconds without any, and at the end."""

    def eval(self, ctx: Context, seen: State[Seen], input: TableAsSet[Row]) -> Iterator[Told]:
        seen.rows += 1
        seen.last = Part(input.id, input.text)
        timers = ctx.timers()
        timers.register_on_time("silence", timers.current_time() + dt.timedelta(seconds=15))
        yield from ()

    def on_timer(self, ctx: OnTimerContext, seen: Seen) -> Iterator[Told]:
        yield Told(ctx.current_timer() or "", seen.rows, seen.last)

    def finish(self, seen: Seen) -> Iterator[Told]:
        yield Told("end", seen.rows, seen.last)


class Parts(ProcessTableFunction):
    """Return the classes of a row's parts."""

    def eval(self, input: TableAsRow[Parted]) -> Iterator[str]:
        kinds = [type(part).__name__ for part in (*input.parts, *input.by_name.values())]
        yield f"{type(input).__name__} {input.id}: {' '.join(kinds)} {input.by_name['a'].text}"


class Pairs(ProcessTableFunction):
    """Pair each row of the right table with the rows of the left one, which come first."""

    def eval(self, before: ListView[Part], left: TableAsSet[Part], right: TableAsSet[Row]) -> Iterator[tuple[int, int]]:
        if left is not None:
            before.add(left)
        else:
            for part in before:
                yield right.id, part.id
