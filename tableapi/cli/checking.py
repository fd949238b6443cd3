"""``tableapi check``: the findings of a project.

It runs after each edit, so this module imports nothing of deployments.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import attrs

from tableapi.cli.output import ExitCode, Output, bullet_list, counted
from tableapi.project.check_memory import Checked, check_changed_views
from tableapi.project.configuration import find_project
from tableapi.project.findings import Finding
from tableapi.project.project import Project


def load(folder: Path, target: str | None = None) -> Project:
    """Return the project to which a folder belongs.

    Raises:
        ProjectError: there is no project, or the project file is invalid.
    """
    return Project.load(find_project(folder.absolute()), target)


def check(output: Output, folder: Path, target: str | None, *, every: bool = False) -> ExitCode:
    """Build the views that changed since the last check, or every one, and report the findings."""
    project = load(folder, target)
    checked = check_changed_views(project, every=every)
    findings, views = checked.findings, checked.views
    causes = [finding for finding in findings if not finding.because_of]
    for finding in causes:
        show_finding(output, finding, project.configuration.root)
    followers: dict[str, list[str]] = {}
    for finding in findings:
        if finding.because_of:
            followers.setdefault(finding.because_of, []).append(finding.subject)
    for cause, subjects in followers.items():
        output.show(f"Not built because of {cause}", "bold")
        output.show(bullet_list([", ".join(subjects)]))
    if findings:
        followed = len(findings) - len(causes)
        after = f", and {counted(followed, 'view')} that cannot be built because of them" if followed else ""
        sound = counted(len(set(views).difference(finding.subject for finding in findings)), "view")
        output.show(f"{counted(len(causes), 'problem')}{after}; {sound} without a problem.", "red")
    else:
        of_them = f", {checked.unchanged:,} of them unchanged since the last check" if checked.unchanged else ""
        output.show(f"{counted(len(views), 'view')}: no problem found{of_them}.", "green")
    output.document(**check_fields(checked))
    return ExitCode.FOUND if any(finding.is_error for finding in findings) else ExitCode.OK


def check_fields(checked: Checked) -> dict[str, Any]:
    """Return the fields of the JSON document of ``check``."""
    return {"views": checked.views, "findings": [attrs.asdict(finding) for finding in checked.findings]}


def show_finding(output: Output, finding: Finding, root: Path) -> None:
    """Print a finding with its place, and the line of a file in Python."""
    head = f"{finding.place}: {finding.subject}" if finding.place else finding.subject
    output.show(head, "bold")
    output.show(bullet_list(finding.message.splitlines()))
    if finding.line and not finding.file.endswith(".sql"):
        source = _line_of(finding, root)
        if source:
            output.show(bullet_list(source, 4), "dim")


def _line_of(finding: Finding, root: Path) -> list[str]:
    """Return the line of a finding with a mark below its column."""
    try:
        lines = (root / finding.file).read_text("utf-8").splitlines()
    except OSError:
        return []
    if finding.line > len(lines):
        return []
    line = lines[finding.line - 1]
    return [line, " " * (finding.column - 1) + "^"] if finding.column else [line]
