"""The CI of the example project, as a team would run it: without Java and Spark, and with Spark."""

from __future__ import annotations

import itertools
import shutil
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.installation.environments import ROOT, environment_with
from tests.testing.runs import WITH_COMMAND_LINE, run, run_pytest
from tests.versions.sparks import python_of

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

PROJECT = ROOT / "examples" / "project"
WORKFLOW = PROJECT / ".github" / "workflows" / "views.yml"


@pytest.fixture(scope="module")
def python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return environment_with(tmp_path_factory.mktemp("python"), WITH_COMMAND_LINE)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    return Path(
        shutil.copytree(PROJECT, tmp_path / "project", ignore=shutil.ignore_patterns(".tableapi", "__pycache__"))
    )


@pytest.mark.slow
def test_ci_without_java_and_spark(python: Path, project: Path) -> None:
    began = time.monotonic()
    for command in commands_of("queries"):
        if not command.startswith("pip "):
            arguments = [str(python), "-m", *command.split()]
            code, output = run(project, [*arguments, "-rs"] if command == "pytest" else arguments, python.parent)
            assert code == 0, output
    assert time.monotonic() - began < 60
    # The output of the last command.
    assert "10 passed, 5 skipped" in output
    assert "7 snapshots passed" in output
    assert "assert_rows needs Spark: the package pyspark is not installed" in output


def commands_of(job: str) -> list[str]:
    """Return the commands of a job of the workflow."""
    lines = iter(WORKFLOW.read_text(encoding="utf-8").splitlines())
    within = itertools.dropwhile(lambda line: line != f"  {job}:", lines)
    next(within)
    own = itertools.takewhile(lambda line: not line or line.startswith("    "), within)
    return [line.partition("run: ")[2] for line in own if "- run: " in line]


def test_the_commands_of_the_workflow() -> None:
    assert commands_of("queries") == [
        "pip install '.[test]'",
        "tableapi fmt --check catalog",
        "tableapi check --target production",
        "pytest",
    ]
    assert commands_of("rows") == ["pip install '.[spark]'", "pytest -o tableapi_spark=required"]


@pytest.mark.slow
def test_a_changed_view_and_a_changed_table_fail(python: Path, project: Path) -> None:
    view = project / "catalog/sales/views/valid_orders.sql"
    view.write_text(view.read_text(encoding="utf-8").replace("'cancelled', ", ""), encoding="utf-8")
    code, output = run_pytest(python, project)
    assert code == 1
    assert "test_sql[valid_orders]" in output
    assert "1 failed" in output
    # The type of a column of a table changes the types of views that read it through two others.
    table = project / "catalog/sales/tables/order_lines.sql"
    table.write_text(table.read_text(encoding="utf-8").replace("DECIMAL(10, 2)", "DECIMAL(12, 4)"), encoding="utf-8")
    code, output = run_pytest(python, project)
    assert "column 3: `revenue` DECIMAL(38, 2) was expected, but it is `revenue` DECIMAL(38, 4)" in output
    code, output = run(project, [str(python), "-m", "tableapi", "check"], python.parent)
    assert code == 1
    assert "customer_value" in output


def test_rows_on_spark(spark: SparkSession, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run the tests of the project in this process, whose session they use."""
    monkeypatch.chdir(PROJECT)
    monkeypatch.syspath_prepend(str(PROJECT))
    arguments = ["-p", "no:cacheprovider", "-p", "no:xdist", "-p", "no:syrupy", "-c", str(PROJECT / "pyproject.toml")]
    # The plugin by its module alone, whether or not this environment has its entry point.
    arguments += ["-p", "no:tableapi"]
    code = pytest.main(
        [*arguments, "-q", "-p", "tableapi.testing.plugin", "-o", "tableapi_spark=required", "tests/test_rows.py"]
    )
    assert code == 0


def test_rows_on_sail(project: Path) -> None:
    """Run the same tests in the environment of Sail, which ``make versions`` makes, without a JVM."""
    python = python_of("sail-0.7")
    if python is None:
        # Its client is that of Spark 4.1, which no environment has beside the PySpark of the tests.
        pytest.skip("Sail is not installed: make versions")
    # The library is read from its checkout, because that environment is for any of its versions.
    command = ["/usr/bin/env", f"PYTHONPATH={ROOT}", str(python), "-m", "pytest", "-p", "no:cacheprovider"]
    command += ["-p", "tableapi.testing.plugin", "-o", "tableapi_engine=sail", "-o", "tableapi_spark=required"]
    code, output = run(project, [*command, "tests/test_rows.py"], python.parent)
    assert (code, "5 passed" in output) == (0, True), output
