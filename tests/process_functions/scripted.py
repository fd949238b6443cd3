"""Functions that do what their rows say, so that random rows try what functions can do with time, timers and state."""

# Without deferred annotations, as most people write classes.
import datetime as dt
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Annotated, Any

from tableapi import Row, RowKind
from tableapi.process_functions import (
    ArgumentTrait,
    ChangelogMode,
    Context,
    ListView,
    MapView,
    OnTimerContext,
    ProcessTableFunction,
    State,
    StateHint,
    StateRow,
    TableAsSet,
)

OptionalSet = Annotated[Row, ArgumentTrait.TABLE_AS_SET, ArgumentTrait.OPTIONAL_PARTITION_BY]
SECOND = dt.timedelta(seconds=1)
# What a row can ask for; its number says for when.
COMMANDS = (
    "nothing",
    "named",
    "other",
    "unnamed",
    "periodic",
    "watermark",
    "every watermark",
    "delete named",
    "delete unnamed",
    "delete watermark",
    "clear timers",
    "clear states",
    "clear total",
    "clear all",
    "add",
    "put",
    "remove",
    "empty",
)


@dataclass
class Seen:
    """A part of a state."""

    number: int | None = None
    text: str | None = None


@dataclass
class Total:
    """A state with nested parts."""

    count: int = 0
    last: Seen | None = None
    all: list[Seen] = field(default_factory=list)


@dataclass
class Told:
    """What a call saw, in words."""

    told: str


def read_time(timers: Any) -> str:
    """Return the times that a function sees."""
    return f"{timers.current_time()} {timers.current_watermark()} {timers.following_watermark()}"


def obey(ctx: Context, command: str, number: int) -> None:
    """Do what a row asks for with the timers."""
    timers = ctx.timers(int)
    at = (timers.current_time() or 0) + 100 * (number - 3)
    if command in ("named", "other"):
        timers.register_on_time(command, at)
    elif command == "unnamed":
        timers.register_on_time(at)
    elif command == "periodic":
        timers.register_on_periodic_time("named", at, dt.timedelta(milliseconds=900 + 400 * number))
    elif command == "watermark":
        timers.register_on_watermark()
    elif command == "every watermark":
        timers.register_on_periodic_watermark()
    elif command in ("delete named", "delete watermark"):
        timers.delete_timer(command.removeprefix("delete "))
    elif command == "delete unnamed":
        timers.delete_timer(at)
    elif command == "clear timers":
        ctx.clear_all_timers()
    elif command == "clear states":
        ctx.clear_all_state()
    elif command == "clear total":
        ctx.clear_state("total")
    elif command == "clear all":
        ctx.clear_all()


class Scripted(ProcessTableFunction):
    """Obey each row, and tell of all state and times."""

    def eval(
        self,
        ctx: Context,
        total: State[Total],
        row: Annotated[StateRow, StateHint(type="ROW<n BIGINT, s STRING>")],
        numbers: ListView[Seen],
        counts: MapView[str, int],
        r: OptionalSet,
    ) -> Iterator[Told]:
        yield Told(f"{r.command} {r.number} {read_time(ctx.timers(int))} {describe(total, row, numbers, counts)}")
        total.count += 1
        total.last = Seen(r.number, r.command)
        total.all.append(total.last)
        row.n, row["s"] = r.number, None if r.number == 2 else r.command
        if r.command == "add":
            numbers.add(Seen(r.number))
        elif r.command == "put":
            counts[f"k{r.number}"] = total.count
        elif r.command == "remove":
            counts.remove(f"k{r.number}")
        elif r.command == "empty":
            numbers.clear()
            counts.clear()
        obey(ctx, r.command, r.number)

    def on_timer(
        self, ctx: OnTimerContext, counts: MapView[str, int], total: Total, numbers: ListView[Seen]
    ) -> Iterator[Told]:
        shown = describe(total, None, numbers, counts)
        yield Told(f"timer {ctx.current_timer()} {read_time(ctx.timers(int))} {shown}")
        total.count += 100
        counts["timers"] = counts.get("timers", 0) + 1
        if ctx.current_timer() == "other" and counts["timers"] < 4:
            obey(ctx, "other", 2 + counts["timers"])

    def finish(self, ctx: Context, total: Total) -> Iterator[Told]:
        yield Told(f"finish {read_time(ctx.timers(int))} {total}")


def describe(total: Any, row: Any, numbers: Any, counts: Any) -> str:
    """Return all states in words."""
    return f"{total} {row} {list(numbers)} {sorted(counts.items())}"


TTL = StateHint(ttl=SECOND)


class Expiring(ProcessTableFunction):
    """Keep states of each kind that expire after a second."""

    def eval(
        self,
        ctx: Context,
        total: Annotated[Total, TTL],
        row: Annotated[StateRow, StateHint(type="ROW<n BIGINT>", defaults={"n": 7}, ttl=2 * SECOND)],
        numbers: Annotated[ListView[int], TTL],
        counts: Annotated[MapView[str, Seen], TTL],
        kept: ListView[int],
        r: TableAsSet[Row],
    ) -> Iterator[Told]:
        yield Told(f"{r.command} {r.number} {describe(total, row, numbers, counts)} {len(kept)}")
        kept.add(r.number)
        if r.command in ("named", "other", "clear total", "clear states"):
            obey(ctx, r.command, r.number)
        elif r.command == "add":
            numbers.add_all([r.number, r.number])
        elif r.command == "put":
            counts.put_all({f"k{r.number}": Seen(r.number)})
        elif r.command == "remove":
            counts.remove(f"k{r.number}")
        elif r.command == "empty":
            numbers.clear()
        elif r.command == "periodic":
            row.n += 1
        elif r.command == "watermark":
            # The same content: this is no change, and does not prolong the life of the state.
            total.count = int(total.count)
        else:
            total.count += 1
            total.last = Seen(r.number)

    def on_timer(self, total: Total, counts: MapView[str, Seen]) -> Iterator[Told]:
        yield Told(f"timer {total} {sorted(counts.keys())}")
        total.count += 1

    def finish(self, total: Total, numbers: ListView[int]) -> Iterator[Told]:
        yield Told(f"finish {total} {list(numbers)}")


class Paired(ProcessTableFunction):
    """Obey the rows of two tables."""

    def eval(
        self, ctx: Context, numbers: ListView[str], left: OptionalSet | None, right: OptionalSet | None
    ) -> Iterator[Told]:
        side, row = ("left", left) if left is not None else ("right", right)
        numbers.add(f"{side} {row.number}")
        yield Told(f"{side} {row.command} {read_time(ctx.timers(int))} {list(numbers)}")
        obey(ctx, row.command, row.number)

    def on_timer(self, ctx: OnTimerContext, numbers: ListView[str]) -> Iterator[Told]:
        yield Told(f"timer {ctx.current_timer()} {read_time(ctx.timers(int))} {len(numbers)}")

    def finish(self, numbers: ListView[str]) -> Iterator[Told]:
        yield Told(f"finish {list(numbers)}")


def read_late(ctx: Context, row: Any) -> str:
    """Return what ``on_late`` sees, after it has tried what only a partition has."""
    refused = []
    for ask in (
        lambda: ctx.timers(int).register_on_time(5),
        lambda: ctx.clear_state("total"),
        lambda: ctx.timers(int).register_on_watermark(),
    ):
        try:
            ask()
        except (RuntimeError, ValueError) as error:
            refused.append(str(error))
    ctx.clear_all()
    return f"late {row.command} {row.number} {read_time(ctx.timers(int))} {refused}"


class ScriptedLate(Scripted):
    """Obey each row, and tell of those that are late."""

    def on_late(self, ctx: Context, r: Row) -> Iterator[Told]:
        if r.command == "remove" and r.number == 3:
            raise ValueError("a row that on_late fails on")
        yield Told(read_late(ctx, r))
        if r.command == "add":
            yield Told("again")


class PairedLate(Paired):
    """Obey the rows of two tables, and tell of those that are late."""

    def on_late(self, right: Row | None, left: Row | None) -> list[Told]:
        return [Told(f"late {left!r} {right!r}")]


class Narrow(ProcessTableFunction):
    """Read other columns of late rows than of others, and other arguments."""

    def eval(self, total: State[Total], r: TableAsSet[Row], first: int, second: str) -> Iterator[Told]:
        total.count += first
        yield Told(f"{r.command} {total.count} {second}")

    def on_late(self, second: str, r: Row) -> Told:
        return Told(f"late {r.number} {second}")


class Changes(ProcessTableFunction):
    """Yield changes in all forms of rows, and one of a kind that is not declared."""

    def get_output_changelog_mode(self) -> ChangelogMode:
        return ChangelogMode.upsert()

    def eval(self, ctx: Context, total: State[Total], r: TableAsSet[Row]) -> Iterator[Told]:
        total.count += 1
        yield Told("an insertion")
        kinds: Any = {"add": RowKind.UPDATE_AFTER, "remove": RowKind.DELETE}
        if r.command in kinds:
            changed: Any = Row.of_kind(kinds[r.command], f"{r.command} {total.count}")
            yield changed
        elif r.command == "clear all" and r.number == 1:
            refused: Any = Row.of_kind(RowKind.UPDATE_BEFORE, "undeclared")
            yield refused
        obey(ctx, r.command, r.number)

    def on_timer(self, total: Total) -> Iterator[Any]:
        yield Row.of_kind(RowKind.DELETE, f"timer {total.count}")


class Replica(ProcessTableFunction):
    """Count the rows that a changelog leaves, and pass on each change of few columns."""

    def get_input_changelog_mode(self) -> ChangelogMode:
        return ChangelogMode.all()

    def get_output_changelog_mode(self) -> ChangelogMode:
        return ChangelogMode.all()

    def eval(self, total: State[Total], change: TableAsSet[Row]) -> Iterator[Told]:
        is_added = change.get_row_kind() in (RowKind.INSERT, RowKind.UPDATE_AFTER)
        total.count += 1 if is_added else -1
        made: Any = Row.of_kind(change.get_row_kind(), f"{change.op} {total.count}")
        yield made


class Sided(ProcessTableFunction):
    """Tell of the kinds of the rows of one of two tables; the other has insertions alone."""

    def eval(
        self,
        total: State[Total],
        changes: Annotated[OptionalSet, ArgumentTrait.SUPPORT_UPDATES] | None,
        rows: OptionalSet | None,
    ) -> Iterator[Told]:
        row = changes if changes is not None else rows
        assert row is not None
        yield Told(f"{row.get_row_kind()} {row.number} {row[2]}")
