"""The model of the harness gives the rows of the runtime of workers, for random rows of every call."""

from __future__ import annotations

import datetime as dt
import os
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tableapi.exceptions import SparkExecutionException
from tableapi.spark.runtime.failures import FunctionFailed
from tableapi.testing import ProcessTableFunctionHarness
from tableapi.testing.process_call import TypedCall
from tests.cases import fewer
from tests.process_functions.batch_runtime import run_over_table
from tests.process_functions.model_calls import by_partition, harness_of, operations, rows_of, time_of

# Set TABLEAPI_EXAMPLES for a longer run after a change of the model or of a runtime.
MANY = int(os.environ.get("TABLEAPI_EXAMPLES") or fewer(12))
FEW = max(MANY // 4, 1)
OPERATIONS = operations()
NAMES = list(OPERATIONS)
Rows = list[tuple[int, tuple[Any, ...]]]


def in_order(call: Any, rows: Rows) -> Rows:
    """Return rows in the order in which a query gives them to its partitions, without that of ORDER BY."""
    typed = TypedCall(call, {})
    read = [typed.read_row(table, row, 0) for table, row in rows]
    order = sorted(range(len(rows)), key=lambda number: (read[number].time or 0, rows[number][0]))
    return [rows[number] for number in order]


def process(call: Any, harness: ProcessTableFunctionHarness, rows: Rows) -> None:
    for table, row in rows:
        harness.process_element_for_table(call.signature.tables[table].name, row)


def test_every_call_is_compared() -> None:
    refused = [name for name, (query, call) in OPERATIONS.items() if harness_of(query, call, mode="batch") is None]
    assert refused == []
    assert len(OPERATIONS) > 70


@pytest.mark.parametrize("name", NAMES)
def test_batch_mode_equals_the_runtime_over_a_table(name: str) -> None:
    query, call = OPERATIONS[name]

    @settings(max_examples=MANY if "scripted" in name or "paired" in name or "expiring" in name else FEW)
    @given(rows=rows_of(call), size=st.integers(1, 6))
    def check(rows: Rows, size: int) -> None:
        rows = in_order(call, rows)
        try:
            expected = run_over_table(call, rows, size)
        except FunctionFailed:
            expected = None
        harness = harness_of(query, call, mode="batch")
        assert harness is not None
        try:
            if not call.tables:
                harness.process()
            process(call, harness, rows)
            harness.finish()
        except SparkExecutionException:
            assert expected is None
            return
        assert expected is not None
        assert by_partition(call, harness.get_output()) == by_partition(call, expected)

    check()


IN_ORDER = [name for name in NAMES if name.startswith("ordered_") or name == "expiring_in_order"]
TIMED = [name for name, (_, call) in OPERATIONS.items() if call.on_time]


@st.composite
def streams(draw: Any, call: Any) -> list[tuple[Rows, dt.datetime]]:
    """Return micro-batches with rows in any order, and the watermark after each."""
    rows = draw(rows_of(call))
    delay = dt.timedelta(milliseconds=draw(st.integers(0, 4_000)))
    cuts = sorted(draw(st.lists(st.integers(0, len(rows)), max_size=4)))
    batches, watermark = [], dt.datetime(1969, 12, 31)
    for start, stop in zip([0, *cuts], [*cuts, len(rows)], strict=True):
        batch = rows[start:stop]
        times = [time_of(call, table, row) for table, row in batch]
        reached = max([watermark, *[time - delay for time in times]])
        watermark = max(watermark, reached.replace(microsecond=reached.microsecond // 1_000 * 1_000))
        batches.append((batch, watermark))
    return batches


def run_stream(call: Any, harness: ProcessTableFunctionHarness, batches: list[tuple[Rows, dt.datetime]]) -> list[Any]:
    names = [table.name for table in call.signature.tables]
    for rows, watermark in batches:
        of_tables: dict[str, list[Any]] = {name: [] for name in names}
        for table, row in rows:
            of_tables[names[table]].append(row)
        harness.process_batch(of_tables, watermark=watermark)
    harness.finish()
    return harness.get_output()


@pytest.mark.parametrize("name", IN_ORDER)
def test_a_stream_with_order_equals_a_table_of_the_rows_that_are_not_late(name: str) -> None:
    query, call = OPERATIONS[name]

    @settings(max_examples=MANY)
    @given(batches=streams(call), restarts=st.booleans())
    def check(batches: list[tuple[Rows, dt.datetime]], restarts: bool) -> None:
        harness = harness_of(query, call, restarts=restarts)
        assert harness is not None
        output = run_stream(call, harness, batches)
        kept: Rows = []
        watermark = dt.datetime(1969, 12, 31)
        for rows, following in batches:
            kept += [(table, row) for table, row in rows if time_of(call, table, row) > watermark]
            watermark = following
        late = sum(len(rows) for rows, _ in batches) - len(kept)
        assert len(harness.get_late_rows()) == late
        assert by_partition(call, output) == by_partition(call, run_over_table(call, kept, 5))

    check()


@pytest.mark.parametrize("name", TIMED)
def test_a_restart_before_each_step_changes_nothing(name: str) -> None:
    query, call = OPERATIONS[name]

    @settings(max_examples=FEW)
    @given(batches=streams(call))
    def check(batches: list[tuple[Rows, dt.datetime]]) -> None:
        found = []
        for restarts in (False, True):
            harness = harness_of(query, call, restarts=restarts)
            assert harness is not None
            try:
                # NaN in a key differs from itself, but not its text.
                found.append([repr(run_stream(call, harness, batches)), repr(harness.get_fired_timers())])
            except SparkExecutionException:
                found.append([])
        assert found[0] == found[1]

    check()
