"""How many test programs get the plan of the equivalent DataFrame: ``python -m tests.plans [NAME ...]``.

Prints for each layout how many plans are equal to the DataFrame's, how many read, join and exchange the same, and how
many are different; then the programs without a counterpart, by reason. With names of programs, shows the differences.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections import Counter
from pathlib import Path

from rich.console import Console
from rich.progress import track

from ir.rendering import Layout
from tableapi.spark.session import embedded_session, stop_embedded_session
from tests.plans.columns import NoCounterpart
from tests.plans.comparison import Sameness, compared, frames_of
from tests.plans.counterpart import dataframe_of
from tests.plans.known import DIFFERENT, WITHOUT_COUNTERPART
from tests.programs import PROGRAMS, Program
from tests.programs.tables import Tables, programs_in_spark


def main() -> int:
    """Compare and print; return the exit status, 0 if no plan differs without a known reason."""
    parser = argparse.ArgumentParser(prog="python -m tests.plans", description=__doc__)
    parser.add_argument("names", nargs="*", help="names of programs; all of them by default")
    given = parser.parse_args()
    programs = [program for program in PROGRAMS.values() if not given.names or program.name in given.names]
    console = Console(highlight=False, markup=False, soft_wrap=True)
    with tempfile.TemporaryDirectory() as home:
        spark = embedded_session(Path(home))
        try:
            with programs_in_spark(spark) as tables:
                # Adaptive execution replaces the plan while it runs; the initial plan is compared.
                tables.env.spark.conf.set("spark.sql.adaptive.enabled", "false")
                return _print_counts(console, programs, tables, in_detail=bool(given.names))
        finally:
            stop_embedded_session()


def _print_counts(console: Console, programs: list[Program], tables: Tables, *, in_detail: bool) -> int:
    counts: Counter[tuple[Layout, Sameness]] = Counter()
    different: dict[str, str] = {}
    without: dict[str, str] = {}
    shown = Console(stderr=True)
    for program in track(programs, "programs", console=shown, transient=True, disable=not shown.is_terminal):
        table = program.build(tables)
        try:
            native = dataframe_of(table.query_operation, tables.env.spark)
        except NoCounterpart as error:
            without[program.name] = str(error)
            continue
        for layout, frame in frames_of(table, tables.env.spark).items():
            sameness, difference = compared(frame, native)
            counts[layout, sameness] += 1
            if sameness is Sameness.DIFFERENT:
                different[program.name] = DIFFERENT.get(program.name, "not explained")
            if in_detail:
                console.print(f"{program.name}, {layout.name}: {sameness.value}\n{difference}")
    console.print(f"{len(programs)} programs, {len(programs) - len(without)} of them as DataFrames; Spark plans")
    for layout in Layout:
        numbers = ", ".join(f"{sameness.value} {counts[layout, sameness]}" for sameness in Sameness)
        console.print(f"  {layout.name}: {numbers}")
    for title, found in (("different plans", different), ("no counterpart", without)):
        for name, reason in found.items():
            console.print(f"  {title}: {name}: {reason}")
    return int(different.keys() != DIFFERENT.keys() or without != WITHOUT_COUNTERPART) if not in_detail else 0


if __name__ == "__main__":
    sys.exit(main())
