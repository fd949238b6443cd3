"""A warehouse with 120 views that a team wrote over six years, as data for tests of the migration.

``python -m tests.migration.warehouse_files`` creates it in a folder of its own, reads every view, and prints a table.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final

import attrs
from rich.console import Console
from rich.table import Table

from grammar.statement_words import statements_of, words

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

FOLDER: Final = Path(__file__).parent / "warehouse"
TABLES: Final = FOLDER / "tables.sql"
BREAKING: Final = FOLDER / "broken.sql"

BROKEN: Final[Mapping[str, str]] = {
    "shop.newsletter_opens": "TABLE_OR_VIEW_NOT_FOUND",
    "shop.card_points": "UNRESOLVED_COLUMN",
    "finance.net_of_vat": "UNRESOLVED_ROUTINE",
    "mart.funnel_weekly": "TABLE_OR_VIEW_NOT_FOUND",
    "logistics.tariff_with_fuel": "DATATYPE_MISMATCH",
}
"""The views that nobody can read any more, each with the condition of Spark's error, without its subclass."""

# The settings of the team's cluster, which the SET statements of a script change.
_SETTINGS: Final[Mapping[str, str]] = {"spark.sql.session.timeZone": "UTC", "spark.sql.ansi.enabled": "true"}
# To compile code takes longer than to read a few rows without.
FOR_FEW_ROWS: Final[Mapping[str, str]] = {"spark.sql.codegen.wholeStage": "false"}
_OPENINGS: Final = (
    ["CREATE", "OR", "REPLACE", "VIEW"],
    ["CREATE", "VIEW", "IF", "NOT", "EXISTS"],
    ["CREATE", "VIEW"],
)


@attrs.frozen
class Reading:
    """What Spark returned for a view.

    Attributes:
        name: the name of the view, with its database.
        rows: the number of rows.
        columns: the number of columns.
        condition: the condition of the error, without its subclass; empty if the view was read.
    """

    name: str
    rows: int
    columns: int
    condition: str


def scripts() -> list[Path]:
    """Return the scripts with views, in the order in which they were run."""
    return sorted((FOLDER / "views").glob("*.sql"))


def statements(script: Path) -> list[str]:
    """Return the statements of a script, each padded so that an error has its position in the script."""
    return statements_of(script.read_text(encoding="utf-8"))


def view_names() -> list[str]:
    """Return the names of the 120 views, each with its database, in the order in which they were created.

    A renamed view has its last name. A view that ``broken.sql`` drops is not listed.
    """
    names: dict[str, None] = {}
    for script in (*scripts(), BREAKING):
        database = "default"
        for statement in statements(script):
            lexemes = [token.text for token in words(statement)]
            given = [lexeme.upper() for lexeme in lexemes]
            opening = next((opening for opening in _OPENINGS if given[: len(opening)] == opening), None)
            if given[0] == "USE":
                database = lexemes[-1].lower()
            elif opening is not None:
                names[_view_name(lexemes[len(opening) :], database)] = None
            elif given[:2] == ["ALTER", "VIEW"] and "RENAME" in given:
                del names[_view_name(lexemes[2:], database)]
                names[_view_name(lexemes[given.index("RENAME") + 2 :], database)] = None
            elif given[:2] == ["DROP", "VIEW"]:
                del names[_view_name(lexemes[2:], database)]
    return list(names)


def _view_name(lexemes: list[str], database: str) -> str:
    """Return the qualified name with which lexemes begin, in the lower case in which a Hive metastore stores it."""
    parts = [lexemes[0], lexemes[2]] if lexemes[1:2] == ["."] else [database, lexemes[0]]
    return ".".join(part.strip("`").lower() for part in parts)


def create(spark: SparkSession, takes: Callable[[str], bool] = lambda _: True) -> None:
    """Create the databases, tables, functions and views in the current catalog, and break five of the views.

    Afterwards, the settings and the current database of the session are as before.

    Args:
        spark: the session.
        takes: which statements are run; by default all.

    Raises:
        RuntimeError: a statement fails; the message has the script, the line and the error of Spark.
    """
    for script in (TABLES, *scripts(), BREAKING):
        with _session_of_a_script(spark, script):
            _run(spark, script, takes)


def _run(spark: SparkSession, script: Path, takes: Callable[[str], bool]) -> None:
    from pyspark.errors import PySparkException

    for statement in filter(takes, statements(script)):
        try:
            spark.sql(statement)
        except PySparkException as error:
            line = len(statement) - len(statement.lstrip("\n")) + 1
            raise RuntimeError(f"{script.name}, line {line}: {error}") from error


@contextmanager
def _session_of_a_script(spark: SparkSession, script: Path) -> Iterator[None]:
    """Give a script the settings of the cluster, and undo what it sets."""
    database = spark.catalog.currentDatabase()
    settings = {key: spark.conf.get(key, None) for key in {*_SETTINGS, *_keys_set_by(script)}}
    for key, value in _SETTINGS.items():
        spark.conf.set(key, value)
    try:
        yield
    finally:
        for key, former in settings.items():
            if former is None:
                spark.conf.unset(key)
            else:
                spark.conf.set(key, former)
        spark.catalog.setCurrentDatabase(database)


def _keys_set_by(script: Path) -> set[str]:
    """Return the keys of the SET statements of a script."""
    split = (statement.split(None, 1) for statement in statements(script))
    return {rest[0].partition("=")[0].strip() for word, *rest in split if word.upper() == "SET"}


def read(spark: SparkSession) -> Iterator[Reading]:
    """Read all rows of every view, whether Spark can or not."""
    from pyspark.errors import PySparkException

    for name in view_names():
        try:
            frame = spark.table(name)
            yield Reading(name, len(frame.collect()), len(frame.columns), "")
        except PySparkException as error:
            yield Reading(name, 0, 0, (error.getCondition() or str(error)).partition(".")[0])


def problems_of(readings: list[Reading]) -> list[str]:
    """Return a sentence for every view without rows, with an unexpected error, or without the expected one."""
    found = []
    for reading in readings:
        expected = BROKEN.get(reading.name, "")
        if reading.condition != expected:
            found.append(f"{reading.name} has the error {reading.condition or 'none'}, not {expected or 'none'}.")
        elif not expected and not reading.rows:
            found.append(f"{reading.name} has no rows.")
    return found


def _stored_views(spark: SparkSession) -> set[str]:
    """Return the names of the views that the catalog has."""
    databases = [row[0] for row in spark.sql("SHOW DATABASES").collect()]
    return {f"{d}.{row['viewName']}" for d in databases for row in spark.sql(f"SHOW VIEWS IN {d}").collect()}


def main() -> int:
    """Create the warehouse, read every view, print a table, and return 1 if there are problems."""
    from tableapi.spark.session import embedded_session, stop_embedded_session

    with tempfile.TemporaryDirectory(prefix="warehouse-") as folder:
        spark = embedded_session(warehouse=Path(folder))
        try:
            create(spark)
            for key, value in FOR_FEW_ROWS.items():
                spark.conf.set(key, value)
            readings = list(read(spark))
            stored = _stored_views(spark)
        finally:
            stop_embedded_session()
    problems = problems_of(readings)
    if different := stored ^ set(view_names()):
        problems.append(f"Only stored, or only in the scripts: {', '.join(sorted(different))}.")
    table = Table("view", "rows", "columns", "error")
    for reading in readings:
        table.add_row(reading.name, str(reading.rows), str(reading.columns), reading.condition)
    console = Console(width=100, highlight=False)
    console.print(table)
    unreadable = sum(bool(reading.condition) for reading in readings)
    console.print(f"{len(readings)} views, {unreadable} of them unreadable; {len(problems)} problems")
    for problem in problems:
        console.print(problem, markup=False)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
