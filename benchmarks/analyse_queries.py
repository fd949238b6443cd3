"""Time from a fluent query to Spark's analysed plan, against PySpark's DataFrames: ``make bench-spark``.

First run the 22 TPC-H queries of every library over the same data and compare their rows. This proves that the queries
timed here and in ``benchmarks.compile_queries`` do the same work. Then analyse the queries on both sides until the JVM
has compiled the code that they use: before that, the JVM interprets it, and times fall with every query. ``--rounds 0``
skips this warm-up and so measures a session that has just begun.
"""

from __future__ import annotations

import argparse
import datetime as dt
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any

from pyspark.sql import DataFrame, SparkSession, functions

from benchmarks.compile_queries import of_ibis, of_sqlframe
from benchmarks.pairs import compare
from benchmarks.read_sql import DATABASE
from benchmarks.tpch_dataframes import DATAFRAMES, WITHOUT_SUBQUERIES
from examples.tpch.data import declare, generate
from examples.tpch.queries import QUERIES
from tableapi import Layout, TableEnvironment
from tableapi.spark.session import embedded_session

PAIRS = 15
SCALE_FACTOR = 0.01
ROUNDS = 30

Make = Callable[[str], DataFrame]


def of_dataframes(spark: SparkSession) -> Make:
    """Return a function that builds a TPC-H query with PySpark."""

    def make(name: str) -> DataFrame:
        made: DataFrame = DATAFRAMES[name](lambda table: spark.table(f"{DATABASE}.{table}"), functions)
        return made

    return make


def of_ours(spark: SparkSession, env: TableEnvironment, layout: Layout) -> Make:
    """Return a function that builds a TPC-H query with this library and hands its SQL to Spark."""

    def make(name: str) -> DataFrame:
        query = QUERIES[name](lambda table: env.from_path(f"{DATABASE}.{table}"))
        return spark.sql(query.as_serializable_string(layout=layout))

    return make


def _comparable(value: object) -> str:
    # The libraries' types differ in scale, and their sums of doubles in the last digits.
    if isinstance(value, (int, float, Decimal)):
        return f"{float(value):.2f}"
    assert value is None or isinstance(value, (str, dt.date)), value
    return str(value)


def _rows(frame: DataFrame) -> list[tuple[str, ...]]:
    return sorted(tuple(_comparable(value) for value in row) for row in frame.collect())


def compare_rows(spark: SparkSession, env: TableEnvironment) -> None:
    """Run every query of every library and compare the rows.

    Raises:
        AssertionError: the rows of another library differ from ours.
    """
    spark.sql(f"USE {DATABASE}")
    ibis, sqlframe = of_ibis(), of_sqlframe()
    others: dict[str, Callable[[str], DataFrame]] = {
        "MERGED": of_ours(spark, env, Layout.MERGED),
        "PySpark": of_dataframes(spark),
        "Ibis": lambda name: spark.sql(ibis(name)),
        "SQLFrame": lambda name: spark.sql(sqlframe(name)),
    }
    mine = of_ours(spark, env, Layout.NESTED)
    for name in QUERIES:
        expected = _rows(mine(name))
        assert expected, name
        for library, query in others.items():
            if library != "SQLFrame" or name in WITHOUT_SUBQUERIES:
                assert _rows(query(name)) == expected, f"the rows of {library} for {name} differ"
    print(
        f"{len(QUERIES)} queries of TPC-H over a scale factor of {SCALE_FACTOR}: {', '.join(others)} return equal rows"
    )


def compare_analysis(spark: SparkSession, env: TableEnvironment, rounds: int) -> None:
    """Print how long each side takes until Spark has analysed the plan.

    Args:
        rounds: how often each query is analysed before the first timed pair.
    """
    mine, native = of_ours(spark, env, Layout.MERGED), of_dataframes(spark)
    for _ in range(rounds):
        for name in QUERIES:
            assert len(mine(name).schema) == len(native(name).schema)
    print(f"Until Spark has analysed them; median of {PAIRS} pairs, after {rounds} rounds; times per query")
    print("| query | tableapi | PySpark's DataFrames | how many times faster | middle half |")
    print("|---|---|---|---|---|")
    for title, names in [*((name, [name]) for name in QUERIES), ("all", list(QUERIES))]:
        found = compare(_schemas(mine, names), _schemas(native, names), PAIRS)
        a, b = (side / len(names) * 1e3 for side in (found.ours, found.theirs))
        high, middle, low = (1 / ratio for ratio in found.ratios)
        print(f"| {title} | {a:.1f} ms | {b:.1f} ms | {middle:.2f} | {low:.2f} to {high:.2f} |", flush=True)


def _schemas(make: Make, names: list[str]) -> Callable[[], Any]:
    return lambda: [make(name).schema for name in names]


def main() -> None:
    """Compare rows, then times."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("directory", type=Path, help="where the data is made and kept")
    parser.add_argument("--rounds", type=int, default=ROUNDS, help="how often all are analysed before the first pair")
    arguments = parser.parse_args()
    generate(arguments.directory, SCALE_FACTOR)
    spark = embedded_session(warehouse=arguments.directory / "warehouse")
    env = TableEnvironment.create(spark=spark)
    env.execute_sql(f"CREATE DATABASE IF NOT EXISTS {DATABASE}")
    declare(env, DATABASE, arguments.directory)
    compare_rows(spark, env)
    compare_analysis(spark, env, arguments.rounds)


if __name__ == "__main__":
    main()
