"""Speed of a process table function against the same work by hand: ``make bench-process``.

The work: for each key, add up the values in the order of time, and emit every hundredth sum and the last one. Three
versions by hand do it: a row table function of Spark (``udtf``), a function over Arrow groups (``applyInArrow``, which
has to sort each group itself), and an Arrow table function (``arrow_udtf``) over sorted partitions, which finds the key
boundaries itself. The row table function would take minutes, so it runs over fewer rows of proportionally fewer keys,
beside ours over the same rows. The benchmark checks that all versions return the same rows. All runs are interleaved,
and the medians are printed: elapsed seconds and, where the system reports it, processor time of Java and of Python,
which other work disturbs less.

``--rows-in-one-partition 10000000`` measures instead how the worker's memory grows with the rows of one partition.
"""

from __future__ import annotations

import argparse
import os
import resource
import statistics
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.functions import arrow_udtf, udtf

from tableapi import Row, TableEnvironment
from tableapi.expressions import col
from tableapi.process_functions import ProcessTableFunction, State, TableAsSet

EVERY = 100
OURS = "process table function"
AIMS = {"row table function by hand": 5.0, "arrow_udtf by hand": 1.0, "applyInArrow": 1.0}
"""How many times as long as ours each of the others is expected to take."""
_compute: Any = pc


@dataclass
class Total:
    """The state of a key so far."""

    rows: int = 0
    total: int = 0


@dataclass
class Sum:
    """A row of the result."""

    rows: int
    total: int


class Sums(ProcessTableFunction):
    """The work as a process table function."""

    def eval(self, state: State[Total], input: TableAsSet[Row]) -> Iterator[Sum]:
        state.rows += 1
        state.total += input.v
        if state.rows % EVERY == 0:
            yield Sum(state.rows, state.total)

    def finish(self, state: Total) -> Iterator[Sum]:
        if state.rows % EVERY:
            yield Sum(state.rows, state.total)


@dataclass
class Memory:
    """The number of rows in a partition, and the worker's peak memory."""

    rows: int
    megabytes: int


class MemoryOfPartition(ProcessTableFunction):
    """Emit the worker's memory from time to time within a partition."""

    def eval(self, state: State[Total], input: TableAsSet[Row], every: int) -> Iterator[Memory]:
        state.rows += 1
        state.total += input.v
        if state.rows % every == 0:
            yield Memory(state.rows, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024)


RESULT = "k bigint, rows bigint, total bigint"


@udtf(returnType=RESULT, useArrow=False)
class SumsByRow:
    """The work as a row table function: Spark makes one instance for each key."""

    def __init__(self) -> None:
        self.k = None
        self.rows = self.total = 0

    def eval(self, row: Any) -> Iterator[tuple[Any, int, int]]:
        self.k = row["k"]
        self.rows += 1
        self.total += row["v"]
        if self.rows % EVERY == 0:
            yield self.k, self.rows, self.total

    def terminate(self) -> Iterator[tuple[Any, int, int]]:
        if self.rows % EVERY:
            yield self.k, self.rows, self.total


@arrow_udtf(returnType=RESULT)
class SumsOfBatches:
    """The work as an Arrow table function over rows sorted by key and time."""

    def __init__(self) -> None:
        self.k = None
        self.is_first = True
        self.rows = self.total = 0

    def eval(self, batch: pa.RecordBatch) -> Iterator[pa.RecordBatch]:
        found: list[tuple[Any, int, int]] = []
        last, rows, total = self.k, self.rows, self.total
        for k, v in zip(batch.column(0).to_pylist(), batch.column(2).to_pylist(), strict=True):
            if k != last or self.is_first:
                if not self.is_first and rows % EVERY:
                    found.append((last, rows, total))
                last, rows, total, self.is_first = k, 0, 0, False
            rows += 1
            total += v
            if rows % EVERY == 0:
                found.append((k, rows, total))
        self.k, self.rows, self.total = last, rows, total
        yield _batch(found)

    def terminate(self) -> Iterator[pa.RecordBatch]:
        if not self.is_first and self.rows % EVERY:
            yield _batch([(self.k, self.rows, self.total)])


def _batch(rows: list[tuple[Any, int, int]]) -> pa.RecordBatch:
    columns = list(zip(*rows, strict=True)) or [(), (), ()]
    return pa.RecordBatch.from_arrays([pa.array(column, pa.int64()) for column in columns], ["k", "rows", "total"])


def sums_of_group(key: tuple[Any, ...], group: pa.Table) -> pa.Table:
    """The work as a function over a group, which Arrow passes as a whole and unsorted."""
    found: list[tuple[Any, int, int]] = []
    rows = total = 0
    for v in group.take(_compute.sort_indices(group.column(1))).column(2).to_pylist():
        rows += 1
        total += v
        if rows % EVERY == 0:
            found.append((key[0].as_py(), rows, total))
    if rows % EVERY:
        found.append((key[0].as_py(), rows, total))
    return pa.Table.from_batches([_batch(found)])


def contenders(env: TableEnvironment, spark: SparkSession, name: str) -> dict[str, Callable[[], DataFrame]]:
    """Return the versions to compare, which return the same rows for a table."""
    spark.udtf.register("sums_by_row", SumsByRow)
    spark.udtf.register("sums_of_batches", SumsOfBatches)
    ptf = env.from_path(name).partition_by(col("k")).order_by(col("ts")).process(Sums)
    sorted_rows = f"TABLE(SELECT * FROM {name} DISTRIBUTE BY k SORT BY k, ts)"
    return {
        OURS: ptf.to_spark,
        "arrow_udtf by hand": lambda: spark.sql(f"SELECT * FROM sums_of_batches({sorted_rows})"),
        "applyInArrow": lambda: spark.table(name).groupBy("k").applyInArrow(sums_of_group, RESULT),
    }


def by_row(env: TableEnvironment, spark: SparkSession, name: str) -> dict[str, Callable[[], DataFrame]]:
    """Return the versions to compare over fewer rows, which return the same rows for a table."""
    ours = contenders(env, spark, name)[OURS]
    text = f"SELECT * FROM sums_by_row(TABLE({name}) PARTITION BY k ORDER BY ts)"
    return {OURS: ours, "row table function by hand": lambda: spark.sql(text)}


def data(spark: SparkSession, name: str, rows: int, keys: int) -> None:
    """Make an unsorted table in memory, so that reading costs the same for every version."""
    frame = spark.range(rows).selectExpr(
        f"(id * 7919) % {keys} AS k", "timestamp_micros((hash(id) & 1073741823) * 1000000L) AS ts", "id % 1000 AS v"
    )
    frame.cache().count()
    frame.createOrReplaceTempView(name)


@dataclass
class Cost:
    """The cost of a run in seconds: elapsed time, and processor time of Java and of the Python workers."""

    passed: float
    java: float = 0.0
    python: float = 0.0


def timed(frame: DataFrame) -> Cost:
    """Return the cost of computing all rows and discarding them."""
    java, python = processor_seconds()
    began = time.perf_counter()
    frame.write.format("noop").mode("overwrite").save()
    passed = time.perf_counter() - began
    java_after, python_after = processor_seconds()
    return Cost(passed, java_after - java, python_after - python)


def processor_seconds() -> tuple[float, float]:
    """Return the processor time of Java and of the Python workers below this process; 0 if the system reports none."""
    below: dict[int, list[tuple[int, str, float]]] = {}
    for file in Path("/proc").glob("[0-9]*/stat"):
        try:
            head, fields = file.read_text().rsplit(")", 1)
        except OSError:
            continue
        number, name = head.split(" (", 1)
        values = fields.split()
        ticks = sum(map(int, values[11:15])) if name.startswith("python") else sum(map(int, values[11:13]))
        below.setdefault(int(values[1]), []).append((int(number), name, ticks / os.sysconf("SC_CLK_TCK")))
    java = python = 0.0
    waiting = [os.getpid()]
    while waiting:
        for number, name, seconds in below.get(waiting.pop(), []):
            waiting.append(number)
            java += seconds * (name == "java")
            python += seconds * name.startswith("python")
    return java, python


def memory(env: TableEnvironment, rows: int) -> None:
    """Print how the worker's memory grows with the rows of one partition."""
    frame = env.spark.range(rows).selectExpr("0 AS k", f"(id * 7919) % {rows} AS ts", "id % 1000 AS v")
    table = env.from_spark(frame).partition_by(col("k")).order_by(col("ts"))
    began = time.perf_counter()
    found = table.process(MemoryOfPartition, max(rows // 10, 1)).to_spark().collect()
    print(f"{rows:,} rows in one partition, {time.perf_counter() - began:.0f} s")
    for row in found:
        print(f"  after {row['rows']:12,} rows: the worker has taken {row['megabytes']:,} MB at most")


def measure(shown: str, rows: int, runs: int, compared: dict[str, Callable[[], DataFrame]]) -> None:
    """Measure versions that return the same rows, in turns, and print the results."""
    results = {}
    for who, frame in compared.items():
        row = frame().selectExpr("count(*)", "sum(hash(k, rows, total))").first()
        results[who] = None if row is None else tuple(row)
    assert len(set(results.values())) == 1, results
    costs: dict[str, list[Cost]] = {who: [] for who in compared}
    for _ in range(runs):
        for who, frame in compared.items():
            costs[who].append(timed(frame()))
    ours = statistics.median([cost.passed for cost in costs[OURS]])
    print(shown)
    for who, measured in costs.items():
        median = statistics.median([cost.passed for cost in measured])
        java = statistics.median([cost.java for cost in measured])
        python = statistics.median([cost.python for cost in measured])
        aim = f"(aim {AIMS[who]:.0f})" if who in AIMS else ""
        print(
            f"  {who:26} {median:7.2f} s {rows / median:12,.0f} rows/s {median / ours:8.2f} x {aim:8}"
            f"   processors: {java:.2f} s in Java, {python:.2f} s in Python",
            flush=True,
        )


def main() -> None:
    """Measure, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=2_000_000)
    parser.add_argument("--keys", type=int, nargs="*", default=[1_000, 10_000, 1_000_000])
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--rows-by-row", type=int, default=200_000, help="rows for the row table function; or 0")
    parser.add_argument("--rows-in-one-partition", type=int, default=0, help="measure memory, and nothing else")
    given = parser.parse_args()
    env = TableEnvironment.create()
    if given.rows_in_one_partition:
        memory(env, given.rows_in_one_partition)
        return
    spark = env.spark
    for keys in given.keys:
        data(spark, "measured", given.rows, keys)
        compared = contenders(env, spark, "measured")
        measure(f"{given.rows:,} rows, {keys:,} keys", given.rows, given.runs, compared)
        fewer = min(given.rows_by_row, given.rows)
        if fewer:
            some = max(keys * fewer // given.rows, 1)
            data(spark, "measured_by_row", fewer, some)
            of_fewer = by_row(env, spark, "measured_by_row")
            measure(f"{fewer:,} rows, {some:,} keys", fewer, given.runs, of_fewer)
            spark.catalog.dropTempView("measured_by_row")
        spark.catalog.dropTempView("measured")
        spark.catalog.clearCache()


if __name__ == "__main__":
    main()
