"""The environment of queries: catalogs, temporary views, configuration and the Spark session that runs them."""

from __future__ import annotations

import datetime as dt
import os
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from types import TracebackType

from ir.errors import TableException, ValidationException
from ir.light_typing import TYPE_CHECKING, Any
from ir.operations.operation import QueryOperation
from ir.relation_names import NO_NAMES, RelationNames
from ir.rendering import Dialect, DialectName
from tableapi.advice.copies import NotSent
from tableapi.advice.refusals import add_refusals
from tableapi.data.elements import table_of_elements
from tableapi.environment.environment_functions import EnvironmentFunctions
from tableapi.environment_settings import EnvironmentSettings, TableConfig, wrong_session_error, wrong_settings_error
from tableapi.lazy import lazy
from tableapi.queries.environment_parts import EnvironmentParts
from tableapi.queries.query import Query
from tableapi.queries.runtime import Runtime
from tableapi.table import Table, own_query
from tableapi.tracebacks import boundaries
from tableapi.unknown_members import AdvisesOnMembers

if TYPE_CHECKING:
    import pathlib
    from pathlib import Path

    import pandas
    import pyarrow
    from pyspark.sql import DataFrame, SparkSession
    from typing_extensions import Self

    from ir.functions.definition import FunctionDefinition
    from serializer.tree_json import reading as tree_reading
    from tableapi import explain_detail as explain_details
    from tableapi import result as results
    from tableapi import row_statements, statement_set
    from tableapi import schema as schemas
    from tableapi.catalog import catalog as catalogs
    from tableapi.catalog import declared_tables
    from tableapi.catalog import descriptor as catalog_descriptors
    from tableapi.catalog.catalog import Catalog
    from tableapi.catalog.descriptor import CatalogDescriptor
    from tableapi.data import arrow
    from tableapi.display import prompts, rendering
    from tableapi.environment import calls_of_tables
    from tableapi.explain_detail import ExplainDetail
    from tableapi.queries import tables
    from tableapi.query_diff import diff as query_diffs
    from tableapi.result import TableResult
    from tableapi.schema import Columns
    from tableapi.statements import script as scripts
    from tableapi.statements import sql_statements
    from tableapi.statements.script import ScriptResults
    from tableapi.table_alteration import TableAlteration
    from tableapi.table_descriptor import TableDescriptor
    from tableapi.table_statement import TableStatement
    from tableapi.types import DataType
    from tableapi.user_functions.wrapper import TableCallable
else:
    explain_details = lazy(__name__, "tableapi.explain_detail")
    tables = lazy(__name__, "tableapi.queries.tables")
    catalog_descriptors = lazy(__name__, "tableapi.catalog.descriptor")
    catalogs = lazy(__name__, "tableapi.catalog.catalog")
    sql_statements = lazy(__name__, "tableapi.statements.sql_statements")
    arrow = lazy(__name__, "tableapi.data.arrow")
    calls_of_tables = lazy(__name__, "tableapi.environment.calls_of_tables")
    declared_tables = lazy(__name__, "tableapi.catalog.declared_tables")
    schemas = lazy(__name__, "tableapi.schema")
    scripts = lazy(__name__, "tableapi.statements.script")
    results = lazy(__name__, "tableapi.result")
    row_statements = lazy(__name__, "tableapi.row_statements")
    statement_set = lazy(__name__, "tableapi.statement_set")
    prompts = lazy(__name__, "tableapi.display.prompts")
    rendering = lazy(__name__, "tableapi.display.rendering")
    pathlib = lazy(__name__, "pathlib")
    query_diffs = lazy(__name__, "tableapi.query_diff.diff")
    tree_reading = lazy(__name__, "serializer.tree_json.reading")

__all__ = ["TableEnvironment"]


@boundaries
@add_refusals
class TableEnvironment(AdvisesOnMembers, EnvironmentFunctions, NotSent):
    """The entry point: creates tables and runs queries and statements.

    Made with ``TableEnvironment.create``. Queries over temporary views and in-memory catalogs are built, typed and
    printed without Spark; the Spark session starts when an operation needs it.
    """

    _receiver = "environment"
    _instead = (
        "It holds catalogs and the Spark session of this process. Create another one with TableEnvironment.create()."
    )

    def __init__(
        self,
        settings: EnvironmentSettings,
        session: SparkSession | None,
        warehouse: Path | None,
        *,
        set_required_settings: bool = False,
    ) -> None:
        runtime = Runtime(settings, session, warehouse, set_required_settings=set_required_settings)
        self._parts = EnvironmentParts(self, runtime)
        self._parts.describe_changes = self._describe_changes
        runtime.manager.read_view = lambda identifier: self._parts.reader.view(identifier)

    @cached_property
    def _sql(self) -> sql_statements.SqlStatements:
        return sql_statements.SqlStatements(self._parts)

    @staticmethod
    def create(
        environment_settings: EnvironmentSettings | None = None,
        *,
        spark: SparkSession | None = None,
        warehouse: str | pathlib.Path | None = None,
        set_required_settings: bool = False,
    ) -> TableEnvironment:
        """Return a new environment.

        Args:
            environment_settings: the settings; by default batch mode in the Spark session's catalog.
            spark: the session that runs the queries, classic or Connect. By default, an embedded local session starts
                on first use. Names without a database refer to the session's current database, until ``use_database``,
                ``use_catalog`` or ``USE`` in ``execute_sql`` chooses another.
            warehouse: the directory for tables and views of the embedded session, by default ``TABLEAPI_HOME`` or the
                user's data directory.
            set_required_settings: whether to set the settings of ``spark`` that change the meaning of queries as this
                library needs them, for all users of the session. By default, a session with other values is refused.
                Spark 3.5 has other defaults for some of them, such as the ANSI mode.

        Raises:
            ValidationException: the version of ``spark`` is not supported, or the session has settings that change the
                meaning of queries; the message names each.
        """
        if spark is not None and warehouse is not None:
            raise ValidationException("warehouse is for the embedded session; a session that is given has its own.")
        if spark is None and set_required_settings:
            raise ValidationException(
                "set_required_settings is for a session that is given; the embedded one has them."
            )
        settings = EnvironmentSettings.in_batch_mode() if environment_settings is None else environment_settings
        if not isinstance(settings, EnvironmentSettings):
            raise wrong_settings_error(settings)
        if spark is not None and not hasattr(type(spark), "sql"):
            raise wrong_session_error(spark)
        if isinstance(warehouse, str):
            warehouse = pathlib.Path(warehouse)
        elif warehouse is not None and not isinstance(warehouse, pathlib.Path):
            raise ValidationException(f"warehouse takes the path of a directory, but was given {warehouse!r:.100}.")
        return TableEnvironment(settings, spark, warehouse, set_required_settings=set_required_settings)

    # --- tables -------------------------------------------------------------------------------------------------------

    def from_path(
        self,
        path: str,
        *,
        version: int | str | None = None,
        timestamp: dt.datetime | None = None,
        options: Mapping[str, str] | None = None,
        stream: bool = False,
        source_name: str | None = None,
    ) -> Table:
        """Return a table that reads a temporary view, a table or view of a catalog, or files.

        Args:
            path: ``name``, ``database.name`` or ``catalog.database.name``; a part may be quoted with backquotes. As in
                SQL, ``csv.`/a/path` `` refers to files, unless a database has the name of the format.
            version: the version of the table to read, if the catalog stores versions.
            timestamp: the time as of which to read the table, by default in the session time zone.
            options: options for Spark's reader, which override the table's own options; a view ignores them.
            stream: whether to read the table as a stream, whose rows do not end: ``STREAM t`` in SQL. What is a stream
                by its definition is one in any case.
            source_name: the name under which a checkpoint remembers how far the stream was read (Spark 4.2).

        Raises:
            TableNotExistException: the table does not exist; the message suggests the nearest name.
            TableException: the catalog stores no versions of the table, its tables accept no options, or a view whose
                rows end is to be read as a stream.
            ValidationException: a key or a value of the options is not a string, or a stream has a version.
        """
        given = tables.check_read_options(options)
        if stream or source_name is not None:
            if version is not None or timestamp is not None:
                raise ValidationException("A table is read as a stream, or at a version or timestamp, not both.")
            return self._table(self._parts.tables.source_of_stream(path, source_name, given))
        if version is not None or timestamp is not None:
            return self._table(self._parts.tables.source_as_of(path, version, timestamp, given))
        return self._table(self._parts.tables.source(path, given))

    def from_descriptor(self, descriptor: TableDescriptor) -> Table:
        """Return a table of rows in files; it has no name, and its query cannot be serialised.

        Args:
            descriptor: the location, format and columns of the files.

        Raises:
            ValidationException: the descriptor has no schema or path, or is invalid.
            TableException: the connector, the format or a type is not supported.
        """
        return self._table(self._parts.tables.of_descriptor(descriptor))

    def from_operation(self, operation: QueryOperation) -> Table:
        """Return the table of a query, such as a query from another environment or a pickle.

        >>> import pickle
        >>> from tableapi import TableEnvironment
        >>> from tableapi.expressions import col
        >>> numbers = TableEnvironment.create().from_elements([(1,), (2,)], ["n"])
        >>> sent = pickle.dumps(numbers.filter(col("n") > 1))
        >>> TableEnvironment.create().from_operation(pickle.loads(sent)).get_schema().get_field_names()
        ['n']

        Args:
            operation: the tree of operations: ``Table.query_operation``, or an unpickled table. Its tables are looked
                up by path in this environment.

        Raises:
            ValidationException: the argument is not a query.
        """
        if not isinstance(operation, QueryOperation):
            raise ValidationException(
                f"from_operation takes a query, such as table.query_operation, but was given {operation!r}."
            )
        return self._table(operation)

    def from_elements(
        self,
        elements: Iterable[Any],
        schema: Columns | DataType | Sequence[str] | None = None,
        verify_schema: bool = True,
    ) -> Table:
        """Return a table of the given rows.

        >>> te = TableEnvironment.create()
        >>> te.from_elements([(1, "Ada")], ["id", "name"]).get_schema().get_field_data_types()
        [INT NOT NULL, STRING NOT NULL]
        >>> te.from_elements([(1, "Ada")], {"id": "BIGINT", "name": "STRING"}).get_schema().get_field_data_types()
        [BIGINT NOT NULL, STRING NOT NULL]

        Args:
            elements: the rows: tuples, lists, Rows, mappings, objects with fields, or single values for one column.
                Rows and values may also be expressions without columns, such as ``row(1, "a")``.
            schema: the columns with their types, in any form that ``declare`` takes; the type of a single column, which
                may be a string; or column names, whose types are then inferred from the values. A column whose values
                are all given is NOT NULL, as in Spark.
            verify_schema: has no effect: values must always fit the types.

        Raises:
            ValidationException: a value does not fit the schema; the message names row and column.
        """
        return self._table(table_of_elements(elements, _row_type(schema), self._parts.runtime.lookup))

    def from_pandas(
        self, pdf: pandas.DataFrame, schema: Columns | Sequence[str | DataType] | None = None, splits_num: int = 1
    ) -> Table:
        """Return a table of the rows of a pandas DataFrame, which stay in this process.

        Args:
            pdf: the rows.
            schema: the columns with their types, in any form that ``declare`` takes; the column names, or the column
                types; by default the frame's own.
            splits_num: has no effect: Spark partitions the rows.

        Raises:
            ValidationException: a column's type is not supported, or a column does not fit the schema.
        """
        return self._table(arrow.source_of_pandas(pdf, _row_type(schema)))

    def from_arrow(self, data: pyarrow.Table) -> Table:
        """Return a table of the rows of an Arrow table, which stay in this process."""
        return self._table(arrow.source_of_arrow(data))

    def from_spark(self, dataframe: DataFrame) -> Table:
        """Return a table of the rows of a DataFrame of this environment's Spark session.

        The DataFrame may be streaming; then ``to_spark`` of a query over it returns a streaming DataFrame.

        Raises:
            ValidationException: the DataFrame is of another session, or a column's type is not supported.
        """
        return self._table(self._parts.tables.of_dataframe(dataframe))

    def read_state(self, checkpoint: str | os.PathLike[str], uid: str) -> Table:
        """Return the states that a process table function over a stream has stored, one row for each partition key.

        The columns are the partition keys; a ROW, ARRAY or MAP for each state; ``timers``, an array of names, times and
        periods; ``watermark``, up to which the partition has been processed; ``waiting_rows``, the number of rows that
        wait for the watermark; and ``bytes``, the size of the stored state. States are those after the last finished
        batch, also while the query runs. The types are those that the function declared in its last run. If a name is
        taken, it gets a number, such as ``bytes_2``.

        Args:
            checkpoint: the checkpoint of the query, a directory of this machine.
            uid: the ``uid`` of the call, by default the name of its function.

        Raises:
            ValidationException: the checkpoint has no state of this ``uid``.
            TableException: there is no checkpoint; it is incomplete, or of a newer version of this library; or the
                session is one of Spark Connect.

        Source: Spark's data source ``statestore``.
        """
        return self._table(self._parts.tables.of_state(checkpoint, uid))

    def from_call(self, f: TableCallable, /, *arguments: Any, **named: Any) -> Table:
        """Return the result of a process table function, or of a function of Flink's that takes a table.

        Those are TUMBLE, HOP, CUMULATE, SESSION, FROM_CHANGELOG and TO_CHANGELOG.

        >>> from tableapi import TableEnvironment
        >>> from tableapi.expressions import descriptor, lit
        >>> env = TableEnvironment.create()
        >>> clicks = env.sql_query("SELECT 'a' AS page, TIMESTAMP_NTZ '2024-01-01 10:04:30' AS ts")
        >>> env.from_call("TUMBLE", clicks, descriptor("ts"), SIZE=lit(10).minutes).get_resolved_schema().names
        ('page', 'ts', 'window_start', 'window_end', 'window_time')

        Args:
            f: the function's name or path; a class derived from ProcessTableFunction, or an instance; or a complete
                ``call(…)``.
            arguments: the arguments: tables, ``table.partition_by(…)``, expressions or constants; ``as_argument``
                names an argument.
            named: named arguments, including ``on_time`` and ``uid``, which every such function accepts.

        Raises:
            FunctionNotExistException: the function does not exist.
            ValidationException: the function is not a process table function, or the call is invalid.
            TableException: the call is not supported.
        """
        return self._table(calls_of_tables.build_call(self._parts, f, arguments, named))

    # --- creating tables ----------------------------------------------------------------------------------------------

    def declare(
        self,
        path: str,
        columns: Columns,
        *,
        comment: str | None = None,
        column_comments: Mapping[str, str] | None = None,
        primary_key: Sequence[str] | str = (),
        partitioned_by: Sequence[str] | str = (),
        or_replace: bool = False,
        ignore_if_exists: bool = False,
    ) -> Table:
        """Declare the columns of a table and return the table, without starting Spark.

        Queries over the table can be built, typed and printed. In Spark's catalog, the name refers to a table of the
        session, which is looked up when a query first runs. It must have the declared columns and may have further
        columns. In an in-memory or directory catalog, the table has no rows.

        >>> from tableapi import TableEnvironment
        >>> from tableapi.expressions import col
        >>> te = TableEnvironment.create()
        >>> orders = te.declare("sales.orders", {"id": "BIGINT NOT NULL", "amount": "DECIMAL(10, 2)"})
        >>> print(orders.select(col("amount").sum.alias("total")).as_serializable_string(layout="MERGED"))
        SELECT SUM(`amount`) AS `total`
        FROM `spark_catalog`.`sales`.`orders`

        Args:
            path: the name, by default in the current catalog and database; a missing in-memory database is created.
            columns: names with types, which may be strings as in ``Schema.column``; one string with all columns; a
                ``Schema``, a ROW type, or a schema of Arrow or PySpark.
            comment: the comment of the table.
            column_comments: comments of columns, by name.
            primary_key: the columns that identify a row; uniqueness is not enforced.
            partitioned_by: the partition columns.
            or_replace: whether to replace an earlier declaration of the name.
            ignore_if_exists: whether to keep an earlier declaration of the name.

        Raises:
            SqlParserException: a type cannot be parsed; the message names the column.
            TableAlreadyExistException: the name exists, or is declared with other columns.
            ValidationException: the columns are invalid, or a running session has a table of the name with other
                columns.
        """
        schema = declared_tables.schema_of_declaration(columns, column_comments or {}, primary_key)
        keys = (partitioned_by,) if isinstance(partitioned_by, str) else tuple(partitioned_by)
        self._parts.tables.declare_without_data(
            path,
            schema,
            comment=comment,
            partition_keys=keys,
            ignore_if_exists=ignore_if_exists,
            or_replace=or_replace,
        )
        return self._table(
            self._parts.tables.source(self._parts.runtime.manager.qualify(path).as_serializable_string())
        )

    def create_temporary_table(
        self,
        path: str,
        descriptor: TableDescriptor,
        ignore_if_exists: bool | None = False,
        *,
        ignoreIfExists: bool = False,
    ) -> None:
        """Give files a name for the lifetime of this environment; they can be read and written.

        Args:
            path: the name, without a database.
            descriptor: the location, format and columns of the files.
            ignore_if_exists: whether to keep an existing temporary table or view of the name.
            ignoreIfExists: PyFlink's name for ``ignore_if_exists``.

        Raises:
            TableAlreadyExistException: the name exists. At a prompt and in a notebook, the temporary table or view of
                the name is replaced.
            ValidationException: the name has a database, or the descriptor is invalid.
            TableException: the connector, the format or a type is not supported.
        """
        keeps = bool(ignore_if_exists or ignoreIfExists)
        or_replace = not keeps and self._replaces(path)
        self._parts.tables.create_temporary_table(path, descriptor, keeps, or_replace=or_replace)

    def create_table(
        self,
        path: str,
        descriptor: TableDescriptor,
        ignore_if_exists: bool | None = False,
        *,
        ignoreIfExists: bool = False,
    ) -> None:
        """Create a table in a catalog; in the Spark session's catalog, every Spark program can read it.

        Args:
            path: the name, by default in the current catalog and database.
            descriptor: the location (by default in the warehouse), format and columns of the files; or a table of a
                table format, such as Delta Lake, which the catalog has.
            ignore_if_exists: whether to keep an existing table of the name.
            ignoreIfExists: PyFlink's name for ``ignore_if_exists``.

        Raises:
            TableAlreadyExistException: the name exists.
            ValidationException: the catalog cannot store the name, or the descriptor is invalid.
            TableException: the connector, the format or a type is not supported, or there are computed columns, which
                tables of Spark's catalog cannot have.
        """
        keeps = bool(ignore_if_exists or ignoreIfExists)
        if self._parts.tables.needs_statement(descriptor):
            self._sql.table_statement(path, descriptor, ignore_if_exists=keeps).execute()
        else:
            self._parts.tables.create_table(path, descriptor, keeps)

    def create_table_as(
        self,
        path: str,
        table: Table,
        descriptor: TableDescriptor | None = None,
        *,
        or_replace: bool = False,
        ignore_if_exists: bool = False,
    ) -> TableResult:
        """Create a table in a catalog with the columns and rows of a query.

        Args:
            path: the name, by default in the current catalog and database.
            table: the query.
            descriptor: the location and format of the files, without a schema; by default parquet in the warehouse.
            or_replace: whether to replace an existing table, if the catalog can do that atomically.
            ignore_if_exists: whether to keep an existing table of the name.

        Raises:
            TableAlreadyExistException: the name exists.
            TableException: the query fails, or the catalog cannot replace a table.
        """
        operation = own_query(self._parts, table, "create_table_as").operation
        by = {"or_replace": or_replace, "ignore_if_exists": ignore_if_exists}
        if self._parts.tables.needs_statement(descriptor):
            return self._sql.table_statement(path, descriptor, operation, **by).execute()
        return self._parts.statements.create_table_as(operation, path, descriptor, **by)

    # --- views --------------------------------------------------------------------------------------------------------

    def create_temporary_view(self, view_path: str, table_or_data_stream: Table, *fields_or_schema: str) -> None:
        """Create a temporary view of a table, for the lifetime of this environment.

        Args:
            view_path: the name, without a database.
            table_or_data_stream: the table; data streams are not supported.
            fields_or_schema: names for the first columns, in order.

        Raises:
            TableAlreadyExistException: another temporary view has the name. At a prompt and in a notebook, it is
                replaced.
            ValidationException: the name has a database, or the view would read itself.
        """
        query = own_query(self._parts, table_or_data_stream, "create_temporary_view")
        operation = query.operation
        if fields_or_schema:
            operation = table_or_data_stream.alias(*fields_or_schema).query_operation
        with query.naming():
            self._parts.tables.create_temporary_view(view_path, operation, or_replace=self._replaces(view_path))

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
            view_path: the name, by default in the current catalog and database.
            table: the query.
            ignore_if_exists: whether to keep an existing view; PyFlink's name for ``if_not_exists``.
            or_replace: whether to replace an existing view; its comments and properties stay unless new ones are
                given.
            if_not_exists: whether to keep an existing view.
            comment: the comment of the view.
            column_comments: comments of columns, by name.
            properties: further properties, as strings by key.

        Raises:
            TableAlreadyExistException: the name exists.
            ValidationException: the catalog cannot store the name, or the query depends on a temporary object, which
                the message names; nothing is stored.
            CatalogException: the catalog fails, and remains unchanged.
        """
        query = own_query(self._parts, table, "create_view")
        with query.naming():
            self._parts.tables.create_view(
                view_path,
                query.operation,
                or_replace=or_replace,
                if_not_exists=if_not_exists or ignore_if_exists,
                comment=comment,
                column_comments=column_comments or {},
                properties=properties or {},
            )

    def drop_view(self, view_path: str, ignore_if_not_exists: bool = True) -> bool:
        """Drop a permanent view; return whether it existed.

        Raises:
            TableNotExistException: the view does not exist, and ``ignore_if_not_exists`` is False.
        """
        return self._parts.tables.drop(view_path, ignore_if_not_exists, "drop_view")

    def drop_table(self, table_path: str, ignore_if_not_exists: bool = True) -> bool:
        """Drop a table; return whether it existed.

        Raises:
            TableNotExistException: the table does not exist, and ``ignore_if_not_exists`` is False.
        """
        return self._parts.tables.drop(table_path, ignore_if_not_exists, "drop_table")

    def drop_temporary_view(self, view_path: str) -> bool:
        """Drop a temporary view; return whether it existed."""
        return self._parts.tables.drop_temporary(view_path)

    def drop_temporary_table(self, table_path: str) -> bool:
        """Drop a temporary table, but not its files; return whether it existed."""
        return self._parts.tables.drop_temporary(table_path)

    def show_create_view(self, view_path: str) -> str:
        """Return the statement that recreates a permanent view, with its comments, properties and settings.

        Names of tables and functions are fully qualified, so that the statement means the same everywhere. The
        settings are comments at its top.

        Raises:
            TableNotExistException: the view does not exist.
            CatalogException: the name refers to a table, or the view's text cannot be parsed, so its names cannot be
                qualified.
        """
        return self._parts.tables.show_create_view(view_path)

    # --- catalogs and databases ---------------------------------------------------------------------------------------

    def list_views(self) -> list[str]:
        """Return the sorted names of the views of the current database and of the temporary views."""
        catalog = self._parts.runtime.manager.catalog(self.get_current_catalog())
        return sorted({*catalog.list_views(self.get_current_database()), *self.list_temporary_views()})

    def list_tables(self) -> list[str]:
        """Return the sorted names of the tables and views of the current database, and of all temporary ones."""
        catalog = self._parts.runtime.manager.catalog(self.get_current_catalog())
        return sorted({*catalog.list_tables(self.get_current_database()), *self.list_temporary_tables()})

    def list_temporary_views(self) -> list[str]:
        """Return the sorted names of the temporary views."""
        return sorted(view.name for view in self._parts.runtime.manager.temporary_views() if view.files is None)

    def list_temporary_tables(self) -> list[str]:
        """Return the sorted names of the temporary tables and views."""
        return sorted(view.name for view in self._parts.runtime.manager.temporary_views())

    def list_catalogs(self) -> list[str]:
        """Return the sorted names of the catalogs."""
        return self._parts.runtime.manager.list_catalogs()

    def list_databases(self) -> list[str]:
        """Return the sorted names of the databases of the current catalog."""
        return self._parts.runtime.manager.catalog(self.get_current_catalog()).list_databases()

    def create_catalog(self, catalog_name: str, catalog_descriptor: CatalogDescriptor) -> None:
        """Create a catalog from a descriptor and register it under a name.

        Args:
            catalog_name: the name of the catalog.
            catalog_descriptor: the type of the catalog, in memory or in a directory, and its options.

        Raises:
            CatalogException: the name already exists.
            TableException: the catalog type is unknown.
            ValidationException: an option is missing or unknown.

        >>> import tempfile
        >>> from tableapi import CatalogDescriptor, EnvironmentSettings, TableEnvironment
        >>> settings = EnvironmentSettings.new_instance().with_built_in_catalog_name("memory").build()
        >>> te = TableEnvironment.create(settings)
        >>> options = {"type": "directory", "path": tempfile.mkdtemp()}
        >>> te.create_catalog("team", CatalogDescriptor.of("team", options))
        >>> te.use_catalog("team")
        >>> te.get_current_database()
        'default'
        """
        if not isinstance(catalog_descriptor, catalog_descriptors.CatalogDescriptor):
            raise ValidationException(
                f"create_catalog takes a CatalogDescriptor, but was given {catalog_descriptor!r}. Make one with "
                "CatalogDescriptor.of(name, options), or give a Catalog to register_catalog."
            )
        manager = self._parts.runtime.manager
        manager.refuse_taken(_name(catalog_name, "create_catalog"))
        manager.register(
            catalog_name, catalog_descriptors.make_catalog(catalog_name, catalog_descriptor.get_configuration())
        )

    def register_catalog(self, catalog_name: str, catalog: Catalog) -> None:
        """Register a catalog under a name: an InMemoryCatalog, a DirectoryCatalog or a user-defined catalog.

        Raises:
            CatalogException: the name already exists.
            ValidationException: the name is not a string or is empty, or the catalog is not a Catalog.
        """
        if not isinstance(catalog, catalogs.Catalog):
            raise ValidationException(
                f"register_catalog takes a Catalog, such as InMemoryCatalog({catalog_name!r}), but was given "
                f"{catalog!r}."
            )
        self._parts.runtime.manager.register(_name(catalog_name, "register_catalog"), catalog)

    def get_catalog(self, catalog_name: str) -> Catalog:
        """Return a catalog by name.

        Raises:
            CatalogNotExistException: the catalog does not exist.
            ValidationException: the name is not a string.
        """
        return self._parts.runtime.manager.catalog(_name(catalog_name, "get_catalog"))

    def get_current_catalog(self) -> str:
        """Return the name of the current catalog, which is the Spark session's unless the program chose one here."""
        return self._parts.runtime.manager.current_catalog

    def use_catalog(self, catalog_name: str) -> None:
        """Set the current catalog and its default database in this environment; the Spark session's catalog stays.

        Raises:
            CatalogNotExistException: the catalog does not exist.
            ValidationException: the name is not a string.
        """
        self._parts.runtime.manager.use_catalog(_name(catalog_name, "use_catalog"))

    def get_current_database(self) -> str:
        """Return the name of the current database, which is the Spark session's unless the program chose one here.

        Raises:
            ValidationException: the session's current namespace does not have exactly one part, so it is not a
                database.
        """
        return self._parts.runtime.manager.current_database

    def use_database(self, database_name: str) -> None:
        """Set the current database within the current catalog; the Spark session's database stays.

        Raises:
            DatabaseNotExistException: the database does not exist in the catalog.
            ValidationException: the name is not a string.
        """
        self._parts.runtime.manager.use_database(_name(database_name, "use_database"))

    # --- SQL queries --------------------------------------------------------------------------------------------------

    def sql_query(
        self,
        query: str,
        params: Mapping[str, Any] | Sequence[Any] | None = None,
        *,
        dialect: Dialect | DialectName = Dialect.SPARK,
    ) -> Table:
        """Return the table of an SQL query; it equals the fluent query with the same meaning.

        Tables are found as by ``from_path``; times without a time zone are in the session time zone.

        Args:
            query: one query, optionally followed by a semicolon.
            params: values for the parameter markers of the query: by name for ``:name``, in order for ``?``. They are
                bound as typed constants and never become SQL text; lists, mappings and tuples become arrays, maps and
                rows.
            dialect: the SQL dialect of the query, as an object or a name.

        Raises:
            SqlParserException: the text cannot be parsed, or is a statement and not a query; the message has the
                position and the expected tokens.
            ValidationException: a table, column, function or type is invalid, or a marker has no value; the message
                has the position.

        >>> from tableapi import EnvironmentSettings, TableEnvironment
        >>> from tableapi.expressions import col
        >>> settings = EnvironmentSettings.new_instance().with_built_in_catalog_name("memory").build()
        >>> te = TableEnvironment.create(settings)
        >>> te.create_temporary_view("orders", te.from_elements([(1, "a"), (2, "b")], ["id", "name"]))
        >>> named = te.sql_query("SELECT id, upper(name) AS name FROM orders WHERE id > :least", {"least": 1})
        >>> print(named.select(col("name")).as_serializable_string())
        SELECT `name`
        FROM (
            SELECT `id`, UPPER(`name`) AS `name`
            FROM (
                SELECT `id`, `name`
                FROM (
                    SELECT `id`, `name`
                    FROM `orders`
                )
                WHERE `id` > 1
            )
        )
        """
        operation, names = self._parts.reader.query(query, params, dialect)
        return self._table(operation, names)

    def from_view_definition(self, path: str) -> Table:
        """Return the query that defines a view; ``from_path`` returns a table that reads the view.

        The text of a stored view is resolved with the catalog, database and settings under which it was stored, and
        without temporary objects. Views stored by other tools are supported.

        Args:
            path: the name of a temporary or stored view.

        Raises:
            TableNotExistException: the view does not exist.
            ValidationException: the name refers to a table; the text cannot be parsed as a query, where the message
                has the position; or the view was stored under settings that change its meaning, each of which is
                named.
        """
        operation, names = self._parts.reader.view_definition(path)
        return self._table(operation, names)

    def from_tree_json(self, text: str) -> Table:
        """Return the query of a JSON document that ``Table.to_tree_json`` or another program wrote.

        Every call, reference and type is checked as in a newly built query. User-defined functions are found by
        their paths in this environment. Tables have the columns that the document says, and are looked up when the
        query runs. The page ``tree-json`` of the documentation describes documents.

        >>> from tableapi import TableEnvironment
        >>> env = TableEnvironment.create()
        >>> document = env.sql_query("SELECT DAYNAME(DATE '2024-02-29') AS day").to_tree_json()
        >>> env.from_tree_json(document).get_resolved_schema()
        (`day` STRING NOT NULL)

        Args:
            text: the document.

        Raises:
            TreeJsonException: the text is not such a document, its version is unknown, or its query is invalid. The
                exception has the place in the document as a JSON pointer.
        """
        document = tree_reading.read_tree(text, self._find_by_path)
        return self._table(document.operation, document.names)

    def _find_by_path(self, path: tuple[str, ...]) -> FunctionDefinition:
        return self._parts.lookup.find(path[0] if len(path) == 1 else path)

    # --- statements ---------------------------------------------------------------------------------------------------

    def sql_statement(self, stmt: str, *, dialect: Dialect | DialectName = Dialect.SPARK) -> TableStatement:
        """Return the statement of a text that declares, changes or drops a table, or changes its rows.

        Nothing is executed; the statement is checked, and can be printed and executed.

        Args:
            stmt: one statement, optionally followed by a semicolon.
            dialect: the SQL dialect of the statement, as an object or a name.

        Raises:
            SqlParserException: the text cannot be parsed, or is a query or another statement; the message has the
                position and the expected tokens.
            ValidationException: a name or a type is invalid; the message has the position.

        >>> from tableapi import EnvironmentSettings, TableEnvironment
        >>> settings = EnvironmentSettings.new_instance().with_built_in_catalog_name("memory").build()
        >>> te = TableEnvironment.create(settings)
        >>> te.sql_statement("TRUNCATE TABLE sales.orders")
        TableStatement: TruncateTable: (table: [memory.sales.orders])
        """
        return self._sql.statement(stmt, Dialect.of(dialect))

    def merge_into(
        self, path: str, source: Table | str, *, on: str | Sequence[str] | row_statements.Condition
    ) -> row_statements.MergeStatement:
        """Begin a statement that changes the rows of a table by the rows of a source.

        >>> from tableapi import EnvironmentSettings, TableEnvironment
        >>> from tableapi.expressions import col
        >>> settings = EnvironmentSettings.new_instance().with_built_in_catalog_name("memory").build()
        >>> te = TableEnvironment.create(settings)
        >>> orders = te.declare("orders", {"id": "BIGINT NOT NULL", "amount": "DECIMAL(10, 2)"})
        >>> updates = te.declare("updates", {"id": "BIGINT NOT NULL", "amount": "DECIMAL(10, 2)"})
        >>> merge = (
        ...     te.merge_into("orders", updates, on="id")
        ...     .when_matched(lambda target, source: source.amount.is_null)
        ...     .delete()
        ...     .when_matched()
        ...     .update(amount=lambda target, source: target.amount + source.amount)
        ...     .when_not_matched()
        ...     .insert_all()
        ... )
        >>> print(merge.as_serializable_string())
        MERGE INTO `memory`.`default_database`.`orders` AS `target`
        USING `memory`.`default_database`.`updates` AS `source`
        ON `target`.`id` = `source`.`id`
        WHEN MATCHED AND `source`.`amount` IS NULL THEN DELETE
        WHEN MATCHED THEN UPDATE SET
          `target`.`amount` = `target`.`amount` + `source`.`amount`
        WHEN NOT MATCHED THEN INSERT *

        Args:
            path: the table.
            source: a table, or the name of one.
            on: the columns that are equal in rows that match; or a condition, over names that only one of the two has
                or as a function of both rows. A string is the name of a column, and not SQL.

        Raises:
            TableNotExistException: there is no such table.
            ValidationException: the condition is invalid.
        """
        return row_statements.merge_into(self._parts, self._sql.commands, path, source, on)

    def update(self, path: str) -> row_statements.UpdateStatement:
        """Begin a statement that gives columns new values: ``te.update("t").set(a=1).where(col("b") > 2)``.

        Raises:
            TableNotExistException: there is no such table.
        """
        return row_statements.update(self._parts, self._sql.commands, path)

    def delete_from(self, path: str) -> row_statements.DeleteStatement:
        """Begin a statement that deletes rows: ``te.delete_from("t").where(col("a").is_null)``.

        Raises:
            TableNotExistException: there is no such table.
        """
        return row_statements.delete_from(self._parts, self._sql.commands, path)

    def alter_table(self, path: str) -> TableAlteration:
        """Return the alteration of a table, to which methods add changes, and which ``execute`` performs.

        Args:
            path: the name of the table, by default in the current catalog and database.

        Raises:
            TableNotExistException: there is no such table; the message suggests the nearest name.
            ValidationException: the name is that of a view or of a temporary object.

        >>> from tableapi import EnvironmentSettings, TableEnvironment
        >>> settings = EnvironmentSettings.new_instance().with_built_in_catalog_name("memory").build()
        >>> te = TableEnvironment.create(settings)
        >>> _ = te.declare("orders", {"id": "BIGINT", "amount": "INT"})
        >>> wider = te.alter_table("orders").change_column_type("amount", "BIGINT")
        >>> wider.add_column("day", "DATE", after="id").execute()
        OK
        >>> te.from_path("orders").get_resolved_schema()
        (`id` BIGINT, `day` DATE, `amount` BIGINT)
        """
        return self._sql.alteration(path)

    def table_statement(
        self,
        path: str,
        descriptor: TableDescriptor | None = None,
        query: Table | None = None,
        *,
        ignore_if_exists: bool = False,
        or_replace: bool = False,
    ) -> TableStatement:
        """Return the statement that creates a table, without executing it; or that of an existing table.

        Args:
            path: the name, by default in the current catalog and database.
            descriptor: the connector, the format and the columns; None for the table that has the name.
            query: the rows of the table, whose columns it gets: CREATE TABLE AS SELECT. The descriptor has no schema.
            ignore_if_exists: whether to keep an existing table of the name.
            or_replace: whether to replace an existing table of the name.

        Raises:
            ValidationException: an expression or a name in the descriptor is invalid.
            TableNotExistException: there is no table of the name, and neither a descriptor nor a query was given.
            CatalogException: the name is that of a view, or of a table with rows of its own.

        >>> from tableapi import EnvironmentSettings, Schema, TableDescriptor, TableEnvironment
        >>> settings = EnvironmentSettings.new_instance().with_built_in_catalog_name("memory").build()
        >>> te = TableEnvironment.create(settings)
        >>> people = TableDescriptor.for_connector("filesystem").schema(Schema.of({"id": "INT"})).format("csv").build()
        >>> te.table_statement("sales.people", people)
        TableStatement: CreateTable: (table: [memory.sales.people], columns: [id INT])
        """
        operation = None if query is None else own_query(self._parts, query, "table_statement").operation
        name, by = _name(path, "table_statement"), {"ignore_if_exists": ignore_if_exists, "or_replace": or_replace}
        return self._sql.table_statement(name, descriptor, operation, **by)

    def execute_sql(self, stmt: str) -> TableResult:
        """Run a statement in the current catalog and database of this environment.

        This environment itself executes queries, INSERT, statement sets, EXPLAIN, USE, SET, SHOW, DESCRIBE and the
        statements that create, alter and drop views, databases and catalogs, in the same way as its methods, also for
        temporary views and its own catalogs. Statements about tables, such as MERGE and ALTER TABLE, are
        checked first. Any other statement is passed to Spark unchanged. A query or statement that calls an unknown
        function is passed to Spark, too, if Spark may have the function.

        Args:
            stmt: one statement, optionally followed by a semicolon.

        Returns:
            The rows of a query; -1 for each written table; ``OK`` if the statement returns nothing.

        Raises:
            SqlParserException: a statement that this environment executes cannot be parsed, or there are several
                statements.
            TableException: the statement is invalid or fails; for an error of Spark, the message has its condition and
                SQLSTATE.

        >>> from tableapi import EnvironmentSettings, TableEnvironment
        >>> settings = EnvironmentSettings.new_instance().with_built_in_catalog_name("memory").build()
        >>> te = TableEnvironment.create(settings)
        >>> te.execute_sql("CREATE VIEW answers (a) AS SELECT 42").print()
        OK
        >>> te.execute_sql("SHOW VIEWS LIKE 'ans*'").print()
        +------------------+----------+-------------+
        | namespace        | viewName | isTemporary |
        +------------------+----------+-------------+
        | default_database | answers  | FALSE       |
        +------------------+----------+-------------+
        1 row in set
        """
        return self._sql.execute(stmt)

    def execute_script(self, script: str) -> ScriptResults:
        """Return an iterator that executes the statements of a script, each when its result is requested.

        Statements are separated by semicolons; a block from BEGIN to END is one statement. All statements that this
        environment executes itself are parsed before the first one runs, so a syntax error stops the whole script.
        Positions in errors refer to the script. Nothing is executed after a failure.

        Args:
            script: statements as in ``execute_sql``.

        Raises:
            SqlParserException: a statement cannot be parsed; none is executed.
            ValidationException: the script has no statement.

        >>> from tableapi import EnvironmentSettings, TableEnvironment
        >>> settings = EnvironmentSettings.new_instance().with_built_in_catalog_name("memory").build()
        >>> te = TableEnvironment.create(settings)
        >>> te.execute_script("CREATE DATABASE sales; USE sales; CREATE VIEW one (n) AS SELECT 1").wait()
        >>> te.list_views()
        ['one']
        """
        return scripts.read_script(script, self._sql)

    def explain_sql(self, stmt: str, *extra_details: ExplainDetail) -> str:
        """Return the explanation of a query or an insert, without running it.

        For any other statement, it consists of the text and, if the session already runs, Spark's plan.

        Raises:
            TableException: the statement is invalid.
        """
        return self._sql.explain(stmt, explain_details.check_details(extra_details))

    def create_statement_set(self) -> statement_set.StatementSet:
        """Return an empty set of inserts, which are all checked before the first one writes."""
        return statement_set.StatementSet(self._parts, self._sql)

    def streams(self) -> list[TableResult]:
        """Return the queries over streams that this environment has started and that still run.

        PyFlink has no such method.

        >>> from tableapi import TableEnvironment
        >>> TableEnvironment.create().streams()
        []
        """
        return [results.TableResult.of_sinks([running.name], [running]) for running in self._parts.runtime.streams]

    # --- session ------------------------------------------------------------------------------------------------------

    def get_config(self) -> TableConfig:
        """Return the mutable configuration."""
        return self._parts.runtime.config

    @property
    def spark(self) -> SparkSession:
        """The Spark session that runs the queries, started on first use."""
        return self._parts.runtime.execution.session

    def clear_cache(self) -> None:
        """Remove the rows of all cached tables of this environment from Spark's cache.

        Raises:
            TableException: Spark fails.
        """
        if self._parts.runtime.started is not None:
            self._parts.runtime.started.cached.clear()

    def close(self) -> None:
        """Stop the embedded session of this environment, which other environments may share.

        Then another process can use the metastore. A session that the user supplied keeps running. The environment
        remains usable and starts another session when needed.
        """
        self._parts.runtime.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"TableEnvironment({', '.join(f'{name}: {value}' for name, value in self._described().items())})"

    def _repr_html_(self) -> str:
        return rendering.environment_html(self._described())

    def _described(self) -> dict[str, str]:
        try:
            catalog, database = self._parts.runtime.manager.known_namespace
        except TableException:
            # The session was stopped; the environment can still be shown.
            catalog = database = "unknown"
        session = "the one that was given" if self._parts.runtime.has_given_session else "runs"
        return {
            "catalog": catalog,
            "database": database,
            "temporary views": str(len(self._parts.runtime.manager.temporary_views())),
            "Spark session": "not started" if self._parts.runtime.started is None else session,
        }

    # --- internals ----------------------------------------------------------------------------------------------------

    def _replaces(self, path: str) -> bool:
        """Whether a new temporary view or table replaces the one of its name, because somebody ran a cell again."""
        return prompts.is_interactive() and self._parts.runtime.manager.temporary_at(path) is not None

    def _describe_changes(self, old: str, new: QueryOperation) -> str | None:
        """Describe what changed between a query, given as SQL, and another one; None if the SQL cannot be read."""
        try:
            return str(query_diffs.diff(self.sql_query(old), new))
        except TableException:
            return None

    def _table(self, operation: QueryOperation, names: RelationNames = NO_NAMES) -> Table:
        return Table(Query(operation, self._parts, names))


def _name(given: Any, method: str) -> str:
    if not isinstance(given, str) or not given:
        raise ValidationException(f"{method} takes a name, but was given {given!r}.")
    return given


def parts_of(environment: TableEnvironment) -> EnvironmentParts:
    """Return the catalogs, the session and the readers of an environment, for the tools around it."""
    return environment._parts


def _row_type(schema: Any) -> Any:
    """Return the ROW type of columns with types, and anything else unchanged; names alone load no schema."""
    if schema is None or (isinstance(schema, list | tuple) and all(isinstance(name, str) for name in schema)):
        return schema
    return schemas.row_type_of(schema)
