"""Async functions over streams: each row's call is made once, and operations that streams lack are rejected."""

from __future__ import annotations

import asyncio
import os
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from pyspark.sql import DataFrame

from ir.errors import ValidationException
from tableapi import (
    AsyncScalarFunction,
    ExplainDetail,
    FunctionContext,
    StreamOptions,
    Table,
    TableDescriptor,
    TableEnvironment,
    TableException,
    udf,
)
from tableapi.expressions import col
from tests.async_functions.service import Service, ask

pytestmark = pytest.mark.long

FILES, ROWS = 4, 40


class Noted(AsyncScalarFunction):
    """A function of the service that also reports its opening and closing to the service."""

    def __init__(self, port: int) -> None:
        self.port = port

    async def open(self, context: FunctionContext) -> None:
        await ask(self.port, "open", 0)

    async def close(self) -> None:
        await ask(self.port, "close", 0)

    async def eval(self, x: int) -> int:
        return int(await ask(self.port, "noted", x)) * 10


@pytest.fixture
def stream(env: TableEnvironment, tmp_path: Path) -> Iterator[DataFrame]:
    """The ids below 40 in four files, two per micro-batch; also the view ``ids``."""
    env.spark.range(0, ROWS, 1, FILES).write.parquet(str(tmp_path / "ids"))
    frame = env.spark.readStream.schema("id BIGINT").option("maxFilesPerTrigger", 2).parquet(str(tmp_path / "ids"))
    env.create_temporary_view("ids", env.from_spark(frame))
    yield frame
    env.drop_temporary_view("ids")


def finished(frame: DataFrame, sink: str) -> list[tuple[object, ...]]:
    """Return the rows of a stream that runs until it has read all available data."""
    assert frame.isStreaming
    query = frame.writeStream.format("memory").queryName(sink).trigger(availableNow=True).start()
    try:
        assert query.awaitTermination(120)
        return sorted(tuple(row) for row in frame.sparkSession.table(sink).collect())
    finally:
        query.stop()
        frame.sparkSession.catalog.dropTempView(sink)


def test_once_for_each_row_over_all_micro_batches(env: TableEnvironment, stream: DataFrame, service: Service) -> None:
    noted = udf(Noted(service.port))
    t = env.from_spark(stream)
    query = t.filter((noted(col("id")) > 50) & (col("id") >= 3)).select(col("id"), noted(col("id")).alias("r"))
    assert finished(query.to_spark(), "noted_rows") == [(i, 10 * i) for i in range(6, ROWS)]
    # Each task of a micro-batch opens and closes its own instance.
    assert service.counts() == {"noted": ROWS - 3, "open": FILES, "close": FILES}
    assert max(Counter(call for call in service.calls if call[0] == "noted").values()) == 1


def test_a_view_over_a_stream_in_sql(env: TableEnvironment, stream: DataFrame, service: Service) -> None:
    query = env.sql_query(
        "SELECT s.id, name, CASE WHEN s.id > 2 THEN u(s.id) END AS r FROM ids s JOIN other ON id = oid"
    )
    assert finished(query.to_spark(), "joined_rows") == [(2, "two", None), (4, "four", 400), (9, "nine", 900)]
    assert sorted(service.calls) == [("u", (4,)), ("u", (9,))]


def test_unsupported_stream_operations_are_rejected(env: TableEnvironment, stream: DataFrame) -> None:
    query = env.sql_query("SELECT f(id) AS r FROM ids")
    fetched = r"reads a stream, whose rows have no end.*table\.execute\(\)\.collect\(\)"
    with pytest.raises(ValidationException, match=fetched):
        query.to_pandas()
    with pytest.raises(ValidationException, match=r"^order_by over a stream has no first row"):
        query.order_by(col("r"))
    with pytest.raises(ValidationException, match="OVER needs all rows of a partition"):
        env.sql_query("SELECT SUM(f(id)) OVER (ORDER BY id) FROM ids")
    explained = query.explain(ExplainDetail.JSON_EXECUTION_PLAN)
    assert "AsyncCalc: (calls: [as(f(id), __async_0)], mode: [ordered])" in explained
    assert explained.count("(none: Spark plans a query over a stream when it is started") == 2


@pytest.fixture
def times(env: TableEnvironment, tmp_path: Path) -> Iterator[None]:
    """The stream ``times`` of six files, one a micro-batch, with a watermark of ten seconds."""
    folder = tmp_path / "times"
    folder.mkdir()
    # The second file moves the watermark past the first windows, for which the fourth one is too late.
    for number, seconds in enumerate(([1, 2, 11], [400], [401], [3], [900], [1000])):
        path = folder / f"{number}.json"
        path.write_text("".join(f'{{"id": {s}, "ts": "2024-05-01T10:{s // 60:02}:{s % 60:02}Z"}}\n' for s in seconds))
        os.utime(path, (number, number))
    env.execute_sql(
        "CREATE TEMPORARY TABLE times (id BIGINT, ts TIMESTAMP_LTZ(3), WATERMARK FOR ts AS ts - INTERVAL '10' SECOND) "
        f"WITH ('connector' = 'filesystem', 'path' = '{folder}', 'format' = 'json', 'streaming' = 'true', "
        "'json.maxFilesPerTrigger' = '1')"
    )
    yield
    env.drop_temporary_table("times")


@pytest.mark.nightly
def test_no_row_passes_the_watermark(env: TableEnvironment, times: None, service: Service) -> None:
    windows = env.sql_query(
        "SELECT w.start AS since, n, total FROM (SELECT w, COUNT(*) AS n, SUM(r) AS total FROM "
        "(SELECT WINDOW(ts, '10 seconds') AS w, u(id) AS r FROM times) GROUP BY w)"
    )
    found = finished(windows.to_spark(), "windows_of_calls")
    assert [row[1:] for row in found][:3] == [(2, 300), (1, 1100), (2, 80100)]
    assert sorted(service.calls) == [("u", (s,)) for s in (1, 2, 3, 11, 400, 401, 900, 1000)]


def test_each_changed_group_has_a_call(env: TableEnvironment, times: None, service: Service) -> None:
    counts = env.sql_query(
        "SELECT k, f(n) AS r FROM (SELECT id > 100 AS k, COUNT(*) AS n FROM times GROUP BY id > 100)"
    )
    seen: list[list[tuple[object, ...]]] = []

    def take(rows: Table, number: int) -> None:
        with rows.execute().collect() as found:
            seen.append(sorted(map(tuple, found)))

    options = StreamOptions(trigger="available-now", output_mode="update")
    assert counts.for_each_batch(take, options=options).wait()
    changed = [(False, 30), (True, 10), (True, 20), (False, 40), (True, 30), (True, 40)]
    assert [batch for batch in seen if batch] == [[row] for row in changed]
    assert sorted(service.calls) == [("f", (n,)) for n in (1, 2, 3, 3, 4, 4)]


def test_a_timeout_ends_the_stream_and_a_restart_repeats_its_calls(
    env: TableEnvironment, times: None, service: Service, tmp_path: Path
) -> None:
    port, mended = service.port, tmp_path / "mended"

    @udf(timeout="200 ms", retry_strategy="NO_RETRY")
    async def slow(x: int) -> int:
        found = int(await ask(port, "slow", x))
        if x == 3 and not mended.exists():
            await asyncio.sleep(60)
        return found

    env.create_temporary_function("slow", slow)
    options = StreamOptions(trigger="available-now", checkpoint=tmp_path / "checkpoint")
    query = env.sql_query("SELECT id, slow(id) AS r FROM times")
    sink = TableDescriptor.for_connector("noop").build()
    with pytest.raises(TableException, match="slow"):
        query.execute_insert(sink, options=options).wait()
    service.reset()
    mended.touch()
    result = query.execute_insert(sink, options=options)
    assert result.wait()
    assert sum(record.rows_in for record in result.progress()) == 3
    # The first two micro-batches are committed: their calls are not made again. That of the third one is.
    assert sorted(service.calls) == [("slow", (s,)) for s in (3, 900, 1000)]
    env.drop_temporary_function("slow")
