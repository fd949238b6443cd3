"""A pipeline of 12 datasets, and of streaming tables beside them: built, checked, run, changed and run again.

Spark's server is in the JVM of the tests, so that the command starts no other one for the queries.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from ir.identifiers import ObjectIdentifier, fold_path
from ir.operations.operation import QueryOperation
from ir.operations.source import Source
from ir.rewriting import transform_operations
from tableapi import Row, TableEnvironment
from tableapi.command_line import main
from tableapi.project.project import Project
from tests.pipelines.flights import (
    FUNCTIONS,
    MATERIALIZED,
    PERSISTENT,
    ROWS,
    STREAMS,
    TABLES,
    write_code,
    write_flights,
)
from tests.pipelines.frames import MISPLACED, QUERIES
from tests.project.projects import replace, write

pytestmark = pytest.mark.long


@pytest.fixture
def catalog(spark: SparkSession) -> Iterator[TableEnvironment]:
    """An environment whose catalog has the tables of the pipeline with their rows."""
    te = TableEnvironment.create(spark=spark.newSession())
    for database in ("air", "air_reports"):
        te.execute_sql(f"CREATE DATABASE {database}")
    for name, columns in TABLES.items():
        te.execute_sql(f"CREATE TABLE air.{name} ({columns}) USING parquet")
        te.execute_sql(f"INSERT INTO air.{name} VALUES {ROWS[name]}").wait()
    yield te
    te.use_database("default")
    for database in ("air", "air_reports"):
        te.execute_sql(f"DROP DATABASE {database} CASCADE")


_STREAMED = ("air.kept_flights", "air.very_late", "air.late_days", "air.loud_flights")
"""The streaming tables, and the materialized view of one."""
_IN_PYTHON = ("air.loud", "air.totals")
"""The materialized views that call functions in Python."""
# The command of the PySpark package, which starts a JVM to parse its arguments, and what it runs, as schedulers do.
COMMAND = [str(Path(sys.executable).with_name("spark-pipelines"))]
MODULE = [sys.executable, "-W", "ignore", "-m", "pyspark.pipelines.cli"]


def _run(command: list[str], folder: Path, address: str) -> None:
    options = ["--remote", address] if command is COMMAND else []
    environment = {**os.environ, "PYSPARK_PYTHON": sys.executable, "SPARK_REMOTE": address}
    done = subprocess.run(
        [*command, *options, "run"], cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Run is COMPLETED" in done.stdout + done.stderr


def _expected(folder: Path, te: TableEnvironment) -> dict[str, Counter[str]]:
    """Return the rows of each stored view as this library computes them, from the tables alone."""
    views = Project.load(folder).views()
    names = {key: f"expected_{view.identifier.database}_{view.identifier.name}" for key, view in views.items()}

    def change(current: QueryOperation) -> QueryOperation:
        if not isinstance(current, Source):
            return current
        name = names.get(fold_path(current.identifier.parts))
        # After two runs, a streaming table has what its query gives over all rows.
        return current.evolve(identifier=current.identifier if name is None else ObjectIdentifier(name), stream=None)

    found = {}
    graph = {key: [fold_path(read.parts) for read in view.reads] for key, view in views.items()}
    for key in TopologicalSorter(graph).static_order():
        if key not in views:
            continue
        operation = transform_operations(views[key].operation, change, lambda expression: expression)
        table = te.sql_query(operation.as_serializable_string(layout="MERGED"))
        te.create_temporary_view(names[key], table)
        if views[key].kind.has_database:
            found[views[key].name] = _rows(te, names[key])
    for name in names.values():
        te.drop_temporary_view(name)
    return found


def _rows(te: TableEnvironment, name: str) -> Counter[str]:
    columns = te.from_path(name).get_schema().get_field_names()
    # Partition columns are the last ones of a table.
    table = te.sql_query(f"SELECT {', '.join(f'`{column}`' for column in sorted(columns))} FROM {name}")
    with table.execute().collect() as rows:
        return Counter(map(repr, rows))


@pytest.mark.nightly
def test_queries_that_call_python_give_the_rows_of_a_session(
    connect_address: str, catalog: TableEnvironment, tmp_path: Path
) -> None:
    project = write_flights(tmp_path)
    write_code(project, tmp_path / "output")
    environment = {**os.environ, "PYSPARK_PYTHON": sys.executable, "SPARK_REMOTE": connect_address}
    refused = {text.replace("«", ""): message for text, message in MISPLACED.items()}
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-m", "tests.pipelines.frames", str(project)],
        env=environment,
        input=json.dumps({**QUERIES, **{text: text for text in refused}}),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert {text: found[text] for text in refused} == refused
    catalog.use_database("air")
    _register_functions(project, catalog)
    expected = {}
    for name, text in QUERIES.items():
        with catalog.sql_query(text).execute().collect() as rows:
            expected[name] = sorted(map(repr, map(tuple, rows)))
    assert {name: found[name] for name in QUERIES} == expected
    assert all(expected.values())


def _register_functions(project: Path, te: TableEnvironment) -> None:
    """Register the functions in Python of a project, as its modules have them now."""
    Project.load(project)
    for name, place in FUNCTIONS.items():
        module, _, member = place.rpartition(".")
        te.drop_temporary_function(f"air.{name}")
        te.create_temporary_function(f"air.{name}", getattr(sys.modules[module], member))


@pytest.mark.nightly
def test_a_pipeline_runs_and_gives_the_rows_of_its_views(
    connect_address: str, catalog: TableEnvironment, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    project, pipeline = write_flights(tmp_path / "project"), tmp_path / "pipeline"
    write(project, "views/streams.py", STREAMS)
    write_code(project, tmp_path / "output")
    _register_functions(project, catalog)
    build = ["pipeline", "build", "-C", str(project), "--to", str(pipeline)]
    assert main(build) == 0
    assert main(["pipeline", "check", str(pipeline), "-C", str(project)]) == 0
    _run(COMMAND, pipeline, connect_address)
    first = _expected(project, catalog)
    assert first.keys() == {*MATERIALIZED, *PERSISTENT, *_STREAMED, *_IN_PYTHON}
    assert {name: _rows(catalog, name) for name in first} == first
    assert all(first.values())
    assert _written(tmp_path / "output") == first["air.loud_flights"]

    replace(project, "views/flights.py", 'col("delay") > 10', 'col("delay") > 20')
    replace(project, "views/words.py", "text.upper()", "text.upper() + '!'")
    _register_functions(project, catalog)
    catalog.execute_sql("INSERT INTO air.flights VALUES (8, DATE '2013-01-04', 'B6', 'JFK', 'BQN', 90, 1576.0)").wait()
    capsys.readouterr()
    assert main(build) == 0
    assert capsys.readouterr().out.splitlines()[0] == "~ transformations/air/late.sql"
    _run(MODULE, pipeline, connect_address)
    for name in (*MATERIALIZED, *_STREAMED, *_IN_PYTHON):
        # The session has read the files that the second run replaced.
        catalog.execute_sql(f"REFRESH TABLE {name}")
    second, stored = _expected(project, catalog), {name: _rows(catalog, name) for name in first}
    # Rows of a stream keep what the function gave when they were appended.
    del second["air.loud_flights"]
    appended = stored.pop("air.loud_flights")
    assert appended == first["air.loud_flights"] + Counter(["Row(id=8, origin='JFK!!')"])
    assert _written(tmp_path / "output") == appended
    assert stored == second
    changed = {name for name in second if second[name] != first[name]}
    assert changed >= {*MATERIALIZED, *_STREAMED, *_IN_PYTHON, "air.named", "air.known"} - {"air.loud_flights"}
    # What Spark stores beside the rows.
    described = catalog.execute_sql("DESCRIBE TABLE EXTENDED air.by_carrier").collect()
    texts = {row[0]: tuple(row[1:]) for row in described}
    assert texts["n"][1] == "late flights"
    assert "tableapi_owner=ops" in texts["Table Properties"][0]


def _written(folder: Path) -> Counter[str]:
    """Return the rows of the files of a sink, as ``_rows`` returns those of a table."""
    found: Counter[str] = Counter()
    for path in folder.glob("*.json"):
        rows = (json.loads(line) for line in path.read_text().splitlines())
        found.update(repr(Row(**{name: row[name] for name in sorted(row)})) for row in rows)
    return found
