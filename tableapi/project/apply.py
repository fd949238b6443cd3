"""Carry a plan out: in order, in place, and so that a run which was ended anywhere can be repeated."""

from __future__ import annotations

import uuid
from collections.abc import Callable

import attrs

from ir.errors import CatalogException, DatabaseNotExistException, TableException, TableNotExistException
from ir.identifiers import fold_path, path_text
from ir.operations.source import Source
from ir.rewriting import sources_of
from tableapi.environment.table_environment import parts_of
from tableapi.project.configuration import ProjectError
from tableapi.project.deployment import Deployment
from tableapi.project.journal import FAILED, OF_FUNCTION, Entry, Journal, current_user, now
from tableapi.project.permissions import advise_writer, is_refusal
from tableapi.project.plan import Planner
from tableapi.project.steps import Action, Kind, Plan, Step, WantedFunction, WantedView

Progress = Callable[[int, int, Step], None]


def apply_plan(
    plan: Plan, planner: Planner, deployment: Deployment, *, revision: str = "", progress: Progress | None = None
) -> int:
    """Carry out the steps of a plan, and return how many were made.

    Each step is one change of one view, so that the catalog is in a sound state after each. If a step fails, those
    before it remain, and a new plan has the rest.

    Args:
        plan: the plan.
        planner: what made the plan.
        deployment: the target.
        revision: the revision of the project, for the journal.
        progress: is called before each step with its number, the number of steps, and the step.

    Raises:
        ProjectError: a view of the plan is no longer as the plan saw it, or a table is gone, in which case nothing is
            changed; or a step fails, with what was done before.
    """
    _require_same_state(plan, deployment)
    _require_writable(plan, deployment)
    _make_databases(plan, deployment)
    journal, identifier, user = Journal(deployment), uuid.uuid4().hex[:12], current_user()
    for number, step in enumerate(plan.steps, 1):
        if progress is not None:
            progress(number, len(plan.steps), step)
        entry = Entry(
            identifier,
            now(),
            user,
            plan.project,
            plan.environment or "",
            revision,
            step.action.value + (OF_FUNCTION if step.kind is Kind.FUNCTION else ""),
            path_text(step.identifier.parts),
            "\n".join(step.words),
            step.before,
            step.after,
            "" if step.found is None else step.found.restorable.to_json(),
        )
        # Before the change: a process that is killed leaves an entry without a change rather than a change without an
        # entry, which no rollback would find.
        journal.add(entry)
        try:
            _make(step, planner, deployment)
        except TableException as error:
            journal.add(attrs.evolve(entry, at=now(), action=FAILED, words=str(error)))
            advice = advise_writer(error, str(step.identifier.database))
            raise ProjectError(
                f"The step {step.action.value} {step.name} fails: {error}\n{_done_before(number, plan)}{advice} After "
                "the cause is mended, plan and apply again: the rest will be done."
            ) from error
    return len(plan.steps)


def _done_before(number: int, plan: Plan) -> str:
    """Return a sentence with the number of steps that were completed before a step failed."""
    if number == 1:
        return "Nothing was changed."
    steps = "step was" if number == 2 else "steps were"
    return f"{number - 1} of {len(plan.steps)} {steps} made before it, and stay{'s' if number == 2 else ''}."


def _require_writable(plan: Plan, deployment: Deployment) -> None:
    """Refuse a plan whose changes are known to be forbidden."""
    for database in sorted({str(step.identifier.database) for step in plan.steps}):
        try:
            deployment.catalog.require_writable(database)
        except CatalogException as error:
            raise ProjectError(
                f"The target {plan.target} cannot be changed: {error} Nothing was changed."
                f"{advise_writer(error, database)}"
            ) from error


def _make_databases(plan: Plan, deployment: Deployment) -> None:
    """Make the databases that the steps need and the target lacks, before the first step."""
    for database in sorted({str(step.identifier.database) for step in plan.steps if step.wanted is not None}):
        if deployment.catalog.database_exists(database):
            continue
        try:
            deployment.catalog.create_database(database, if_not_exists=True)
        except TableException as error:
            advice = " Ask for the permission to make databases, or have it made." if is_refusal(error) else ""
            raise ProjectError(
                f"The target {plan.target} lacks the database {database}, which cannot be made: {error}\n"
                f"No view was changed.{advice}"
            ) from error


def _require_same_state(plan: Plan, deployment: Deployment) -> None:
    """Refuse a plan whose views or functions have changed at the target since it was made."""
    changed = []
    for (database, name), state in plan.seen.items():
        found = deployment.view(database, name) if deployment.catalog.database_exists(database) else None
        if state != ("" if found is None else found.state):
            changed.append(f"{database}.{name}")
    for (database, name), state in plan.seen_functions.items():
        function = deployment.function(database, name)
        if state != ("" if function is None else function.state):
            changed.append(f"{database}.{name}")
    if changed:
        raise ProjectError(
            f"The target {plan.target} is no longer as the plan saw it: {', '.join(sorted(changed))}. Nothing was "
            "changed. Plan again."
        )
    _require_tables(plan, deployment)


def _require_tables(plan: Plan, deployment: Deployment) -> None:
    """Refuse a plan whose views read a table that is no longer there."""
    made = {fold_path(step.identifier.parts) for step in plan.steps if step.wanted is not None}
    read = {
        source.identifier: step.name
        for step in plan.steps
        if isinstance(step.wanted, WantedView)
        for source in sources_of(step.wanted.operation)
        if isinstance(source, Source) and fold_path(source.identifier.parts) not in made
    }
    manager = parts_of(deployment.environment).runtime.manager
    for identifier, view in read.items():
        try:
            manager.stored(identifier)
        except (DatabaseNotExistException, TableNotExistException) as error:
            raise ProjectError(
                f"The target {plan.target} no longer has what {view} reads: {error} Nothing was changed. Plan again."
            ) from None


def _make(step: Step, planner: Planner, deployment: Deployment) -> None:
    database, name = str(step.identifier.database), step.identifier.name
    catalog, environment = deployment.catalog, deployment.environment
    path = path_text(step.identifier.parts)
    if step.action is Action.DROP:
        if step.kind is Kind.FUNCTION:
            catalog.drop_function(database, name, if_exists=True)
        else:
            environment.drop_view(path, ignore_if_not_exists=True)
        return
    wanted, is_new = step.wanted, step.action is Action.CREATE
    if isinstance(wanted, WantedFunction):
        catalog.create_function(database, name, wanted.function, or_replace=not is_new)
        return
    assert isinstance(wanted, WantedView)
    parts_of(environment).tables.create_view(
        path,
        wanted.operation,
        or_replace=not is_new,
        if_not_exists=False,
        comment=wanted.comment,
        column_comments=wanted.column_comments,
        properties={**wanted.properties, **planner.own_properties(wanted)},
        settings=wanted.settings,
        schema_mode=wanted.schema_mode,
        source=planner.source_of(wanted),
    )
