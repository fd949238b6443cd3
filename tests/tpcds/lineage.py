"""The lineage of the TPC-DS queries as views against what Spark computes: ``python -m tests.tpcds.lineage [NAME ...]``.

Lineage says which columns of the tables may influence an output column. Spark runs the original text of a query over
small random rows, and again over rows with other values in some columns of the tables:

* in a single column that the query reads: each output column that changes must have it in its lineage;
* in all columns at once that the lineage of an output column does not have: the output column must stay as it is.

The second shows that no influence is missing, for all columns of all tables. The first shows how many of the influences
the rows exercise. Neither asks the tree anything about lineage.

For some queries, hardly any row meets all conditions. They run loosened: with filters that read the same columns and
keep more rows (``tests.tpcds.loosening``).

With ``--kept FILE``, the queries that a file has are not run again: a run that was ended goes on with the next query.
"""

from __future__ import annotations

import argparse
import itertools
import json
import re
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import attrs
import pyarrow as pa

from tableapi import EnvironmentSettings, TableEnvironment
from tableapi.lineage.lineage import Lineage
from tests.tpcds.loosening import loosened_texts
from tests.tpcds.queries import STANDARD, queries
from tests.tpcds.small_rows import Rows, Size, SmallData, columns_of, constants_of
from tests.tpcds.tables import definitions

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

Column = tuple[str, str]
"""The names of a table and of its column."""
# A query with many conditions needs many facts, one with many joins few keys, and one with NOT EXISTS unused keys.
_SIZES = (Size(5, 14, 80), Size(3, 8, 160), Size(2, 6, 400), Size(30, 4, 24))
NAMESPACE = "memory.tpcds"


@attrs.frozen(eq=False)
class Checked:
    """What was found for a query.

    Attributes:
        rows: the number of rows of its result.
        runs: how often Spark ran it.
        influences: how many pairs of a base column and an output column the lineage has.
        exercised: for how many of the pairs the output column changed.
        missing: what changed although the lineage has no such influence.
        is_loosened: whether the query ran with filters that keep more rows.
        seconds: how long it took.
    """

    rows: int
    runs: int
    influences: int
    exercised: int
    missing: tuple[str, ...]
    is_loosened: bool = False
    seconds: int = 0


def declare_tables(folder: str = "/tpcds") -> TableEnvironment:
    """Return an environment without Spark that has the tables."""
    catalog, database = NAMESPACE.split(".")
    settings = EnvironmentSettings.new_instance().with_built_in_catalog_name(catalog)
    env = TableEnvironment.create(settings.with_built_in_database_name(database).build())
    for name, definition in definitions().items():
        env.execute_sql(f"{definition} LOCATION '{folder}/{name}'")
    return env


def lineage_of_view(env: TableEnvironment, text: str) -> Lineage:
    """Return the lineage of a query that reads a view with a text."""
    table = env.sql_query(text)
    names = [f"c{position}" for position in range(len(table.get_resolved_schema().columns))]
    # Equal names of columns are for queries only.
    env.create_view("the_view", table.alias(*names), or_replace=True)
    return env.from_path("the_view").lineage()


def influences(lineage: Lineage) -> dict[str, frozenset[Column]]:
    """Return the columns of tables that may influence each output column."""
    names = lineage.to_json()["columns"]
    found = {}
    for name in names:
        entries = lineage.upstream(name).found
        found[name] = frozenset(
            (one.field.dataset.name, str(one.field.column))
            for one in entries
            if one.field.dataset.name in definitions()
        )
    return found


class Perturbation:
    """Runs a query over small rows, and again over changed ones.

    Args:
        spark: the session, whose temporary views have the names of the tables.
        env: an environment with the tables.
        text: the text of the query.
    """

    def __init__(self, spark: SparkSession, env: TableEnvironment, text: str) -> None:
        # Compiling, and starting tasks, take longer than computing a few rows.
        for setting in ("spark.sql.adaptive.enabled", "spark.sql.codegen.wholeStage"):
            spark.conf.set(setting, "false")
        spark.conf.set("spark.sql.shuffle.partitions", "1")
        self._spark = spark
        self._text = text
        self._env = env
        self._operation = env.sql_query(text).query_operation
        self._constants = constants_of(self._operation)
        self.tables = sorted({name for name in definitions() if _reads(text, name)})
        self.allowed = influences(lineage_of_view(env, text))
        self._runs = 0

    def check(self) -> Checked:
        """Return what changes of the base columns show."""
        found = self._find_rows()
        if found is None:
            return Checked(0, self._runs, self._count(), 0, ())
        data, base, first, is_loosened = found
        missing = self._check_others(data, base, first)
        exercised, more = self._check_single(data, base, first)
        rows = sum(first[0].values())
        return Checked(rows, self._runs, self._count(), len(exercised), (*missing, *more), is_loosened)

    def _find_rows(self) -> tuple[SmallData, dict[str, Rows], list[Counter[Any]], bool] | None:
        """Return rows of the tables with the result of the query over them, for the first text that has a result.

        The texts are the query itself and its loosened forms. None if none of them has rows.
        """
        original = self._text
        for text in itertools.chain([original], loosened_texts(self._operation, NAMESPACE)):
            self._text = text
            if text is not original:
                self.allowed = influences(lineage_of_view(self._env, text))
            for number, size in enumerate(_SIZES):
                data = SmallData(self._constants, size, number)
                base = {table: data.rows(table) for table in self.tables}
                for table, rows in base.items():
                    self._name(table, rows)
                first = self._run()
                if first and first[0]:
                    return data, base, first, text is not original
        return None

    def _count(self) -> int:
        return sum(len(columns) for columns in self.allowed.values())

    def _check_others(self, data: SmallData, base: dict[str, Rows], first: list[Counter[Any]]) -> list[str]:
        """Change all columns without influence on an output column, and return the output columns that change."""
        missing = []
        groups: dict[frozenset[Column], list[int]] = {}
        for position, columns in enumerate(self.allowed.values()):
            groups.setdefault(columns, []).append(position)
        for kept, positions in groups.items():
            for table in self.tables:
                others = [i for i, (name, _) in enumerate(columns_of(table)) if (table, name) not in kept]
                self._name(table, data.changed(table, base[table], others, 1))
            found = self._run()
            for position in positions:
                if found is not None and found[position] != first[position]:
                    missing.append(f"output {position} changes with columns outside of {sorted(kept)}")
        for table in self.tables:
            self._name(table, base[table])
        return missing

    def _check_single(
        self, data: SmallData, base: dict[str, Rows], first: list[Counter[Any]]
    ) -> tuple[frozenset[tuple[Column, str]], list[str]]:
        """Change one column after the other; return the pairs that change, and those that must not."""
        exercised: set[tuple[Column, str]] = set()
        missing = []
        for table, name in sorted(frozenset().union(*self.allowed.values())):
            position = [column for column, _ in columns_of(table)].index(name)
            self._name(table, data.changed(table, base[table], [position], 2))
            found = self._run()
            self._name(table, base[table])
            if found is None:
                continue
            for output, (before, after) in zip(self.allowed, zip(first, found, strict=True), strict=True):
                if before != after:
                    exercised.add(((table, name), output))
                    if (table, name) not in self.allowed[output]:
                        missing.append(f"output {output} changes with {table}.{name}")
        return frozenset(exercised), missing

    def _name(self, table: str, rows: Rows) -> None:
        # Without a worker in Python, which would take longer than the query.
        columns = columns_of(table)
        values = zip(*rows, strict=True)
        arrays = [pa.array(column, _arrow_type(kind)) for column, (_, kind) in zip(values, columns, strict=True)]
        given = pa.Table.from_arrays(arrays, names=[name for name, _ in columns])
        self._spark.createDataFrame(given).createOrReplaceTempView(table)

    def _run(self) -> list[Counter[Any]] | None:
        """Return the values of each output column with their numbers; None if the query fails for the rows."""
        from py4j.protocol import Py4JJavaError
        from pyspark.errors import PySparkException

        self._runs += 1
        try:
            rows = self._spark.sql(self._text).collect()
        except PySparkException as error:
            if "SCALAR_SUBQUERY_TOO_MANY_ROWS" in str(error) or "DIVIDE_BY_ZERO" in str(error):
                return None
            raise
        except Py4JJavaError:
            # The message cannot be read: a scalar subquery with two rows that the optimizer evaluates over local rows.
            return None
        return [Counter(str(row[position]) for row in rows) for position in range(len(self.allowed))]


def _arrow_type(kind: str) -> pa.DataType:
    if kind.startswith("DECIMAL"):
        precision, scale = kind[len("DECIMAL(") : -1].split(", ")
        return pa.decimal128(int(precision), int(scale))
    return {"INT": pa.int32(), "STRING": pa.string(), "DATE": pa.date32()}[kind]


def _reads(text: str, table: str) -> bool:
    return re.search(rf"\b{table}\b", text) is not None


def check_queries(spark: SparkSession, names: Iterable[str], kept: Path | None = None) -> dict[str, Checked]:
    """Check queries, and return what was found for each.

    Args:
        spark: the session.
        names: the names of the queries.
        kept: a file with what earlier runs found, which grows with each query; None if nothing is kept.
    """
    env = declare_tables()
    known = json.loads(kept.read_text()) if kept is not None and kept.exists() else {}
    for name in names:
        if name not in known:
            start = time.monotonic()
            checked = Perturbation(spark, env, queries()[name]).check()
            known[name] = attrs.asdict(attrs.evolve(checked, seconds=round(time.monotonic() - start)))
            if kept is not None:
                kept.write_text(json.dumps(known, indent=1))
        print(_line(name, known[name]), *known[name]["missing"], sep="\n    ", flush=True)
    return {name: Checked(**{**known[name], "missing": tuple(known[name]["missing"])}) for name in names}


def _line(name: str, found: Mapping[str, Any]) -> str:
    share = f"{found['exercised']} of {found['influences']} influences seen, {found['rows']} rows"
    loosened = ", loosened" if found["is_loosened"] else ""
    return f"{name}: {share}{loosened}, {found['runs']} runs in {found['seconds']} s"


def main() -> int:
    """Check and print; return the exit status, 0 if each query has rows and no influence is missing."""
    parser = argparse.ArgumentParser(prog="python -m tests.tpcds.lineage", description=__doc__)
    parser.add_argument("--kept", type=Path, help="a file that keeps what is found")
    parser.add_argument("names", nargs="*", help="names of queries; those of the standard by default")
    given = parser.parse_args()
    names = given.names or STANDARD
    from tableapi.spark.session import embedded_session, stop_embedded_session

    with tempfile.TemporaryDirectory() as home:
        spark = embedded_session(Path(home) / "spark")
        try:
            found = check_queries(spark, names, given.kept)
        finally:
            stop_embedded_session()
    missing = sum(len(checked.missing) for checked in found.values())
    exercised = sum(checked.exercised for checked in found.values())
    pairs = sum(checked.influences for checked in found.values())
    loosened = [name for name, checked in found.items() if checked.is_loosened]
    empty = [name for name, checked in found.items() if not checked.rows]
    seconds = sum(checked.seconds for checked in found.values())
    runs = sum(checked.runs for checked in found.values())
    print(
        f"\n{len(found)} queries, {runs} runs in {seconds} s: {exercised} of {pairs} influences seen, "
        f"{missing} missing; loosened: {', '.join(loosened) or 'none'}; "
        f"without rows: {', '.join(empty) or 'none'}"
    )
    return 1 if missing or empty else 0


if __name__ == "__main__":
    sys.exit(main())
