"""The names of a text: what declares one, where it stands, and the scopes in which it is looked for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import attrs

from grammar import syntax as s
from ir.identifiers import fold


class Undecided(Exception):
    """A query whose names this analysis does not follow; the message names the construct."""


@attrs.define(eq=False)
class Symbol:
    """A name that is declared somewhere: of a column, of a relation or of the parameter of a lambda."""

    number: int
    text: str
    kind: str
    is_fixed: bool = False
    """Whether the text depends on the name, as the type of ``struct(x)`` does."""
    _same: Symbol | None = None

    @property
    def root(self) -> Symbol:
        """The first of the symbols that have one name."""
        found = self
        while found._same is not None:
            found = found._same
        return found

    def unite(self, other: Symbol) -> None:
        """Have another symbol the same name as this one, whatever that is."""
        one, two = self.root, other.root
        if one is not two:
            first, second = (one, two) if one.number < two.number else (two, one)
            second._same = first
            first.is_fixed = first.is_fixed or second.is_fixed


@attrs.frozen(eq=False)
class Column:
    """A column that names may mean; ``before`` are the names of the catalog and the database before its relation."""

    symbol: Symbol
    relation: Symbol | None = None
    before: tuple[str, ...] = ()
    is_passed_on: bool = False
    """Whether it was of the relation in an inner SELECT; no new name may say so."""

    def is_called(self, qualifier: Sequence[s.Name]) -> bool:
        """Whether names may stand before that of the column."""
        if self.relation is None:
            return False
        own = [*map(fold, self.before), fold(self.relation.text)]
        return own[-len(qualifier) :] == [fold(name.text) for name in qualifier]


@attrs.define(eq=False)
class Rows:
    """The columns of relations; ``has_others`` if there are more, with names that the text does not have.

    ``opaque`` are the relations that have those. ``keys`` are the keys of joins by USING or NATURAL: later steps of a
    pipe may name one with its relation, although no column is called so any more.
    """

    columns: list[Column]
    has_others: bool = False
    opaque: list[Symbol] = attrs.field(factory=list)
    keys: list[Column] = attrs.field(factory=list)

    def of_relation(self, qualifier: Sequence[s.Name]) -> list[Column]:
        """Return the columns of a relation, or the keys of it that are left."""
        called = [column for column in self.columns if column.is_called(qualifier)]
        return called or [column for column in self.keys if column.is_called(qualifier)]


@attrs.define(eq=False)
class Scope:
    """The columns that names may mean in one query, and the scope of the query around it.

    ``around_only`` are names of the SELECT that its subqueries may use, such as those in HAVING.
    """

    rows: Rows
    parent: Scope | None = None
    outputs: Mapping[str, list[Symbol]] = attrs.field(factory=dict)

    def find(self, path: s.Path) -> tuple[int, list[Column]]:
        """Return the columns that a path may begin with, and how many names stand before that of the column."""
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
    """A place in the text with the name of a symbol, and the relation that may be written before it."""

    position: int
    symbol: Symbol
    qualifier: Symbol | None = None
