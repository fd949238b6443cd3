"""Run the demo with another version of Spark: ``python -m tests.versions.demo VERSION [--server VERSION]``.

The demo (``examples.nycflights``) runs in the environment of the first version: on its embedded Spark, or on a Spark
Connect server of the second. All its files are in a directory that is gone afterwards. ``make demo-versions`` installs
what the demo needs.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.versions.sparks import NEWEST, SPARKS, python_of

_ROOT = Path(__file__).parents[2]


def main() -> int:
    """Run the demo; return its exit status, 0 if a new process reads the same rows from all views."""
    versions = (*SPARKS, NEWEST)
    parser = argparse.ArgumentParser(prog="python -m tests.versions.demo", description=__doc__)
    parser.add_argument("version", choices=versions, help="the version of the module pyspark")
    parser.add_argument("--server", choices=versions, help="the version of a Spark Connect server for it")
    given = parser.parse_args()
    missing = [version for version in (given.version, given.server) if version and python_of(version) is None]
    if missing:
        parser.error(f"no environment for Spark {', '.join(missing)}; make versions makes it")
    with tempfile.TemporaryDirectory() as folder:
        if given.server is None:
            return _demo(given.version, Path(folder))
        with _server(given.server, Path(folder) / "server") as address:
            return _demo(given.version, Path(folder) / "client", "--remote", address)


def _environment(version: str, folder: Path) -> dict[str, str]:
    own = {"PYTHONPATH": str(_ROOT), "PYSPARK_PYTHON": str(python_of(version)), "TABLEAPI_HOME": str(folder)}
    return {key: value for key, value in os.environ.items() if key != "SPARK_HOME"} | own


def _demo(version: str, folder: Path, *arguments: str) -> int:
    command = [str(python_of(version)), "-m", "examples.nycflights", *arguments]
    return subprocess.run(command, cwd=_ROOT, env=_environment(version, folder), check=False).returncode


@contextmanager
def _server(version: str, folder: Path) -> Iterator[str]:
    """Start a Spark Connect server of a version, and yield its address.

    Raises:
        RuntimeError: the server does not start; it has said why.
    """
    command = [str(python_of(version)), "-m", "tests.connect_server", str(folder)]
    with subprocess.Popen(
        command, cwd=_ROOT, env=_environment(version, folder), text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as server:
        assert server.stdout is not None
        address = server.stdout.readline().strip()
        if not address:
            raise RuntimeError(f"the Spark Connect server of Spark {version} did not start")
        # The server ends with its standard input, which the end of this block closes.
        yield address


if __name__ == "__main__":
    sys.exit(main())
