"""The verbs ``pipeline build`` and ``pipeline check``: output, exit codes, JSON documents, and what is not loaded."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tableapi.command_line import main
from tests.cli.test_verbs import document
from tests.pipelines.broken import SPECIFICATION, A
from tests.pipelines.flights import MATERIALIZED, write_flights
from tests.project.projects import replace, write

RECOMPUTED = "Full recompute: each run computes all rows of the 6 materialized views air.by_carrier, air.by_day, "


@pytest.fixture
def project(tmp_path: Path) -> Path:
    return write_flights(tmp_path)


def test_build_says_what_it_wrote_changed_and_removed(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    at = ("pipeline", "build", "-C", str(project))
    found = document(capsys, *at)
    assert len(found["created"]) == 13
    assert found["recomputed"] == list(MATERIALIZED)
    own = write(project, "pipeline/transformations/own.sql", "CREATE VIEW own AS SELECT 1 AS x;\n")
    (project / "catalog/air/views/busy.sql").unlink()
    replace(project, "views/flights.py", 'col("delay") > 10', 'col("delay") > 20')
    assert main(list(at)) == 0
    shown = capsys.readouterr().out
    assert "~ transformations/air/late.sql\n- transformations/air/busy.sql\n" in shown
    assert RECOMPUTED in shown
    assert "0 files new, 1 changed, 1 removed, 11 unchanged." in shown
    assert own.is_file()
    found = document(capsys, *at)
    assert (found["created"], found["changed"], found["removed"], found["unchanged"]) == ([], [], [], 12)


def test_build_writes_nothing_if_a_view_is_wrong(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    replace(project, "views/flights.py", 'col("delay") > 10', 'col("dela") > 10')
    found = document(capsys, "pipeline", "build", "-C", str(project), code=1)
    assert {finding["subject"] for finding in found["findings"] if not finding["because_of"]} == {"air.late"}
    assert not (project / "pipeline").exists()


def test_build_does_not_overwrite_a_file_of_somebody(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    at = ("pipeline", "build", "-C", str(project))
    assert main(list(at)) == 0
    edited = project / "pipeline/transformations/air/late.sql"
    edited.write_text("-- mine")
    assert "late.sql was edited" in document(capsys, *at, code=2)["error"]
    assert edited.read_text() == "-- mine"
    assert document(capsys, *at, "--overwrite-edited")["changed"] == ["transformations/air/late.sql"]


def test_check_of_a_project_and_of_its_pipeline(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    of_project = document(capsys, "pipeline", "check", "-C", str(project))
    assert not (project / "pipeline").exists()
    assert main(["pipeline", "build", "-C", str(project)]) == 0
    of_folder = document(capsys, "pipeline", "check", str(project / "pipeline"))
    assert of_project == of_folder
    assert of_folder["recomputed"] == list(MATERIALIZED)
    assert [one["kind"] for one in of_folder["datasets"]].count("temporary view") == 3
    assert main(["pipeline", "check", str(project / "pipeline")]) == 0
    assert RECOMPUTED in capsys.readouterr().out


def test_check_of_a_pipeline_by_hand(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path, "spark-pipeline.yml", SPECIFICATION)
    write(tmp_path, "transformations/a.sql", f"{A}CREATE VIEW v AS SELECT x FROM elsewhere;\n")
    monkeypatch.chdir(tmp_path)
    assert main(["pipeline", "check"]) == 0
    shown = capsys.readouterr().out
    assert "transformations/a.sql:2: default.v: not checked\n  It reads default.elsewhere" in shown
    assert "2 datasets, 1 of them not checked: no problem found." in shown
    replace(tmp_path, "transformations/a.sql", "SELECT id", "SELECT idd")
    assert main(["pipeline", "check"]) == 1
    assert "transformations/a.sql:1:38: default.a" in capsys.readouterr().out
    (tmp_path / "spark-pipeline.yaml").write_text(SPECIFICATION)
    assert (
        "has both spark-pipeline.yml and spark-pipeline.yaml" in document(capsys, "pipeline", "check", code=2)["error"]
    )


def test_check_of_a_folder_without_a_pipeline(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = document(capsys, "pipeline", "check", str(tmp_path), code=2)
    assert "has no spark-pipeline.yml, and is no folder of a project" in found["error"]


def test_plan_says_that_pipelines_recompute(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("flights", "airlines"):
        text = (project / f"catalog/air/tables/{name}.sql").read_text()
        write(project, f"target/air/tables/{name}.sql", text)
    found = document(capsys, "plan", "files", "-C", str(project), code=2)
    assert "A run of the pipeline makes air.routes: run it first." in found["error"]
    for name, columns in (("routes", "origin STRING, n BIGINT"), ("by_carrier", "carrier STRING, n BIGINT")):
        write(project, f"target/air/tables/{name}.sql", f"CREATE TABLE {name} ({columns});\n")
    found = document(capsys, "plan", "files", "-C", str(project))
    assert [one["view"] for one in found["of_pipelines"] if one["kind"] == "materialized view"] == list(MATERIALIZED)
    assert sorted(step["view"] for step in found["steps"]) == [
        "spark_catalog.air.busy",
        "spark_catalog.air.known",
        "spark_catalog.air.named",
    ]
    assert main(["plan", "files", "-C", str(project)]) == 0
    shown = capsys.readouterr().out
    said = (
        "is a materialized view, which only a pipeline makes: left alone. Each run of the pipeline computes all of its"
    )
    assert f"air.by_day {said} rows anew." in shown
    assert "air.late is a temporary view, which only a pipeline makes: left alone.\n" in shown


def test_neither_spark_nor_java_is_loaded(project: Path) -> None:
    assert main(["pipeline", "build", "-C", str(project)]) == 0
    code = (
        "import sys\nfrom tableapi.command_line import main\n"
        f"assert main(['pipeline', 'check', {str(project / 'pipeline')!r}]) == 0\n"
        "assert not {'pyspark', 'py4j', 'pandas'} & set(sys.modules)\n"
    )
    environment = {**os.environ, "PATH": "", "JAVA_HOME": ""}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
