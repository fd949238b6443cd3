"""Small projects, written into a folder of a test."""

from __future__ import annotations

from pathlib import Path

from tableapi.project.deployment import Deployment
from tableapi.project.plan import Planner
from tableapi.project.project import Project
from tableapi.project.steps import Plan

SETTINGS = """\
[project]
name = "shop"
database = "sales"

[targets.files]
directory = "target"

[targets.old]
directory = "target"
spark = "3.5"
"""
ORDERS = "CREATE TABLE orders (id BIGINT NOT NULL, customer STRING, amount DECIMAL(10, 2), day DATE);\n"
VIEWS = """\
from tableapi import view
from tableapi.expressions import col


@view("large", comment="Large orders.", columns={"id": "the order"}, owner="sales")
def large(te):
    return te.from_path("orders").filter(col("amount") > 100).select(col("id"), col("customer"), col("day"))


@view("by_customer")
def by_customer(te):
    return large(te).group_by(col("customer")).select(col("customer"), col("id").count.alias("n"))
"""
LATE = (
    "CREATE VIEW late COMMENT 'Large orders of the past.' AS SELECT id, customer FROM large WHERE day < '2024-01-01';\n"
)


def write_project(folder: Path) -> Path:
    """Write a project of three views over one table, and its target of files with the table alone."""
    write(folder, "tableapi.toml", SETTINGS)
    write(folder, "catalog/sales/tables/orders.sql", ORDERS)
    write(folder, "catalog/sales/views/late.sql", LATE)
    write(folder, "views/orders.py", VIEWS)
    write(folder, "target/sales/tables/orders.sql", ORDERS)
    return folder


def write(folder: Path, name: str, text: str) -> Path:
    """Write a file of a project."""
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def replace(folder: Path, name: str, old: str, new: str) -> None:
    """Replace a part of a file of a project, which must be there."""
    path = folder / name
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))


def planner(folder: Path, target: str = "files", environment: str | None = None, **options: bool) -> Planner:
    """Return a planner of a project, read anew."""
    project = Project.load(folder, target)
    return Planner(project, Deployment.connect(project.configuration, target), environment, **options)


def plan(folder: Path, target: str = "files", environment: str | None = None, **options: bool) -> Plan:
    """Return the plan of a project, read anew."""
    return planner(folder, target, environment, **options).plan()
