"""The pieces of a written expression: strings, and what is written once its place in the query is known."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import Enum
from types import MappingProxyType

from ir import light_attrs as attrs
from ir.dialects.syntax import Precedence
from ir.expressions import ResolvedExpression
from ir.light_tuples import NamedTuple
from ir.operations.operation import QueryOperation


class Scope(NamedTuple):
    """The outer scope of a subquery: the relation alias of each column that it refers to, by the column's name.

    ``level`` is the depth of the outer query, so that aliases of different levels differ. ``names`` are the column
    names there if they differ from the schema; ``taken`` are the folded aliases of the queries further out.
    """

    aliases: Mapping[str, str]
    level: int
    names: Mapping[str, str] = MappingProxyType({})
    taken: frozenset[str] = frozenset()


class Use(Enum):
    """How a query's rows are used."""

    TABLE = "a table, whose columns are called by their names"
    VALUES = "the values of its rows, whatever its columns are called"
    PROGRAM = "what a program is given, which is called nothing there"
    EXISTENCE = "whether it has rows, whatever its columns are"


# The classes are no tuples, so that isinstance distinguishes them from other parts quickly.
@attrs.frozen(eq=False)
class Subquery(attrs.Slotted):
    """A subquery in an expression, which is written once its indentation is known. It includes the parentheses."""

    operation: QueryOperation
    scope: Scope | None = None
    use: Use = Use.TABLE


@attrs.frozen(eq=False)
class OuterColumn(attrs.Slotted):
    """An outer reference, to be written with its alias."""

    name: str


Piece = str | Subquery | OuterColumn
Part = Piece | tuple[ResolvedExpression, Precedence]


def separate(
    arguments: Sequence[ResolvedExpression], least: Precedence = Precedence.ANY, separator: str = ", "
) -> list[Part]:
    """Return expressions with a separator between them, by default a comma."""
    parts: list[Part] = []
    for argument in arguments:
        parts.append((argument, least))
        parts.append(separator)
    return parts[:-1]
