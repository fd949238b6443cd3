"""Every call over streams: the runtime gives the rows of the model of the harness, or the call is refused.

The calls are those of the gallery, of the proposal, of Flink's programs, and of functions that obey their rows. Lists
and maps are also stored in chunks of a few bytes, so that all ways to store them are tried. With ORDER BY, the model
gives the rows of the runtime of tables, which ``tests.testing.test_process_model`` shows.
"""

from __future__ import annotations

import datetime as dt
import os
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ir import types as t
from ir.identifiers import ObjectIdentifier
from ir.operations.process import ProcessTable
from ir.operations.source import Source, StreamRead
from ir.streaming.process_calls import refused_calls
from tableapi.exceptions import SparkExecutionException
from tableapi.spark.runtime.failures import FunctionFailed
from tests.cases import fewer
from tests.process_functions.model_calls import START, by_partition, harness_of, operations, rows_of, time_of
from tests.process_functions.stream_runtime import CalledStream

MANY = int(os.environ.get("TABLEAPI_EXAMPLES") or fewer(12))
FEW = max(MANY // 4, 1)
_TIMES = (t.TimestampType, t.LocalZonedTimestampType)
MILLISECOND = dt.timedelta(milliseconds=1)
Rows = list[tuple[int, tuple[Any, ...]]]
Batches = list[tuple[Rows, dt.datetime | None]]


def over_streams(call: ProcessTable) -> ProcessTable:
    """Return a call whose tables are streams; their first columns of time, or those of on_time, have watermarks."""
    tables = []
    for number, table in enumerate(call.tables):
        known = [place for place, each in enumerate(table.schema.types) if isinstance(each, _TIMES)]
        times = [call.on_time[number]] if call.on_time else known[:1]
        read = StreamRead(is_declared=True, time_columns=tuple(times))
        tables.append(Source(ObjectIdentifier(f"stream_{number}"), table.schema, stream=read))
    made = call.evolve(tables=tuple(tables))
    assert isinstance(made, ProcessTable)
    return made


OPERATIONS = {
    name: (query, over_streams(call))
    for name, (query, call) in operations().items()
    if call.tables and call.signature.tables[0].is_set
}
REFUSED = {name: found[0] for name, (_, call) in OPERATIONS.items() if (found := list(refused_calls(call)))}
RUN = [name for name in OPERATIONS if name not in REFUSED]


NO_WATERMARK = "which fire when the watermark passes their time, and {table} has no watermark"
ORDER_WITHOUT_TIME = "so that rows wait until the watermark passes them, and {table} has no watermark"
EXPECTED = {
    **{
        f"PROCESS_{name}_STATE": ORDER_WITHOUT_TIME
        for name in ("POJO", "DEFAULT_POJO", "MULTI", "CLEARING", "LIST", "MAP")
    },
    "PROCESS_OPTIONAL_ON_TIME": NO_WATERMARK,
    "scripted_in_order_without_time": "without on_time, and rows of a stream can only be in the order of their time",
}


def test_what_is_refused() -> None:
    """All others run, among them all programs of Flink with state, as Flink has them: without ORDER BY."""
    assert REFUSED.keys() == EXPECTED.keys()
    for name, refusal in REFUSED.items():
        assert EXPECTED[name] in refusal.reason.template
    for form in ("OVER_STREAMS", "BY_TIME"):
        assert {f"{name}_{form}" for name in EXPECTED if name.endswith("_STATE")} <= set(RUN)


@st.composite
def streams(draw: Any, call: ProcessTable) -> Batches:
    """Return micro-batches with rows in any order, and the watermark after each; None without time."""
    rows = draw(rows_of(call))
    delay = MILLISECOND * draw(st.integers(0, 4_000))
    cuts = sorted(draw(st.lists(st.integers(0, len(rows)), max_size=5)))
    batches: Batches = []
    watermark = None
    for start, stop in zip([0, *cuts], [*cuts, len(rows)], strict=True):
        # Without time, the rows of the first table come first.
        batch = rows[start:stop] if call.on_time else sorted(rows[start:stop], key=lambda row: row[0])
        batches.append((batch, watermark))
        times = [time_of(call, table, row) - delay for table, row in batch] if call.on_time else [START + delay]
        # Spark has no watermark before 1970.
        times = [time for time in times if time >= START + MILLISECOND]
        reached = [time.replace(microsecond=time.microsecond // 1_000 * 1_000) for time in times]
        watermark = max([*reached, *([] if watermark is None else [watermark])], default=None)
    return [*batches, ([], watermark), ([], None if watermark is None else watermark + dt.timedelta(minutes=1))]


@pytest.fixture(params=[False, True], ids=["small", "in_chunks"])
def _chunks(request: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    if request.param:
        monkeypatch.setattr("tableapi.spark.runtime.process.stored_values._LARGE", 60)
        monkeypatch.setattr("tableapi.spark.runtime.process.stored_collections.CHUNK_BYTES", 30)


@pytest.mark.slow
@pytest.mark.parametrize("name", RUN)
@pytest.mark.usefixtures("_chunks")
def test_a_stream_equals_the_model(name: str) -> None:
    query, call = OPERATIONS[name]

    @settings(max_examples=MANY if "scripted" in name or "paired" in name or "expiring" in name else FEW)
    @given(batches=streams(call), size=st.integers(1, 5))
    def check(batches: Batches, size: int) -> None:
        harness = harness_of(query, call, restarts=True)
        assert harness is not None
        runtime = CalledStream(call, size)
        names = [table.name for table in call.signature.tables]
        for rows, watermark in batches:
            of_tables: dict[str, list[Any]] = {name: [] for name in names}
            for table, row in rows:
                of_tables[names[table]].append(row)
            try:
                output = runtime.process_tables(rows, watermark)
            except FunctionFailed:
                with pytest.raises(SparkExecutionException):
                    harness.process_batch(of_tables, watermark=watermark)
                return
            try:
                harness.process_batch(of_tables, watermark=watermark)
            except SparkExecutionException as error:
                # The runtime stores None in every field, also if its type is NOT NULL.
                if "NOT NULL" in str(error):
                    return
                raise
            assert by_partition(call, output) == by_partition(call, harness.get_output())
            harness.clear_output()
        assert runtime.late == len(harness.get_late_rows())

    check()
