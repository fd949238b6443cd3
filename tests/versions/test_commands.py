"""The commands of make that ask other versions of Spark; no test needs one."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize(
    ("command", "count"), [("test-versions", 1), ("test-versions-sample", 1), ("demo-versions", 2)], ids=str
)
def test_a_command_asks_the_versions_in_the_given_directory(command: str, count: int, tmp_path: Path) -> None:
    shown = subprocess.run(
        ["make", "--dry-run", command, f"VERSIONS={tmp_path}"], cwd=ROOT, check=True, capture_output=True, text=True
    )
    asking = [line for line in shown.stdout.splitlines() if " -m tests.versions." in line]
    assert len(asking) == count
    assert all(line.startswith(f"TABLEAPI_VERSIONS='{tmp_path}' ") for line in asking)
    assert f"{tmp_path}/4.0/bin/python" in shown.stdout


def test_a_relative_directory_is_given_by_its_absolute_path() -> None:
    shown = subprocess.run(
        ["make", "--dry-run", "test-versions", "VERSIONS=elsewhere"],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    )
    assert f"TABLEAPI_VERSIONS='{ROOT / 'elsewhere'}' " in shown.stdout
