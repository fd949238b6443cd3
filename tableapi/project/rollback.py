"""The plan that brings views and functions back to the state after an earlier deployment, from the journal."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from graphlib import TopologicalSorter

import attrs

from grammar.full_names import add_full_names
from ir.errors import SqlParserException, TableException, did_you_mean
from ir.identifiers import ObjectIdentifier, fold, parse_path
from ir.schema import ResolvedSchema
from tableapi.project.configuration import ProjectError
from tableapi.project.deployment import OWN_PROPERTIES, REVISION, FunctionState, ViewState
from tableapi.project.journal import Entry
from tableapi.project.objects import Key, key_of
from tableapi.project.plan import Planner
from tableapi.project.readers import Future
from tableapi.project.steps import Plan, WantedFunction, WantedView

_ORIGIN = "the journal"
_SHOWN = 5
"""How many deployments a message names."""


class Rollback:
    """Plans the way back to the state after a deployment.

    Only views and functions that later deployments of the same project and environment changed are part of the plan.

    Args:
        planner: the planner of the project at the target.
        entries: the journal of the target, the oldest first.
        environment: the environment whose views are brought back; None for production.
    """

    def __init__(self, planner: Planner, entries: Sequence[Entry], environment: str | None = None) -> None:
        self._planner = planner
        self._entries = [
            entry
            for entry in entries
            if entry.project == planner.project.configuration.name and entry.environment == (environment or "")
        ]

    def deployments(self) -> list[str]:
        """Return the identifiers of the deployments, the oldest first."""
        return list(dict.fromkeys(entry.deployment for entry in self._entries))

    def plan(self, deployment: str) -> Plan:
        """Return the plan that restores the state after a deployment.

        Args:
            deployment: the identifier of the deployment, or a beginning of it that no other one has.

        Raises:
            ProjectError: the journal has no such deployment or several; an entry has no recorded definition; a view was
                changed by hand at the target; or the target lacks what a restored view reads.
        """
        chosen = self._find(deployment)
        last = max(number for number, entry in enumerate(self._entries) if entry.deployment == chosen)
        later = self._entries[last + 1 :]
        views = _states_before([entry for entry in later if not entry.is_of_function])
        functions = _states_before([entry for entry in later if entry.is_of_function])
        return self._planner.plan_of(
            lambda future: self._restored(views, future),
            _functions(functions),
            self._planner.deployment.functions(),
            _gone(views),
            _gone(functions),
        )

    def _find(self, deployment: str) -> str:
        known = self.deployments()
        found = [name for name in known if name.startswith(deployment)] if deployment else []
        if deployment in known or len(found) == 1:
            return deployment if deployment in known else found[0]
        target = self._planner.deployment.settings.name
        if len(found) > 1:
            raise ProjectError(
                f"{len(found)} deployments at {target} begin with {deployment!r}: {', '.join(found)}. Give more of the "
                "identifier."
            )
        if not known:
            raise ProjectError(f"The journal of {target} has no deployment of this project in this environment.")
        raise ProjectError(
            f"The journal of {target} has no deployment {deployment!r}; the last ones are "
            f"{', '.join(known[-_SHOWN:])}." + did_you_mean(deployment, known)
        )

    def _restored(self, states: Mapping[Key, _Before], future: Future) -> dict[Key, WantedView]:
        """Return the views as they were, and define them in the catalog as it will be.

        Each is read after those that it reads, over the columns that these had then.
        """
        pending = {key: before for key, before in states.items() if before.definition}
        graph = {key: sorted(_views_read(before) & pending.keys()) for key, before in sorted(pending.items())}
        made: dict[Key, WantedView] = {}
        problems: list[str] = []
        for key in TopologicalSorter(graph).static_order():
            before = pending[key]
            try:
                made[key] = _wanted(before, future)
            except TableException as error:
                problems.append(f"{before.identifier.database}.{before.identifier.name}: {error}")
            else:
                future.define(before.identifier, made[key].schema)
        if problems:
            raise ProjectError(
                f"The target {self._planner.deployment.settings.name} no longer has what was read then. Nothing was "
                "changed.\n" + "\n".join(f"  {problem}" for problem in problems)
            )
        return made


@attrs.frozen(eq=False)
class _Before:
    """A view or function as it was before a later change; ``definition`` is empty if it did not exist."""

    identifier: ObjectIdentifier
    definition: str


def _states_before(later: Iterable[Entry]) -> dict[Key, _Before]:
    """Return the state of each view or function before the first of some changes.

    Raises:
        ProjectError: an entry has no recorded definition.
    """
    found: dict[Key, _Before] = {}
    for entry in later:
        catalog, database, name = parse_path(entry.view)
        identifier = ObjectIdentifier(name, database, catalog)
        if not entry.is_change or key_of(identifier) in found:
            continue
        if entry.before and not entry.definition:
            raise ProjectError(
                f"The entry of {entry.view} at {entry.at} was written by a version of tableapi that recorded no "
                "definitions, so that the state before it is not known. Check out the project at a revision before it, "
                "and apply that."
            )
        found[key_of(identifier)] = _Before(identifier, entry.definition)
    return found


def _gone(states: Mapping[Key, _Before]) -> dict[Key, str]:
    return {key: "It did not exist then." for key, before in states.items() if not before.definition}


def _functions(states: Mapping[Key, _Before]) -> dict[Key, WantedFunction]:
    found = {}
    for key, before in states.items():
        if before.definition:
            state, identifier = FunctionState.from_json(before.definition), before.identifier
            function = state.function(str(identifier.database), identifier.name)
            found[key] = WantedFunction(identifier, function, _ORIGIN)
    return found


def _views_read(before: _Before) -> set[Key]:
    """Return the tables and views that the text of a view names."""
    found: set[Key] = set()

    def note(name: tuple[str, ...]) -> tuple[str, ...]:
        database = name[-2] if len(name) > 1 else str(before.identifier.database)
        if len(name) < 3 or fold(name[0]) == fold(str(before.identifier.catalog)):
            found.add((fold(database), fold(name[-1])))
        return ()

    try:
        add_full_names(ViewState.from_json(before.definition).text, note, lambda name: ())
    except SqlParserException:
        # Reading the text reports it.
        return set()
    return found


def _wanted(before: _Before, future: Future) -> WantedView:
    state = ViewState.from_json(before.definition)
    operation = future.read(state.text)
    comments = {name: comment for name, comment in state.columns if comment is not None}
    columns = [column.evolve(comment=comments.get(column.name)) for column in operation.schema.columns]
    return WantedView(
        before.identifier,
        operation,
        state.text,
        ResolvedSchema(tuple(columns)),
        state.comment,
        {name: value for name, value in state.properties.items() if name not in OWN_PROPERTIES},
        _ORIGIN,
        state.properties.get(REVISION, ""),
        state.settings,
        state.schema_mode,
    )
