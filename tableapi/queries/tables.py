"""Tables and views of an environment: look them up, create and drop them."""

from __future__ import annotations

import datetime as dt
import os
from collections.abc import Mapping
from types import MappingProxyType

from ir import light_attrs as attrs
from ir.errors import (
    DatabaseNotExistException,
    TableAlreadyExistException,
    TableException,
    TableNotExistException,
    ValidationException,
)
from ir.expressions import Expression, ValueLiteral
from ir.identifiers import ObjectIdentifier, fold, parse_long_path
from ir.light_typing import TYPE_CHECKING
from ir.operations.operation import QueryOperation
from ir.operations.source import CHANGE_COLUMNS, ChangeRange, InlineSource, ReadOptions, Source, StreamRead, Versions
from ir.rendering import Dialect
from ir.resolution.operations import resolve_rows, source_schema
from ir.schema import Column, ResolvedSchema
from ir.types import LogicalType
from serializer.given_names import find_given_names, use_names
from tableapi.lazy import lazy
from tableapi.queries.runtime import Runtime

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

    from grammar import reading
    from ir.commands.table_definition import TableDefinition
    from tableapi import table_descriptor
    from tableapi.catalog import catalog as catalogs
    from tableapi.catalog import manager as managers
    from tableapi.catalog import read_cache, source_comments, stream_reads, table_changes, time_zones
    from tableapi.catalog.catalog import CatalogTable
    from tableapi.data import dataframes, values
    from tableapi.declarations import declared_columns, file_options, kafka, nats, schema_definitions, stream_sinks
    from tableapi.declarations import external_tables as external
    from tableapi.declarations import file_tables as table_files
    from tableapi.declarations import streams as stream_tables
    from tableapi.declarations.external_tables import ExternalTable
    from tableapi.declarations.file_tables import DeclaredTable, FileTable
    from tableapi.display import view_statements
    from tableapi.queries import stored_dependencies
    from tableapi.schema import Schema
    from tableapi.spark import external_tables as spark_external
    from tableapi.spark import files as spark_files
    from tableapi.spark import schemas as spark_schemas
    from tableapi.spark.streaming import state_reading
    from tableapi.table_descriptor import TableDescriptor
else:
    values = lazy(__name__, "tableapi.data.values")
    dataframes = lazy(__name__, "tableapi.data.dataframes")
    time_zones = lazy(__name__, "tableapi.catalog.time_zones")
    catalogs = lazy(__name__, "tableapi.catalog.catalog")
    managers = lazy(__name__, "tableapi.catalog.manager")
    state_reading = lazy(__name__, "tableapi.spark.streaming.state_reading")
    spark_schemas = lazy(__name__, "tableapi.spark.schemas")
    file_options = lazy(__name__, "tableapi.declarations.file_options")
    kafka = lazy(__name__, "tableapi.declarations.kafka")
    nats = lazy(__name__, "tableapi.declarations.nats")
    stream_tables = lazy(__name__, "tableapi.declarations.streams")
    table_files = lazy(__name__, "tableapi.declarations.file_tables")
    reading = lazy(__name__, "grammar.reading")
    external = lazy(__name__, "tableapi.declarations.external_tables")
    stream_sinks = lazy(__name__, "tableapi.declarations.stream_sinks")
    spark_external = lazy(__name__, "tableapi.spark.external_tables")
    spark_files = lazy(__name__, "tableapi.spark.files")
    declared_columns = lazy(__name__, "tableapi.declarations.declared_columns")
    schema_definitions = lazy(__name__, "tableapi.declarations.schema_definitions")
    table_descriptor = lazy(__name__, "tableapi.table_descriptor")
    view_statements = lazy(__name__, "tableapi.display.view_statements")
    table_changes = lazy(__name__, "tableapi.catalog.table_changes")
    stream_reads = lazy(__name__, "tableapi.catalog.stream_reads")
    read_cache = lazy(__name__, "tableapi.catalog.read_cache")
    stored_dependencies = lazy(__name__, "tableapi.queries.stored_dependencies")
    source_comments = lazy(__name__, "tableapi.catalog.source_comments")

# The formats in ``format.`path```, which Spark reads unless a database has the name.
FILE_FORMATS = ("avro", "binaryfile", "csv", "delta", "json", "orc", "parquet", "text", "xml")


class Tables:
    """The tables and views of one environment."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime

    # --- reading -----------------------------------------------------------------------------------------------------

    def source(self, path: str, options: ReadOptions = ()) -> Source:
        """Return the operation that reads the relation of a path.

        Raises:
            TableNotExistException: the relation does not exist; the message suggests the nearest name.
        """
        self._runtime.require_settings()
        try:
            found = self._runtime.manager.source(path, self._runtime.foreign_temporary)
        except DatabaseNotExistException as error:
            return self.files_by_path(path, error, options)
        return self._runtime.with_options(found, options)

    def source_as_of(
        self, path: str, version: int | str | None, timestamp: dt.datetime | None, options: ReadOptions = ()
    ) -> Source:
        """Return the operation that reads a table as of a version or a time.

        Raises:
            TableException: the catalog stores no versions of the table.
            ValidationException: both are given, or one has the wrong type.
        """
        if version is not None and timestamp is not None:
            raise ValidationException("A table is read at a version or at a timestamp, not at both.")
        if version is not None and (isinstance(version, bool) or not isinstance(version, (int, str)) or version == ""):
            raise ValidationException(
                f"version takes a whole number or the name of a version, but was given {version!r}."
            )
        if timestamp is not None and not isinstance(timestamp, dt.datetime):
            raise ValidationException(f"timestamp takes a datetime, but was given {timestamp!r}.")
        self._runtime.require_settings()
        moment = None if timestamp is None else values.value_expression(timestamp)
        assert moment is None or isinstance(moment, ValueLiteral)
        return self.source_at(path, None if version is None else str(version), moment, options)

    def source_at(
        self, path: str, version: str | None, moment: ValueLiteral | None, options: ReadOptions = ()
    ) -> Source:
        """Return the operation that reads a table as of a validated version or time.

        Raises:
            TableException: the catalog stores no versions of the table.
        """
        manager = self._runtime.manager
        identifier = manager.spelled(manager.qualify_relation(path))
        try:
            is_view = manager.temporary(path) is not None or isinstance(manager.find(identifier), catalogs.CatalogView)
        except DatabaseNotExistException as error:
            return self.files_by_path(path, error, options, version, moment)
        if is_view:
            raise TableException(f"{path} is a view, which has no versions; read the tables below it at one.")
        if not self._runtime.is_in_spark(identifier):
            raise TableException(
                f"{identifier.as_summary_string()} is in the catalog {identifier.catalog}, which keeps no versions of "
                "tables."
            )
        declared = manager.declared.find(identifier)
        if declared is not None and manager.find(identifier) is declared:
            # The table is not looked up in a session before the query runs.
            return Source(identifier, source_schema(declared.schema), version, moment, options)
        now = Source(identifier, ResolvedSchema(()), version, moment, options)
        return now.evolve(schema=self._runtime.execution.schema_of_source(now))

    def changes_of(self, path: str, changes: ChangeRange, options: ReadOptions = ()) -> Source:
        """Return the operation that reads the changes of a table.

        Raises:
            ValidationException: the range ends before it begins, or an option has an invalid value.
            TableException: the catalog records no changes of the table.
        """
        table_changes.check_range(changes, options)
        manager = self._runtime.manager
        identifier = manager.spelled(manager.qualify_relation(path))
        found = None if manager.temporary(path) is not None else manager.find(identifier)
        if not isinstance(found, catalogs.CatalogTable):
            raise TableException(f"{path} is a view, which has no changes; read those of the tables below it.")
        if not self._runtime.is_in_spark(identifier):
            raise TableException(
                f"{identifier.as_summary_string()} is in the catalog {identifier.catalog}, which records no changes of "
                "tables. Tables of Delta, and those of catalogs of Spark with a change feed, have them."
            )
        if found is manager.declared.find(identifier):
            schema = ResolvedSchema((*source_schema(found.schema).columns, *CHANGE_COLUMNS))
            return Source(identifier, schema, None, None, options, changes)
        made = Source(identifier, ResolvedSchema(()), None, None, options, changes)
        return made.evolve(schema=self._runtime.execution.schema_of_source(made))

    def source_of_stream(self, path: str, name: str | None, options: ReadOptions = ()) -> Source:
        """Return the operation that reads a relation by path as a stream.

        Args:
            path: the path of the table.
            name: the name of the source, or None.
            options: options for the reader.

        Raises:
            TableNotExistException: the relation does not exist; the message suggests the nearest name.
            TableException: the relation is a view whose rows end, or files by path.
            ValidationException: the name is not a string, or is empty.
        """
        if name is not None and (not isinstance(name, str) or not name):
            raise ValidationException(f"source_name takes a name, such as 'clicks', but was given {name!r}.")
        return self.stream_of(self.source(path, options), path, StreamRead(name))

    def stream_of(self, found: QueryOperation, path: str, stream: StreamRead) -> Source:
        """Return the operation that reads a relation as a stream: ``STREAM t``.

        Args:
            found: the operation that reads the relation without STREAM.
            path: the name in the query.
            stream: how the query reads it.

        Raises:
            TableException: the relation is a view whose rows end, or files by path.
        """
        manager = self._runtime.manager
        if not isinstance(found, Source):
            raise TableException(f"{path} is no table, and STREAM reads tables alone.")
        identifier = found.identifier
        if identifier.catalog is None and identifier.database is not None and fold(identifier.database) in FILE_FORMATS:
            raise TableException(
                f"Spark reads the files of {path} by path as a table alone. Declare them as a table, which STREAM can "
                "read: CREATE TABLE … USING …, or create_temporary_table."
            )
        stored = None if identifier.is_temporary else manager.stored(identifier)
        is_table = isinstance(stored, catalogs.CatalogTable) or (
            isinstance(stored, catalogs.CatalogView) and stored.is_table
        )
        return stream_reads.read_as_stream(found, stream, path, is_table=is_table)

    def files_by_path(
        self,
        path: str,
        error: DatabaseNotExistException,
        options: ReadOptions = (),
        version: str | None = None,
        moment: ValueLiteral | None = None,
    ) -> Source:
        """Return the operation that reads files by path, as in Spark SQL.

        ``error`` reports that no database has the name of the format.

        Raises:
            DatabaseNotExistException: the path does not refer to files.
            TableException: Spark cannot read the files.
        """
        parts = parse_long_path(path)
        if len(parts) != 2 or fold(parts[0]) not in FILE_FORMATS:
            raise error
        source = Source(ObjectIdentifier(parts[1], parts[0]), ResolvedSchema(()), version, moment, options)
        return source.evolve(schema=self._runtime.execution.schema_of_source(source))

    def of_dataframe(self, dataframe: DataFrame) -> InlineSource:
        """Return the operation that reads a DataFrame of the session.

        Raises:
            ValidationException: the object is not a DataFrame of this session, or a column's type is not supported.
        """
        if not hasattr(dataframe, "sparkSession"):
            raise ValidationException(f"from_spark takes a DataFrame of PySpark, but was given {dataframe!r:.100}.")
        if dataframe.sparkSession is not self._runtime.execution.session:
            raise ValidationException(
                "The DataFrame belongs to another Spark session. Make it with the session of this environment "
                "(TableEnvironment.spark), or give its session to TableEnvironment.create(spark=…)."
            )
        schema = spark_schemas.dataframe_schema(dataframe)
        return dataframes.dataframe_source(dataframe, schema, spark_schemas.dataframe_stream(dataframe))

    def of_state(self, checkpoint: str | os.PathLike[str], uid: str) -> InlineSource:
        """Return the operation that reads the states of a process table function from a checkpoint.

        Raises:
            ValidationException: the checkpoint has no state of this ``uid``.
            TableException: there is no checkpoint, or it cannot be read.
        """
        states = state_reading.StatesOfCheckpoint(checkpoint)
        return self.of_dataframe(states.frame(self._runtime.execution.session, states.call(uid)))

    def of_descriptor(self, descriptor: TableDescriptor) -> QueryOperation:
        """Return the operation that reads the files of a descriptor.

        Raises:
            ValidationException: the descriptor has no schema, or is invalid.
        """
        declared = self.declare(descriptor, "the anonymous table")
        return _apply_schema(declared, "from_descriptor")

    def declare(self, descriptor: TableDescriptor, name: str, *, needs_path: bool = True) -> DeclaredTable:
        """Return the table that a descriptor describes."""
        lookup, types = self._runtime.lookup, self._type_of_sql
        table_files.require_descriptor(descriptor)
        table_files.refuse_table_format(descriptor, name)
        table_files.refuse_rules(descriptor, name)
        options, said = stream_tables.take_streaming(descriptor.options, name)
        given = descriptor if options == descriptor.options else attrs.evolve(descriptor, options=options)
        connector = options.get("connector")
        if stream_sinks.is_stream_sink(connector):
            stream_tables.is_stream(connector, said, self._runtime.is_streaming, name)
            return stream_sinks.declare_stream_sink(given, name)
        if connector == external.KAFKA:
            is_streaming, parse = self._runtime.is_streaming, self._parse_expression
            made = kafka.declare_kafka(given, name, lookup, parse, said=said, is_streaming_mode=is_streaming)
            return self._with_watermark(descriptor, made, name)
        is_stream = stream_tables.is_stream(connector, said, self._runtime.is_streaming, name)
        if connector == external.NATS:
            made = nats.declare_nats(given, name, lookup, self._parse_expression, is_stream=is_stream)
        elif external.is_external(connector):
            infer = self._columns_of_external
            made = external.declare_external(given, name, lookup, types, infer, is_stream=is_stream)
        else:
            made = table_files.declare(given, name, lookup, types, needs_path=needs_path, is_stream=is_stream)
        return self._with_watermark(descriptor, made, name)

    def _with_watermark(self, descriptor: TableDescriptor, made: DeclaredTable, name: str) -> DeclaredTable:
        """Return a table with the watermark of its schema, if it is a stream."""
        schema = descriptor.declared_schema
        if made.operation is None or not made.files.is_stream or schema is None:
            return made
        lookup, parse = self._runtime.lookup, self._parse_expression
        return attrs.evolve(made, operation=stream_tables.add_watermark(schema, made.operation, lookup, parse, name))

    def _parse_expression(self, text: str) -> Expression:
        """Read an expression of a declaration."""
        runtime = self._runtime
        surroundings = reading.Surroundings(lookup=runtime.lookup, time_zone=runtime.config.get_local_timezone())
        return reading.parse_expression(text, surroundings)

    def _columns_of_external(self, table: ExternalTable) -> ResolvedSchema:
        """Return the columns that another system reports for a table that is declared without them."""
        return spark_external.infer_schema(self._runtime.execution.session, table)

    def _type_of_sql(self, stored: ResolvedSchema, text: str) -> LogicalType:
        """Return the type of a computed column; ask Spark if this library cannot resolve its text."""
        runtime, inner = self._runtime, text[1:-2]
        try:
            written = self._parse_expression(inner)
            rows = Source(ObjectIdentifier("rows"), stored)
            (resolved,), _ = resolve_rows(rows, [written], runtime.lookup, f"The computed column {inner!r}")
            return resolved.data_type
        except TableException as error:
            if runtime.started is None:
                raise TableException(
                    f"The computed column {inner!r} can be read by Spark alone, if at all, and no session runs: "
                    f"{error}\n"
                    "Write it with what is known here, or start the session first: TableEnvironment.spark."
                ) from None
        return spark_files.type_of_sql(runtime.started.session, stored, text)

    # --- tables ------------------------------------------------------------------------------------------------------

    def create_temporary_table(
        self, path: str, descriptor: TableDescriptor, ignore_if_exists: bool, *, or_replace: bool = False
    ) -> None:
        """Create a temporary table of files, for the lifetime of this environment."""
        manager = self._runtime.manager
        declared = self.declare(descriptor, f"the table {path}")
        operation = _apply_schema(declared, f"the table {path}")
        existing = manager.temporary_at(path)
        if existing is not None and ignore_if_exists:
            return
        versions = stream_tables.find_versions(descriptor.declared_schema, operation.schema)
        self._name_temporarily(path, operation, declared.files, or_replace=or_replace, versions=versions)

    def needs_statement(self, descriptor: TableDescriptor | None) -> bool:
        """Whether a descriptor needs a CREATE TABLE statement, because only a catalog of Spark has what it declares."""
        return descriptor is not None and table_files.needs_statement(descriptor)

    def create_table(self, path: str, descriptor: TableDescriptor, ignore_if_exists: bool) -> None:
        """Create a table in a catalog."""
        identifier = self._runtime.manager.qualify(path)
        catalog = self._runtime.manager.catalog(str(identifier.catalog))
        name = f"the table {identifier.as_summary_string()}"
        in_spark = catalog.is_in_spark
        declared = self.declare(descriptor, name, needs_path=not in_spark)
        operation = _apply_schema(declared, name)
        subject = file_options.capitalize(name)
        if in_spark and declared.files.keeper is not None:
            raise TableException(
                f"{subject} is {declared.files.keeper}, and tables of the catalog {identifier.catalog} store no "
                "formats of records. Use create_temporary_table or CREATE TEMPORARY TABLE, or a catalog in memory."
            )
        if in_spark and operation is not declared.files.source:
            raise TableException(
                f"{subject} has computed columns, which tables of the catalog {identifier.catalog} cannot have. "
                "Make it with its stored columns, and store a view over it with create_view that computes the others; "
                "or use create_temporary_table."
            )
        stored = declared.files.schema
        assert stored is not None
        # Other catalogs return the columns as queries see them; Spark's catalog reads them back from Spark.
        schema = stored if in_spark else operation.schema
        table = _catalog_table(declared.files, schema, None if in_spark else operation)
        if not in_spark:
            table = attrs.evolve(table, descriptor=descriptor)
        catalog.create_table(str(identifier.database), identifier.name, table, if_not_exists=ignore_if_exists)

    def declare_without_data(
        self,
        path: str,
        schema: Schema,
        *,
        comment: str | None = None,
        properties: Mapping[str, str] | None = None,
        partition_keys: tuple[str, ...] = (),
        ignore_if_exists: bool = False,
        or_replace: bool = False,
    ) -> None:
        """Declare the columns of a table; in a catalog of Spark, the table itself is looked up when a query runs."""
        if or_replace and ignore_if_exists:
            raise ValidationException(
                "A declaration is either replaced or kept: pass or_replace or ignore_if_exists, not both."
            )
        _require_text("comment", comment)
        manager = self._runtime.manager
        identifier = manager.qualify(path)
        shown = identifier.as_summary_string()
        for column in schema.columns:
            if not isinstance(column, declared_columns.PhysicalColumn):
                raise ValidationException(
                    f"The table {shown} is declared without data, and its column {column.name!r} is not a stored one. "
                    "Store a view that computes it."
                )
        if not schema.columns:
            raise ValidationException(f"The table {shown} is declared without columns.")
        columns = [Column(c.name, c.data_type, c.comment) for c in schema.physical_columns]
        resolved = ResolvedSchema(tuple(columns))
        keys = tuple([resolved.column(key).name for key in partition_keys])
        definition = self._define(schema) if schema.has_rules or schema.primary_key_columns else None
        table = catalogs.CatalogTable(
            resolved, comment, dict(properties or {}), partition_keys=keys, definition=definition
        )
        self._runtime.expect_catalog(str(identifier.catalog))
        if self._runtime.is_in_spark(identifier):
            self._declare_in_spark(identifier, table, ignore_if_exists, or_replace)
            return
        catalog = manager.catalog(str(identifier.catalog))
        database = str(identifier.database)
        if not catalog.is_lasting:
            catalog.create_database(database, if_not_exists=True)
        if or_replace and self._is_declared(identifier):
            catalog.drop_table(database, identifier.name)
        catalog.create_table(database, identifier.name, table, if_not_exists=ignore_if_exists)

    def _define(self, schema: Schema) -> TableDefinition:
        """Return the columns and constraints of a declared table."""
        runtime = self._runtime
        parse, qualify = self._parse_expression, runtime.manager.qualify
        return schema_definitions.SchemaDefinition(schema, runtime.lookup, parse, qualify).without_storage()

    def _is_declared(self, identifier: ObjectIdentifier) -> bool:
        """Whether one of our catalogs has a table of this name that is declared without data."""
        try:
            found = self._runtime.manager.stored(identifier)
        except TableNotExistException:
            return False
        return isinstance(found, catalogs.CatalogTable) and found.files is None and found.data is None

    def _declare_in_spark(
        self, identifier: ObjectIdentifier, table: CatalogTable, ignore_if_exists: bool, or_replace: bool
    ) -> None:
        manager = self._runtime.manager
        known = manager.declared.find(identifier)
        if known is not None and not or_replace:
            if ignore_if_exists or (known.schema, known.definition) == (table.schema, table.definition):
                return
            raise TableAlreadyExistException(
                f"{identifier.as_summary_string()} is declared already, with other columns. Pass or_replace=True to "
                "replace that declaration, or ignore_if_exists=True to keep it."
            )
        manager.declared.add(identifier, table)
        if manager.opened(str(identifier.catalog)) is None:
            return
        try:
            # If the session runs, check now whether its table has other columns.
            manager.stored(identifier)
        except ValidationException:
            manager.declared.remove(identifier)
            if known is not None:
                manager.declared.add(identifier, known)
            raise

    def new_table_of_query(
        self, path: str, query: QueryOperation, descriptor: table_descriptor.TableDescriptor | None
    ) -> tuple[ObjectIdentifier, FileTable]:
        """Return the name and the files of a table to be created with the columns of a query."""
        identifier = self._runtime.manager.qualify(path)
        name = f"the table {identifier.as_summary_string()}"
        query.schema.require_distinct_names(file_options.capitalize(name))
        in_spark = self._runtime.is_in_spark(identifier)
        given = descriptor or table_descriptor.TableDescriptor.for_connector("filesystem").format("parquet").build()
        if external.is_external(given.options.get("connector")):
            raise TableException(
                f"{file_options.capitalize(name)} is of the connector {given.options['connector']!r}, and a table made "
                "from a query is one of files. Declare the table with its columns, and insert the query."
            )
        files = self.declare(given, name, needs_path=not in_spark).files
        if files.schema is not None:
            subject = file_options.capitalize(name)
            raise ValidationException(f"{subject} takes its columns from the query; leave the schema out.")
        keys = tuple([query.schema.column(key).name for key in files.partition_keys])
        files = attrs.evolve(files, partition_keys=keys)
        inside = [column for column in query.schema.columns if column.name not in keys]
        table_files.check_types(ResolvedSchema(tuple(inside)), files.format, name)
        return identifier, attrs.evolve(files, schema=None if in_spark else query.schema)

    def is_taken(self, identifier: ObjectIdentifier, ignore: bool) -> bool:
        """Whether a table or view of this name exists.

        Raises:
            TableAlreadyExistException: the name exists, and ``ignore`` is False.
        """
        try:
            self._runtime.manager.find(identifier)
        except TableNotExistException:
            return False
        if not ignore:
            raise TableAlreadyExistException(
                f"{identifier.as_summary_string()} exists. Pass ignore_if_exists=True to keep it."
            )
        return True

    def keep_files(self, identifier: ObjectIdentifier, files: FileTable) -> None:
        """Register a table of files, which are already written, in a catalog."""
        catalog = self._runtime.manager.catalog(str(identifier.catalog))
        source = files.source
        catalog.create_table(str(identifier.database), identifier.name, _catalog_table(files, source.schema, source))

    def drop(self, path: str, ignore: bool, method: str) -> bool:
        """Drop a table or view by a method of the catalog; return whether it existed."""
        manager = self._runtime.manager
        identifier = manager.spelled(manager.qualify(path))
        catalog = manager.catalog(str(identifier.catalog))
        is_declared = method == "drop_table" and manager.declared.remove(identifier)
        try:
            getattr(catalog, method)(str(identifier.database), identifier.name)
        except DatabaseNotExistException:
            if not ignore and not is_declared:
                raise
            return is_declared
        except TableNotExistException:
            if is_declared:
                return True
            temporary = manager.temporary(path)
            if temporary is not None:
                kind = "view" if temporary.files is None else "table"
                raise ValidationException(
                    f"{path!r} is a temporary {kind}; drop it with drop_temporary_{kind}({path!r})."
                ) from None
            if not ignore:
                raise
            return False
        return True

    # --- temporary views ---------------------------------------------------------------------------------------------

    def create_temporary_view(self, path: str, operation: QueryOperation, *, or_replace: bool = False) -> None:
        """Create a temporary view of a query, for the lifetime of this environment.

        Raises:
            ValidationException: two columns have the same name, or the view would read itself.
        """
        operation.schema.require_distinct_names(f"The temporary view {path}")
        self._name_temporarily(path, operation, None, or_replace=or_replace)

    def _name_temporarily(
        self,
        path: str,
        operation: QueryOperation,
        files: FileTable | None,
        *,
        or_replace: bool = False,
        versions: Versions | None = None,
    ) -> None:
        runtime = self._runtime
        known = runtime.manager.temporary_at(path)
        if known is None and not or_replace and runtime.foreign_temporary(runtime.manager.temporary_name(path)):
            raise TableAlreadyExistException(f"The Spark session has a temporary view {path!r} already.")
        if or_replace and known is not None:
            for source in runtime.sources_behind(operation):
                if isinstance(source, Source) and runtime.temporary(source) is known.operation:
                    raise ValidationException(f"The temporary view {path} would read itself. Give it another name.")
        named = managers.TemporaryView(path, operation, files, find_given_names(operation), versions)
        view = runtime.manager.create_temporary_view(named, or_replace=or_replace)
        if runtime.started is not None:
            try:
                runtime.started.register(view.name, operation)
            except BaseException:
                runtime.manager.drop_temporary_view(path)
                if known is not None:
                    runtime.manager.restore_temporary_view(known)
                raise

    def rename_temporary(self, path: str, new_path: str) -> None:
        """Rename a temporary view.

        Raises:
            TableAlreadyExistException: the new name exists.
        """
        view = self._runtime.manager.temporary_at(path)
        assert view is not None
        with use_names(view.operation, view.names):
            self._name_temporarily(new_path, view.operation, view.files, versions=view.versions)
        self.drop_temporary(path)

    def drop_foreign(self, name: str) -> None:
        """Drop a temporary view of the Spark session from outside this library."""
        self._runtime.execution.unregister(name)

    def drop_temporary(self, path: str) -> bool:
        """Drop a temporary table or view; return whether it existed."""
        view = self._runtime.manager.drop_temporary_view(path)
        if view is not None and self._runtime.started is not None:
            self._runtime.started.unregister(view.name)
        return view is not None

    # --- permanent views ---------------------------------------------------------------------------------------------

    def create_view(
        self,
        path: str,
        operation: QueryOperation,
        *,
        or_replace: bool,
        if_not_exists: bool,
        comment: str | None,
        column_comments: Mapping[str, str],
        properties: Mapping[str, str],
        settings: Mapping[str, str] = MappingProxyType({}),
        schema_mode: str = "",
        source: str = "",
    ) -> None:
        """Store a query as a permanent view of a catalog.

        Args:
            path: the name of the view.
            operation: the query.
            or_replace: whether to replace an existing view.
            if_not_exists: whether to keep an existing view.
            comment: the comment of the view.
            column_comments: comments of columns by name.
            properties: the properties of the user.
            settings: settings with which the view is always read, besides those that every view has.
            schema_mode: what happens to the columns if a table below changes; empty for the default.
            source: what a comment in the text says about the origin of the view; empty for no comment.

        Raises:
            ValidationException: two columns have the same name, or the query reads temporary objects.
        """
        _require_text("comment", comment)
        for name, said in column_comments.items():
            _require_text(f"The comment of the column {name!r}", said)
        for key, value in properties.items():
            _require_text(f"The key {key!r} of the properties", key)
            _require_text(f"The property {key!r}", value)
        identifier = self._runtime.manager.qualify(path)
        operation.schema.require_distinct_names(f"The view {identifier.as_summary_string()}")
        catalog = self._runtime.manager.catalog(str(identifier.catalog))
        stored_dependencies.refuse_temporary(self._runtime, operation, identifier, catalog)
        # Spark stores the settings of its own views; any other view must store the settings on which it depends.
        depends = catalog.is_lasting and not catalog.is_in_spark and time_zones.depends_on_time_zone(operation)
        text = catalog.view_text(operation, str(identifier.catalog), self._runtime.target_of(Dialect.SPARK))
        view = catalogs.CatalogView(
            _replace_comments(operation.schema, column_comments),
            source_comments.add_source_comment(text, source) if source else text,
            comment,
            dict(properties),
            {**({time_zones.TIME_ZONE: self._runtime.time_zone} if depends else {}), **settings},
            operation=operation,
            names=find_given_names(operation),
            schema_mode=schema_mode,
        )
        if or_replace and not catalog.is_in_spark:
            with read_cache.cache_reads():
                stored_dependencies.refuse_recursion(self._runtime, identifier, operation)
        catalog.create_view(
            str(identifier.database), identifier.name, view, or_replace=or_replace, if_not_exists=if_not_exists
        )

    def show_create_view(self, path: str) -> str:
        """Return the statement that recreates a permanent view."""
        return view_statements.write_view_statement(self._runtime.manager, self._runtime.manager.qualify(path))


def check_read_options(options: Mapping[str, str] | None) -> ReadOptions:
    """Check and return the options for reading a table.

    Raises:
        ValidationException: the options are not a mapping, or a key or a value is not a string.
    """
    if options is None:
        return ()
    if not isinstance(options, Mapping):
        raise ValidationException(f"options takes a dictionary of texts, but was given {options!r}.")
    for key, value in options.items():
        if not isinstance(key, str) or not isinstance(value, str):
            raise ValidationException(f"The keys and values of options are texts, but {key!r}: {value!r} was given.")
    return tuple(options.items())


def _require_text(what: str, given: object) -> None:
    if given is not None and not isinstance(given, str):
        raise ValidationException(f"{what} takes a text, but was given {given!r}.")


def _catalog_table(files: FileTable, schema: ResolvedSchema, data: QueryOperation | None) -> CatalogTable:
    return catalogs.CatalogTable(schema, files.comment, files.stored_options, data, files, files.partition_keys)


def _apply_schema(declared: DeclaredTable, what: str) -> QueryOperation:
    if declared.operation is None:
        subject = file_options.capitalize(what)
        raise ValidationException(f"{subject} needs a schema; call schema(Schema.new_builder()….build()).")
    return declared.operation


def _replace_comments(schema: ResolvedSchema, comments: Mapping[str, str]) -> ResolvedSchema:
    """Return a schema with replaced column comments.

    Raises:
        ValidationException: a commented column does not exist.
    """
    by_position: dict[int, str] = {}
    for name, comment in comments.items():
        column = schema.column(name)
        by_position[schema.columns.index(column)] = comment
    return ResolvedSchema(
        tuple([c.evolve(comment=by_position.get(i, c.comment)) for i, c in enumerate(schema.columns)])
    )
