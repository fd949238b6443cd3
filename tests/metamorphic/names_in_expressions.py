"""The meaning of names in expressions: the part of the analysis without clauses and relations."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import attrs

from grammar import syntax as s
from ir.identifiers import fold
from tests.metamorphic.symbols import Column, Rows, Scope, Site, Symbol, Undecided

QUERIES = (
    s.Select,
    s.Modified,
    s.With,
    s.SetOperation,
    s.InlineValues,
    s.FromFirst,
    s.TableQuery,
    s.Pipe,
)
_ROW_MAKERS = frozenset({"arrays_zip", "row", "struct"})
_UNDECIDED_CALLS = frozenset({"identifier", "descriptor"})
# These words are no column references unless a column has the name.
_WORDS = frozenset({"all", "current_path"})
Names = Mapping[str, list[Symbol]]
Tables = Mapping[str, tuple[Symbol, Rows]]


class NamesInExpressions:
    """The symbols of a text and their positions, as far as its expressions determine them."""

    def __init__(self, columns_of: Callable[[tuple[str, ...]], Sequence[str]]) -> None:
        self.columns_of = columns_of
        self.symbols: list[Symbol] = []
        self.sites: list[Site] = []
        self.uses: list[Symbol] = []
        self.tables: dict[int, tuple[Symbol, list[Symbol]]] = {}
        """The catalog tables and their columns, by the position of the table's name."""
        self.together: list[list[Symbol]] = []
        """The columns of each relation, whose names must be distinct."""
        self._variables: list[dict[str, Symbol]] = []
        self._unknown: list[str] = []
        self._tables: list[Tables] = [{}]

    # --- symbols -----------------------------------------------------------------------------------------------------

    def declare(self, text: str, kind: str, position: int | None = None, *, is_fixed: bool = False) -> Symbol:
        """Return a new symbol, declared at a position of the text or at none."""
        made = Symbol(len(self.symbols), text, kind, is_fixed or fold(text) in _WORDS)
        self.symbols.append(made)
        if position is not None:
            self.sites.append(Site(position, made))
        return made

    def _named(self, names: Iterable[s.Name], kind: str = "column") -> list[Symbol]:
        return [self.declare(name.text, kind, name.position) for name in names]

    def _use(self, position: int, candidates: Sequence[Symbol], qualifier: Symbol | None = None) -> Symbol:
        """Bind a name at a position to the candidate symbols; several candidates are united under one name."""
        first = candidates[0]
        for other in candidates[1:]:
            first.unite(other)
        self.sites.append(Site(position, first, qualifier))
        self.uses.append(first)
        return first

    def path(self, path: s.Path, scope: Scope, outputs: Names | None = None, aliases: Names | None = None) -> Any:
        """Record the meaning of a path; return the symbol of its column, or None if it is not a plain column."""
        first = fold(path.names[0].text)
        for variables in reversed(self._variables):
            if first in variables:
                self._use(path.names[0].position, [variables[first]])
                return None
        shown = (outputs or {}).get(first, [])
        length, own = scope.find(path)
        if own:
            if shown and length:
                raise Undecided(f"{first} before a column, which SELECT calls a column")
            return self._columns(path, length, own, shown, scope)
        if shown or (aliases or {}).get(first):
            found = self._use(path.names[0].position, shown or (aliases or {})[first])
            return found if len(path.names) == 1 else None
        hides = scope.rows.has_others
        around = scope.parent
        while around is not None:
            length, found_around = around.find(path)
            others = around.outputs.get(first, []) if not length else []
            if found_around:
                if hides:
                    for column in found_around:
                        fix_name(column)
                return self._columns(path, length, found_around, others, around)
            if others:
                self._use(path.names[0].position, others)
                return None
            hides = hides or around.rows.has_others
            around = around.parent
        self._unknown_path(path, scope)
        return None

    def _unknown_path(self, path: s.Path, scope: Scope) -> None:
        around: Scope | None = scope
        while around is not None and len(path.names) > 1:
            found = [r for r in around.rows.opaque if fold(r.text) == fold(path.names[0].text)]
            if found:
                self._qualifier(path.names[0], found)
                return
            around = around.parent
        if not path.names[0].text.isidentifier():
            raise Undecided("a name that Spark has made of an expression")
        self._unknown.append(fold(path.names[0].text))

    def _columns(self, path: s.Path, length: int, found: list[Column], others: list[Symbol], scope: Scope) -> Any:
        name = path.names[length]
        relations = [c.relation for c in found if c.relation is not None]
        if length:
            self._qualifier(path.names[length - 1], relations)
        # A column merged by USING or NATURAL is several columns here, and gets no qualifier.
        free = not length and len(found) == 1 and not others and not found[0].is_passed_on and not scope.rows.has_others
        qualifier = relations[0] if free and relations else None
        symbol = self._use(name.position, [*[c.symbol for c in found], *others], qualifier)
        return symbol if length == len(path.names) - 1 else None

    def _qualifier(self, name: s.Name, relations: Sequence[Symbol]) -> None:
        for other in relations[1:]:
            relations[0].unite(other)
        self.sites.append(Site(name.position, relations[0]))

    # --- expressions -------------------------------------------------------------------------------------------------

    def expressions(self, part: Any, scope: Scope, outputs: Names | None = None, aliases: Names | None = None) -> None:
        """Record the meaning of the names in a part of the text."""
        if isinstance(part, (list, tuple)):
            for one in part:
                self.expressions(one, scope, outputs, aliases)
        elif isinstance(part, s.Path):
            self.path(part, scope, outputs, aliases)
        elif isinstance(part, QUERIES):
            self.query(part, attrs.evolve(scope, outputs=outputs or {}))
        elif isinstance(part, s.Star):
            self.star(part, scope)
        elif isinstance(part, s.Lambda):
            parameters = self._named(part.parameters, "parameter")
            self.together.append(parameters)
            self._variables.append({fold(p.text): p for p in parameters})
            self.expressions(part.body, scope, outputs, aliases)
            self._variables.pop()
        elif isinstance(part, s.Call):
            self._call(part, scope, outputs, aliases)
        elif isinstance(part, s.Member):
            if isinstance(part.base, s.Parenthesised) and isinstance(
                without_parentheses(part.base), (s.Path, s.Member)
            ):
                raise Undecided("a path with parentheses in it")
            self.expressions(part.base, scope, outputs, aliases)
        elif isinstance(part, (s.NamedArgument, s.Aliased)):
            inner = part.value if isinstance(part, s.NamedArgument) else part.expression
            self.expressions(inner, scope, outputs, aliases)
        elif isinstance(part, s.Row):
            self._fields(part.items, scope, outputs, aliases)
        elif isinstance(part, s.VariantPath):
            self.expressions(part.base, scope, outputs, aliases)
        elif isinstance(part, s.Over):
            self.expressions(part.call, scope, outputs, aliases)
            if isinstance(part.window, s.Window):
                self.expressions(part.window, scope, outputs, aliases)
        elif isinstance(part, s.Window):
            self.expressions([part.partition_by, part.order_by, part.frame], scope, outputs, aliases)
        elif isinstance(part, s.Collate):
            self.expressions(part.value, scope, outputs, aliases)
        elif isinstance(part, (s.Table, s.Derived, s.TableArgument)):
            raise Undecided("a table as an argument")
        elif isinstance(part, s.Syntax) and not isinstance(part, s.Name):
            self.expressions([getattr(part, name) for name in s.fields_of(part)], scope, outputs, aliases)

    def _call(self, call: s.Call, scope: Scope, outputs: Names | None, aliases: Names | None) -> None:
        name = fold(call.function.names[-1].text)
        if name in _UNDECIDED_CALLS or call.named_by is not None:
            raise Undecided(name)
        if name in _ROW_MAKERS:
            self._fields(call.arguments, scope, outputs, aliases)
        else:
            self.expressions(call.arguments, scope, outputs, aliases)
        self.expressions([call.clauses, call.within_group, call.filter], scope, outputs, aliases)

    def _fields(self, items: list[Any], scope: Scope, outputs: Names | None, aliases: Names | None) -> None:
        """Record the meaning of a struct's items; its type includes the field names, which come from the columns."""
        for item in items:
            inner = without_parentheses(item)
            first = len(self.sites)
            if isinstance(inner, s.Star):
                for column in self.star(inner, scope):
                    fix_name(column)
            else:
                self.expressions(inner, scope, outputs, aliases)
            if isinstance(inner, (s.Path, s.Member)):
                for site in self.sites[first:]:
                    if site.symbol.kind != "relation":
                        site.symbol.root.is_fixed = True

    def star(self, star: s.Star, scope: Scope) -> list[Column]:
        """Return the columns of a star."""
        columns = scope.rows.columns
        if star.qualifier is not None:
            if not isinstance(star.qualifier, s.Path):
                raise Undecided("a star of the fields of a value")
            names = star.qualifier.names
            around: Scope | None = scope
            columns = []
            while around is not None and not columns:
                columns = around.rows.of_relation(names)
                around = around.parent
            if not columns:
                # A star over the fields of a row, or over a relation with unknown columns.
                found = [r for r in scope.rows.opaque if len(names) == 1 and fold(r.text) == fold(names[0].text)]
                if found:
                    self._qualifier(names[0], found)
                else:
                    self.path(star.qualifier, scope)
                scope.rows.has_others = True
            else:
                self._qualifier(names[-1], [c.relation for c in columns if c.relation is not None])
        if star.left_out:
            inner = Scope(Rows(columns))
            left_out = [self.path(path, inner) for path in star.left_out]
            if any(symbol is None for symbol in left_out):
                raise Undecided("EXCEPT of fields")
            roots = {symbol.root for symbol in left_out}
            columns = [c for c in columns if c.symbol.root not in roots]
        return columns

    @abstractmethod
    def query(self, node: Any, parent: Scope | None) -> Rows:
        """Return the columns of a query."""


def without_parentheses(part: Any) -> Any:
    """Strip the parentheses around a part of the text."""
    while isinstance(part, s.Parenthesised):
        part = part.inner
    return part


def fix_name(column: Column) -> None:
    """Fix the name of a column, since another name may or may not refer to it."""
    column.symbol.root.is_fixed = True
