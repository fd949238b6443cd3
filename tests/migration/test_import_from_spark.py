"""Import views from Spark's catalog: each under its own namespace and settings, compared by plans and by rows."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from tableapi import TableEnvironment
from tableapi.migration.folder import open_folder
from tableapi.migration.importing import Importer, ImportOptions
from tableapi.migration.records import Check, Form, ImportReport, Outcome, ViewResult
from tableapi.migration.target_views import TargetViews
from tableapi.project.configuration import read_configuration
from tableapi.project.deployment import Deployment
from tableapi.project.project import Project
from tests.project.projects import write

SETTINGS = """\
[project]
name = "old"
database = "old_sales"

[targets.spark]
session = "nowhere:session"
"""
# Each with the settings of its session, and the current database.
VIEWS = [
    ("old_sales", {}, "CREATE VIEW large AS SELECT id, amount FROM orders /* all */ WHERE amount > 100"),
    ("old_sales", {}, "CREATE VIEW everything AS SELECT * FROM orders"),
    ("old_stock", {}, "CREATE VIEW old_sales.stocked AS SELECT o.id FROM old_sales.orders o JOIN items i USING (id)"),
    ("old_sales", {}, "CREATE VIEW gone AS SELECT id FROM dropped"),
    ("old_sales", {}, "CREATE VIEW of_gone AS SELECT id FROM gone"),
    ("old_sales", {"ansi.enabled": "false"}, "CREATE VIEW lax AS SELECT CAST(customer AS INT) AS n FROM orders"),
    ("old_sales", {"ansi.enabled": "false"}, "CREATE VIEW lax_but_safe AS SELECT id FROM orders"),
    ("old_sales", {"ansi.enabled": "false"}, "CREATE VIEW lax_types AS SELECT substr(id, 1, 1) + 1 AS n FROM orders"),
    (
        "old_sales",
        {"session.timeZone": "Asia/Tokyo"},
        "CREATE VIEW in_tokyo AS SELECT id, to_date(at) AS day FROM orders",
    ),
    ("old_sales", {}, "CREATE VIEW lottery AS SELECT id, rand() AS r FROM orders"),
    ("old_sales", {}, "CREATE VIEW days AS SELECT id, datediff(current_date(), day) AS age FROM orders"),
    ("old_sales", {}, "CREATE VIEW evolving WITH SCHEMA EVOLUTION AS SELECT * FROM orders"),
    ("old_sales", {}, "CREATE VIEW spelled (`Größe`, `a b` COMMENT 'two') AS SELECT id, amount FROM orders"),
]


@pytest.fixture
def target(spark: SparkSession, tmp_path: Path) -> Iterator[tuple[Path, Deployment]]:
    """A target with views that a team left, among them one whose table was dropped."""
    session = spark.newSession()
    te = TableEnvironment.create(spark=session)
    columns = "id BIGINT, customer STRING, amount DECIMAL(10, 2), day DATE, at TIMESTAMP"
    for statement in (
        "CREATE DATABASE old_sales",
        "CREATE DATABASE old_stock",
        f"CREATE TABLE old_sales.orders ({columns}) USING parquet",
        "INSERT INTO old_sales.orders VALUES (1, '7', 150, DATE '2024-02-29', TIMESTAMP '2024-02-29 20:00:00'), "
        "(2, 'x', 50, NULL, NULL)",
        "CREATE TABLE old_stock.items (id BIGINT) USING parquet",
        "INSERT INTO old_stock.items VALUES (2)",
        "CREATE TABLE old_sales.dropped (id BIGINT) USING parquet",
    ):
        session.sql(statement)
    for database, settings, statement in VIEWS:
        maker = spark.newSession()
        maker.sql(f"USE {database}")
        for key, value in settings.items():
            maker.conf.set(f"spark.sql.{key}", value)
        maker.sql(statement)
    session.sql("DROP TABLE old_sales.dropped")
    session.sql("ALTER TABLE old_sales.orders ADD COLUMN note STRING")
    folder = tmp_path / "project"
    write(folder, "tableapi.toml", SETTINGS)
    configuration = read_configuration(folder)
    te.use_catalog("spark_catalog")
    yield folder, Deployment(configuration, configuration.target("spark"), te)
    for database in ("old_sales", "old_stock"):
        session.sql(f"DROP DATABASE {database} CASCADE")


def _import(folder: Path, deployment: Deployment, options: ImportOptions) -> ImportReport:
    views = TargetViews(deployment, ["old_*"])
    return Importer(views, open_folder(folder, deployment.configuration, "old_sales"), options).run()


def test_each_view_ends_with_a_proof_or_a_reason(target: tuple[Path, Deployment], tmp_path: Path) -> None:
    _, deployment = target
    folder = tmp_path / "imported"
    report = _import(folder, deployment, ImportOptions(compares_rows=True))
    found: dict[str, ViewResult] = {view.name.partition(".")[2]: view for view in report.views}
    assert {name: view.outcome for name, view in found.items()} == {
        "large": Outcome.PROVED,
        "everything": Outcome.PROVED,
        "stocked": Outcome.PROVED,
        "gone": Outcome.TEXT,
        "of_gone": Outcome.TEXT,
        "lax": Outcome.UNPROVED,
        "lax_but_safe": Outcome.PROVED,
        "lax_types": Outcome.TEXT,
        "in_tokyo": Outcome.PROVED,
        "lottery": Outcome.UNPROVED,
        "days": Outcome.PROVED,
        "evolving": Outcome.PROVED,
        "spelled": Outcome.PROVED,
    }
    # A text with a star has more columns than the stored view, so that it is written as the view's query.
    assert found["everything"].form is Form.NORMALISED
    assert found["large"].form is Form.AUTHOR
    read = {path.stem: path.read_text() for path in (folder / "catalog/old_sales/views").glob("*.sql")}
    assert "orders /* all */" in read["large"]
    assert "note" not in read["everything"]
    assert "JOIN old_stock.items i" in read["stocked"]
    assert "-- SET spark.sql.session.timeZone=Asia/Tokyo;" in read["in_tokyo"]
    assert "SET" not in read["lax_but_safe"]
    assert "WITH SCHEMA EVOLUTION" in read["evolving"]
    assert "COMMENT 'two'" in read["spelled"]
    # The dropped table is named at its place in the file that keeps the text.
    gone = found["gone"]
    line = (folder / gone.file).read_text().splitlines()[gone.line - 1]
    assert line[gone.column - 1 :].startswith("dropped")
    assert "spark.sql.ansi.enabled is false" in found["lax"].reason
    assert "CAST_INVALID_INPUT" in found["lax"].reason
    assert "types of its columns" in found["lax_types"].reason
    assert found["lottery"].proof.rows is Check.NOT_MADE
    assert found["lottery"].reason == "It returns other rows each time, which cannot be compared."
    # The name of the function differs in the plan, and the rows are the same.
    assert found["days"].proof.rows is Check.SAME
    assert Project.load(folder).check() == []


def test_rows_that_differ_are_shown(target: tuple[Path, Deployment], tmp_path: Path) -> None:
    _, deployment = target
    views = TargetViews(deployment, ["old_sales"])
    (large,) = [view for view in views.stored() if view.name == "large"]
    environment = deployment.environment
    other = environment.sql_query("SELECT id, amount + 1 AS amount FROM old_sales.orders WHERE amount > 100")
    proof = views.prove(views.read(large), other.query_operation, rows=True)
    assert proof.plan is Check.DIFFERENT
    assert proof.rows is Check.DIFFERENT
    assert proof.sample == (("before", "1", "150.00"), ("after", "1", "151.00"))
    fewer = environment.sql_query("SELECT id, amount FROM old_sales.orders WHERE amount > 200")
    details = views.prove(views.read(large), fewer.query_operation, rows=True).details
    assert details == ("The rows differ: 1 before, 0 in the project.",)
