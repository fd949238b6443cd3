"""The verbs check, plan, apply, rollback and history."""

from __future__ import annotations

import fnmatch
import re
import sys
from pathlib import Path
from typing import Any

import attrs
import typer

from tableapi.cli.checking import load
from tableapi.cli.output import ExitCode, Output, bullet_list, counted
from tableapi.project.apply import apply_plan
from tableapi.project.configuration import ProjectError, find_project
from tableapi.project.deployment import Deployment
from tableapi.project.journal import Journal, current_revision
from tableapi.project.plan import Planner
from tableapi.project.project import Project
from tableapi.project.rehearsal import rehearse_since
from tableapi.project.rollback import Rollback
from tableapi.project.steps import Plan, Safety, describe_step, plan_lines

_STYLES = {
    "head": "bold",
    Safety.SAFE.value: "green",
    Safety.CHANGES_READERS.value: "yellow",
    Safety.DESTRUCTIVE.value: "red",
    "added": "green",
    "removed": "red",
    "same": "dim",
    "broken": "red",
}


# --- plan ------------------------------------------------------------------------------------------------------------


def plan(
    output: Output,
    folder: Path,
    target: str | None,
    environment: str | None,
    *,
    since: str | None,
    shows_sql: bool,
    fail_on: str | None,
    overwrite_edited: bool,
) -> ExitCode:
    """Show the plan of a deployment, or of what changed since a revision.

    Raises:
        ProjectError: neither a target nor a revision is given, or an environment is given with a revision.
    """
    if since is not None:
        if environment is not None:
            raise ProjectError("--since compares with the project at a revision, which has no environments.")
        made = rehearse_since(find_project(folder.absolute()), since, target)
    elif target is None:
        raise ProjectError("plan takes a target of tableapi.toml, or --since with a revision, such as origin/main.")
    else:
        made, _ = _make_plan(folder, target, environment, overwrite_edited)
    if shows_sql:
        for statement in made.statements():
            output.show_sql(f"{statement};\n")
    else:
        _show_plan(output, made)
    output.document(**plan_fields(made))
    if fail_on is not None and made.steps and made.safety.rank >= Safety(fail_on.replace("-", " ")).rank:
        output.note(f"The plan has a step that is {made.safety.value}.")
        return ExitCode.FOUND
    return ExitCode.OK


def _make_plan(folder: Path, target: str, environment: str | None, overwrite_edited: bool) -> tuple[Plan, Planner]:
    planner = _planner(folder, target, environment, overwrite_edited)
    return planner.plan(), planner


def _planner(folder: Path, target: str, environment: str | None, overwrite_edited: bool) -> Planner:
    return plan_for(load(folder, target), target, environment, overwrite_edited=overwrite_edited)


def plan_for(
    project: Project, target: str, environment: str | None = None, *, overwrite_edited: bool = False
) -> Planner:
    """Return the planner of a deployment, connected to its target.

    Raises:
        ProjectError: the target cannot be reached.
        ValidationException: there is no such target.
    """
    deployment = Deployment.connect(project.configuration, target)
    revision = current_revision(project.configuration.root)
    return Planner(project, deployment, environment, revision=revision, overwrite_edited=overwrite_edited)


def _show_plan(output: Output, made: Plan) -> None:
    for line in plan_lines(made):
        output.show(line.text, _STYLES.get(line.role))


def plan_fields(made: Plan) -> dict[str, Any]:
    """Return the fields of the JSON document of a plan."""
    return {
        "project": made.project,
        "target": made.target,
        "environment": made.environment,
        "safety": made.safety.value,
        "steps": [
            {
                "action": step.action.value,
                "view": step.identifier.as_summary_string(),
                "kind": step.kind.value,
                "safety": step.safety.value,
                "words": list(step.words),
                "before": step.before,
                "after": step.after,
                "statement": step.statement,
                "origin": "" if step.wanted is None else step.wanted.origin,
                "readers": [attrs.asdict(reader) for reader in step.readers],
            }
            for step in made.steps
        ],
        "unchanged": list(made.unchanged),
        "rewritten": list(made.rewritten),
        "of_pipelines": [{"view": name, "kind": kind} for name, kind in made.of_pipelines.items()],
        "drift_outside": [{"view": name, "words": list(words)} for name, words in made.drift_outside.items()],
        "not_read": [{"name": name, "reason": reason} for name, reason in made.not_read.items()],
    }


# --- apply and history -----------------------------------------------------------------------------------------------


def apply(
    output: Output, folder: Path, target: str, environment: str | None, *, yes: bool, overwrite_edited: bool
) -> ExitCode:
    """Carry out the plan of a deployment."""
    made, planner = _make_plan(folder, target, environment, overwrite_edited)
    return _carry_out(output, made, planner, yes=yes)


def rollback(
    output: Output,
    folder: Path,
    target: str,
    deployment: str,
    environment: str | None,
    *,
    yes: bool,
    dry_run: bool,
    overwrite_edited: bool,
) -> ExitCode:
    """Bring the views of a target back to the state after a deployment."""
    planner = _planner(folder, target, environment, overwrite_edited)
    entries = Journal(planner.deployment).entries()
    made = Rollback(planner, entries, environment).plan(deployment)
    if dry_run:
        _show_plan(output, made)
        output.document(**plan_fields(made), applied=0)
        return ExitCode.OK
    return _carry_out(output, made, planner, yes=yes)


def _carry_out(output: Output, made: Plan, planner: Planner, *, yes: bool) -> ExitCode:
    """Show a plan, ask, and carry it out."""
    _show_plan(output, made)
    if made.steps and not yes and not _is_confirmed(output, made):
        output.note("Nothing was changed.")
        output.document(**plan_fields(made), applied=0)
        return ExitCode.FAILED
    show = output.progress("step")
    revision = current_revision(planner.project.configuration.root)
    count = apply_plan(
        made,
        planner,
        planner.deployment,
        revision=revision,
        progress=lambda number, total, step: show(number, total, describe_step(step)),
    )
    if count:
        output.show(f"{counted(count, 'step')} done.", "green")
    output.document(**plan_fields(made), applied=count)
    return ExitCode.OK


def _is_confirmed(output: Output, made: Plan) -> bool:
    if output.is_json or not sys.stdin.isatty():
        output.note("Without a terminal, apply changes nothing unless it is told to: --yes.")
        return False
    return typer.confirm(f"Make these {counted(len(made.steps), 'change')} at {made.target}?", err=True)


def history(output: Output, folder: Path, target: str, limit: int) -> ExitCode:
    """Show the newest entries of a target's journal."""
    project = load(folder)
    deployment = Deployment.connect(project.configuration, target)
    entries = Journal(deployment).entries()[-limit:]
    for entry, before in zip(entries, [None, *entries], strict=False):
        if before is None or before.deployment != entry.deployment:
            if before is not None:
                output.show("")
            revision = f" from {entry.revision}" if entry.revision else ""
            environment = f" to the environment {entry.environment}" if entry.environment else ""
            said = f"deployment {entry.deployment}  {_seconds(entry.at)}  {entry.by}{revision}{environment}"
            output.show(said, "bold")
        output.show(f"  {entry.action} {entry.view}")
        output.show(bullet_list(entry.words.splitlines(), 4), "dim")
    if not entries:
        output.show("Nothing has been deployed there by a project.")
    output.document(entries=[attrs.asdict(entry) for entry in entries])
    return ExitCode.OK


def _seconds(moment: str) -> str:
    """Return a time of the journal for people.

    >>> _seconds("2026-11-29T03:11:59.123456+00:00")
    '2026-11-29 03:11:59 UTC'
    """
    return re.sub(r"\.\d+", "", moment).replace("T", " ").replace("+00:00", " UTC")


def matches(name: str, patterns: list[str]) -> bool:
    """Whether a name with its database matches one of several patterns, such as ``sales.*``."""
    folded = name.lower()
    return any(
        fnmatch.fnmatchcase(folded, pattern.lower() if "." in pattern else f"*.{pattern.lower()}")
        for pattern in patterns
    )
