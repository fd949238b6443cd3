"""Views that read or call the changed objects of a plan, in all catalogs of the target."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Final

import attrs

from ir.errors import CatalogNotExistException, TableException
from ir.identifiers import fold_path
from ir.operations.operation import QueryOperation
from ir.operations.source import Source
from ir.rewriting import sources_of
from tableapi.project.deployment import DeployedFunction, DeployedView, Deployment
from tableapi.project.function_plan import functions_through, names_called, names_in, references_of
from tableapi.project.objects import Key, key_of
from tableapi.project.readers import Effect, Future, Reader, columns_read
from tableapi.project.steps import Action, Safety, Step, WantedView

Path = tuple[str, ...]

_NO_VIEWS: Final = "MISSING_CATALOG_ABILITY"


def table_paths(operation: QueryOperation) -> set[Path]:
    """Return the folded full names of the tables and views that a query reads."""
    return {fold_path(source.identifier.parts) for source in sources_of(operation) if isinstance(source, Source)}


@attrs.frozen
class OtherViews:
    """The views of a target beside those of the catalog to which a project is deployed.

    Attributes:
        views: the views of the other catalogs of the project file.
        not_read: the views and catalogs that are not read, with the reason.
    """

    views: tuple[DeployedView, ...] = ()
    not_read: Mapping[str, str] = attrs.field(factory=dict)


def read_other_views(deployment: Deployment, deployed: Iterable[DeployedView]) -> OtherViews:
    """Return the views of the other catalogs, and what is not read of these and of the deployed views."""
    views: list[DeployedView] = []
    not_read = {
        f"the catalog {name}": f"tableapi.toml does not name it; [catalogs.{name}] has its views read"
        for name in deployment.unnamed_catalogs()
    }
    for catalog in deployment.configuration.catalogs:
        try:
            deployment.environment.get_catalog(catalog).require_views()
            views += deployment.views_of(catalog).values()
        except CatalogNotExistException:
            # A view that reads its tables is refused, with the reason; there is nothing else in it.
            continue
        except TableException as error:
            if (error.condition or "").startswith(_NO_VIEWS):
                continue
            not_read[f"the catalog {catalog}"] = str(error).partition("\n")[0]
    for view in (*deployed, *views):
        if not view.text and view.unreadable:
            not_read[view.name] = view.unreadable.partition("\n")[0]
    return OtherViews(tuple(views), not_read)


class ReaderPlanner:
    """Finds the views that read or call what the steps of a plan change, and what the change means for each.

    Args:
        project: the name of the project.
        deployed: the views of the target's catalog.
        others: the views of its other catalogs.
        wanted: the views of the project, whose own steps say what happens to them.
        future: the catalog as it will be.
    """

    def __init__(
        self,
        project: str,
        deployed: Mapping[Key, DeployedView],
        others: Sequence[DeployedView],
        wanted: Mapping[Key, WantedView],
        future: Future,
    ) -> None:
        self._project = project
        self._own = {fold_path(view.identifier.parts): key for key, view in deployed.items()}
        self._views = {fold_path(view.identifier.parts): view for view in (*deployed.values(), *others)}
        self._wanted = wanted
        self._future = future

    # --- views -------------------------------------------------------------------------------------------------------

    def with_readers(self, steps: Sequence[Step]) -> list[Step]:
        """Return changes of views, each with its readers and the safety that these leave it."""
        for step in steps:
            if step.wanted is None:
                self._future.define(step.identifier, None)
        dropped = {fold_path(step.identifier.parts) for step in steps if step.wanted is None}
        kept = {path: view for path, view in self._views.items() if path not in dropped}
        reads = {path: table_paths(view.operation) for path, view in kept.items() if view.operation is not None}
        words = {path: names_in(view.text) for path, view in kept.items() if view.operation is None}
        changed = {key_of(step.identifier) for step in steps}
        made = []
        for step in steps:
            if step.action not in (Action.REPLACE, Action.DROP):
                made.append(step)
                continue
            path = fold_path(step.identifier.parts)
            readers = [
                self._reader_of(one, step, changed) for one, read in reads.items() if path in read and one != path
            ]
            readers += self._through_broken(readers, reads)
            # Its words may name a table of another database: the reader is shown, and leaves the step as it is.
            unread = [self._reader(one, (), changed) for one, has in words.items() if path[-1] in has and one != path]
            made.append(
                attrs.evolve(step, readers=_sorted([*readers, *unread]), safety=_safety_with(step.safety, readers))
            )
        return made

    def _reader_of(self, path: Path, step: Step, changed: Collection[Key]) -> Reader:
        operation = self._views[path].operation
        assert operation is not None
        return self._reader(path, columns_read(operation, step.identifier), changed)

    def _through_broken(self, readers: Sequence[Reader], reads: Mapping[Path, set[Path]]) -> Iterator[Reader]:
        """Yield the views that can no longer be read because a reader cannot, or one that reads it."""
        if not any(reader.breaks for reader in readers):
            return
        paths = {view.name: path for path, view in self._views.items()}
        known = {paths[reader.name] for reader in readers}
        pending = [paths[reader.name] for reader in readers if reader.breaks]
        while pending:
            broken = pending.pop(0)
            for path, read in reads.items():
                if broken in read and path not in known and self._own.get(path) not in self._wanted:
                    known.add(path)
                    pending.append(path)
                    cause = self._views[broken].name
                    yield Reader(
                        self._views[path].name,
                        self._is_in_project(path),
                        (),
                        f"It can no longer be read, because {cause} cannot.",
                        breaks=True,
                        is_compatible=False,
                        through=cause,
                    )

    # --- functions ---------------------------------------------------------------------------------------------------

    def with_callers(
        self,
        steps: Sequence[Step],
        changed_views: Sequence[Step],
        functions: Mapping[Key, DeployedFunction],
    ) -> list[Step]:
        """Return changes of functions with the views that call each, directly or through other functions."""
        if not steps:
            return []
        dropped = {fold_path(step.identifier.parts) for step in changed_views if step.wanted is None}
        changed = {key_of(step.identifier) for step in changed_views}
        called = {path: names_called(view) for path, view in self._views.items() if path not in dropped}
        called_by_functions = {
            fold_path(one.identifier.parts): references_of(one.function, str(one.identifier.catalog))[1]
            for one in functions.values()
        }
        made = []
        for step in steps:
            paths = functions_through(fold_path(step.identifier.parts), called_by_functions)
            meant = paths | {path[-1:] for path in paths}
            callers = [
                self._reader(path, (), changed)
                for path, names in called.items()
                if step.found is not None and not names.isdisjoint(meant)
            ]
            safety = Safety.DESTRUCTIVE if any(caller.breaks for caller in callers) else step.safety
            made.append(attrs.evolve(step, readers=_sorted(callers), safety=safety))
        return made

    # --- parts -------------------------------------------------------------------------------------------------------

    def _reader(self, path: Path, columns: tuple[str, ...], changed: Collection[Key]) -> Reader:
        """Return the effect of a change on a view; a view that the plan deploys has its own step."""
        view, key = self._views[path], self._own.get(path)
        effect = Effect() if key in self._wanted else self._future.effect(view)
        return Reader(
            view.name,
            self._is_in_project(path),
            columns,
            effect.text,
            effect.breaks,
            key in changed,
            effect.is_compatible,
            is_readable=view.operation is not None,
        )

    def _is_in_project(self, path: Path) -> bool:
        key = self._own.get(path)
        return key is not None and (key in self._wanted or self._views[path].project == self._project)


def _safety_with(safety: Safety, readers: Iterable[Reader]) -> Safety:
    if any(reader.breaks for reader in readers):
        return Safety.DESTRUCTIVE
    is_compatible = all(reader.is_compatible for reader in readers)
    return Safety.CHANGES_READERS if safety is Safety.SAFE and not is_compatible else safety


def _sorted(readers: Iterable[Reader]) -> tuple[Reader, ...]:
    return tuple(sorted(readers, key=lambda reader: reader.name))


def drift_outside(
    project: str, views: Iterable[DeployedView], describe: Callable[[DeployedView], Sequence[str]]
) -> dict[str, tuple[str, ...]]:
    """Return the drift of other views: changes by their tables since their creation. No step of a plan changes them.

    Args:
        project: the name of the project.
        views: the views of the target.
        describe: returns what changed under a view, as sentences.
    """
    others = [view for view in views if view.project != project]
    said = {view.name: tuple(describe(view)) for view in sorted(others, key=lambda view: view.name)}
    return {name: words for name, words in said.items() if words}
