"""The environment of queries: catalogs, temporary views, configuration and the Spark session that runs them."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from ir.errors import TableException, ValidationException
from ir.operations.operation import QueryOperation
from ir.relation_names import NO_NAMES, RelationNames
from ir.rendering import Dialect, DialectName
from tableapi.advice.copies import NotSent
from tableapi.advice.refusals import refuses
from tableapi.catalog.catalog import Catalog
from tableapi.catalog.descriptor import CatalogDescriptor, make_catalog
from tableapi.data.elements import table_of_elements
from tableapi.environment.environment_functions import EnvironmentFunctions
from tableapi.environment_settings import EnvironmentSettings, TableConfig
from tableapi.explain_detail import ExplainDetail, check_details
from tableapi.lazy import lazy
from tableapi.queries.environment_parts import EnvironmentParts
from tableapi.queries.query import Query
from tableapi.queries.runtime import Runtime
from tableapi.queries.tables import read_options
from tableapi.result import TableResult
from tableapi.table import Table, own_query
from tableapi.tracebacks import boundaries
from tableapi.unknown_members import AdvisesOnMembers

if TYPE_CHECKING:
    import pathlib
    from pathlib import Path

    import pandas
    import pyarrow
    from pyspark.sql import DataFrame, SparkSession

    from ir.types import RowType
    from tableapi import statement_set
    from tableapi.catalog import declared_tables
    from tableapi.data import arrow
    from tableapi.display import shown
    from tableapi.environment import calls_of_tables
    from tableapi.schema import Columns
    from tableapi.statements import script as scripts
    from tableapi.statements import sql_statements
    from tableapi.statements.script import ScriptResults
    from tableapi.table_descriptor import TableDescriptor
    from tableapi.types import DataType
    from tableapi.user_functions.wrapper import TableCallable
else:
    sql_statements = lazy(__name__, "tableapi.statements.sql_statements")
    arrow = lazy(__name__, "tableapi.data.arrow")
    calls_of_tables = lazy(__name__, "tableapi.environment.calls_of_tables")
    declared_tables = lazy(__name__, "tableapi.catalog.declared_tables")
    scripts = lazy(__name__, "tableapi.statements.script")
    statement_set = lazy(__name__, "tableapi.statement_set")
    shown = lazy(__name__, "tableapi.display.shown")
    pathlib = lazy(__name__, "pathlib")

__all__ = ["TableEnvironment"]


@boundaries
@refuses
class TableEnvironment(AdvisesOnMembers, EnvironmentFunctions, NotSent):
    """Where tables come from and where queries run.

    Made with ``TableEnvironment.create``. A query is built, typed and printed without Spark as long as it reads only
    temporary views and in-memory catalogs; the session starts when something needs it.
    """

    _receiver = "environment"
    _instead = (
        "It holds catalogs and the Spark session of this process. Create another one with TableEnvironment.create()."
    )

    def __init__(self, settings: EnvironmentSettings, session: SparkSession | None, warehouse: Path | None) -> None:
        runtime = Runtime(settings, session, warehouse)
        self._parts = EnvironmentParts(self, runtime)
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
    ) -> TableEnvironment:
        """Return a new environment.

        Args:
            environment_settings: batch mode in the Spark session's catalog, where none are given.
            spark: the session that runs the queries, classic or Connect. Without one, an embedded local session
                starts on first use. Names without a database are found where the session is at the time, until
                ``use_database``, ``use_catalog`` or ``USE`` in ``execute_sql`` chooses another place.
            warehouse: the directory in which the embedded session keeps tables and views, ``TABLEAPI_HOME`` or the
                user's data directory by default.

        Raises:
            ValidationException: ``spark`` has settings that change what queries mean; each is named.
        """
        if spark is not None and warehouse is not None:
            raise ValidationException("warehouse is for the embedded session; a session that is given has its own.")
        settings = environment_settings or EnvironmentSettings.in_batch_mode()
        if warehouse is not None:
            warehouse = pathlib.Path(warehouse)
        return TableEnvironment(settings, spark, warehouse)

    # --- tables -------------------------------------------------------------------------------------------------------

    def from_path(
        self,
        path: str,
        *,
        version: int | str | None = None,
        timestamp: dt.datetime | None = None,
        options: Mapping[str, str] | None = None,
    ) -> Table:
        """Return the table that reads a temporary view, a table or view of a catalog, or files.

        Args:
            path: ``name``, ``database.name`` or ``catalog.database.name``; a part may be quoted with back-quotes. Where
                there is no database of the name of a format, ``csv.`/a/path` `` means files, as in SQL.
            version: read the table as it was at this version, where the catalog keeps versions.
            timestamp: read the table as it was at this time, in the session time zone where it has none.
            options: how Spark's reader is to read the table here, before the table's own options; a view has none, and
                takes no notice of them.

        Raises:
            TableNotExistException: there is none; the message suggests the nearest name.
            TableException: the catalog keeps no versions of the table, or its tables take no options.
            ValidationException: a key or a value of the options is no text.
        """
        given = read_options(options)
        if version is not None or timestamp is not None:
            return self._table(self._parts.tables.source_as_of(path, version, timestamp, given))
        return self._table(self._parts.tables.source(path, given))

    def from_descriptor(self, descriptor: TableDescriptor) -> Table:
        """Return a table of the rows in files, which has no name; its query cannot be serialised.

        Args:
            descriptor: where the files are, their format and their columns.

        Raises:
            ValidationException: the description has no schema or no path, or is wrong.
            TableException: its connector, format or a type in it is not supported.
        """
        return self._table(self._parts.tables.of_descriptor(descriptor))

    def from_operation(self, operation: QueryOperation) -> Table:
        """Return the table of a query, such as one that was made or pickled elsewhere.

        >>> import pickle
        >>> from tableapi import TableEnvironment
        >>> from tableapi.expressions import col
        >>> numbers = TableEnvironment.create().from_elements([(1,), (2,)], ["n"])
        >>> sent = pickle.dumps(numbers.filter(col("n") > 1))
        >>> TableEnvironment.create().from_operation(pickle.loads(sent)).get_schema().get_field_names()
        ['n']

        Args:
            operation: the tree of operations: ``Table.query_operation``, or what a pickled table becomes. The tables in
                it are those that this environment has by their paths.

        Raises:
            ValidationException: it is no query.
        """
        if not isinstance(operation, QueryOperation):
            raise ValidationException(
                f"from_operation takes a query, such as table.query_operation, but was given {operation!r}."
            )
        return self._table(operation)

    def from_elements(
        self, elements: Iterable[Any], schema: DataType | Sequence[str] | None = None, verify_schema: bool = True
    ) -> Table:
        """Return a table of rows that are written out.

        Args:
            elements: the rows: tuples, lists, Rows, mappings, objects with fields, or single values of one column.
                Expressions may stand for rows, as ``row(1, "a")``, and for values; they read no columns.
            schema: a ROW type, a type of one column, the text of such a type, or names of columns whose types the
                values suggest.
            verify_schema: whether values must fit the types, which they must in any case.

        Raises:
            ValidationException: a value does not fit; the message names row and column.
        """
        return self._table(table_of_elements(elements, schema, self._parts.runtime.lookup))

    def from_pandas(
        self, pdf: pandas.DataFrame, schema: RowType | Sequence[str] | None = None, splits_num: int = 1
    ) -> Table:
        """Return a table of the rows of a pandas DataFrame, which this process holds.

        Args:
            pdf: the rows.
            schema: a ROW type or its text, the names of the columns, or their types; by default the frame's own.
            splits_num: has no effect: Spark divides the rows by itself.

        Raises:
            ValidationException: a column has a type that queries cannot have, or does not fit the schema.
        """
        return self._table(arrow.source_of_pandas(pdf, schema))

    def from_arrow(self, data: pyarrow.Table) -> Table:
        """Return a table of the rows of an Arrow table, which this process holds."""
        return self._table(arrow.source_of_arrow(data))

    def from_spark(self, dataframe: DataFrame) -> Table:
        """Return a table of the rows of a DataFrame of this environment's session.

        One that streams may be given, too: ``to_spark`` of a query over it gives a DataFrame that streams.

        Raises:
            ValidationException: it is of another session, or has a column whose type queries cannot have.
        """
        return self._table(self._parts.tables.of_dataframe(dataframe))

    def from_call(self, f: TableCallable, /, *arguments: Any, **named: Any) -> Table:
        """Return the table that a process table function gives, or Flink's TUMBLE, HOP, CUMULATE or SESSION.

        >>> from tableapi import TableEnvironment
        >>> from tableapi.expressions import descriptor, lit
        >>> env = TableEnvironment.create()
        >>> clicks = env.sql_query("SELECT 'a' AS page, TIMESTAMP_NTZ '2024-01-01 10:04:30' AS ts")
        >>> env.from_call("TUMBLE", clicks, descriptor("ts"), SIZE=lit(10).minutes).get_resolved_schema().names
        ('page', 'ts', 'window_start', 'window_end', 'window_time')

        Args:
            f: its name or path; or its class, which derives from ProcessTableFunction, or an instance of that; or a
                whole ``call(…)`` of it.
            arguments: its arguments: tables, ``table.partition_by(…)``, expressions or constants; each may have a name
                by ``as_argument``.
            named: arguments by their names; ``on_time`` and ``uid``, which every function has, are among them.

        Raises:
            FunctionNotExistException: no function has the name.
            ValidationException: it is no process table function, or the call is wrong.
            TableException: the call is not supported.
        """
        return self._table(calls_of_tables.called(self._parts, f, arguments, named))

    # --- making tables ------------------------------------------------------------------------------------------------

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
        """Declare the columns of a table, and return the table, without starting Spark.

        Queries over it are built, typed and printed. In an environment of Spark's catalog the name is that of a table
        of the session: it is looked for when a query first runs, and has to have the declared columns. It may have
        others, too. In a catalog in memory or in a directory, the table has no rows.

        >>> from tableapi import TableEnvironment
        >>> from tableapi.expressions import col
        >>> te = TableEnvironment.create()
        >>> orders = te.declare("sales.orders", {"id": "BIGINT NOT NULL", "amount": "DECIMAL(10, 2)"})
        >>> print(orders.select(col("amount").sum.alias("total")).as_serializable_string(layout="MERGED"))
        SELECT SUM(`amount`) AS `total`
        FROM `spark_catalog`.`sales`.`orders`

        Args:
            path: its name, in the current catalog and database where it has none; a database in memory is made for it.
            columns: names with types, which may be text in the spelling of ``Schema.column``; one text of all columns;
                a ``Schema``, a ROW type, or a schema of Arrow or of PySpark.
            comment: what the table is.
            column_comments: what columns are, by their names.
            primary_key: the columns that tell rows apart; nothing enforces it.
            partitioned_by: the columns by which the rows are divided.
            or_replace: replace an earlier declaration of the name.
            ignore_if_exists: leave an earlier declaration of the name as it is.

        Raises:
            SqlParserException: the text of a type cannot be read; the message names the column.
            TableAlreadyExistException: the name is taken, or declared with other columns.
            ValidationException: the columns are none, or a running session has a table of the name with others.
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
        """Give files a name that lasts as long as the environment; they may be read and written.

        Args:
            path: the name; temporary tables are in no database.
            descriptor: where the files are, their format and their columns.
            ignore_if_exists: leave an existing temporary table or view of the name as it is.
            ignoreIfExists: PyFlink's name for ``ignore_if_exists``.

        Raises:
            TableAlreadyExistException: the name is taken.
            ValidationException: the name has a database, or the description is wrong.
            TableException: its connector, format or a type in it is not supported.
        """
        self._parts.tables.create_temporary_table(path, descriptor, bool(ignore_if_exists or ignoreIfExists))

    def create_table(
        self,
        path: str,
        descriptor: TableDescriptor,
        ignore_if_exists: bool | None = False,
        *,
        ignoreIfExists: bool = False,
    ) -> None:
        """Make a table of a catalog; in the Spark session's catalog it is one that every Spark program reads.

        Args:
            path: its name, in the current catalog and database where it has none.
            descriptor: where the files are (by default in the warehouse), their format and their columns.
            ignore_if_exists: leave an existing table of the name as it is.
            ignoreIfExists: PyFlink's name for ``ignore_if_exists``.

        Raises:
            TableAlreadyExistException: the name is taken.
            ValidationException: the catalog cannot hold the name, or the description is wrong.
            TableException: its connector, format or a type in it is not supported; or it has computed columns, which
                tables of Spark's catalog have not.
        """
        self._parts.tables.create_table(path, descriptor, bool(ignore_if_exists or ignoreIfExists))

    def create_table_as(
        self,
        path: str,
        table: Table,
        descriptor: TableDescriptor | None = None,
        *,
        or_replace: bool = False,
        ignore_if_exists: bool = False,
    ) -> TableResult:
        """Make a table of a catalog that has the columns and the rows of a query.

        Args:
            path: its name, in the current catalog and database where it has none.
            table: the query.
            descriptor: where the files are and their format, without a schema; by default parquet in the warehouse.
            or_replace: replace an existing table, where the catalog can do that in one step.
            ignore_if_exists: leave an existing table of the name as it is.

        Raises:
            TableAlreadyExistException: the name is taken.
            TableException: the query failed, or the catalog cannot replace a table.
        """
        operation = own_query(self._parts, table, "create_table_as").operation
        return self._parts.statements.create_table_as(
            operation, path, descriptor, or_replace=or_replace, ignore_if_exists=ignore_if_exists
        )

    # --- views --------------------------------------------------------------------------------------------------------

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
        query = own_query(self._parts, table_or_data_stream, "create_temporary_view")
        operation = query.operation
        if fields_or_schema:
            operation = table_or_data_stream.alias(*fields_or_schema).query_operation
        with query.naming():
            self._parts.tables.create_temporary_view(view_path, operation)

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
        """Drop a permanent view, and return whether there was one.

        Raises:
            TableNotExistException: there is none, and ``ignore_if_not_exists`` is False.
        """
        return self._parts.tables.drop(view_path, ignore_if_not_exists, "drop_view")

    def drop_table(self, table_path: str, ignore_if_not_exists: bool = True) -> bool:
        """Drop a table, and return whether there was one.

        Raises:
            TableNotExistException: there is none, and ``ignore_if_not_exists`` is False.
        """
        return self._parts.tables.drop(table_path, ignore_if_not_exists, "drop_table")

    def drop_temporary_view(self, view_path: str) -> bool:
        """Drop a temporary view, and return whether there was one."""
        return self._parts.tables.drop_temporary(view_path)

    def drop_temporary_table(self, table_path: str) -> bool:
        """Drop a temporary table, and return whether there was one; its files stay."""
        return self._parts.tables.drop_temporary(table_path)

    def show_create_view(self, view_path: str) -> str:
        """Return the statement that makes a permanent view again, with its comments, properties and settings.

        The names of tables and functions in it are complete, so that it means the same wherever it is executed. The
        settings are comments at its head.

        Raises:
            TableNotExistException: there is no such view.
            CatalogException: it is a table; or its text is not in the grammar, so that names in it stay incomplete.
        """
        return self._parts.tables.show_create_view(view_path)

    # --- catalogs and databases ---------------------------------------------------------------------------------------

    def list_views(self) -> list[str]:
        """Return the names of the views of the current database and of the temporary views, sorted."""
        catalog = self._parts.runtime.manager.catalog(self.get_current_catalog())
        return sorted({*catalog.list_views(self.get_current_database()), *self.list_temporary_views()})

    def list_tables(self) -> list[str]:
        """Return the names of the tables and views of the current database and of the temporary views, sorted."""
        catalog = self._parts.runtime.manager.catalog(self.get_current_catalog())
        return sorted({*catalog.list_tables(self.get_current_database()), *self.list_temporary_tables()})

    def list_temporary_views(self) -> list[str]:
        """Return the names of the temporary views, sorted."""
        return sorted(view.name for view in self._parts.runtime.manager.temporary_views() if view.files is None)

    def list_temporary_tables(self) -> list[str]:
        """Return the names of the temporary tables and views, sorted."""
        return sorted(view.name for view in self._parts.runtime.manager.temporary_views())

    def list_catalogs(self) -> list[str]:
        """Return the sorted names of the catalogs."""
        return self._parts.runtime.manager.list_catalogs()

    def list_databases(self) -> list[str]:
        """Return the names of the databases of the current catalog, sorted."""
        return self._parts.runtime.manager.catalog(self.get_current_catalog()).list_databases()

    def create_catalog(self, catalog_name: str, catalog_descriptor: CatalogDescriptor) -> None:
        """Make a catalog of a description, and make it known under a name.

        Args:
            catalog_name: the name.
            catalog_descriptor: the type and the options: a catalog in memory, or in a directory.

        Raises:
            CatalogException: the name is taken.
            TableException: there is no such type of catalogs.
            ValidationException: an option is missing, or is none of the type.

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
        if not isinstance(catalog_descriptor, CatalogDescriptor):
            raise ValidationException(
                f"create_catalog takes a CatalogDescriptor, but was given {catalog_descriptor!r}. Make one with "
                "CatalogDescriptor.of(name, options), or give a Catalog to register_catalog."
            )
        manager = self._parts.runtime.manager
        manager.refuse_taken(_name(catalog_name, "create_catalog"))
        manager.register(catalog_name, make_catalog(catalog_name, catalog_descriptor.get_configuration()))

    def register_catalog(self, catalog_name: str, catalog: Catalog) -> None:
        """Make a catalog known under a name: an InMemoryCatalog, a DirectoryCatalog, or one of your own.

        Raises:
            CatalogException: the name is taken.
            ValidationException: the name is no text or is empty, or what is given is no catalog.
        """
        if not isinstance(catalog, Catalog):
            raise ValidationException(
                f"register_catalog takes a Catalog, such as InMemoryCatalog({catalog_name!r}), but was given "
                f"{catalog!r}."
            )
        self._parts.runtime.manager.register(_name(catalog_name, "register_catalog"), catalog)

    def get_catalog(self, catalog_name: str) -> Catalog:
        """Return the catalog with a name.

        Raises:
            CatalogNotExistException: there is none.
            ValidationException: the name is no text.
        """
        return self._parts.runtime.manager.catalog(_name(catalog_name, "get_catalog"))

    def get_current_catalog(self) -> str:
        """Return the name of the current catalog, the Spark session's until the program chooses one here."""
        return self._parts.runtime.manager.current_catalog

    def use_catalog(self, catalog_name: str) -> None:
        """Make a catalog the current one, with its default database; the Spark session stays where it is.

        Raises:
            CatalogNotExistException: the catalog does not exist.
            ValidationException: the name is no text.
        """
        self._parts.runtime.manager.use_catalog(_name(catalog_name, "use_catalog"))

    def get_current_database(self) -> str:
        """Return the name of the current database, the Spark session's until the program chooses one here.

        Raises:
            ValidationException: the current namespace of the session has no part or several, and is no database.
        """
        return self._parts.runtime.manager.current_database

    def use_database(self, database_name: str) -> None:
        """Make a database of the current catalog the current one; the Spark session stays where it is.

        Raises:
            DatabaseNotExistException: the catalog has none of this name.
            ValidationException: the name is no text.
        """
        self._parts.runtime.manager.use_database(_name(database_name, "use_database"))

    # --- queries as text ----------------------------------------------------------------------------------------------

    def sql_query(
        self,
        query: str,
        params: Mapping[str, Any] | Sequence[Any] | None = None,
        *,
        dialect: Dialect | DialectName = Dialect.SPARK,
    ) -> Table:
        """Return the table that a query written in SQL gives; it is the same as the fluent one of the same meaning.

        The tables in it are those that ``from_path`` finds, its times without a zone are in the session time zone.

        Args:
            query: one query; a semicolon may follow it.
            params: values for the markers in the query: by name for ``:name``, in order for ``?``. They are bound as
                typed constants and never become text; lists, mappings and tuples are arrays, maps and rows.
            dialect: the SQL that the query is written in; a dialect, or the name of one.

        Raises:
            SqlParserException: the text does not parse, or is a statement and no query; the message says where, and
                what was expected.
            ValidationException: a table, column, function or type in it is wrong, or a marker has no value; the message
                says where.

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
        """Return the query that a view was made of, where ``from_path`` returns the table that the view is.

        The text of a stored view is read with the catalog, database and settings that it was stored under, and nothing
        temporary is found in it. Views that other tools have stored are read as well.

        Args:
            path: the name of a temporary or stored view.

        Raises:
            TableNotExistException: there is no view of this name.
            ValidationException: it is a table; its text cannot be read as a query, which the message says with the
                place; or it was stored under settings by which it means something else, each of which is named.
        """
        operation, names = self._parts.reader.view_definition(path)
        return self._table(operation, names)

    # --- statements ---------------------------------------------------------------------------------------------------

    def execute_sql(self, stmt: str) -> TableResult:
        """Run a statement in the current catalog and database of this environment.

        Queries, INSERT, statement sets, EXPLAIN, USE, SET, SHOW, DESCRIBE, and what makes, changes and drops views,
        databases and catalogs are executed by this environment, by the same means as its methods, over its own
        temporary views and catalogs, too. Any other statement is given to Spark unchanged; so is a query, or a
        statement with one, that names a function which Spark may have and this library has not.

        Args:
            stmt: one statement; a semicolon may follow it.

        Returns:
            The rows; -1 for each table that was written to; ``OK`` where the statement gives none.

        Raises:
            SqlParserException: a statement that this environment executes does not parse, or there are several.
            TableException: something in the statement is wrong, or it failed; the message has Spark's condition and
                SQLSTATE where Spark found it.

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
        """Return an iterator that executes the statements of a script, each when its result is asked for.

        Statements are separated by semicolons; those between BEGIN and END belong to one. Before the first is executed,
        each that this environment executes itself is read, so that a slip of the pen stops the whole script. The places
        in errors are those in the script, and nothing is executed after a failure.

        Args:
            script: statements as ``execute_sql`` takes them.

        Raises:
            SqlParserException: one of them does not parse; none is executed.
            ValidationException: the text has no statement.

        >>> from tableapi import EnvironmentSettings, TableEnvironment
        >>> settings = EnvironmentSettings.new_instance().with_built_in_catalog_name("memory").build()
        >>> te = TableEnvironment.create(settings)
        >>> te.execute_script("CREATE DATABASE sales; USE sales; CREATE VIEW one (n) AS SELECT 1").wait()
        >>> te.list_views()
        ['one']
        """
        return scripts.read_script(script, self._sql)

    def explain_sql(self, stmt: str, *extra_details: ExplainDetail) -> str:
        """Return what ``explain`` says of a query or an insert, without running it.

        Of any other statement it is the text and, where the session runs already, Spark's plan.

        Raises:
            TableException: the statement is wrong.
        """
        return self._sql.explain(stmt, check_details(extra_details))

    def create_statement_set(self) -> statement_set.StatementSet:
        """Return an empty set of inserts that are checked together before the first of them writes."""
        return statement_set.StatementSet(self._parts, self._sql)

    # --- session ------------------------------------------------------------------------------------------------------

    def get_config(self) -> TableConfig:
        """Return the configuration, which may be changed."""
        return self._parts.runtime.config

    @property
    def spark(self) -> SparkSession:
        """The Spark session that runs the queries; it is started where it does not run yet."""
        return self._parts.runtime.execution.session

    def clear_cache(self) -> None:
        """Have Spark forget the rows of all tables of this environment that ``Table.cache`` keeps.

        Raises:
            TableException: Spark refuses.
        """
        if self._parts.runtime.started is not None:
            self._parts.runtime.started.cached.clear()

    def close(self) -> None:
        """End what this environment started: its embedded session, and with it those of other environments.

        The metastore is free for another process then. A session that was given stays as it is. The environment may be
        used again, and starts another session.
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
        return shown.environment_html(self._described())

    def _described(self) -> dict[str, str]:
        try:
            catalog, database = self._parts.runtime.manager.known_namespace
        except TableException:
            # The session was stopped; its environment can be shown all the same.
            catalog = database = "unknown"
        session = "the one that was given" if self._parts.runtime.has_given_session else "runs"
        return {
            "catalog": catalog,
            "database": database,
            "temporary views": str(len(self._parts.runtime.manager.temporary_views())),
            "Spark session": "not started" if self._parts.runtime.started is None else session,
        }

    # --- internals ----------------------------------------------------------------------------------------------------

    def _table(self, operation: QueryOperation, names: RelationNames = NO_NAMES) -> Table:
        return Table(Query(operation, self._parts, names))


def _name(given: Any, method: str) -> str:
    if not isinstance(given, str) or not given:
        raise ValidationException(f"{method} takes a name, but was given {given!r}.")
    return given
