"""Functions and views that one process stores and another uses: in files, and in Spark's catalog on Derby."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tableapi import DirectoryCatalog
from tableapi.expressions import call, col
from tests.conftest import NOT_DURABLE
from tests.user_functions import across_processes as stored

pytestmark = [pytest.mark.long, pytest.mark.nightly]


ROOT = Path(__file__).parents[2]


def command(*actions: str, directory: Path) -> list[str]:
    """Return the command of a process that runs several actions."""
    return [sys.executable, "-m", "tests.user_functions.across_processes", *actions, str(directory / "team")]


@pytest.fixture(scope="module")
def read_by_another(jvm: None, tmp_path_factory: pytest.TempPathFactory) -> subprocess.CompletedProcess[str]:
    """The output of a process that registers nothing, after another one stored everything and was killed while
    rewriting.

    Two processes serve the first two tests, since starting Spark and creating a metastore take seconds.
    TABLEAPI_KILLED_WRITERS=10 kills more writers; each first checks the objects that the previous one left.
    """
    directory = tmp_path_factory.mktemp("across processes")
    errors = directory / "errors"
    # What a killed process has stored is there as far as the metastore keeps its promises.
    durable = os.environ["SPARK_SUBMIT_OPTS"].replace(NOT_DURABLE, "")
    places = {"TABLEAPI_HOME": str(directory / "home"), "PYTHONPATH": str(ROOT)}
    environment = {**os.environ, "SPARK_SUBMIT_OPTS": durable, **places}
    for turn in range(int(os.environ.get("TABLEAPI_KILLED_WRITERS", "1"))):
        writing = command(*(["write"] if turn == 0 else []), "rewrite-spark", directory=directory)
        with (
            errors.open("w") as file,
            subprocess.Popen(
                writing, stdout=subprocess.PIPE, stderr=file, text=True, env=environment, cwd=directory
            ) as writer,
        ):
            assert writer.stdout is not None
            for word in ["whole"] * (turn > 0) + ["ready"]:
                assert writer.stdout.readline() == f"{word}\n", errors.read_text()[-4000:]
            time.sleep(0.3 + turn % 20 * 0.217)
            writer.kill()
    reading = command("read", "look", directory=directory)
    return subprocess.run(reading, capture_output=True, text=True, env=environment, cwd=directory, check=False)


def test_the_second_process_uses_all_that_the_first_stored(read_by_another: subprocess.CompletedProcess[str]) -> None:
    assert read_by_another.stdout, read_by_another.stderr[-4000:]
    found = json.loads(read_by_another.stdout.splitlines()[0])
    for catalog in stored.CATALOGS:
        functions = {*stored.PYTHON, "sql_add", "sql_pairs", "full_name", "of_customers"}
        functions |= {"by", "spread"} if catalog == "team" else set()
        assert set(found.pop(f"{catalog} listed")) == functions
    expected = {key: stored.ROWS_OF[key.partition(" ")[2]] for key in found}
    assert found == expected
    assert len(found) == 2 * (len(stored.QUERIES) + 1) + len(stored.ONLY_IN_FILES) + len(stored.ONLY_IN_SPARK)


def test_a_killed_writer_leaves_everything_of_sparks_catalog_whole(
    read_by_another: subprocess.CompletedProcess[str],
) -> None:
    assert read_by_another.stdout.splitlines()[1:] == ["whole"], read_by_another.stderr[-4000:]
    assert read_by_another.returncode == 0, read_by_another.stderr[-4000:]


def test_a_killed_writer_leaves_everything_of_a_directory_whole(tmp_path: Path) -> None:
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    rewriting = command("rewrite", directory=tmp_path)
    for turn in range(int(os.environ.get("TABLEAPI_KILLED_WRITERS", "6"))):
        with subprocess.Popen(rewriting, stdout=subprocess.PIPE, text=True, env=environment, cwd=ROOT) as writer:
            assert writer.stdout is not None
            assert writer.stdout.readline() == "ready\n"
            time.sleep(0.1 + turn % 30 * 0.043)
            writer.kill()
        env = stored.environment(str(tmp_path / "team"))
        env.use_catalog("team")
        catalog = env.get_catalog("team")
        assert isinstance(catalog, DirectoryCatalog)
        assert catalog.broken_files() == {}
        assert {"by", "rows_of", "spread", "sql_add", "sql_pairs", *stored.PYTHON} == set(
            catalog.list_functions("default")
        )
        t = env.from_path("t")
        for view in (*stored.OVER_PYTHON, "py_places", "sql_view"):
            assert env.from_path(view).get_resolved_schema().names
        made = t.group_by(col("k")).select(call("spread", col("id")).alias("s"), call("by", col("k")).alias("b"))
        assert "MAX(`id`)" in made.as_serializable_string()
        rows = env.sql_query("SELECT * FROM rows_of(2)")
        assert env.sql_query(rows.as_serializable_string()).query_operation is rows.query_operation
        assert env.from_path("v").get_resolved_schema().names == ("s", "turn")
