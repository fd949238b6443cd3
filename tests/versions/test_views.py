"""Views that are stored by one version of Spark and read by the others, in one metastore.

Each version has a Python environment of its own, which ``make versions`` makes.
"""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.versions.sparks import NEWEST, SPARKS, python_of

_ROOT = Path(__file__).parents[2]
VERSIONS = [version for version in (*SPARKS, NEWEST) if python_of(version) is not None]
# Views that an older version cannot read, because they need what it lacks, by reader and kind of view.
UNREADABLE: dict[str, frozenset[str]] = {
    "3.5": frozenset({"lists", "variant", "collated", "recursive", "buckets"}),
    "4.0": frozenset({"recursive", "buckets"}),
    "4.1": frozenset({"buckets"}),
}

pytestmark = pytest.mark.long


def _run(action: str, version: str, home: Path) -> dict[str, Any]:
    python = python_of(version)
    done = subprocess.run(
        [str(python), "-W", "ignore", "-m", "tests.versions.views", action, str(home)],
        cwd=_ROOT,
        env={**os.environ, "PYTHONPATH": str(_ROOT), "PYSPARK_PYTHON": str(python)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


def test_views_of_all_versions_are_read_by_all(jvm: None, tmp_path: Path) -> None:
    if len(VERSIONS) == 1:
        pytest.skip("no other version of Spark is installed: make versions")
    written = {version: _run("write", version, tmp_path) for version in VERSIONS}
    wrong = {}
    for reader in VERSIONS:
        read = _run("read", reader, tmp_path)
        for writer, views in written.items():
            own = {name: rows for name, rows in views.items() if isinstance(rows, list)}
            older = UNREADABLE.get(reader, frozenset()) if VERSIONS.index(reader) < VERSIONS.index(writer) else ()
            wrong |= {
                (reader, name): read.get(name)
                for name, rows in own.items()
                if read.get(name) != rows and name.split("_of_")[0] not in older
            }
    assert wrong == {}
