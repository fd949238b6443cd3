"""The hooks for pre-commit, run by the real pre-commit: their entries, and the files that they are given.

``python -m tests.installation`` also lets pre-commit install them, which needs a network.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from pre_commit.clientlib import load_manifest

from tableapi.command_line import main

MANIFEST = Path(__file__).parents[2] / ".pre-commit-hooks.yaml"
HOOKS: dict[str, dict[str, Any]] = {hook["id"]: hook for hook in load_manifest(str(MANIFEST))}


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A repository with a new project and the hooks of the manifest, which run in the environment at hand."""
    folder = tmp_path / "shop"
    folder.mkdir()
    assert main(["init", str(folder)]) == 0
    hooks = [
        {
            **{key: HOOKS[name][key] for key in ("id", "name", "types", "files", "pass_filenames", "require_serial")},
            "entry": HOOKS[name]["entry"].replace("tableapi", f"{sys.executable} -m tableapi", 1),
            "language": "unsupported",
        }
        for name in sorted(HOOKS)
    ]
    # JSON is YAML.
    (folder / ".pre-commit-config.yaml").write_text(json.dumps({"repos": [{"repo": "local", "hooks": hooks}]}))
    subprocess.run(["git", "init", "--quiet", str(folder)], check=True)
    return folder


def run(folder: Path, *arguments: str) -> tuple[int, str]:
    subprocess.run(["git", "-C", str(folder), "add", "--all"], check=True)
    done = subprocess.run(
        [sys.executable, "-m", "pre_commit", "run", *arguments],
        cwd=folder,
        capture_output=True,
        text=True,
        env={**os.environ, "PRE_COMMIT_HOME": str(folder.parent / "home"), "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    return done.returncode, done.stdout + done.stderr


def test_manifest() -> None:
    assert sorted(HOOKS) == ["tableapi-check", "tableapi-fmt"]
    for name, hook in HOOKS.items():
        assert hook["language"] == "python"
        assert hook["entry"].startswith("tableapi ")
        assert hook["additional_dependencies"] == [".[cli]"], name


@pytest.mark.slow
def test_a_new_project_passes(repository: Path) -> None:
    code, printed = run(repository, "--all-files")
    assert code == 0, printed
    assert printed.count("Passed") == 2


@pytest.mark.slow
def test_fmt_formats_sql_files_alone(repository: Path) -> None:
    (repository / "report.sql").write_text("select  id from orders\n")
    (repository / "notes.txt").write_text("select  id\n")
    code, printed = run(repository, "tableapi-fmt", "--all-files")
    assert code == 1
    assert "files were modified by this hook" in printed
    assert (repository / "report.sql").read_text() == "SELECT id\nFROM orders\n"
    assert (repository / "notes.txt").read_text() == "select  id\n"
    assert run(repository, "tableapi-fmt", "--all-files")[0] == 0


def test_fmt_reports_what_cannot_be_read(repository: Path) -> None:
    (repository / "report.sql").write_text("select id form orders\n")
    code, printed = run(repository, "tableapi-fmt", "--all-files")
    assert code == 1
    assert "report.sql" in printed
    assert "Did you mean FROM instead of form?" in printed


def test_check_builds_all_views_for_any_change(repository: Path) -> None:
    table = repository / "catalog/sales/tables/orders.sql"
    table.write_text(table.read_text().replace("amount", "amuont"))
    code, printed = run(repository, "tableapi-check", "--all-files")
    assert code == 1
    assert "catalog/sales/views/large_orders.sql:" in printed
    assert "Did you mean 'amuont'?" in printed


def test_check_waits_for_files_of_a_project(repository: Path) -> None:
    code, printed = run(repository, "tableapi-check", "--files", ".gitignore")
    assert code == 0
    assert "no files to check" in printed
