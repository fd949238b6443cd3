"""Functions on a standalone Spark master and two workers, whose Python only has pyspark and pyarrow.

There, functions of pandas are rejected before any job runs. They are also run in another Python that has pandas.

The workers' environment consists of links to the packages of the Python that runs the tests, so nothing is installed
for it.
"""

from __future__ import annotations

import json
import os
import platform
import socket
import subprocess
import sys
import time
import venv
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from typing import Any

import pyarrow
import pytest

from tests.class_archive import ARCHIVE, archive_options
from tests.conftest import WITHOUT_CODE

pytestmark = [pytest.mark.long, pytest.mark.nightly]

ROOT = Path(__file__).parents[2]
PACKAGES = ("pyspark", "py4j", "pyarrow")
PANDAS = ("pandas", "numpy", "python-dateutil", "six", "pytz", "tzdata")


def environment_of(directory: Path, names: tuple[str, ...]) -> Path:
    """Create an environment with only some packages, and return its Python."""
    venv.EnvBuilder(symlinks=True).create(directory)
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    packages = directory / "lib" / version / "site-packages"
    for name in names:
        try:
            made = distribution(name)
        except PackageNotFoundError:
            # Not every version of pandas needs all of them.
            continue
        for top in {Path(file).parts[0] for file in made.files or () if not str(file).startswith("..")}:
            target = Path(str(made.locate_file(top)))
            if top != "__pycache__" and not (packages / top).exists() and target.exists():
                (packages / top).symlink_to(target)
    return directory / "bin" / "python"


def free_port() -> int:
    """Return a free port."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def outside(**further: str) -> dict[str, str]:
    """Return the environment variables of a process that knows nothing of this project."""
    from tableapi.spark.java import find_java

    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "PYSPARK", "SPARK"))}
    # A dozen JVMs run for some seconds each, too short to profit from compilation, of Java or of queries.
    options = " ".join(["-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", *WITHOUT_CODE, *archive_options(ARCHIVE)])
    found = {"JAVA_HOME": str(find_java().home), "JAVA_TOOL_OPTIONS": options, "SPARK_LOCAL_IP": "127.0.0.1"}
    return {**kept, **found, **further}


@pytest.fixture(scope="module")
def cluster(jvm: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Path, Path]]:
    """A master and two workers with one core each on the loopback, the workers' Python, and a Python with pandas."""
    import pyspark

    directory = tmp_path_factory.mktemp("cluster")
    python = environment_of(directory / "python", PACKAGES)
    with_pandas = environment_of(directory / "pandas", (*PACKAGES, *PANDAS))
    spark_class = str(Path(pyspark.__file__).parent / "bin" / "spark-class")
    port = free_port()
    master = f"spark://127.0.0.1:{port}"
    deploy = "org.apache.spark.deploy"
    commands = [[spark_class, f"{deploy}.master.Master", "--host", "127.0.0.1", "--port", str(port)]]
    for number in range(2):
        work = str(directory / f"work{number}")
        commands.append([spark_class, f"{deploy}.worker.Worker", master, "--host", "127.0.0.1", "--work-dir", work])
        commands[-1] += ["--cores", "1", "--memory", "700m"]
    started = []
    try:
        for number, command in enumerate(commands):
            log = (directory / f"log{number}").open("w")
            environment = outside(SPARK_DAEMON_MEMORY="256m")
            process = subprocess.Popen(
                [*command, "--webui-port", "0"], stdout=log, stderr=subprocess.STDOUT, env=environment, cwd=directory
            )
            started.append(process)
        wait_for("Registering worker", directory / "log0", 2)
        yield master, python, with_pandas
    finally:
        for process in started:
            process.terminate()
        for process in started:
            process.wait(30)


def wait_for(text: str, log: Path, times: int) -> None:
    """Wait until a log contains a text ``times`` times."""
    until = time.monotonic() + 600
    while log.read_text().count(text) < times:
        assert time.monotonic() < until, log.read_text()[-3000:]
        time.sleep(0.2)


def run(master: str, mode: str, python: Path, with_pandas: Path, home: Path) -> dict[str, Any]:
    """Return the output of a separate driver."""
    command = [sys.executable, "-m", "tests.user_functions.on_a_cluster", master, mode, str(with_pandas)]
    environment = outside(TABLEAPI_HOME=str(home), PYTHONPATH=str(ROOT), PYSPARK_PYTHON=str(python))
    done = subprocess.run(command, capture_output=True, text=True, env=environment, cwd=home, timeout=900)
    assert done.returncode == 0, done.stderr[-4000:]
    found: dict[str, Any] = json.loads(done.stdout.strip().splitlines()[-1])
    return found


@pytest.mark.parametrize("mode", ["classic", "connect"])
def test_every_kind_runs_where_its_code_is_unknown(cluster: tuple[str, Path, Path], mode: str, tmp_path: Path) -> None:
    if mode == "connect":
        pytest.importorskip("grpc", reason="needs the extra 'connect'")
    master, python, with_pandas = cluster
    found = run(master, mode, python, with_pandas, tmp_path)
    missing = found.pop("missing")
    assert found.pop("failures") == {}
    # For odd and even numbers: their sums, running sums, means and running means.
    of_windows = {
        1: [16, 1, 4.0, 1.0],
        2: [20, 2, 5.0, 2.0],
        3: [16, 4, 4.0, 2.0],
        4: [20, 6, 5.0, 3.0],
        5: [16, 9, 4.0, 3.0],
        6: [20, 12, 5.0, 4.0],
        7: [16, 16, 4.0, 4.0],
        8: [20, 20, 5.0, 5.0],
    }
    assert found == {
        "where": [f"{python} []"],
        "scalar": sorted([[i + 10, 4 if i % 2 else -1] for i in range(1, 9)], key=repr),
        "opened": [["good day a bb"]],
        "nested": 8,
        "table": [[i, word] for i in (1, 3, 5, 7) for word in ("a", "bb")],
        "aggregate": [[0, 20, 5.0], [1, 16, 4.0]],
        "accumulators": [["0/0"], ["16/4"]],
        "extremes": [[["greatest", 7], ["greatest", 8], ["least", 1], ["least", 2]]] * 2,
        "over": [[i, *of_windows[i]] for i in range(1, 9)],
        "pandas": {
            "scalar": sorted([[2 * i] for i in range(1, 9)], key=repr),
            "aggregate": [[0, 8.0], [1, 7.0]],
            "over": [[i, 8.0 - i % 2, float(i)] for i in range(1, 9)],
            # Beside other functions, it receives Arrow columns.
            "over both": [[i, 8.0 - i % 2, float(i), *of_windows[i][:2]] for i in range(1, 9)],
        }
        if mode == "classic"
        else {},
        "table aggregate": [[0, 6], [0, 8], [1, 5], [1, 7]],
        "process": sorted(
            [
                [i % 2, what, (i + 1) // 2, i, "a bb" if i % 2 else None]
                for i in range(1, 9)
                for what in ("silence", "end")[: 1 + (i > 6)]
            ],
            key=repr,
        ),
        "process of objects": [["Parted 1: Part Part a bb"], ["Parted 2: Part Part None"]],
        "process of two tables": [[0, 0, 2, 2], [1, 1, 1, 1], [1, 1, 1, 3], [1, 1, 3, 1], [1, 1, 3, 3]],
        "of expressions": sorted([[2 * (i + 1)] for i in range(1, 9)], key=repr),
    }
    versions = f"Python {platform.python_version()}, pyarrow {pyarrow.__version__}"
    names = {"pandas_twice": "pandas", "highest": "pandas", "attributes_of": "attrs"}
    assert set(missing) == {"scalar", "aggregate", "over", "over both", "attributes_of"}
    for error in missing.values():
        name = error.split()[2]
        assert error == (
            f"The function {name} needs the module {names[name]}, which Spark's workers lack ({versions}). Install it "
            "there, or send it along with addArtifacts or addPyFile."
        )
