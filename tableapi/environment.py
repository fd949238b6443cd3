"""The environment of queries: catalogs, temporary views, configuration and the Spark session that runs them."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Mapping
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from ir.casts import can_store
from ir.errors import (
    CatalogException,
    TableAlreadyExistException,
    TableException,
    TableNotExistException,
    ValidationException,
)
from ir.identifiers import ObjectIdentifier
from ir.operations.operation import QueryOperation
from ir.operations.source import InlineSource, Source
from ir.resolution.lookup import BuiltInLookup
from ir.rewriting import sources_of
from ir.schema import ResolvedSchema
from tableapi.catalog.catalog import Catalog, CatalogTable, CatalogView
from tableapi.catalog.in_memory import InMemoryCatalog
from tableapi.catalog.manager import CatalogManager
from tableapi.elements import table_of_elements
from tableapi.environment_settings import LOCAL_TIME_ZONE, EnvironmentSettings, TableConfig
from tableapi.result import TableResult
from tableapi.table import Table

if TYPE_CHECKING:
    import pandas
    import pyarrow
    from pyspark.sql import DataFrame, SparkSession

    from tableapi.spark.execution import SparkExecution

__all__ = ["TableEnvironment"]

SPARK_CATALOG = "spark_catalog"


class TableEnvironment:
    """Where tables come from and where queries run.

    Made with ``TableEnvironment.create``. A query is built, typed and printed without Spark as long as it reads only
    temporary views and in-memory catalogs; the session starts when something needs it.
    """

    def __init__(self, settings: EnvironmentSettings, session: SparkSession | None, warehouse: Path | None) -> None:
        self._settings = settings
        self._given_session = session
        self._warehouse = warehouse
        self._config = TableConfig()
        self._started: SparkExecution | None = None
        self._starting = threading.RLock()
        self._function_lookup = BuiltInLookup()
        self._manager = CatalogManager()
        catalog = settings.get_built_in_catalog_name()
        if settings.is_in_memory:
            self._manager.register(catalog, InMemoryCatalog(catalog, settings.get_built_in_database_name()))
        if not (settings.is_in_memory and catalog == SPARK_CATALOG):
            # Under the name of Spark's own catalog, tables can be declared to compile queries for it without Spark.
            self._manager.register(SPARK_CATALOG, self._open_spark_catalog)
        self._manager.use_catalog(catalog)
        if session is not None:
            # A session that queries cannot honour is refused here, not when the first of them runs.
            self._attach(session)

    @staticmethod
    def create(
        environment_settings: EnvironmentSettings | None = None,
        *,
        spark: SparkSession | None = None,
        warehouse: str | Path | None = None,
    ) -> TableEnvironment:
        """Return a new environment.

        Args:
            environment_settings: batch mode in the Spark session's catalog, where none are given.
            spark: the session that runs the queries, classic or Connect. Without one, an embedded local session
                starts on first use.
            warehouse: the directory in which the embedded session keeps tables and views, ``TABLEAPI_HOME`` or the
                user's data directory by default.

        Raises:
            ValidationException: ``spark`` has settings that change what queries mean; each is named.
        """
        if spark is not None and warehouse is not None:
            raise ValidationException("warehouse is for the embedded session; a session that is given has its own.")
        settings = environment_settings or EnvironmentSettings.in_batch_mode()
        return TableEnvironment(settings, spark, None if warehouse is None else Path(warehouse))

    # --- tables ------------------------------------------------------------------------------------------------------

    def from_path(self, path: str) -> Table:
        """Return the table that reads a temporary view, or a table or view of a catalog.

        Args:
            path: ``name``, ``database.name`` or ``catalog.database.name``; a part may be quoted with back-quotes.

        Raises:
            TableNotExistException: there is none; the message suggests the nearest name.
        """
        if self._started is not None:
            # A table must not be typed as if the session had other settings than it has now.
            self._started.settings()
        return Table(self._manager.source(path, self._foreign_temporary), self)

    def from_elements(self, elements: Iterable[Any], schema: Any = None, verify_schema: bool = True) -> Table:
        """Return a table of rows that are written out.

        Args:
            elements: the rows: tuples, lists, Rows, mappings, objects with fields, or single values of one column.
            schema: a ROW type, a type of one column, or names of columns whose types the values suggest.
            verify_schema: whether values must fit the types, which they must in any case.

        Raises:
            ValidationException: a value does not fit; the message names row and column.
        """
        return Table(table_of_elements(elements, schema), self)

    def from_pandas(self, pdf: pandas.DataFrame, schema: Any = None, splits_num: int = 1) -> Table:
        """Return a table of the rows of a pandas DataFrame, which this process holds.

        Args:
            pdf: the rows.
            schema: a ROW type or names of columns; by default the frame's own.
            splits_num: has no effect: Spark divides the rows by itself.

        Raises:
            ValidationException: a column has a type that queries cannot have, or does not fit the schema.
        """
        from tableapi.arrow import source_of_pandas

        return Table(source_of_pandas(pdf, schema), self)

    def from_arrow(self, data: pyarrow.Table) -> Table:
        """Return a table of the rows of an Arrow table, which this process holds."""
        from tableapi.arrow import source_of_arrow

        return Table(source_of_arrow(data), self)

    def from_spark(self, dataframe: DataFrame) -> Table:
        """Return a table of the rows of a DataFrame of this environment's session.

        Raises:
            ValidationException: it is of another session, or has a column whose type queries cannot have.
        """
        from tableapi.spark.execution import dataframe_schema

        session = self._execution.session
        if dataframe.sparkSession is not session:
            raise ValidationException(
                "The DataFrame belongs to another Spark session. Make it with the session of this environment "
                "(TableEnvironment.spark), or give its session to TableEnvironment.create(spark=…)."
            )
        return Table(InlineSource(dataframe, dataframe_schema(dataframe), "DataFrame"), self)

    # --- views -------------------------------------------------------------------------------------------------------

    def create_temporary_view(self, view_path: str, table_or_data_stream: Table, *fields_or_schema: str) -> None:
        """Give a table a name that lasts as long as the environment.

        Args:
            view_path: the name; temporary views are in no database.
            table_or_data_stream: the table; there are no data streams here.
            fields_or_schema: names for the first columns, in order.

        Raises:
            TableAlreadyExistException: the name is taken by another temporary view.
            ValidationException: the name has a database.
        """
        operation = self._own(table_or_data_stream, "create_temporary_view")
        if fields_or_schema:
            operation = table_or_data_stream.alias(*fields_or_schema).query_operation
        if self._started is not None and self._foreign_temporary(view_path) is not None:
            raise TableAlreadyExistException(f"The Spark session has a temporary view {view_path!r} already.")
        view = self._manager.create_temporary_view(view_path, operation)
        if self._started is not None:
            try:
                self._started.register(view.name, operation)
            except BaseException:
                self._manager.drop_temporary_view(view_path)
                raise

    def create_view(
        self,
        view_path: str,
        table: Table,
        ignore_if_exists: bool = False,
        *,
        or_replace: bool = False,
        if_not_exists: bool = False,
        comment: str | None = None,
        column_comments: Mapping[str, str] | None = None,
        properties: Mapping[str, str] | None = None,
    ) -> None:
        """Store a table as a permanent view of a catalog.

        Args:
            view_path: its name, in the current catalog and database where it has none.
            table: the query.
            ignore_if_exists: leave an existing view as it is; PyFlink's name for ``if_not_exists``.
            or_replace: replace an existing view; its comments and properties stay where no new ones are given.
            if_not_exists: leave an existing view as it is.
            comment: what the view is.
            column_comments: what columns are, by their names.
            properties: further text by keys.

        Raises:
            TableAlreadyExistException: the name is taken.
            ValidationException: the catalog cannot hold the name, or the query depends on something temporary, which
                the message names; nothing has been stored then.
            CatalogException: the catalog failed, and is as it was before.
        """
        operation = self._own(table, "create_view")
        identifier = self._manager.qualify(view_path)
        catalog = self._manager.catalog(str(identifier.catalog))
        self._refuse_temporary(operation, identifier, catalog)
        view = CatalogView(
            _commented(operation.schema, column_comments or {}),
            operation.as_serializable_string(),
            comment,
            dict(properties or {}),
            operation=operation,
        )
        catalog.create_view(
            str(identifier.database),
            identifier.name,
            view,
            or_replace=or_replace,
            if_not_exists=if_not_exists or ignore_if_exists,
        )

    def drop_view(self, view_path: str, ignore_if_not_exists: bool = True) -> bool:
        """Drop a permanent view, and return whether there was one.

        Raises:
            TableNotExistException: there is none, and ``ignore_if_not_exists`` is False.
        """
        return self._drop(view_path, ignore_if_not_exists, "drop_view")

    def drop_table(self, table_path: str, ignore_if_not_exists: bool = True) -> bool:
        """Drop a table, and return whether there was one.

        Raises:
            TableNotExistException: there is none, and ``ignore_if_not_exists`` is False.
        """
        return self._drop(table_path, ignore_if_not_exists, "drop_table")

    def _drop(self, path: str, ignore: bool, method: str) -> bool:
        identifier = self._manager.qualify(path)
        catalog = self._manager.catalog(str(identifier.catalog))
        try:
            getattr(catalog, method)(str(identifier.database), identifier.name)
        except TableNotExistException:
            if self._manager.temporary(path) is not None:
                raise ValidationException(
                    f"{path!r} is a temporary view; drop it with drop_temporary_view({path!r})."
                ) from None
            if not ignore:
                raise
            return False
        return True

    def drop_temporary_view(self, view_path: str) -> bool:
        """Drop a temporary view, and return whether there was one."""
        view = self._manager.drop_temporary_view(view_path)
        if view is not None and self._started is not None:
            self._started.unregister(view.name)
        return view is not None

    def show_create_view(self, view_path: str) -> str:
        """Return the statement that makes a permanent view again, with its comments, properties and settings."""
        from tableapi.spark.catalog import SparkCatalog

        identifier = self._manager.qualify(view_path)
        catalog = self._manager.catalog(str(identifier.catalog))
        if not isinstance(catalog, SparkCatalog):
            raise CatalogException(f"The catalog {identifier.catalog!r} keeps views in memory, not as statements.")
        return catalog.show_create_view(str(identifier.database), identifier.name)

    # --- catalogs ----------------------------------------------------------------------------------------------------

    def list_views(self) -> list[str]:
        """Return the names of the views of the current database and of the temporary views, sorted."""
        catalog = self._manager.catalog(self.get_current_catalog())
        return sorted({*catalog.list_views(self.get_current_database()), *self.list_temporary_views()})

    def list_tables(self) -> list[str]:
        """Return the names of the tables and views of the current database and of the temporary views, sorted."""
        catalog = self._manager.catalog(self.get_current_catalog())
        return sorted({*catalog.list_tables(self.get_current_database()), *self.list_temporary_views()})

    def list_temporary_views(self) -> list[str]:
        """Return the names of the temporary views, sorted."""
        return sorted(view.name for view in self._manager.temporary_views())

    def list_temporary_tables(self) -> list[str]:
        """Return the names of the temporary tables and views, sorted."""
        return self.list_temporary_views()

    def list_catalogs(self) -> list[str]:
        """Return the names of the catalogs, sorted."""
        return self._manager.list_catalogs()

    def list_databases(self) -> list[str]:
        """Return the names of the databases of the current catalog, sorted."""
        return self._manager.catalog(self.get_current_catalog()).list_databases()

    def register_catalog(self, catalog_name: str, catalog: Catalog) -> None:
        """Make a catalog known under a name.

        Raises:
            CatalogException: the name is taken.
        """
        self._manager.register(catalog_name, catalog)

    def get_catalog(self, catalog_name: str) -> Catalog:
        """Return the catalog with a name.

        Raises:
            CatalogNotExistException: there is none.
        """
        return self._manager.catalog(catalog_name)

    def get_current_catalog(self) -> str:
        """Return the name of the current catalog."""
        return self._manager.current_catalog

    def use_catalog(self, catalog_name: str) -> None:
        """Make a catalog the current one, and its default database the current one."""
        self._manager.use_catalog(catalog_name)

    def get_current_database(self) -> str:
        """Return the name of the current database."""
        return self._manager.current_database

    def use_database(self, database_name: str) -> None:
        """Make a database of the current catalog the current one."""
        self._manager.use_database(database_name)

    def get_config(self) -> TableConfig:
        """Return the configuration, which may be changed."""
        return self._config

    @property
    def spark(self) -> SparkSession:
        """The Spark session that runs the queries; it is started where it does not run yet."""
        return self._execution.session

    def close(self) -> None:
        """End what this environment started: its embedded session, and with it those of other environments.

        The metastore is free for another process then. A session that was given stays as it is. The environment may be
        used again, and starts another session.
        """
        with self._starting:
            if self._given_session is None and self._started is not None:
                from tableapi.spark.session import stop_embedded_session

                self._started = None
                if not isinstance(self._manager.opened(SPARK_CATALOG), InMemoryCatalog):
                    self._manager.reopen(SPARK_CATALOG, self._open_spark_catalog)
                stop_embedded_session()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    # --- what tables need --------------------------------------------------------------------------------------------

    @property
    def _execution(self) -> SparkExecution:
        with self._starting:
            if self._started is None:
                from tableapi.spark.session import embedded_session

                embedded = embedded_session(self._warehouse)
                self._attach(embedded.newSession())
            assert self._started is not None
            self._apply_time_zone(self._started)
            return self._started

    def _attach(self, session: SparkSession) -> None:
        from tableapi.spark.execution import SparkExecution
        from tableapi.spark.settings import check_version

        check_version(session)
        execution = SparkExecution(session, self._expand)
        self._apply_time_zone(execution)
        execution.settings()
        self._started = execution
        try:
            for view in self._manager.temporary_views():
                execution.register(view.name, view.operation)
        except BaseException:
            self._started = None
            raise

    def _apply_time_zone(self, execution: SparkExecution) -> None:
        wanted = self._config.to_map().get(LOCAL_TIME_ZONE)
        if wanted is not None and execution.settings().time_zone != wanted:
            execution.session.conf.set("spark.sql.session.timeZone", wanted)

    def _open_spark_catalog(self) -> Catalog:
        from tableapi.spark.catalog import SparkCatalog

        return SparkCatalog(self._execution.session, SPARK_CATALOG)

    def _foreign_temporary(self, name: str) -> Source | None:
        """Return the temporary view that a running session has from elsewhere."""
        return None if self._started is None else self._started.temporary_source(name)

    def _expand(self, source: Source) -> QueryOperation | None:
        """Return the query behind a source that Spark does not have, None for one that it has."""
        identifier = source.identifier
        if identifier.is_temporary or not self._is_in_memory(identifier):
            return None
        found = self._manager.find(identifier)
        behind = found.data if isinstance(found, CatalogTable) else found.operation
        if behind is None:
            raise TableException(
                f"The table {identifier.as_summary_string()} is declared without data, and cannot be read. Queries "
                "over it can be built and serialised; to run them, create the table with data or in the Spark catalog."
            )
        return behind

    def _is_in_memory(self, identifier: ObjectIdentifier) -> bool:
        return isinstance(self._manager.opened(str(identifier.catalog)), InMemoryCatalog)

    def _own(self, table: Any, method: str) -> QueryOperation:
        if not isinstance(table, Table) or table._environment is not self:
            raise ValidationException(f"{method} takes a table of this environment, but was given {table!r}.")
        return table.query_operation

    def _refuse_temporary(self, operation: QueryOperation, view: ObjectIdentifier, catalog: Catalog) -> None:
        in_memory = isinstance(catalog, InMemoryCatalog)
        for source in sources_of(operation):
            problem = None
            if isinstance(source, InlineSource):
                problem = f"an anonymous {source.kind} of this process"
                way_out = "Store the data as a table and query that"
            elif isinstance(source, Source) and source.identifier.is_temporary:
                problem = f"the temporary view {source.identifier.name!r}"
                way_out = "Store that with create_view first and query the stored one"
            elif isinstance(source, Source) and self._is_in_memory(source.identifier) and not in_memory:
                problem = f"{source.identifier.as_summary_string()!r} of an in-memory catalog"
                way_out = "Store that in the same catalog first"
            if problem is not None:
                raise ValidationException(
                    f"The permanent view {view.as_summary_string()} cannot depend on {problem}, which ends with this "
                    f"process. {way_out}, or use create_temporary_view for this one, too. Nothing was stored."
                )

    def _fetch(self, table: Table) -> pyarrow.Table:
        return self._execution.arrow(table.query_operation)

    def _dataframe(self, table: Table) -> DataFrame:
        return self._execution.dataframe(table.query_operation)

    def _explained_sql(self, table: Table) -> str:
        try:
            return table.as_serializable_string()
        except TableException as error:
            return f"(none: {error})"

    def _explained_plan(self, table: Table) -> str | None:
        return None if self._started is None else self._started.plan(table.query_operation)

    def _insert(self, table: Table, path: str, overwrite: bool) -> TableResult:
        identifier = self._manager.qualify(path)
        target = self._manager.find(identifier)
        if isinstance(target, CatalogView):
            raise ValidationException(f"{identifier.as_summary_string()} is a view; rows go into tables only.")
        if self._is_in_memory(identifier):
            raise TableException(
                f"{identifier.as_summary_string()} is in an in-memory catalog, which keeps no new rows."
            )
        _require_storable(table.get_resolved_schema(), target.schema, identifier)
        self._execution.insert(table.query_operation, identifier, overwrite)
        return TableResult(target.schema, None)


def _commented(schema: ResolvedSchema, comments: Mapping[str, str]) -> ResolvedSchema:
    """Return a schema with comments of columns replaced.

    Raises:
        ValidationException: a comment is for a column that there is not.
    """
    by_position: dict[int, str] = {}
    for name, comment in comments.items():
        column = schema.column(name)
        by_position[schema.columns.index(column)] = comment
    return ResolvedSchema(
        tuple([c.evolve(comment=by_position.get(i, c.comment)) for i, c in enumerate(schema.columns)])
    )


def _require_storable(given: ResolvedSchema, target: ResolvedSchema, identifier: ObjectIdentifier) -> None:
    def refuse(reason: str) -> ValidationException:
        return ValidationException(
            f"The query does not fit the table {identifier.as_summary_string()}: {reason}. Query: {given!r}, table: "
            f"{target!r}. Nothing was written."
        )

    if len(given) != len(target):
        raise refuse(f"it has {len(given)} columns where the table has {len(target)}")
    for position, (ours, theirs) in enumerate(zip(given.columns, target.columns, strict=True)):
        if not can_store(ours.data_type, theirs.data_type):
            raise refuse(f"column {position} {ours!r} cannot be stored as {theirs!r}; cast it")
