"""Targets that refuse to be read or written: what was refused, that nothing was changed, and what to ask for."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from ir.errors import CatalogException, CatalogNotExistException
from tableapi import TableEnvironment
from tableapi.catalog.directory import DirectoryCatalog
from tableapi.project.apply import apply_plan
from tableapi.project.configuration import ProjectError
from tableapi.project.deployment import Deployment
from tableapi.project.journal import Journal
from tableapi.project.permissions import is_refusal
from tableapi.project.project import Project
from tableapi.spark.errors import SparkExecutionException
from tests.project.projects import plan, planner, replace, write


def test_a_target_that_may_not_be_read_says_what_to_ask_for(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(self: object, database: str) -> list[str]:
        raise CatalogException(f"Listing {database} failed: Permission denied: user=ann, access=READ")

    monkeypatch.setattr(DirectoryCatalog, "list_views", refuse)
    with pytest.raises(ProjectError) as caught:
        planner(project).deployment.views()
    assert str(caught.value) == (
        "The target files cannot be read: Listing sales failed: Permission denied: user=ann, access=READ\n"
        "Nothing was changed. Ask for the permission to list and read its databases, views and functions."
    )


def test_a_folder_that_may_not_be_written_is_found_before_the_first_step(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = planner(project)
    found = made.plan()
    forbidden = project / "target/sales"
    access = os.access
    monkeypatch.setattr(os, "access", lambda path, mode: Path(path) != forbidden and access(path, mode))
    before = sorted(project.rglob("target/**/*"))
    with pytest.raises(ProjectError) as caught:
        apply_plan(found, made, made.deployment)
    assert str(caught.value) == (
        f"The target files cannot be changed: The folder {forbidden} cannot be written: Permission denied. Nothing was "
        "changed. Ask for the permission to create, replace and drop views and functions in sales."
    )
    assert sorted(project.rglob("target/**/*")) == before


def test_a_refused_step_says_what_was_done_and_what_to_ask_for(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = planner(project)
    found = made.plan()
    create = DirectoryCatalog.create_view

    def refuse(self: DirectoryCatalog, database: str, name: str, *given: object, **options: bool) -> None:
        if name == "late":
            raise CatalogException("Storing the view failed: AccessControlException: Permission denied: user=ann")
        create(self, database, name, *given, **options)  # type: ignore[arg-type]  # what the caller gave

    monkeypatch.setattr(DirectoryCatalog, "create_view", refuse)
    with pytest.raises(ProjectError) as caught:
        apply_plan(found, made, made.deployment)
    said = str(caught.value)
    number = [step.name for step in found.steps].index("sales.late")
    assert number > 0
    assert f"{number} of 3 step" in said
    assert "Ask for the permission to create, replace and drop views and functions in sales." in said
    assert "plan and apply again: the rest will be done" in said
    monkeypatch.undo()
    assert next(step.name for step in plan(project).steps) == "sales.late"


def test_a_database_that_may_not_be_made_is_found_before_the_first_step(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = planner(project, environment="dev")
    found = made.plan()

    def refuse(self: object, database: str, **options: bool) -> None:
        raise CatalogException(f"Making the database {database} failed: Permission denied: user=ann")

    monkeypatch.setattr(DirectoryCatalog, "create_database", refuse)
    with pytest.raises(ProjectError) as caught:
        apply_plan(found, made, made.deployment)
    assert str(caught.value) == (
        "The target files lacks the database dev_sales, which cannot be made: Making the database dev_sales failed: "
        "Permission denied: user=ann\n"
        "No view was changed. Ask for the permission to make databases, or have it made."
    )
    assert Journal(made.deployment).entries() == []


def test_a_metastore_that_is_away_is_named(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(self: object) -> list[str]:
        raise CatalogException("Listing the databases failed: Unable to instantiate SessionHiveMetaStoreClient")

    monkeypatch.setattr(DirectoryCatalog, "list_databases", fail)
    with pytest.raises(ProjectError, match=r"(?s)^The target files cannot be read: .*See that the Hive metastore runs"):
        planner(project).deployment.views()


@pytest.mark.parametrize(
    "message",
    [
        "MetaException(message:java.security.AccessControlException: Permission denied: user=ann)",
        "ERROR: permission denied for table TBLS",
        "ERROR: cannot execute INSERT in a read-only transaction",
        "User ann does not have CREATE privilege on sales",
        "[INSUFFICIENT_PERMISSIONS] Insufficient privileges: no USE SCHEMA",
        "Status Code: 403; Error Code: AccessDenied",
    ],
)
def test_refusals_of_catalogs_are_known(message: str) -> None:
    assert is_refusal(SparkExecutionException(message))


@pytest.mark.parametrize("message", ["No table sales.orders.", "The view v403 exists.", "Connection refused"])
def test_other_errors_are_no_refusals(message: str) -> None:
    assert not is_refusal(SparkExecutionException(message))


def test_an_unreadable_module_is_named(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    secret = project / "views/secret.py"
    write(project, "views/secret.py", "x = 1\n")
    loader = "importlib._bootstrap_external.SourceFileLoader.get_data"

    def refuse(self: object, path: str) -> bytes:
        if Path(path) == secret:
            raise PermissionError(13, "Permission denied", path)
        return Path(path).read_bytes()

    monkeypatch.setattr(loader, refuse)
    (finding,) = Project.load(project).check()
    assert (finding.file, finding.message) == ("views/secret.py", "The module cannot be read: Permission denied.")


def test_a_missing_table_may_be_declared_in_a_broken_module(project: Path) -> None:
    write(project, "views/broken.py", "def f(:\n")
    replace(project, "catalog/sales/views/late.sql", "FROM large", "FROM largest")
    found = {finding.subject: finding.message.partition("\n")[0] for finding in Project.load(project).check()}
    assert found["sales.late"].endswith("views/broken.py cannot be read, and may declare it.")


def test_a_misspelt_catalog_is_named_with_the_key(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    configuration = Project.load(project).configuration

    def refuse(self: object, name: str) -> None:
        raise CatalogNotExistException("There is no catalog named 'ic'. The catalogs are [ice]. Did you mean 'ice'?")

    # A session knows its catalogs when it runs.
    monkeypatch.setattr(TableEnvironment, "use_catalog", refuse)
    monkeypatch.setattr("tableapi.project.deployment.adopt_catalog", lambda environment, catalog: None)
    with pytest.raises(ProjectError, match=r"lacks the catalog that catalog_name in tableapi\.toml names: There is no"):
        Deployment.connect(configuration, "files")
