"""SQL statements that the environment executes itself, by the same code as the methods of the fluent API."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from grammar import statements as st
from grammar import syntax as s
from grammar.builder.context import ExpectedColumn
from grammar.diagnostics.foreign_statements import advice
from grammar.diagnostics.other_statements import OTHER_VERBS
from grammar.errors import Misread, place
from grammar.lexemes import Token
from grammar.parsers import parser
from grammar.reading import has_command, parse_syntax
from grammar.statement_words import is_command, is_named_by_text, is_own, separator, words
from grammar.written_identifiers import replace_identifiers
from ir.commands.command import Command
from ir.commands.tables import CreateTable
from ir.errors import (
    CatalogException,
    FunctionNotExistException,
    SqlParserException,
    TableException,
    TableNotExistException,
    ValidationException,
)
from ir.expressions import ValueLiteral
from ir.identifiers import fold, fold_path, parse_path, quote
from ir.operations.operation import QueryOperation
from ir.rendering import Dialect
from tableapi.declarations.sinks import find_partition_key
from tableapi.explain_detail import ExplainDetail
from tableapi.lazy import lazy
from tableapi.queries.query import Query
from tableapi.queries.sql_reader import path_of, refuse_several, require_text
from tableapi.result import TableResult
from tableapi.statement_set import StatementSet, add_insert
from tableapi.statements.commands import (
    NO_FORMAT,
    Commands,
    check_with_engine,
    explain_format,
    require_known_format,
    require_spelled_options,
)
from tableapi.statements.declared_definitions import command_of
from tableapi.statements.listings import Listings
from tableapi.statements.sql_functions import FunctionStatements
from tableapi.statements.sql_namespaces import NamespaceStatements
from tableapi.statements.sql_settings import SqlSettings
from tableapi.statements.sql_tables import (
    TableStatements,
    declares_table,
    is_of_flink,
    is_plain,
    like_dialect,
    locate_option,
    name_of_table,
    position_of_format,
)
from tableapi.statements.sql_views import ViewStatements, home_of, home_of_new
from tableapi.statements.statement_errors import (
    StatementErrors,
    add_place,
    find_syntax_error,
    is_about_syntax,
    locate_misread,
)
from tableapi.table_pipeline import TablePipeline
from tableapi.table_statement import TableStatement

if TYPE_CHECKING:
    from grammar import alterations as tc
    from tableapi import table_alteration
    from tableapi.queries.environment_parts import EnvironmentParts
    from tableapi.statements import stored_definitions
    from tableapi.table_alteration import TableAlteration
    from tableapi.table_descriptor import TableDescriptor
else:
    tc = lazy(__name__, "grammar.alterations")
    stored_definitions = lazy(__name__, "tableapi.statements.stored_definitions")
    table_alteration = lazy(__name__, "tableapi.table_alteration")

_DETAILS = {
    **{detail.name: detail for detail in ExplainDetail},
    "COST": ExplainDetail.ESTIMATED_COST,
    "EXTENDED": ExplainDetail.PLAN_ADVICE,
}
_QUOTES = "'\""
# Spark's conditions for names that are unknown to Spark: an object of this environment, or a missing object.
_NO_ROUTINE = "ROUTINE_NOT_FOUND"
_NOT_SPARKS = "TABLE_OR_VIEW_NOT_FOUND"


class SqlStatements:
    """Executes the statements of one environment; passes statements that only Spark supports on unchanged."""

    def __init__(self, environment: EnvironmentParts) -> None:
        self._environment = environment
        self._runtime = environment.runtime
        self._tables = environment.tables
        self._reader = environment.reader
        self._statements = environment.statements
        self._settings = SqlSettings(self._runtime, self._statements)
        self._functions = FunctionStatements(self._runtime)
        self._namespaces = NamespaceStatements(self._runtime, self._statements)
        self._views = ViewStatements(environment)
        self._table_statements = TableStatements(self._tables, self._reader, self._statements)
        self._errors = StatementErrors(environment)
        self.commands = Commands(environment, self)
        self._listings = Listings(environment)

    # --- any statement -----------------------------------------------------------------------------------------------

    def execute(self, text: str) -> TableResult:
        """Execute a statement; return its rows, or OK if it returns none.

        Raises:
            SqlParserException: the statement cannot be parsed.
            TableException: the statement is invalid or fails.
        """
        require_text(text, "execute_sql")
        try:
            return self._execute(text)
        except TableException as error:
            raise self._errors.explain_missing(error, text) from None

    def _execute(self, text: str) -> TableResult:
        """Execute a statement; an error of Spark's about a missing table or database is as Spark writes it."""
        text, tokens = self._words(text)
        if _chooses_catalog(tokens):
            name = tokens[2].text
            return self.execute(f"USE CATALOG {quote(name[1:-1]) if name[0] in _QUOTES else name}")
        if self._settings.concerns(tokens) and not is_command(tokens):
            return self._settings.execute(text, tokens)
        dialect = self._dialect_of_table(tokens)
        if dialect is not None:
            return self._create_table(text, dialect)
        if is_command(tokens):
            return self._execute_command(text, tokens)
        if not is_own(tokens):
            return self._declare_or_pass(text, tokens)
        written = parse_syntax(text, Dialect.SPARK)
        try:
            result = self._run(written, text)
        except FunctionNotExistException as error:
            if not self._spark_could(written):
                raise
            return self._retry_in_spark(written, text, error)
        except Misread as error:
            raise locate_misread(error, text) from None
        except (ValidationException, CatalogException) as error:
            raise self._errors.add_position(error, written, text) from None
        return self._pass_to_spark(written, text) if result is None else result

    def require_readable(self, text: str) -> None:
        """Check that a statement can be parsed if this environment executes it itself; Spark is not started.

        Raises:
            SqlParserException: the statement cannot be parsed.
        """
        tokens = words(text)
        if (
            is_named_by_text(tokens)
            or _chooses_catalog(tokens)
            or (self._settings.concerns(tokens) and not is_command(tokens))
        ):
            return
        if is_of_flink(tokens):
            parse_syntax(text, Dialect.FLINK)
        elif is_own(tokens):
            parse_syntax(text, Dialect.SPARK)

    def _words(self, text: str) -> tuple[str, list[Token]]:
        """Return the tokens of a statement, and its text; replace IDENTIFIER clauses if it is executed here.

        Raises:
            SqlParserException: there are several statements.
        """
        tokens = words(text)
        refuse_several(text, tokens)
        if is_named_by_text(tokens):
            named = replace_identifiers(parser(Dialect.SPARK), text, self._runtime.variable_text)
            known = words(named)
            if is_own(known):
                return named, known
        return text, tokens

    def _dialect_of_table(self, tokens: list[Token]) -> Dialect | None:
        """Return the dialect of a CREATE TABLE that this environment executes; None for any other statement."""
        if is_of_flink(tokens):
            return Dialect.FLINK
        like = like_dialect(tokens)
        if like is not None:
            name = name_of_table(tokens)
            return like if name is not None and home_of_new(self._runtime, name) == "own" else None
        name = name_of_table(tokens) if is_plain(tokens) else None
        return Dialect.SPARK if name is not None and home_of_new(self._runtime, name) == "own" else None

    def _create_table(self, text: str, dialect: Dialect) -> TableResult:
        written = parse_syntax(text, dialect)
        if isinstance(written, st.CreateTable) and written.like is not None:
            try:
                return self.statement(text, dialect).execute()
            except TableNotExistException as error:
                raise add_place(error, text, written.like.position) from None
        if written.query is None:
            # The definition of the statement's tree is checked more strictly, and with positions.
            self._reader.named_command(written, text, dialect=dialect)
        try:
            return self._table_statements.create(written, text, dialect)
        except Misread as error:
            raise locate_misread(error, text) from None
        except TableException as error:
            if written.query is None or isinstance(error, CatalogException):
                raise add_place(error, text, written.name.position) from None
            raise

    def _declare_or_pass(self, text: str, tokens: list[Token]) -> TableResult:
        """Pass a statement to Spark; check a CREATE TABLE before.

        Raises:
            TableException: the statement is invalid. Of two errors about its syntax, this library's says more.
        """
        ours = self._check_declaration(text, tokens) if declares_table(tokens) else None
        if ours is None and tokens and tokens[0].text.upper() in OTHER_VERBS:
            ours = find_syntax_error(text)
        try:
            return self._foreign(text, tokens)
        except TableException as theirs:
            # Older errors of Spark's parser have no condition.
            if isinstance(ours, SqlParserException) and (theirs.condition is None or is_about_syntax(theirs)):
                raise ours from None
            raise

    def _check_declaration(self, text: str, tokens: list[Token]) -> TableException | None:
        """Check a CREATE TABLE with columns before Spark executes it.

        Returns:
            the error about what this library cannot parse, or a function that it does not know; Spark may.

        Raises:
            ValidationException: a name, a type or an expression in the statement is invalid.
        """
        try:
            written = parse_syntax(text, Dialect.SPARK)
            if isinstance(written, st.CreateTable) and written.query is None:
                self._check_options(self._reader.command(written, text), written, text, with_engine=True)
        except (SqlParserException, FunctionNotExistException) as error:
            self._errors.require_in_spark(text, error)
            return error
        return None

    def _check_options(self, command: Command, written: Any, text: str, *, with_engine: bool = False) -> None:
        """Check the names of the connector, the format and the options of a new table or view.

        Args:
            command: the command of the statement.
            written: the parsed statement.
            text: its text.
            with_engine: whether the statement is about to run, so that the engine may be asked.

        Raises:
            TableException: a name is misspelt; the message has its position and the nearest name.
        """
        try:
            require_spelled_options(command)
            if not self.commands.is_in_spark(command.target):
                require_known_format(command)
            elif with_engine and isinstance(command, CreateTable):
                check_with_engine(self.commands, command)
        except TableException as error:
            options = {"options": written.options} if isinstance(written, st.CreateViewUsing) else written.options
            found = locate_option(error, options, text)
            raise (locate_misread(found, text) if isinstance(found, Misread) else found) from None

    def _foreign(self, text: str, tokens: list[Token]) -> TableResult:
        """Pass a statement to Spark that this library does not parse."""
        try:
            if declares_table(tokens):
                return self._statements.create_by_text(text, _location_for_query(text))
            return self._statements.execute_sql(text)
        except TableException as error:
            if error.condition == "PARSE_SYNTAX_ERROR":
                error.args = (f"{error}{advice(tokens)}", *error.args[1:])
            position = position_of_format(tokens) if error.condition == NO_FORMAT else None
            if position is not None:
                explain_format(error, next(token.text for token in tokens if token.position == position))
                error.args = (f"{error}\n{place(text, position)}", *error.args[1:])
            raise

    def _pass_to_spark(self, written: Any, text: str) -> TableResult:
        """Pass a parsed statement to Spark unchanged."""
        if isinstance(written, st.InsertInto):
            target = self._runtime.manager.qualify(path_of(written.target))
            count = self._statements.insert_by_text(text)
            return TableResult.of_sinks([target.as_summary_string()], counts=[count])
        return self._statements.execute_sql(text)

    def _run(self, written: Any, text: str) -> TableResult | None:
        """Execute a statement; return None if Spark has to execute it."""
        handler = _HANDLERS.get(type(written))
        if handler is not None:
            return handler(self, written, text)
        if isinstance(written, st.Show | st.Describe):
            return self._listings.result(written, text)
        return self._query(written, text).execute()

    def _spark_could(self, written: Any) -> bool:
        """Whether Spark could run a statement that calls a function unknown to this library."""
        if isinstance(written, st.InsertInto):
            return home_of(self._runtime, written.target) == "spark"
        if isinstance(written, st.CreateView):
            return written.temporary or home_of(self._runtime, written.name) == "spark"
        if isinstance(written, st.AlterView):
            return home_of(self._runtime, written.name) == "spark"
        if isinstance(written, st.DropFunction):
            return self._functions.spark_may_have(written)
        if isinstance(written, st.CreateFunction | st.AlterFunction):
            return False
        if isinstance(written, st.Explain):
            return self._runtime.started is not None and not written.details
        if isinstance(written, st.Describe) and written.kind == "FUNCTION":
            return self._spark_has_functions(written.target)
        return True

    def _spark_has_functions(self, name: s.Path) -> bool:
        """Whether Spark may have a function or operator of a name; ``DESCRIBE FUNCTION =`` asks for an operator."""
        runtime = self._runtime
        if runtime.started is None and runtime.settings_in_memory:
            return False
        meant = runtime.manager.qualify(path_of(name))
        return len(name.parts) == 1 or (runtime.manager.has_catalog(str(meant.catalog)) and runtime.is_in_spark(meant))

    def _retry_in_spark(self, written: Any, text: str, error: FunctionNotExistException) -> TableResult:
        """Pass a statement to Spark because this library does not know a function in it."""
        try:
            self._statements.scope.require(text)
        except ValidationException as refusal:
            error.args = (f"{error}\nSpark was not asked whether it knows the function. {refusal}", *error.args[1:])
            raise error from None
        try:
            return self._pass_to_spark(written, text)
        except TableException as theirs:
            if theirs.condition in (error.condition, _NO_ROUTINE):
                raise error from None
            if theirs.condition == _NOT_SPARKS:
                theirs.args = (
                    f"{theirs}\nSpark was given the statement as it is, because a function in it is not one of this "
                    f"library: {error}",
                    *theirs.args[1:],
                )
            raise

    def _query(self, written: Any, text: str, expected: ExpectedColumn | None = None) -> Query:
        operation, names = self._reader.named_operation(written, text, expected=expected)
        return Query(operation, self._environment, names)

    # --- commands ----------------------------------------------------------------------------------------------------

    def statement(self, text: str, dialect: Dialect) -> TableStatement:
        """Return the statement of a text that declares, changes or drops a table, or changes its rows.

        Raises:
            SqlParserException: the text cannot be parsed, or is a query or another statement.
            ValidationException: a name or a type is invalid; the message has the position.
        """
        require_text(text, "sql_statement")
        written = self._parse_several(text, dialect)
        if written is None:
            text, _ = self._words(text)
            written = parse_syntax(text, dialect)
        if not has_command(written):
            if isinstance(written, s.Statement):
                raise SqlParserException(
                    f"sql_statement takes a statement about a table, and the text is {written.called}. Run it with "
                    "execute_sql."
                )
            raise SqlParserException("sql_statement takes a statement, and the text is a query. Use sql_query.")
        command, names = self._reader.named_command(written, text, dialect=dialect)
        self._check_options(command, written, text)
        return TableStatement(command, self.commands, names)

    def alteration(self, path: str) -> TableAlteration:
        """Return the alteration of a table, still without changes.

        Raises:
            TableNotExistException: there is no such table.
            ValidationException: the name is that of a view or of a temporary object.
        """
        identifier = self._reader.full_name(parse_path(path))
        table = self._reader.altered_table(identifier)
        return table_alteration.TableAlteration(identifier, (), table, self._environment.lookup, self.commands)

    def _parse_several(self, text: str, dialect: Dialect) -> tc.AlterTable | st.MultiInsert | None:
        """Return several statements as one, if a command is printed as several of them; None for any other text.

        These are ALTER TABLE of one table, with several kinds of changes, and INSERTs.
        """
        tokens = words(text)
        if separator(tokens) is None:
            return None
        # Blanks keep the positions of the tokens.
        ends = [token.position for token in tokens if token.text == ";"]
        parts = [
            " " * start + text[start:end]
            for start, end in zip([0, *[end + 1 for end in ends]], [*ends, len(text)], strict=True)
            if text[start:end].strip()
        ]
        if all(tokens[:1] and tokens[0].text.upper() == "INSERT" for tokens in map(words, parts)):
            inserts = [parse_syntax(part, dialect) for part in parts]
            return st.MultiInsert(inserts[0].position, inserts)
        found = [parse_syntax(part, dialect) for part in parts if is_command(words(part))]
        names = [node.name.parts for node in found if isinstance(node, tc.AlterTable)]
        if len(names) < len(parts) or len({fold_path(name) for name in names}) > 1:
            return None
        changes = [change for node in found for change in node.changes]
        return tc.AlterTable(found[0].position, found[0].name, changes)

    def table_statement(
        self,
        path: str,
        descriptor: TableDescriptor | None,
        query: QueryOperation | None = None,
        *,
        ignore_if_exists: bool = False,
        or_replace: bool = False,
    ) -> TableStatement:
        """Return the statement that creates a table from a descriptor or a query.

        Without both, return the statement that creates the existing table.

        Raises:
            ValidationException: an expression or a name in the descriptor is invalid; or ``ignore_if_exists`` or
                ``or_replace`` is given without a descriptor and without a query.
            TableNotExistException: neither a descriptor nor a query is given, and the table does not exist.
        """
        target = self._runtime.manager.qualify(path)
        if descriptor is None and query is None:
            if ignore_if_exists or or_replace:
                raise ValidationException(
                    "ignore_if_exists and or_replace need a descriptor or a query: the statement of a table creates it."
                )
            if not self._runtime.is_in_spark(target):
                return TableStatement(stored_definitions.command_of_table(self._environment, target), self.commands)
            shown = self._statements.execute_sql(f"SHOW CREATE TABLE {target.as_serializable_string()}")
            return self.statement(next(iter(shown.collect()))[0], Dialect.SPARK)
        by = {"ignore_if_exists": ignore_if_exists, "or_replace": or_replace}
        return TableStatement(command_of(self._environment, target, descriptor, query, **by), self.commands)

    def _execute_command(self, text: str, tokens: list[Token]) -> TableResult:
        try:
            statement = self.statement(text, Dialect.SPARK)
        except (SqlParserException, FunctionNotExistException) as error:
            return self._try_in_spark(text, tokens, error)
        if self.commands.is_refused(statement.get_command()):
            # A refusal shows the text as it was written.
            self._statements.scope.require(text)
        return statement.execute()

    def _try_in_spark(self, text: str, tokens: list[Token], ours: TableException) -> TableResult:
        """Pass a statement to Spark that this library cannot read; it may be of a newer Spark, or call its functions.

        Raises:
            TableException: Spark cannot read it, either, or does not have the table; ``ours`` says it more precisely.
        """
        self._errors.require_in_spark(text, ours)
        try:
            return self._foreign(text, tokens)
        except TableException as theirs:
            if is_about_syntax(theirs) or theirs.condition in (ours.condition, _NO_ROUTINE):
                raise ours from None
            raise

    # --- other objects -----------------------------------------------------------------------------------------------

    def _drop(self, node: st.Drop | st.DropTable, text: str) -> TableResult | None:
        path, home, manager = path_of(node.name), home_of(self._runtime, node.name), self._runtime.manager
        temporary = manager.temporary_of_path(path)
        if temporary is not None:
            is_table = temporary.files is not None
            if is_table is not (node.kind == "TABLE"):
                other = "TABLE" if is_table else "VIEW"
                raise ValidationException(f"{path} is a temporary {other.lower()}; drop it with DROP {other}.")
            self._tables.drop_temporary(path)
            return TableResult.ok()
        if manager.temporary_source(path, self._runtime.foreign_temporary) is not None and len(node.name.parts) > 1:
            # A global temporary view, which all sessions share.
            return None
        foreign = self._runtime.foreign_temporary(node.name.parts[0]) if len(node.name.parts) == 1 else None
        if foreign is not None and node.kind == "VIEW":
            self._tables.drop_foreign(foreign.identifier.name)
            return TableResult.ok()
        if node.temporary:
            if not node.if_exists:
                raise TableNotExistException(f"There is no temporary {node.kind.lower()} {path}.")
            return TableResult.ok()
        if node.kind == "TABLE" and home == "spark":
            return None
        self._tables.drop(path, node.if_exists, f"drop_{node.kind.lower()}")
        return TableResult.ok()

    def _create_function(self, node: st.CreateFunction, text: str) -> TableResult | None:
        return self._functions.create(node, text)

    def _alter_function(self, node: st.AlterFunction, text: str) -> TableResult | None:
        return self._functions.alter(node, text)

    def _drop_function(self, node: st.DropFunction, text: str) -> TableResult | None:
        return self._functions.drop(node, text)

    # --- inserts -----------------------------------------------------------------------------------------------------

    def _insert(self, node: st.InsertInto, text: str) -> TableResult | None:
        pipeline = self.pipeline(node, text)
        return self._execute_command(text, words(text)) if pipeline is None else pipeline.execute()

    def pipeline(self, node: st.InsertInto, text: str) -> TablePipeline | None:
        """Return the insert of a statement; None if Spark has to execute the statement.

        Raises:
            ValidationException: the statement is invalid.
        """
        home, path = home_of(self._runtime, node.target), path_of(node.target)
        of_spark = node.replaced is not None or node.if_not_exists or bool(node.options)
        if _has_default(node.query) or (home == "spark" and of_spark):
            return None
        self._refuse_forms_of_spark(node)
        given = node.columns if isinstance(node.columns, list) else []
        columns = [name.text for name in given] or None
        constant = {fold(key.name.text) for key in node.partition or () if key.value is not None}
        expected = self._statements.columns_of(path, columns, constant, by_name=node.columns is True)
        query = self._query(node.query, text, expected)
        if node.columns is True:
            columns = list(query.operation.schema.names)
        partition, named = {}, set[str]()
        for key in node.partition or ():
            if fold(key.name.text) in named:
                raise Misread(key.position, f"The partition column {key.name.text} is named twice. Leave one out.")
            named.add(fold(key.name.text))
            try:
                find_partition_key(self._statements.sink(path), key.name.text)
            except ValidationException as error:
                raise Misread(key.position, str(error), error.condition) from None
            if key.value is not None:
                partition[key.name.text] = self._partition_value(key, text)
        if node.overwrite and home == "spark" and self._statements.sink(path).partition_keys:
            # The session's settings determine whether all partitions are replaced, or only those that get rows.
            return None
        by_name = node.columns is True
        return TablePipeline(query, path, node.overwrite, partition or None, columns, is_by_name=by_name)

    def _refuse_forms_of_spark(self, node: st.InsertInto) -> None:
        """Reject what only tables of Spark have.

        Raises:
            Misread: the statement has REPLACE, options or IF NOT EXISTS.
        """
        advice = f"Name one of these with its catalog, such as spark_catalog.default.{node.target.parts[-1]}."
        if node.replaced is not None:
            raise Misread(
                node.replaced.position,
                f"REPLACE {node.replaced.kind} is for tables of Spark, in a format that can replace some of its rows. "
                + advice,
                "UNSUPPORTED_FEATURE.TABLE_OPERATION",
            )
        if node.options:
            raise Misread(
                node.target.position,
                f"The options of an INSERT are for tables of Spark; a table of files has its own. {advice}",
                "UNSUPPORTED_FEATURE.TABLE_OPERATION",
            )
        if node.if_not_exists:
            raise Misread(
                node.position,
                f"IF NOT EXISTS is for tables of Spark, whose catalog has the partitions. {advice}",
                "UNSUPPORTED_FEATURE.TABLE_OPERATION",
            )

    def _partition_value(self, key: st.PartitionValue, text: str) -> Any:
        made = self._reader.expression(key.value, text)
        if not isinstance(made, ValueLiteral):
            raise Misread(key.position, f"The partition key {key.name.text!r} takes a constant.")
        return made.value

    def _insert_set(self, node: st.InsertSet, text: str) -> TableResult:
        return self._statement_set(node, text).execute()

    def _statement_set(self, node: st.InsertSet, text: str) -> StatementSet:
        made = StatementSet(self._environment, self)
        for insert in node.inserts:
            add_insert(made, self._pipeline_or_text(insert, text))
        return made

    def _pipeline_or_text(self, node: st.InsertInto, text: str) -> TablePipeline | str:
        try:
            found = self.pipeline(node, text)
        except FunctionNotExistException:
            if not self._spark_could(node):
                raise
            found = None
        return _text_of(node, text) if found is None else found

    def insert_of_text(self, text: str) -> TablePipeline | str:
        """Return the insert of a statement, or its text if Spark has to execute it.

        Raises:
            ValidationException: the text is not an INSERT, or is invalid.
        """
        text, tokens = self._words(text)
        if not is_own(tokens):
            return text
        written = parse_syntax(text, Dialect.SPARK)
        if not isinstance(written, st.InsertInto):
            raise ValidationException(f"add_insert_sql takes an INSERT statement, but was given {text!r}.")
        try:
            return self._pipeline_or_text(written, text)
        except Misread as error:
            raise locate_misread(error, text) from None

    # --- explanations ------------------------------------------------------------------------------------------------

    def _explain(self, node: st.Explain, text: str) -> TableResult | None:
        details = tuple([_DETAILS[name] for name in node.details if name in _DETAILS])
        explained = self._explain_query(node.statement, text, details)
        if explained is None:
            return None
        if "CODEGEN" in node.details and not isinstance(node.statement, st.InsertSet | st.InsertInto):
            operation = self._reader.operation(node.statement, text)
            code = self._runtime.execution.plan(operation, "codegen")
            explained += f"\n\n== Spark's generated code ==\n{code}"
        return TableResult.of_rows(["plan"], [(explained,)])

    def _explain_query(self, statement: Any, text: str, details: tuple[ExplainDetail, ...]) -> str | None:
        if isinstance(statement, st.InsertSet):
            return self._statement_set(statement, text).explain(*details)
        if isinstance(statement, st.InsertInto):
            pipeline = self.pipeline(statement, text)
            return None if pipeline is None else pipeline.explain(*details)
        return self._query(statement, text).explain(*details)

    def explain(self, text: str, details: tuple[ExplainDetail, ...]) -> str:
        """Return the tree, the SQL and, if the session already runs, Spark's plans of a query or insert.

        For any other statement, return the text and, if the session already runs, Spark's plan.

        Raises:
            TableException: the statement is invalid.
        """
        require_text(text, "explain_sql")
        text, tokens = self._words(text)
        if is_own(tokens):
            written = parse_syntax(text, Dialect.SPARK)
            explainable = not isinstance(written, s.Statement) or isinstance(written, st.InsertInto | st.InsertSet)
            try:
                found = self._explain_query(written, text, details) if explainable else None
            except FunctionNotExistException:
                if self._runtime.started is None or not self._spark_could(written):
                    raise
                found = None
            except Misread as error:
                raise locate_misread(error, text) from None
            if found is not None:
                return found
        return self._statements.explain_sql(text, details)


_Handler = Callable[[SqlStatements, Any, str], TableResult | None]


def _handle_namespaces(execute: Callable[[NamespaceStatements, Any], TableResult | None]) -> _Handler:
    return lambda statements, node, text: execute(statements._namespaces, node)


_HANDLERS: Mapping[type, _Handler] = {
    st.CreateView: lambda statements, node, text: statements._views.create(node, text),
    st.AlterView: lambda statements, node, text: statements._views.alter(node, text),
    st.Drop: SqlStatements._drop,
    st.DropTable: SqlStatements._drop,
    st.CreateFunction: SqlStatements._create_function,
    st.AlterFunction: SqlStatements._alter_function,
    st.DropFunction: SqlStatements._drop_function,
    st.CreateDatabase: _handle_namespaces(NamespaceStatements.create_database),
    st.AlterDatabase: _handle_namespaces(NamespaceStatements.alter_database),
    st.DropDatabase: _handle_namespaces(NamespaceStatements.drop_database),
    st.CreateCatalog: _handle_namespaces(NamespaceStatements.create_catalog),
    st.AlterCatalog: _handle_namespaces(NamespaceStatements.alter_catalog),
    st.DropCatalog: _handle_namespaces(NamespaceStatements.drop_catalog),
    st.Use: _handle_namespaces(NamespaceStatements.use),
    st.InsertInto: SqlStatements._insert,
    st.InsertSet: SqlStatements._insert_set,
    st.Explain: SqlStatements._explain,
}


def _chooses_catalog(tokens: Sequence[Token]) -> bool:
    """Whether a statement is SET CATALOG with a name."""
    given = [token.text.upper() for token in tokens if token.text != ";"]
    return given[:2] == ["SET", "CATALOG"] and len(given) == 3 and given[2] != "="


def _text_of(node: st.InsertInto, text: str) -> str:
    """Return the text of an INSERT, also within a statement set."""
    ends = [token.position for token in words(text) if token.text == ";" and token.position > node.position]
    return text[node.position : min([*ends, len(text)])].strip()


def _has_default(query: Any) -> bool:
    """Whether VALUES contains DEFAULT for a column."""
    rows = query.rows if isinstance(query, s.InlineValues) else []
    return any(st.is_default(value) for row in rows for value in st.values_of(row))


def _location_for_query(text: str) -> str | None:
    """Return the directory into which a CREATE TABLE … AS writes; None if it names none, or cannot be parsed."""
    try:
        written = parse_syntax(text, Dialect.SPARK)
    except SqlParserException:
        return None
    has_query = isinstance(written, st.CreateTable) and written.query is not None
    return written.options.get("location") if has_query else None
