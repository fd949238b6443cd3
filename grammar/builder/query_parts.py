"""The interface that the parts of the query builder share."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Generator, Mapping, Sequence
from typing import Any, TypeVar

from grammar import syntax as s
from grammar.builder.clause_names import ClauseNames
from grammar.builder.column_names.output_names import OutputNames
from grammar.builder.context import Places, Surroundings
from grammar.builder.error_origins import ErrorOrigins
from grammar.builder.expected_columns import ExpectedColumns
from grammar.builder.expressions.builder import ExpressionBuilder
from grammar.builder.from_clause.relation_names import NotedNames
from grammar.builder.recognition import Recognition
from grammar.builder.scopes import Relation, Scope
from grammar.builder.select.mentions import Mentions
from grammar.language import Language
from ir import light_attrs as attrs
from ir.expressions import Expression, FieldReference
from ir.operations.operation import QueryOperation
from ir.resolution.lookup import FunctionLookup

_T = TypeVar("_T")

Tables = Mapping[str, Relation]
"""The queries of WITH, by their folded names."""
Steps = Generator[Any, Any, Any]
"""A generator that builds something: it yields the builders of its subqueries and returns the result."""


@attrs.frozen(eq=False)
class Attempt:
    """Steps that may fail. Yielding an Attempt returns their result, or the ``Misread`` that they raised."""

    steps: Steps


Hints = Mapping[str, str]
"""The join hints of a SELECT, by the folded name of the relation."""


class QueryParts(ABC):
    """The builder of the queries of one text, as its parts see it."""

    surroundings: Surroundings
    language: Language
    recognition: Recognition
    lookup: FunctionLookup
    places: Places
    expressions: ExpressionBuilder
    output_names: OutputNames
    has_windows: bool
    has_several_overs: bool
    recursive_names: set[str]
    # The relations in FROM that LIMIT ALL reaches, by identity.
    reached_by_limit_all: dict[int, Any]
    # The queries of WITH whose rows are nondeterministic, and the first reference to each, by the identity of the
    # query.
    read_before: dict[int, tuple[Relation, s.Path]]
    expected: ExpectedColumns
    noted: NotedNames
    # The SELECT at the start of a pipe, and the names that the steps of the pipe use.
    mentioned: tuple[s.Select, Mentions] | None

    @abstractmethod
    def expression(self, node: Any, names: ClauseNames, tables: Tables) -> Steps:
        """Build an expression. Its subqueries see the scope of ``names`` and the tables."""

    @abstractmethod
    def call_resolver(
        self, position: int, make: Callable[..., _T], *arguments: Any, near: ErrorOrigins | None = None
    ) -> _T:
        """Call a function of the resolver, and locate its errors at the part that caused them."""

    @abstractmethod
    def query(self, node: Any, parent: Scope | None, tables: Tables) -> Steps:
        """Build the relation of a query."""

    @abstractmethod
    def select_from(
        self, node: s.Select, relation: Relation, modifiers: Sequence[Any], parent: Scope | None, tables: Tables
    ) -> Steps:
        """Build a SELECT over the rows of a relation."""

    @abstractmethod
    def build_filter(
        self,
        operation: QueryOperation,
        condition: Expression,
        where: s.Clause,
        scope: Scope,
        *,
        time_windows: bool = False,
    ) -> QueryOperation:
        """Build the filter of a WHERE clause."""

    @abstractmethod
    def from_clause(self, node: s.From, parent: Scope | None, tables: Tables, hints: Hints | None = None) -> Steps:
        """Build the relation of FROM."""

    @abstractmethod
    def primary(self, node: Any, parent: Scope | None, tables: Tables, hints: Hints) -> Steps:
        """Build a relation other than a join."""

    @abstractmethod
    def table(self, node: s.Table, parent: Scope | None, tables: Tables) -> Steps:
        """Build the relation of a table name in FROM."""

    @abstractmethod
    def apply_alias(self, relation: Relation, alias: s.Alias) -> Relation:
        """Return a relation under an alias."""

    @abstractmethod
    def visible(self, relation: Relation) -> Relation:
        """Project a relation to the columns of its star."""

    @abstractmethod
    def build_set_operation(
        self, operator: str, quantifier: str | None, left: Relation, right: Relation, position: int
    ) -> Relation:
        """Build the set operation of two relations."""

    @abstractmethod
    def distinct(self, relation: Relation, position: int) -> Relation:
        """Build the distinct rows of a relation."""

    @abstractmethod
    def build_projection(
        self, operation: QueryOperation, fields: Sequence[FieldReference], names: Sequence[str]
    ) -> Relation:
        """Project an operation to some fields, under names that may repeat."""

    @abstractmethod
    def ordinal(self, node: Any, count: int, where: str) -> int | None:
        """Return the index of the item that a number denotes in GROUP BY or ORDER BY, None for any other expression."""
