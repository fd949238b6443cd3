"""The CI of the example project, as a team would run it: without Java and Spark, and with Spark."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.installation.environments import ROOT, environment_with
from tests.testing.runs import WITH_SYRUPY, run, run_pytest

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

PROJECT = ROOT / "examples" / "project"
WORKFLOW = PROJECT / ".github" / "workflows" / "views.yml"


@pytest.fixture(scope="module")
def python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return environment_with(tmp_path_factory.mktemp("python"), WITH_SYRUPY)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    return Path(
        shutil.copytree(PROJECT, tmp_path / "project", ignore=shutil.ignore_patterns(".tableapi", "__pycache__"))
    )


def test_ci_without_java_and_spark(python: Path, project: Path) -> None:
    code, output = run_pytest(python, project)
    assert (code, "9 passed, 5 skipped" in output, "7 snapshots passed" in output) == (0, True, True), output
    assert "assert_rows needs Spark: the package pyspark is not installed" in output


def test_the_commands_of_the_workflow(python: Path, project: Path) -> None:
    commands = [
        line.partition("run: ")[2] for line in WORKFLOW.read_text(encoding="utf-8").splitlines() if "run: " in line
    ]
    assert commands == [
        "pip install '.[test]'",
        "tableapi fmt --check catalog",
        "pytest",
        "pip install '.[spark]'",
        "pytest -o tableapi_spark=required",
    ]
    code, output = run(project, [str(python), "-m", "tableapi", "fmt", "--check", "catalog"], python.parent)
    assert (code, output.strip()) == (0, "8 files already formatted.")


def test_a_changed_view_fails(python: Path, project: Path) -> None:
    view = project / "catalog/sales/views/valid_orders.sql"
    view.write_text(view.read_text(encoding="utf-8").replace("'cancelled', ", ""), encoding="utf-8")
    code, output = run_pytest(python, project)
    assert code == 1
    assert "test_sql[valid_orders]" in output
    assert "1 failed" in output
    table = project / "catalog/sales/tables/order_lines.sql"
    table.write_text(table.read_text(encoding="utf-8").replace("DECIMAL(10, 2)", "DECIMAL(12, 4)"), encoding="utf-8")
    code, output = run_pytest(python, project, "-q")
    # The type of a column of a table changes the contract of a view that reads it through two others.
    assert "but it is `spent` DECIMAL(38, 4) NOT NULL" in output


def test_rows_on_spark(spark: SparkSession, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run the tests of the project in this process, whose session they use."""
    monkeypatch.chdir(PROJECT)
    monkeypatch.syspath_prepend(str(PROJECT))
    arguments = ["-p", "no:cacheprovider", "-p", "no:xdist", "-p", "no:syrupy", "-c", str(PROJECT / "pyproject.toml")]
    code = pytest.main(
        [*arguments, "-q", "-p", "tableapi.testing.plugin", "-o", "tableapi_spark=required", "tests/test_rows.py"]
    )
    assert code == 0
