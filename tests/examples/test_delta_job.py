"""The job on Delta tables: its methods and its SQL are one tree each, and it may be killed at any statement."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from examples.delta_job.statements import FEED, FLIGHTS, steps
from tableapi import TableEnvironment
from tests.formats.with_jars import server_with_jars

ROOT = Path(__file__).resolve().parents[2]
NUMBERS = range(len(steps("/data")))


@pytest.fixture(scope="module")
def declared() -> TableEnvironment:
    """An environment that knows the tables, and has no Spark."""
    te = TableEnvironment.create()
    te.declare("airline.feed", FLIGHTS)
    te.declare("airline.flights", FLIGHTS)
    te.declare("airline.audit", {"carrier": "STRING NOT NULL", "first": "BIGINT", "now": "BIGINT"})
    te.create_temporary_view(FEED, te.from_elements([(5, "UA", 1545, "EWR", "IAH", 2, 11, "2013-01-01")], FLIGHTS))
    return te


@pytest.mark.parametrize("number", NUMBERS)
def test_methods_and_sql_are_one_tree(declared: TableEnvironment, number: int) -> None:
    step = steps("/data/airline")[number]
    built = step.build(declared)
    assert built.get_command() is declared.sql_statement(step.sql).get_command()
    if FEED not in step.sql:
        # The rows that arrived have no text.
        text = built.as_serializable_string()
        assert declared.sql_statement(text).as_serializable_string() == text


def test_the_job_has_twelve_statements_about_tables(declared: TableEnvironment) -> None:
    kinds = [type(step.build(declared).get_command()).__name__ for step in steps("/data")]
    assert kinds == [
        *("CreateTable", "MergeInto", "CreateTable", "MergeInto", "MergeInto", "MergeInto", "MergeInto"),
        *("UpdateRows", "DeleteRows", "CreateTable", "CreateTable", "MergeInto"),
    ]


# --- on Delta tables -------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module", params=["sail", "spark"])
def server(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server that has Delta tables: Sail, or Spark with the jars that DELTA_JARS names."""
    if request.param == "sail":
        yield from _sail()
        return
    with server_with_jars("delta", tmp_path_factory.mktemp("delta")) as address:
        yield address


def _sail() -> Iterator[str]:
    pytest.importorskip("pysail.spark", reason="pysail, which has Delta tables, is not installed.")
    program = (
        "from pysail.spark import SparkConnectServer\n"
        "server = SparkConnectServer(ip='127.0.0.1', port=0)\n"
        "server.start(background=True)\n"
        "print(server.listening_address[1], flush=True)\n"
        "input()\n"
    )
    setting = {"SAIL_CATALOG__LIST": '[{name="spark_catalog", type="memory", initial_database=["default"]}]'}
    setting |= {"SAIL_CATALOG__DEFAULT_CATALOG": "spark_catalog"}
    process = subprocess.Popen(
        [sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=setting
    )
    assert process.stdout is not None
    yield f"sc://127.0.0.1:{process.stdout.readline().strip()}"
    process.kill()
    process.wait()


_READER = """
import sys
from pyspark.sql import SparkSession
from tableapi import TableEnvironment

server, folder = sys.argv[1:]
te = TableEnvironment.create(spark=SparkSession.builder.remote(server).create())
for name in ("flights", "days", "audit"):
    rows = te.from_path(f"delta.`{folder}/{name}`").execute().collect()
    print(name, sorted(map(repr, map(tuple, rows))))
"""


def _rows(server: str, folder: Path) -> dict[str, str]:
    """Return the rows that the job left in its folder, by table; the catalog of a session of Sail ends with it."""
    # A session in this process might wait for the server when it ends.
    command = [sys.executable, "-c", _READER, server, str(folder)]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    return dict(line.split(" ", 1) for line in ran.stdout.splitlines())


def _job(server: str | None, folder: Path, *options: str, kill_at: int | None = None) -> int:
    """Run the job in another process, and return its exit code; kill it when it says that it begins a statement.

    Without a server, the job has one in its own process, which is killed with it.
    """
    command = [sys.executable, "-m", "examples.delta_job", "--folder", str(folder), *options]
    command += [] if server is None else ["--server", server]
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    assert process.stdout is not None
    written = []
    for line in process.stdout:
        written.append(line)
        if kill_at is not None and line.startswith(f"{kill_at + 1:>2}. "):
            process.send_signal(signal.SIGKILL)
    code = process.wait()
    assert code in (0, -signal.SIGKILL), "".join(written)
    return code


@pytest.fixture(scope="module")
def expected(server: str, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The rows of a run that nothing disturbs, by methods."""
    folder = tmp_path_factory.mktemp("undisturbed")
    assert _job(server, folder) == 0
    return _rows(server, folder)


def test_sql_leaves_the_rows_of_the_methods(server: str, expected: dict[str, str], tmp_path: Path) -> None:
    assert _job(server, tmp_path, "--sql") == 0
    assert _rows(server, tmp_path) == expected
    assert expected["flights"].count("datetime.date(2013, 1, ") == 4303


@pytest.mark.parametrize("number", NUMBERS)
def test_a_job_that_was_killed_ends_in_the_same_rows(
    server: str, expected: dict[str, str], tmp_path: Path, number: int
) -> None:
    assert _job(server, tmp_path, kill_at=number) == -signal.SIGKILL
    assert _job(server, tmp_path) == 0
    assert _rows(server, tmp_path) == expected


@pytest.mark.parametrize("number", [1, 2, 4, 8])
def test_a_job_that_was_killed_with_its_server_ends_in_the_same_rows(
    request: pytest.FixtureRequest, server: str, expected: dict[str, str], tmp_path: Path, number: int
) -> None:
    if "spark" in request.node.callspec.id.split("-"):
        pytest.skip("the server of the job is Sail")
    assert _job(None, tmp_path, kill_at=number) == -signal.SIGKILL
    assert _job(None, tmp_path) == 0
    assert _rows(server, tmp_path) == expected
