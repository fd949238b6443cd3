"""Compare many random joins with Spark: ``python -m tests.random_joins --queries 20000 --seed 1``.

Prints each kind of difference with the smallest query found that shows it, and how often each pair of dimensions
occurred.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import time
import warnings
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from ir.errors import SuspiciousCastWarning
from tests.random_joins import cases, fluent_queries
from tests.random_joins.cases import Coverage, rare_choices
from tests.random_joins.choices import Choices, Made, shrink
from tests.random_joins.fluent_queries import FluentQuery, write_fluent_query
from tests.random_joins.judging import Difference, Judge, Verdict
from tests.random_joins.plans import UNWANTED_RULES
from tests.random_joins.sql_queries import SqlQuery, write_query
from tests.random_joins.tables import create_in_spark, declared

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

# One of this many queries is a fluent one.
_FLUENT = 4


_TAKEN = {
    (True, True): "taken by both",
    (True, False): "refused here alone",
    (False, True): "taken here alone",
    (False, False): "refused by both",
}


class Run:
    """A run over many queries: the queries that were judged, and the differences."""

    def __init__(self, judge: Judge, seed: int | str, shrinks: int = 1) -> None:
        self.judge = judge
        self.seed = seed
        self.shrinks = shrinks
        self.coverage = Coverage(cases.DIMENSIONS)
        self.fluent_coverage = Coverage(fluent_queries.DIMENSIONS)
        self.outcomes: Counter[str] = Counter()
        self.differences: Counter[str] = Counter()
        self.reports: list[str] = []

    def ask(self, number: int) -> None:
        """Judge the query with a number, and report its difference if its kind is new."""
        is_fluent = number % _FLUENT == _FLUENT - 1
        write = write_fluent_query if is_fluent else write_query
        coverage = self.fluent_coverage if is_fluent else self.coverage
        seed = f"{self.seed} {number}"
        at = Choices(rare_choices(coverage, random.Random(seed)), seed)
        query = write(at)
        verdict = self.judged(query)
        coverage.count(query.case, verdict.is_taken_by_spark and verdict.is_taken_here)
        self.outcomes[_TAKEN[verdict.is_taken_by_spark, verdict.is_taken_here]] += 1
        if verdict.rows is not None:
            self.outcomes["rows compared"] += 1
            self.outcomes["rows compared: none there"] += verdict.rows == 0
        elif verdict.is_taken_here and verdict.is_taken_by_spark:
            self.outcomes["same plans"] += 1
        if verdict.difference is not None:
            self._report(number, write, at, verdict.difference)

    def judged(self, query: SqlQuery | FluentQuery) -> Verdict:
        """Judge a query and return the verdict."""
        if isinstance(query, SqlQuery):
            return self.judge.verdict(query.text, query.is_ordered)
        return self.judge.verdict(query.text, query.is_ordered, lambda: query.build(self.judge.environment))

    def _report(
        self, number: int, write: Callable[[Choices], SqlQuery | FluentQuery], at: Choices, difference: Difference
    ) -> None:
        signature = difference.signature
        self.differences[signature] += 1
        if self.differences[signature] > self.shrinks:
            return

        def fails(made: Made) -> bool:
            found = self.judged(write(Choices(made))).difference
            return found is not None and found.signature == signature

        smallest = write(Choices(shrink(at.made, fails)))
        found = self.judged(smallest).difference
        code = f"{smallest.code}\n" if isinstance(smallest, FluentQuery) else ""
        detail = found.detail if found is not None else "(not there when judged again)"
        self.reports.append(f"\n=== query {number}: {signature}\n{code}{smallest.text}\n--- {detail}\n")

    def summary(self) -> str:
        """Return the counts of the run."""
        lines = [f"{name}: {count:,}" for name, count in sorted(self.outcomes.items())]
        lines += [f"{count:>6} x {signature}" for signature, count in self.differences.most_common()]
        return "\n".join(lines)


def main() -> int:
    """Judge random queries and print what differs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--queries", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--shrinks", type=int, default=1, help="how many queries of each kind are made smaller")
    parser.add_argument("--coverage", action="store_true", help="print how often each pair of dimensions was met")
    options = parser.parse_args()
    # A string column of a set operation may become numeric.
    warnings.simplefilter("ignore", SuspiciousCastWarning)
    # The settings of the tests, which prepare Spark for a few rows.
    import tests.conftest  # noqa: F401  # imported for the options that it sets
    from tableapi.spark.session import embedded_session, stop_embedded_session
    from tests.jvm_names import remember_names

    remember_names()
    with tempfile.TemporaryDirectory() as home:
        spark = embedded_session(warehouse=Path(home))
        prepare(spark)
        run = Run(Judge(spark, declared()), options.seed, options.shrinks)
        begin = time.monotonic()
        for number in range(options.queries):
            run.ask(number)
            while run.reports:
                print(run.reports.pop(0), flush=True)
            if (number + 1) % 100 == 0:
                seconds = time.monotonic() - begin
                print(
                    f"{number + 1:,} of {options.queries:,} queries in {seconds:,.0f} s, "
                    f"{sum(run.differences.values()):,} differ",
                    file=sys.stderr,
                    flush=True,
                )
        print(run.summary())
        if options.coverage:
            print(f"SQL\n{run.coverage.summary()}\nfluent\n{run.fluent_coverage.summary()}")
        stop_embedded_session()
    return 1 if run.differences else 0


def prepare(spark: SparkSession) -> None:
    """Create the tables, and configure Spark for a few rows in one partition."""
    spark.conf.set("spark.sql.autoBroadcastJoinThreshold", "-1")
    spark.conf.set("spark.sql.shuffle.partitions", "1")
    # Without adaptive execution, which costs time with so few rows, Spark 4.3.0 fails at a join of a UNION ALL whose
    # partitions it keeps, if an exchange below occurs twice ("Can't zip RDDs").
    spark.conf.set("spark.sql.unionOutputPartitioning", "false")
    spark.conf.set("spark.sql.optimizer.excludedRules", ",".join(UNWANTED_RULES))
    create_in_spark(spark)


if __name__ == "__main__":
    sys.exit(main())
