"""Projects whose views read tables of other catalogs than that of the views."""

from __future__ import annotations

from pathlib import Path

import pytest

from ir.errors import CatalogException
from tableapi.catalog.directory import DirectoryCatalog
from tableapi.cli.deploying import plan_fields
from tableapi.cli.serve.answers import types
from tableapi.cli.serve.workspace import Workspace
from tableapi.project.apply import apply_plan
from tableapi.project.check_memory import check_changed_views
from tableapi.project.configuration import ProjectError, read_configuration
from tableapi.project.deployment import Deployment
from tableapi.project.lineage import project_lineage
from tableapi.project.project import Project
from tableapi.project.rehearsal import rehearse
from tableapi.project.steps import Safety, plan_text
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
    assert "add [catalogs.ice] to tableapi.toml" in finding.message.splitlines()[0]
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


def test_readers_in_another_catalog_are_named(project: Path) -> None:
    made = planner(project)
    apply_plan(made.plan(), made, made.deployment)
    reports = "catalogs/lake/reports/views/{}.sql"
    write(project, reports.format("board"), "CREATE VIEW board AS SELECT day FROM spark_catalog.sales.large;\n")
    write(project, reports.format("wall"), "CREATE VIEW wall AS SELECT day FROM board;\n")
    write(project, reports.format("ids"), "CREATE VIEW ids AS SELECT id FROM spark_catalog.sales.large;\n")
    replace(project, "views/orders.py", ', col("day"))', ")")
    replace(project, "catalog/sales/views/late.sql", " WHERE day < '2024-01-01'", "")
    found = plan(project)
    (step,) = [step for step in found.steps if step.name == "sales.large"]
    assert step.safety is Safety.DESTRUCTIVE
    readers = {reader.name: reader for reader in step.readers}
    board, wall, ids = (readers[f"lake.reports.{name}"] for name in ("board", "wall", "ids"))
    assert (board.is_in_project, board.columns, board.breaks) == (False, ("day",), True)
    assert (wall.through, wall.breaks) == ("lake.reports.board", True)
    assert wall.effect == "It can no longer be read, because lake.reports.board cannot."
    assert (ids.columns, ids.effect, ids.breaks) == (("id",), "", False)
    said = plan_text(found)
    assert "read by lake.reports.board (outside the project; day): It can no longer be read: Cannot resolve" in said
    assert "read by lake.reports.wall (outside the project; through lake.reports.board): It can no longer" in said


def test_a_view_of_another_catalog_has_its_full_name(project: Path) -> None:
    write(
        project, "catalogs/lake/reports/views/pages.sql", "CREATE VIEW pages AS SELECT page FROM lake.sales.orders;\n"
    )
    (view,) = planner(project).deployment.views_of("lake").values()
    assert (view.name, view.operation is not None) == ("lake.reports.pages", True)


def test_what_is_not_read_is_named_with_the_reason(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = planner(project)
    apply_plan(made.plan(), made, made.deployment)
    write(project, "target/sales/views/odd.sql", "CREATE VIEW odd AS SELECT frob(id) AS x FROM sales.large;\n")
    write(project, "target/sales/views/torn.sql", "CREATE VIEW torn AS SELCT\n")
    replace(project, "views/orders.py", "> 100", "> 200")

    def fail(self: object) -> None:
        raise CatalogException("The lake is away.\nfor good")

    monkeypatch.setattr(Deployment, "unnamed_catalogs", lambda self: ["ice"])
    views_of = Deployment.views_of
    monkeypatch.setattr(
        Deployment, "views_of", lambda self, catalog: fail(self) if catalog == "lake" else views_of(self, catalog)
    )
    found = plan(project)
    (step,) = found.steps
    odd = next(reader for reader in step.readers if reader.name == "sales.odd")
    assert (odd.is_readable, odd.columns, odd.breaks) == (False, (), False)
    # Nothing but its name is known of it: it does not make the change grave.
    assert step.safety is Safety.SAFE
    assert found.not_read["the catalog lake"] == "The lake is away."
    said = plan_text(found)
    assert "read by sales.odd (outside the project; its text has the name): It cannot be read: " in said
    assert "Whether the catalog ice reads what changes is not known: tableapi.toml does not name it; " in said
    assert "Whether sales.torn reads what changes is not known: The view spark_catalog.sales.torn is broken" in said
    assert plan_fields(found)["not_read"][0]["name"] == "the catalog ice"
    monkeypatch.undo()
    made = planner(project)
    apply_plan(made.plan(), made, made.deployment)
    # Nothing changes, so nobody needs to know what reads it.
    assert "is not known" not in plan_text(plan(project))


@pytest.mark.parametrize(
    ("catalog", "advice"),
    [
        (
            "ice",
            "Let catalog_name in tableapi.toml name a catalog with views, such as spark_catalog, and read the tables "
            "of ice as those of another catalog: [catalogs.ice].",
        ),
        ("spark_catalog", "Deploy to a folder of files instead: directory = 'folder' in [targets.files]."),
    ],
)
def test_a_catalog_without_views_is_refused_before_anything_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, catalog: str, advice: str
) -> None:
    write_project(tmp_path)
    replace(tmp_path, "tableapi.toml", 'name = "shop"', f'name = "shop"\ncatalog_name = "{catalog}"')

    def refuse(self: object) -> None:
        raise CatalogException(f"The catalog {catalog} cannot hold views.")

    monkeypatch.setattr(DirectoryCatalog, "require_views", refuse)
    with pytest.raises(ProjectError) as caught:
        plan(tmp_path)
    assert str(caught.value) == (
        f"The target files is no place for views: The catalog {catalog} cannot hold views. Nothing was changed. "
        f"{advice}"
    )


def test_a_catalog_without_views_has_no_readers(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(self: DirectoryCatalog) -> None:
        if self.name == "lake":
            raise CatalogException("The catalog lake cannot hold views.", condition="MISSING_CATALOG_ABILITY.VIEWS")

    monkeypatch.setattr(DirectoryCatalog, "require_views", refuse)
    assert plan(project).not_read == {}
