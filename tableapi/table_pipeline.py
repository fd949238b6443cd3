"""A query with the table that it writes to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ir.errors import TableException, ValidationException
from ir.identifiers import ObjectIdentifier
from ir.rendering import Dialect, DialectName, Layout, LayoutName
from tableapi.advice.copies import StepOfTable
from tableapi.advice.refusals import add_refusals
from tableapi.explain_detail import ExplainDetail, check_details
from tableapi.lazy import lazy
from tableapi.queries.query import Query
from tableapi.result import TableResult
from tableapi.tracebacks import boundaries

if TYPE_CHECKING:
    from ir import file_formats
    from ir.commands import inserts as insert_commands
    from ir.commands import partitions
    from ir.commands.command import Command
    from ir.commands.inserts import InsertInto, InsertIntoDirectory, InsertSet
    from ir.resolution.commands import inserts, rows
    from tableapi import stream_options
    from tableapi.declarations.sinks import Insert
    from tableapi.queries.statement_runner import Statements
    from tableapi.stream_options import StreamOptions
    from tableapi.table_descriptor import TableDescriptor
else:
    file_formats = lazy(__name__, "ir.file_formats")
    partitions = lazy(__name__, "ir.commands.partitions")
    insert_commands = lazy(__name__, "ir.commands.inserts")
    stream_options = lazy(__name__, "tableapi.stream_options")
    inserts = lazy(__name__, "ir.resolution.commands.inserts")
    rows = lazy(__name__, "ir.resolution.commands.rows")

__all__ = ["TablePipeline"]


@boundaries
@add_refusals
class TablePipeline(StepOfTable):
    """A query that writes its rows when it is executed, made with ``Table.insert_into``.

    The constructor checks everything that needs no Spark session; the rest is checked before rows are written.
    """

    def __init__(
        self,
        query: Query,
        target: str | TableDescriptor,
        overwrite: bool,
        partition: Mapping[str, Any] | None = None,
        columns: Sequence[str] | None = None,
        *,
        is_by_name: bool = False,
    ) -> None:
        self._query = query
        self._target = target
        self._overwrite = overwrite
        self._partition = dict(partition) if isinstance(partition, Mapping) else partition
        self._columns = list(columns) if isinstance(columns, list | tuple) else columns
        self._is_by_name = is_by_name
        if self._statements.is_known(target):
            self._insert()

    @property
    def _statements(self) -> Statements:
        return self._query.environment.statements

    def _insert(self) -> Insert:
        return self._statements.insert(
            self._query.operation,
            self._target,
            overwrite=self._overwrite,
            partition=self._partition,
            columns=self._columns,
            is_by_name=self._is_by_name,
        )

    def get_identifier(self) -> ObjectIdentifier | None:
        """Return the full name of the target table; None if it has no name."""
        return self._query.environment.identifier(self._target) if isinstance(self._target, str) else None

    def get_command(self) -> InsertInto | InsertIntoDirectory:
        """Return the tree of the insert: an immutable node, equal only to itself.

        ``TableEnvironment.sql_statement`` gives the same for a statement of the same meaning.

        Raises:
            ValidationException: the target is neither a table of a catalog nor a directory that is overwritten, or the
                rows do not fit it.
            TableException: the rows are changes, which no statement applies.
            TableNotExistException: the target does not exist.

        >>> from tableapi import EnvironmentSettings, TableEnvironment
        >>> settings = EnvironmentSettings.new_instance().with_built_in_catalog_name("memory").build()
        >>> te = TableEnvironment.create(settings)
        >>> te.execute_sql("CREATE TABLE orders (id BIGINT, amount INT) USING parquet LOCATION '/data/orders'")
        OK
        >>> orders = te.from_path("orders")
        >>> pipeline = orders.filter(orders.id > 1).insert_into("orders")
        >>> statement = te.sql_statement("INSERT INTO orders SELECT * FROM orders WHERE id > 1")
        >>> pipeline.get_command() is statement.get_command()
        True
        """
        insert = self._insert()
        if insert.has_changes:
            raise TableException(
                f"The changes of the query are applied to {insert.sink.name}, which no INSERT of Spark does. Execute "
                "the pipeline."
            )
        if not isinstance(self._target, str):
            return self._directory(self._target, insert)
        source = self._query.environment.tables.source(self._target)
        table = rows.require_table(source, insert_commands.InsertInto.called)
        mode = insert_commands.InsertMode.OVERWRITE if self._overwrite else insert_commands.InsertMode.APPEND
        keys = tuple([partitions.PartitionKey(key, value) for key, value in insert.partition_values.items()])
        partition = inserts.complete_partition(partitions.Partition(keys), insert.sink.partition_keys)
        columns = None if self._is_by_name else insert.columns
        form = insert_commands.InsertForm(mode, partition, is_by_name=self._is_by_name)
        rules = self._query.environment.runtime.value_rules(table.identifier)
        return inserts.make_insert(table, insert.query, form, columns, rules)

    def _directory(self, target: TableDescriptor, insert: Insert) -> InsertIntoDirectory:
        """Return the statement that replaces the files of a directory.

        Raises:
            ValidationException: the rows are appended, partitioned, or not for files.
        """
        files = file_formats.files_of_connector(dict(target.options))
        if files is None or not self._overwrite or target.partition_keys or insert.partition:
            raise ValidationException(
                f"{insert.sink.name} are no table of a catalog, of which a statement has the name. A directory without "
                "partitions has a statement that replaces its files: pass overwrite=True."
            )
        format, path, options = files
        assert path is not None
        return insert_commands.InsertIntoDirectory(path, insert.query, format, tuple(sorted(options.items())))

    def as_serializable_string(
        self,
        dialect: Dialect | DialectName = Dialect.SPARK,
        layout: Layout | LayoutName = Layout.MERGED,
        *,
        target: str | None = None,
    ) -> str:
        """Return the insert as a SQL statement, for the environment's target or another one.

        Args:
            dialect: the dialect of the text.
            layout: the layout of the query.
            target: the name of an engine with its version, such as ``spark-4.0``.

        Raises:
            TableException: a part of the insert has no equivalent SQL in the dialect, or the target lacks it; the
                message names the part and the remedy.
            ValidationException: the target is not a table of a catalog, or there is no such engine.

        >>> from tableapi import EnvironmentSettings, TableEnvironment
        >>> settings = EnvironmentSettings.new_instance().with_built_in_catalog_name("memory").build()
        >>> te = TableEnvironment.create(settings)
        >>> te.execute_sql("CREATE TABLE orders (id BIGINT, amount INT) USING parquet LOCATION '/data/orders'")
        OK
        >>> orders = te.from_path("orders")
        >>> print(orders.select(orders.id).insert_into("orders", columns=["id"]).as_serializable_string())
        INSERT INTO `memory`.`default_database`.`orders` (`id`)
        SELECT `id`
        FROM `memory`.`default_database`.`orders`
        """
        chosen = Dialect.of(dialect)
        engine = self._query.environment.runtime.target_of(chosen) if target is None else target
        with self._query.naming():
            return self.get_command().as_serializable_string(chosen, Layout.of(layout), engine)

    def execute(self, *, options: StreamOptions | None = None) -> TableResult:
        """Write the rows. Over a stream, start a query that writes them, and return while it runs.

        Args:
            options: how a query over a stream runs.

        Raises:
            ValidationException: options are given, and the rows have an end; or they do not fit the query or its
                checkpoint.
            TableException: the rows do not fit the target, Spark rejects the insert, or it fails at run time.
        """
        given = stream_options.require_options(options)
        insert = self._insert()
        with self._query.naming():
            if self._query.is_stream:
                streams = self._query.environment.streams
                return TableResult.of_sinks([insert.sink.name], streams.start([streams.plan(insert, given)]))
            stream_options.require_no_options(given)
            self._statements.check(insert)
            count = self._statements.run(insert)
        return TableResult.of_sinks([insert.sink.name], counts=[count])

    def explain(self, *extra_details: ExplainDetail) -> str:
        """Return the tree, the SQL and, if the session already runs, Spark's plan, without writing.

        Raises:
            TableException: the rows do not fit the target.
        """
        details = check_details(extra_details)
        if not self._statements.is_known(self._target):
            # Explaining does not start a session, and only a session knows the target.
            query = self._query.explain(*extra_details)
            return f"== Sink ==\n{self._target}: not looked at, because no Spark session runs\n\n{query}"
        with self._query.naming():
            insert, parts = self._insert(), self._query.environment
            stream = None
            if parts.runtime.started is not None and self._query.is_stream:
                stream = parts.streams.explain(insert)
            return self._statements.explain_insert(insert, details, stream)

    def print_explain(self, *extra_details: ExplainDetail) -> None:
        """Print what ``explain`` returns."""
        print(self.explain(*extra_details))

    def __repr__(self) -> str:
        return f"TablePipeline into {self._target}{' (overwrite)' if self._overwrite else ''}:\n{self._query!r}"


def join_commands(commands: Sequence[Command]) -> InsertSet | InsertInto | InsertIntoDirectory:
    """Return the command of several inserts, of which each is a command."""
    inserts = []
    for command in commands:
        assert isinstance(command, insert_commands.InsertInto | insert_commands.InsertIntoDirectory)
        inserts.append(command)
    return insert_commands.join_inserts(inserts)


def query_of_pipeline(pipeline: TablePipeline) -> Query:
    """Return the query whose rows a pipeline writes."""
    return pipeline._query


def insert_of_pipeline(pipeline: TablePipeline) -> Insert:
    """Return the insert of a pipeline, with all checks that need no session."""
    return pipeline._insert()
