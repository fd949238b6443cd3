"""Time and memory of iterating over ten million rows, here and in PySpark: ``make bench-fetching``.

Each way runs in its own process with its own Spark, over the same Parquet files, and reads every row as Python values:
with ``execute().collect()`` here, from one Arrow table, and with PySpark's ``toLocalIterator``. Memory is the maximum
that the process and its JVM hold, minus what they hold before the query.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from tableapi import Table, TableEnvironment
from tableapi.result import TableResult

ROWS = 10_000_000
QUERY = (
    "SELECT id, id * 0.5 AS half, CAST(id AS STRING) AS text, id % 7 = 0 AS flag, DATE_ADD(DATE '2024-01-01', "
    "CAST(id % 1000 AS INT)) AS day FROM range(0, {rows}, 1, 40)"
)


def collected(table: Table) -> Iterable[Any]:
    """Yield rows that are fetched on demand."""
    return table.execute().collect()


def of_batches(table: Table) -> Iterable[Any]:
    """Yield from batches that are fetched on demand, without converting their rows to Python values."""
    for batch in table.to_arrow_batch_reader():
        yield from range(batch.num_rows)


def of_one_table(table: Table) -> Iterable[Any]:
    """Fetch all rows as one Arrow table, then yield them as Python values."""
    return TableResult(table.get_resolved_schema(), table.to_arrow()).collect()


def of_pyspark(table: Table) -> Iterable[Any]:
    """Return PySpark's own iterator."""
    return table.to_spark().toLocalIterator(prefetchPartitions=True)


WAYS: dict[str, Callable[[Table], Iterable[Any]]] = {
    "execute().collect()": collected,
    "to_arrow_batch_reader()": of_batches,
    "one Arrow table, then rows": of_one_table,
    "toLocalIterator of PySpark": of_pyspark,
}


class Memory(threading.Thread):
    """Sample the memory of processes, in megabytes."""

    def __init__(self, *processes: int) -> None:
        super().__init__(daemon=True)
        self._processes = processes
        self._ended = threading.Event()
        self.before = self.peak = self._held()

    def _held(self) -> list[int]:
        held = []
        for process in self._processes:
            status = Path(f"/proc/{process}/status").read_text()
            held.append(int(status.split("VmRSS:")[1].split()[0]) // 1024)
        return held

    def run(self) -> None:
        """Sample twenty times a second."""
        while not self._ended.wait(0.05):
            self.peak = list(map(max, self.peak, self._held()))

    def end(self) -> list[int]:
        """Return how far memory rose above its first value."""
        self._ended.set()
        self.join()
        return [peak - before for peak, before in zip(self.peak, self.before, strict=True)]


def measure(way: str, path: str) -> dict[str, Any]:
    """Measure reading the files in one way."""
    env = TableEnvironment.create(warehouse=f"{path}-{WAYS[way].__name__}")
    env.create_temporary_view("numbers", env.from_spark(env.spark.read.parquet(path)))
    for _ in env.from_path("numbers").limit(1000).execute().collect():
        pass
    jvm: Any = env.spark.sparkContext._jvm
    memory = Memory(int(jvm.ProcessHandle.current().pid()), os.getpid())
    memory.start()
    start = time.perf_counter()
    first, count = 0.0, 0
    for _ in WAYS[way](env.from_path("numbers")):
        first = first or time.perf_counter() - start
        count += 1
    seconds = time.perf_counter() - start
    java, python = memory.end()
    return {"rows": count, "first": first, "seconds": seconds, "python": python, "java": java}


def main() -> None:
    """Print the time and memory of each way."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=ROWS)
    parser.add_argument("--way", choices=list(WAYS))
    parser.add_argument("--path", help="the Parquet files, where one way is measured alone")
    arguments = parser.parse_args()
    if arguments.way:
        print(json.dumps(measure(arguments.way, arguments.path)))
        return
    with tempfile.TemporaryDirectory() as directory:
        path = f"{directory}/numbers"
        env = TableEnvironment.create(warehouse=f"{path}-written")
        env.spark.sql(QUERY.format(rows=arguments.rows)).write.parquet(path)
        env.close()
        print("| | rows/s | first row, s | Python, MB | JVM, MB |\n|---|---:|---:|---:|---:|")
        for way in WAYS:
            command = [sys.executable, "-m", "benchmarks.fetching", "--way", way, "--path", path]
            found = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
            assert found["rows"] == arguments.rows, found
            rate = found["rows"] / found["seconds"]
            print(f"| {way} | {rate:,.0f} | {found['first']:.1f} | {found['python']:,} | {found['java']:,} |")


if __name__ == "__main__":
    main()
