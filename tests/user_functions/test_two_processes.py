"""Functions and views that one process stores, and another uses: in files and in Spark's catalog on Derby."""

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
from tests.user_functions import across_processes as stored

pytestmark = pytest.mark.long


ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where Spark's catalog is. The tests have databases of their own in it: to make a metastore takes seconds."""
    return tmp_path_factory.mktemp("home")


def run(action: str, home: Path, directory: Path) -> str:
    """Run one process to its end, and return what it printed."""
    environment = {**os.environ, "TABLEAPI_HOME": str(home), "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-m", "tests.user_functions.across_processes", action, str(directory / "team")]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, cwd=directory)
    assert done.returncode == 0, done.stderr[-4000:]
    return done.stdout


def test_the_second_process_uses_all_that_the_first_stored(home: Path, tmp_path: Path) -> None:
    run("write", home, tmp_path)
    found = json.loads(run("read", home, tmp_path))
    for catalog in stored.CATALOGS:
        functions = {*stored.PYTHON, "sql_add", "sql_pairs", "full_name", "of_customers"}
        functions |= {"by", "spread"} if catalog == "team" else set()
        assert set(found.pop(f"{catalog} listed")) == functions
    expected = {key: stored.ROWS_OF[key.partition(" ")[2]] for key in found}
    assert found == expected
    assert len(found) == 2 * (len(stored.QUERIES) + 1) + len(stored.ONLY_IN_FILES) + len(stored.ONLY_IN_SPARK)


def test_a_killed_writer_leaves_everything_of_sparks_catalog_whole(home: Path, tmp_path: Path) -> None:
    """Each writer first looks at what the one before it left. More are killed with TABLEAPI_KILLED_WRITERS=10."""
    environment = {**os.environ, "TABLEAPI_HOME": str(home), "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-m", "tests.user_functions.across_processes", "rewrite-spark", str(tmp_path / "team")]
    killed = int(os.environ.get("TABLEAPI_KILLED_WRITERS", "1"))
    for turn in range(killed + 1):
        with (
            (tmp_path / "errors").open("w") as errors,
            subprocess.Popen(
                command, stdout=subprocess.PIPE, stderr=errors, text=True, env=environment, cwd=ROOT
            ) as writer,
        ):
            assert writer.stdout is not None
            said = ["whole"] * (turn > 0) + ["ready"] * (turn < killed)
            for word in said:
                assert writer.stdout.readline() == f"{word}\n", (tmp_path / "errors").read_text()[-4000:]
            # The last one only looks.
            if turn < killed:
                time.sleep(0.3 + turn % 20 * 0.217)
            writer.kill()


def test_a_killed_writer_leaves_everything_of_a_directory_whole(tmp_path: Path) -> None:
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-m", "tests.user_functions.across_processes", "rewrite", str(tmp_path)]
    for turn in range(int(os.environ.get("TABLEAPI_KILLED_WRITERS", "6"))):
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment, cwd=ROOT) as writer:
            assert writer.stdout is not None
            assert writer.stdout.readline() == "ready\n"
            time.sleep(0.1 + turn % 30 * 0.043)
            writer.kill()
        env = stored.environment(str(tmp_path))
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
