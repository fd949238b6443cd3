"""The plan of a deployment: what would change in the catalog of a target, in words, and for whom."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from graphlib import TopologicalSorter
from typing import Final

from ir.errors import CatalogException, TableException
from ir.identifiers import ObjectIdentifier, fold, fold_path
from ir.schema import Column, ResolvedSchema
from tableapi.catalog.read_cache import cache_reads
from tableapi.catalog.source_comments import add_source_comment
from tableapi.catalog.statements import ViewDefinition, create_view, view_path
from tableapi.environment.table_environment import parts_of
from tableapi.project.comparable import KnownFunctions, comparable
from tableapi.project.configuration import ProjectError
from tableapi.project.declarations import ViewKind
from tableapi.project.deployment import (
    OWN_PROPERTIES,
    PROJECT,
    REVISION,
    TEXT,
    DeployedFunction,
    DeployedView,
    Deployment,
    fingerprint,
)
from tableapi.project.drift import describe_drift
from tableapi.project.environment_names import EnvironmentNames
from tableapi.project.function_plan import (
    FunctionPlanner,
    functions_called,
    references_of,
    with_full_names,
)
from tableapi.project.journal import Journal
from tableapi.project.objects import Key, StoredFunction, key_of
from tableapi.project.project import Project, ProjectView, broken_contract
from tableapi.project.reader_plan import ReaderPlanner, drift_outside, read_other_views, table_paths
from tableapi.project.readers import Future
from tableapi.project.steps import Action, Kind, Plan, Safety, Step, WantedFunction, WantedView
from tableapi.queries.runtime import SPARK_CATALOG
from tableapi.query_diff.changes import SchemaChange, SchemaCommentChanged
from tableapi.query_diff.query_diff import diff_operations
from tableapi.query_diff.schema_changes import compare_schemas

# What Spark stores for views itself.
_NOT_COMPARED: Final = frozenset(("transient_lastddltime", "comment"))


class Planner:
    """Compares a project with the catalog of a target.

    Args:
        project: the project, all of whose views can be built.
        deployment: the target, connected.
        environment: the environment whose databases are used; None for production.
        revision: the revision of the project in its version control, for the properties of views.
        overwrite_edited: whether views may be replaced whose text somebody changed at the target.

    Raises:
        ProjectError: the name of the environment cannot be part of the name of a database.
    """

    def __init__(
        self,
        project: Project,
        deployment: Deployment,
        environment: str | None = None,
        *,
        revision: str = "",
        overwrite_edited: bool = False,
    ) -> None:
        self.project = project
        self.deployment = deployment
        self._configuration = project.configuration
        project.configuration.database_in(environment, project.configuration.database)
        self._environment = environment
        self._revision = revision
        self._overwrite_edited = overwrite_edited
        self._names: EnvironmentNames | None = None

    def plan(self) -> Plan:
        """Return the plan.

        Raises:
            ProjectError: a view of the project cannot be built; a view at the target belongs to another project, or
                was changed there by hand; or a table has the name of a view.
        """
        self._require_sound()
        # What the target has is read once, so that one state of it is planned.
        with cache_reads():
            deployed = self.deployment.functions()
            return self.plan_of(self._wanted, self._wanted_functions(deployed), deployed)

    def plan_of(
        self,
        want: Callable[[Future], dict[Key, WantedView]],
        functions: Mapping[Key, WantedFunction],
        deployed_functions: Mapping[Key, DeployedFunction],
        gone: Mapping[Key, str] | None = None,
        functions_gone: Mapping[Key, str] | None = None,
    ) -> Plan:
        """Return the plan that brings views and functions to a wanted state.

        Args:
            want: returns the wanted views, and defines them in the catalog as it will be.
            functions: the wanted functions.
            deployed_functions: the functions of the target.
            gone: the views to drop, each with the reason; by default all others that this project
                deployed.
            functions_gone: the same of functions.

        Raises:
            ProjectError: a view or function at the target belongs to another project, or was changed there by hand; or
                a table has the name of a view.
        """
        self._require_views()
        deployed = self.deployment.views()
        future = Future(self.deployment.environment, self._configuration)
        function_steps = self._function_steps(functions, deployed_functions, functions_gone)
        for step in function_steps:
            made = step.wanted
            future.define_function(step.identifier, made.function if isinstance(made, WantedFunction) else None)
        wanted = want(future)
        self._refuse_foreign(wanted, deployed)
        steps: list[Step] = []
        unchanged: list[str] = []
        rewritten: list[str] = []
        for key, view in wanted.items():
            change = self._compare(view, deployed.get(key))
            if change is not None:
                steps.append(change)
                continue
            unchanged.append(view.name)
            if deployed[key].text != view.text:
                rewritten.append(view.name)
        steps += self._drops(self._left_over(wanted, deployed) if gone is None else gone, deployed)
        others = read_other_views(self.deployment, deployed.values())
        readers = ReaderPlanner(self._configuration.name, deployed, others.views, wanted, future)
        steps = readers.with_readers(steps)
        steps += readers.with_callers(function_steps, steps, deployed_functions)
        changed_functions = [key_of(step.identifier) for step in function_steps]
        seen = {
            key: deployed[key].state if key in deployed else ""
            for key in {*wanted, *[key_of(step.identifier) for step in steps if step.kind is Kind.VIEW]}
        }
        return Plan(
            self._configuration.name,
            self.deployment.settings.name,
            self._environment,
            tuple(_ordered(steps)),
            tuple(unchanged),
            tuple(rewritten),
            seen,
            {
                key: deployed_functions[key].state if key in deployed_functions else ""
                for key in {*functions, *changed_functions}
            },
            {view.name: view.kind.value for view in self._of_pipelines().values()},
            drift_outside(self._configuration.name, (*deployed.values(), *others.views), self._drift),
            others.not_read,
        )

    def _of_pipelines(self) -> dict[tuple[str, ...], ProjectView]:
        """Return the materialized and temporary views of the project, which a plan leaves alone."""
        views = self.project.views()
        return {key: view for key, view in sorted(views.items()) if view.kind is not ViewKind.PERSISTENT}

    # --- functions ---------------------------------------------------------------------------------------------------

    def _wanted_functions(self, deployed: Collection[Key]) -> dict[Key, WantedFunction]:
        declared, names = self.project.functions(), self._environment_names()
        known = {*deployed, *[key_of(function.identifier) for function in declared]}
        found = {}
        for one in declared:
            catalog, database = self._configuration.catalog_name, str(one.identifier.database)
            function = names.function(with_full_names(one.function, catalog, database, known))
            identifier = names.identifier(one.identifier)
            found[key_of(identifier)] = WantedFunction(identifier, function, one.file)
        return found

    def _environment_names(self) -> EnvironmentNames:
        if self._names is None:
            views = [view.identifier for view in self.project.views().values() if view.kind is ViewKind.PERSISTENT]
            functions = [function.identifier for function in self.project.functions()]
            self._names = EnvironmentNames(self._configuration, self._environment, views, functions)
        return self._names

    def _function_steps(
        self,
        wanted: Mapping[Key, WantedFunction],
        deployed: Mapping[Key, DeployedFunction],
        gone: Mapping[Key, str] | None,
    ) -> list[Step]:
        """Return the changes of functions.

        Raises:
            ProjectError: a function may not be changed.
        """
        if not wanted and not deployed:
            return []
        journal = Journal(self.deployment)
        entries = journal.entries() if journal.place else None
        planner = FunctionPlanner(
            self._configuration.name,
            self.deployment,
            entries,
            self._environment or "",
            overwrite_edited=self._overwrite_edited,
        )
        return planner.steps(wanted, deployed, gone)

    # --- the two sides -----------------------------------------------------------------------------------------------

    def _require_sound(self) -> None:
        found = [finding for finding in self.project.check() if finding.is_error]
        if found:
            lines = [textwrap.indent(f"{one.place}: {one.subject}: {one.message}", "  ") for one in found]
            raise ProjectError(
                f"The project {self._configuration.name} has {len(found)} error{'s' if len(found) > 1 else ''}; "
                "nothing is planned until `tableapi check` finds none.\n" + "\n".join(lines)
            )

    def _require_views(self) -> None:
        """Refuse a target whose catalog cannot hold views."""
        name, target = self._configuration.catalog_name, self.deployment.settings.name
        try:
            self.deployment.catalog.require_views()
        except CatalogException as error:
            advice = (
                f"Let catalog_name in tableapi.toml name a catalog with views, such as {SPARK_CATALOG}, and read the "
                f"tables of {name} as those of another catalog: [catalogs.{name}]."
            )
            if name == SPARK_CATALOG:
                advice = f"Deploy to a folder of files instead: directory = 'folder' in [targets.{target}]."
            raise ProjectError(
                f"The target {target} is no place for views: {error} Nothing was changed. {advice}"
            ) from None

    def _wanted(self, future: Future) -> dict[Key, WantedView]:
        """Return the views of the project as the target will have them, each after those that it reads.

        Raises:
            ProjectError: the target lacks a table or column that a view reads; all such views are named.
        """
        of_pipelines = self._of_pipelines()
        views = {key: view for key, view in self.project.views().items() if key not in of_pipelines}
        engine = parts_of(self.deployment.environment).runtime.target_of("SPARK")
        graph = {key: [r for r in map(_path, view.reads) if r in views] for key, view in sorted(views.items())}
        wanted: dict[Key, WantedView] = {}
        problems: list[str] = []
        with cache_reads():
            for key in TopologicalSorter(graph).static_order():
                try:
                    made = self._wanted_view(views[key], engine, future)
                except TableException as error:
                    read = [of_pipelines[one].name for one in map(_path, views[key].reads) if one in of_pipelines]
                    hint = f" A run of the pipeline makes {', '.join(read)}: run it first." if read else ""
                    problems.append(f"{views[key].name}: {error}{hint}")
                    future.define(self._environment_names().identifier(views[key].identifier), views[key].view.schema)
                else:
                    future.define(made.identifier, made.schema)
                    wanted[key_of(made.identifier)] = made
        if problems:
            raise self._make_lacking_error(problems)
        self._require_contracts(views, wanted)
        return wanted

    def _require_contracts(
        self, views: Mapping[tuple[str, ...], ProjectView], wanted: Mapping[Key, WantedView]
    ) -> None:
        """Refuse a target over whose tables a view has other columns than it declares."""
        problems = []
        for view in views.values():
            made = wanted[key_of(self._environment_names().identifier(view.identifier))]
            if view.declaration is not None:
                broken = broken_contract(view.declaration, made.schema, may_be_null=True)
                problems += [f"{view.name}: {said}" for said in broken]
        if problems:
            name = self.deployment.settings.name
            raise ProjectError(
                f"Over the tables of the target {name}, views have other columns than they declare. Nothing was "
                f"changed. `tableapi schema check {name}` shows what differs.\n{_indented(problems)}"
            )

    def _make_lacking_error(self, problems: Sequence[str]) -> ProjectError:
        settings, catalog = self.deployment.settings, self.deployment.catalog
        what = "1 view of the project reads" if len(problems) == 1 else f"{len(problems)} views of the project read"
        hint = f"`tableapi schema check {settings.name}` shows what differs."
        if settings.warehouse is not None and not any(map(catalog.list_tables, catalog.list_databases())):
            hint = (
                "Its embedded Spark has no table yet: make them with "
                f"TableEnvironment.create(warehouse={settings.warehouse.name!r}).execute_sql('CREATE TABLE …')."
            )
        return ProjectError(
            f"The target {settings.name} lacks what {what}. Nothing was changed. {hint}\n{_indented(problems)}"
        )

    def _wanted_view(self, view: ProjectView, engine: str | None, future: Future) -> WantedView:
        operation = self._environment_names().query(view.operation)
        text = self.deployment.catalog.view_text(operation, self._configuration.catalog_name, engine)
        # Tables at the target may have other types than the project knows: Spark reads files as nullable.
        there = future.read(text)
        comments = [column.comment for column in view.view.schema.columns]
        columns = [c.evolve(comment=comment) for c, comment in zip(there.schema.columns, comments, strict=True)]
        return WantedView(
            self._environment_names().identifier(view.identifier),
            there,
            text,
            ResolvedSchema(tuple(columns)),
            view.view.comment,
            dict(view.view.properties),
            f"{view.file}:{view.line}" if view.line else view.file,
            self._revision,
            dict(view.view.settings),
            view.view.schema_mode,
        )

    def _refuse_foreign(self, wanted: Mapping[Key, WantedView], deployed: Mapping[Key, DeployedView]) -> None:
        problems = []
        catalog = self.deployment.catalog
        for key, view in wanted.items():
            found = deployed.get(key)
            if found is None:
                database = str(view.identifier.database)
                if catalog.database_exists(database) and key[1] in map(fold, catalog.list_tables(database)):
                    problems.append(f"{view.name} is a table at the target; a view cannot take its place.")
                continue
            if found.project is not None and found.project != self._configuration.name:
                problems.append(
                    f"{view.name} was deployed by the project {found.project}. Two projects cannot have one view: "
                    "remove it from one of them."
                )
            elif found.is_edited and not self._overwrite_edited:
                problems.append(
                    f"{view.name} was changed at the target after it was deployed. Take the change over into "
                    f"{view.origin}, or overwrite it with --overwrite-edited."
                )
        if problems:
            raise ProjectError(
                f"The target {self.deployment.settings.name} has views that this project may not replace. Nothing "
                "was changed.\n" + "\n".join(f"  {problem}" for problem in problems)
            )

    # --- steps -------------------------------------------------------------------------------------------------------

    def _compare(self, wanted: WantedView, found: DeployedView | None) -> Step | None:
        if found is None:
            return self._step(
                Action.CREATE, wanted, None, Safety.SAFE, [f"The view is new: {_columns(wanted.schema)}."]
            )
        words, safety = self._query_changes(wanted, found)
        drift = self._drift(found)
        if drift:
            words, safety = [*drift, *words], max(safety, Safety.CHANGES_READERS, key=lambda one: one.rank)
        words += _described_changes(wanted, found)
        if words:
            return self._step(Action.REPLACE, wanted, found, safety, words)
        if found.project is None:
            said = ["The view is as the project wants it; the project takes it over."]
            return self._step(Action.ADOPT, wanted, found, Safety.SAFE, said)
        return None

    def _drift(self, found: DeployedView) -> list[str]:
        """Describe how a view's columns changed through its tables since it was created, in sentences."""
        if found.operation is None or found.schema is None:
            return []
        engine = parts_of(self.deployment.environment).runtime.target_of("SPARK")
        return describe_drift(found.schema, found.operation.schema, engine)

    def _query_changes(self, wanted: WantedView, found: DeployedView) -> tuple[list[str], Safety]:
        if found.operation is None:
            reason = found.unreadable.partition("\n")[0]
            return [f"The present view cannot be read, so that all may change: {reason}"], (Safety.CHANGES_READERS)
        known: KnownFunctions = {}
        old, new = comparable(found.operation, known), comparable(wanted.operation, known)
        changed = diff_operations(old, new)
        if not changed:
            # The query is the same, but a function that it calls may have another type now.
            types = _column_changes(old.schema, new.schema)
            said = [f"{c.text[:1].upper()}{c.text[1:]}." for c in types]
            return said, Safety.CHANGES_READERS if types else Safety.SAFE
        if found.text == wanted.text and not _column_changes(old.schema, new.schema):
            # What it reads has changed, and nothing of it is in the text or the columns of the view.
            return [], Safety.SAFE
        gone = found.schema is not None and any(
            c.name and wanted.schema.index_of(c.name) is None for c in found.schema.columns
        )
        safety = Safety.SAFE if changed.is_compatible else Safety.CHANGES_READERS
        if gone:
            safety = Safety.DESTRUCTIVE
        return changed.as_text().splitlines(), safety

    def _step(
        self, action: Action, wanted: WantedView, found: DeployedView | None, safety: Safety, words: Sequence[str]
    ) -> Step:
        source = self.source_of(wanted)
        definition = ViewDefinition(
            add_source_comment(wanted.text, source) if source else wanted.text,
            tuple([(column.name, column.comment) for column in wanted.schema.columns]),
            wanted.comment,
            {**wanted.properties, **self.own_properties(wanted)},
            wanted.schema_mode or None,
        )
        statement = create_view(view_path(*wanted.identifier.parts), definition, or_replace=action is not Action.CREATE)
        return Step(wanted.identifier, action, safety, tuple(words), statement, wanted, found)

    def source_of(self, wanted: WantedView) -> str:
        """Return the file and revision for the comment in a view's text; empty if the project writes no comments."""
        if not self._configuration.source_comments:
            return ""
        return f"{wanted.origin}, revision {wanted.revision}" if wanted.revision else wanted.origin

    def own_properties(self, wanted: WantedView) -> dict[str, str]:
        """Return the properties that a deployed view carries beside those of the user."""
        own = {PROJECT: self._configuration.name, TEXT: fingerprint(wanted.text)}
        return {**own, REVISION: wanted.revision} if wanted.revision else own

    def _left_over(self, wanted: Mapping[Key, WantedView], deployed: Mapping[Key, DeployedView]) -> dict[Key, str]:
        """Return the views of the project at the target that it no longer has, with the reason."""
        # Only the databases of the environment are its own; production keeps what other environments deployed.
        databases = {key[0] for key in wanted}
        ours = [key for key in deployed if key not in wanted and (key[0] in databases or self._owns(key[0]))]
        made = {key_of(view.identifier): view.kind.value for view in self._of_pipelines().values()}
        return {
            key: f"It is a {made[key]} of the project now, which a pipeline makes; a view of its name is in the way."
            if key in made
            else "The view is no longer in the project."
            for key in ours
        }

    def _drops(self, gone: Mapping[Key, str], deployed: Mapping[Key, DeployedView]) -> Iterator[Step]:
        for key, reason in gone.items():
            view = deployed.get(key)
            if view is None or view.project != self._configuration.name:
                continue
            if view.is_edited and not self._overwrite_edited:
                raise ProjectError(
                    f"{view.name} is to be dropped, and was changed at the target after it was deployed. Nothing was "
                    "changed. Drop it with --overwrite-edited."
                )
            statement = f"DROP VIEW {view_path(*view.identifier.parts)}"
            yield Step(view.identifier, Action.DROP, Safety.DESTRUCTIVE, (reason,), statement, None, view)

    def _owns(self, database: str) -> bool:
        """Whether a database is one of production, if production is deployed."""
        return self._environment is None and database in map(fold, self.project.catalog.list_databases())


def _path(identifier: ObjectIdentifier) -> tuple[str, ...]:
    return fold_path(identifier.parts)


def _indented(lines: Sequence[str]) -> str:
    return "\n".join(f"  {part}" for line in lines for part in line.splitlines())


def _columns(schema: ResolvedSchema) -> str:
    return ", ".join(f"{column.name} {column.data_type.as_summary_string()}" for column in schema.columns)


def _column_changes(old: ResolvedSchema, new: ResolvedSchema) -> list[SchemaChange]:
    """Return the changes of columns, except for those of comments."""
    return [change for change in compare_schemas(old, new, {}) if not isinstance(change, SchemaCommentChanged)]


def _described_changes(wanted: WantedView, found: DeployedView) -> list[str]:
    """Describe the changes of the comments and the properties, in sentences."""
    words = []
    if (wanted.comment or None) != (found.comment or None):
        words.append(_changed("The comment", found.comment, wanted.comment))
    old = {} if found.schema is None else {fold(c.name): c for c in found.schema.columns}
    for column in wanted.schema.columns:
        before: Column | None = old.get(fold(column.name))
        if before is not None and (before.comment or None) != (column.comment or None):
            words.append(_changed(f"The comment of the column `{column.name}`", before.comment, column.comment))
    for key in sorted({*wanted.properties, *found.user_properties} - _NOT_COMPARED - set(OWN_PROPERTIES)):
        ours, theirs = wanted.properties.get(key), found.user_properties.get(key)
        # What others set at the target stays there.
        if ours is not None and ours != theirs:
            words.append(_changed(f"The property {key!r}", theirs, ours))
    for key, value in sorted(wanted.settings.items()):
        if found.settings.get(key) != value:
            words.append(_changed(f"The setting {key}", found.settings.get(key), value))
    if wanted.schema_mode and wanted.schema_mode != found.schema_mode:
        words.append(f"What happens to its columns if a table below changes became WITH SCHEMA {wanted.schema_mode}.")
    return words


def _changed(what: str, old: str | None, new: str | None) -> str:
    if old is None:
        return f"{what} is new: {new!r}."
    return f"{what} was removed: {old!r}." if new is None else f"{what} became {new!r}; it was {old!r}."


def _ordered(steps: Sequence[Step]) -> list[Step]:
    """Return steps so that each is made after what it reads or calls; drops are last, each before what it reads."""
    made = {_place(step): step for step in steps if step.wanted is not None}
    graph = {place: sorted(_needs(step) & made.keys()) for place, step in sorted(made.items())}
    dropped = {_place(step): step for step in steps if step.wanted is None}
    dropped_graph = {place: sorted(_needs(step) & dropped.keys()) for place, step in sorted(dropped.items())}
    return [
        *[made[place] for place in TopologicalSorter(graph).static_order()],
        *[dropped[place] for place in reversed([*TopologicalSorter(dropped_graph).static_order()])],
    ]


def _needs(step: Step) -> set[_Place]:
    """Return the places of the views that a step's object reads and of the functions that it calls."""
    changed = step.wanted or step.found
    assert changed is not None
    if isinstance(changed, StoredFunction):
        tables, functions = references_of(changed.function, str(changed.identifier.catalog))
    elif changed.operation is None:
        return set()
    else:
        tables, functions = frozenset(table_paths(changed.operation)), functions_called(changed.operation)
    views = {(Kind.VIEW.value, *path) for path in tables}
    return views | {(Kind.FUNCTION.value, *path) for path in functions}


_Place = tuple[str, ...]


def _place(step: Step) -> _Place:
    return step.kind.value, *fold_path(step.identifier.parts)
