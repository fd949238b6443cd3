"""What runs on each supported version of Spark gives the same answers, or is refused by name.

Each version has a Python environment of its own, which ``make versions`` makes (``tests.versions.sparks``).
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.versions.sparks import OTHERS, SPARKS, python_of

_ROOT = Path(__file__).parents[2]
_NO_VIEWS_OF_SAIL = (
    "CatalogException: sail.attached.totals cannot be stored: Sail keeps views, but does not tell their texts. "
    "Store the view in a directory catalog, or make it temporary with create_temporary_view(…)."
)
# Where an older Spark, or Sail, answers otherwise, by version and question.
DIFFERENT: dict[str, dict[str, str]] = {
    "3.5": {
        "process": "TableException: Process table functions need Spark 4.0; this session has Spark 3.5 and pyspark "
        "3.5, which loses the fields of dataclasses on their way to workers.",
    },
    "sail-0.7": {
        **dict.fromkeys(("create view", "replace view"), _NO_VIEWS_OF_SAIL),
        **dict.fromkeys(
            ("read view", "read replaced view"),
            "TableNotExistException: Table `sail`.`attached`.`totals` was not found.",
        ),
        "Spark reads the view": "AnalysisException: Table not found: [TABLE_OR_VIEW_NOT_FOUND] Table or view not "
        "found: totals",
        "show view": "DatabaseNotExistException: No database attached in the catalog spark_catalog.",
        "drop view": "TableNotExistException: No view sail.attached.totals.",
        "error": "SparkAnalysisException: Project: (projections: [as(divide(1, minus(n, 4)), (1 / (n - 4)))]) failed: "
        "Division by zero",
        "process": "TableException: The distribution (DISTRIBUTE BY) does not exist in Sail; the target is Sail 0.7 "
        "(from the session).",
    },
}
# Messages of Spark 3.5 have no SQLSTATE, and an older pyarrow has another object for UTC.
_LEFT_OUT = re.compile(r" SQLSTATE: \w{5}$|, tzinfo=(?:<UTC>|zoneinfo\.ZoneInfo\(key='UTC'\))")


def _answers(python: Path, home: Path, *arguments: str) -> dict[str, Any]:
    home.mkdir()
    environment = {**os.environ, "PYTHONPATH": str(_ROOT), "PYSPARK_PYTHON": str(python)}
    done = subprocess.run(
        [python, "-m", "tests.versions.attached", home, *arguments],
        cwd=_ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    answers: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return {name: _LEFT_OUT.sub("", one) if isinstance(one, str) else one for name, one in answers.items()}


@pytest.fixture(scope="module")
def newest(jvm: None, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """The answers of the newest Spark, which this environment has."""
    return _answers(Path(sys.executable), tmp_path_factory.mktemp("newest") / "home")


@pytest.mark.parametrize("version", OTHERS)
def test_answers_are_those_of_the_newest_spark(
    version: str, request: pytest.FixtureRequest, jvm: None, tmp_path: Path
) -> None:
    python = python_of(version)
    if python is None:
        pytest.skip(f"no environment for Spark {version}; make versions makes it")
    # Spark is started for it, and only if there is something to compare.
    newest: dict[str, Any] = request.getfixturevalue("newest")
    is_sail = version not in SPARKS
    answers = _answers(python, tmp_path / "home", *(["sail"] if is_sail else []))
    # Sail has the version of its client.
    assert str(answers.pop("version")).startswith("4.1." if is_sail else f"{version}.")
    expected = {**newest, **DIFFERENT.get(version, {})}
    del expected["version"]
    assert answers == expected
