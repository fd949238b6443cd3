"""Asynchronous functions against the ideal: ``make bench-async``, or ``make bench-async ARGS=--quick``.

The ideal time of a task is the sum of its rows' latencies / capacity, or its longest latency if that is more. With a
fixed latency, that is rows × latency / capacity / tasks. The cases run several times, interleaved, so that a busy
machine slows them all alike, and the medians are printed. All other costs of a run, above all starting tasks and
workers, are measured by the same query with a latency of zero, and called *start-up*. The summary says how far the
ordered cases with fixed latency are from the ideal plus start-up, and how unordered cases compare with ordered ones.

Two peers run in the same turns, over fewer rows: a synchronous Python function, which waits for each call, and the same
function with Spark's own ``spark.sql.execution.pythonUDF.arrow.concurrency.level``, which runs that many threads.

``--rows 1000000`` runs that many rows once at capacity 1,000, and prints how much memory the Python workers take.
"""

from __future__ import annotations

import argparse
import functools
import itertools
import os
import random
import statistics
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from tableapi import Table, TableEnvironment, udf
from tableapi.expressions import col
from tableapi.spark.java import find_java

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

BATCH_SIZE = "spark.sql.execution.arrow.maxRecordsPerBatch"
CONCURRENCY = "spark.sql.execution.pythonUDF.arrow.concurrency.level"


class Case(NamedTuple):
    """A measured case: a latency in seconds, its distribution, and how the query is run."""

    distribution: str
    latency: float
    capacity: int
    batch: int
    tasks: int
    rows: int
    kind: str = "ordered"

    @property
    def ideal(self) -> float:
        """Return the time of a run without overhead that always has as many calls in flight as allowed."""
        capacity = 1 if self.kind == "synchronous" else self.capacity
        return max(
            max(sum(latencies) / capacity, max(latencies, default=0.0))
            for latencies in latencies_of_tasks(self.distribution, self.latency, self.rows, self.tasks)
        )


def four_tasks_at_once() -> SparkSession:
    """Return a session that runs four tasks at once on any machine, since the tasks only wait."""
    os.environ["JAVA_HOME"] = str(find_java().home)
    os.environ["PYSPARK_PYTHON"] = sys.executable
    from pyspark.sql import SparkSession

    builder = SparkSession.builder.master("local[4]").config("spark.ui.enabled", "false")
    builder = builder.config("spark.sql.timeType.enabled", "true").config("spark.sql.session.timeZone", "UTC")
    return builder.getOrCreate()


def delays(distribution: str, latency: float) -> Callable[[int], float]:
    """Return the delay of each call; the delays have the mean ``latency``."""

    def of(x: int) -> float:
        if distribution == "fixed":
            return latency
        chance = random.Random(x)
        if distribution == "uniform":
            return chance.uniform(0, 2 * latency)
        # The mean of a Pareto distribution with exponent 2 is twice its minimum.
        return min(latency / 2 * chance.paretovariate(2), 20 * latency)

    return of


@functools.cache
def latencies_of_tasks(distribution: str, latency: float, rows: int, tasks: int) -> list[list[float]]:
    """Return the latencies of each task's calls, with the rows split among tasks as Spark splits a range."""
    delay = delays(distribution, latency)
    bounds = [rows * task // tasks for task in range(tasks + 1)]
    return [[delay(x) for x in range(start, end)] for start, end in itertools.pairwise(bounds)]


def query(env: TableEnvironment, case: Case) -> Table:
    """Return the measured query."""
    delay = delays(case.distribution, case.latency)
    numbers = env.spark.range(0, case.rows, 1, case.tasks)

    def waits(x: int) -> int:
        import time

        time.sleep(delay(x))
        return x

    if case.kind == "threads":
        from pyspark.sql.functions import udf as spark_udf

        # The setting applies only to Spark's own functions, and only to those that receive their rows as Arrow.
        made = numbers.select(spark_udf(waits, "bigint", useArrow=True)("id").alias("r"))
        return env.from_spark(made).select(col("r").sum.alias("s"))
    if case.kind == "synchronous":
        function = udf(waits)
    else:
        mode = "ALLOW_UNORDERED" if case.kind == "unordered" else "ORDERED"

        @udf(buffer_capacity=case.capacity, output_mode=mode)
        async def awaits(x: int) -> int:
            import asyncio

            await asyncio.sleep(delay(x))
            return x

        function = awaits
    return env.from_spark(numbers).select(function(col("id")).alias("r")).select(col("r").sum.alias("s"))


def seconds(env: TableEnvironment, case: Case) -> float:
    """Return the duration of one run."""
    env.spark.conf.set(BATCH_SIZE, str(case.batch))
    if case.kind == "threads":
        env.spark.conf.set(CONCURRENCY, str(case.capacity))
    table = query(env, case)
    start = time.monotonic()
    found = [tuple(row) for row in table.execute().collect()]
    taken = time.monotonic() - start
    env.spark.conf.unset(CONCURRENCY)
    assert found == [(case.rows * (case.rows - 1) // 2,)], found
    return taken


def cases(quick: bool) -> list[Case]:
    """Return the cases to measure."""
    every: list[Case] = []
    for distribution in ("fixed", "uniform", "heavy-tailed"):
        for capacity, latency in ((1, 0.02), (10, 0.05), (100, 0.2), (1000, 1.0)):
            for batch in (10, 10_000):
                for tasks in (1, 4):
                    rows = max(int((1.5 if quick else 4.0) * capacity * tasks / latency), 10)
                    for kind in ("ordered", "unordered"):
                        every.append(Case(distribution, latency, capacity, batch, tasks, rows, kind))
    if quick:
        every = [case for case in every if case.tasks == 1 and case.batch == 10 and case.distribution != "uniform"]
    return every


def peers() -> list[Case]:
    """Return the same cases with synchronous functions and fewer rows."""
    return [
        Case("fixed", 0.05, 1, 10_000, 1, 80, "synchronous"),
        Case("fixed", 0.05, 10, 10_000, 1, 400, "threads"),
        Case("fixed", 0.05, 10, 10, 1, 400, "threads"),
        Case("fixed", 0.05, 10, 10_000, 1, 400, "ordered"),
    ]


def measure(env: TableEnvironment, measured: list[Case], runs: int) -> None:
    """Print medians for each case, with the ideal and the start-up."""
    times: dict[Case, list[float]] = {case: [] for case in measured}
    idle: dict[Case, list[float]] = {case: [] for case in measured}
    for number in range(runs + 1):
        for case in measured:
            without = case._replace(latency=0.0, rows=min(case.rows, case.capacity * case.tasks))
            taken, started = seconds(env, case), seconds(env, without)
            # The first turn starts workers and compiles code.
            if number:
                times[case].append(taken)
                idle[case].append(started)
    head = f"{'latency':>20} {'capacity':>8} {'batch':>6} {'tasks':>5} {'rows':>6} {'kind':>11}"
    print(f"{head} {'ideal':>7} {'start-up':>8} {'measured':>8} {'over ideal + start-up':>22}")
    overs: dict[Case, float] = {}
    for case in measured:
        taken, started = statistics.median(times[case]), statistics.median(idle[case])
        over = overs[case] = taken / (case.ideal + started) - 1
        row = f"{case.distribution + f' {case.latency:g} s':>20} {case.capacity:>8} {case.batch:>6} {case.tasks:>5}"
        print(f"{row} {case.rows:>6} {case.kind:>11} {case.ideal:7.2f} {started:8.2f} {taken:8.2f} {over:>21.1%}")

    summary(overs, {case: statistics.median(times[case]) for case in measured})


def summary(overs: dict[Case, float], medians: dict[Case, float]) -> None:
    """Print how far ordered cases with fixed latency are from the ideal, and unordered cases from ordered ones."""
    fixed = {case: over for case, over in overs.items() if case.kind == "ordered" and case.distribution == "fixed"}
    if fixed:
        worst = max(fixed, key=lambda case: fixed[case])
        within = sum(over <= 0.1 for over in fixed.values())
        print(f"ordered, fixed latency: {within} of {len(fixed)} cases within 10 % of the ideal plus start-up")
        print(f"  the farthest is {fixed[worst]:.1%} over it: {worst}")
    ratios = {
        case: medians[case] / medians[ordered]
        for case in medians
        if case.kind == "unordered" and (ordered := case._replace(kind="ordered")) in medians
    }
    if ratios:
        worst = max(ratios, key=lambda case: ratios[case])
        slower = sum(ratio > 1 for ratio in ratios.values())
        print(
            f"unordered: {statistics.median(ratios.values()):.3f} of the time of ordered in the median of {len(ratios)}"
        )
        print(f"  cases; slower in {slower}, by {ratios[worst] - 1:.1%} at most: {worst}")


def workers_memory() -> int:
    """Return the memory in bytes of the largest Python worker among the descendants of this process."""
    most = 0
    for status in Path("/proc").glob("[0-9]*/status"):
        try:
            text = status.read_text()
            command = (status.parent / "cmdline").read_bytes()
        except OSError:
            continue
        if b"pyspark" in command and b"daemon" in command:
            found = [line.split()[1] for line in text.splitlines() if line.startswith("VmRSS:")]
            most = max(most, int(found[0]) * 1024 if found else 0)
    return most


def many_rows(env: TableEnvironment, rows: int) -> None:
    """Print the time that ``rows`` rows take at capacity 1,000, and the worker's memory at each tenth of them."""
    sizes: list[tuple[float, int]] = []
    ended = threading.Event()
    start = time.monotonic()

    def watch() -> None:
        while not ended.wait(1):
            sizes.append((time.monotonic() - start, workers_memory()))

    watcher = threading.Thread(target=watch)
    watcher.start()
    try:
        taken = seconds(env, Case("fixed", 0.02, 1000, 10_000, 1, rows))
    finally:
        ended.set()
        watcher.join()
    print(f"{rows} rows at capacity 1,000: {taken:.1f} s, {rows / taken:.0f} rows/s")
    for at, size in sizes[:: max(len(sizes) // 10, 1)]:
        print(f"  after {at:6.1f} s: {size / 2**20:6.1f} MiB")


def main() -> None:
    """Run the benchmark that the arguments select."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="fewer cases and shorter ones")
    parser.add_argument("--runs", type=int, default=5, help="how often each case runs, after a first time")
    parser.add_argument("--only", help="only latencies of this distribution: fixed, uniform, heavy-tailed")
    parser.add_argument("--batch", type=int, choices=(10, 10_000), help="only record batches of so many rows")
    parser.add_argument("--tasks", type=int, choices=(1, 4), help="only queries of so many tasks")
    parser.add_argument("--rows", type=int, help="only run so many rows once, and watch the memory")
    given = parser.parse_args()
    session = four_tasks_at_once()
    session.sparkContext.setLogLevel("ERROR")
    env = TableEnvironment.create(spark=session)
    if given.rows:
        many_rows(env, given.rows)
    else:
        chosen = [
            case
            for case in cases(given.quick)
            if given.only in (None, case.distribution)
            and given.batch in (None, case.batch)
            and given.tasks in (None, case.tasks)
        ]
        measure(env, chosen + peers(), given.runs)
    session.stop()


if __name__ == "__main__":
    main()
