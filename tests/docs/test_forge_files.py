"""The files for the forge: workflows only run what runs here, and templates ask for what a report needs."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).parents[2]
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
TEMPLATES = {file.stem: yaml.safe_load(file.read_text()) for file in (ROOT / ".github/ISSUE_TEMPLATE").glob("*.yml")}


def commands(workflow: Path) -> list[str]:
    content: dict[str, Any] = yaml.safe_load(workflow.read_text(encoding="utf-8"))
    return [step["run"] for job in content["jobs"].values() for step in job["steps"] if "run" in step]


@pytest.mark.parametrize("workflow", WORKFLOWS, ids=lambda file: file.stem)
def test_a_workflow_runs_what_runs_here(workflow: Path) -> None:
    assert commands(workflow)
    for command in commands(workflow):
        if command != "bash .ci/run":
            assert re.fullmatch(r"make [a-z-]+", command), f"{command}: put it into the Makefile or into .ci/run"
            subprocess.run([*command.split(), "--dry-run"], cwd=ROOT, check=True, capture_output=True)
    text = workflow.read_text(encoding="utf-8")
    # Anything that may be written is asked for by name.
    assert "permissions:\n  contents: read\n" in text
    assert "secrets." not in text


def test_the_checks_run() -> None:
    assert "bash .ci/run" in [command for workflow in WORKFLOWS for command in commands(workflow)]


def test_a_report_of_an_error_has_the_output_of_doctor() -> None:
    fields = {part["id"]: part for part in TEMPLATES["error"]["body"]}
    assert "tableapi doctor" in fields["doctor"]["attributes"]["label"]
    assert all(part["validations"]["required"] for part in fields.values())
    assert TEMPLATES["config"]["blank_issues_enabled"] is False
    assert (ROOT / "SECURITY.md").is_file()
