"""Process table functions over streams, against a stateful processor by hand: ``make bench-stream-process``.

The work: for each key, count and add up the rows, and emit both after 15 minutes without a row. A timer moves with
each row. The stateful processor by hand (``transformWithState`` with rows) does the same with the fewest requests: it
sorts the rows of a key, reads one value, writes it once, and moves one timer. Spark's ``count`` by key, which has no
Python, is there for scale. A tenth of the keys of each batch does not come in the next three, so that its timers fire.

Each query reads the same files, one a batch. The sides run in turns, and the benchmark checks that all sides which do
the same work return the same rows. The processor time of Java and Python together is taken at the end of each batch;
the batches after the third are compared. Each run is reported on the standard error output when it ends.

``--memory`` measures instead, batch by batch, the memory and the time of a function with a state of a million keys, of
which each batch touches 1 %.
"""

from __future__ import annotations

import argparse
import datetime as dt
import os
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import attrs
import pyarrow as pa
import pyarrow.parquet as pq
from pyspark.sql import Observation, functions
from pyspark.sql import Row as SparkRow
from pyspark.sql.streaming.stateful_processor import StatefulProcessor, StatefulProcessorHandle

from benchmarks import processor_time
from tableapi import Row, StreamOptions, Table, TableEnvironment
from tableapi.expressions import col, descriptor
from tableapi.process_functions import Context, OnTimerContext, ProcessTableFunction, State, TableAsSet

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession
    from pyspark.sql.streaming.query import StreamingQuery

OURS, ORDERED, BY_HAND, COUNT = "here", "here, with ORDER BY", "processor by hand", "count by key"
CASES = {(20_000, 5): 0.5, (1_000, 200): 0.35, (100_000, 2): 0.6}
"""Keys of a batch and rows of a key, with the aim: how much of the time of the processor by hand ours takes."""
FIRST = 3
"""The number of the first batch that is compared."""
_STARTS = 10
_NOT_CONNECTED = "to connect back"
_BEGIN = dt.datetime(2024, 1, 1, tzinfo=dt.timezone.utc)
_BETWEEN_BATCHES = dt.timedelta(minutes=10)
_TIMEOUT = dt.timedelta(minutes=15)
_FOREVER = dt.timedelta(days=10_000)
_WATERMARK = "1 second"
_MILLISECOND = dt.timedelta(milliseconds=1)
_EPOCH = dt.datetime(1970, 1, 1, tzinfo=dt.timezone.utc)


# --- the work ---------------------------------------------------------------------------------------------------------


@dataclass
class Seen:
    """The state of a key, which is also a row of the result."""

    rows: int = 0
    total: int = 0


class Totals(ProcessTableFunction):
    """The work as a process table function."""

    timeout = _TIMEOUT

    def eval(self, ctx: Context, seen: State[Seen], input: TableAsSet[Row]) -> None:
        seen.rows += 1
        seen.total += input.v
        timers = ctx.timers(dt.datetime)
        time = timers.current_time()
        assert time is not None
        timers.register_on_time("timeout", time + self.timeout)

    def on_timer(self, ctx: OnTimerContext, seen: State[Seen]) -> Iterator[Seen]:
        yield seen
        ctx.clear_all()


class PatientTotals(Totals):
    """The work with a timeout that never comes, so that the state of each key stays."""

    timeout = _FOREVER


class TotalsByHand(StatefulProcessor):
    """The work as a stateful processor of Spark."""

    def init(self, handle: StatefulProcessorHandle) -> None:
        self.handle = handle
        self.seen = handle.getValueState("seen", "rows BIGINT, total BIGINT, timer BIGINT")

    def handleInputRows(self, key: Any, rows: Iterator[Any], timerValues: Any) -> Iterator[SparkRow]:
        count, total, timer = self.seen.get() or (0, 0, None)
        for row in sorted(rows, key=lambda row: row.ts):
            count += 1
            total += row.v
            last = row.ts
        if timer is not None:
            self.handle.deleteTimer(timer)
        timer = (last.astimezone(dt.timezone.utc) + _TIMEOUT - _EPOCH) // _MILLISECOND
        self.handle.registerTimer(timer)
        self.seen.update((count, total, timer))
        return iter(())

    def handleExpiredTimer(self, key: Any, timerValues: Any, expiredTimerInfo: Any) -> Iterator[SparkRow]:
        count, total, timer = self.seen.get() or (0, 0, 0)
        self.seen.clear()
        yield SparkRow(k=key[0], rows=count, total=total, rowtime=_EPOCH + timer * _MILLISECOND)

    def close(self) -> None:
        pass


# --- the sides --------------------------------------------------------------------------------------------------------

OfBatch = Callable[["DataFrame", int], None]
Run = Callable[[OfBatch, str], None]
"""Runs a query with a checkpoint over all files, and calls a function with the rows of each batch."""


def list_sides(env: TableEnvironment, events: DataFrame) -> dict[str, Run]:
    """Return the queries that are compared."""
    keyed = env.from_spark(events).partition_by(col("k"))
    on_time = descriptor("ts")
    return {
        OURS: _our_run(keyed.process(Totals, on_time=on_time)),
        ORDERED: _our_run(keyed.order_by(col("ts")).process(Totals, on_time=on_time)),
        BY_HAND: lambda of_batch, checkpoint: _run(_transform(events), "append", of_batch, checkpoint),
        COUNT: lambda of_batch, checkpoint: _run(events.groupBy("k").count(), "update", of_batch, checkpoint),
    }


def _our_run(table: Table) -> Run:
    def run(of_batch: OfBatch, checkpoint: str) -> None:
        options = StreamOptions(trigger="available-now", checkpoint=checkpoint)
        result = table.for_each_batch(lambda rows, batch: of_batch(rows.to_spark(), batch), options=options)
        assert result.wait()

    return run


def _transform(events: DataFrame) -> DataFrame:
    return events.groupBy("k").transformWithState(
        TotalsByHand(), "k BIGINT, rows BIGINT, total BIGINT, rowtime TIMESTAMP", "append", "EventTime"
    )


def _run(rows: DataFrame, mode: str, of_batch: OfBatch, checkpoint: str) -> None:
    writer = rows.writeStream.foreachBatch(of_batch).outputMode(mode).option("checkpointLocation", checkpoint)
    started: StreamingQuery = writer.trigger(availableNow=True).start()
    started.awaitTermination()


# --- the rows ---------------------------------------------------------------------------------------------------------


def write_batches(folder: Path, batches: Iterable[Sequence[int]], rows_of_key: int) -> None:
    """Write a file of rows for each batch, in which each key of the batch has some rows, in any order.

    Args:
        folder: the folder of the files.
        batches: the keys of each batch.
        rows_of_key: the number of rows of each key, a second apart.
    """
    folder.mkdir()
    chosen = random.Random(7)
    for number, keys in enumerate(batches):
        begin = _BEGIN + number * _BETWEEN_BATCHES
        rows = [(key, begin + row * dt.timedelta(seconds=1)) for key in keys for row in range(rows_of_key)]
        chosen.shuffle(rows)
        columns = {
            "k": pa.array([key for key, _ in rows], pa.int64()),
            "ts": pa.array([time for _, time in rows], pa.timestamp("us", "UTC")),
            "v": pa.array([chosen.randrange(1000) for _ in rows], pa.int64()),
        }
        path = folder / f"{number:04}.parquet"
        pq.write_table(pa.table(columns), path)
        # Spark reads the files in the order of their times.
        os.utime(path, (number + 1, number + 1))


def _read(spark: SparkSession, folder: Path) -> DataFrame:
    reader = spark.readStream.schema("k BIGINT, ts TIMESTAMP, v BIGINT").option("maxFilesPerTrigger", 1)
    return reader.parquet(str(folder)).withWatermark("ts", _WATERMARK)


def list_keys(keys: int, batches: int) -> list[list[int]]:
    """Return the keys of each batch, of which a tenth does not come in the next three."""
    step = keys // 10
    return [[(batch * step + key) % (keys + 3 * step) for key in range(keys)] for batch in range(batches)]


# --- processor time ---------------------------------------------------------------------------------------------------


@attrs.frozen
class Cost:
    """The median seconds of a batch, and what tells the rows of all batches.

    Attributes:
        processors: the processor time of Java and Python.
        workers: the processor time of the Python workers alone.
        elapsed: the elapsed time.
        rows: the number of rows, and a digest of them.
    """

    processors: float
    workers: float
    elapsed: float
    rows: tuple[int, int]


_Times = tuple[float, float, float]
"""Seconds: of the processors, of the Python workers, and of the clock."""


def measure(run: Run, folder: Path, batches: int) -> Cost:
    """Return what a batch after the third one costs."""
    for number in range(_STARTS):
        samples: list[_Times] = []
        found: list[tuple[int, int]] = []
        try:
            run(partial(_write, samples, found), str(folder / str(number)))
            break
        except Exception as error:
            # A worker has ten seconds to connect to Spark, which a busy machine misses. The library tries again, too.
            if _NOT_CONNECTED not in str(error) or number == _STARTS - 1:
                raise
    # A last batch without rows may follow, which fires timers.
    pairs = zip(samples[FIRST - 1 : batches - 1], samples[FIRST:batches], strict=True)
    costs = [[end - begin for begin, end in zip(before, after, strict=True)] for before, after in pairs]
    processors, workers, elapsed = (statistics.median(values) for values in zip(*costs, strict=True))
    return Cost(processors, workers, elapsed, (sum(count for count, _ in found), sum(digest for _, digest in found)))


def _write(samples: list[_Times], found: list[tuple[int, int]], rows: DataFrame, _batch: int) -> None:
    """Compute the rows of a batch, and note their number, a digest, and the times at the end of the batch."""
    observed = Observation()
    hashed = functions.xxhash64(*rows.columns).cast("DECIMAL(38, 0)")
    counted = rows.observe(observed, functions.count("*").alias("rows"), functions.sum(hashed).alias("digest"))
    counted.write.format("noop").mode("overwrite").save()
    found.append((observed.get["rows"], int(observed.get["digest"] or 0)))
    samples.append((processor_time.of_program(), processor_time.of_workers(), time.perf_counter()))


def compare(env: TableEnvironment, folder: Path, keys: int, rows_of_key: int, given: argparse.Namespace) -> None:
    """Print the lines of one number of keys."""
    write_batches(folder / "events", list_keys(keys, given.batches), rows_of_key)
    every = list_sides(env, _read(env.spark, folder / "events"))
    sides = {name: run for name, run in every.items() if name in given.sides}
    costs: dict[str, list[Cost]] = {name: [] for name in sides}
    for number in range(given.runs):
        for i, (name, run) in enumerate(sides.items()):
            cost = measure(run, folder / f"{number}-{i}", given.batches)
            print(f"{keys:,} keys of {rows_of_key} rows, {name}: {cost}", file=sys.stderr, flush=True)
            costs[name].append(cost)
    results = {cost.rows for name, measured in costs.items() if name != COUNT for cost in measured}
    ((count, _),) = results  # All runs have given the same rows.
    assert count, "no timer has fired"
    for name, measured in costs.items():
        own = statistics.median(cost.processors for cost in measured)
        elapsed = statistics.median(cost.elapsed for cost in measured)
        workers = statistics.median(cost.workers for cost in measured)
        cells = [
            f"{keys:,}",
            f"{rows_of_key}",
            name,
            f"{own:.2f} s",
            f"{workers:.2f} s",
            f"{keys * rows_of_key / elapsed:,.0f}",
        ]
        cells += _ratio(name, costs[OURS], measured, CASES.get((keys, rows_of_key)))
        print(f"| {' | '.join(cells)} |", flush=True)


def _ratio(name: str, ours: Sequence[Cost], theirs: Sequence[Cost], aim: float | None) -> tuple[str, str, str]:
    """Return the cells of the ratio of the runs: ours to the others, or that with ORDER BY to ours."""
    if name == OURS:
        return "", "", ""
    ratios = [here.processors / there.processors for here, there in zip(ours, theirs, strict=True)]
    if name == ORDERED:
        ratios = [1 / ratio for ratio in ratios]
    limit = {ORDERED: 1.5, COUNT: 5.0, BY_HAND: aim}[name]
    return f"{statistics.median(ratios):.2f}", f"{min(ratios):.2f} to {max(ratios):.2f}", f"{limit or ''}"


# --- memory -----------------------------------------------------------------------------------------------------------


@attrs.frozen
class Sample:
    """The memory after a batch in megabytes, and how long the batch took in seconds.

    Attributes:
        heap: the live objects of the JVM, after a garbage collection.
        java: the resident memory of the JVM, in which RocksDB has its part, and the heap has what is not yet collected.
        python: the memory of the Python workers, in which shared pages count in parts.
        seconds: the time of the batch.
        processors: its processor time.
    """

    heap: float
    java: float
    python: float
    seconds: float
    processors: float


def watch_memory(env: TableEnvironment, folder: Path, keys: int, batches: int) -> Iterator[Sample]:
    """Yield the memory after each batch that touches 1 % of the keys, once all keys have a state."""
    touched = keys // 100
    chosen = random.Random(11)
    loads = [range(first, first + keys // 10) for first in range(0, keys, keys // 10)]
    write_batches(folder / "events", [*loads, *[chosen.sample(range(keys), touched) for _ in range(batches)]], 1)
    keyed = env.from_spark(_read(env.spark, folder / "events")).partition_by(col("k"))
    samples: list[Sample] = []
    last = [time.perf_counter(), processor_time.of_program()]

    def of_batch(rows: DataFrame, batch: int) -> None:
        rows.write.format("noop").mode("overwrite").save()
        own = [time.perf_counter(), processor_time.of_program()]
        taken = [after - before for before, after in zip(last, own, strict=True)]
        samples.append(Sample(*_read_memory(env.spark), *taken))
        print(f"batch {batch}: {samples[-1]}", file=sys.stderr, flush=True)
        last[:] = [time.perf_counter(), processor_time.of_program()]

    run = _our_run(keyed.process(PatientTotals, on_time=descriptor("ts")))
    for number in range(_STARTS):
        try:
            run(of_batch, str(folder / "checkpoint"))
            break
        except Exception as error:
            # The checkpoint continues with the batch that had not ended.
            if _NOT_CONNECTED not in str(error) or number == _STARTS - 1:
                raise
    yield from samples[len(loads) : len(loads) + batches]


def _read_memory(spark: SparkSession) -> tuple[float, float, float]:
    """Return the live heap of the JVM, its resident memory, and that of the Python workers, in megabytes."""
    jvm: Any = spark._jvm
    jvm.java.lang.System.gc()
    runtime = jvm.java.lang.Runtime.getRuntime()
    heap = (runtime.totalMemory() - runtime.freeMemory()) / 2**20
    java = python = 0.0
    for path in Path("/proc").glob("[0-9]*/smaps_rollup"):
        try:
            command = (path.parent / "cmdline").read_bytes()
            values = dict(line.split(":") for line in path.read_text().splitlines()[1:])
            size = int(values["Pss"].split()[0]) / 2**10
        except (OSError, ValueError, KeyError):
            continue
        if not processor_time.is_below(int(path.parent.name)):
            continue
        if b"java" in command.split(b"\0")[0]:
            java += size
        elif b"daemon" in command:
            python += size
    return heap, java, python


def print_memory(samples: Sequence[Sample]) -> None:
    """Print the medians of ten batches at a time."""
    print("| batches | live heap, MB | JVM, MB | Python workers, MB | seconds of a batch | processor s |")
    print("|---|---:|---:|---:|---:|---:|")
    for first in range(0, len(samples), 10):
        some = samples[first : first + 10]
        cells = [f"{first + 1} to {first + len(some)}"]
        for name, digits in (("heap", 0), ("java", 0), ("python", 0), ("seconds", 1), ("processors", 2)):
            cells.append(f"{statistics.median(getattr(sample, name) for sample in some):,.{digits}f}")
        print(f"| {' | '.join(cells)} |", flush=True)


def make_environment(folder: Path) -> TableEnvironment:
    """Return an environment for both sides, whose state store has as many partitions as there are cores."""
    env = TableEnvironment.create(warehouse=str(folder / "warehouse"))
    env.spark.sparkContext.setLogLevel("ERROR")
    env.spark.conf.set("spark.sql.shuffle.partitions", "2")
    return env


def main() -> None:
    """Print the table of the comparison, or that of the memory."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=5, help="runs of each side, in turns")
    parser.add_argument("--batches", type=int, default=7)
    parser.add_argument("--cases", type=int, nargs="*", help="keys, rows of a key, and so on; by default the three")
    every = [OURS, ORDERED, BY_HAND, COUNT]
    parser.add_argument("--sides", nargs="*", choices=every, default=every, help="what is measured, with here")
    parser.add_argument("--memory", action="store_true", help="measure the memory, and nothing else")
    parser.add_argument("--keys", type=int, default=1_000_000, help="keys with a state, for --memory")
    parser.add_argument("--touches", type=int, default=100, help="batches that touch 1 %% of the keys, for --memory")
    given = parser.parse_args()
    cases = list(CASES) if given.cases is None else list(zip(given.cases[::2], given.cases[1::2], strict=True))
    with tempfile.TemporaryDirectory() as directory:
        env = make_environment(Path(directory))
        if given.memory:
            print_memory(list(watch_memory(env, Path(directory), given.keys, given.touches)))
            env.close()
            return
        print(
            "| keys | rows of a key | | processors, a batch | of Python workers | rows/s | ratio | of runs | at most |"
        )
        print("|---:|---:|---|---:|---:|---:|---:|---|---:|")
        for number, (keys, rows_of_key) in enumerate(cases):
            folder = Path(directory) / str(number)
            folder.mkdir()
            compare(env, folder, keys, rows_of_key, given)
        env.close()


if __name__ == "__main__":
    main()
