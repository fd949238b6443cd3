"""Executes and explains commands: in Spark for tables of its catalogs, and in the catalog itself for the others."""

from __future__ import annotations

import contextlib
import uuid
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Final, Protocol, TypeVar

from grammar import syntax as s
from grammar.errors import Misread, place
from grammar.reading import parse_syntax
from grammar.statement_words import statements_of
from ir import light_attrs as attrs
from ir.commands.alterations import AlterTable
from ir.commands.command import Command
from ir.commands.inserts import InsertInto, InsertIntoDirectory, InsertMode, InsertSet
from ir.commands.maintenance import CacheTable, DropTable
from ir.commands.rows import DeleteRows, MergeInto, UpdateRows
from ir.commands.session import CreateGlobalView, SetVariables, SetVariablesFromQuery
from ir.commands.sources import CreateSourceView, LoadData
from ir.commands.tables import CreateTable, CreateTableLike
from ir.errors import TableAlreadyExistException, TableException
from ir.identifiers import ObjectIdentifier, quote
from ir.implicit_notices import suppress_notices
from ir.operations.operation import QueryOperation, TableReference
from ir.operations.source import Source, Values
from ir.rendering import Dialect, Layout
from ir.rewriting import sources_of, user_functions
from ir.schema import Column, ResolvedSchema
from serializer.hidden_names import hiding
from tableapi.declarations.file_tables import FileTable
from tableapi.declarations.format_options import require_spelled_option
from tableapi.explain_detail import ExplainDetail
from tableapi.lazy import lazy
from tableapi.result import TableResult
from tableapi.statement_set import StatementSet, Texts, add_insert
from tableapi.statements.sql_tables import TableStatements
from tableapi.table_pipeline import TablePipeline

if TYPE_CHECKING:
    from ir.resolution.commands import like
    from serializer.commands import new_rows
    from tableapi.declarations import option_spelling
    from tableapi.python_code import commands as python_commands
    from tableapi.queries.environment_parts import EnvironmentParts
    from tableapi.statements import alterations, inserts, stored_definitions
else:
    alterations = lazy(__name__, "tableapi.statements.alterations")
    inserts = lazy(__name__, "tableapi.statements.inserts")
    new_rows = lazy(__name__, "serializer.commands.new_rows")
    like = lazy(__name__, "ir.resolution.commands.like")
    option_spelling = lazy(__name__, "tableapi.declarations.option_spelling")
    python_commands = lazy(__name__, "tableapi.python_code.commands")
    stored_definitions = lazy(__name__, "tableapi.statements.stored_definitions")


_T = TypeVar("_T")


class RunsTexts(Texts, Protocol):
    """Executes, reads and explains statements in SQL."""

    def execute(self, text: str) -> TableResult:
        """Execute a statement."""


class Commands:
    """Executes and explains the commands of one environment.

    Args:
        environment: the environment.
        texts: executes, reads and explains statements in SQL.
    """

    def __init__(self, environment: EnvironmentParts, texts: RunsTexts) -> None:
        self.environment = environment
        self.texts = texts

    def run(self, command: Command) -> TableResult:
        """Execute a command.

        Raises:
            TableException: the catalog or the format of the table does not support the command, in which case nothing
                was changed; or Spark rejects the statement, or fails.
        """
        handlers = _IN_SPARK if self.is_in_spark(command.target) else _HANDLERS
        handler = handlers.get(type(command))
        if handler is not None:
            return handler(self, command)
        return self.run_in_spark(command)

    def run_in_spark(self, command: Command) -> TableResult:
        """Give the text of a command to Spark.

        Raises:
            ValidationException: the table is in no catalog of Spark.
            TableException: Spark rejects the statement, or it fails.
        """
        # If the table is in no catalog of Spark, this is refused with the alternatives.
        return self.environment.statements.execute_sql(self.text_to_run(command))

    def is_refused(self, command: Command) -> bool:
        """Whether only Spark can execute the command, but it lacks the catalog of the command's table or query."""
        if isinstance(command, CacheTable) and command.query is not None:
            return not self.is_readable_by_spark(command.query)
        if isinstance(command, SetVariables):
            return not all(map(self.is_readable_by_spark, _subqueries(command)))
        return not self.is_in_spark(command.target) and type(command) not in _HANDLERS

    def explain(self, command: Command, details: tuple[ExplainDetail, ...]) -> str:
        """Return the tree, the SQL and, if the session already runs, Spark's plan of a command."""
        if isinstance(command, InsertSet):
            return _explain_insert_set(self, command, details)
        in_spark, text = self.is_in_spark(command.target), self.text_to_run(command)
        if isinstance(command, _OVER_ANY_QUERY) and command.inputs:
            in_spark = all(map(self.is_readable_by_spark, command.inputs))
        elif isinstance(command, SetVariables):
            in_spark = all(map(self.is_readable_by_spark, _subqueries(command)))
        return self.environment.statements.explain_command(command, text, details, in_spark=in_spark)

    def text(self, command: Command, dialect: Dialect, layout: Layout, target: str | None) -> str:
        """Return a command as SQL, by default for the target of the environment.

        Raises:
            TableException: a part of the command has no equivalent in the dialect or the target.
        """
        found = self.environment.runtime.target_of(dialect) if target is None else target
        return command.as_serializable_string(dialect, layout, found)

    def python_code(self, command: Command, names: tuple[str, str], line_length: int) -> str:
        """Return a command as Python code, with variables for the environment and the statement.

        Raises:
            ValidationException: a name is not a valid Python name.
            TableException: a query in the command has no code and no SQL.
        """
        environment = self.environment
        with suppress_notices(), hiding(environment.runtime.functions.hiding_names()):
            return python_commands.statement_script(command, environment, names, line_length)

    def text_to_run(self, command: Command) -> str:
        """Return the text that is executed: Spark's, or that of Flink where a table of another catalog needs it."""
        try:
            return self.text(command, Dialect.SPARK, Layout.MERGED, None)
        except TableException:
            if self.is_in_spark(command.target):
                raise
            return command.as_serializable_string(Dialect.FLINK, Layout.NESTED)

    def is_readable_by_spark(self, query: QueryOperation) -> bool:
        """Whether Spark can read the text of a query: it reads tables of Spark alone, and calls no user's function."""
        runtime = self.environment.runtime
        return not user_functions(query) and all(
            isinstance(source, Values)
            or (
                isinstance(source, Source)
                and source.identifier.catalog is not None
                and runtime.is_in_spark(source.identifier)
            )
            for source in sources_of(query)
        )

    def is_in_spark(self, target: ObjectIdentifier) -> bool:
        """Whether a table is in a catalog that Spark has, or may be a temporary one of Spark's."""
        return target.catalog is None or self.environment.runtime.is_in_spark(target)


_OVER_ANY_QUERY: Final = (InsertIntoDirectory, CacheTable, CreateGlobalView, SetVariablesFromQuery)


def _subqueries(command: Command) -> list[QueryOperation]:
    """Return the subqueries in the expressions of a command."""
    parts = [part for expression in command.expressions for part in expression.walk()]
    return [part.operation for part in parts if isinstance(part, TableReference)]


# --- rows ------------------------------------------------------------------------------------------------------------

_UNSUPPORTED: Final = "UNSUPPORTED_FEATURE.TABLE_OPERATION"
_OTHER_WAYS: Final = (
    "Nothing was changed. Keep the table in a format that changes single rows, such as Delta Lake or Iceberg; or "
    "compute its new rows with a query, and replace all of them by execute_insert(path, overwrite=True)."
)


def _insert(commands: Commands, command: InsertInto) -> TableResult:
    """Insert rows into a table of any catalog."""
    pipeline = inserts.pipeline_of(commands.environment, command)
    if pipeline is not None:
        return pipeline.execute()
    if not commands.is_in_spark(command.target):
        return _refuse_to_change_rows(commands, command)
    _refuse_in_sail(commands, command)
    with _explain_unsupported(command):
        count = _run_over(
            command.query,
            lambda query: commands.environment.statements.insert_by_text(
                commands.text_to_run(command.evolve(query=query))
            ),
            commands,
        )
    return TableResult.of_sinks([command.target.as_summary_string()], counts=[count])


def _refuse_in_sail(commands: Commands, command: InsertInto) -> None:
    """Refuse what Sail cannot read in an INSERT.

    Raises:
        TableException: the statement has PARTITION, options, REPLACE ON or REPLACE USING.
    """
    form = command.form
    if commands.environment.execution.versions.sail is None:
        return
    for is_given, what, remedy in (
        (form.partition is not None, "PARTITION", "Delete the rows of the partition first, and insert the others then"),
        (bool(form.options), "WITH (options)", "Leave the options out"),
        (form.mode in (InsertMode.REPLACE_ON, InsertMode.REPLACE_USING), form.mode.value.upper(), "Use MERGE"),
    ):
        if is_given:
            raise TableException(
                f"Sail's INSERT has no {what}. Nothing was written. {remedy}.",
                condition="UNSUPPORTED_FEATURE.TABLE_OPERATION",
            )


def _insert_set(commands: Commands, command: InsertSet) -> TableResult:
    return _statement_set(commands, command).execute()


def _statement_set(commands: Commands, command: InsertSet) -> StatementSet:
    """Return the statement set that does what a command says.

    Raises:
        TableException: an insert is of a form that the catalog of its table does not have.
        ValidationException: a query does not fit its table.
    """
    made = StatementSet(commands.environment, commands.texts)
    for number, insert in enumerate(command.inserts, 1):
        try:
            add_insert(made, _pipeline_or_text(commands, insert))
        except TableException as error:
            error.args = (f"Statement {number} of {len(command.inserts)}: {error}", *error.args[1:])
            raise
    return made


def _pipeline_or_text(commands: Commands, insert: InsertInto | InsertIntoDirectory) -> TablePipeline | str:
    """Return the insert of the fluent API that does what a command says, or its text if only Spark can run it."""
    environment = commands.environment
    if isinstance(insert, InsertInto):
        pipeline = inserts.pipeline_of(environment, insert)
        called, in_spark = insert.form.called, commands.is_in_spark(insert.target)
    else:
        pipeline = inserts.pipeline_into_directory(environment, insert)
        called, in_spark = insert.called, True
    if pipeline is not None:
        return pipeline
    if in_spark and commands.is_readable_by_spark(insert.query):
        return commands.text_to_run(insert)
    where = "the query reads what Spark has under no name" if in_spark else f"{insert.target.catalog} does not have it"
    raise TableException(
        f"{called} of {insert.target.as_summary_string()} runs in Spark alone, and {where}. Execute it by itself, over "
        "tables of Spark. Nothing was written."
    )


def _explain_insert_set(commands: Commands, command: InsertSet, details: tuple[ExplainDetail, ...]) -> str:
    """Return the tree and the SQL of a set, and then the explanation of each insert."""
    text = commands.text_to_run(command)
    whole = commands.environment.statements.explain_command(command, text, details, in_spark=False)
    parts = [
        f"-- Statement {number} of {len(command.inserts)}\n{commands.explain(insert, details)}"
        for number, insert in enumerate(command.inserts, 1)
    ]
    return "\n\n".join([whole, *parts])


def _insert_into_directory(commands: Commands, command: InsertIntoDirectory) -> TableResult:
    """Replace the files of a directory by the rows of a query over any catalogs."""
    require_spelled_options(command)
    pipeline = inserts.pipeline_into_directory(commands.environment, command)
    if pipeline is not None:
        return pipeline.execute()
    try:
        return _run_over(command.query, lambda query: commands.run_in_spark(command.evolve(query=query)), commands)
    except TableException as error:
        explain_format(error, command.format or "")
        raise


_RowCommand = InsertInto | MergeInto | UpdateRows | DeleteRows


def _change_rows(commands: Commands, command: MergeInto | UpdateRows | DeleteRows) -> TableResult:
    """Change the rows of a table of Spark's catalogs."""
    if command.options and commands.environment.execution.versions.sail is not None:
        raise TableException(
            f"Sail has no options in {command.called}. Nothing was changed. Leave the options out.",
            condition=_UNSUPPORTED,
        )
    with _explain_unsupported(command):
        if isinstance(command, MergeInto):
            return _run_over(
                command.source, lambda source: _change_in_spark(commands, command.evolve(source=source)), commands
            )
        return _change_in_spark(commands, command)


def _change_in_spark(commands: Commands, command: MergeInto | UpdateRows | DeleteRows) -> TableResult:
    """Give a command to Spark; an error about a constraint gets a row that violates it."""
    try:
        return commands.run_in_spark(command)
    except TableException as error:
        if not isinstance(command, DeleteRows):
            preparation = commands.environment.runtime.preparation
            texts = new_rows.new_row_queries(command, None if preparation is None else preparation.target)
            commands.environment.statements.explain_violation(error, texts)
        raise


@contextlib.contextmanager
def _explain_unsupported(command: _RowCommand) -> Iterator[None]:
    """Explain the alternative if the format of a table does not support a command.

    Raises:
        TableException: Spark rejects the command, or it fails.
    """
    try:
        yield
    except TableException as error:
        if error.condition != _UNSUPPORTED:
            raise
        raise TableException(
            f"The format of the table {command.target.as_summary_string()} does not support {_called(command)}. "
            + _OTHER_WAYS,
            condition=error.condition,
        ) from None


def _called(command: _RowCommand) -> str:
    return command.form.called if isinstance(command, InsertInto) else command.called


def _run_over(query: QueryOperation, run: Callable[[QueryOperation], _T], commands: Commands) -> _T:
    """Run a command over a query, which Spark reads under a temporary name if it has no text that Spark understands."""
    execution = commands.environment.execution
    if commands.is_readable_by_spark(query):
        return run(query)
    name = f"__tableapi_source_{uuid.uuid4().hex[:12]}"
    execution.dataframe(query).createOrReplaceTempView(name)
    try:
        return run(Source(ObjectIdentifier(name), query.schema))
    finally:
        execution.unregister(name)


def _refuse_to_change_rows(commands: Commands, command: _RowCommand) -> TableResult:
    """Refuse to change single rows of a table that this library keeps.

    Raises:
        TableException: always.
    """
    if isinstance(command, InsertInto) and command.form.mode in (InsertMode.APPEND, InsertMode.OVERWRITE):
        raise TableException(
            f"{command.target.as_summary_string()} is a table of the catalog {command.target.catalog}, and "
            f"{command.form.called} is for tables of Spark. Nothing was written. Leave the clause out; or write the "
            "whole name of a table of Spark's, such as spark_catalog.default.t."
        )
    raise TableException(
        f"{command.target.as_summary_string()} is a table of the catalog {command.target.catalog}, whose tables of "
        f"files do not support {_called(command)}. {_OTHER_WAYS} For a table of Spark's, write its whole name, or make "
        "Spark's catalog the current one first: USE CATALOG spark_catalog."
    )


def _refuse_to_load(commands: Commands, command: LoadData) -> TableResult:
    """Refuse to move files into a table that this library keeps.

    Raises:
        TableException: always.
    """
    raise TableException(
        f"{command.target.as_summary_string()} is a table of the catalog {command.target.catalog}, and LOAD DATA is "
        "for Hive's tables in Spark's catalog. Nothing was moved. Insert the rows of the files: INSERT INTO … SELECT * "
        f"FROM parquet.`{command.path}`."
    )


def _load_data(commands: Commands, command: LoadData) -> TableResult:
    """Move files into a table of Hive's.

    Raises:
        TableException: the table is one of Spark's formats, or Spark cannot read the path.
    """
    try:
        return commands.run_in_spark(command)
    except TableException as error:
        if error.condition == _LOADING_INTO_SOURCE:
            error.args = (
                f"{error} Nothing was moved. Only tables of Hive's (STORED AS) take files as they are. Insert their "
                f"rows: INSERT INTO … SELECT * FROM parquet.`{command.path}`.",
                *error.args[1:],
            )
        raise


_LOADING_INTO_SOURCE: Final = "_LEGACY_ERROR_TEMP_1261"


def _create_source_view(commands: Commands, command: CreateSourceView) -> TableResult:
    """Create a temporary view in Spark's session, which replaces one of this environment.

    Raises:
        TableAlreadyExistException: the environment has a temporary object of the name.
        TableException: an option is misspelt, or Spark cannot read the data source.
    """
    environment, path = commands.environment, command.target.as_serializable_string()
    require_spelled_options(command)
    own = None if command.is_global else environment.runtime.manager.temporary_of_path(path)
    if own is not None and not command.replaces:
        raise TableAlreadyExistException(f"There is a temporary object {path}. Write CREATE OR REPLACE, or drop it.")
    try:
        result = commands.run_in_spark(command)
    except TableException as error:
        explain_format(error, command.format or "")
        raise
    if own is not None and environment.runtime.manager.temporary_of_path(path) is not None:
        environment.tables.drop_temporary(path)
    return result


def _create_global_view(commands: Commands, command: CreateGlobalView) -> TableResult:
    """Create a view for all sessions of the application from a query over any catalogs.

    Raises:
        TableException: there is a view of the name, or Spark rejects the query.
    """
    if commands.is_readable_by_spark(command.query):
        return commands.run_in_spark(command)
    columns = [column.name for column in command.columns]
    execution = commands.environment.execution
    execution.create_global_view(command.target.name, command.query, columns, replaces=command.replaces)
    return TableResult.ok()


def _set_variables_from_query(commands: Commands, command: SetVariablesFromQuery) -> TableResult:
    """Set variables of Spark's session to the values of a query over any catalogs.

    Raises:
        TableException: there is no such variable, the query has several rows, or it fails.
    """
    return _run_over(command.query, lambda query: commands.run_in_spark(command.evolve(query=query)), commands)


def _cache(commands: Commands, command: CacheTable) -> TableResult:
    """Cache a table, or a query under the name of a temporary view in Spark's session.

    Raises:
        TableAlreadyExistException: the environment has a temporary object of the name of the query.
        TableException: Spark rejects the statement, or the query fails.
    """
    path = command.target.as_serializable_string()
    if command.query is not None and commands.environment.runtime.manager.temporary_of_path(path) is not None:
        raise TableAlreadyExistException(
            f"There is a temporary object {path}. Drop it, or give the query another name."
        )
    return commands.run_in_spark(command)


# --- tables ----------------------------------------------------------------------------------------------------------


def _alter(commands: Commands, command: AlterTable) -> TableResult:
    return alterations.alter_in_catalog(commands.environment, command)


def _alter_in_spark(commands: Commands, command: AlterTable) -> TableResult:
    """Run the statements of a command in their order; Spark has no statement for several kinds of changes."""
    result = TableResult.ok()
    for text in statements_of(commands.text_to_run(command)):
        result = commands.environment.statements.execute_sql(text.strip())
    alterations.alter_declaration(commands.environment, command)
    return result


def _drop(commands: Commands, command: DropTable) -> TableResult:
    """Drop a table as the environment does, since it may be a temporary or a declared one."""
    return commands.texts.execute(commands.text_to_run(command))


def _create_table_in_spark(commands: Commands, command: CreateTable) -> TableResult:
    """Create a table in a catalog of Spark.

    Raises:
        TableException: an option is misspelt, or Spark rejects the statement.
    """
    require_spelled_options(command)
    check_with_engine(commands, command)
    definition = command.definition
    try:
        if command.query is None:
            return commands.run_in_spark(command)
        return commands.environment.statements.create_by_text(commands.text_to_run(command), definition.location)
    except TableException as error:
        explain_format(error, definition.format or "")
        raise


def require_spelled_options(command: Command) -> None:
    """Check the names of the options of a new table, view or directory, as far as its format or connector is known.

    Raises:
        TableException: an option is misspelt; the message has the nearest name.
    """
    if isinstance(command, CreateTable):
        format, options = command.definition.format or "", command.definition.options
        owner = f"The table {command.target.as_summary_string()}"
        if command.definition.connector:
            option_spelling.require_spelled_connector(dict(command.definition.connector), owner)
    elif isinstance(command, CreateSourceView):
        format, options, owner = command.format, command.options, f"The view {command.target.name}"
    elif isinstance(command, InsertIntoDirectory):
        format, options, owner = command.format or "", command.options, f"The directory {command.path}"
    else:
        return
    for key, _ in options:
        require_spelled_option(format.lower(), key, owner)


def check_with_engine(commands: Commands, command: CreateTable) -> None:
    """Check a new table of Spark's for what the engine accepts, and reads otherwise than the statement says.

    Sail accepts any format. Spark reads values of another type in ORC files as NULL.

    Raises:
        TableException: the format is misspelt, and the engine is Sail.
        ValidationException: a file at the location has a column of another type.
    """
    made = command.definition
    if commands.environment.execution.versions.sail is not None:
        require_known_format(command)
    if made.format != "orc" or not made.columns or "/" not in (made.location or ""):
        return
    schema = ResolvedSchema(tuple([Column(column.name, column.data_type) for column in made.columns]))
    keys = tuple([field.column[-1] for field in made.partitioning])
    commands.environment.statements.check_files(FileTable("orc", made.location, dict(made.options), schema, keys))


def require_known_format(command: Command) -> None:
    """Check the format of a new table in a catalog whose formats are known: one that Spark does not have, or Sail's.

    Raises:
        TableException: the format is misspelt; the message has the nearest name.
    """
    format = command.definition.format if isinstance(command, CreateTable) else None
    near = "" if format is None else option_spelling.nearest_format(format)
    if near:
        raise TableException(
            f"The table {command.target.as_summary_string()} has the format {format!r}, which is unknown.{near}",
            option_value="format",
        )


NO_FORMAT: Final = "DATA_SOURCE_NOT_FOUND"
"""Spark's condition for an unknown format or data source."""


def explain_format(error: TableException, format: str) -> None:
    """Add the nearest format to Spark's error about an unknown one, which may be any data source."""
    if error.condition == NO_FORMAT:
        error.args = (f"{error}{option_spelling.nearest_format(format)}", *error.args[1:])


_ROW_COMMANDS: Final[tuple[type[Command], ...]] = (MergeInto, UpdateRows, DeleteRows)
_Handlers = Mapping[type[Command], Callable[[Commands, Any], TableResult]]

_IN_SPARK: Final[_Handlers] = {
    InsertInto: _insert,
    InsertIntoDirectory: _insert_into_directory,
    **dict.fromkeys(_ROW_COMMANDS, _change_rows),
    InsertSet: _insert_set,
    CreateSourceView: _create_source_view,
    CreateGlobalView: _create_global_view,
    SetVariablesFromQuery: _set_variables_from_query,
    CreateTable: _create_table_in_spark,
    CacheTable: _cache,
    LoadData: _load_data,
    AlterTable: _alter_in_spark,
    DropTable: _drop,
}
"""What executes a command on a table of Spark's catalogs, if not its text alone, by the class of the command."""

# --- declarations ----------------------------------------------------------------------------------------------------


def _create_table(commands: Commands, command: CreateTable | CreateTableLike) -> TableResult:
    """Create a table in a catalog that Spark does not have.

    Raises:
        TableException: the catalog does not support a part of the definition; the message names it.
    """
    environment = commands.environment
    statements = TableStatements(environment.tables, environment.reader, environment.statements)
    is_merged = isinstance(command, CreateTableLike)
    if isinstance(command, CreateTableLike):
        source = stored_definitions.command_of_table(environment, command.source, masks=False)
        command = like.merge_like(command, source.definition)
    is_of_flink = stored_definitions.needs_flink(command)
    text = command.as_serializable_string(Dialect.FLINK) if is_of_flink else commands.text_to_run(command)
    dialect = Dialect.FLINK if is_of_flink else Dialect.SPARK
    written = parse_syntax(text, dialect)
    if command.is_temporary and command.target == environment.runtime.manager.qualify(quote(command.target.name)):
        # The tree has the current catalog and database in every name; a temporary table is in none.
        own = s.Path(written.name.position, written.name.names[-1:])
        written = attrs.evolve(written, name=own)
    try:
        return statements.create(written, text, dialect)
    except Misread as error:
        # Nobody has written the text of a merged definition.
        where = "" if is_merged else f"\n{place(text, error.position)}"
        raise error.kind(f"{error.message}{where}") from None


_HANDLERS: Final[_Handlers] = {
    InsertInto: _insert,
    InsertSet: _insert_set,
    **dict.fromkeys(_ROW_COMMANDS, _refuse_to_change_rows),
    LoadData: _refuse_to_load,
    CreateTable: _create_table,
    CreateTableLike: _create_table,
    AlterTable: _alter,
    DropTable: _drop,
}
"""What executes a command on a table of a catalog that Spark does not have, by the class of the command."""
