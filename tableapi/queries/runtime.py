"""The state of an environment: its catalogs, its configuration, and the Spark session once it runs."""

from __future__ import annotations

import functools
from _thread import RLock
from collections.abc import Iterator

from ir.errors import TableException, TableNotExistException, ValidationException
from ir.expressions import Expression, ResolvedExpression, ValueLiteral
from ir.functions.definition import FunctionDefinition
from ir.identifiers import FunctionIdentifier, ObjectIdentifier, fold, quote
from ir.light_typing import TYPE_CHECKING
from ir.operations.operation import QueryOperation
from ir.operations.source import ReadOptions, Source, StreamRead
from ir.rendering import Dialect, DialectName
from ir.resolution.lookup import FunctionLookup
from serializer import notation_of
from serializer.given_names import use_names
from tableapi.catalog.function_catalog import FunctionCatalog
from tableapi.catalog.manager import CatalogManager
from tableapi.environment_settings import LOCAL_TIME_ZONE, EnvironmentSettings, TableConfig
from tableapi.lazy import lazy

if TYPE_CHECKING:
    from pathlib import Path

    from pyspark.sql import SparkSession

    from grammar.builder.context import FindTable, ReadVersion, Variable
    from ir import engine_version, rewriting
    from ir.engine_version import EngineVersion
    from ir.resolution.commands import value_rules
    from ir.resolution.commands.value_rules import ValueRules
    from ir.resolution.lookup import FunctionLookup
    from ir.targets import lookup as targets
    from ir.targets import preparation, target
    from tableapi.catalog import catalog as catalogs
    from tableapi.catalog import in_memory, stored_programs, time_zones
    from tableapi.catalog.catalog import Catalog, CatalogView
    from tableapi.catalog.functions import CatalogFunction
    from tableapi.spark import catalog as spark_catalog
    from tableapi.spark import catalog_names, constants, needed_packages
    from tableapi.spark import execution as spark_execution
    from tableapi.spark import session as spark_session
    from tableapi.spark import settings as spark_settings
    from tableapi.spark.execution import SparkExecution
    from tableapi.spark.streaming import running as spark_running
    from tableapi.user_functions import stored as stored_functions
else:
    engine_version = lazy(__name__, "ir.engine_version")
    time_zones = lazy(__name__, "tableapi.catalog.time_zones")
    in_memory = lazy(__name__, "tableapi.catalog.in_memory")
    catalogs = lazy(__name__, "tableapi.catalog.catalog")
    rewriting = lazy(__name__, "ir.rewriting")
    value_rules = lazy(__name__, "ir.resolution.commands.value_rules")
    constants = lazy(__name__, "tableapi.spark.constants")
    spark_catalog = lazy(__name__, "tableapi.spark.catalog")
    catalog_names = lazy(__name__, "tableapi.spark.catalog_names")
    stored_programs = lazy(__name__, "tableapi.catalog.stored_programs")
    needed_packages = lazy(__name__, "tableapi.spark.needed_packages")
    preparation = lazy(__name__, "ir.targets.preparation")
    targets = lazy(__name__, "ir.targets.lookup")
    target = lazy(__name__, "ir.targets.target")
    spark_execution = lazy(__name__, "tableapi.spark.execution")
    spark_settings = lazy(__name__, "tableapi.spark.settings")
    stored_functions = lazy(__name__, "tableapi.user_functions.stored")
    spark_session = lazy(__name__, "tableapi.spark.session")
    spark_running = lazy(__name__, "tableapi.spark.streaming.running")

SPARK_CATALOG = "spark_catalog"
_DATABASE_OF_NEW_SESSIONS = "default"


class Runtime:
    """The catalogs and the session of one environment; the session starts on first use."""

    def __init__(
        self,
        settings: EnvironmentSettings,
        session: SparkSession | None,
        warehouse: Path | None,
        *,
        set_required_settings: bool = False,
    ) -> None:
        self._given_session = session
        self._sets_required_settings = set_required_settings
        # Whether the Spark session contains only objects that this environment created.
        self.settings_in_memory = settings.is_in_memory
        self.is_streaming = settings.is_streaming_mode()
        self._warehouse = warehouse
        self._starting = RLock()  # threading.RLock, without the rest of threading
        self.config = TableConfig()
        self.started: SparkExecution | None = None
        # None for the newest target, which has everything, so that nothing is checked or loaded for it.
        self.preparation: preparation.Preparation | None = None
        self._chosen_target = settings.get_target()
        if self._chosen_target is not None:
            self.preparation = preparation.Preparation.of(self._chosen_target, "with_target", self._view_behind)
        self.manager = CatalogManager()
        self.functions = FunctionCatalog(self.manager, self._load_function, self._constant)
        self.lookup: FunctionLookup = self.functions
        # The text of a stored view cannot call temporary functions.
        self.permanent_lookup = self.functions.permanent()
        catalog = settings.get_built_in_catalog_name()
        if settings.is_in_memory:
            self.manager.register(catalog, in_memory.InMemoryCatalog(catalog, settings.get_built_in_database_name()))
        if not self.manager.has_catalog(SPARK_CATALOG):
            # Tables declared under the name of Spark's own catalog let queries compile for it without Spark.
            self.manager.register(SPARK_CATALOG, self._open_spark_catalog)
        self.manager.use_catalog(catalog)
        if not settings.is_in_memory:
            self.manager.namespace.follow(self._namespace_of_session)
        if session is None:
            self.manager.unopened_database = _DATABASE_OF_NEW_SESSIONS
        if session is not None:
            # Reject a session that cannot run queries now, not when the first query runs.
            needed_packages.require_packages()
            self._attach(session)

    def attach(self, session: SparkSession) -> None:
        """Run the queries of this environment, which has run none yet, on a given session.

        Raises:
            ValidationException: the version of the session is not supported, or older than the chosen target.
        """
        with self._starting:
            assert self.started is None, "The environment has a session."
            needed_packages.require_packages()
            self._attach(session)
            self._given_session = session

    @property
    def execution(self) -> SparkExecution:
        """The execution of queries on the session, started on first use."""
        with self._starting:
            if self.started is None:
                needed_packages.require_packages()
                embedded = spark_session.embedded_session(self._warehouse)
                self._attach(embedded.newSession())
            assert self.started is not None
            self._apply_time_zone(self.started)
            return self.started

    def target_of(self, dialect: Dialect | DialectName) -> str | None:
        """Return the name of the target for texts in a dialect, None for the newest version of its engine."""
        return (
            None if self.preparation is None or Dialect.of(dialect) is Dialect.FLINK else self.preparation.target.name
        )

    def prepared(self, operation: QueryOperation) -> QueryOperation:
        """Return an equivalent query of what the target has.

        Raises:
            TableException: the target lacks a part of the query that has no equivalent.
        """
        return operation if self.preparation is None else self.preparation.prepare(operation)

    @property
    def lookup_for_target(self) -> FunctionLookup:
        """The lookup of functions, which refuses calls in SQL texts that the target lacks."""
        return self.lookup if self.preparation is None else targets.lookup_for(self.lookup, self.preparation)

    @property
    def spark_version(self) -> EngineVersion:
        """The version of the session's Spark; before a session runs, the newest supported version."""
        return engine_version.NEWEST_SPARK if self.started is None else self.started.versions.server

    @property
    def has_given_session(self) -> bool:
        """Whether the user supplied the session."""
        return self._given_session is not None

    def close(self) -> None:
        """Stop the embedded session if this environment started it; it starts again when needed."""
        with self._starting:
            if self._given_session is None and self.started is not None:
                self.started = None
                if self.is_in_spark(ObjectIdentifier("", "", SPARK_CATALOG)):
                    self.manager.reopen(SPARK_CATALOG, self._open_spark_catalog)
                spark_session.stop_embedded_session()

    def require_settings(self) -> None:
        """Reject a running session whose settings have changed, because types would no longer match it.

        Raises:
            ValidationException: a setting changes the meaning of queries.
        """
        if self.started is not None:
            self.started.settings()

    def foreign_temporary(self, name: str, database: str | None = None) -> Source | None:
        """Return a temporary view of the running session from outside this library; a global view has a database."""
        return None if self.started is None else self.started.temporary_source(name, database)

    def variable(self, name: str) -> Variable | None:
        """Return a variable of the running session; None if it does not exist."""
        return None if self.started is None else self.started.variable(name)

    def variable_text(self, name: str) -> str | None:
        """Return the string in a variable of the running session; None if there is none."""
        found = self.variable(name)
        value = None if found is None else found.value
        return value.value if isinstance(value, ValueLiteral) and isinstance(value.value, str) else None

    def _constant(self, expression: ResolvedExpression) -> ResolvedExpression:
        """Return the constant that Spark computes for an expression without columns; starts Spark."""
        return constants.text_of(self.execution.session, expression)

    def _namespace_of_session(self) -> tuple[str, ...] | None:
        """Return the current catalog and namespace of the session; None if it does not run yet."""
        return None if self.started is None else self.known_namespace(self.started.namespace())

    def known_namespace(self, found: tuple[str, ...]) -> tuple[str, ...]:
        """Register the session's catalog, and return the catalog and namespace in this environment's spelling.

        Raises:
            ValidationException: another catalog is registered under the name.
        """
        catalog, *parts = found
        self.expect_catalog(catalog)
        known = self.manager.opened(catalog)
        if known is not None and not known.is_in_spark:
            raise ValidationException(
                f"The current catalog of the Spark session, {catalog}, has the name of a catalog that was registered "
                "here, so that names without a catalog are ambiguous. Choose one: te.use_catalog(…)."
            )
        # Spark's own catalog stores names in lower case, but the session keeps the written spelling.
        return (catalog, *(map(fold, parts) if catalog == SPARK_CATALOG else parts))

    @functools.cached_property
    def streams(self) -> spark_running.RunningStreams:
        """The streaming queries that this environment has started."""
        return spark_running.RunningStreams()

    def is_in_spark(self, identifier: ObjectIdentifier) -> bool:
        """Whether the Spark session has an object under the same name; True for a catalog that is not open yet."""
        catalog = self.manager.opened(str(identifier.catalog))
        return catalog is None or catalog.is_in_spark

    def value_rules(self, identifier: ObjectIdentifier) -> ValueRules:
        """Return the defaults, generated columns and CHECK constraints of a table, as far as they are declared.

        No session is started, and none is asked.
        """
        found: object = self.manager.declared.find(identifier)
        if found is None and not self.is_in_spark(identifier):
            found = self.manager.find(identifier)
        if not isinstance(found, catalogs.CatalogTable) or found.definition is None:
            return value_rules.NO_RULES
        return value_rules.ValueRules.of(found.definition)

    def expect_catalog(self, name: str) -> None:
        """Register an unknown catalog as a catalog of the Spark session, to be opened on first use.

        Raises:
            CatalogNotExistException: the environment only has in-memory catalogs.
        """
        if self.manager.has_catalog(name):
            return
        if self.settings_in_memory:
            self.manager.catalog(name)
        self.manager.register(name, lambda: self._open_catalog(name))

    def _open_configured(self, name: str) -> Catalog | None:
        """Return the catalog that the running session is configured with under a name, or None."""
        session = None if self.started is None else self.started.session
        found = None if session is None else catalog_names.find_configured_name(session, name)
        return None if found is None or session is None else spark_catalog.SparkCatalog(session, found)

    def _open_catalog(self, name: str) -> Catalog:
        session = self.execution.session
        return spark_catalog.SparkCatalog(session, catalog_names.find_configured_name(session, name) or name)

    def catalog_of_session(self, name: str) -> str | None:
        """Return the session's spelling of a catalog name; None if the session does not have the catalog."""
        if self.started is None and self.settings_in_memory:
            return None
        return catalog_names.find_configured_name(self.execution.session, name)

    def catalogs_of_session(self) -> list[str]:
        """Return the sorted names of the catalogs that the session configures; none if no session is meant to run."""
        if self.started is None and self.settings_in_memory:
            return []
        return catalog_names.list_configured_names(self.execution.session)

    @property
    def time_zone(self) -> str:
        """The time zone for times without one: the session's time zone once it runs."""
        return self.config.get_local_timezone() if self.started is None else self.execution.settings().time_zone

    def is_known_without_start(self, catalog: str | None) -> bool:
        """Whether an object can be looked up in a catalog, by default the current one, without starting a session."""
        return self.started is not None or self.manager.opened(catalog or self.manager.current_catalog) is not None

    def query_behind(self, source: Source) -> QueryOperation | None:
        """Return the query behind a source that Spark does not have; None if Spark has the source.

        Raises:
            TableException: the source is declared without data, or its columns differ from the session's table.
            ValidationException: the source is a view whose meaning depends on another time zone, under which it was
                stored, or which runs code that is not allowed.
        """
        identifier = source.identifier
        if identifier.is_temporary:
            return None
        if self.is_in_spark(identifier):
            self.manager.require_existing(identifier)
            return None
        found = self.manager.find(identifier)
        if isinstance(found, catalogs.CatalogView):
            self._require_time_zone(identifier, found)
            if found.operation is not None and self.manager.catalog(str(identifier.catalog)).is_lasting:
                self.require_programs(f"The view {identifier.as_summary_string()}", found.operation)
        operation = found.data if isinstance(found, catalogs.CatalogTable) else found.operation
        if operation is None:
            raise TableException(
                f"The table {identifier.as_summary_string()} is declared without data, and cannot be read. Queries "
                "over it can be built and printed. To run them, declare it in an environment of Spark's catalog, "
                "TableEnvironment.create(), whose session has the table; or give it files with create_table, or rows "
                f"under the same name alone: te.create_temporary_view({identifier.name!r}, te.from_elements(…))."
            )
        return operation

    def require_programs(self, shown: str, stored: QueryOperation | ResolvedExpression) -> None:
        """Reject a stored query or expression that runs code which the configuration does not allow.

        Raises:
            ValidationException: the code is not allowed; the message begins with ``shown``.
        """
        stored_programs.require_allowed_programs(shown, stored, self.config.to_map())

    def _require_time_zone(self, identifier: ObjectIdentifier, view: CatalogView) -> None:
        wanted, here = view.settings.get(time_zones.TIME_ZONE), self.time_zone
        if wanted is not None and wanted != here:
            raise ValidationException(
                f"The view {identifier.as_summary_string()} was stored under the time zone {wanted}, and its rows "
                f"depend on that; the session has {here}. Run it with "
                f"get_config().set_local_timezone({wanted!r}), or store the view again."
            )

    def temporary(self, source: Source) -> QueryOperation | None:
        """Return the query of a temporary view of this environment; None for any other source."""
        if source.identifier.database is not None:
            return None
        found = self.manager.temporary(source.identifier.name)
        return None if found is None else found.operation

    def sources_behind(self, query: QueryOperation) -> Iterator[QueryOperation]:
        """Yield the sources of a query, including the sources of queries behind names that Spark does not have."""
        seen: set[QueryOperation] = set()
        waiting = [query]
        while waiting:
            for source in rewriting.sources_of(waiting.pop()):
                if source not in seen:
                    seen.add(source)
                    yield source
                    behind = self.known_behind(source) if isinstance(source, Source) else None
                    waiting += [] if behind is None else [behind]

    def known_behind(self, source: Source) -> QueryOperation | None:
        """Return the query behind a name that Spark does not have, None if there is none."""
        temporary = self.temporary(source)
        if temporary is not None or source.identifier.is_temporary or self.is_in_spark(source.identifier):
            return temporary
        found = self.manager.find(source.identifier)
        return found.data if isinstance(found, catalogs.CatalogTable) else found.operation

    def _view_behind(self, source: Source) -> QueryOperation | None:
        """Return the query of a view of a catalog that is not Spark's; None for any other source."""
        identifier = source.identifier
        if identifier.database is None or self.is_in_spark(identifier):
            return None
        try:
            found = self.manager.find(identifier)
        except TableNotExistException:
            # A query whose table is gone can still be printed.
            return None
        return found.operation if isinstance(found, catalogs.CatalogView) else None

    def _attach(self, session: SparkSession) -> None:
        found = spark_settings.check_version(session)
        if self._sets_required_settings:
            spark_settings.set_required_settings(session)
        execution = spark_execution.SparkExecution(
            session,
            found,
            self.query_behind,
            self.temporary,
            self.config.to_map,
            self.is_function_of_spark,
            self.prepared,
            lambda: notation_of(Dialect.SPARK, None if self.preparation is None else self.preparation.target),
        )
        self._follow_engine(found.target_name)
        self._apply_time_zone(execution)
        execution.settings()
        self.started = execution
        self.manager.open_configured = self._open_configured
        try:
            for view in self.manager.temporary_views():
                with use_names(view.operation, view.names):
                    execution.register(view.name, view.operation)
        except BaseException:
            self.started = None
            raise

    def _follow_engine(self, name: str) -> None:
        """Write SQL for the engine of the session in its version, unless an older target was chosen.

        Raises:
            ValidationException: the chosen target is newer than the session, or another engine.
        """
        running = target.Target.of(name)
        if self._chosen_target is None:
            self.preparation = preparation.Preparation.of(running, "the session", self._view_behind)
            return
        chosen = target.Target.of(self._chosen_target)
        if chosen.engine != running.engine or running < chosen:
            difference = "older" if chosen.engine == running.engine else "another engine"
            raise ValidationException(
                f"The target is {chosen.name} (from with_target), and the session runs {running.title}, which is "
                f"{difference}. Choose with_target({running.name!r}), or leave it out: the session's version is the "
                "default."
            )

    def _apply_time_zone(self, execution: SparkExecution) -> None:
        wanted = self.config.to_map().get(LOCAL_TIME_ZONE)
        if wanted is not None and execution.session.conf.get(time_zones.TIME_ZONE) != wanted:
            execution.session.conf.set(time_zones.TIME_ZONE, wanted)

    def is_function_of_spark(self, function: FunctionIdentifier) -> bool:
        """Whether the Spark session finds a stored function by its path."""
        catalog = self.manager.opened(function.parts[0])
        return catalog is not None and catalog.is_in_spark and not function.is_system

    def _load_function(self, identifier: FunctionIdentifier, function: CatalogFunction) -> FunctionDefinition:
        namespace = identifier.parts[:2]
        lookup = self.permanent_lookup.within(namespace)
        tables = self.permanent_tables(namespace)
        allowed = functools.partial(self.require_programs, f"The function {identifier.as_summary_string()}")
        return stored_functions.load(identifier, function, self.config.to_map(), lookup, tables, allowed)

    def permanent_tables(self, namespace: tuple[str, ...]) -> FindTable:
        """Return a table lookup for stored SQL text; ``namespace`` is the default catalog and database."""

        def find(
            path: tuple[str, ...], version: ReadVersion, moment: Expression | None, options: ReadOptions
        ) -> QueryOperation:
            _refuse_version(version, moment)
            return self.with_options(self.manager.permanent_source(".".join(map(quote, path)), namespace), options)

        return find

    def tables(
        self, path: tuple[str, ...], version: ReadVersion, moment: Expression | None, options: ReadOptions
    ) -> QueryOperation:
        """Find a table for the body of a temporary function; temporary tables are included."""
        _refuse_version(version, moment)
        return self.with_options(self.manager.source(".".join(map(quote, path)), self.foreign_temporary), options)

    def with_options(self, source: Source, options: ReadOptions) -> Source:
        """Return a source that reads a table with options; views ignore options, as in Spark.

        Raises:
            TableException: the table is not in Spark, or an option requests a version of a view.
        """
        if not options:
            return source
        identifier, shown = source.identifier, source.identifier.as_summary_string()
        temporary = self.manager.temporary(identifier.name) if identifier.is_temporary else None
        is_view = identifier.is_temporary or not isinstance(self.manager.stored(identifier), catalogs.CatalogTable)
        is_versioned = any(fold(key) in _VERSION_OPTIONS for key, _ in options)
        if is_view and is_versioned:
            raise TableException(f"{shown} is a view, which has no versions; read the tables below it at one.")
        if temporary is not None and temporary.files is not None:
            raise TableException(
                f"The temporary table {shown} is read with its own options alone; give them when you create it."
            )
        if is_view:
            return source
        if not self.is_in_spark(identifier):
            raise TableException(
                f"{shown} is in the catalog {identifier.catalog}, whose tables are read with their own options alone; "
                "give them in CREATE TABLE … OPTIONS (…)."
            )
        made = source.evolve(options=options)
        return made.evolve(schema=self.execution.schema_of_source(made)) if is_versioned else made

    def _open_spark_catalog(self) -> Catalog:
        return self._open_catalog(SPARK_CATALOG)


# Spark readers accept these option names in any case.
_VERSION_OPTIONS = frozenset({"versionasof", "timestampasof"})


def _refuse_version(version: ReadVersion, moment: Expression | None) -> None:
    if isinstance(version, StreamRead):
        raise TableException("The body of a function reads no streams: Spark has none in a subquery. Join the stream.")
    if version is not None or moment is not None:
        raise TableException("The body of a function reads tables as they are, and no version of them.")
