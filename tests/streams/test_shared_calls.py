"""A statement set over one call: it runs once, beside async functions, and its late rows have a sink of their own."""

from __future__ import annotations

import dataclasses
import datetime as dt
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ir.streaming.sharing import find_shared_source
from tableapi import (
    AsyncScalarFunction,
    Row,
    RowKind,
    Schema,
    StatementSet,
    StreamOptions,
    Table,
    TableDescriptor,
    TableEnvironment,
    udf,
)
from tableapi.expressions import col, descriptor
from tableapi.process_functions import (
    ChangelogMode,
    Context,
    ListView,
    MapView,
    ProcessTableFunction,
    State,
    TableAsSet,
)
from tableapi.testing import ProcessTableFunctionHarness
from tests.streams.event_files import DELAY, START, Event, Files

UTC = dt.timezone.utc


class Look(AsyncScalarFunction):
    """Look a value up, as in a service."""

    async def eval(self, value: str) -> str:
        return value.upper()


look = udf(Look())


@dataclasses.dataclass
class Last:
    value: str | None = None


@dataclasses.dataclass
class Seen:
    """An output row: the sink that it is for, and what the function saw."""

    target: str
    value: str
    rows: int | None


class Watch(ProcessTableFunction):
    """Number the rows of a key with states of all kinds, as changes; late rows are for a sink of their own."""

    def __init__(self, log: str) -> None:
        self.log = log

    def get_output_changelog_mode(self) -> ChangelogMode:
        return ChangelogMode.upsert()

    def eval(
        self, last: State[Last], rows: ListView[str], counts: MapView[str, int], row: TableAsSet[Row]
    ) -> Iterator[Seen]:
        with Path(self.log).open("a", encoding="utf-8") as file:
            file.write(f"{row.value}\n")
        rows.add(row.value)
        counts[row.value] = (counts.get(row.value) or 0) + 1
        kind = RowKind.INSERT if len(rows) == 1 else RowKind.UPDATE_AFTER
        made: Any = Row.of_kind(kind, "main", f"{last.value} {row.value} {counts[row.value]}", len(rows))
        yield made
        last.value = row.value

    def on_late(self, ctx: Context, row: Row) -> Iterator[Seen]:
        watermark = ctx.timers(int).current_watermark()
        assert watermark is not None
        yield Seen("late", row.value, (watermark - int(row.at.timestamp() * 1000)) // 1000)


def _event(second: int, key: str | None, value: str) -> Event:
    return {"k": key, "ts": START + dt.timedelta(seconds=second), "value": value}


RUNS: list[list[list[Event]]] = [
    [[_event(0, "a", "x"), _event(10, None, "y")], [_event(5000, "a", "x")]],
    [[_event(6000, "a", "z"), _event(4500, "a", "x")], [_event(6100, "a", "x"), _event(100, None, "late")]],
]


def _call(events: Table, log: Path) -> Table:
    looked = events.select(col("k"), col("at"), look(col("value")).alias("value"))
    return looked.partition_by(col("k")).process(Watch(str(log)), on_time=descriptor("at"), uid="watch")


def _expect(query: Table) -> list[tuple[Any, ...]]:
    """Return the rows of the call by the model of the harness."""
    harness, seen = ProcessTableFunctionHarness(query, restarts=True), None
    for rows in [file for run in RUNS for file in [*run, []]]:
        given = [{"k": r["k"], "at": r["ts"].replace(tzinfo=UTC), "value": r["value"].upper()} for r in rows]
        harness.process_batch(given, watermark=None if seen is None else seen - DELAY)
        seen = max([*([] if seen is None else [seen]), *[row["ts"] for row in rows]])
    return [(row.k, row.op, row.target, row.value, row.rows) for row in harness.get_output()]


def _set(env: TableEnvironment, called: Table) -> StatementSet:
    statements = env.create_statement_set()
    for target in ("main", "late"):
        rows = called.filter(col("target") == target)
        statements.add_insert(target, rows.select(col("k"), col("op"), look(col("value")).alias("value"), col("rows")))
    return statements


def test_a_call_is_shared_with_what_is_computed_from_its_rows(env: TableEnvironment, tmp_path: Path) -> None:
    files = Files(env, tmp_path / "events")
    called = _call(files.stream(), tmp_path / "log")
    assert find_shared_source(called.filter(col("target") == "main").query_operation).source is called.query_operation
    grouped = find_shared_source(called.group_by(col("k"), col("op")).select(col("rows").sum).query_operation)
    assert grouped.source is None


@pytest.mark.nightly
@pytest.mark.long
def test_a_statement_set_runs_a_call_once(env: TableEnvironment, tmp_path: Path) -> None:
    schema = Schema.new_builder().column("k", "STRING").column("op", "STRING")
    schema = schema.column("value", "STRING").column("rows", "INT").build()
    for name in ("main", "late"):
        sink = TableDescriptor.for_connector("filesystem").schema(schema).format("json")
        env.create_temporary_table(name, sink.option("path", str(tmp_path / name)).build())
    files, log = Files(env, tmp_path / "events"), tmp_path / "log"
    expected = _expect(_call(files.stream(), tmp_path / "log of the model"))
    options = StreamOptions(trigger="available-now", checkpoint=tmp_path / "checkpoint")
    shown = _set(env, _call(files.stream(), log)).explain()
    assert "Statements 1, 2 are one query: it runs the call of `Watch` once, keeps each batch" in shown
    late = 0
    for partitions, run in zip("25", RUNS, strict=True):
        # The state keeps the partitions of the first start, whatever the session has later.
        env.spark.conf.set("spark.sql.shuffle.partitions", partitions)
        for file in run:
            files.drop(file)
        result = _set(env, _call(files.stream(), log)).execute(options=options)
        assert result.wait()
        records = result.progress()
        assert sum(record.rows_in for record in records) == sum(map(len, run))
        assert sum(call.rows for record in records for call in record.calls) == sum(map(len, run))
        late += sum(record.late_rows for record in records)
        assert env.spark.conf.get("spark.sql.shuffle.partitions") == partitions
    assert late == 1
    for target in ("main", "late"):
        with env.from_path(target).execute().collect() as rows:
            found = sorted(map(tuple, rows), key=repr)
        wanted = [(k, op, value.upper(), n) for k, op, to, value, n in expected if to == target]
        assert found == sorted(wanted, key=repr)
        assert {op for _, op, _, _ in found} == ({"INSERT", "UPDATE_AFTER"} if target == "main" else {"INSERT"})
    # No row has been processed twice.
    assert sorted(log.read_text(encoding="utf-8").split()) == sorted(
        (tmp_path / "log of the model").read_text(encoding="utf-8").split()
    )
    states = env.read_state(tmp_path / "checkpoint" / "1", "watch").order_by(col("k"))
    with states.execute().collect() as read:
        assert [(row.k, row.last.value, len(row.rows), row.counts) for row in read] == [
            (None, "Y", 1, {"Y": 1}),
            ("a", "X", 5, {"X": 4, "Z": 1}),
        ]
