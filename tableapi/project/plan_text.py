"""Writes plans for people."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import attrs

from tableapi.project.steps import Action, Kind, Plan, Step

_SIGNS: Final = {Action.CREATE: "+", Action.REPLACE: "~", Action.ADOPT: "=", Action.DROP: "-"}


@attrs.frozen
class PlanLine:
    """Lines of the text of a plan.

    Attributes:
        text: the lines.
        role: what they are: ``head``, the safety of a step, ``words``, ``added``, ``removed``, ``same``, ``reader``,
            ``broken`` for a reader that breaks, or ``count``.
    """

    text: str
    role: str


def plan_text(plan: Plan) -> str:
    """Return a plan as text: each step with its words, the difference of its SQL, and its readers."""
    return "".join(f"{line.text}\n" for line in plan_lines(plan))


def plan_lines(plan: Plan) -> Iterator[PlanLine]:
    """Yield the lines of the text of a plan, with what they are."""
    where = plan.target if plan.environment is None else f"{plan.target}, environment {plan.environment}"
    yield PlanLine(f"Plan of {plan.project} for {where}", "head")
    for step in plan.steps:
        yield PlanLine(f"\n{_SIGNS[step.action]} {describe_step(step)}  [{step.safety.value}]", step.safety.value)
        for words in step.words:
            yield PlanLine("\n".join(f"    {line}" for line in words.splitlines()), "words")
        if step.action is Action.REPLACE:
            for line in step.sql_diff():
                role = {"+": "added", "-": "removed"}.get(line[:1], "same")
                yield PlanLine(f"      {line}", role)
        yield from _reader_lines(step)
    counts = [
        f"{sum(step.action is action for step in plan.steps)} to {action.value}"
        for action in Action
        if any(step.action is action for step in plan.steps)
    ]
    rewritten = f" ({len(plan.rewritten)} of them with another text of the same meaning)" if plan.rewritten else ""
    yield PlanLine(f"\n{', '.join(counts) or 'Nothing to do'}; {len(plan.unchanged)} unchanged{rewritten}.", "count")


def _reader_lines(step: Step) -> Iterator[PlanLine]:
    verb = "read" if step.kind is Kind.VIEW else "called"
    for reader in step.readers:
        columns = ", ".join(reader.columns) or "none of its columns"
        kind = "in the project" if reader.is_in_project else "outside the project"
        what = f"{kind}; {columns}" if step.kind is Kind.VIEW else kind
        effect = reader.effect or ("deployed with it" if reader.is_in_plan else "its columns stay the same")
        yield PlanLine(f"    {verb} by {reader.name} ({what}): {effect}", "broken" if reader.breaks else "reader")


def describe_step(step: Step) -> str:
    """Return what a step does, and to what.

    A function is named as such, because most steps are of views.
    """
    kind = " function" if step.kind is Kind.FUNCTION else ""
    return f"{step.action.value}{kind} {step.name}"
