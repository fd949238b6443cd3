"""Async functions over streams: each row's call is made once, and operations that streams lack are rejected."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from pyspark.sql import DataFrame

from ir.errors import ValidationException
from tableapi import AsyncScalarFunction, ExplainDetail, FunctionContext, TableEnvironment, udf
from tableapi.expressions import col
from tests.async_functions.service import Service, ask

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
