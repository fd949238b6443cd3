"""Targets of files with views, and imports of them, without Spark."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import pytest

from ir.rendering import Dialect
from tableapi.migration import folder as migration_folder
from tableapi.migration import importing
from tableapi.migration.folder import open_folder
from tableapi.migration.importing import Importer, ImportOptions, Progress
from tableapi.migration.records import ImportReport, ViewResult
from tableapi.migration.sql_files import SqlFiles
from tableapi.migration.target_views import TargetViews
from tableapi.project.configuration import read_configuration
from tableapi.project.deployment import Deployment
from tableapi.project.project import Project
from tests.project.projects import ORDERS, write

SETTINGS = """\
[project]
name = "shop"
database = "sales"

[targets.files]
directory = "deployed"
"""

LARGE = """\
CREATE VIEW large (id COMMENT 'the order', who) COMMENT 'Large ones: it''s "big".'
TBLPROPERTIES ('owner' = 'ada', 'team' = 'x') AS
with Big as (select ID, Customer from ORDERS -- all of them
  where amount>100) select * from Big
"""

TWO = {
    "sales.large": "SELECT * FROM orders WHERE amount > 100",
    "sales.uses": "SELECT * FROM finance.paid",
    "finance.paid": "SELECT l.id FROM sales.large l JOIN payments p ON p.id = l.id",
}

PAYMENTS = {"finance.payments": "CREATE TABLE payments (id BIGINT);"}

SEVERAL = {
    "sales.large": LARGE,
    "sales.daily": "SELECT day, count(*) AS n FROM large JOIN orders USING (id) GROUP BY day",
    "sales.broken": "SELECT nope FROM orders",
    "sales.stars": "SELECT * FROM daily",
}

TABLES = """\
USE sales;
CREATE TABLE IF NOT EXISTS orders (id BIGINT NOT NULL, customer STRING COMMENT 'who', amount INT, at TIMESTAMP)
USING parquet PARTITIONED BY (customer) LOCATION '/data/orders' TBLPROPERTIES ('a' = 'b');
"""
"""The tables that scripts create."""


def write_target(folder: Path, views: Mapping[str, str], tables: Mapping[str, str] | None = None) -> Path:
    """Write a project whose target of files has views and tables.

    Args:
        folder: the folder of the project.
        views: the statement, or the query, of each view by its database and name.
        tables: the statement of each table by its database and name; ``sales.orders`` is always there.
    """
    write(folder, "tableapi.toml", SETTINGS)
    for name, text in {"sales.orders": ORDERS, **(tables or {})}.items():
        write(folder, f"deployed/{name.replace('.', '/tables/')}.sql", text)
    for name, text in views.items():
        write_view(folder, name, text)
    return folder


def write_view(folder: Path, name: str, text: str) -> Path:
    """Write a view of the target: a whole statement, or a query alone."""
    _, _, of_view = name.partition(".")
    if "CREATE VIEW" not in text:
        text = f"CREATE VIEW {of_view} AS {text}"
    return write(folder, f"deployed/{name.replace('.', '/views/')}.sql", text)


def import_target(
    folder: Path,
    *databases: str,
    to: str = "imported",
    progress: Progress = lambda *_: None,
    is_python: bool = False,
    normalises: bool = False,
    overwrites: bool = False,
) -> ImportReport:
    """Import the views of databases of the target, as the command does."""
    origin = read_configuration(folder)
    views = TargetViews(Deployment.connect(origin, "files"), databases or ("sales",))
    configuration = open_folder(folder / to, origin, views.databases[0])
    options = ImportOptions(is_python, normalises, overwrites=overwrites)
    return Importer(views, configuration, options).run(progress)


def import_scripts(
    to: Path,
    *paths: Path,
    dialect: Dialect = Dialect.SPARK,
    database: str = "sales",
    is_python: bool = False,
    progress: Progress = lambda *_: None,
) -> ImportReport:
    """Import the views of SQL files, as the command does."""
    configuration = open_folder(to, None, database)
    return Importer(SqlFiles(paths, configuration, dialect), configuration, ImportOptions(is_python)).run(progress)


def by_name(report: ImportReport) -> dict[str, ViewResult]:
    """Return the results by the names of the views."""
    return {view.name: view for view in report.views}


def outcomes(report: ImportReport) -> dict[str, str]:
    """Return how each view ended."""
    return {view.name: view.outcome.value for view in report.views}


def files_in(folder: Path, but: Sequence[str] = (".tableapi_import",)) -> dict[str, str]:
    """Return the texts of the files of a folder by their paths, without what an import keeps for itself."""
    return {
        path.relative_to(folder).as_posix(): path.read_text()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and not {*path.relative_to(folder).parts} & {*but, "__pycache__"}
    }


def problems_of(folder: Path) -> list[str]:
    """Return what ``tableapi check`` finds in a project."""
    return [finding.message for finding in Project.load(folder).check()]


def marked(folder: Path, view: ViewResult) -> str:
    """Return the text of a kept file from the place that the report names to the end of the line."""
    line = (folder / view.file).read_text().splitlines()[view.line - 1]
    assert view.line > 0
    assert 1 <= view.column <= len(line)
    return line[view.column - 1 :]


def unresumed(folder: Path) -> dict[str, str]:
    """Return the files of an import, whose reports do not say which views an earlier run had done."""
    files = files_in(folder)
    report = files["import-report.json"].replace('"is_resumed": true', '"is_resumed": false')
    lines = [line for line in report.splitlines() if not line.startswith('  "resumed":')]
    return {**files, "import-report.json": "\n".join(lines)}


class Steps:
    """Ends a run at one of its steps: before and after each file of the folder, and when it says its progress."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.count = 0
        self.limit: int | None = None
        written = migration_folder.write_file

        def write_file(path: Path, content: bytes) -> bool:
            self.step()
            made = written(path, content)
            self.step()
            return made

        for module in (migration_folder, importing):
            monkeypatch.setattr(module, "write_file", write_file)

    def step(self, *_: object) -> None:
        """End the run if this step is the one."""
        if self.count == self.limit:
            raise KeyboardInterrupt
        self.count += 1


def end_at_each_step(
    to: Path,
    run: Callable[[Progress], ImportReport],
    monkeypatch: pytest.MonkeyPatch,
    before: Path | None = None,
) -> int:
    """End a run at each of its steps, and see that the next one gives the files and the report of an undisturbed one.

    Args:
        to: the folder into which views are imported. The report has its path, so that all runs are into this one.
        run: imports views.
        monkeypatch: the fixture.
        before: a folder for what ``to`` has at first; None if it does not exist.

    Returns:
        The number of steps.
    """
    if before is not None:
        shutil.copytree(to, before)
    run(lambda *_: None)
    wanted = unresumed(to)
    steps = Steps(monkeypatch)
    # The machine does not end.
    monkeypatch.setattr(os, "fsync", lambda _: None)
    limit = 0
    while True:
        shutil.rmtree(to)
        if before is not None:
            shutil.copytree(before, to)
        steps.count, steps.limit = 0, limit
        try:
            run(steps.step)
        except KeyboardInterrupt:
            steps.limit = None
            run(steps.step)
            assert unresumed(to) == wanted, limit
            limit += 1
        else:
            return limit
