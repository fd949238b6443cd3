"""A call over two streams with a list, a map and a state that expires, with restarts, against the model."""

from __future__ import annotations

import dataclasses
import datetime as dt
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import pytest

from tableapi import Row, StreamOptions, StreamProgress, Table, TableEnvironment
from tableapi.expressions import col, descriptor, lit
from tableapi.process_functions import (
    Context,
    ListView,
    MapView,
    OnTimerContext,
    ProcessTableFunction,
    State,
    StateHint,
    TableAsSet,
)
from tableapi.testing import ProcessTableFunctionHarness
from tableapi.window import Tumble
from tests.streams.event_files import DELAY, START, Event, Files

pytestmark = pytest.mark.long

UTC = dt.timezone.utc


@dataclasses.dataclass
class Last:
    value: str | None = None


class Joins(ProcessTableFunction):
    """Keep all rows of the left table, count the values of both, and forget the last value after 20 minutes."""

    def eval(
        self,
        ctx: Context,
        rows: ListView[str],
        counts: MapView[str, int],
        last: Annotated[Last, StateHint(ttl=dt.timedelta(minutes=20))],
        left: TableAsSet[Row] | None,
        right: TableAsSet[Row] | None,
    ) -> Iterator[str]:
        row = left or right
        assert row is not None
        counts[row.value] = (counts.get(row.value) or 0) + 1
        if left is not None:
            # So much that the list is stored in chunks.
            rows.add(row.value * 40_000)
            ctx.timers().register_on_time("soon", ctx.timers().current_time() + dt.timedelta(minutes=12))
        elif row.value == "z":
            rows.clear()
        yield f"{len(rows)} {sum(map(len, rows)) if right else ''} {sorted(counts.items())} {last.value}"
        last.value = row.value

    def on_timer(self, ctx: OnTimerContext, rows: ListView[str], last: Last) -> Iterator[str]:
        yield f"timer {len(rows)} {last.value}"


def _call(env: TableEnvironment, files: Files, *, ordered: bool) -> Table:
    tables = []
    for kind in ("left", "right"):
        table = files.stream().filter(col("kind") == kind).partition_by(col("k"))
        tables.append(table.order_by(col("at"), col("value")) if ordered else table)
    return env.from_call(Joins, *tables, on_time=descriptor("at"), uid="joins")


def _event(second: int, key: str | None, kind: str, value: str) -> Event:
    return {"k": key, "ts": START + dt.timedelta(seconds=second), "kind": kind, "value": value}


FILES: list[list[Event]] = [
    [_event(0, "a", "left", "x"), _event(10, "a", "right", "y"), _event(5, None, "left", "x")],
    [_event(900, "a", "left", "y"), _event(600, "a", "left", "x"), _event(1000, "b", "right", "x")],
    [_event(2600, "b", "right", "z"), _event(2500, "a", "right", "x")],
    [
        _event(2700, "a", "left", "x"),
        _event(100, "a", "left", "late"),
        _event(9000, "a", "right", "z"),
        _event(2600, None, "left", "y"),
    ],
    [_event(9100, "a", "left", "x"), _event(1500, "a", "right", "late"), _event(9200, "b", "left", "x")],
]


def _model(query: Table, runs: list[list[list[Event]]]) -> tuple[list[list[Any]], int]:
    """Return the rows of each run by the model, and the number of late rows.

    Spark filters the rows of each stream before it takes the watermark from them.
    """
    harness = ProcessTableFunctionHarness(query, restarts=True)
    seen: dict[str, dt.datetime] = {}
    found = []
    for files in runs:
        for rows in [*files, []]:
            given: dict[str, list[Any]] = {"left": [], "right": []}
            for row in rows:
                given[row["kind"]].append({**row, "at": row["ts"].replace(tzinfo=UTC)})
            harness.process_batch(given, watermark=min(seen.values()) - DELAY if len(seen) == 2 else None)
            for row in rows:
                seen[row["kind"]] = max(row["ts"], seen.get(row["kind"], row["ts"]))
        found.append(sorted(map(repr, map(tuple, harness.get_output()))))
        harness.clear_output()
    return found, len(harness.get_late_rows())


def _run(query: Table, checkpoint: Path) -> tuple[list[tuple[Any, ...]], list[StreamProgress]]:
    """Return the rows of all batches, and the progress."""
    found: list[tuple[Any, ...]] = []

    def take(batch: Table, number: int) -> None:
        with batch.execute().collect() as made:
            found.extend(map(tuple, made))

    options = StreamOptions(trigger="available-now", checkpoint=checkpoint, output_mode="append")
    result = query.for_each_batch(take, options=options)
    assert result.wait()
    return found, result.progress()


@pytest.mark.parametrize("ordered", [False, pytest.param(True, marks=pytest.mark.nightly)])
def test_two_streams(ordered: bool, env: TableEnvironment, tmp_path: Path) -> None:
    files = Files(env, tmp_path / "events")
    query = _call(env, files, ordered=ordered)
    runs = [FILES[:3], FILES[3:]]
    expected, late = _model(query, runs)
    assert late > 0
    counted = 0
    for rows, run in zip(runs, expected, strict=True):
        for file in rows:
            files.drop(file)
        found, records = _run(query, tmp_path / "checkpoint")
        assert sorted(map(repr, found)) == run
        assert {call.uid for record in records for call in record.calls} == {"joins"}
        counted += sum(record.late_rows for record in records)
        assert sum(call.rows for record in records for call in record.calls) == sum(map(len, rows))
    assert counted == late
    # The list of one key has more than one chunk.
    assert max(call.largest_state for record in records for call in record.calls) > 64 << 10


# --- after a call ----------------------------------------------------------------------------------------------------


class Echoes(ProcessTableFunction):
    """Emit each row at once, and again two minutes later."""

    def eval(self, ctx: Context, last: State[Last], row: TableAsSet[Row]) -> Iterator[str]:
        timers = ctx.timers()
        timers.register_on_time(timers.current_time() + dt.timedelta(minutes=2))
        last.value = row.value
        yield row.value

    def on_timer(self, last: Last) -> Iterator[str]:
        yield f"after {last.value}"


class Numbers(ProcessTableFunction):
    """Number the rows of each key."""

    def eval(self, seen: ListView[str], row: TableAsSet[Row]) -> Iterator[str]:
        seen.add(row[1])
        yield f"{len(seen)} {row[1]}"


@pytest.mark.nightly
def test_windows_after_a_chain_of_calls(env: TableEnvironment, tmp_path: Path) -> None:
    files = Files(env, tmp_path / "events")
    echoed = files.stream().partition_by(col("k")).process(Echoes, on_time=descriptor("at"), uid="echoes")
    numbered = echoed.partition_by(col("k")).process(Numbers, on_time=descriptor("rowtime"), uid="numbers")
    window = Tumble.over(lit(10).minutes).on(col("rowtime")).alias("w")
    counted = numbered.window(window).group_by(col("w"), col("k")).select(col("w").start, col("k"), lit(1).count)
    expected: dict[tuple[dt.datetime, str | None], int] = {}
    for event in (event for file in FILES for event in file if event["value"] != "late"):
        for time in (event["ts"], event["ts"] + dt.timedelta(minutes=2)):
            start = time.replace(minute=time.minute // 10 * 10, second=0, tzinfo=UTC)
            expected[start, event["k"]] = expected.get((start, event["k"]), 0) + 1
    last = max(event["ts"] for event in FILES[-1]).replace(tzinfo=UTC) - DELAY
    closed = [(start, key, n) for (start, key), n in expected.items() if start + dt.timedelta(minutes=10) <= last]
    found = []
    for part in (FILES[:3], FILES[3:]):
        for file in part:
            files.drop(file)
        found += _run(counted, tmp_path / "checkpoint")[0]
    assert sorted(found, key=repr) == sorted(closed, key=repr)
