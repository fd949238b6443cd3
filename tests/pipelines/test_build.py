"""The pipeline that is built from a project: its texts, its files, and what is refused."""

from __future__ import annotations

import ast
import json
import re
import shutil
from pathlib import Path
from types import SimpleNamespace

import attrs
import pytest
from syrupy.assertion import SnapshotAssertion

from ir.errors import ValidationException
from ir.schema import ResolvedSchema
from tableapi import materialized_view
from tableapi.project.apply import apply_plan
from tableapi.project.configuration import ProjectError
from tableapi.project.declarations import ViewKind
from tableapi.project.pipelines import files as pipeline_files
from tableapi.project.pipelines.build import PYTHON_FILE, build_pipeline
from tableapi.project.pipelines.check import check_pipeline
from tableapi.project.pipelines.files import MANIFEST, write_files
from tableapi.project.pipelines.python_writing import PythonDataset, write_python
from tableapi.project.project import Project
from tableapi.project.rehearsal import rehearse
from tableapi.project.steps import Action, plan_text
from tests.pipelines.flights import (
    MATERIALIZED,
    PERSISTENT,
    STREAMS,
    STREAMS_IN_SQL,
    TEMPORARY,
    write_code,
    write_flights,
)
from tests.project.projects import plan, planner, replace, write, write_project


def _texts(folder: Path) -> dict[str, str]:
    return {path.name: path.read_text() for path in folder.rglob("*") if path.is_file()}


# --- texts ---


def test_texts(tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    built = build_pipeline(Project.load(write_flights(tmp_path)))
    texts = {name: text.replace(tmp_path.as_uri(), "file:///project") for name, text in built.files.items()}
    assert "\n".join(f"==> {name}\n{text}" for name, text in texts.items()) == snapshot
    assert sorted(built.recomputed) == sorted(MATERIALIZED)
    assert sorted(name for name, _ in built.datasets) == sorted((*MATERIALIZED, *PERSISTENT, *TEMPORARY))


def test_what_sql_cannot_say_is_a_python_file(tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    write_flights(tmp_path)
    write_code(tmp_path, Path("/output"))
    project = Project.load(tmp_path)
    built = build_pipeline(project, tmp_path / "out" / "pipeline")
    assert built.files[PYTHON_FILE] == snapshot
    stems = {Path(path).stem for path in built.files}
    assert not stems & {"late_files", "loud", "loud_flights", "moving", "shouted", "totals"}, stems
    assert built.functions == ()
    write_files(tmp_path / "out" / "pipeline", built.files)
    checked = check_pipeline(tmp_path / "out" / "pipeline", project)
    assert checked.findings == ()
    assert checked.unchecked == []
    columns = {one.name: one.schema and one.schema.names for one in checked.datasets if one.file.endswith(".py")}
    assert columns == {
        "air.loud": ("name", "n", "carrier"),
        "air.loud_flights": ("id", "origin"),
        "air.totals": ("carrier", "total"),
        "late_files": ("id", "origin"),
        "moving": ("id", "origin"),
        "shouted": ("carrier", "name"),
    }


def test_a_sink_of_sql_alone_needs_no_project(tmp_path: Path) -> None:
    write_flights(tmp_path)
    text = (
        "from tableapi import sink\n\n\n@sink('out', format='json', options={'path': 'a\"\\\\b'})\ndef out(te):\n"
        "    return te.sql_query(\"SELECT id, '\\\\\\\\' AS slash FROM STREAM flights\")\n"
    )
    write(tmp_path, "views/out.py", text)
    built = build_pipeline(Project.load(tmp_path))
    made = built.files[PYTHON_FILE]
    assert "PipelineProject" not in made
    queries: list[str] = []
    written: list[tuple[object, ...]] = []
    steps = SimpleNamespace(
        create_sink=lambda *given: written.append(given), append_flow=lambda target: lambda query: query()
    )
    code = made.replace("from pyspark import pipelines as dp", "")
    exec(code, {"dp": steps, "spark": SimpleNamespace(sql=queries.append)})
    assert written == [("out", "json", {"path": 'a"\\b'})]
    assert queries[0].split() == ["SELECT", "id,", "'\\\\'", "AS", "slash", "FROM", "STREAM", "air.flights"]


SINKS = {
    "a table": ("te.from_path('flights')", "The query of the sink out reads no stream"),
    "a column that is missing": (
        "te.from_path('flights', stream=True).select(col('idd'))",
        "Did you mean 'id'?",
    ),
}


@pytest.mark.parametrize(("query", "message"), SINKS.values(), ids=SINKS)
def test_wrong_sinks_are_found_by_a_check(query: str, message: str, tmp_path: Path) -> None:
    write_flights(tmp_path)
    head = "from tableapi import sink\nfrom tableapi.expressions import col\n\n\n"
    write(tmp_path, "views/out.py", f"{head}@sink('out', format='json')\ndef out(te):\n    return {query}\n")
    (found,) = Project.load(tmp_path).check()
    assert message in found.message
    assert found.file == "views/out.py"


def test_nothing_reads_a_sink(tmp_path: Path) -> None:
    write_flights(tmp_path)
    write_code(tmp_path, tmp_path / "output")
    write(tmp_path, "catalog/air/views/bad.sql", "CREATE VIEW bad AS SELECT id FROM late_files;\n")
    (found,) = Project.load(tmp_path).check()
    assert found.message.startswith("The sink late_files has no rows to read")
    assert found.subject == "air.bad"


def test_storage_with_a_scheme_stays_as_it_is(tmp_path: Path) -> None:
    write_flights(tmp_path)
    replace(tmp_path, "tableapi.toml", '"checkpoints"', '"s3a://bucket/air"')
    built = build_pipeline(Project.load(tmp_path))
    assert 'storage: "s3a://bucket/air"' in built.files["spark-pipeline.yml"]


def test_functions_of_the_catalog_are_named(tmp_path: Path) -> None:
    write_flights(tmp_path)
    write(
        tmp_path,
        "catalog/air/functions/in_hours.sql",
        "CREATE FUNCTION in_hours(x INT) RETURNS DOUBLE RETURN x / 60;\n",
    )
    write(
        tmp_path,
        "catalog/air/materialized_views/slow.sql",
        "CREATE MATERIALIZED VIEW slow AS SELECT in_hours(delay) AS h FROM flights;\n",
    )
    built = build_pipeline(Project.load(tmp_path))
    assert built.functions == ("air.in_hours",)
    assert "air.in_hours(delay)" in built.files["transformations/air/slow.sql"]


# --- what is refused ---


def test_a_project_without_storage_is_refused(project: Path) -> None:
    with pytest.raises(ProjectError, match=r"\[pipeline\] needs storage"):
        build_pipeline(Project.load(project))


def test_an_older_spark_is_refused(tmp_path: Path) -> None:
    write_flights(tmp_path)
    replace(tmp_path, "tableapi.toml", 'directory = "target"', 'directory = "target"\nspark = "4.0"')
    with pytest.raises(ProjectError, match=r"since version 4.1, and the target is spark-4.0"):
        build_pipeline(Project.load(tmp_path, "files"))


REFUSED_CODE = {
    "views/known_names.sql": (
        "CREATE VIEW known_names AS SELECT shout(name) AS name FROM airlines;\n",
        "the persistent view air.known_names calls shout, and Spark's catalog holds no function in Python",
    ),
    "streaming_tables/summed.sql": (
        "CREATE STREAMING TABLE summed AS SELECT total FROM running_total(input => "
        "TABLE(SELECT * FROM STREAM flights) PARTITION BY carrier);\n",
        "air.summed calls running_total over a stream. A pipeline cannot run that",
    ),
}


@pytest.mark.parametrize(("name", "case"), REFUSED_CODE.items())
def test_where_no_function_in_python_can_run_is_refused(name: str, case: tuple[str, str], tmp_path: Path) -> None:
    write_flights(tmp_path)
    write_code(tmp_path, tmp_path / "output")
    write(tmp_path, f"catalog/air/{name}", case[0])
    project = Project.load(tmp_path)
    assert project.check() == []
    with pytest.raises(ProjectError, match=re.escape(case[1])):
        build_pipeline(project)


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        (
            "air/views/bad.sql",
            "CREATE VIEW bad AS SELECT id FROM flown;\n",
            "A persistent view cannot read the temporary view flown",
        ),
        (
            "air/materialized_views/bad.sql",
            "CREATE MATERIALIZED VIEW bad PARTITIONED BY (dayy) AS SELECT id, day FROM flights;\n",
            "partitioned_by names 'dayy', which is no column of the query. Did you mean 'day'?",
        ),
        (
            "air/materialized_views/bad.sql",
            "CREATE MATERIALIZED VIEW bad PARTITIONED BY (day) AS SELECT day FROM flights;\n",
            "partitioned_by names all columns",
        ),
        (
            "air/materialized_views/bad.sql",
            "CREATE STREAMING TABLE bad AS SELECT * FROM STREAM flights;\n",
            "another statement than CREATE MATERIALIZED VIEW",
        ),
        (
            "air/materialized_views/bad.sql",
            "CREATE MATERIALIZED VIEW bad AS SELECT id FROM STREAM flights;\n",
            "It reads flights as a stream: a materialized view reads no stream",
        ),
        (
            "air/streaming_tables/bad.sql",
            "CREATE STREAMING TABLE bad AS SELECT id FROM flights;\n",
            "reads no stream, so that each run would append all rows again",
        ),
        (
            "air/streaming_tables/bad.sql",
            "CREATE STREAMING TABLE bad (id INT);\n",
            "declares the streaming table bad without a query, which no file of a catalog has",
        ),
        (
            "air/streaming_tables/bad.sql",
            "CREATE STREAMING TABLE bad FLOW AUTO CDC FROM STREAM flights KEYS (id) SEQUENCE BY day;\n",
            "declares the streaming table bad with AUTO CDC, which no file of a catalog has",
        ),
        (
            "air/streaming_tables/bad.sql",
            "CREATE FLOW bad AS INSERT INTO kept BY NAME SELECT * FROM STREAM flights;\n",
            "declares the flow bad, which no file of a catalog has",
        ),
        (
            "air/materialized_views/bad.sql",
            "CREATE VIEW bad AS SELECT 1 AS x;\n",
            "another statement than CREATE MATER",
        ),
        ("air/materialized_views/bad.sql", "CREATE MATERIALIZED VIEW other AS SELECT 1 AS x;\n", "the file of 'bad'"),
        (
            "air/materialized_views/bad.sql",
            "CREATE MATERIALIZED VIEW bad AS SELECT delayy FROM flights;\n",
            "Did you mean 'delay'?",
        ),
        (
            "air_reports/temporary_views/late.sql",
            "CREATE TEMPORARY VIEW late AS SELECT 1 AS x;\n",
            "both are called late",
        ),
    ],
)
def test_wrong_views_are_found_by_a_check(tmp_path: Path, name: str, text: str, message: str) -> None:
    write_flights(tmp_path)
    write(tmp_path, f"catalog/{name}", text)
    found = Project.load(tmp_path).check()
    assert len(found) == 1, found
    assert message in found[0].message
    assert found[0].file in (f"catalog/{name}", "views/flights.py")


def test_streaming_tables_are_built(tmp_path: Path) -> None:
    write_flights(tmp_path)
    write(tmp_path, "views/streams.py", STREAMS)
    project = Project.load(tmp_path)
    assert project.check() == []
    built = build_pipeline(project)
    texts = {path.rpartition("/")[2]: text.partition("\n")[2] for path, text in built.files.items()}
    assert texts["late_flights.sql"].endswith("FROM STREAM air.flights\nWHERE delay > 10;\n")
    assert texts["kept_flights.sql"] == (
        "CREATE STREAMING TABLE air.kept_flights (\n  id BIGINT COMMENT 'of the flight',\n  day DATE,\n  delay INT)\n"
        "PARTITIONED BY (day)\nCOMMENT 'late ones'\nAS\nSELECT id, day, delay\nFROM STREAM late_flights;\n"
    )
    assert texts["very_late.sql"].endswith("FROM STREAM air.kept_flights\nWHERE delay > 50;\n")
    assert "FROM air.kept_flights\nGROUP BY day" in texts["late_days.sql"]
    assert "air.late_days" in built.recomputed
    assert "air.kept_flights" not in built.recomputed
    write_files(tmp_path / "pipeline", built.files)
    assert check_pipeline(tmp_path / "pipeline", project).findings == ()


def test_streaming_tables_in_files_are_those_in_python(tmp_path: Path) -> None:
    built = []
    for folder in (tmp_path / "python", tmp_path / "sql"):
        write_flights(folder)
        if folder.name == "python":
            write(folder, "views/streams.py", STREAMS)
        else:
            for name, text in STREAMS_IN_SQL.items():
                write(folder, f"catalog/{name}", text)
        project = Project.load(folder)
        assert project.check() == []
        files = build_pipeline(project).files
        built.append({name: text.partition("\n")[2] for name, text in files.items() if name.endswith(".sql")})
    assert built[0] == built[1]


@pytest.mark.parametrize(
    ("decorator", "query", "message"),
    [
        ("streaming_table", 'te.from_path("flights")', "reads no stream, so that each run would append all rows again"),
        ("materialized_view", 'te.from_path("flights", stream=True)', "reads a stream, whose rows have no end"),
    ],
)
def test_a_table_of_the_wrong_kind_is_found(tmp_path: Path, decorator: str, query: str, message: str) -> None:
    write_flights(tmp_path)
    text = f'from tableapi import {decorator}\n\n\n@{decorator}("bad")\ndef bad(te):\n    return {query}\n'
    write(tmp_path, "views/bad.py", text)
    (found,) = Project.load(tmp_path).check()
    assert message in found.message
    assert found.file == "views/bad.py"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"partitioned_by": "day"}, "is a list of columns, such as"),
        ({"format": "a b"}, "is the name of a format"),
        ({"properties": {"owner": "me"}}, "has 'owner', which is reserved for Spark"),
    ],
)
def test_wrong_arguments_of_a_materialized_view(arguments: dict[str, object], message: str) -> None:
    with pytest.raises(ValidationException, match=message):
        materialized_view("a", **arguments)  # type: ignore[arg-type]  # wrong on purpose


# --- files ---


def test_files_of_others_stay(tmp_path: Path) -> None:
    write(tmp_path, "transformations/own.py", "x = 1")
    first = write_files(tmp_path, {"a.sql": "1", "transformations/b/c.sql": "2", "transformations/d.sql": "3"})
    assert first.created == ("a.sql", "transformations/b/c.sql", "transformations/d.sql")
    second = write_files(tmp_path, {"a.sql": "1", "transformations/d.sql": "4", "e.sql": "5"})
    assert attrs.asdict(second) == {
        "created": ("e.sql",),
        "changed": ("transformations/d.sql",),
        "removed": ("transformations/b/c.sql",),
        "unchanged": 1,
    }
    found = _texts(tmp_path)
    del found[MANIFEST]
    assert found == {"own.py": "x = 1", "a.sql": "1", "d.sql": "4", "e.sql": "5"}
    assert not (tmp_path / "transformations/b").exists()


def test_a_file_in_the_way_is_not_overwritten(tmp_path: Path) -> None:
    write(tmp_path, "a.sql", "mine")
    with pytest.raises(ProjectError, match=r"a\.sql is there, and `tableapi pipeline build` did not write it"):
        write_files(tmp_path, {"a.sql": "1", "b.sql": "2"})
    assert _texts(tmp_path) == {"a.sql": "mine"}


@pytest.mark.parametrize("files", [{"a.sql": "2"}, {"b.sql": "1"}])
def test_an_edited_file_is_neither_replaced_nor_removed(tmp_path: Path, files: dict[str, str]) -> None:
    write_files(tmp_path, {"a.sql": "1"})
    write(tmp_path, "a.sql", "edited")
    with pytest.raises(ProjectError, match=r"a\.sql was edited"):
        write_files(tmp_path, files)
    assert (tmp_path / "a.sql").read_text() == "edited"
    write_files(tmp_path, files, overwrite_edited=True)
    found = _texts(tmp_path)
    del found[MANIFEST]
    assert found == files


@pytest.mark.parametrize("steps", range(6))
def test_a_build_that_ends_early_is_finished_by_the_next(
    tmp_path: Path, steps: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    old = {"a.sql": "1", "b.sql": "2", "gone.sql": "3"}
    new = {"a.sql": "4", "b.sql": "5", "c.sql": "6"}
    write_files(tmp_path, old)
    made = []

    def stop(real: str, *arguments: object) -> None:
        if len(made) == steps:
            raise KeyboardInterrupt
        made.append(real)
        originals[real](*arguments)

    originals = {name: getattr(pipeline_files, name) for name in ("_replace", "_remove")}
    with monkeypatch.context() as patched:
        for name in originals:
            patched.setattr(pipeline_files, name, lambda *arguments, name=name: stop(name, *arguments))
        if steps < 6:
            with pytest.raises(KeyboardInterrupt):
                write_files(tmp_path, new)
    write_files(tmp_path, new)
    found = _texts(tmp_path)
    assert set(json.loads(found.pop(MANIFEST))["files"]) == set(new)
    assert found == new


def test_a_damaged_manifest_changes_nothing(tmp_path: Path) -> None:
    write_files(tmp_path, {"a.sql": "1"})
    write(tmp_path, MANIFEST, "{")
    with pytest.raises(ProjectError, match="is damaged"):
        write_files(tmp_path, {"a.sql": "2"})
    assert (tmp_path / "a.sql").read_text() == "1"


def test_a_link_that_leads_out_is_refused(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    folder = tmp_path / "pipeline"
    folder.mkdir()
    (folder / "transformations").symlink_to(outside)
    with pytest.raises(ProjectError, match="is outside of the folder"):
        write_files(folder, {"transformations/a.sql": "1"})
    assert list(outside.iterdir()) == []


# --- plans ---

OF_PIPELINES = """\
from tableapi import materialized_view, view
from tableapi.expressions import col


@materialized_view("totals")
def totals(te):
    return te.from_path("orders").group_by(col("customer")).select(col("customer"), col("amount").sum.alias("total"))
"""
READER = """

@view("rich")
def rich(te):
    return totals(te).filter(col("total") > 100)
"""


def test_a_plan_leaves_materialized_views_to_pipelines(project: Path) -> None:
    write(project, "views/totals.py", OF_PIPELINES)
    found = plan(project)
    assert found.of_pipelines == {"sales.totals": "materialized view"}
    assert [step.name for step in found.steps] == ["sales.large", "sales.by_customer", "sales.late"]


def test_a_plan_says_which_run_is_missing(project: Path) -> None:
    write(project, "views/totals.py", OF_PIPELINES + READER)
    with pytest.raises(ProjectError, match=r"A run of the pipeline makes sales\.totals: run it first"):
        plan(project)
    write(project, "target/sales/tables/totals.sql", "CREATE TABLE totals (customer STRING, total DECIMAL(20, 2));\n")
    found = plan(project)
    assert "sales.rich" in [step.name for step in found.steps]
    said = "sales.totals is a materialized view, which only a pipeline makes: left alone."
    assert said in plan_text(found)
    assert said in found._repr_html_()


def test_a_change_since_a_revision_reads_materialized_views(project: Path, tmp_path: Path) -> None:
    write(project, "views/totals.py", OF_PIPELINES + READER)
    new = tmp_path / "new"
    shutil.copytree(project, new, ignore=shutil.ignore_patterns("new"))
    replace(new, "views/totals.py", 'col("total") > 100', 'col("total") > 200')
    found = rehearse(project, new)
    assert [step.name for step in found.steps] == ["sales.rich"]
    assert found.of_pipelines == {"sales.totals": "materialized view"}


def test_a_deployed_view_that_becomes_materialized_is_dropped(project: Path) -> None:
    first = planner(project)
    apply_plan(first.plan(), first, first.deployment)
    replace(project, "views/orders.py", "import view", "import materialized_view, view")
    replace(project, "views/orders.py", '@view("by_customer")', '@materialized_view("by_customer")')
    (step,) = plan(project).steps
    assert (step.name, step.action) == ("sales.by_customer", Action.DROP)
    assert "It is a materialized view of the project now" in step.words[0]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """The folder of a project of three views."""
    return write_project(tmp_path)


@pytest.mark.parametrize(
    "query", ["SELECT `a`,\n    'x'\nFROM `t`", "SELECT `a\nb`\nFROM `t`", "SELECT 'it''s\nso'\nFROM t"]
)
def test_a_python_file_keeps_line_breaks_in_names_and_strings(query: str) -> None:
    dataset = PythonDataset(ViewKind.TEMPORARY, ("v",), query, "views/v.py", False, ResolvedSchema(()))
    tree = ast.parse(write_python([dataset], "."))
    [text] = [
        node.args[0].value
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
        and ast.unparse(node.func) == "spark.sql"
        and isinstance(node.args[0], ast.Constant)
    ]
    assert isinstance(text, str)
    quotes = r"`[^`]*`|'(?:''|[^'])*'"
    assert re.findall(quotes, text) == re.findall(quotes, query)
    assert text.split() == query.split()
