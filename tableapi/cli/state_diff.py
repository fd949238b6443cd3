"""The verb diff for whole projects: what changed in the views and functions between two states of a project."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Final

import attrs

from ir.identifiers import fold
from tableapi.cli import compiling
from tableapi.cli.output import ExitCode, Output, bullet_list, counted
from tableapi.project.comparable import KnownFunctions, comparable
from tableapi.project.configuration import ProjectError, find_project
from tableapi.project.function_plan import function_changes
from tableapi.project.project import Project, ProjectFunction, ProjectView
from tableapi.project.revisions import commit_of, files_at
from tableapi.query_diff.query_diff import diff_operations

NOW: Final = "."
"""The project as its files are now, as a side of a comparison."""
_SIGNS: Final = {"added": "+", "removed": "-", "changed": "~", "broken": "!"}
_STYLES: Final = {"added": "green", "removed": "red", "changed": "yellow", "broken": "red"}


@attrs.frozen
class ObjectDiff:
    """The change of a view or function.

    Attributes:
        name: its name with the database.
        kind: ``view``, another kind of view, or ``function``.
        change: ``added``, ``removed``, ``changed``, or ``broken`` if it cannot be built in one of the states.
        changes: what changed, as sentences.
        is_compatible: whether readers that name their columns see the same columns.
    """

    name: str
    kind: str
    change: str
    changes: tuple[str, ...] = ()
    is_compatible: bool = True


def are_states(old: str, new: str, folder: Path) -> bool:
    """Whether two sides of a comparison are states of the project: revisions of git, or ``.`` for the files.

    Raises:
        ProjectError: one of them is a state, and the other is a query.
    """
    given = {side: _is_state(side, folder) for side in (old, new)}
    if any(given.values()) and not all(given.values()):
        (state,) = [side for side, is_state in given.items() if is_state]
        (query,) = [side for side, is_state in given.items() if not is_state]
        raise ProjectError(
            f"{state!r} is a state of the whole project, and {query!r} is one query. Compare two states, such as HEAD "
            f"and {NOW}, or a query at a revision: {'HEAD' if state == NOW else state}:sales.daily."
        )
    return all(given.values())


def _is_state(given: str, folder: Path) -> bool:
    if given == NOW:
        return True
    is_query = compiling.is_text(given) or given.endswith(".sql") or given == compiling.STDIN or ":" in given
    if is_query or Path(given).is_file():
        return False
    try:
        root = find_project(folder.absolute())
        commit_of(root, given)
    except ProjectError:
        return False
    # A branch may have the name of a view.
    project = Project.load(root)
    return project.catalog.key(given) not in {project.catalog.key(one.name) for one in project.names()}


def diff_states(output: Output, old: str, new: str, folder: Path) -> ExitCode:
    """Show which views and functions changed between two states of a project, and how."""
    root = find_project(folder.absolute())
    with ExitStack() as stack:
        states = []
        for side in (old, new):
            place = root if side == NOW else stack.enter_context(files_at(root, side))
            project = Project.load(place)
            # The modules of the other state take the place of these.
            project.views()
            states.append(project)
        found = list(_compare(*states))
    for one in found:
        output.show(f"{_SIGNS[one.change]} {one.kind} {one.name}", _STYLES[one.change])
        if one.changes:
            output.show(bullet_list(list(one.changes), 4))
    shown = f"between {old} and {'the files' if new == NOW else new}"
    verb = "differs" if len(found) == 1 else "differ"
    output.show(f"{counted(len(found), 'view or function', 'views and functions')} {verb} {shown}.")
    output.document(
        differ=bool(found),
        is_compatible=all(one.is_compatible for one in found),
        changes=[f"{one.kind} {one.name}: {one.change}" for one in found],
        schema_changes=[],
        objects=[attrs.asdict(one) for one in found],
    )
    return ExitCode.FOUND if found else ExitCode.OK


def _compare(old: Project, new: Project) -> Iterator[ObjectDiff]:
    known: KnownFunctions = {}
    before, after = old.views(), new.views()
    broken = {
        one.subject: f"It cannot be built {when}: {one.message.partition(chr(10))[0]}"
        for project, when in ((old, "in the old state"), (new, "in the new state"))
        for one in project.problems
    }
    names = sorted({view.name for views in (before, after) for view in views.values()} | broken.keys())
    by_name = [{fold(view.name): view for view in views.values()} for views in (before, after)]
    for name in names:
        if name in broken:
            yield ObjectDiff(name, "view", "broken", (broken[name],), is_compatible=False)
        else:
            yield from _compare_views(by_name[0].get(fold(name)), by_name[1].get(fold(name)), known)
    functions = [{fold(one.name): one for one in project.functions()} for project in (old, new)]
    for key in sorted(functions[0].keys() | functions[1].keys()):
        yield from _compare_functions(functions[0].get(key), functions[1].get(key))


def _compare_views(old: ProjectView | None, new: ProjectView | None, known: KnownFunctions) -> Iterator[ObjectDiff]:
    if old is None or new is None:
        (one,) = [view for view in (old, new) if view is not None]
        change = "added" if old is None else "removed"
        yield ObjectDiff(one.name, one.kind.value, change, is_compatible=old is None)
        return
    changed = diff_operations(comparable(old.operation, known), comparable(new.operation, known))
    said = changed.as_text().splitlines() if changed else []
    if old.kind is not new.kind:
        said.insert(0, f"The {old.kind.value} became a {new.kind.value}.")
    if (old.view.comment or "") != (new.view.comment or ""):
        said.append(f"The comment became {new.view.comment or ''!r}; it was {old.view.comment or ''!r}.")
    if said:
        yield ObjectDiff(new.name, new.kind.value, "changed", tuple(said), changed.is_compatible)


def _compare_functions(old: ProjectFunction | None, new: ProjectFunction | None) -> Iterator[ObjectDiff]:
    if old is None or new is None:
        (one,) = [function for function in (old, new) if function is not None]
        change = "added" if old is None else "removed"
        yield ObjectDiff(one.name, "function", change, is_compatible=old is None)
        return
    said = tuple(function_changes(old.function, new.function, new.identifier))
    if said:
        yield ObjectDiff(new.name, "function", "changed", said)
