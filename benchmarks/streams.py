"""Throughput of streams here and of the same queries written with DataFrames: ``make bench-streams``.

Each query reads the same Parquet files, some a batch, until it has read all of them, and writes to the sink ``noop``.
Both sides run in turns in one session, each time with a new checkpoint. Two times are compared: that of the batches as
Spark reports it, without the start of the query; and, where the system reports it, the processor time of the driver and
its JVM from the start to the end of a query, which a busy machine disturbs less.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import attrs
from pyspark.sql import functions as F

from benchmarks import processor_time
from tableapi import StreamOptions, Table, TableDescriptor, TableEnvironment
from tableapi.expressions import col, lit
from tableapi.window import Tumble

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

NOOP = TableDescriptor.for_connector("noop").build()
NOW = StreamOptions(trigger="available-now")
_ROWS = (
    "SELECT id, id % 1000 AS shop, id % 97 * 0.5 AS price, CONCAT('item ', id % 5000) AS item, "
    "TIMESTAMP '2024-01-01 00:00:00' + MAKE_DT_INTERVAL(0, 0, 0, id / 5000) AS at FROM range(0, {rows}, 1, {files})"
)


@attrs.frozen
class Query:
    """A query over the stream ``sales`` and the table ``shops``, written in both ways."""

    ours: Callable[[Table, Table], Table]
    theirs: Callable[[DataFrame, DataFrame], DataFrame]


def _windows(sales: Table, shops: Table) -> Table:
    window = Tumble.over(lit(1).minutes).on(col("at")).alias("w")
    grouped = sales.watermark(col("at"), lit(10).seconds).window(window).group_by(col("w"), col("shop"))
    return grouped.select(col("w").start.alias("since"), col("shop"), col("price").sum.alias("total"))


QUERIES = {
    "projection and filter": Query(
        lambda sales, shops: sales.filter(col("price") > 10).select(
            col("id"), (col("price") * 1.2).alias("gross"), col("item").upper_case.alias("item")
        ),
        lambda sales, shops: sales.filter(F.col("price") > 10).select(
            "id", (F.col("price") * 1.2).alias("gross"), F.upper("item").alias("item")
        ),
    ),
    "window of a minute by key": Query(
        _windows,
        lambda sales, shops: (
            sales.withWatermark("at", "10 seconds")
            .groupBy(F.window("at", "1 minute"), "shop")
            .agg(F.sum("price").alias("total"))
            .select(F.col("window.start").alias("since"), "shop", "total")
        ),
    ),
    "join with a table": Query(
        lambda sales, shops: sales.join(shops, col("shop") == col("number")).select(
            col("id"), col("city"), col("price")
        ),
        lambda sales, shops: sales.join(shops, F.col("shop") == F.col("number")).select("id", "city", "price"),
    ),
}


@attrs.frozen
class Measured:
    """The seconds of one run: of its batches, and of the processors."""

    batches: float
    processors: float


def _measure(run: Callable[[], float]) -> Measured:
    before = processor_time.of_program() if processor_time.is_measurable() else 0.0
    batches = run()
    after = processor_time.of_program() if processor_time.is_measurable() else 0.0
    return Measured(batches, after - before)


def _compare(pairs: Sequence[tuple[Measured, Measured]], rows: int) -> str:
    """Return the cells of a query: throughput and processor time of both sides, and the ratios of the pairs."""
    here, there = (statistics.median(side.batches for side in sides) for sides in zip(*pairs, strict=True))
    work_here, work_there = (statistics.median(side.processors for side in sides) for sides in zip(*pairs, strict=True))
    cells = [f"{rows / here:,.0f}", f"{rows / there:,.0f}", *_quartiles([b.batches / a.batches for a, b in pairs])]
    if work_here:
        ratios = [theirs.processors / ours.processors for ours, theirs in pairs]
        cells += [f"{work_here:.2f}", f"{work_there:.2f}", *_quartiles(ratios)]
    return " | ".join(cells)


def _quartiles(ratios: Sequence[float]) -> tuple[str, str]:
    low, middle, high = statistics.quantiles(ratios, n=4, method="inclusive")
    return f"{middle:.1%}", f"{low:.1%}, {high:.1%}"


def main() -> None:
    """Print the throughput of both sides, and the median of the ratios of the pairs."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.streams", description=__doc__)
    parser.add_argument("--rows", type=int, default=4_000_000)
    parser.add_argument("--files", type=int, default=8)
    parser.add_argument("--pairs", type=int, default=7)
    parser.add_argument("--queries", nargs="*", choices=QUERIES, default=list(QUERIES), help="the queries to compare")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as directory:
        env = TableEnvironment.create(warehouse=f"{directory}/warehouse")
        spark = env.spark
        spark.sparkContext.setLogLevel("ERROR")
        path = f"{directory}/sales"
        spark.sql(_ROWS.format(rows=given.rows, files=given.files)).write.parquet(path)
        spark.sql("SELECT id AS number, CONCAT('city ', id % 50) AS city FROM range(1000)").write.parquet(
            f"{path}-shops"
        )
        reader = spark.readStream.schema(spark.read.parquet(path).schema).option("maxFilesPerTrigger", 2)
        sales, shops = reader.parquet(path), spark.read.parquet(f"{path}-shops")
        env.create_temporary_view("sales", env.from_spark(sales))
        env.create_temporary_view("shops", env.from_spark(shops))
        print(
            "| | here, rows/s | DataFrames, rows/s | here / there | quartiles | processor s here | DataFrames "
            "| there / here | quartiles |\n|---|---:|---:|---:|---:|---:|---:|---:|---:|"
        )
        for name in given.queries:
            query = QUERIES[name]

            def run_ours(query: Query = query) -> float:
                table = query.ours(env.from_path("sales"), env.from_path("shops"))
                result = table.execute_insert(NOOP, options=NOW)
                assert result.wait()
                assert sum(batch.rows_in for batch in result.progress()) == given.rows
                return sum(batch.seconds for batch in result.progress())

            def run_theirs(query: Query = query) -> float:
                writer = query.theirs(sales, shops).writeStream.format("noop").outputMode("append")
                started = writer.trigger(availableNow=True).start()
                started.awaitTermination()
                return sum(batch["durationMs"]["triggerExecution"] for batch in started.recentProgress) / 1000

            sides = (run_ours, run_theirs)
            for run in sides:
                run()
            pairs = []
            for number in range(given.pairs):
                # Each side comes first in every second pair.
                order = sides if number % 2 else sides[::-1]
                measured = {run: _measure(run) for run in order}
                pairs.append((measured[run_ours], measured[run_theirs]))
            print(f"| {name} | {_compare(pairs, given.rows)} |", flush=True)
        env.close()


if __name__ == "__main__":
    main()
