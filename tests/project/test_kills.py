"""Deployments that are killed with SIGKILL converge when they are repeated, and two deployers do not harm each other.

``tests.project.kills`` does the same with 60 views, and kills within each statement.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from tableapi import TableEnvironment
from tableapi.project.apply import apply_plan
from tableapi.project.journal import Journal
from tests.project.kills import deploy_twice_at_once, kill_until_done, planner, run_files
from tests.project.projects import write

pytestmark = [pytest.mark.long, pytest.mark.nightly]

_SETTINGS = """\
[project]
name = "killed"
database = "killed_sales"

[targets.here]
remote = "{address}"
journal = "killed_journal"
"""


@pytest.fixture
def target(spark: SparkSession, connect_address: str, tmp_path: Path) -> Iterator[tuple[Path, TableEnvironment]]:
    """A project of four views, whose target is a Connect server with their table."""
    te = TableEnvironment.create(spark=spark.newSession())
    te.execute_sql("CREATE DATABASE killed_sales")
    te.execute_sql("CREATE TABLE killed_sales.orders (id BIGINT, amount INT) USING parquet")
    write(tmp_path, "tableapi.toml", _SETTINGS.format(address=connect_address))
    write(tmp_path, "catalog/killed_sales/tables/orders.sql", "CREATE TABLE orders (id BIGINT, amount INT);\n")
    for number in range(4):
        before = f"v{number - 1}" if number else "orders"
        text = f"CREATE VIEW v{number} COMMENT 'number {number}' AS SELECT * FROM {before} WHERE id > {number};\n"
        write(tmp_path, f"catalog/killed_sales/views/v{number}.sql", text)
    yield tmp_path, te
    te.execute_sql("DROP DATABASE killed_sales CASCADE")
    te.execute_sql("DROP DATABASE IF EXISTS killed_journal CASCADE")


def test_killed_deployments_converge(target: tuple[Path, TableEnvironment]) -> None:
    folder, te = target
    kills, runs = kill_until_done(folder, random.Random(7), most_kills=1)
    assert (kills, runs) == (1, 2)
    made = planner(folder, te)
    assert made.plan().steps == ()
    recorded = {entry.view for entry in Journal(made.deployment).entries()}
    assert recorded == {f"spark_catalog.killed_sales.v{number}" for number in range(4)}
    assert "COMMENT 'number 3'" in te.show_create_view("killed_sales.v3")

    for number in range(4):
        path = folder / f"catalog/killed_sales/views/v{number}.sql"
        path.write_text(path.read_text().replace("id >", "amount >"))
    deploy_twice_at_once(folder)
    made = planner(folder, te)
    # One of the two may have ended when it met what the other had done.
    apply_plan(made.plan(), made, made.deployment)
    assert planner(folder, te).plan().steps == ()
    assert "amount > 3" in te.show_create_view("killed_sales.v3")


def test_killed_deployments_to_files_converge(tmp_path: Path) -> None:
    run_files(tmp_path, random.Random(3), kills=6)
