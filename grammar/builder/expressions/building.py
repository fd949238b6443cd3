"""The interface of the expression builder for the builders of single expressions."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from grammar import syntax as s
    from grammar.builder.clause_names import ClauseNames
    from grammar.builder.context import Places, Surroundings
    from grammar.language import Language
    from ir.expressions import Expression, ValueLiteral
    from ir.types import LogicalType


class BuildsExpressions(Protocol):
    """The builder of the expressions of one text.

    Attributes:
        language: the language of the text.
        surroundings: the tables, functions and values of the text.
        places: the text, and the positions of what is built from it.
        separate_patterns: the comparisons with several patterns that Spark makes one by one, by the identity of their
            syntax.
    """

    language: Language
    surroundings: Surroundings
    places: Places
    separate_patterns: set[int]

    def build(self, root: Any, names: ClauseNames) -> Generator[Any, Any, Expression]:
        """Build an unresolved expression; yield its subqueries."""

    def push(
        self,
        work: list[tuple[Any, ...]],
        make: Callable[[list[Any]], Any],
        children: Sequence[Any],
        inside: bool,
        position: int | None = None,
    ) -> None:
        """Schedule the building of the children, then a call of ``make`` with their results."""

    def variable(self, path: s.Path) -> Expression | None:
        """Return the value of a session variable, or a field of it; None if no variable has the name."""

    def constant(self, node: Any) -> ValueLiteral:
        """Return the constant that a literal denotes."""

    def parameter(self, node: s.Parameter) -> Expression:
        """Return the value of a parameter marker."""

    def type_of(self, target: Any) -> LogicalType:
        """Return the type that is written as a type name."""
