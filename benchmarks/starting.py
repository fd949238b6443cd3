"""Time that a person waits for a new process, against Ibis, SQLGlot and PySpark: ``make bench``.

Each program is a process of its own, from ``python -c`` to its end, and the libraries run in turns. PySpark starts a
JVM for the same query, without which a DataFrame has no columns.
"""

from __future__ import annotations

import argparse
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Final

import attrs

RUNS: Final = 11
TABLES: Final = 1_000
_TABLE = """
from tableapi import TableEnvironment
table = TableEnvironment.create().from_elements([(1, "a")], ["n", "s"])
table = table.filter(table.n > 1).select((table.n + 1).alias("m"))
"""
_IBIS = """
import ibis
table = ibis.table({"n": "int64", "s": "string"}, name="t")
ibis.to_sql(table.filter(table.n > 1).select(m=table.n + 1), dialect="pyspark")
"""
_PYSPARK = """
from pyspark.sql import SparkSession
spark = SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false").getOrCreate()
frame = spark.createDataFrame([(1, "a")], ["n", "s"])
frame.filter(frame.n > 1).select((frame.n + 1).alias("m")).schema
"""
_QUERY = "SELECT n + 1 AS m FROM VALUES (1, 'a') AS t(n, s) WHERE n > 1"
FIRST_TEXTS: Final = {
    "an empty program": "pass",
    "tableapi, NESTED": f"{_TABLE}table.as_serializable_string()",
    "tableapi, MERGED": f"{_TABLE}table.as_serializable_string(layout='MERGED')",
    "Ibis": _IBIS,
}
# It starts a JVM, so it runs three times only.
OF_SPARK: Final = {"PySpark": _PYSPARK}
_TIMED = """
import time
{before}
started = time.process_time()
{work}
print(time.process_time() - started)
"""
PARSES: Final = {
    "tableapi: parse": _TIMED.format(
        before="from grammar.parsers import parser\nfrom grammar.reading import parse_syntax\n"
        "from ir.rendering import Dialect",
        work=f'parse_syntax("{_QUERY}", Dialect.SPARK)',
    ),
    "tableapi: read and resolve": _TIMED.format(
        before="from tableapi import TableEnvironment\nte = TableEnvironment.create()", work=f'te.sql_query("{_QUERY}")'
    ),
    "tableapi: the same once more": _TIMED.format(
        before=f'from tableapi import TableEnvironment\nte = TableEnvironment.create()\nte.sql_query("{_QUERY}")',
        work=f'te.sql_query("{_QUERY}".replace("1", "2"))',
    ),
    "SQLGlot: parse": _TIMED.format(before="import sqlglot", work=f'sqlglot.parse_one("{_QUERY}", dialect="spark")'),
}
_CATALOG = """
import sys
from tableapi import DirectoryCatalog, TableEnvironment
te = TableEnvironment.create()
te.register_catalog("lake", DirectoryCatalog("lake", sys.argv[1]))
for name in te.get_catalog("lake").list_tables("sales"):
    te.from_path(f"lake.sales.{name}").get_resolved_schema()
"""


@attrs.frozen
class Cost:
    """The median processor time and elapsed time of a process, in seconds, and what it printed."""

    processor: float
    elapsed: float
    printed: tuple[str, ...]


def measure(programs: Mapping[str, str], runs: int, *arguments: str) -> dict[str, Cost]:
    """Run programs in turns, each in processes of its own, once before the timing begins."""
    found: dict[str, list[tuple[float, float, str]]] = {name: [] for name in programs}
    for run in range(runs + 1):
        for name, program in programs.items():
            result = _run(program, arguments)
            if run:
                found[name].append(result)
    return {
        name: Cost(
            statistics.median(one[0] for one in results),
            statistics.median(one[1] for one in results),
            tuple(one[2] for one in results),
        )
        for name, results in found.items()
    }


def _run(program: str, arguments: tuple[str, ...]) -> tuple[float, float, str]:
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    before, started = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-c", program, *arguments], env=environment, capture_output=True, text=True, check=True
    )
    elapsed, after = time.perf_counter() - started, resource.getrusage(resource.RUSAGE_CHILDREN)
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return used, elapsed, done.stdout.strip()


def _installed(programs: Mapping[str, str]) -> dict[str, str]:
    modules = {"Ibis": "ibis", "PySpark": "pyspark", "SQLGlot: parse": "sqlglot"}
    return {name: program for name, program in programs.items() if find_spec(modules.get(name, "sys")) is not None}


def write_tables(folder: Path, count: int) -> None:
    """Write tables of ten columns into the folder of a directory catalog."""
    types = ("BIGINT NOT NULL", "STRING", "DECIMAL(12, 2)", "TIMESTAMP", "ARRAY<STRING>")
    columns = ", ".join(f"c{i} {types[i % len(types)]}" for i in range(10))
    (folder / "sales" / "tables").mkdir(parents=True)
    for number in range(count):
        (folder / "sales" / "tables" / f"t{number}.sql").write_text(f"CREATE TABLE t{number} ({columns});\n")


def main() -> None:
    """Print the measurements."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=RUNS, help="runs of each program")
    runs = parser.parse_args().runs
    print(f"From `python -c` to the first SQL of a typed query; median of {runs} runs in turns")
    print("| program | processor time | elapsed |\n|---|---|---|")
    of_spark = measure(_installed(OF_SPARK), min(runs, 3))
    for name, cost in {**measure(_installed(FIRST_TEXTS), runs), **of_spark}.items():
        print(f"| {name} | {cost.processor * 1e3:.0f} ms | {cost.elapsed * 1e3:.0f} ms |")
    print("\nThe first query in SQL of a process whose library is loaded; processor time")
    print("| program | |\n|---|---|")
    for name, cost in measure(_installed(PARSES), runs).items():
        print(f"| {name} | {statistics.median(map(float, cost.printed)) * 1e3:.1f} ms |")
    with tempfile.TemporaryDirectory() as folder:
        write_tables(Path(folder), TABLES)
        (cost,) = measure({"tableapi": _CATALOG}, min(runs, 5), folder).values()
    print(f"\nA process that reads the columns of {TABLES:,} tables of a directory catalog:")
    print(f"{cost.processor:.2f} s of processor time, {cost.elapsed:.2f} s elapsed")


if __name__ == "__main__":
    main()
