"""Run the TPC-H queries and print their rows: ``python -m examples.tpch --scale 0.1 q1 q5``."""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from pathlib import Path

from examples.tpch.data import declare, generate
from examples.tpch.queries import QUERIES
from tableapi import TableEnvironment

DATABASE = "tpch_example"


def main(arguments: list[str]) -> int:
    """Run the named queries, or all; return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m examples.tpch", description="The 22 queries of TPC-H.")
    parser.add_argument("queries", nargs="*", choices=[[], *QUERIES], help="which ones; all by default")
    parser.add_argument("--scale", type=float, default=0.01, help="the scale factor, 0.01 by default")
    parser.add_argument("--sql", action="store_true", help="print the SQL of each query as well")
    given = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as home, TableEnvironment.create(warehouse=home) as te:
        run(te, Path(home) / "tpch files", given.scale, given.queries or list(QUERIES), show_sql=given.sql)
    return 0


def run(te: TableEnvironment, files: Path, scale: float, names: list[str], *, show_sql: bool) -> None:
    """Run queries over generated data and print their rows."""
    print(f"Generating TPC-H at scale factor {scale} …", flush=True)
    generate(files, scale)
    te.execute_sql(f"CREATE DATABASE {DATABASE}")
    declare(te, DATABASE, files)
    for name in names:
        table = QUERIES[name](lambda table_name: te.from_path(f"{DATABASE}.{table_name}"))
        print(f"\n{name}: {QUERIES[name].__doc__}", flush=True)
        if show_sql:
            print(table.as_serializable_string())
        start = time.perf_counter()
        table.execute().print()
        print(f"{time.perf_counter() - start:.2f} s")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
