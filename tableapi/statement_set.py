"""A set of inserts that are all checked before the first one writes."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Protocol

from ir.errors import TableException, ValidationException
from ir.relation_names import NO_NAMES, RelationNames
from ir.rendering import Dialect, DialectName, Layout, LayoutName
from ir.resolution.process.uids import calls_of, merge_calls
from serializer.given_names import use_names
from tableapi.advice.copies import NotSent
from tableapi.advice.refusals import add_refusals
from tableapi.declarations.sinks import Insert
from tableapi.explain_detail import ExplainDetail, check_details
from tableapi.lazy import lazy
from tableapi.result import TableResult
from tableapi.table import Table, own_query, require_own
from tableapi.table_descriptor import TableDescriptor
from tableapi.table_pipeline import TablePipeline, insert_of_pipeline, join_commands, query_of_pipeline
from tableapi.table_statement import names_in_statement
from tableapi.tracebacks import boundaries

if TYPE_CHECKING:
    from ir.commands.command import Command
    from ir.commands.inserts import InsertInto, InsertIntoDirectory, InsertSet
    from tableapi import stream_options
    from tableapi.queries.environment_parts import EnvironmentParts
    from tableapi.stream_options import StreamOptions
    from tableapi.table_statement import TableStatement
else:
    stream_options = lazy(__name__, "tableapi.stream_options")

__all__ = ["StatementSet"]


class Texts(Protocol):
    """Parses and explains INSERT statements in SQL."""

    def insert_of_text(self, text: str) -> TablePipeline | str:
        """Return the insert of a statement, or its text if Spark has to run it."""

    def statement(self, text: str, dialect: Dialect) -> TableStatement:
        """Parse one statement."""

    def explain(self, text: str, details: tuple[ExplainDetail, ...]) -> str:
        """Explain a statement: its tree, SQL and plans."""


_INSERT = re.compile(r"(?:\s|--[^\n]*\n|/\*.*?\*/)*INSERT\b", re.IGNORECASE | re.DOTALL)


@boundaries
@add_refusals
class StatementSet(NotSent):
    """Inserts that run one after the other, made with ``TableEnvironment.create_statement_set``.

    The set is not one transaction, because Spark writes each table separately: if an insert fails, the inserts before
    it have written. All inserts are checked before the first one writes, and an error names the inserts that have
    written.
    """

    _instead = "It belongs to an environment of this process. Make another one with create_statement_set()."

    def __init__(self, environment: EnvironmentParts, texts: Texts) -> None:
        self._environment = environment
        self._texts = texts
        self._statements: list[TablePipeline | str] = []

    def add(self, table_pipeline: TablePipeline) -> StatementSet:
        """Add the result of ``Table.insert_into``.

        Raises:
            ValidationException: the argument is not such a result, is of another environment, or calls a process table
                function under an identifier that another call of the set has.
        """
        if not isinstance(table_pipeline, TablePipeline):
            raise ValidationException(f"add takes what Table.insert_into returns, but was given {table_pipeline!r}.")
        require_own(self._environment, query_of_pipeline(table_pipeline), "add")
        add_insert(self, table_pipeline)
        return self

    def add_insert(
        self, target_path_or_descriptor: str | TableDescriptor, table: Table, overwrite: bool = False
    ) -> StatementSet:
        """Add an insert of a table into a table path or into the files of a descriptor."""
        query = own_query(self._environment, table, "add_insert")
        return self.add(TablePipeline(query, target_path_or_descriptor, overwrite))

    def add_insert_sql(self, stmt: str) -> StatementSet:
        """Add an INSERT statement.

        Raises:
            SqlParserException: the statement cannot be parsed.
            ValidationException: the statement does not begin with INSERT, or is invalid.
        """
        if not isinstance(stmt, str) or not _INSERT.match(stmt):
            raise ValidationException(f"add_insert_sql takes an INSERT statement, but was given {stmt!r}.")
        add_insert(self, self._texts.insert_of_text(stmt))
        return self

    def get_command(self) -> InsertSet | InsertInto | InsertIntoDirectory:
        """Return the tree of the set, of one insert that of the insert: an immutable node, equal only to itself.

        ``TableEnvironment.sql_statement`` gives the same for the INSERTs after one FROM, one after the other, or in a
        statement set of Flink's.

        Raises:
            ValidationException: the set is empty, or an insert is invalid or has no statement.

        >>> from tableapi import EnvironmentSettings, TableEnvironment
        >>> settings = EnvironmentSettings.new_instance().with_built_in_catalog_name("memory").build()
        >>> te = TableEnvironment.create(settings)
        >>> for name in ("orders", "small", "large"):
        ...     _ = te.execute_sql(f"CREATE TABLE {name} (id BIGINT) USING parquet LOCATION '/data/{name}'")
        >>> orders = te.from_path("orders")
        >>> inserts = te.create_statement_set()
        >>> inserts = inserts.add(orders.filter(orders.id < 9).insert_into("small"))
        >>> inserts = inserts.add(orders.filter(orders.id >= 9).insert_into("large"))
        >>> statement = te.sql_statement(
        ...     "FROM orders INSERT INTO small SELECT * WHERE id < 9 INSERT INTO large SELECT * WHERE id >= 9"
        ... )
        >>> inserts.get_command() is statement.get_command()
        True
        """
        return self._read()[0]

    def _read(self) -> tuple[InsertSet | InsertInto | InsertIntoDirectory, RelationNames]:
        """Return the tree of the set, and the names that texts give the relations of its queries."""
        self._require_statements()
        commands: list[Command] = []
        names = NO_NAMES
        for one in self._statements:
            if isinstance(one, str):
                statement = self._texts.statement(one, Dialect.SPARK)
                commands.append(statement.get_command())
                names = names.combined(names_in_statement(statement))
            else:
                commands.append(one.get_command())
                names = names.combined(query_of_pipeline(one).names)
        return join_commands(commands), names

    def as_serializable_string(
        self,
        dialect: Dialect | DialectName = Dialect.SPARK,
        layout: Layout | LayoutName = Layout.MERGED,
        *,
        target: str | None = None,
    ) -> str:
        """Return the set as SQL: one INSERT after the other, or a statement set of Flink's.

        Args:
            dialect: the dialect of the text.
            layout: the layout of the queries.
            target: the name of an engine with its version, such as ``spark-4.0``.

        Raises:
            TableException: a part of an insert has no equivalent SQL in the dialect, or the target lacks it.
            ValidationException: the set is empty, an insert has no statement, or there is no such engine.
        """
        chosen = Dialect.of(dialect)
        engine = self._environment.runtime.target_of(chosen) if target is None else target
        command, names = self._read()
        with use_names(None, names):
            return command.as_serializable_string(chosen, Layout.of(layout), engine)

    def explain(self, *extra_details: ExplainDetail) -> str:
        """Return the result of ``explain`` for each insert, without writing.

        Raises:
            ValidationException: the set is empty.
        """
        check_details(extra_details)
        self._require_statements()
        parts = [
            f"-- Statement {number} of {len(self._statements)}\n{self._explain(statement, extra_details)}"
            for number, statement in enumerate(self._statements, 1)
        ]
        pipelines = [one for one in self._statements if isinstance(one, TablePipeline)]
        if len(pipelines) > 1 and all(query_of_pipeline(one).is_stream for one in pipelines):
            inserts = [insert_of_pipeline(one) for one in pipelines]
            parts.append(f"-- Queries over streams\n{self._environment.streams.explain_set(inserts)}")
        return "\n\n".join(parts)

    def _explain(self, statement: TablePipeline | str, details: tuple[ExplainDetail, ...]) -> str:
        if isinstance(statement, str):
            return self._texts.explain(statement, check_details(details))
        return statement.explain(*details)

    def print_explain(self, *extra_details: ExplainDetail) -> None:
        """Print what ``explain`` returns."""
        print(self.explain(*extra_details))

    def execute(self, *, options: StreamOptions | None = None) -> TableResult:
        """Check all inserts, run them in order, and empty the set.

        Inserts of streams start queries, and this returns while they run. Inserts that read one stream, each row by
        itself, into files, tables of Spark's catalog or databases, are one query: it reads the stream once, keeps each
        batch, and writes it to each sink. ``explain`` says which inserts these are. Each other insert is a query that
        reads its sources for itself. If a query cannot be started, none runs.

        Args:
            options: how queries over streams run. A name or a checkpoint is a prefix: each query adds the number of its
                first insert.

        Raises:
            ValidationException: the set is empty, or an insert reads a table that another insert writes. Nothing is
                written.
            TableException: Spark rejects an insert, and nothing is written; or an insert fails at run time, and the
                message names the inserts that have written.
        """
        given = stream_options.require_options(options)
        self._require_statements()
        statements, self._statements = self._statements, []
        streams = self._find_streams(statements)
        if streams:
            return self._start(streams, given)
        stream_options.require_no_options(given)
        runner = self._environment.statements
        inserts: list[Insert | str] = []
        for number, statement in enumerate(statements, 1):
            try:
                insert = statement if isinstance(statement, str) else insert_of_pipeline(statement)
                runner.check(insert)
            except TableException as error:
                raise _describe_failure(error, f"Statement {number} of {len(statements)}") from None
            inserts.append(insert)
        self._refuse_reading_what_is_written(inserts)
        counts: list[int] = []
        # Process table function calls with the same uid run once and feed all inserts.
        with runner.share_process_calls([insert for insert in inserts if isinstance(insert, Insert)]):
            for number, insert in enumerate(inserts, 1):
                try:
                    counts.append(runner.run(insert))
                except TableException as error:
                    raise _describe_failure(
                        error, f"Statement {number} of {len(inserts)}", _progress(inserts, number)
                    ) from None
        return TableResult.of_sinks([_name(insert) for insert in inserts], counts=counts)

    @staticmethod
    def _find_streams(statements: list[TablePipeline | str]) -> list[TablePipeline]:
        """Return the inserts if they are of streams, nothing if none is.

        Raises:
            ValidationException: some are, and others are not.
        """
        pipelines = [one for one in statements if isinstance(one, TablePipeline)]
        streams = [one for one in pipelines if query_of_pipeline(one).is_stream]
        if streams and len(streams) < len(statements):
            other = next(n for n, one in enumerate(statements, 1) if one not in streams)
            raise ValidationException(
                f"Statement {other} of the set reads no stream, and others do. Execute the inserts that end and the "
                "streams in sets of their own. Nothing was written."
            )
        return streams

    def _start(self, pipelines: list[TablePipeline], options: StreamOptions | None) -> TableResult:
        """Check all inserts of streams, and start them: all or none."""
        streams = self._environment.streams
        inserts: list[Insert] = []
        for number, pipeline in enumerate(pipelines, 1):
            try:
                inserts.append(insert_of_pipeline(pipeline))
            except TableException as error:
                raise _describe_failure(error, f"Statement {number} of {len(pipelines)}") from None
        plans = streams.plan_set(inserts, options)
        return TableResult.of_sinks([insert.sink.name for insert in inserts], streams.start(plans))

    def _refuse_reading_what_is_written(self, inserts: list[Insert | str]) -> None:
        """Reject inserts that could see each other's rows; in Flink, all of them read the rows from before."""
        prepared = [(number, insert) for number, insert in enumerate(inserts, 1) if isinstance(insert, Insert)]
        for number, insert in prepared:
            for other_number, other in prepared:
                if other is not insert and self._environment.statements.reads(insert, other.sink):
                    raise ValidationException(
                        f"Statement {number} of the set reads {other.sink.name}, which statement {other_number} "
                        "writes. What it would read depends on their order; execute them by themselves. Nothing was "
                        "written."
                    )

    def _require_statements(self) -> None:
        if not self._statements:
            raise ValidationException("The statement set is empty; add an insert first.")

    def __repr__(self) -> str:
        return f"StatementSet of {len(self._statements)} inserts"


def add_insert(statements: StatementSet, insert: TablePipeline | str) -> None:
    """Add an insert to a set, or the text of a statement that Spark has to run.

    Raises:
        ValidationException: the insert calls a process table function under an identifier that another call of the set
            has.
    """
    if isinstance(insert, TablePipeline):
        pipelines = [*[one for one in statements._statements if isinstance(one, TablePipeline)], insert]
        # Calls with the same identifier in several inserts are one call, so they must be equal.
        merge_calls([calls_of(query_of_pipeline(pipeline).operation) for pipeline in pipelines])
    statements._statements.append(insert)


def _name(insert: Insert | str) -> str:
    return "statement" if isinstance(insert, str) else insert.sink.name


def _progress(inserts: list[Insert | str], failed: int) -> str:
    written = [f"{number} ({_name(insert)})" for number, insert in enumerate(inserts[: failed - 1], 1)]
    waiting = [f"{number} ({_name(insert)})" for number, insert in enumerate(inserts[failed:], failed + 1)]
    return (
        f"Written before it: {', '.join(written) or 'none'}. Not begun: {', '.join(waiting) or 'none'}. "
        "The set is empty now."
    )


def _describe_failure(error: TableException, what: str, rest: str = "") -> TableException:
    error.args = (f"{what}: {error} {rest}".rstrip(), *error.args[1:])
    return error
