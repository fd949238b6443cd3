"""Start another version of Spark, or another engine that understands its SQL, and ask it.

Each has a Python environment of its own, which ``make versions`` makes in ``.venv-versions``, as ``3.5``, ``4.0``,
``sail-0.7`` and so on. ``TABLEAPI_VERSIONS`` names another directory: that of ``make versions VERSIONS=DIRECTORY``.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self

from ir.targets.target import Target

REQUIREMENTS: Final = Path(__file__).with_name("requirements")
OTHERS: Final = tuple(sorted(path.stem for path in REQUIREMENTS.glob("*.txt")))
"""The versions beside the one that this environment has: of Spark as ``4.0``, of other engines as ``sail-0.7``."""
SPARKS: Final = tuple([version for version in OTHERS if "-" not in version])
"""Those of Spark."""
NEWEST: Final = "4.3"
_ROOT = Path(__file__).parents[2]
JVM: Final = (
    "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -XX:ReservedCodeCacheSize=256m -Xms512m -XX:MetaspaceSize=256m "
    "-XX:MaxJavaStackTraceDepth=64"
)
"""The options of a JVM for many small queries, as in ``tests/conftest.py``, for ``SPARK_SUBMIT_OPTS``."""


def target_of(version: str) -> Target:
    """Return the target of a version."""
    return Target.of(version if "-" in version else f"spark-{version}")


def python_of(version: str) -> Path | None:
    """Return the Python of a version; None if its environment is not installed."""
    if version == NEWEST:
        return Path(sys.executable)
    home = Path(os.environ.get("TABLEAPI_VERSIONS") or _ROOT / ".venv-versions")
    python = home / version / "bin" / "python"
    return python if python.exists() else None


class Spark:
    """A running Spark of a version, for the duration of a block.

    Raises:
        FileNotFoundError: the environment of the version is not installed.
        RuntimeError: Spark did not start, or ended while it was asked.
    """

    def __init__(self, version: str) -> None:
        python = python_of(version)
        if python is None:
            raise FileNotFoundError(f"no environment for Spark {version}; make versions makes it")
        self.version = version
        self._folder = tempfile.TemporaryDirectory()
        self._log = (Path(self._folder.name) / "log").open("w+", encoding="utf-8")
        environment = {key: value for key, value in os.environ.items() if key != "SPARK_HOME"}
        environment |= {"SPARK_SUBMIT_OPTS": JVM, "PYSPARK_PYTHON": str(python), "PYTHONPATH": str(_ROOT), "TZ": "UTC"}
        server = "sail_server" if target_of(version).engine == "sail" else "server"
        self._process = subprocess.Popen(
            [python, "-s", "-m", f"tests.versions.{server}", self._folder.name],
            cwd=self._folder.name,
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._log,
            encoding="utf-8",
        )
        self.release: str = self._read()

    def ask(self, kind: str, **given: Any) -> Any:
        """Return the answer of the server to a question."""
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps({"kind": kind, **given}) + "\n")
        self._process.stdin.flush()
        return self._read()

    def queries(self, texts: Sequence[str], rows: bool = True) -> list[dict[str, Any]]:
        """Return schema and rows of each query, or the condition that refuses it."""
        found: list[dict[str, Any]] = self.ask("queries", texts=list(texts), rows=rows)
        return found

    def _read(self) -> Any:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            self._log.seek(0)
            raise RuntimeError(f"Spark {self.version} ended:\n{self._log.read()[-4000:]}")
        return json.loads(line)["answer"]

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        try:
            self._process.wait(30)
        except subprocess.TimeoutExpired:
            self._process.kill()
        self._log.close()
        self._folder.cleanup()
