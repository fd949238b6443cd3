"""Time to read SQL, against SQLGlot: ``make bench``, or ``make bench ARGS='--texts DIRECTORY'`` for other TPC-H texts.

Two measurements of each text run in one process and in turns, so that a busy machine slows both libraries alike: the
time to parse, and the time from the text to a typed tree with bound names. SQLGlot (pure Python) parses with
``read="spark"``, then qualifies and annotates types with the schema of the tables; this library parses and resolves
with the same tables. Figures are medians of the ratios of pairs of runs, with their interquartile range.
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
from collections.abc import Callable, Mapping
from importlib.metadata import version
from pathlib import Path

from benchmarks.pairs import compare
from examples.tpch.data import COLUMNS, declare
from examples.tpch.queries import QUERIES
from grammar.reading import Surroundings, parse_query, parse_syntax
from ir.expressions import Expression
from ir.identifiers import quote
from ir.operations.operation import QueryOperation
from ir.operations.source import ReadOptions
from ir.rendering import Dialect
from tableapi import EnvironmentSettings, TableEnvironment

PAIRS = 15
DATABASE = "tpch"


def environment() -> TableEnvironment:
    """Return an environment with the TPC-H tables declared, without Spark."""
    settings = EnvironmentSettings.new_instance().with_built_in_catalog_name("spark_catalog")
    env = TableEnvironment.create(settings.with_built_in_database_name(DATABASE).build())
    declare(env, DATABASE, Path("/nowhere"))
    return env


def texts_of(directory: Path | None, env: TableEnvironment) -> dict[str, str]:
    """Return the texts of a directory, or those that this library writes for its own TPC-H queries."""
    if directory is not None:
        found = {path.stem: path.read_text(encoding="utf-8") for path in sorted(directory.glob("*.sql"))}
        if not found:
            sys.exit(f"{directory} has no file *.sql")
        return found
    tables = {name: query(lambda table: env.from_path(f"{DATABASE}.{table}")) for name, query in QUERIES.items()}
    return {name: table.as_serializable_string() for name, table in tables.items()}


def ours(env: TableEnvironment) -> tuple[Callable[[str], object], Callable[[str], object]]:
    """Return two functions of a text: parsing alone, and reading to a typed tree."""

    def find(
        path: tuple[str, ...], version: str | None, timestamp: Expression | None, options: ReadOptions
    ) -> QueryOperation:
        return env.from_path(".".join(map(quote, path))).query_operation

    known = Surroundings(find_table=find)
    return lambda text: parse_syntax(text, Dialect.SPARK), lambda text: parse_query(text, known)


def theirs(env: TableEnvironment) -> tuple[Callable[[str], object], Callable[[str], object]]:
    """Return two functions of a text with SQLGlot: parsing alone, and reading to a qualified and annotated tree."""
    import sqlglot
    from sqlglot import MappingSchema
    from sqlglot.optimizer.annotate_types import annotate_types
    from sqlglot.optimizer.qualify import qualify

    tables: Mapping[str, Mapping[str, str]] = {
        table: {
            column.name: column.data_type.as_serializable_string()
            for column in env.from_path(f"{DATABASE}.{table}").get_resolved_schema().columns
        }
        for table in COLUMNS
    }
    schema = MappingSchema({"spark_catalog": {DATABASE: tables}}, dialect="spark")

    def read(text: str) -> object:
        parsed = sqlglot.parse_one(text, read="spark")
        return annotate_types(
            qualify(parsed, schema=schema, dialect="spark", catalog="spark_catalog", db=DATABASE),
            schema=schema,
            dialect="spark",
        )

    return lambda text: sqlglot.parse_one(text, read="spark"), read


def show(name: str, mine: Callable[[str], object], other: Callable[[str], object], texts: Mapping[str, str]) -> None:
    """Print the medians of both sides and of their ratio."""
    found = compare(
        lambda: [mine(text) for text in texts.values()], lambda: [other(text) for text in texts.values()], PAIRS
    )
    low, middle, high = found.ratios
    a, b = (side / len(texts) * 1e3 for side in (found.ours, found.theirs))
    print(f"| {name} | {a:.2f} ms | {b:.2f} ms | {middle:.2f} | {low:.2f} to {high:.2f} |")


_FIRST = "import tableapi, time; s = time.perf_counter(); from grammar.reading import parse_query; parse_query({!r})"


def first_parse() -> float:
    """Return the milliseconds that a new process takes for its first text, with the parser tables already cached."""
    code = _FIRST.format("SELECT 1 AS a") + "; print((time.perf_counter() - s) * 1e3)"
    taken = [float(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout)]
    for _ in range(6):
        taken.append(float(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout))
    return statistics.median(taken[1:])


def main() -> None:
    """Print the results as a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--texts", type=Path, help="a directory of queries over the tables of TPC-H, one in each file")
    arguments = parser.parse_args()
    env = environment()
    texts = texts_of(arguments.texts, env)
    parse, read = ours(env)
    other_parse, other_read = theirs(env)
    size = sum(map(len, texts.values()))
    print(f"{len(texts)} texts of {size / len(texts):.0f} characters; median of {PAIRS} pairs; times are per text")
    print(f"| | tableapi | SQLGlot {version('sqlglot')} | ratio | middle half |")
    print("|---|---|---|---|---|")
    show("parse", parse, other_parse, texts)
    show("parse, bind names, infer types", read, other_read, texts)
    print(f"First text of a process: {first_parse():.0f} ms")


if __name__ == "__main__":
    main()
