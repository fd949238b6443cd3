"""Run the test programs on streams, and compare their rows with those of the same programs on tables.

``python -m tests.streams.programs`` runs all of them, in some minutes. Each table is written as three files, cut at
random places and read one file a batch, so that the result must not depend on where batches end.
"""

from __future__ import annotations

import argparse
import math
import random
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

import attrs

from ir.errors import TableException
from ir.operations.operation import QueryOperation
from ir.streaming.refusals import OutputMode
from ir.streaming.rules import refusals_in, require_some_mode
from tableapi import Table, TableEnvironment
from tests.comparison import plain
from tests.programs import PROGRAMS, Program
from tests.programs.tables import DATABASE, SCHEMAS, Tables, create_in_spark, values

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

STREAMED: Final = "streamed_programs"
"""The database of the tables in three files each."""
_FILES = 3
KNOWN: Final = frozenset(
    ("lateral_query_of_the_row_alone", "exists_with_a_reference_in_a_join_predicate", "exists_of_a_union")
)
"""Programs over a stream with a correlated query over a table, which Spark accepts, and which fail at the start."""
# Update mode gives a group once for each batch that changes it, so that its rows are none of a table.
_COMPARED = (OutputMode.APPEND, OutputMode.COMPLETE)


@attrs.frozen
class StreamedTables(Tables):
    """The tables of the programs, read as streams: all of them, or the one that a program asks for first."""

    only_first: bool = False

    def __getattr__(self, name: str) -> Table:
        if name not in SCHEMAS:
            raise AttributeError(name)
        if name not in self._found:
            is_stream = not self.only_first or not self._found
            options = {"maxFilesPerTrigger": "1"} if is_stream else None
            self._found[name] = self.env.from_path(f"{STREAMED}.{name}", stream=is_stream, options=options)
        return self._found[name]


@attrs.frozen
class Outcome:
    """What became of a program on streams.

    Attributes:
        program: the name of the program.
        kind: ``refused``, ``no stream``, ``update alone``, ``equal``, or what is wrong.
        reason: why it is refused, or what differs.
    """

    program: str
    kind: str
    reason: str = ""

    @property
    def is_wrong(self) -> bool:
        """Whether the program must not end so."""
        return self.kind in ("other rows", "Spark refuses it", "Spark fails")


def write_tables(env: TableEnvironment, seed: int) -> None:
    """Write the tables of the programs in three files each, cut at random places."""
    chance = random.Random(seed)
    spark = env.spark
    spark.sql(f"CREATE DATABASE IF NOT EXISTS {STREAMED}")
    for name in SCHEMAS:
        rows = env.from_operation(values(name)).to_spark()
        collected = rows.collect()
        places = [chance.randrange(_FILES) for _ in collected]
        for number in range(_FILES):
            part = [row for row, place in zip(collected, places, strict=True) if place == number]
            frame = spark.createDataFrame(part, rows.schema).coalesce(1)
            frame.write.mode("overwrite" if number == 0 else "append").saveAsTable(f"{STREAMED}.{name}")


def modes_of(operation: QueryOperation) -> list[OutputMode]:
    """Return the output modes that can run a query, according to the rules."""
    return [mode for mode in OutputMode if not refusals_in(mode, operation)]


def run(program: Program, env: TableEnvironment, batch: Tables, *, only_first: bool) -> Outcome:
    """Build a program over streams, run it until all rows are read, and compare its rows."""
    try:
        table = program.build(StreamedTables(env, only_first=only_first))
    except TableException as error:
        return Outcome(program.name, "refused", str(error))
    operation = table.query_operation
    if not operation.is_unbounded:
        return Outcome(program.name, "no stream")
    modes = modes_of(operation)
    if not modes:
        try:
            require_some_mode(operation)
        except TableException as error:
            return Outcome(program.name, "refused", str(error))
        return Outcome(program.name, "other rows", "no mode runs it, and no error says so")
    mode = next((mode for mode in _COMPARED if mode in modes), None)
    if program.rows is None:
        return Outcome(program.name, "no stream", "its rows depend on the time")
    try:
        frame = table.to_spark()
    except TableException as error:
        return Outcome(program.name, "Spark refuses it", str(error))
    if mode is None:
        return Outcome(program.name, "update alone")
    try:
        found = _rows_of(env, frame, mode)
    except Exception as error:
        kind = "known" if program.name in KNOWN else "Spark fails"
        return Outcome(program.name, kind, str(error)[:500])
    wanted = _fetch(program.build(batch))
    if not _are_equal(found, wanted):
        return Outcome(program.name, "other rows", f"{mode.value}: {found} in place of {wanted}")
    return Outcome(program.name, "equal", mode.value)


def _are_equal(found: list[Any], wanted: list[Any]) -> bool:
    """Whether two lists have the same rows in any order, up to the last digits of sums of floating-point numbers."""
    pairs = zip(sorted(found, key=repr), sorted(wanted, key=repr), strict=False)
    return len(found) == len(wanted) and all(_is_near(a, b) for a, b in pairs)


def _is_near(a: Any, b: Any) -> bool:
    if isinstance(a, float) and isinstance(b, float):
        return math.isclose(a, b, rel_tol=1e-9, abs_tol=1e-12) or (math.isnan(a) and math.isnan(b))
    if isinstance(a, list | tuple) and isinstance(b, list | tuple):
        return len(a) == len(b) and all(map(_is_near, a, b))
    return bool(a == b)


def _fetch(table: Table) -> list[Any]:
    return list(plain([tuple(row) for row in table.execute().collect()]))


def _rows_of(env: TableEnvironment, frame: Any, mode: OutputMode) -> list[Any]:
    """Run a streaming DataFrame over all that is there, and return its rows."""
    name = "rows_of_program"
    # The sink has a table, whose columns have distinct names.
    columns = [f"c{number}" for number in range(len(frame.columns))]
    writer = frame.toDF(*columns).writeStream.format("memory").queryName(name).outputMode(mode.value)
    query = writer.trigger(availableNow=True).start()
    try:
        query.awaitTermination()
        return _fetch(env.from_spark(env.spark.table(name)))
    finally:
        query.stop()
        env.spark.catalog.dropTempView(name)


@contextmanager
def few_partitions(spark: SparkSession) -> Iterator[None]:
    """Run with one partition of state, since each one costs files in each batch."""
    before = spark.conf.get("spark.sql.shuffle.partitions")
    spark.conf.set("spark.sql.shuffle.partitions", "1")
    yield
    spark.conf.set("spark.sql.shuffle.partitions", str(before))


def run_all(env: TableEnvironment, programs: Sequence[Program], seed: int) -> Iterator[Outcome]:
    """Run programs with all tables as streams, and with the first one alone if that makes a difference."""
    write_tables(env, seed)
    batch = Tables(env)
    with few_partitions(env.spark):
        for program in programs:
            found = run(program, env, batch, only_first=False)
            yield found
            if found.kind == "refused":
                again = run(program, env, batch, only_first=True)
                if again.kind != "refused":
                    yield attrs.evolve(again, program=f"{program.name} (one stream)")


def main() -> int:
    """Run the programs, print the counts and what is wrong, and return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", help="the programs; by default all")
    parser.add_argument("--seed", type=int, default=1, help="where the files are cut")
    parser.add_argument("--reasons", action="store_true", help="print why each program is refused")
    given = parser.parse_args()
    chosen = [PROGRAMS[name] for name in given.names] or list(PROGRAMS.values())
    env = TableEnvironment.create()
    create_in_spark(env)
    env.use_database(DATABASE)
    counts: Counter[str] = Counter()
    wrong = 0
    for outcome in run_all(env, chosen, given.seed):
        counts[f"{outcome.kind} ({outcome.reason})" if outcome.kind == "equal" else outcome.kind] += 1
        wrong += outcome.is_wrong
        if outcome.is_wrong or given.reasons:
            print(f"{outcome.program}: {outcome.kind}: {outcome.reason}", flush=True)
    for kind, count in sorted(counts.items()):
        print(f"{count:5} {kind}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
