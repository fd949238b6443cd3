"""Plans of a project's changes, for tests and for the checks of a review."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ir.errors import ValidationException, did_you_mean
from tableapi.project.configuration import find_project
from tableapi.project.rehearsal import rehearse, rehearse_since
from tableapi.project.steps import Action, Plan, Safety, plan_text

__all__ = ["assert_plan", "plan_of_change", "plan_since", "plan_text"]


def plan_of_change(old: str | Path, new: str | Path, *, target: str | None = None) -> Plan:
    """Plan a change of a project for a catalog in which the old state is deployed. Nothing is run.

    The catalog has the tables whose schemas are in the project, so that a changed schema has its effects, too.

    Args:
        old: the folder of the project before the change.
        new: the folder of the project with the change.
        target: a target of both, whose version of Spark counts; None for the newest Spark.

    Raises:
        ProjectError: one of the folders is not a project, or has errors.
        ValidationException: one of the projects has no such target.
    """
    return rehearse(Path(old), Path(new), target=target)


def plan_since(revision: str, folder: str | Path = ".", *, target: str | None = None) -> Plan:
    """Plan the changes since a git revision for a catalog in which that revision is deployed.

    ``assert_plan(plan_since("origin/main"), safety="changes readers")`` fails if a view is dropped or a reader breaks.

    Args:
        revision: a commit, branch or tag, such as ``origin/main``.
        folder: the folder of the project, or one in it.
        target: a target whose version of Spark counts; None for the newest Spark.

    Raises:
        ProjectError: there is no project or no such revision, or one of the two states has errors.
        ValidationException: the project has no such target.
    """
    return rehearse_since(find_project(Path(folder).absolute()), revision, target)


def assert_plan(
    plan: Plan, steps: Mapping[str, str | tuple[str, str]] | None = None, *, safety: str | None = None
) -> None:
    """Check which views and functions a plan changes, and how grave its steps are.

    Args:
        plan: the plan.
        steps: what the plan does, by the names of views and functions with their databases: ``create``, ``replace``,
            ``adopt`` or ``drop``, or a pair of that and ``safe``, ``changes readers`` or ``destructive``. None if any
            steps will do.
        safety: the gravest that a step may be: ``safe``, ``changes readers`` or ``destructive``.

    Raises:
        AssertionError: the plan has other steps, or a graver one; the message has the plan.
        ValidationException: ``plan`` is not a plan, or an action or safety does not exist; the message has the nearest.
    """
    __tracebackhide__ = True
    if not isinstance(plan, Plan):
        raise ValidationException(
            f"assert_plan checks a plan, such as that of plan_since or plan_of_change, but was given {plan!r}."
        )
    problems = [] if steps is None else _differences(plan, steps)
    if safety is not None:
        most = _member(Safety, safety)
        problems += [
            f"{step.name} is {step.safety.value}; at most {most.value} is expected"
            for step in plan.steps
            if step.safety.rank > most.rank
        ]
    if problems:
        said = [f"  {problem}" for problem in problems]
        shown = [f"  {line}".rstrip() for line in plan_text(plan).splitlines()]
        raise AssertionError("\n".join(["The plan is not the expected one:", *said, "", *shown]))


def _differences(plan: Plan, steps: Mapping[str, str | tuple[str, str]]) -> list[str]:
    found = {step.name: step for step in plan.steps}
    problems = [f"{name} is not changed" for name in steps if name not in found]
    for name, step in found.items():
        if name not in steps:
            problems.append(f"{name} is not expected: {step.action.value}, {step.safety.value}")
            continue
        given = steps[name]
        action, safety = (given, None) if isinstance(given, str) else given
        if step.action is not _member(Action, action):
            problems.append(f"{name}: {action} is expected, but it is {step.action.value}")
        if safety is not None and step.safety is not _member(Safety, safety):
            problems.append(f"{name}: {safety} is expected, but it is {step.safety.value}")
    return problems


def _member(kind: Any, given: object) -> Any:
    accepted = {member.value: member for member in kind}
    if given not in accepted:
        raise ValidationException(
            f"{given!r} is no {kind.__name__.lower()} of a step; accepted are {', '.join(accepted)}."
            + (did_you_mean(given, accepted) if isinstance(given, str) else "")
        )
    return accepted[given]
