"""Projects whose views read tables of other catalogs than that of the views."""

from __future__ import annotations

from pathlib import Path

import pytest

from tableapi.cli.serve.answers import types
from tableapi.cli.serve.workspace import Workspace
from tableapi.project.apply import apply_plan
from tableapi.project.check_memory import check_changed_views
from tableapi.project.configuration import ProjectError, read_configuration
from tableapi.project.lineage import project_lineage
from tableapi.project.project import Project
from tableapi.project.rehearsal import rehearse
from tests.project.projects import plan, planner, replace, write, write_project

CLICKS = "catalogs/lake/sales/tables/orders.sql"
"""A table of the other catalog that has the name of a table of the project."""
CLICKED = (
    "CREATE VIEW clicked AS SELECT o.customer, l.page FROM orders AS o JOIN lake.sales.orders AS l ON l.id = o.id;\n"
)
VIEW = "catalog/sales/views/clicked.sql"


@pytest.fixture
def project(project: Path) -> Path:
    """A project with a view over its own catalog and another one."""
    write(project, CLICKS, "CREATE TABLE orders (id BIGINT, page STRING);\n")
    write(project, VIEW, CLICKED)
    replace(project, "tableapi.toml", "[targets.files]", "[catalogs.lake]\n\n[targets.files]")
    return project


def test_a_view_reads_a_table_of_another_catalog(project: Path) -> None:
    loaded = Project.load(project)
    assert loaded.check() == []
    view = loaded.view("clicked")
    assert view.view.schema.names == ("customer", "page")
    assert [read.parts[0] for read in view.reads] == ["spark_catalog", "lake"]
    assert [read.parts for read in view.own_reads] == [("spark_catalog", "sales", "orders")]
    datasets = {dataset.name for dataset in project_lineage(loaded).graph.datasets}
    assert {"lake.sales.orders", "sales.orders", "sales.clicked"} <= datasets


def test_the_text_names_the_other_catalog(project: Path) -> None:
    made = planner(project, environment="dev")
    found = made.plan()
    (step,) = [step for step in found.steps if step.name == "dev_sales.clicked"]
    assert "FROM sales.orders\nINNER JOIN lake.sales.orders" in step.after
    apply_plan(found, made, made.deployment)
    assert plan(project, environment="dev").steps == ()


def test_a_changed_table_of_another_catalog_is_told(project: Path, tmp_path: Path) -> None:
    old = tmp_path / "old"
    write_project(old)
    for name in ("tableapi.toml", CLICKS, VIEW):
        write(old, name, (project / name).read_text())
    replace(project, CLICKS, "page STRING", "page INT")
    (step,) = rehearse(old, project).steps
    assert step.words[0].startswith("A table below has changed: the column `page` is INT there now")


def test_a_check_notices_a_changed_table_of_another_catalog(project: Path) -> None:
    assert check_changed_views(Project.load(project)).findings == []
    assert check_changed_views(Project.load(project)).unchanged > 0
    replace(project, CLICKS, "page STRING", "site STRING")
    (finding,) = check_changed_views(Project.load(project)).findings
    assert (finding.subject, "l.page" in finding.message) == ("sales.clicked", True)


def test_an_unknown_catalog_is_named_with_the_remedy(project: Path) -> None:
    replace(project, VIEW, "lake.sales", "ice.sales")
    (finding,) = Project.load(project).check()
    assert finding.message.splitlines()[0].startswith("There is no catalog named 'ice'.")
    assert "add [catalogs.NAME] to tableapi.toml" in finding.message.splitlines()[0]
    assert (finding.line, finding.column) == (1, 72)


def test_other_programs_are_told_the_columns(project: Path) -> None:
    (found,) = types(Workspace(project), "lake.*", True)["relations"]
    assert (found["name"], found["kind"]) == ("lake.sales.orders", "table")
    assert [column["name"] for column in found["columns"]] == ["id", "page"]


@pytest.mark.parametrize(
    ("section", "said"),
    [
        ("[catalogs]\nlake = 'x'", r"\[catalogs\.lake\] is a table of settings"),
        ("[catalogs.lake]\npath = 'x'", r":4: .*has no key 'path'; it has folder"),
        ("[catalogs.Spark_Catalog]", r"is the catalog of the project itself"),
        ("[catalogs.'a b']", r"has letters, digits and _, but is 'a b'"),
    ],
)
def test_wrong_settings_are_refused(tmp_path: Path, section: str, said: str) -> None:
    write(tmp_path, "tableapi.toml", f"[project]\nname = 'a'\n{section}\n")
    with pytest.raises(ProjectError, match=said):
        read_configuration(tmp_path)
