"""The verb doctor: what it prints, what it calls wrong, and what it keeps to itself."""

from __future__ import annotations

import sys
from importlib import metadata
from pathlib import Path

import pytest

from ir.errors import TableException
from tableapi.cli import doctor
from tableapi.cli.doctor import Finding, Status, examine
from tableapi.command_line import main
from tableapi.spark.java import JavaInstallation
from tests.cli.test_verbs import document
from tests.project.projects import replace, write_project


def findings(folder: Path, **environ: str) -> dict[str, Finding]:
    return {finding.name: finding for finding in examine(folder, environ=environ)}


@pytest.fixture
def java_21(monkeypatch: pytest.MonkeyPatch) -> None:
    """A Java that is not run, since in a run without JVM none starts."""
    found = JavaInstallation(Path("/opt/java"), 21, "JAVA_HOME")
    monkeypatch.setattr("tableapi.spark.java.find_java", lambda environ: found)


def test_a_sound_installation(java_21: None, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    project = write_project(tmp_path / "shop")
    found = document(capsys, "doctor", "-C", str(project))
    assert found["problems"] == 0
    by_name = {finding["name"]: finding for finding in found["findings"]}
    assert by_name["Python"]["found"].startswith(f"{sys.version_info[0]}.{sys.version_info[1]}.")
    assert by_name["PySpark"]["found"].startswith(f"pyspark {metadata.version('pyspark')}")
    assert by_name["Java"]["found"] == "21 of JAVA_HOME, /opt/java"
    assert by_name["project"]["found"].endswith("shop/tableapi.toml")
    assert by_name["a query"]["status"] == "ok"
    assert "a query on Spark" not in by_name
    assert main(["doctor", "-C", str(project)]) == 0
    assert "No problem found." in capsys.readouterr().out


def test_a_project_file_that_cannot_be_read(java_21: None, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    project = write_project(tmp_path)
    replace(project, "tableapi.toml", "[project]", "[projct]")
    found = document(capsys, "doctor", "-C", str(project), code=1)
    (problem,) = [finding for finding in found["findings"] if finding["status"] == "problem"]
    assert problem["name"] == "project"
    assert "projct" in problem["advice"]
    assert main(["doctor", "-C", str(project)]) == 1
    assert "1 problem found." in capsys.readouterr().out


def test_java_is_missing(tmp_path: Path) -> None:
    found = findings(tmp_path, JAVA_HOME="/nowhere", PATH="/nowhere")["Java"]
    assert found.status is Status.PROBLEM
    assert "JAVA_HOME=/nowhere: /nowhere/bin/java does not exist; PATH: has no java" in found.found
    assert "pip install 'tableapi[java]'" in found.advice
    # A server has its own Java.
    assert findings(tmp_path, PATH="/nowhere", SPARK_REMOTE="sc://a")["Java"].status is Status.WARNING


def test_the_home_folder(tmp_path: Path) -> None:
    assert findings(tmp_path, TABLEAPI_HOME="views")["home"].status is Status.PROBLEM
    file = tmp_path / "file"
    file.touch()
    found = findings(tmp_path, TABLEAPI_HOME=str(file / "views"))["home"]
    assert found.status is Status.PROBLEM
    assert "cannot be written" in found.found
    assert findings(tmp_path, TABLEAPI_HOME=str(tmp_path / "new"))["home"].found.endswith("new (made on first use)")
    assert findings(tmp_path, TABLEAPI_HOME=str(tmp_path))["home"].status is Status.OK


def test_no_secret_is_printed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/home/ada")
    given = {"SPARK_REMOTE": "sc://host/;token=s3cret", "PYSPARK_SUBMIT_ARGS": "--conf a=s3cret", "PATH": "/nowhere"}
    shown = findings(tmp_path, **given, SPARK_HOME="/home/ada/spark")
    assert shown["variables"].found == "SPARK_HOME=~/spark, SPARK_REMOTE=(set), PYSPARK_SUBMIT_ARGS=(set)"
    assert "s3cret" not in str(shown)


@pytest.mark.parametrize(
    ("installed", "status", "advice"),
    [
        ({"pyspark": "4.0.2"}, Status.OK, ""),
        ({"pyspark": "3.3.0"}, Status.PROBLEM, "pip install 'tableapi[spark]'"),
        ({"pyspark": "4.0.2", "databricks-connect": "16.0.0"}, Status.PROBLEM, "Uninstall all of them"),
    ],
)
def test_versions_of_pyspark(
    installed: dict[str, str], status: Status, advice: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(metadata, "packages_distributions", lambda: {"pyspark": list(installed)})
    monkeypatch.setattr(metadata, "version", lambda name: installed.get(name, "1.0"))
    found = findings(tmp_path)["PySpark"]
    assert found.status is status
    assert advice in found.advice


def test_without_the_packages_for_rows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def version(name: str) -> str:
        raise metadata.PackageNotFoundError(name)

    monkeypatch.setattr(metadata, "version", version)
    assert findings(tmp_path)["pyarrow"].status is Status.PROBLEM
    assert findings(tmp_path)["pandas"].status is Status.WARNING
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    found = findings(tmp_path, PATH="/nowhere")
    assert {found[name].status for name in ("PySpark", "pyarrow", "pandas", "Java")} == {Status.WARNING}


def test_a_check_that_fails_does_not_end_the_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail() -> Finding:
        raise RuntimeError("no tables")

    monkeypatch.setattr(doctor, "_compile_a_query", fail)
    found = findings(tmp_path)["a query"]
    assert found == Finding(
        "a query",
        Status.PROBLEM,
        "the check failed: RuntimeError: no tables",
        "Please report it; TABLEAPI_TRACEBACK=full shows where.",
    )


def test_a_query_on_spark(spark: object, tmp_path: Path) -> None:
    found = {finding.name: finding for finding in examine(tmp_path, starts_spark=True)}["a query on Spark"]
    assert found.status is Status.OK
    assert found.found == f"a session of Spark {metadata.version('pyspark')} has run it"


def test_no_session_on_spark(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise TableException("The metastore is in use.")

    monkeypatch.setattr("tableapi.spark.session.embedded_session", refuse)
    monkeypatch.setattr("tableapi.spark.session.running_session", lambda: None)
    monkeypatch.setattr("tableapi.spark.session.stop_embedded_session", lambda: None)
    found = {finding.name: finding for finding in examine(tmp_path, starts_spark=True)}["a query on Spark"]
    assert found == Finding("a query on Spark", Status.PROBLEM, "no session, or no rows", "The metastore is in use.")
