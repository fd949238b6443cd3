"""Statements: inserts, CREATE TABLE AS, and SQL that Spark runs unchanged."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, Final, TypeVar

from grammar.builder.context import ExpectedColumn
from ir import light_attrs as attrs
from ir.casts import plain_type
from ir.equal_names import make_names_distinct
from ir.errors import TableException, ValidationException
from ir.identifiers import ObjectIdentifier, fold, parse_long_path, path_text
from ir.names import Names
from ir.operations.operation import QueryOperation
from ir.operations.outer_references import outer_references
from ir.operations.source import Source
from ir.rendering import Dialect, Layout, Quoting
from ir.rewriting import sources_of, user_functions
from ir.schema import Column, ResolvedSchema
from ir.types import LogicalType
from serializer.hidden_names import hiding
from tableapi.async_functions.options import options_for
from tableapi.catalog.catalog import CatalogTable, CatalogView
from tableapi.declarations.external_tables import ExternalTable
from tableapi.declarations.file_options import capitalize
from tableapi.declarations.file_tables import FileTable, read_type
from tableapi.declarations.sinks import Insert, Sink, prepare, reads, require_table
from tableapi.explain_detail import ExplainDetail
from tableapi.lazy import lazy
from tableapi.queries.runtime import SPARK_CATALOG, Runtime
from tableapi.queries.tables import Tables
from tableapi.result import TableResult
from tableapi.table_descriptor import TableDescriptor

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

    from grammar import statement_names, statement_words
    from ir.commands.command import Command
    from tableapi.queries import spark_scope
    from tableapi.spark import catalog as spark_catalog
    from tableapi.spark import files as spark_files
    from tableapi.spark import schemas as spark_schemas
    from tableapi.spark import tables as spark_tables
    from tableapi.spark import violating_rows, writing, written_rows
    from tableapi.spark.execution import SparkExecution
    from tableapi.spark.planner import binding, sql_functions
    from tableapi.spark.planner.asynchronous import planning
else:
    statement_names = lazy(__name__, "grammar.statement_names")
    statement_words = lazy(__name__, "grammar.statement_words")
    spark_scope = lazy(__name__, "tableapi.queries.spark_scope")
    spark_files = lazy(__name__, "tableapi.spark.files")
    violating_rows = lazy(__name__, "tableapi.spark.violating_rows")
    writing = lazy(__name__, "tableapi.spark.writing")
    written_rows = lazy(__name__, "tableapi.spark.written_rows")
    spark_tables = lazy(__name__, "tableapi.spark.tables")
    spark_schemas = lazy(__name__, "tableapi.spark.schemas")
    planning = lazy(__name__, "tableapi.spark.planner.asynchronous.planning")
    binding = lazy(__name__, "tableapi.spark.planner.binding")
    sql_functions = lazy(__name__, "tableapi.spark.planner.sql_functions")
    spark_catalog = lazy(__name__, "tableapi.spark.catalog")

_T = TypeVar("_T")

# What Spark's tables of files lack, with the ways out.
_WITHOUT: Final = {
    "CONSTRAINT": (
        "Spark's tables of files have no constraints: leave them out, or keep the table in a format that has them, "
        "such as Delta Lake (USING delta)"
    ),
    "REPLACE TABLE": (
        "Spark's tables of files are not replaced: drop the table first, replace its rows by INSERT OVERWRITE, or keep "
        "the table in a format that replaces tables, such as Delta Lake or Iceberg"
    ),
}
_MODES = {ExplainDetail.ESTIMATED_COST: "cost", ExplainDetail.PLAN_ADVICE: "extended"}


class Statements:
    """Runs and explains the statements of one environment."""

    def __init__(self, runtime: Runtime, tables: Tables) -> None:
        self._runtime = runtime
        self._tables = tables

    @cached_property
    def scope(self) -> spark_scope.SparkScope:
        """The check that rejects text which Spark would execute in the wrong catalog."""
        return spark_scope.SparkScope(self._runtime)

    # --- inserts ------------------------------------------------------------------------------------------------------

    def is_known(self, target: str | TableDescriptor) -> bool:
        """Whether a target can be looked up without starting a session."""
        require_table(target)
        if isinstance(target, TableDescriptor) or self._temporary_files(target) is not None:
            return True
        parts = parse_long_path(target)
        return self._runtime.is_known_without_start(parts[0] if len(parts) == 3 else None)

    def columns_of(
        self, path: str, columns: Sequence[str] | None, constant: Container[str], *, by_name: bool
    ) -> ExpectedColumn:
        """Return a function that computes the type of the target column for a column of a query.

        Args:
            path: the target table.
            columns: the target columns that the query supplies, in order; None for all but the constant columns.
            constant: the case-folded partition keys that the query does not supply.
            by_name: whether columns are matched by name.
        """

        def expected(position: int, name: str) -> LogicalType | None:
            schema = self.sink(path).schema
            if schema is None:
                return None
            given = columns or [column for column in schema.names if fold(column) not in constant]
            if not by_name:
                name = given[position] if position < len(given) else ""
            index = schema.index_of(name)
            return None if index is None else plain_type(schema.columns[index].data_type)

        return expected

    def sink(self, target: str | TableDescriptor) -> Sink:
        """Return the sink of a path or a descriptor.

        Raises:
            TableNotExistException: the table does not exist.
            ValidationException: the path refers to a view.
            TableException: the table cannot be written to.
        """
        require_table(target)
        if isinstance(target, TableDescriptor):
            files = self._tables.declare(target, "the anonymous table").files
            name = files.shown if isinstance(files, ExternalTable) else f"the anonymous files of {files.path}"
            return Sink(name, files.schema, files.partition_keys, None, files)
        manager = self._runtime.manager
        temporary = self._temporary_files(target)
        if temporary is not None:
            return temporary
        identifier = manager.qualify_relation(target)
        name = identifier.as_summary_string()
        if manager.temporary_of_path(target) is not None:
            raise ValidationException(f"{target} is a temporary view; rows go into tables only.")
        found = manager.find(identifier)
        if isinstance(found, CatalogView):
            raise ValidationException(f"{name} is a view; rows go into tables only.")
        if found.files is not None:
            return Sink(name, found.files.schema, found.files.partition_keys, None, found.files)
        if not self._runtime.is_in_spark(identifier):
            raise TableException(
                f"{name} is no table of files, and the catalog {identifier.catalog} keeps no new rows."
            )
        in_session_catalog = identifier.catalog == SPARK_CATALOG
        rules = self._runtime.value_rules(identifier)
        return Sink(name, found.schema, found.partition_keys, identifier, None, in_session_catalog, rules)

    def _temporary_files(self, target: str) -> Sink | None:
        parts = parse_long_path(target)
        found = self._runtime.manager.temporary(parts[0]) if len(parts) == 1 else None
        if found is None or found.files is None:
            return None
        return Sink(found.name, found.files.schema, found.files.partition_keys, None, found.files)

    def insert(
        self,
        query: QueryOperation,
        target: str | TableDescriptor,
        *,
        overwrite: bool = False,
        partition: Mapping[str, Any] | None = None,
        columns: Sequence[str] | None = None,
        is_by_name: bool = False,
    ) -> Insert:
        """Return a checked insert of a query into a target.

        Raises:
            ValidationException: the query does not fit the target, or reads what it overwrites; nothing is written.
        """
        sink = self.sink(target)
        if sink.schema is None:
            query.schema.require_distinct_names(capitalize(sink.name))
        # Columns are matched by position, or were found to be distinct, so duplicate names can be replaced.
        query = make_names_distinct(query)
        insert = prepare(query, sink, overwrite=overwrite, partition=partition, columns=columns, is_by_name=is_by_name)
        # Dynamic partitions are replaced after all rows are written; other data is deleted before the first row is
        # read.
        if insert.overwrite and not insert.is_dynamic and self.reads(insert, insert.sink):
            raise ValidationException(
                f"The query reads {insert.sink.name}, which it would overwrite. Write to another table first. Nothing "
                "was written."
            )
        return insert

    def reads(self, insert: Insert, sink: Sink) -> bool:
        """Whether an insert reads a sink, directly or through a temporary view or an in-memory catalog."""
        return reads(self._runtime.sources_behind(insert.query), sink)

    def check(self, insert: Insert | str) -> None:
        """Let Spark check an insert, or the text of an INSERT statement.

        Raises:
            TableException: Spark rejects the insert; nothing is written.
        """
        try:
            if isinstance(insert, str):
                self.scope.require(insert)
                with self._namespace():
                    self._runtime.execution.plan_of_text(insert)
            else:
                writing.check(self._runtime.execution, insert)
        except TableException as error:
            error.args = (f"{error} Nothing was written.", *error.args[1:])
            raise

    def run(self, insert: Insert | str) -> int:
        """Run a checked insert, or the text of an INSERT statement.

        Returns the number of rows that it has written, -1 if Spark does not report it.

        Raises:
            TableException: the insert fails.
        """
        if isinstance(insert, str):
            return self.insert_by_text(insert)
        return writing.run(self._runtime.execution, insert)

    def share_process_calls(self, inserts: Sequence[Insert]) -> contextlib.AbstractContextManager[None]:
        """Return a context in which process table functions shared by several inserts run only once."""
        return self._runtime.execution.share_process_calls([insert.query for insert in inserts])

    # --- CREATE TABLE AS ----------------------------------------------------------------------------------------------

    def create_table_as(
        self,
        query: QueryOperation,
        path: str,
        descriptor: TableDescriptor | None,
        *,
        or_replace: bool,
        ignore_if_exists: bool,
    ) -> TableResult:
        """Create a table with the columns and rows of a query.

        Raises:
            TableAlreadyExistException: the name exists.
            TableException: the query fails; the table is not created.
        """
        identifier, target = self._tables.new_table_of_query(path, query, descriptor)
        if not or_replace and self._tables.is_taken(identifier, ignore_if_exists):
            return TableResult.ok()
        if not self._runtime.is_in_spark(identifier):
            if or_replace:
                raise TableException("or_replace is for tables of catalogs that can replace a table in one step.")
            insert = prepare(
                query, Sink(identifier.as_summary_string(), target.schema, target.partition_keys, files=target)
            )
            self.check(insert)
            place = None if target.is_external else target.path
            with spark_tables.remove_files_of_failure(self._runtime.execution.session, place):
                count = self.run(insert)
            self._tables.keep_files(identifier, target)
            return TableResult.of_sinks([identifier.as_summary_string()], counts=[count])
        if or_replace and identifier.catalog == SPARK_CATALOG:
            raise TableException(
                f"The catalog {SPARK_CATALOG} cannot replace a table in one step. Write to the existing table with "
                "execute_insert(path, overwrite=True), or drop it first."
            )
        head = spark_tables.create_table_as(identifier.as_serializable_string(), target, or_replace=or_replace)
        execution = self._runtime.execution
        execution.planned(head, query)
        if target.path is None and identifier.catalog == SPARK_CATALOG:
            count = self._create_and_fill(identifier, target, query)
        else:
            with spark_tables.remove_files_of_failure(execution.session, target.path):
                count = execution.run_into(head, query)
        return TableResult.of_sinks([identifier.as_summary_string()], counts=[count])

    def _create_and_fill(self, identifier: ObjectIdentifier, target: FileTable, query: QueryOperation) -> int:
        """Create a table in the warehouse, fill it, and return the number of its rows.

        If Spark's own CREATE TABLE AS fails on a row, it leaves a directory behind that blocks the name.
        """
        columns = [Column(c.name, read_type(c.data_type), c.comment) for c in query.schema.columns]
        last = [c for c in columns if c.name in target.partition_keys]
        ordered = [c for c in columns if c not in last] + last
        files = attrs.evolve(target, schema=ResolvedSchema(tuple(ordered)))
        path = identifier.as_serializable_string()
        catalog = self._runtime.manager.catalog(str(identifier.catalog))
        database, name = str(identifier.database), identifier.name
        catalog.create_table(database, name, CatalogTable(ResolvedSchema(tuple(ordered)), files=files))
        try:
            return self.run(self.insert(query, path, columns=query.schema.names))
        except BaseException:
            catalog.drop_table(database, name)
            raise

    # --- SQL ---------------------------------------------------------------------------------------------------------

    def execute_sql(self, text: str, *, under_any_settings: bool = False) -> TableResult:
        """Run a statement unchanged; return its rows, or OK if it returns none.

        Args:
            text: the text of the statement.
            under_any_settings: whether to run even in a session with unsupported settings, as for SET, which can fix
                them.

        Raises:
            ValidationException: the statement names an object outside Spark's catalogs.
            TableException: Spark rejects the statement, or it fails.
        """

        def read(execution: SparkExecution, frame: DataFrame) -> TableResult:
            frame = _uniquely_named(frame)
            schema = spark_schemas.dataframe_schema(frame)
            if len(schema):
                return TableResult(schema, execution.arrow_of(frame, schema))
            return TableResult.ok()

        return self._execute_text(text, read, under_any_settings=under_any_settings)

    def explain_violation(self, error: TableException, queries: Iterator[str]) -> None:
        """Add to an error about a violated constraint a row that violates it.

        Args:
            error: the error of a statement that changes the rows of a table of Spark's.
            queries: queries for the rows that the statement writes, with the columns of the table.
        """
        session = self._runtime.execution.session
        violating_rows.explain_violation(error, (partial(session.sql, text) for text in queries))

    def check_files(self, files: FileTable) -> None:
        """Check the columns of a new table of Spark's against the files at its path, if there are any.

        Raises:
            ValidationException: a file has a column of another type, which Spark would convert, or read as NULL.
        """
        spark_files.read_files(self._runtime.execution.session, files, may_be_missing=True)

    def create_by_text(self, text: str, location: str | None) -> TableResult:
        """Run a CREATE TABLE … AS unchanged.

        Args:
            text: the text of the statement.
            location: the directory of the table; None for that of the catalog. If the statement fails, and the
                directory was missing or empty, it is so again.

        Raises:
            TableException: Spark rejects the statement, or it fails.
        """
        # Spark is not started for a statement that it may not execute.
        self.scope.require(self.scope.spelled(text))
        execution, new = self._runtime.execution, self._find_new_table(text)
        with (
            spark_tables.remove_files_of_failure(execution.session, location),
            spark_tables.drop_table_of_failure(execution.session, new, is_sail=execution.versions.sail is not None),
        ):
            try:
                return self.execute_sql(text)
            except TableException as error:
                if error.condition == "UNSUPPORTED_FEATURE.TABLE_OPERATION":
                    lacking = next((what for what in _WITHOUT if what in str(error)), "REPLACE TABLE")
                    error.args = (f"{error} Nothing was changed. {_WITHOUT[lacking]}.", *error.args[1:])
                raise

    def insert_by_text(self, text: str) -> int:
        """Run an INSERT unchanged; return the number of rows that it has written, -1 if Spark does not report it.

        Raises:
            ValidationException: the statement names an object outside Spark's catalogs.
            TableException: Spark rejects the statement, or it fails.
        """
        is_sail = self._runtime.execution.versions.sail is not None
        count = written_rows.count_rows_of_sail if is_sail else written_rows.count_written_rows
        return self._execute_text(text, lambda _, frame: count(frame))

    def _execute_text(
        self, text: str, read: Callable[[SparkExecution, DataFrame], _T], *, under_any_settings: bool = False
    ) -> _T:
        """Run a statement unchanged, and return what is read from its result.

        It is read by the execution that ran the statement: to ask the runtime for it again would set the session's time
        zone to that of the environment, which SET TIME ZONE has just changed.
        """
        _require_text(text, "execute_sql")
        text = self.scope.spelled(text)
        self.scope.require(text)
        execution = self._runtime.execution
        with self._namespace(is_chosen=_chooses_namespace(text)):
            try:
                frame = execution.statement(text, under_any_settings=under_any_settings)
            except TableException as error:
                self._remove_traces(text)
                raise execution.explain_failure(error, self._find_read_tables(text)) from None
            result = read(execution, frame)
        self._forget_changed_views(text, execution)
        return result

    def _remove_traces(self, text: str) -> None:
        """Remove what a failed CREATE TABLE AS leaves in Spark's warehouse, and what would make its name unusable."""
        identifier = self._find_new_table(text)
        if identifier is not None and identifier.catalog == SPARK_CATALOG:
            spark_tables.remove_empty_directory(
                self._runtime.execution.session, str(identifier.database), identifier.name
            )

    def _find_read_tables(self, text: str) -> Iterator[QueryOperation]:
        """Return the tables that a statement names, as far as there are such."""
        for named in statement_names.statement_names(statement_words.words(text)).objects:
            if named.kind == statement_names.TABLE and named.parts and not named.is_new:
                with contextlib.suppress(TableException):
                    yield self._runtime.manager.source(path_text(named.parts), self._runtime.foreign_temporary)

    def _find_new_table(self, text: str) -> ObjectIdentifier | None:
        """Return the full name of the table that a CREATE TABLE makes; None for another statement."""
        tokens = statement_words.words(text)
        if [token.text.upper() for token in tokens[:2]] != ["CREATE", "TABLE"]:
            return None
        new = next(
            (one.parts for one in statement_names.statement_names(tokens).objects if one.is_new and one.parts), None
        )
        return None if new is None else self._runtime.manager.qualify(path_text(new))

    @contextlib.contextmanager
    def _namespace(self, *, is_chosen: bool = False) -> Iterator[None]:
        """Return a context in which the session uses the environment's current catalog and database.

        If the statement in the context changes them, or if it chooses them explicitly (``is_chosen``), the environment
        adopts them. The session's own catalog and database are restored afterwards, because other code in the program
        relies on them.
        """
        manager, execution = self._runtime.manager, self._runtime.execution
        before = wanted = execution.namespace()
        if manager.namespace.is_chosen and self._runtime.is_in_spark(ObjectIdentifier("", "", manager.current_catalog)):
            wanted = (manager.current_catalog, *self._list_chosen_parts())
        if wanted != before:
            self._use(execution, wanted)
        try:
            yield
        except BaseException:
            with contextlib.suppress(TableException):
                _return_to(execution, before)
            raise
        after = execution.namespace()
        try:
            if after != wanted or is_chosen:
                self._follow(after)
        finally:
            if after != before:
                _return_to(execution, before)

    def _list_chosen_parts(self) -> tuple[str, ...]:
        manager = self._runtime.manager
        parts = manager.namespace.parts
        return (manager.current_database,) if parts is None else parts

    def _use(self, execution: SparkExecution, namespace: tuple[str, ...]) -> None:
        declared = self._runtime.manager.declared
        try:
            execution.use(namespace)
        except TableException as error:
            if (
                error.condition == "SCHEMA_NOT_FOUND"
                and len(namespace) == 2
                and declared.has_database(namespace[0], namespace[1])
            ):
                error.args = (
                    f"The current database {namespace[1]} is one of declared tables, and the Spark session does not "
                    "have it. Make another one current before you create it: te.use_database('default').",
                    *error.args[1:],
                )
            raise

    def _follow(self, namespace: tuple[str, ...]) -> None:
        runtime, manager = self._runtime, self._runtime.manager
        catalog, *parts = namespace
        if not manager.has_catalog(catalog):
            database = parts[0] if parts else "default"
            manager.register(catalog, spark_catalog.SparkCatalog(runtime.execution.session, catalog, database))
        catalog, *parts = runtime.known_namespace(namespace)
        manager.namespace.choose_as_read(manager.spelled_catalog(catalog), tuple(parts))

    def _forget_changed_views(self, text: str, execution: SparkExecution) -> None:
        """Remove temporary views of this environment that a statement dropped or replaced."""
        manager = self._runtime.manager
        folded = fold(text)
        for view in manager.temporary_views():
            if fold(view.name).replace("`", "``") in folded and not execution.has_registered(view.name):
                manager.drop_temporary_view(ObjectIdentifier(view.name).as_serializable_string())

    # --- explanations ------------------------------------------------------------------------------------------------

    def explain(self, query: QueryOperation, details: tuple[ExplainDetail, ...]) -> str:
        """Return the tree, the SQL and, if the session already runs, Spark's plans of a query."""
        # A correlated subquery has no plan of its own.
        execution = None if outer_references(query) else self._runtime.started
        with hiding(self._runtime.functions.hiding_names()):
            sections = [
                ("Operation tree", query.as_summary_string()),
                ("SQL", sql_of(query, self._runtime.target_of(Dialect.SPARK))),
            ]
        sections += self._asynchronous_calls(query)
        if ExplainDetail.CHANGELOG_MODE in details:
            sections.append(_CHANGES)
        if execution is not None:
            sections.append(("Spark's plan", execution.plan(query)))
            for detail in details:
                if detail in _MODES:
                    sections.append((_TITLES[detail], execution.plan(query, _MODES[detail])))
                elif detail is ExplainDetail.JSON_EXECUTION_PLAN:
                    sections.append((_TITLES[detail], execution.json_plan(query)))
        return _write_sections(sections)

    def _asynchronous_calls(self, query: QueryOperation) -> list[tuple[str, str]]:
        """Return an explanation section on a query's asynchronous calls, nothing if it has none."""
        runtime = self._runtime
        if not user_functions(query) and not any(isinstance(source, Source) for source in sources_of(query)):
            return []

        is_stored = runtime.is_function_of_spark

        def known_behind(source: Source) -> QueryOperation | None:
            if runtime.started is None and runtime.manager.declared.find(source.identifier) is not None:
                # Asking Spark whether the table exists would start Spark.
                return None
            try:
                return runtime.query_behind(source)
            except TableException:
                # The query cannot run now, but it can still be explained.
                return None

        expand = planning.expanding(known_behind, runtime.temporary)

        def behind(source: Source) -> QueryOperation | None:
            found = expand(source)
            return None if found is None else sql_functions.expand_functions(found, is_stored)

        inlined = sql_functions.expand_functions(make_names_distinct(query), is_stored)
        text = planning.explain(
            binding.bind(inlined, behind, lambda source: source),
            lambda function, identifier: options_for(function.options, identifier, runtime.config.to_map()),
        )
        return [] if text is None else [("Asynchronous calls", text)]

    def explain_insert(self, insert: Insert, details: tuple[ExplainDetail, ...], stream: str | None = None) -> str:
        """Return the tree, the SQL and, if the session already runs, Spark's plans of an insert.

        ``stream`` describes how the insert of a stream runs, which has no plan before its start.
        """
        with hiding(self._runtime.functions.hiding_names()):
            sections = [
                ("Operation tree", insert_tree(insert)),
                ("SQL", insert_sql(insert, self._runtime.target_of(Dialect.SPARK))),
            ]
        sections += self._asynchronous_calls(insert.query)
        if ExplainDetail.CHANGELOG_MODE in details:
            sections.append(_CHANGES)
        execution = self._runtime.started
        if stream is not None:
            sections.append(("Stream", stream))
        elif execution is not None:
            sections.append(("Spark's plan", writing.plan(execution, insert, "FORMATTED")))
            sections += [
                (_TITLES[detail], writing.plan(execution, insert, _MODES[detail].upper()))
                for detail in details
                if detail in _MODES
            ]
            if ExplainDetail.JSON_EXECUTION_PLAN in details:
                sections.append((_TITLES[ExplainDetail.JSON_EXECUTION_PLAN], execution.json_plan(insert.query)))
        return _write_sections(sections)

    def explain_command(
        self, command: Command, text: str, details: tuple[ExplainDetail, ...], *, in_spark: bool
    ) -> str:
        """Return the tree and the SQL of a command and, if its table is Spark's and the session runs, Spark's plans."""
        tree = _write_sections([("Operation tree", command.as_summary_string())])
        rest = self.explain_sql(text, details) if in_spark else _write_sections([("SQL", text)])
        return f"{tree}\n\n{rest}"

    def explain_sql(self, text: str, details: tuple[ExplainDetail, ...]) -> str:
        """Return the text of a statement and, if the session already runs, Spark's plans."""
        _require_text(text, "explain_sql")
        text = self.scope.spelled(text)
        self.scope.require(text)
        sections = [("SQL", text)]
        if ExplainDetail.CHANGELOG_MODE in details:
            sections.append(_CHANGES)
        execution = self._runtime.started
        if execution is not None:
            with self._namespace():
                sections.append(("Spark's plan", execution.plan_of_text(text)))
                sections += [
                    (_TITLES[detail], execution.plan_of_text(text, _MODES[detail].upper()))
                    for detail in details
                    if detail in _MODES
                ]
        return _write_sections(sections)


def _chooses_namespace(text: str) -> bool:
    """Whether a statement is USE or SET CATALOG."""
    first = [token.text.upper() for token in statement_words.words(text)[:3]]
    return first[:1] == ["USE"] or (first[:2] == ["SET", "CATALOG"] and first[2:] != ["="])


def _return_to(execution: SparkExecution, namespace: tuple[str, ...]) -> None:
    """Restore the session's namespace, unless the statement dropped it."""
    try:
        execution.use(namespace)
    except TableException as error:
        if error.condition != "SCHEMA_NOT_FOUND":
            raise


_TITLES = {
    ExplainDetail.ESTIMATED_COST: "Spark's estimated cost",
    ExplainDetail.PLAN_ADVICE: "Spark's plan at every stage",
    ExplainDetail.JSON_EXECUTION_PLAN: "Spark's physical plan as JSON",
}
_CHANGES = ("Changelog mode", "[I]: in batch all rows are insertions.")


def _uniquely_named(frame: DataFrame) -> DataFrame:
    """Rename duplicate columns in the result of a statement."""
    given = frame.columns
    taken = Names(given)
    seen = Names()
    names = [seen.free(name) if seen.is_free(name) else taken.generate(f"{name}_", 1) for name in given]
    return frame if names == given else frame.toDF(*names)


def _write_sections(sections: list[tuple[str, str]]) -> str:
    return "\n\n".join(f"== {title} ==\n{text}" for title, text in sections)


def sql_of(query: QueryOperation, target: str | None) -> str:
    """Return the SQL of a query as it runs on a target, or the reason why there is none."""
    try:
        return query.as_serializable_string(layout=Layout.MERGED, target=target, quoting=Quoting.NEEDED)
    except TableException as error:
        return f"(none: {error})"


def insert_tree(insert: Insert) -> str:
    """Return the tree of an insert: the sink, and below it the query."""
    lines = insert.query.as_summary_string().split("\n")
    return "\n".join([insert.describe(), *["    " + line for line in lines]])


def insert_sql(insert: Insert, target: str | None) -> str:
    """Return the SQL of an insert as it runs on a target, or the reason why there is none."""
    if insert.has_changes:
        return f"(none: the changes are applied to {insert.sink.name}. The query:)\n{sql_of(insert.rows, target)}"
    if insert.sink.identifier is not None:
        text = sql_of(insert.query, target)
        return text if text.startswith("(none: ") else insert.statement + text
    how = "by its connector" if insert.sink.files is not None and insert.sink.files.is_external else "as files"
    return f"(none: {insert.sink.name} is written to {how}. The query:)\n{sql_of(insert.rows, target)}"


def _require_text(given: Any, method: str) -> None:
    if not isinstance(given, str) or not given.strip():
        raise ValidationException(f"{method} takes the text of a statement, but was given {given!r}.")
