"""Parsing of SQL in an environment: queries, parameters and the definitions of stored views."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from grammar import syntax as s
from grammar.builder.context import ExpectedColumn, FindVariable, ReadVersion, find_no_variable
from grammar.errors import place
from grammar.lexemes import Token
from grammar.parsers import parser
from grammar.reading import Surroundings, build_named_command, build_named_query, expression_of, parse_syntax
from grammar.statement_words import separator, words
from ir import light_attrs as attrs
from ir import types as t
from ir.call_expressions import Call
from ir.equal_names import make_names_distinct
from ir.errors import (
    CatalogException,
    CatalogNotExistException,
    DatabaseNotExistException,
    SqlParserException,
    TableException,
    TableNotExistException,
    ValidationException,
)
from ir.expressions import Expression, ResolvedExpression, SymbolLiteral, TypeLiteral, ValueLiteral
from ir.functions.collection import ARRAY, MAP, ROW
from ir.functions.conversion import CAST
from ir.identifiers import ObjectIdentifier, parse_path, path_text, quote
from ir.implicit_notices import has_notices, isolate_notices, suppress_notices
from ir.light_typing import TYPE_CHECKING, Any
from ir.operations.operation import QueryOperation
from ir.operations.project import project
from ir.operations.source import ChangeRange, ReadOptions, Source, StreamRead
from ir.relation_names import RelationNames
from ir.rendering import Dialect, DialectName
from ir.resolution.lookup import FunctionLookup
from ir.resolution.operations import field
from tableapi.catalog.catalog import CatalogTable, CatalogView, StoredView
from tableapi.catalog.read_cache import cache_reads
from tableapi.catalog.time_zones import TIME_ZONE
from tableapi.catalog.view_types import ViewTypes
from tableapi.data.values import value_expression
from tableapi.expression import Expression as FluentExpression
from tableapi.expression import unwrap
from tableapi.lazy import lazy
from tableapi.queries.runtime import Runtime
from tableapi.queries.tables import Tables

if TYPE_CHECKING:
    from ir.commands.command import Command
    from ir.resolution.commands import altered_table as altered_tables
    from ir.resolution.commands.altered_table import AlteredTable
    from ir.resolution.commands.value_rules import ValueRules
    from tableapi.queries import suspicious_casts
    from tableapi.spark import settings as spark_settings
else:
    altered_tables = lazy(__name__, "ir.resolution.commands.altered_table")
    spark_settings = lazy(__name__, "tableapi.spark.settings")
    suspicious_casts = lazy(__name__, "tableapi.queries.suspicious_casts")

_CONDITIONS: Mapping[type, tuple[str, str]] = {
    TableNotExistException: ("TABLE_OR_VIEW_NOT_FOUND", "42P01"),
    DatabaseNotExistException: ("SCHEMA_NOT_FOUND", "42704"),
    CatalogNotExistException: ("CATALOG_NOT_FOUND", "42P08"),
}

Parameters = Mapping[str, Any] | Sequence[Any]
_Find = Callable[[str], QueryOperation]


class SqlReader:
    """Parses SQL text with the tables, functions and time zone of one environment."""

    def __init__(self, runtime: Runtime, tables: Tables) -> None:
        self._runtime = runtime
        self._tables = tables
        self.view = ViewTypes(
            runtime.manager.stored,
            self._stored_view,
            runtime.manager.spelled,
            runtime.manager.witness,
            self._circumstances,
        ).relation

    def _circumstances(self) -> object:
        """Return the state, besides its sources, on which the columns of a stored view depend."""
        return self.time_zone, self._runtime.manager.changes

    def _stored_view(self, find: _Find, view: StoredView, namespace: tuple[str, ...]) -> Surroundings:
        """Return the surroundings in which the text of a stored view is parsed, without temporary objects."""
        time_zone = view.settings.get(TIME_ZONE, self.time_zone)
        lookup = self._runtime.permanent_lookup.within(namespace)
        return self._surroundings(_cache_lookups(find), lookup, time_zone, (), Dialect.SPARK)

    def query(
        self, text: str, params: Parameters | None, dialect: Dialect | DialectName
    ) -> tuple[QueryOperation, RelationNames]:
        """Return the operation of a query, and the names of its relations.

        Raises:
            SqlParserException: the text cannot be parsed, or is not a query.
            ValidationException: a name or a type is invalid, or a marker has no value.
        """
        require_text(text, "sql_query")
        dialect = Dialect.of(dialect)
        try:
            written = parse_syntax(text, dialect)
        except SqlParserException:
            refuse_several(text, words(text))
            raise
        if isinstance(written, s.Statement):
            raise SqlParserException(
                f"sql_query takes a query, and the text is {written.called}. Run it with execute_sql.\n"
                + place(text, words(text)[0].position)
            )
        return self.named_operation(written, text, parameters(text, params, dialect), dialect)

    def operation(self, written: Any, text: str, *, for_view: bool = False) -> QueryOperation:
        """Return the operation of a parsed query in the current namespace.

        Raises:
            ValidationException: a name or a type is invalid.
        """
        return self.named_operation(written, text, for_view=for_view)[0]

    def named_operation(
        self,
        written: Any,
        text: str,
        params: Parameters = (),
        dialect: Dialect = Dialect.SPARK,
        with_variables: bool = True,
        expected: ExpectedColumn | None = None,
        for_view: bool = False,
    ) -> tuple[QueryOperation, RelationNames]:
        """Return the operation of a parsed query in the current namespace, and the names of its relations.

        Session variables become constants with their current values, unless ``with_variables`` is False. ``expected``
        determines the expected types of the columns. With ``for_view``, the columns must have distinct names.

        Raises:
            ValidationException: a name or a type is invalid, or, ``for_view``, two columns share a name.
        """
        self._runtime.require_settings()
        manager = self._runtime.manager
        find = _cache_lookups(lambda path: manager.source(path, self._runtime.foreign_temporary))
        find_variable = self._runtime.variable if with_variables else find_no_variable
        around = self._surroundings(
            find, self._runtime.lookup_for_target, self.time_zone, params, dialect, find_variable
        )
        if expected is not None:
            around = attrs.evolve(around, expected=expected)
        with isolate_notices(), cache_reads():
            found, names = build_named_query(written, text, around, for_view=for_view)
            if has_notices():
                suspicious_casts.check_text(found, text)
            return found, names

    def command(self, written: Any, text: str) -> Command:
        """Return the command of a parsed statement in the current namespace.

        Raises:
            ValidationException: a name or a type is invalid; the message has the position.
        """
        return self.named_command(written, text)[0]

    def named_command(
        self, written: Any, text: str, params: Parameters = (), dialect: Dialect = Dialect.SPARK
    ) -> tuple[Command, RelationNames]:
        """Return the command of a parsed statement in the current namespace, and the names of its relations.

        Raises:
            ValidationException: a name or a type is invalid; the message has the position.
        """
        manager = self._runtime.manager
        find = _cache_lookups(lambda path: manager.source(path, self._runtime.foreign_temporary))
        around = self._surroundings(
            find, self._runtime.lookup_for_target, self.time_zone, params, dialect, self._runtime.variable
        )
        with isolate_notices(), cache_reads():
            return build_named_command(written, text, around, self)

    def altered_table(self, identifier: ObjectIdentifier) -> AlteredTable | None:
        """Return the columns and partition columns of a table that a statement changes; None if only Spark knows them.

        Raises:
            TableNotExistException: there is no such table; the message suggests the nearest name.
            ValidationException: the name is that of a view or of a temporary object.
        """
        shown = identifier.as_summary_string()
        if identifier.is_temporary:
            raise ValidationException(f"{shown} is a temporary view or table, and is not changed: create it again.")
        try:
            found = self._runtime.manager.find(identifier)
        except TableNotExistException:
            raise
        except TableException:
            # Spark has tables of types that this library has not, and names such as delta.`/path`.
            if not self._runtime.is_in_spark(identifier):
                raise
            return None
        if isinstance(found, CatalogView):
            raise ValidationException(
                f"{shown} is a view and not a table; ALTER VIEW changes views.", condition="EXPECT_TABLE_NOT_VIEW"
            )
        schema = found.schema if found.files is None or found.files.schema is None else found.files.schema
        return altered_tables.AlteredTable.of(identifier, schema, found.partition_keys)

    def value_rules(self, identifier: ObjectIdentifier) -> ValueRules:
        """Return the defaults, generated columns and CHECK constraints of a table, as far as they are known."""
        return self._runtime.value_rules(identifier)

    def refuse_view(self, identifier: ObjectIdentifier) -> None:
        """Reject the name of a view where a statement changes rows.

        Raises:
            ValidationException: the name is that of a view.
        """
        self._runtime.manager.refuse_view(identifier)

    def full_name(self, parts: tuple[str, ...]) -> ObjectIdentifier:
        """Return the full name of a table that may not exist yet, in the spelling under which it is known."""
        manager, path = self._runtime.manager, path_text(parts)
        temporary = manager.temporary_source(path, self._runtime.foreign_temporary)
        if temporary is not None:
            return temporary.identifier
        identifier = manager.qualify_relation(path)
        # Asking a catalog of Spark would start Spark.
        return identifier if manager.opened(str(identifier.catalog)) is None else manager.spelled(identifier)

    def expression(self, written: Any, text: str, dialect: Dialect = Dialect.SPARK) -> Expression:
        """Return a parsed expression outside a query as an expression whose names are columns of any table.

        Raises:
            ValidationException: a name or a type is invalid.
        """

        def no_table(*given: Any) -> QueryOperation:
            raise ValidationException("No query is possible here.")

        surroundings = Surroundings(dialect, self._runtime.lookup_for_target, no_table, (), self.time_zone)
        return expression_of(written, text, surroundings)

    @property
    def time_zone(self) -> str:
        """The time zone for times without one."""
        return self._runtime.time_zone

    # --- view definitions ---------------------------------------------------------------------------------------------

    def view_definition(self, path: str) -> tuple[QueryOperation, RelationNames]:
        """Return the operation of a view's definition, and the names of its relations.

        Raises:
            TableNotExistException: the view does not exist.
            ValidationException: the name refers to a table, or the view's text cannot be parsed as a query or changes
                its meaning.
        """
        self._runtime.require_settings()
        manager = self._runtime.manager
        temporary = manager.temporary_of_path(path)
        if temporary is not None:
            if temporary.files is not None:
                raise ValidationException(f"{path} is a temporary table; only views have a definition.")
            return temporary.operation, temporary.names
        foreign = self._foreign_definition(path)
        if foreign is not None:
            return foreign
        identifier = manager.qualify(path)
        found = manager.find(identifier)
        if isinstance(found, CatalogTable):
            raise ValidationException(
                f"{identifier.as_summary_string()} is a table; only views have a definition. Read it with from_path."
            )
        if found.operation is not None:
            return self._check_allowed(identifier, found.operation), found.names
        namespace = found.namespace or (str(identifier.catalog), str(identifier.database))
        parsed, names = self._parse_view(
            identifier,
            found,
            lambda name: manager.permanent_source(name, namespace),
            self._runtime.permanent_lookup.within(namespace),
        )
        return self._check_allowed(identifier, parsed), names

    def read_again(self, identifier: ObjectIdentifier, view: CatalogView) -> tuple[QueryOperation, RelationNames]:
        """Return the query of a stored view from its text, over the tables as they are now.

        Raises:
            ValidationException: the text is invalid now, or changes its meaning here.
        """
        namespace = view.namespace or (str(identifier.catalog), str(identifier.database))
        manager, lookup = self._runtime.manager, self._runtime.permanent_lookup.within(namespace)
        return self._parse_view(identifier, view, lambda name: manager.permanent_source(name, namespace), lookup)

    def _check_allowed(self, identifier: ObjectIdentifier, stored: QueryOperation) -> QueryOperation:
        """Check and return the query of a stored view, which becomes part of this program.

        Raises:
            ValidationException: the query runs code that the configuration does not allow.
        """
        if self._runtime.manager.catalog(str(identifier.catalog)).is_lasting:
            shown = f"The view {identifier.as_summary_string()}"
            try:
                self._runtime.require_programs(shown, stored)
            except ValidationException as error:
                error.args = (f"{error} Its text is shown by show_create_view.", *error.args[1:])
                raise
        return stored

    def _foreign_definition(self, path: str) -> tuple[QueryOperation, RelationNames] | None:
        """Return the query of a temporary view of the running session from outside this library, or None."""
        started, parts = self._runtime.started, parse_path(path)
        found = started.temporary_definition(parts[0]) if started is not None and len(parts) == 1 else None
        if found is None:
            return None
        if not found.text:
            raise ValidationException(
                f"The temporary view {path} was made of a DataFrame and has no text. Read it with from_path."
            )
        manager = self._runtime.manager
        namespace = found.namespace or (manager.current_catalog, manager.current_database)

        def find(name: str) -> QueryOperation:
            temporary = manager.temporary_source(name, self._runtime.foreign_temporary)
            return temporary or manager.permanent_source(name, namespace)

        return self._parse_view(ObjectIdentifier(parts[0]), found, find, self._runtime.lookup)

    def _parse_view(
        self, identifier: ObjectIdentifier, view: CatalogView, find: _Find, lookup: FunctionLookup
    ) -> tuple[QueryOperation, RelationNames]:
        shown = f"The view {identifier.as_summary_string()}"
        wrong = spark_settings.violations(view.settings)
        if wrong:
            raise ValidationException(
                f"{shown} was stored under settings by which its text means something else than it would here:\n"
                + "\n".join(f"  {line}" for line in wrong)
                + "\nRead it as a table, with from_path; or store it again under the settings that are required."
            )
        if view.collation:
            raise ValidationException(
                f"{shown} was stored with DEFAULT COLLATION {view.collation}: texts in it are of that collation, which "
                "its query alone does not say.\nRead it as a table, with from_path; or store it again with COLLATE "
                f"where it is meant, as in 'a' COLLATE {view.collation}."
            )
        time_zone = view.settings.get(TIME_ZONE, self.time_zone)
        surroundings = self._surroundings(_cache_lookups(find), lookup, time_zone, (), Dialect.SPARK)
        try:
            written = parse_syntax(view.text, Dialect.SPARK)
            if isinstance(written, s.Statement):
                raise SqlParserException(f"its text is {written.called} and no query.")
            with suppress_notices():
                query, names = build_named_query(written, view.text, surroundings)
                return _apply_columns(query, view), names
        except TableException as error:
            error.args = (f"{shown} cannot be read as a query: {error}", *error.args[1:])
            raise

    # --- name resolution ----------------------------------------------------------------------------------------------

    def _surroundings(
        self,
        find: _Find,
        lookup: FunctionLookup,
        time_zone: str,
        params: Parameters,
        dialect: Dialect,
        find_variable: FindVariable = find_no_variable,
    ) -> Surroundings:
        def find_table(
            path: tuple[str, ...], version: ReadVersion, moment: Expression | None, options: ReadOptions
        ) -> QueryOperation:
            quoted = ".".join(map(quote, path))
            if moment is not None and not isinstance(moment, ValueLiteral):
                raise ValidationException("TIMESTAMP AS OF takes a constant.")
            try:
                if isinstance(version, ChangeRange):
                    return self._tables.changes_of(quoted, version, options)
                stream = version if isinstance(version, StreamRead) else None
                if not isinstance(version, StreamRead) and (version is not None or moment is not None):
                    return self._tables.source_at(quoted, version, moment, options)
                try:
                    found = find(quoted)
                except DatabaseNotExistException as error:
                    return self._tables.files_by_path(quoted, error, options)
                read = self._runtime.with_options(found, options) if isinstance(found, Source) else found
                return read if stream is None else self._tables.stream_of(read, quoted, stream)
            except CatalogException as error:
                if error.condition is None:
                    error.condition, error.sql_state = _CONDITIONS.get(type(error), (None, None))
                raise

        return Surroundings(dialect, lookup, find_table, params, time_zone, find_variable)


def _cache_lookups(find: _Find) -> _Find:
    """Return a function that looks each path up only once."""
    known: dict[str, QueryOperation] = {}

    def remembering(path: str) -> QueryOperation:
        if path not in known:
            known[path] = find(path)
        return known[path]

    return remembering


def _apply_columns(query: QueryOperation, view: CatalogView) -> QueryOperation:
    """Return the query with the columns that the view had when it was created, under the view's names."""
    names = view.schema.names
    given = view.query_names or query.schema.names[: len(names)]
    indices: list[int | None] = list(range(len(names)))
    # Spark finds the columns by name, unless no name has changed; then some names may be equal.
    if given != query.schema.names:
        indices = [query.schema.index_of(name) for name in given]
    missing = [name for name, index in zip(given, indices, strict=True) if index is None]
    if missing or len(names) != len(given):
        gone = missing[0] if missing else names[-1]
        raise ValidationException(f"its query does not give the column {gone!r} any more.")
    query = make_names_distinct(query)
    return project(query, tuple([field(query, index) for index in indices if index is not None]), names)


# --- parameters ------------------------------------------------------------------------------------------------------


def require_text(given: Any, method: str) -> None:
    """Reject an argument that is not SQL text.

    Raises:
        ValidationException: the argument is not a string, or is blank.
    """
    if not isinstance(given, str) or not given.strip():
        what = "the text of a query" if method == "sql_query" else "the text of a statement"
        raise ValidationException(f"{method} takes {what}, but was given {given!r}.")


def refuse_several(text: str, tokens: list[Token]) -> None:
    """Reject a text, given with its tokens, that contains several statements.

    Raises:
        SqlParserException: the text contains several statements.
    """
    found = separator(tokens)
    if found is not None:
        raise SqlParserException(
            "The text holds several statements, and one is run at a time. Run them with te.execute_script(text); "
            "several INSERTs that belong together are a statement set: EXECUTE STATEMENT SET BEGIN …; …; END.\n"
            + place(text, found.position)
        )


def parameters(text: str, given: Any, dialect: Dialect) -> Parameters:
    """Return the values for the parameter markers of a text as constants.

    Raises:
        ValidationException: the values are neither a mapping nor a sequence, are too many, or contain an expression
            that is not constant.
    """
    if given is None:
        return ()
    if isinstance(given, Mapping):
        for name in given:
            if not isinstance(name, str):
                raise ValidationException(f"The names of params are text, but one is {name!r}.")
        return {name: _constant(value, f":{name}") for name, value in given.items()}
    if isinstance(given, str | bytes) or not isinstance(given, Sequence):
        raise ValidationException(
            f"params takes a mapping of names to values for :name, or a list of values for ?, but was given {given!r}."
        )
    count = len(parser(dialect).positions_of(text, "QUESTION"))
    if len(given) > count:
        raise ValidationException(f"params has {len(given)} values, but the markers (?) in the text are {count}.")
    return [_constant(value, f"number {number}") for number, value in enumerate(given, 1)]


_CONSTRUCTORS = (ARRAY, MAP, ROW, CAST)


def _constant(value: Any, name: str) -> Expression:
    """Return a value as a constant of its inferred type.

    Raises:
        ValidationException: no type can be inferred, or the value is an expression that is not constant.
    """
    if isinstance(value, FluentExpression):
        inner = unwrap(value)
        if not _is_constant(inner):
            raise ValidationException(
                f"The parameter {name} is the expression {value!r}; only constants are bound to markers: values, "
                "lit(…), null_of(…)."
            )
        return inner
    if value is None:
        return ValueLiteral(None, t.NULL)
    try:
        return value_expression(value)
    except ValidationException as error:
        raise ValidationException(f"The parameter {name}: {error}") from None


def _is_constant(expression: Any) -> bool:
    """Whether an expression is a literal, or an array, map or row of literals."""
    waiting = [expression]
    while waiting:
        current = waiting.pop()
        if isinstance(current, ValueLiteral | TypeLiteral | SymbolLiteral):
            continue
        if not isinstance(current, Call) or current.function not in _CONSTRUCTORS:
            return False
        waiting += current.arguments
    return isinstance(expression, ResolvedExpression)


def path_of(name: s.Path) -> str:
    """Return a name as a path of the fluent API."""
    return ".".join(map(quote, name.parts))
