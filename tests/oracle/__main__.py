"""Compare the whole library with Spark's analyzer: ``python -m tests.oracle [NAME ...] [--calls N]``.

Prints how many functions of Spark and of Flink this library has, how many calls the analyzer was asked about, how often
it agrees on acceptance, type and nullability, every disagreement, and the number of intended differences by reason.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

from rich.console import Console
from rich.progress import Progress

from ir.functions.builtins import BUILT_INS
from ir.functions.definition import FunctionDefinition
from tableapi.spark.session import embedded_session, stop_embedded_session
from tests.oracle.calls import ALL_CALLS
from tests.oracle.coverage import of_flink, of_spark
from tests.oracle.oracle import Comparison, Oracle
from tests.oracle.test_functions import ASKED, compare_all

_AT_ONCE = 8


def main() -> int:
    """Compare and print; return the exit status, 0 if nothing disagrees."""
    parser = argparse.ArgumentParser(prog="python -m tests.oracle", description=__doc__)
    parser.add_argument("names", nargs="*", help="functions by their names in SQL; all of them by default")
    parser.add_argument("--calls", type=int, default=ALL_CALLS, help="about how many calls of each function")
    given = parser.parse_args()
    console = Console(highlight=False)
    chosen = [d for d in ASKED if not given.names or any(BUILT_INS.find(name) is d for name in given.names)]
    with tempfile.TemporaryDirectory() as home:
        spark = embedded_session(Path(home))
        try:
            if not given.names:
                spark_names = [row[0] for row in spark.sql("SHOW SYSTEM FUNCTIONS").collect()]
                console.print(of_spark(spark_names).describe("Spark"))
                console.print(of_flink().describe("Flink"))
            return print_comparison(console, Oracle(spark), chosen, given.calls)
        finally:
            stop_embedded_session()


def print_comparison(console: Console, oracle: Oracle, functions: list[FunctionDefinition], calls: int) -> int:
    """Ask about every function, and print where Spark's analyzer disagrees."""
    total = Comparison()
    asked = [(d, False) for d in functions] + [(d, True) for d in functions if d.aggregation.supports_distinct]
    with Progress(console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("calls", total=len(asked))
        for start in range(0, len(asked), _AT_ONCE):
            for comparison in compare_all(oracle, asked[start : start + _AT_ONCE], calls).values():
                total.merge(comparison)
            progress.advance(task, _AT_ONCE)
    wrong = len(total.acceptance), len(total.types), len(total.unsound), len(total.loose)
    console.print(f"{len(functions)} functions, {total.asked:,} calls asked of Spark's analyzer")
    for kind, count in zip(("acceptance", "type", "NOT NULL that is not", "NOT NULL not known"), wrong, strict=True):
        console.print(f"  {kind}: {count} disagreements ({1 - count / max(total.asked, 1):.3%} agree)")
    for line in total.disagreements:
        console.print(f"  {line}")
    for reason, count in total.on_purpose.most_common():
        console.print(f"  on purpose, {count:,} calls: {reason}")
    return 1 if any(wrong) else 0


if __name__ == "__main__":
    sys.exit(main())
