"""The context of the builders of commands: full names of tables, and queries and expressions of the text."""

from __future__ import annotations

from typing import Any, Protocol

from grammar import syntax as s
from grammar.builder.clause_names import ClauseNames
from grammar.builder.context import ExpectedColumn
from grammar.builder.expected_columns import ExpectedColumns
from grammar.builder.queries import QueryBuilder, run
from grammar.builder.scopes import Relation, Scope
from ir import light_attrs as attrs
from ir.expressions import Expression
from ir.identifiers import ObjectIdentifier
from ir.operations.operation import QueryOperation
from ir.operations.source import Source
from ir.resolution.commands import rows
from ir.resolution.commands.altered_table import AlteredTable
from ir.resolution.commands.value_rules import ValueRules


class KnownTables(Protocol):
    """The tables that statements name, as far as they are known."""

    def full_name(self, parts: tuple[str, ...]) -> ObjectIdentifier:
        """Return the full name of a table, which may not exist yet, in the spelling of its catalog."""

    def altered_table(self, identifier: ObjectIdentifier) -> AlteredTable | None:
        """Return the columns, keys and partition columns of a table; None if only Spark knows them."""

    def value_rules(self, identifier: ObjectIdentifier) -> ValueRules:
        """Return the defaults, generated columns and CHECK constraints of a table, as far as they are known."""

    def refuse_view(self, identifier: ObjectIdentifier) -> None:
        """Raise an error if a name is not of a table."""


@attrs.frozen(eq=False)
class CommandContext:
    """The context of one statement.

    Attributes:
        builder: the builder of the queries and expressions in the statement, with the text and what is known around it.
        tables: what is known of tables.
    """

    builder: QueryBuilder
    tables: KnownTables

    def name(self, path: s.Path) -> ObjectIdentifier:
        """Return the full name of the table that a path means."""
        return self.tables.full_name(path.parts)

    def table(self, relation: Relation, position: int, called: str) -> Source:
        """Return the table of a relation whose rows a statement changes.

        Raises:
            ValidationException: the relation is a view, or an earlier version of a table; the message has the position.
        """

        def require() -> Source:
            table = rows.require_table(relation.operation, called)
            self.tables.refuse_view(table.identifier)
            return table

        return self.builder.call_resolver(position, require)

    def relation(self, path: s.Path) -> Relation:
        """Return the relation of an existing table or view, whose operation reads it.

        Raises:
            TableNotExistException: the table does not exist; the message has the position and the nearest name.
        """
        made = run(self.builder.query(s.TableQuery(path.position, path), None, {}))
        assert isinstance(made, Relation)
        return made

    def relation_of(self, written: Any) -> Relation:
        """Return the relation of a table, a subquery or VALUES, with its alias.

        Raises:
            ValidationException: a name or a type in it is invalid.
        """
        made = run(self.builder.primary(written, None, {}, {}))
        assert isinstance(made, Relation)
        return made

    def query(self, written: Any) -> Relation:
        """Return the relation of a query in the statement.

        Raises:
            ValidationException: a name or a type in it is invalid.
        """
        made = run(self.builder.query(written, None, {}))
        assert isinstance(made, Relation)
        return made

    def output(self, written: Any, expect: ExpectedColumn | None = None) -> QueryOperation:
        """Return the operation of a query in the statement, with the names of its columns in the text.

        Args:
            written: the query.
            expect: returns the type that is expected of a column, by its position and name.

        Raises:
            ValidationException: a name or a type in it is invalid.
        """
        if expect is not None:
            self.builder.expected = ExpectedColumns(expect, self.builder.lookup)
        self.builder.expected.begin(written)
        return self.builder.output(self.query(written)).operation

    def expression(self, written: Any, scope: Scope) -> Expression:
        """Return the unresolved expression of parsed syntax over the columns of a scope.

        Raises:
            ValidationException: a name or a function in it is unknown.
        """
        made = run(self.builder.expression(written, ClauseNames(scope), {}))
        assert isinstance(made, Expression)
        return made
