"""Reads SQL: converts a text to the same operation or expression as the fluent API.

The parser and the builder are loaded with the first text, so that programs without SQL text do not wait for them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from grammar.builder.context import Places, Surroundings
from grammar.errors import Misread, SyntaxProblem
from grammar.languages import find_language
from ir.equal_names import make_names_distinct
from ir.errors import SqlParserException
from ir.expressions import Expression, FieldReference
from ir.identifiers import fold
from ir.operations.operation import QueryOperation
from ir.relation_names import RelationNames
from ir.rendering import Dialect
from ir.types import LogicalType

if TYPE_CHECKING:
    from grammar.builder.commands.context import KnownTables
    from grammar.builder.queries import QueryBuilder
    from grammar.builder.scopes import Scope
    from ir.commands.command import Command

__all__ = ["Surroundings", "parse_body", "parse_expression", "parse_query", "parse_syntax", "parse_value_body"]


def parse_syntax(text: str, dialect: Dialect, start: str = "sql") -> Any:
    """Parse a text to unresolved syntax nodes.

    Raises:
        SqlParserException: the text does not match the grammar.
    """
    from grammar.parsers import parser

    reader = parser(dialect)
    if find_language(dialect).words.identifier_clause and "identifier" in text.lower():
        from grammar.written_identifiers import replace_identifiers

        plain = replace_identifiers(reader, text)
        try:
            return reader.parse(plain, start)
        except (SyntaxProblem, Misread):
            # Errors refer to the text as given.
            pass
    try:
        return reader.parse(text, start)
    except SyntaxProblem as problem:
        from grammar.diagnostics.unreadable import unreadable

        raise unreadable(text, problem, reader, start) from None
    except Misread as error:
        made = Places(text).misread(error)
        raise SqlParserException(str(made), condition=made.condition) from None


def parse_query(text: str, surroundings: Surroundings | None = None) -> QueryOperation:
    """Build the operation of a query's text.

    Args:
        text: a query in the dialect of the surroundings.
        surroundings: the tables, functions and parameter values of the text.

    Raises:
        SqlParserException: the text does not match the grammar; the message has line, column and what was expected.
        ValidationException: a name or type in the text is invalid; the message has the position.
    """
    known = surroundings or Surroundings()
    return query_of(parse_syntax(text, known.dialect), text, known)


def query_of(
    written: Any, text: str, surroundings: Surroundings, around: Scope | None = None, *, for_view: bool = False
) -> QueryOperation:
    """Build the operation of a parsed query; ``around`` is the scope of an outer query.

    Raises:
        ValidationException: a name or type is invalid, or the query is ``for_view`` and two of its columns share a
            name.
    """
    return build_named_query(written, text, surroundings, around, for_view=for_view)[0]


def build_named_query(
    written: Any, text: str, surroundings: Surroundings, around: Scope | None = None, *, for_view: bool = False
) -> tuple[QueryOperation, RelationNames]:
    """Build the operation of a parsed query, and return the names that the text gives its relations.

    Raises:
        ValidationException: as in ``query_of``.
    """
    from grammar.builder.queries import run

    builder = query_builder(text, surroundings)
    try:
        builder.expected.begin(written)
        relation = run(builder.query(written, around, {}))
        found = builder.output(relation)
        if for_view:
            _require_one_of_each_name(written, found.names)
        builder.require_target(found.operation)
        builder.require_output_mode(found.operation)
        return found.operation, builder.noted.names()
    except Misread as error:
        if (error.condition or "").startswith("UNRESOLVED_COLUMN"):
            from grammar.diagnostics.unreadable import explain_from, suggest_keyword
            from grammar.parsers import parser

            reader = parser(surroundings.dialect)
            hint = suggest_keyword(text, error.position, reader, "sql")
            if not hint and error.condition == "UNRESOLVED_COLUMN.WITHOUT_SUGGESTION":
                hint = explain_from(text, error.position, reader)
            error.message += hint
        raise builder.places.misread(error) from None


def build_command(
    written: Any,
    text: str,
    surroundings: Surroundings,
    tables: KnownTables,
) -> Command:
    """Build the command of a parsed statement.

    Raises:
        ValidationException: as in ``build_named_command``.
    """
    return build_named_command(written, text, surroundings, tables)[0]


def build_named_command(
    written: Any,
    text: str,
    surroundings: Surroundings,
    tables: KnownTables,
) -> tuple[Command, RelationNames]:
    """Build the command of a parsed statement, and return the names that the text gives the relations of its queries.

    Args:
        written: the statement, for which ``has_command`` is True.
        text: its text.
        surroundings: the tables, functions and settings of the queries and expressions in it.
        tables: what is known of the tables that the statement names.

    Raises:
        ValidationException: a name or type is invalid, or a part of the statement contradicts another one; the message
            has the position.
    """
    from grammar.builder import commands

    builder = query_builder(text, surroundings)
    try:
        return commands.build_command(written, commands.CommandContext(builder, tables)), builder.noted.names()
    except Misread as error:
        raise builder.places.misread(error) from None


def has_command(written: object) -> bool:
    """Whether the tree of a parsed statement is a command."""
    from grammar.builder import commands

    return commands.has_command(written)


def query_builder(text: str, surroundings: Surroundings) -> QueryBuilder:
    """Return the builder of the queries of a text."""
    from grammar.builder.queries import QueryBuilder
    from grammar.parsers import parser

    dialect = surroundings.dialect
    return QueryBuilder(surroundings, find_language(dialect), parser(dialect), Places(text))


def _require_one_of_each_name(written: Any, names: Sequence[str]) -> None:
    folded = [fold(name) for name in names]
    for position, name in enumerate(names):
        if folded.index(folded[position]) < position:
            raise Misread(
                written.position,
                f"The query of a view has two columns {name!r}. Give one of them another name with AS, or the view "
                "names for all: CREATE VIEW v (a, b) AS ….",
                "COLUMN_ALREADY_EXISTS",
            )


def parse_body(
    text: str, surroundings: Surroundings, name: str, parameters: Sequence[tuple[str, LogicalType]]
) -> QueryOperation:
    """Build the operation of a table function's body. Its parameters are columns of an outer query.

    Args:
        text: a query.
        surroundings: the tables and functions of the text.
        name: the name of the function, which may qualify a parameter.
        parameters: the names and types of the parameters.

    Raises:
        SqlParserException: the text does not match the grammar.
        ValidationException: a name or type in the text is invalid.
    """
    around = _parameters(name, parameters)
    # The function declares its own column names.
    return make_names_distinct(query_of(parse_syntax(text, surroundings.dialect), text, surroundings, around))


def parse_value_body(
    text: str, surroundings: Surroundings, name: str, parameters: Sequence[tuple[str, LogicalType]]
) -> Expression:
    """Build the unresolved expression of a scalar function's body. Its parameters are the columns in scope.

    Args:
        text: an expression, or a query that returns one value.
        surroundings: the tables and functions of the text.
        name: the name of the function, which may qualify a parameter.
        parameters: the names and types of the parameters.

    Raises:
        SqlParserException: the text does not match the grammar.
        ValidationException: a name or type in the text is invalid.
    """
    return expression_of(_parse_value(text, surroundings.dialect), text, surroundings, _parameters(name, parameters))


def _parameters(name: str, parameters: Sequence[tuple[str, LogicalType]]) -> Scope:
    """Return the scope of a function's body, whose columns are the parameters."""
    from grammar.builder.scopes import Column, Scope

    fields = [FieldReference(called, data_type, 0, i) for i, (called, data_type) in enumerate(parameters)]
    return Scope([Column(field.name, (fold(name),), field) for field in fields])


def _parse_value(text: str, dialect: Dialect) -> Any:
    """Parse an expression, or a query as a scalar subquery. As in Spark, SELECT x is just x."""
    from grammar import syntax as s

    first = text.split(None, 1)[0].upper()
    if first not in ("FROM", "SELECT", "TABLE", "VALUES", "WITH"):
        return parse_syntax(text, dialect, "only_expression")
    try:
        query = parse_syntax(text, dialect)
    except SqlParserException:
        if first in ("SELECT", "WITH"):
            raise
        # The word may be the name of a parameter.
        return parse_syntax(text, dialect, "only_expression")
    if type(query) is s.Select and len(query.items) == 1 and not query.clauses and query.quantifier is None:
        (item,) = query.items
        value = item.expression if type(item) is s.Aliased else item
        if type(value) is not s.Star:
            return value
    return s.ScalarSubquery(query.position, query)


def parse_expression(text: str, surroundings: Surroundings | None = None) -> Expression:
    """Build the unresolved expression of a text. Names stay column references of the query that will use it.

    Raises:
        SqlParserException: the text does not match the grammar.
        ValidationException: a function does not exist, or a name cannot be a column.
    """
    from grammar import syntax as s

    known = surroundings or Surroundings()
    written = parse_syntax(text, known.dialect, "only_expression")
    if isinstance(written, s.Call):
        from grammar.builder.from_clause.process_calls import descriptor_of, is_descriptor

        if is_descriptor(written):
            try:
                return descriptor_of(written)
            except Misread as error:
                raise Places(text).misread(error) from None
    return expression_of(written, text, known)


def expression_of(written: Any, text: str, surroundings: Surroundings, scope: Scope | None = None) -> Expression:
    """Build the unresolved expression of parsed syntax.

    ``scope`` has the columns in scope, if they are known; otherwise names denote columns of any table.
    """
    from grammar.builder.any_column import AnyColumn
    from grammar.builder.clause_names import ClauseNames
    from grammar.builder.queries import run

    builder = query_builder(text, surroundings)
    try:
        made = run(builder.expression(written, ClauseNames(scope or AnyColumn()), {}))
        assert isinstance(made, Expression)
        return made
    except Misread as error:
        raise builder.places.misread(error) from None
