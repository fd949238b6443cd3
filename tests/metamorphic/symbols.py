"""The names of a text: their declarations, positions and scopes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import attrs

from grammar import syntax as s
from ir.identifiers import fold


class Undecided(Exception):
    """A query with a construct that this analysis does not cover; the message names the construct."""


@attrs.define(eq=False)
class Symbol:
    """A declared name: of a column, a relation or a lambda parameter."""

    number: int
    text: str
    kind: str
    is_fixed: bool = False
    """Whether the result depends on the name, as the type of ``struct(x)`` does."""
    _same: Symbol | None = None

    @property
    def root(self) -> Symbol:
        """The first of the symbols that share one name."""
        found = self
        while found._same is not None:
            found = found._same
        return found

    def unite(self, other: Symbol) -> None:
        """Make this symbol and another one share one name."""
        one, two = self.root, other.root
        if one is not two:
            first, second = (one, two) if one.number < two.number else (two, one)
            second._same = first
            first.is_fixed = first.is_fixed or second.is_fixed


@attrs.frozen(eq=False)
class Column:
    """A column that names can refer to; ``before`` are the names of its relation's catalog and database."""

    symbol: Symbol
    relation: Symbol | None = None
    before: tuple[str, ...] = ()
    is_passed_on: bool = False
    """Whether an inner SELECT passes the relation's column on, so that new names must not be qualified."""

    def is_called(self, qualifier: Sequence[s.Name]) -> bool:
        """Whether a qualifier fits the column."""
        if self.relation is None:
            return False
        own = [*map(fold, self.before), fold(self.relation.text)]
        return own[-len(qualifier) :] == [fold(name.text) for name in qualifier]


@attrs.define(eq=False)
class Rows:
    """The columns of relations; ``has_others`` if there are more columns, whose names are not in the text.

    ``opaque`` are the relations with such columns. ``keys`` are the keys of joins by USING or NATURAL: later pipe steps
    may qualify them with their relation, although no column has this name any more.
    """

    columns: list[Column]
    has_others: bool = False
    opaque: list[Symbol] = attrs.field(factory=list)
    keys: list[Column] = attrs.field(factory=list)

    def of_relation(self, qualifier: Sequence[s.Name]) -> list[Column]:
        """Return the columns of a relation, or else its join keys."""
        called = [column for column in self.columns if column.is_called(qualifier)]
        return called or [column for column in self.keys if column.is_called(qualifier)]


@attrs.define(eq=False)
class Scope:
    """The columns that names can refer to within one query, and the scope of the outer query.

    ``around_only`` are names of the SELECT that only its subqueries can use, such as those in HAVING.
    """

    rows: Rows
    parent: Scope | None = None
    outputs: Mapping[str, list[Symbol]] = attrs.field(factory=dict)

    def find(self, path: s.Path) -> tuple[int, list[Column]]:
        """Return the columns that a path can begin with, and the number of names that qualify the column."""
        names = path.names
        for length in range(min(len(names) - 1, 3), -1, -1):
            wanted = fold(names[length].text)
            found = [c for c in self.rows.columns if fold(c.symbol.text) == wanted]
            if length:
                found = [c for c in found if c.is_called(names[:length])]
                keys = [c for c in self.rows.keys if fold(c.symbol.text) == wanted]
                found = found or [c for c in keys if c.is_called(names[:length])]
            if found:
                return length, found
        return 0, []


@attrs.frozen(eq=False)
class Site:
    """A place in the text that names a symbol, and the relation that may be added as its qualifier."""

    position: int
    symbol: Symbol
    qualifier: Symbol | None = None
