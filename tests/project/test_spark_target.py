"""A project deployed to Spark's catalog: in place, with comments and properties, and killed at any step."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import attrs
import pytest
from pyspark.sql import SparkSession

from tableapi import TableEnvironment
from tableapi.project.apply import apply_plan
from tableapi.project.comparison import Comparison, RowDifference
from tableapi.project.configuration import ProjectError, read_configuration
from tableapi.project.deployment import Deployment
from tableapi.project.environments import allow_packages
from tableapi.project.journal import Entry, Journal
from tableapi.project.plan import Planner
from tableapi.project.project import Project
from tableapi.project.rollback import Rollback
from tableapi.project.steps import Action, Kind, Plan, Safety, plan_text
from tests.formats.databases import DERBY_DRIVER
from tests.project.projects import replace, write, write_project

pytestmark = pytest.mark.long

JDBC = "org.apache.spark.sql.execution.datasources.v2.jdbc.JDBCTableCatalog"
CODE = """\
from tableapi.udf import udf


@udf(result_type="STRING")
def shout(text: str) -> str:
    return text.upper()
"""
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
    te.execute_sql("DROP DATABASE IF EXISTS dev_shop_sales CASCADE")


def _planner(
    folder: Path, te: TableEnvironment, environment: str | None = None, catalog: str = "spark_catalog"
) -> Planner:
    configuration = read_configuration(folder)
    te.use_catalog(catalog)
    allow_packages(te, configuration)
    deployment = Deployment(configuration, configuration.target("spark"), te)
    return Planner(Project(configuration), deployment, environment)


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


def test_table_that_changed_under_a_view(deployed_to: tuple[Path, TableEnvironment]) -> None:
    folder, te = deployed_to
    _apply(folder, te)
    te.execute_sql("DROP TABLE shop_sales.orders")
    te.execute_sql("CREATE TABLE shop_sales.orders (id INT, customer STRING, amount DECIMAL(10, 2), day STRING)")
    te.execute_sql("INSERT INTO shop_sales.orders VALUES (1, 'Ada', 150, '2023-12-31'), (2, 'Bo', 150, 'never')").wait()
    read = "SELECT day FROM shop_sales.large WHERE id = {}"
    assert [str(row.day) for row in te.spark.sql(read.format(1)).collect()] == ["2023-12-31"]
    with pytest.raises(Exception, match="CAST_INVALID_INPUT"):
        te.spark.sql(read.format(2)).collect()

    step, *others = _planner(folder, te).plan().steps
    assert (step.name, step.action, step.safety) == ("shop_sales.large", Action.REPLACE, Safety.CHANGES_READERS)
    assert step.words[:2] == (
        "A table below has changed: the column `id` is INT there now, and the view was made with BIGINT. Until the "
        "view is replaced, Spark casts `id` to BIGINT, and fails at values that have none.",
        "A table below has changed: the column `day` is STRING there now, and the view was made with DATE. Until the "
        "view is replaced, Spark casts `day` to DATE, and fails at values that have none.",
    )
    assert [other.name for other in others] == ["shop_sales.late"]
    _apply(folder, te)
    assert [row.day for row in te.spark.sql(read.format(2)).collect()] == ["never"]
    assert _planner(folder, te).plan().steps == ()


@pytest.mark.nightly
def test_environments_are_compared(deployed_to: tuple[Path, TableEnvironment]) -> None:
    folder, te = deployed_to
    _apply(folder, te)
    planner = _planner(folder, te)
    dev = Planner(planner.project, planner.deployment, "dev")
    apply_plan(dev.plan(), dev, dev.deployment)
    names = planner.project.names()
    try:
        same = list(Comparison(planner.deployment, None, "dev", compares_rows=True).compare(names))
        assert [made.name for made in same] == ["shop_sales.by_customer", "shop_sales.large", "shop_sales.late"]
        assert all(made.is_equal for made in same)
        assert {made.name: made.counts for made in same} == {
            "shop_sales.by_customer": (2, 2),
            "shop_sales.large": (2, 2),
            "shop_sales.late": (1, 1),
        }

        te.execute_sql("DROP VIEW dev_shop_sales.late")
        replace(folder, "views/orders.py", "> 100", "> 200")
        replace(folder, "views/orders.py", 'col("day"))', 'col("day"), col("amount"))')
        late = folder / "catalog/shop_sales/views/late.sql"
        late.write_text("CREATE VIEW late AS SELECT MAP(id, 1) AS m FROM large;\n")
        planner = _planner(folder, te)
        dev = Planner(planner.project, planner.deployment, "dev")
        apply_plan(dev.plan(), dev, dev.deployment)
        found = {made.name: made for made in Comparison(dev.deployment, None, "dev", compares_rows=True).compare(names)}
        large = found["shop_sales.large"]
        assert (large.counts, large.is_equal) == ((2, 1), False)
        assert large.changes == ("the column `amount` was added, DECIMAL(10, 2)",)
        assert large.rows == RowDifference(1, 0, ("id", "customer", "day"), (("1", "a", "2023-05-01"),), ())
        assert found["shop_sales.late"].changes
        te.execute_sql("DROP VIEW dev_shop_sales.by_customer")
        (gone,) = Comparison(dev.deployment, "dev", None).compare([one for one in names if one.name == "by_customer"])
        assert (gone.missing, gone.is_equal) == (("dev",), False)
        maps = [one for one in names if one.name == "late"]
        (map_alone,) = Comparison(dev.deployment, "dev", "dev", compares_rows=True).compare(maps)
        assert map_alone.rows == RowDifference(0, 0, (), (), (), ("m",))
        assert (map_alone.counts, map_alone.is_equal, map_alone.problem) == ((1, 1), True, "")
    finally:
        te.execute_sql("DROP DATABASE IF EXISTS dev_shop_sales CASCADE")


def test_journal_has_the_entries_that_another_session_writes(
    deployed_to: tuple[Path, TableEnvironment], spark: SparkSession
) -> None:
    folder, te = deployed_to
    _apply(folder, te)
    journal = Journal(_planner(folder, te).deployment)
    before = journal.entries()
    replace(folder, "views/orders.py", 'col("amount") > 100', 'col("amount") > 200')
    _apply(folder, TableEnvironment.create(spark=spark.newSession()))
    after = journal.entries()
    assert after[: len(before)] == before
    assert {entry.view for entry in after[len(before) :]} == {"spark_catalog.shop_sales.large"}


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


@pytest.mark.nightly
def test_functions_are_made_in_sparks_catalog(deployed_to: tuple[Path, TableEnvironment]) -> None:
    folder, te = deployed_to
    functions = folder / "catalog/shop_sales/functions"
    functions.mkdir()
    (functions / "net.sql").write_text(
        "CREATE FUNCTION net(x DECIMAL(10, 2), rate DOUBLE DEFAULT 1.25) RETURNS DOUBLE COMMENT 'without tax' "
        "RETURN x / rate;\n"
    )
    (functions / "recent.sql").write_text(
        "CREATE FUNCTION recent(since DATE) RETURNS TABLE(id BIGINT, customer STRING COMMENT 'who') "
        "RETURN SELECT id, customer FROM large WHERE day >= since;\n"
    )
    (functions / "twice_net.sql").write_text(
        "CREATE FUNCTION twice_net(x DECIMAL(10, 2)) RETURNS DOUBLE RETURN net(x) * 2;\n"
    )
    (functions / "most.sql").write_text(
        "CREATE FUNCTION most(least DOUBLE) RETURNS TABLE(id BIGINT, net DOUBLE) "
        "RETURN SELECT o.id, twice_net(o.amount) FROM orders AS o JOIN large AS l ON l.id = o.id "
        "WHERE shop_sales.net(o.amount) >= least;\n"
    )
    (functions / "shout.sql").write_text("CREATE FUNCTION shout AS 'views.words.shout' LANGUAGE PYTHON;\n")
    (folder / "views/words.py").write_text(CODE)
    views = folder / "catalog/shop_sales/views"
    (views / "nets.sql").write_text("CREATE VIEW nets AS SELECT id, net(amount) AS net FROM orders;\n")
    (views / "recently.sql").write_text("CREATE VIEW recently AS SELECT * FROM recent(DATE '2024-01-01');\n")
    (views / "mosts.sql").write_text("CREATE VIEW mosts AS SELECT * FROM most(1);\n")
    plan = _apply(folder, te)
    assert _planner(folder, te).plan().steps == ()
    # Spark runs the views without this library.
    session = te.spark
    assert [tuple(row) for row in session.sql("SELECT net FROM shop_sales.nets ORDER BY id").collect()] == [
        (120.0,),
        (200.0,),
    ]
    assert [row.id for row in session.sql("SELECT id FROM shop_sales.recently").collect()] == [2]
    # The statements are what Spark takes, but for the code in Python, which only this library can call.
    made = [step for step in plan.steps if step.kind is Kind.FUNCTION and "LANGUAGE PYTHON" not in step.statement]
    for step in made:
        session.sql(step.statement.replace("CREATE FUNCTION", "CREATE OR REPLACE FUNCTION"))
    assert {step.name.partition(".")[2] for step in made} == {"net", "recent", "twice_net", "most"}
    mosts = [tuple(row) for row in session.sql("SELECT id, net FROM shop_sales.mosts ORDER BY id").collect()]
    assert mosts

    first = Journal(_planner(folder, te).deployment).entries()[-1].deployment
    replace(folder, "catalog/shop_sales/functions/net.sql", "x / rate", "x / rate + 1")
    (functions / "shout.sql").unlink()
    plan = _apply(folder, te)
    assert [(step.action.value, step.name) for step in plan.steps] == [
        ("replace", "shop_sales.net"),
        ("drop", "shop_sales.shout"),
    ]
    assert [row.net for row in session.sql("SELECT net FROM shop_sales.nets ORDER BY id").collect()] == [121.0, 201.0]
    planner = _planner(folder, te)
    back = Rollback(planner, Journal(planner.deployment).entries()).plan(first)
    apply_plan(back, planner, planner.deployment)
    assert [row.net for row in session.sql("SELECT net FROM shop_sales.nets ORDER BY id").collect()] == [120.0, 200.0]
    assert _planner(folder, te).plan().steps[0].name == "shop_sales.net"

    # An environment has the functions of the branch, and production stays.
    planner = _planner(folder, te, "dev")
    apply_plan(planner.plan(), planner, planner.deployment)
    assert _planner(folder, te, "dev").plan().steps == ()
    nets = "SELECT net FROM {}shop_sales.nets ORDER BY id"
    assert [row.net for row in session.sql(nets.format("dev_")).collect()] == [121.0, 201.0]
    assert [row.net for row in session.sql(nets.format("")).collect()] == [120.0, 200.0]
    dev_mosts = [tuple(row) for row in session.sql("SELECT id, net FROM dev_shop_sales.mosts ORDER BY id").collect()]
    assert dev_mosts == [(number, net + 2) for number, net in mosts]


@pytest.mark.nightly
def test_views_that_spark_cannot_read_do_not_stop_a_plan(deployed_to: tuple[Path, TableEnvironment]) -> None:
    folder, te = deployed_to
    _apply(folder, te)
    te.spark.sql("CREATE VIEW shop_sales.days AS SELECT day FROM shop_sales.large")
    te.spark.sql("CREATE VIEW shop_sales.names AS SELECT customer FROM shop_sales.large")
    te.execute_sql("DROP TABLE shop_sales.orders")
    te.execute_sql("CREATE TABLE shop_sales.orders (id BIGINT, customer STRING, amount DECIMAL(10, 2)) USING parquet")
    # Views of others, and those of the project, are broken now: Spark says so of each.
    with pytest.raises(Exception, match=r"UNRESOLVED_COLUMN|INCOMPATIBLE_VIEW_SCHEMA_CHANGE|day"):
        te.spark.sql("SELECT * FROM shop_sales.large").collect()
    with pytest.raises(ProjectError, match=r"lacks what 1 view of the project reads\. Nothing was changed.*\n.*day"):
        _planner(folder, te).plan()

    replace(folder, "catalog/shop_sales/tables/orders.sql", ", day DATE", "")
    replace(folder, "views/orders.py", ', col("day"))', ")")
    replace(folder, "catalog/shop_sales/views/late.sql", " WHERE day < '2024-01-01'", "")
    plan = _planner(folder, te).plan()
    large = next(step for step in plan.steps if step.name == "shop_sales.large")
    assert (large.action, large.words[0].partition(": ")[0]) == (
        Action.REPLACE,
        "The present view cannot be read, so that all may change",
    )
    assert {reader.name for reader in large.readers if not reader.is_readable} >= {
        "shop_sales.days",
        "shop_sales.names",
    }
    assert "read by shop_sales.days (outside the project; its text has the name): It cannot be read: " in plan_text(
        plan
    )
    _apply(folder, te)
    assert _planner(folder, te).plan().steps == ()
    assert "COMMENT 'the order'" in te.show_create_view("shop_sales.large")
    assert [row.customer for row in te.spark.sql("SELECT customer FROM shop_sales.names").collect()] == []


@pytest.mark.nightly
def test_a_catalog_of_jdbc_is_read_beside_the_target_and_is_none(
    deployed_to: tuple[Path, TableEnvironment],
) -> None:
    folder, te = deployed_to
    derby = {"": JDBC, ".url": "jdbc:derby:memory:beside;create=true", ".driver": DERBY_DRIVER}
    for key, value in derby.items():
        te.spark.conf.set(f"spark.sql.catalog.beside{key}", value)
    te.spark.sql("CREATE TABLE beside.APP.clicks (id BIGINT, page VARCHAR(20))")
    try:
        clicked = "SELECT l.customer, c.page FROM large AS l JOIN beside.APP.clicks AS c USING (id)"
        write(folder, "catalog/shop_sales/views/clicked.sql", f"CREATE VIEW clicked AS {clicked};\n")
        write(folder, "catalogs/beside/APP/tables/clicks.sql", "CREATE TABLE clicks (id BIGINT, page STRING);\n")
        replace(folder, "tableapi.toml", "[targets.spark]", "[catalogs.beside]\n\n[targets.spark]")
        _apply(folder, te)
        replace(folder, "views/orders.py", "> 100", "> 200")
        assert _planner(folder, te).plan().not_read == {}
        replace(folder, "tableapi.toml", "[catalogs.beside]\n", "")
        (folder / "catalog/shop_sales/views/clicked.sql").unlink()
        plan = _planner(folder, te).plan()
        assert list(plan.not_read) == ["the catalog beside"]
        assert "Whether the catalog beside reads what changes is not known: tableapi.toml does not name" in plan_text(
            plan
        )
        replace(folder, "tableapi.toml", 'database = "shop_sales"', 'database = "APP"\ncatalog_name = "beside"')
        (folder / "catalog/shop_sales").rename(folder / "catalog/APP")
        planner = _planner(folder, te, catalog="beside")
        with pytest.raises(
            ProjectError, match=r"no place for views: The catalog beside cannot hold views\. Nothing was"
        ):
            planner.plan()
    finally:
        te.use_catalog("spark_catalog")
        te.spark.sql("DROP TABLE beside.APP.clicks")
        for key in derby:
            te.spark.conf.unset(f"spark.sql.catalog.beside{key}")
