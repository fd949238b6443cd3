"""A target of a project: the catalog to which its views are deployed, and the environment that reads it."""

from __future__ import annotations

import hashlib
import importlib
import json
import sys
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Final

import attrs

from ir.errors import CatalogNotExistException, TableException
from ir.identifiers import ObjectIdentifier, fold, path_text
from ir.operations.operation import QueryOperation
from ir.schema import ResolvedSchema
from tableapi.catalog.catalog import Catalog, CatalogTable, CatalogView, StoredView
from tableapi.catalog.directory import DirectoryCatalog
from tableapi.catalog.functions import CatalogFunction
from tableapi.catalog.object_files import Broken, read_object, write_object
from tableapi.catalog.read_cache import cache_reads
from tableapi.catalog.source_comments import remove_source_comment
from tableapi.environment.table_environment import TableEnvironment, parts_of
from tableapi.environment_settings import EnvironmentSettings
from tableapi.lazy import lazy
from tableapi.project.configuration import Configuration, ProjectError, TargetSettings
from tableapi.project.environments import adopt_catalog, allow_packages, register_read_catalogs
from tableapi.project.objects import Named, StoredFunction
from tableapi.project.permissions import reading_target

if TYPE_CHECKING:
    from typing_extensions import Self

    from tableapi.spark import session as spark_session
else:
    spark_session = lazy(__name__, "tableapi.spark.session")

# The properties that a deployed view carries. Those whose keys begin with ``tableapi.`` belong to the catalog.
PROJECT: Final = "tableapi_project"
TEXT: Final = "tableapi_text"
REVISION: Final = "tableapi_revision"
OWN_PROPERTIES: Final = (PROJECT, TEXT, REVISION)


@attrs.frozen(eq=False)
class DeployedView(Named):
    """A view as a target has it.

    Attributes:
        identifier: its full name.
        text: the text of its query, without the comment that names its source.
        operation: the tree of its query; None if this library cannot read it.
        unreadable: why this library cannot read the text; empty if it can.
        schema: its columns with their comments; None if they are unknown.
        comment: its comment.
        properties: the properties of the user and those of a deployment.
        settings: the settings with which it is read.
        schema_mode: what happens to its columns if a table below changes; empty for the default.
    """

    text: str
    operation: QueryOperation | None
    unreadable: str
    schema: ResolvedSchema | None
    comment: str | None
    properties: Mapping[str, str]
    settings: Mapping[str, str] = attrs.field(factory=dict)
    schema_mode: str = ""

    @property
    def user_properties(self) -> dict[str, str]:
        """The properties of the user."""
        return {key: value for key, value in self.properties.items() if key not in OWN_PROPERTIES}

    @property
    def project(self) -> str | None:
        """The name of the project that deployed the view, None if none did."""
        return self.properties.get(PROJECT)

    @property
    def is_edited(self) -> bool:
        """Whether somebody changed the text after it was deployed."""
        return TEXT in self.properties and self.properties[TEXT] != fingerprint(self.text)

    @property
    def restorable(self) -> ViewState:
        """The restorable state of the view."""
        columns = () if self.schema is None else tuple([(c.name, c.comment) for c in self.schema.columns])
        return ViewState(self.text, self.comment, columns, dict(self.properties), dict(self.settings), self.schema_mode)

    @property
    def state(self) -> str:
        """A fingerprint of all that a deployment compares, to notice changes between a plan and its execution."""
        columns = [] if self.schema is None else [[repr(column), column.comment] for column in self.schema.columns]
        described = [self.text, self.comment, sorted(self.properties.items()), columns]
        return fingerprint(json.dumps([*described, sorted(self.settings.items()), self.schema_mode]))


@attrs.frozen(eq=False)
class OtherView(DeployedView):
    """A view of another catalog of a target than the one to which a project is deployed."""

    @property
    def name(self) -> str:
        """The full name: ``lake.raw.daily``."""
        return path_text(self.identifier.parts)


@attrs.frozen(eq=False)
class DeployedFunction(StoredFunction):
    """A function as a target has it."""

    @property
    def restorable(self) -> FunctionState:
        """The restorable state of the function."""
        return FunctionState(self.text, dict(self.function.settings))

    @property
    def state(self) -> str:
        """A fingerprint of all that a deployment compares."""
        return fingerprint(self.text)


@attrs.frozen
class Restorable:
    """The restorable state of an object, as one line of JSON in the journal."""

    def to_json(self) -> str:
        """Return the state as one line of JSON."""
        return json.dumps(attrs.asdict(self))

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Return the state that ``to_json`` wrote.

        Raises:
            ProjectError: the text is no such state.
        """
        try:
            return cls(**json.loads(text))
        except (ValueError, TypeError):
            raise ProjectError(f"The journal has a damaged definition: {text[:80]}") from None


def _texts(given: Mapping[str, str]) -> dict[str, str]:
    return dict(given)


@attrs.frozen
class FunctionState(Restorable):
    """The restorable state of a function: the statement that creates it, and the settings of its text."""

    statement: str
    settings: Mapping[str, str] = attrs.field(converter=_texts)

    def function(self, database: str, name: str) -> CatalogFunction:
        """Return the function.

        Raises:
            ProjectError: the statement cannot be read.
        """
        try:
            _, found = read_object(write_object(self.statement, self.settings), "functions", database, name)
        except Broken as error:
            raise ProjectError(f"The journal has a damaged definition of {database}.{name}: {error}") from None
        assert isinstance(found, CatalogFunction)
        return found


def _columns(given: Iterable[Iterable[str | None]]) -> tuple[tuple[str, str | None], ...]:
    return tuple([(str(name), comment) for name, comment in given])


@attrs.frozen
class ViewState(Restorable):
    """The restorable state of a view.

    Attributes:
        text: the text of the query.
        comment: the comment of the view.
        columns: the names of the columns with their comments.
        properties: the properties, with those of a deployment.
        settings: the settings with which the view is read; entries of older versions have none.
        schema_mode: what happens to its columns if a table below changes.
    """

    text: str
    comment: str | None
    columns: tuple[tuple[str, str | None], ...] = attrs.field(converter=_columns)
    properties: Mapping[str, str] = attrs.field(converter=_texts)
    settings: Mapping[str, str] = attrs.field(converter=_texts, factory=dict)
    schema_mode: str = ""


Deployed = DeployedView | DeployedFunction
"""What a target has."""


def fingerprint(text: str) -> str:
    """Return a short fingerprint of a text.

    >>> fingerprint("SELECT 1")
    'e004ebd5b5532a4b'
    """
    return hashlib.sha256(text.encode()).hexdigest()[:16]


class Deployment:
    """The catalog of a target, read and changed through an environment.

    Args:
        configuration: the project file.
        settings: the target.
        environment: an environment whose current catalog is that of the target.
    """

    def __init__(self, configuration: Configuration, settings: TargetSettings, environment: TableEnvironment) -> None:
        self.configuration = configuration
        self.settings = settings
        self.environment = environment
        self.stored_schemas: Mapping[tuple[str, str], ResolvedSchema] = {}
        """The columns with which views are stored, by their folded databases and names, where the catalog keeps none.

        Files of a directory catalog have the queries alone.
        """

    @classmethod
    def connect(cls, configuration: Configuration, name: str) -> Deployment:
        """Return a target, connected.

        Raises:
            ProjectError: the target cannot be reached, or the function that gives its session fails.
            ValidationException: there is no such target, or the session has settings that change the meaning of
                queries.
        """
        settings = configuration.target(name)
        builder = EnvironmentSettings.new_instance()
        if settings.engine is not None:
            builder.with_target(settings.engine)
        if settings.directory is not None:
            builder.with_built_in_catalog_name("tableapi_target")
            environment = TableEnvironment.create(builder.build())
            adopt_catalog(
                environment,
                DirectoryCatalog(configuration.catalog_name, settings.directory, configuration.database),
            )
            register_read_catalogs(environment, configuration)
        elif settings.warehouse is not None:
            # The target is read in any case. Until then, the project is built, which needs no JVM.
            spark_session.begin_embedded_session(settings.warehouse)
            environment = TableEnvironment.create(builder.build(), warehouse=settings.warehouse)
        else:
            session = _session(configuration, settings)
            environment = TableEnvironment.create(builder.build(), spark=session)
        try:
            environment.use_catalog(configuration.catalog_name)
        except CatalogNotExistException as error:
            raise ProjectError(
                f"The target {name} lacks the catalog that catalog_name in tableapi.toml names: {error}"
            ) from None
        if settings.directory is None:
            for other in configuration.catalogs:
                parts_of(environment).runtime.expect_catalog(other)
        allow_packages(environment, configuration)
        return cls(configuration, settings, environment)

    @property
    def catalog(self) -> Catalog:
        """The catalog of the target."""
        return self.environment.get_catalog(self.configuration.catalog_name)

    def views(self) -> dict[tuple[str, str], DeployedView]:
        """Return all views of the catalog, by their folded databases and names.

        A view that this library cannot read is among them, with the reason.

        Raises:
            TableException: the catalog cannot be listed.
        """
        with reading_target(self.settings.name):
            return self.views_of(self.configuration.catalog_name)

    def views_of(self, catalog: str) -> dict[tuple[str, str], DeployedView]:
        """Return all views of a catalog of the target, by their folded databases and names.

        Raises:
            TableException: the target has no such catalog, or the catalog cannot be listed.
        """
        listed, found = self.environment.get_catalog(catalog), {}
        with cache_reads():
            for database in listed.list_databases():
                for name in listed.list_views(database):
                    view = self._view(ObjectIdentifier(name, database, catalog), listed)
                    if view is not None:
                        found[fold(database), fold(name)] = view
        return found

    def unnamed_catalogs(self) -> list[str]:
        """Return the sorted names of the session's catalogs that the project file does not name."""
        if self.settings.directory is not None:
            return []
        named = set(map(fold, (self.configuration.catalog_name, *self.configuration.catalogs)))
        return [name for name in parts_of(self.environment).runtime.catalogs_of_session() if fold(name) not in named]

    def functions(self) -> dict[tuple[str, str], DeployedFunction]:
        """Return the functions of the catalog that this library can call, by their folded databases and names.

        Raises:
            TableException: the catalog cannot be listed.
        """
        found = {}
        with reading_target(self.settings.name):
            for database in self.catalog.list_databases():
                for name in self.catalog.list_functions(database):
                    function = self.function(database, name)
                    if function is not None:
                        found[fold(database), fold(name)] = function
        return found

    def function(self, database: str, name: str) -> DeployedFunction | None:
        """Return a function of the catalog; None if there is none, or one in another language."""
        if not self.catalog.database_exists(database):
            return None
        found = self.catalog.get_function(database, name)
        identifier = ObjectIdentifier(name, database, self.configuration.catalog_name)
        return None if found is None else DeployedFunction(identifier, found)

    def view(self, database: str, name: str) -> DeployedView | None:
        """Return a view of the catalog, None if there is none or a table has the name."""
        return self._view(ObjectIdentifier(name, database, self.configuration.catalog_name), self.catalog)

    def _view(self, identifier: ObjectIdentifier, catalog: Catalog) -> DeployedView | None:
        database, name = str(identifier.database), identifier.name
        kind = DeployedView if catalog is self.catalog else OtherView
        manager = parts_of(self.environment).runtime.manager
        try:
            stored: Any = manager.stored(identifier)
        except TableException as error:
            if not catalog.database_exists(database) or name not in catalog.list_views(database):
                return None
            return _make_broken_view(kind, identifier, catalog, str(error))
        if isinstance(stored, CatalogTable):
            return None
        operation, unreadable, schema = None, "", None
        if isinstance(stored, CatalogView):
            schema = stored.schema
        try:
            path = path_text(identifier.parts)
            operation = self.environment.from_view_definition(path).query_operation
            if isinstance(stored, StoredView):
                schema = manager.find(identifier).schema
        except TableException as error:
            unreadable = str(error)
        if catalog is self.catalog:
            schema = self.stored_schemas.get((fold(database), fold(name)), schema)
        return kind(
            identifier,
            remove_source_comment(stored.text),
            operation,
            unreadable,
            schema,
            stored.comment,
            dict(stored.properties),
            dict(stored.settings),
            stored.schema_mode,
        )


def _make_broken_view(
    kind: type[DeployedView], identifier: ObjectIdentifier, catalog: Catalog, reason: str
) -> DeployedView:
    """Return a view that cannot be analyzed, because what it reads is gone, or its file is corrupt."""
    try:
        stored = catalog.unanalyzed_view(str(identifier.database), identifier.name)
    except TableException:
        stored = None
    if stored is None:
        return kind(identifier, "", None, reason, None, None, {})
    return kind(
        identifier,
        remove_source_comment(stored.text),
        None,
        reason,
        None,
        stored.comment,
        dict(stored.properties),
        dict(stored.settings),
        stored.schema_mode,
    )


def _session(configuration: Configuration, settings: TargetSettings) -> Any:
    """Return the Spark session of a target.

    Raises:
        ProjectError: the function of the target cannot be called, or the server cannot be reached.
    """
    shown = f"The target {settings.name}"
    # An error that the command line prints is printed once.
    spark_session.silence_pyspark()
    if settings.remote is not None:
        try:
            return spark_session.remote_session(settings.remote)
        except TableException as error:
            raise ProjectError(f"{shown} cannot be reached at {settings.remote}: {error}") from None
    assert settings.session is not None
    module, _, function = settings.session.partition(":")
    sys.path.insert(0, str(configuration.root))
    try:
        made = getattr(importlib.import_module(module), function)()
    except Exception as error:
        raise ProjectError(
            f"{shown} has session = {settings.session!r}, which fails: {type(error).__name__}: {error}"
        ) from error
    finally:
        sys.path.remove(str(configuration.root))
    return made
