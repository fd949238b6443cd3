"""What the parts of the builder of queries use of each other."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Generator, Mapping, Sequence
from typing import Any

import attrs

from grammar import syntax as s
from grammar.builder.context import Places, Surroundings
from grammar.builder.expected import ExpectedColumns
from grammar.builder.expressions import ExpressionBuilder
from grammar.builder.mentions import Mentions
from grammar.builder.names import NamesOf
from grammar.builder.near import Near
from grammar.builder.output_names import OutputNames
from grammar.builder.relation_names import NotedNames
from grammar.builder.scopes import Relation, Scope
from ir.expressions import Expression, FieldReference
from ir.operations.operation import QueryOperation
from ir.resolution.lookup import FunctionLookup

Tables = Mapping[str, Relation]
"""The queries of WITH by their names, folded."""
Steps = Generator[Any, Any, Any]
"""What builds something in which queries may be: it yields what builds those, and returns what is made."""


@attrs.frozen(eq=False)
class Attempt:
    """Steps that may fail: who yields this gets what they return, or the ``Misread`` that they raised."""

    steps: Steps


Hints = Mapping[str, str]
"""The hints of a SELECT by the name, folded, of the relation that each is about."""


class QueryParts(ABC):
    """The builder of the queries of one text, as far as its parts know of each other."""

    surroundings: Surroundings
    lookup: FunctionLookup
    places: Places
    expressions: ExpressionBuilder
    output_names: OutputNames
    has_windows: bool
    has_several_overs: bool
    recursive_names: set[str]
    # What is written in FROM and LIMIT ALL reaches, by its identity.
    reached_by_limit_all: dict[int, Any]
    # The queries of WITH whose rows are others each time, and where each is read, by the identity of the query.
    read_before: dict[int, tuple[Relation, s.Path]]
    expected: ExpectedColumns
    noted: NotedNames
    # The SELECT that a pipe begins with, and what the steps of the pipe name.
    mentioned: tuple[s.Select, Mentions] | None

    @abstractmethod
    def expression(self, node: Any, names: NamesOf, tables: Tables) -> Steps:
        """Return an expression; the queries within it see the scope of the names and the tables."""

    @abstractmethod
    def made(self, position: int, make: Callable[..., Any], *arguments: Any, near: Near | None = None) -> Any:
        """Return what a function of the resolver makes, its errors with the place of their cause."""

    @abstractmethod
    def query(self, node: Any, parent: Scope | None, tables: Tables) -> Steps:
        """Return the relation that a query gives."""

    @abstractmethod
    def select_from(
        self, node: s.Select, relation: Relation, modifiers: Sequence[Any], parent: Scope | None, tables: Tables
    ) -> Steps:
        """Return the relation of a SELECT over the rows of a relation."""

    @abstractmethod
    def filtered(
        self,
        operation: QueryOperation,
        condition: Expression,
        where: s.Clause,
        scope: Scope,
        *,
        time_windows: bool = False,
    ) -> QueryOperation:
        """Return the rows for which the condition of WHERE is TRUE."""

    @abstractmethod
    def from_clause(self, node: s.From, parent: Scope | None, tables: Tables, hints: Hints | None = None) -> Steps:
        """Return the relation of FROM."""

    @abstractmethod
    def primary(self, node: Any, parent: Scope | None, tables: Tables, hints: Hints) -> Steps:
        """Return a relation that is no join."""

    @abstractmethod
    def table(self, node: s.Table, parent: Scope | None, tables: Tables) -> Steps:
        """Return the relation of a name in FROM."""

    @abstractmethod
    def under_alias(self, relation: Relation, alias: s.Alias) -> Relation:
        """Return a relation under an alias."""

    @abstractmethod
    def visible(self, relation: Relation) -> Relation:
        """Return a relation with nothing but the columns of its star."""

    @abstractmethod
    def combined(
        self, operator: str, quantifier: str | None, left: Relation, right: Relation, position: int
    ) -> Relation:
        """Return the set operation of two relations."""

    @abstractmethod
    def distinct(self, relation: Relation, position: int) -> Relation:
        """Return the different rows of a relation."""

    @abstractmethod
    def projected(self, operation: QueryOperation, fields: Sequence[FieldReference], names: Sequence[str]) -> Relation:
        """Return the relation of some columns, under names that may occur twice."""

    @abstractmethod
    def ordinal(self, node: Any, count: int, where: str) -> int | None:
        """Return the position, from 0, of the item that a number stands for in GROUP BY and ORDER BY."""
