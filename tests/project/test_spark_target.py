"""A project deployed to Spark's catalog: in place, with comments and properties, and killed at any step."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import attrs
import pytest
from pyspark.sql import SparkSession

from tableapi import TableEnvironment
from tableapi.project.apply import apply_plan
from tableapi.project.configuration import read_configuration
from tableapi.project.deployment import Deployment
from tableapi.project.journal import Entry, Journal
from tableapi.project.plan import Plan, Planner, Safety
from tableapi.project.project import Project
from tableapi.project.rollback import Rollback
from tests.project.projects import replace, write_project

SETTINGS = """\
[project]
name = "shop"
database = "shop_sales"

[targets.spark]
session = "nowhere:session"
journal = "shop_journal"
"""


@pytest.fixture
def deployed_to(spark: SparkSession, tmp_path: Path) -> Iterator[tuple[Path, TableEnvironment]]:
    """A project with its target in Spark, whose table has two rows."""
    folder = write_project(tmp_path)
    (folder / "tableapi.toml").write_text(SETTINGS)
    (folder / "catalog/sales").rename(folder / "catalog/shop_sales")
    te = TableEnvironment.create(spark=spark.newSession())
    te.execute_sql("CREATE DATABASE shop_sales")
    te.execute_sql(
        "CREATE TABLE shop_sales.orders (id BIGINT NOT NULL, customer STRING, amount DECIMAL(10, 2), day DATE) "
        "USING parquet"
    )
    te.execute_sql(
        "INSERT INTO shop_sales.orders VALUES (1, 'a', 150, DATE '2023-05-01'), (2, 'b', 250, DATE '2024-05-01')"
    ).wait()
    yield folder, te
    te.execute_sql("DROP DATABASE shop_sales CASCADE")
    te.execute_sql("DROP DATABASE IF EXISTS shop_journal CASCADE")


def _planner(folder: Path, te: TableEnvironment) -> Planner:
    configuration = read_configuration(folder)
    te.use_catalog("spark_catalog")
    return Planner(Project(configuration), Deployment(configuration, configuration.target("spark"), te))


def _apply(folder: Path, te: TableEnvironment) -> Plan:
    planner = _planner(folder, te)
    plan = planner.plan()
    apply_plan(plan, planner, planner.deployment, revision="r1")
    return plan


def test_views_are_made_replaced_and_dropped_in_place(deployed_to: tuple[Path, TableEnvironment]) -> None:
    folder, te = deployed_to
    assert next(step.name for step in _apply(folder, te).steps) == "shop_sales.large"
    assert _planner(folder, te).plan().steps == ()
    assert [tuple(row) for row in te.execute_sql("SELECT id FROM shop_sales.late").collect()] == [(1,)]
    te.execute_sql("ALTER VIEW shop_sales.large SET TBLPROPERTIES ('seen' = 'by another tool')")
    assert _planner(folder, te).plan().steps == ()

    replace(folder, "views/orders.py", "> 100", "> 200")
    plan = _apply(folder, te)
    assert [(step.name, step.safety) for step in plan.steps] == [("shop_sales.large", Safety.SAFE)]
    assert _planner(folder, te).plan().steps == ()
    shown = te.show_create_view("shop_sales.large")
    assert "'seen' = 'by another tool'" in shown
    assert "COMMENT 'Large orders.'" in shown
    assert "COMMENT 'the order'" in shown

    te.execute_sql("ALTER VIEW shop_sales.late AS SELECT id, customer FROM shop_sales.large")
    with pytest.raises(Exception, match=r"shop_sales\.late was changed at the target"):
        _planner(folder, te).plan()

    (folder / "catalog/shop_sales/views/late.sql").unlink()
    planner = _planner(folder, te)
    planner = Planner(planner.project, planner.deployment, overwrite_edited=True)
    apply_plan(planner.plan(), planner, planner.deployment)
    assert "late" not in te.list_views()
    entries = Journal(planner.deployment).entries()
    assert [e.action for e in entries] == ["create"] * 3 + ["replace", "drop"]

    planner = _planner(folder, te)
    plan = Rollback(planner, entries).plan(entries[0].deployment)
    assert [(step.action.value, step.name) for step in plan.steps] == [
        ("replace", "shop_sales.large"),
        ("create", "shop_sales.late"),
    ]
    apply_plan(plan, planner, planner.deployment)
    # The property is not the project's, and late is as the drop found it: edited by hand.
    shown = te.show_create_view("shop_sales.large")
    assert ("> 100" in shown, "'seen' = 'by another tool'" in shown, "COMMENT 'the order'" in shown) == (True,) * 3
    assert "day" not in te.show_create_view("shop_sales.late").lower()


def test_journal_of_an_older_version_gets_the_new_column(deployed_to: tuple[Path, TableEnvironment]) -> None:
    folder, te = deployed_to
    te.execute_sql("CREATE DATABASE shop_journal")
    old = [field.name for field in attrs.fields(Entry) if field.name != "definition"]
    columns = ", ".join(f"`{name}` STRING" for name in old)
    te.execute_sql(f"CREATE TABLE shop_journal.tableapi_deployments ({columns}) USING parquet")
    values = ", ".join(repr(f"2020 {name}") for name in old)
    te.execute_sql(f"INSERT INTO shop_journal.tableapi_deployments VALUES ({values})").wait()
    _apply(folder, te)
    first, *others = Journal(_planner(folder, te).deployment).entries()
    assert (first.view, first.definition) == ("2020 view", "")
    assert [entry.action for entry in others] == ["create"] * 3


def test_reader_outside_the_project_is_told(deployed_to: tuple[Path, TableEnvironment]) -> None:
    folder, te = deployed_to
    _apply(folder, te)
    te.execute_sql("CREATE VIEW shop_sales.report AS SELECT day, COUNT(*) AS n FROM shop_sales.large GROUP BY day")
    replace(folder, "views/orders.py", ', col("day"))', ")")
    (folder / "catalog/shop_sales/views/late.sql").write_text("CREATE VIEW late AS SELECT id FROM large;\n")
    (step,) = [step for step in _planner(folder, te).plan().steps if step.name == "shop_sales.large"]
    (report,) = [reader for reader in step.readers if not reader.is_in_project]
    assert (report.name, report.columns, report.breaks) == ("shop_sales.report", ("day",), True)
    assert step.safety is Safety.DESTRUCTIVE
