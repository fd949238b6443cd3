"""The views of a target become files of a project, or functions, each with what was compared."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import attrs
import pytest

from ir.errors import ValidationException
from tableapi.migration.folder import open_folder
from tableapi.migration.importing import Importer, ImportOptions
from tableapi.migration.records import Check, Form, Outcome, SourceView
from tableapi.migration.target_views import TargetViews
from tableapi.project.configuration import ProjectError, read_configuration
from tableapi.project.deployment import Deployment
from tableapi.project.project import Project
from tableapi.python_code import script
from tests.migration.imports import (
    LARGE,
    PAYMENTS,
    SETTINGS,
    TWO,
    by_name,
    import_target,
    marked,
    outcomes,
    problems_of,
    write_target,
)
from tests.project.projects import replace, write


def _read(folder: Path, name: str) -> str:
    return (folder / "imported" / name).read_text()


# --- files -----------------------------------------------------------------------------------------------------------


def test_author_text_keeps_comments_names_and_declarations(tmp_path: Path) -> None:
    write_target(tmp_path, {"sales.large": LARGE})
    report = import_target(tmp_path)
    (view,) = report.views
    assert (view.name, view.outcome, view.form) == ("sales.large", Outcome.PROVED, Form.AUTHOR)
    assert (view.proof.columns, view.proof.tree, view.proof.plan) == (Check.SAME, Check.SAME, Check.NOT_MADE)
    assert view.file == "catalog/sales/views/large.sql"
    assert view.reads == report.tables == ("sales.orders",)
    head, _, query = _read(tmp_path, view.file).partition("\nAS\n")
    # The name of the WITH step, the case of the words and the comment are the author's; clauses have their lines.
    assert query.splitlines()[0].startswith("WITH Big AS")
    assert "-- all of them" in query
    assert "SELECT ID, Customer" in query
    assert "\nFROM Big;" in query
    assert "id COMMENT 'the order',\n  who)" in head
    built = Project.load(tmp_path / "imported").view("sales.large").view
    assert built.comment == 'Large ones: it\'s "big".'
    assert dict(built.properties) == {"owner": "ada", "team": "x"}
    assert [(c.name, c.comment) for c in built.schema.columns] == [("id", "the order"), ("who", None)]


def test_three_outcomes(tmp_path: Path) -> None:
    write_target(tmp_path, {"sales.good": "SELECT id FROM orders", "sales.bad": "SELECT id,\n  nope FROM orders"})
    report = import_target(tmp_path)
    assert outcomes(report) == {"sales.good": "proved", "sales.bad": "text"}
    assert not report.is_proved
    assert not (tmp_path / "imported/catalog/sales/views/bad.sql").exists()
    write(tmp_path, "imported/catalog/sales/views/good.sql", "CREATE VIEW good AS SELECT id + 1 AS id FROM orders;\n")
    report = import_target(tmp_path)
    assert outcomes(report) == {"sales.good": "unproved", "sales.bad": "text"}
    assert "reads back as another query" in by_name(report)["sales.good"].reason


def test_a_kept_view_has_its_place_in_the_kept_file(tmp_path: Path) -> None:
    folder = tmp_path / "imported"
    write_target(
        tmp_path,
        {
            "sales.column": "CREATE VIEW column (a COMMENT 'c') COMMENT 'two\nlines' AS SELECT id,\n  nope FROM orders",
            "sales.table": "-- SET spark.sql.session.timeZone=Europe/Berlin;\n"
            "CREATE VIEW table AS SELECT * FROM nowhere",
            "sales.syntax": "SELECT id\nFROM orders x y",
            "sales.above": "SELECT o.id FROM orders o JOIN column ON TRUE",
            "sales.above2": "SELECT * FROM sales.above",
            "sales.other": "CREATE VIEW another AS SELECT 1 AS a",
        },
    )
    found = by_name(import_target(tmp_path))
    assert {view.outcome for view in found.values()} == {Outcome.TEXT}
    assert marked(folder, found["sales.column"]) == "nope FROM orders;"
    assert marked(folder, found["sales.table"]) == "nowhere;"
    assert marked(folder, found["sales.syntax"]) == "y"
    assert marked(folder, found["sales.above"]) == "column ON TRUE;"
    assert marked(folder, found["sales.above2"]) == "sales.above;"
    assert marked(folder, found["sales.other"]) == "another AS SELECT 1 AS a"
    assert found["sales.above"].reason.startswith("It reads spark_catalog.sales.column, which cannot be read: ")
    assert "-- SET spark.sql.session.timeZone=Europe/Berlin" in _read(tmp_path, found["sales.table"].file)
    # The first line says why, and the text is there whole.
    kept = _read(tmp_path, found["sales.syntax"].file)
    assert kept.startswith(f"-- Not imported: {found['sales.syntax'].reason}")
    assert "SELECT id\nFROM orders x y" in kept


def test_a_time_zone_is_declared_if_it_counts(tmp_path: Path) -> None:
    setting = "-- SET spark.sql.session.timeZone=Europe/Berlin;\n"
    write_target(
        tmp_path,
        {
            "sales.zoned": f"{setting}CREATE VIEW zoned AS SELECT CAST(day AS TIMESTAMP) AS t FROM orders",
            "sales.plain": f"{setting}CREATE VIEW plain AS SELECT id FROM orders",
        },
    )
    assert import_target(tmp_path).is_proved
    assert _read(tmp_path, "catalog/sales/views/zoned.sql").startswith(setting)
    assert "SET" not in _read(tmp_path, "catalog/sales/views/plain.sql")


@pytest.mark.parametrize("mode", ["BINDING", "COMPENSATION", "TYPE EVOLUTION", "EVOLUTION"])
def test_schema_modes(tmp_path: Path, mode: str) -> None:
    write_target(tmp_path, {"sales.moded": f"CREATE VIEW moded WITH SCHEMA {mode} AS SELECT * FROM orders"})
    assert import_target(tmp_path).is_proved
    # COMPENSATION is Spark's default, which is not written.
    assert (f"WITH SCHEMA {mode}\n" in _read(tmp_path, "catalog/sales/views/moded.sql")) == (mode != "COMPENSATION")


def test_normalise_writes_the_text_of_the_tree(tmp_path: Path) -> None:
    write_target(tmp_path, {"sales.large": LARGE})
    (view,) = import_target(tmp_path, normalises=True).views
    assert (view.outcome, view.form) == (Outcome.PROVED, Form.NORMALISED)
    text = _read(tmp_path, view.file)
    assert "Big" not in text.partition("\nAS\n")[2]
    assert "all of them" not in text
    assert "id COMMENT 'the order',\n  who)" in text or "AS who" in text
    assert [c.name for c in Project.load(tmp_path / "imported").view("sales.large").view.schema.columns] == [
        "id",
        "who",
    ]


def test_names_of_any_characters_and_case(tmp_path: Path) -> None:
    write_target(
        tmp_path,
        {
            "sales.Über%20Grö%C3%9Fe": 'CREATE VIEW `Über Größe` AS SELECT id AS `it\'s "x"` FROM ORDERS',
            "sales.Tick%60": "CREATE VIEW `Tick``` AS SELECT * FROM `über größe`",
            "sales.LOUD": "CREATE VIEW LOUD AS SELECT ID FROM Sales.Orders",
            "sales.quiet": "SELECT id FROM loud",
            "sales.broken%20one": "CREATE VIEW `broken one` AS SELECT nope FROM loud",
            "sales.above": "SELECT * FROM `broken one`",
        },
    )
    report = import_target(tmp_path)
    kept = {view.name: view for view in report.views if view.outcome is Outcome.TEXT}
    assert sorted(kept) == ["sales.above", "sales.broken one"]
    assert len(report.views) == 6
    assert report.counts["proved"] == 4
    assert marked(tmp_path / "imported", kept["sales.above"]) == "`broken one`;"
    assert marked(tmp_path / "imported", kept["sales.broken one"]) == "nope FROM loud;"
    assert problems_of(tmp_path / "imported") == []
    names = {view.name for view in Project.load(tmp_path / "imported").views().values()}
    assert names == {"sales.Über Größe", "sales.Tick`", "sales.LOUD", "sales.quiet"}


class _Stored(TargetViews):
    """Views whose stored columns are older than their texts, as Spark keeps them."""

    def read(self, view: SourceView) -> SourceView:
        view = super().read(view)
        if view.name != "stars":
            return view
        older = self.deployment.environment.sql_query("SELECT id, customer FROM spark_catalog.sales.orders")
        query = older.query_operation
        return attrs.evolve(view, operation=query, schema=query.schema)


def test_a_star_that_means_more_columns_now_is_written_out(tmp_path: Path) -> None:
    write_target(tmp_path, {"sales.stars": "SELECT * FROM orders -- all", "sales.plain": "SELECT * FROM orders"})
    origin = read_configuration(tmp_path)
    views = _Stored(Deployment.connect(origin, "files"), ["sales"])
    found = by_name(Importer(views, open_folder(tmp_path / "imported", origin, "sales"), ImportOptions()).run())
    stars = found["sales.stars"]
    assert (stars.outcome, stars.form) == (Outcome.PROVED, Form.NORMALISED)
    assert any("columns are those of the time when it was stored" in note for note in stars.notes)
    assert "SELECT id, customer" in _read(tmp_path, stars.file)
    assert found["sales.plain"].form is Form.AUTHOR


# --- databases -------------------------------------------------------------------------------------------------------


def test_views_of_other_databases_are_declared_as_tables(tmp_path: Path) -> None:
    write_target(tmp_path, TWO, PAYMENTS)
    report = import_target(tmp_path)
    assert outcomes(report) == {"sales.large": "proved", "sales.uses": "proved"}
    assert report.tables == ("finance.paid", "sales.orders")
    assert "CREATE TABLE `paid`" in _read(tmp_path, "catalog/finance/tables/paid.sql")
    assert problems_of(tmp_path / "imported") == []


@pytest.mark.slow
@pytest.mark.parametrize("is_python", [False, True])
@pytest.mark.parametrize("order", [("sales", "finance"), ("finance", "sales")])
def test_a_second_database_comes_into_the_same_folder(tmp_path: Path, order: tuple[str, str], is_python: bool) -> None:
    write_target(tmp_path, TWO, PAYMENTS)
    folder = tmp_path / "imported"
    for database in (*order, *order):
        assert import_target(tmp_path, database, is_python=is_python).is_proved
        assert problems_of(folder) == []
    names = [view.name for view in Project.load(folder).views().values()]
    assert sorted(names) == ["finance.paid", "sales.large", "sales.uses"]
    # The view that the first import declared as a table is a view alone now.
    tables = [path.relative_to(folder / "catalog").as_posix() for path in folder.glob("catalog/*/tables/*.sql")]
    assert sorted(tables) == ["finance/tables/payments.sql", "sales/tables/orders.sql"]


@pytest.mark.parametrize("is_python", [False, True])
def test_functions_that_views_call_come_too(tmp_path: Path, is_python: bool) -> None:
    write_target(
        tmp_path,
        {
            "sales.doubled": "SELECT twice(id) AS n FROM orders",
            "sales.listed": "SELECT o.id FROM orders o JOIN large_ones() l ON l.id = o.id",
            "finance.far": "SELECT sales.twice(id) AS n FROM sales.orders",
        },
        {"sales.hidden": "CREATE TABLE hidden (id BIGINT);"},
    )
    for name, text in {
        "twice": "CREATE FUNCTION twice(x BIGINT) RETURNS BIGINT RETURN x * 2;",
        "unused": "CREATE FUNCTION unused(x BIGINT) RETURNS BIGINT RETURN x;",
        "large_ones": "CREATE FUNCTION large_ones() RETURNS TABLE (id BIGINT) RETURN SELECT id FROM hidden;",
    }.items():
        write(tmp_path, f"deployed/sales/functions/{name}.sql", text)
    report = import_target(tmp_path, "sales", "finance", is_python=is_python)
    assert {view.name: view.reason for view in report.views} == dict.fromkeys(
        ["finance.far", "sales.doubled", "sales.listed"], ""
    )
    assert report.is_proved
    assert report.functions == ("sales.large_ones", "sales.twice")
    # The table that only the body of a function reads is there, too.
    assert report.tables == ("sales.hidden", "sales.orders")
    assert problems_of(tmp_path / "imported") == []


def test_an_edited_table_is_left(tmp_path: Path) -> None:
    write_target(tmp_path, {"sales.large": "SELECT id FROM orders"})
    import_target(tmp_path)
    replace(tmp_path / "imported", "catalog/sales/tables/orders.sql", "`id` BIGINT", "`id` INT")
    report = import_target(tmp_path)
    assert report.left == ("catalog/sales/tables/orders.sql",)
    assert report.views[0].outcome is Outcome.UNPROVED
    assert "The columns differ" in report.views[0].reason
    assert import_target(tmp_path, overwrites=True).is_proved


def test_patterns_and_wrong_names_of_databases(tmp_path: Path) -> None:
    write_target(tmp_path, TWO, PAYMENTS)
    assert sorted(outcomes(import_target(tmp_path, "S*"))) == ["sales.large", "sales.uses"]
    with pytest.raises(ProjectError, match=r"has no database 'finanze'. It has .*Did you mean 'finance'"):
        import_target(tmp_path, "finanze", to="other")
    assert not (tmp_path / "other").exists()


# --- Python ----------------------------------------------------------------------------------------------------------

_NAMED = {
    "sales.class": "SELECT id, customer FROM orders",
    "sales.large": LARGE,
    "sales.col": "SELECT c.id FROM class c JOIN large l ON c.id = l.id",
    "sales.te": "SELECT 1 AS te, 'it''s \"quoted\"' AS q",
    "sales.view": "SELECT * FROM te",
    "sales.dt": "SELECT day FROM orders",
    "sales.moded": "CREATE VIEW moded WITH SCHEMA BINDING AS SELECT id FROM orders",
    "sales.broken": "SELECT nope FROM orders",
    "sales.1st": "CREATE VIEW `1st` AS SELECT * FROM large",
    "sales.2%20words": "CREATE VIEW `2 words` (n) AS SELECT count(*) FROM `1st` GROUP BY who",
    "sales.long": "CREATE VIEW long (id COMMENT '" + "very " * 30 + "long') COMMENT '" + "much " * 30 + '\n"longer"\''
    " TBLPROPERTIES ('a' = 'b', 'back\\\\slash' = 'it''s \"both\"') AS SELECT id FROM orders",
    "finance.large": "SELECT id FROM sales.class",
    "finance.both": "SELECT a.id FROM large a JOIN sales.large b ON a.id = b.id",
}


@pytest.fixture(scope="module")
def as_python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a project whose target has views with awkward names, imported as Python."""
    folder = write_target(tmp_path_factory.mktemp("python"), _NAMED)
    import_target(folder, "sales", "finance", is_python=True)
    return folder


def test_python_functions_build_the_same_views(as_python: Path) -> None:
    report = import_target(as_python, "sales", "finance", is_python=True)
    found = by_name(report)
    assert {view.name for view in report.views} == {name.replace("%20", " ") for name in _NAMED}
    assert {name for name, view in found.items() if view.outcome is not Outcome.PROVED} == {"sales.broken"}
    sql = {name for name, view in found.items() if view.form is not Form.PYTHON}
    assert sql == {"sales.broken", "sales.moded"}
    assert found["sales.moded"].notes == (
        "It stays SQL, because no Python function declares it as it is: it has WITH SCHEMA BINDING.",
    )
    assert {view.file for name, view in found.items() if name not in sql} == {"views/sales.py", "views/finance.py"}
    folder = as_python / "imported"
    assert problems_of(folder) == []
    project = Project.load(folder)
    long = project.view("sales.long").view
    assert long.comment == "much " * 30 + '\n"longer"'
    assert dict(long.properties) == {"a": "b", "back\\slash": 'it\'s "both"'}
    assert long.schema.columns[0].comment == "very " * 30 + "long"
    assert dict(project.view("sales.large").view.properties) == {"owner": "ada", "team": "x"}


def test_python_functions_import_each_other(as_python: Path) -> None:
    sales, finance = _read(as_python, "views/sales.py"), _read(as_python, "views/finance.py")
    # Keywords, and names that the module needs itself, become other names.
    for name, function in (("class", "class_"), ("te", "sales_te"), ("view", "sales_view"), ("col", "sales_col")):
        assert f'@view("sales.{name}")\ndef {function}(te: TableEnvironment) -> Table:' in sales
    assert "class_(te)" in sales.partition("def sales_col(")[2].partition("@view")[0]
    # Both databases have `large`, and finance imports what it reads of sales.
    assert "from views.sales import class_, " in finance
    assert "return class_(te).select(" in finance
    assert "from views.finance" not in sales


def test_python_modules_are_formatted(as_python: Path) -> None:
    modules = sorted((as_python / "imported/views").glob("*.py"))
    assert [module.name for module in modules] == ["finance.py", "sales.py"]
    command = [
        sys.executable,
        "-m",
        "ruff",
        "format",
        "--isolated",
        "--line-length",
        "100",
        "--diff",
        *map(str, modules),
    ]
    done = subprocess.run(command, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, ""), done.stderr


def test_modules_of_a_cycle_of_databases_read_by_name(tmp_path: Path) -> None:
    write_target(tmp_path, TWO, PAYMENTS)
    report = import_target(tmp_path, "sales", "finance", is_python=True)
    assert report.is_proved
    assert {view.form for view in report.views} == {Form.PYTHON}
    assert problems_of(tmp_path / "imported") == []
    texts = [_read(tmp_path, f"views/{name}.py") for name in ("sales", "finance")]
    assert not any("from views" in text for text in texts)
    assert 'te.from_path("finance.paid")' in texts[0]


def test_what_reads_a_view_that_stays_sql_is_a_function_nevertheless(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written = script.query_code

    def query_code(query: script.WrittenQuery, *arguments: Any, **options: Any) -> script.QueryCode:
        if "amount" in query.operation.as_summary_string():
            raise ValidationException("No function says this.")
        return written(query, *arguments, **options)

    monkeypatch.setattr(script, "query_code", query_code)
    write_target(
        tmp_path,
        {
            "sales.large": "SELECT id FROM orders WHERE amount > 100",
            "sales.first": "SELECT id FROM large",
            "sales.second": "SELECT id FROM first",
        },
    )
    found = by_name(import_target(tmp_path, is_python=True))
    assert {view.outcome for view in found.values()} == {Outcome.PROVED}
    assert found["sales.large"].form is Form.AUTHOR
    assert found["sales.large"].notes == (
        "It stays SQL, because no Python function declares it as it is: No function says this.",
    )
    text = _read(tmp_path, found["sales.second"].file)
    assert 'return te.from_path("large")\n' in text
    assert "return first(te)\n" in text
    assert problems_of(tmp_path / "imported") == []


def test_a_view_reads_a_table_of_another_catalog(tmp_path: Path) -> None:
    reads = {"sales.clicked": "SELECT o.id, l.page FROM orders AS o JOIN lake.raw.clicks AS l ON l.id = o.id"}
    write_target(tmp_path, reads)
    assert outcomes(import_target(tmp_path, to="without")) == {"sales.clicked": "text"}
    write(tmp_path, "tableapi.toml", f"{SETTINGS}\n[catalogs.lake]\n")
    write(tmp_path, "catalogs/lake/raw/tables/clicks.sql", "CREATE TABLE clicks (id BIGINT, page STRING);\n")
    assert outcomes(import_target(tmp_path)) == {"sales.clicked": "proved"}
    assert problems_of(tmp_path / "imported") == []
    assert '[catalogs.lake]\nfolder = "../catalogs/lake"' in (tmp_path / "imported/tableapi.toml").read_text()
