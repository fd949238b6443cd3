"""Which names in the text of a query are the same: a scope analysis that is independent of the parser's own.

It knows SQL's scope rules, and nothing of types, trees and rows. If two rules of Spark compete for a name (an alias of
SELECT and a column of FROM, in ORDER BY), it does not decide: both get the same new name, so that the competition
remains. It decides only between the queries around a name: the name refers to the innermost relation that has it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import attrs

from grammar import syntax as s
from ir.identifiers import fold
from tests.metamorphic.names_in_expressions import QUERIES, Names, NamesInExpressions
from tests.metamorphic.symbols import Column, Rows, Scope, Site, Symbol, Undecided

_RELATIONS = (s.Table, s.Derived, s.TableFunction, s.Lateral, s.Join, s.Extended)
_NAMES_OF_ROWS = {"explode": ["col"], "explode_outer": ["col"], "range": ["id"]}


class NamesInText(NamesInExpressions):
    """The symbols of a query and their positions in the text."""

    # --- queries -----------------------------------------------------------------------------------------------------

    def query(self, node: Any, parent: Scope | None) -> Rows:
        """Return the columns of a query."""
        if isinstance(node, s.Select):
            return self.select(node, [], parent)
        if isinstance(node, s.Modified):
            if isinstance(node.query, s.Select):
                return self.select(node.query, node.modifiers, parent)
            if isinstance(node.query, s.FromFirst) and node.query.selects:
                return self._from_first(node.query, node.modifiers, parent)
            rows = self.query(node.query, parent)
            return self._modified(rows, node.modifiers, parent)
        if isinstance(node, s.With):
            return self._with(node, parent)
        if isinstance(node, s.SetOperation):
            left = self.query(node.left, parent)
            self.query(node.right, parent)
            return left
        if isinstance(node, s.InlineValues):
            return self._values(node, parent)
        if isinstance(node, s.TableQuery):
            return self._table(node.table, None)
        if isinstance(node, s.FromFirst):
            return self._from_first(node, [], parent)
        if isinstance(node, s.Pipe):
            return self._pipe(node, parent)
        raise Undecided(type(node).__name__)

    def _from_first(self, node: s.FromFirst, modifiers: list[Any], parent: Scope | None) -> Rows:
        if len(node.selects) > 1:
            raise Undecided("FROM before several SELECTs")
        if not node.selects:
            return self.from_clause(node.source, parent)
        select = node.selects[0]
        return self.select(attrs.evolve(select, clauses=[node.source, *select.clauses]), modifiers, parent)

    def _modified(self, rows: Rows, modifiers: Sequence[Any], parent: Scope | None) -> Rows:
        for clause in modifiers:
            self.expressions([clause.items, clause.detail], Scope(rows, parent))
        return rows

    def _values(self, node: s.InlineValues, parent: Scope | None) -> Rows:
        self.expressions(node.rows, Scope(Rows([]), parent))
        row = node.rows[0]
        width = len(row.items) if isinstance(row, s.Row) else 1
        if isinstance(row, s.Call):
            raise Undecided("a row of VALUES as a call")
        return Rows([Column(self.declare(f"col{i}", "column", is_fixed=True)) for i in range(1, width + 1)])

    def _with(self, node: s.With, parent: Scope | None) -> Rows:
        before = len(self._tables)
        for table in node.tables:
            known = self._tables[-1]
            name = self.declare(table.name.text, "relation", table.name.position)
            if node.recursive:
                rows = self._recursive(table, name, parent)
            else:
                rows = self.query(table.query, parent)
                if table.columns is not None:
                    rows = Rows([Column(symbol) for symbol in self._named(table.columns)])
            rows = Rows([Column(c.symbol) for c in rows.columns], rows.has_others)
            self.together.append([c.symbol for c in rows.columns])
            self._tables.append({**known, fold(table.name.text): (name, rows)})
        made = self.query(node.query, parent)
        del self._tables[before:]
        return made

    def _recursive(self, table: s.CommonTable, name: Symbol, parent: Scope | None) -> Rows:
        query = table.query
        if not isinstance(query, s.SetOperation):
            raise Undecided("a query of WITH RECURSIVE that is no set operation")
        rows = self.query(query.left, parent)
        if table.columns is not None:
            rows = Rows([Column(symbol) for symbol in self._named(table.columns)])
        self._tables.append({**self._tables[-1], fold(table.name.text): (name, rows)})
        self.query(query.right, parent)
        self._tables.pop()
        return rows

    def select(self, node: s.Select, modifiers: Sequence[Any], parent: Scope | None) -> Rows:
        """Return the columns of a SELECT."""
        if node.script is not None:
            raise Undecided("TRANSFORM")
        source = next((clause for clause in node.clauses if isinstance(clause, s.From)), None)
        rows = Rows([]) if source is None else self.from_clause(source, parent)
        return self.select_from(node, rows, modifiers, parent)

    def _hints(self, node: s.Select, scope: Scope, outputs: Names) -> None:
        relations = {fold(c.relation.text): c.relation for c in scope.rows.columns if c.relation is not None}
        for hint in node.hints:
            for argument in hint.arguments:
                if isinstance(argument, s.Path):
                    found = relations.get(fold(argument.names[-1].text))
                    if found is not None:
                        self.sites.append(Site(argument.names[-1].position, found))
                    else:
                        self._bare(argument, scope, outputs)

    def _bare(self, path: s.Path, scope: Scope, outputs: Names | None = None) -> Symbol | None:
        """Record the meaning of a column name that must not get an additional qualifier."""
        if len(path.names) > 1:
            found: Symbol | None = self.path(path, scope)
            return found
        symbols = [c.symbol for c in scope.find(path)[1]] + (outputs or {}).get(fold(path.names[0].text), [])
        return self._use(path.position, symbols) if symbols else None

    def select_from(self, node: s.Select, rows: Rows, modifiers: Sequence[Any], parent: Scope | None) -> Rows:
        """Return the columns of a SELECT over the columns of its FROM."""
        scope = Scope(rows, parent)
        first_unknown = len(self._unknown)
        clauses = {clause.kind: clause for clause in node.clauses if not isinstance(clause, s.From)}
        if "where" in clauses:
            self.expressions(clauses["where"].items, scope)
        outputs: list[Column] = []
        shown: dict[str, list[Symbol]] = {}
        aliases: dict[str, list[Symbol]] = {}
        has_others = False
        for item in node.items:
            made, others = self._item(item, scope, aliases)
            has_others = has_others or others
            for column in made:
                shown.setdefault(fold(column.symbol.text), []).append(column.symbol)
                if isinstance(item, s.Aliased):
                    aliases.setdefault(fold(column.symbol.text), []).append(column.symbol)
            outputs += made
        if not aliases.keys().isdisjoint(self._unknown[first_unknown:]):
            raise Undecided("a column of a table function before that")
        self._hints(node, scope, shown)
        if "group by" in clauses:
            self._group_by(clauses["group by"], scope, aliases)
        for kind in ("having", "qualify"):
            if kind in clauses:
                self.expressions(clauses[kind].items, scope, aliases)
        windows = [clause for clause in [clauses.get("window"), *modifiers] if clause is not None]
        for clause in windows:
            if clause.kind == "window":
                self.expressions([w for _, w in clause.items if isinstance(w, s.Window)], scope, None, aliases)
        for clause in modifiers:
            if clause.kind != "window":
                self.expressions([clause.items, clause.detail], scope, shown)
        return Rows(outputs, has_others, keys=rows.keys)

    def _group_by(self, clause: Any, scope: Scope, aliases: Names) -> None:
        for item in [*clause.items, *([] if isinstance(clause.detail, str) else [clause.detail])]:
            if _holds_query(item):
                # Equal queries form one group key, and would no longer be equal if each had its own names.
                raise Undecided("a query as a key of groups")
            if isinstance(item, s.Path) and len(item.names) == 1:
                self.path(item, scope, aliases)
            else:
                self.expressions(item, scope, aliases)

    def _item(self, item: Any, scope: Scope, aliases: Names) -> tuple[list[Column], bool]:
        """Return the columns of a SELECT item, and whether it has further ones without a name in the text."""
        if isinstance(item, s.Star):
            others = item.qualifier is None and scope.rows.has_others
            columns = self.star(item, scope)
            return [attrs.evolve(c, is_passed_on=True) for c in columns], others or scope.rows.has_others
        if isinstance(item, s.Aliased):
            self.expressions(item.expression, scope, None, aliases)
            return [Column(symbol) for symbol in self._named(item.names)], False
        if isinstance(item, s.Path):
            symbol = self.path(item, scope, None, aliases)
            if symbol is None:
                name = item.names[-1]
                return [Column(self.declare(name.text, "column", is_fixed=True))], False
            _, found = scope.find(item)
            relation = found[0].relation if found else None
            return [Column(symbol, relation, found[0].before if found else (), True)], False
        self.expressions(item, scope, None, aliases)
        return [], True

    # --- relations ---------------------------------------------------------------------------------------------------

    def from_clause(self, node: s.From, parent: Scope | None) -> Rows:
        """Return the columns of FROM."""
        rows = Rows([])
        for relation in node.relations:
            rows = self.relation(relation, rows, parent)
        for view in node.views:
            rows = self._view(view, rows, parent)
        return rows

    @staticmethod
    def _beside(left: Rows, right: Rows) -> Rows:
        opaque = [*left.opaque, *right.opaque]
        return Rows([*left.columns, *right.columns], left.has_others or right.has_others, opaque)

    def _view(self, view: s.LateralView, rows: Rows, parent: Scope | None) -> Rows:
        self.expressions(view.call, Scope(rows, parent))
        relation = self.declare(view.name.text, "relation", view.name.position)
        if view.columns:
            return self._beside(rows, Rows([Column(symbol, relation) for symbol in self._named(view.columns)]))
        return self._beside(rows, self._rows_of_function(view.call, relation))

    def _rows_of_function(self, call: s.Call, relation: Symbol | None) -> Rows:
        names = _NAMES_OF_ROWS.get(fold(call.function.names[-1].text), [])
        columns = [Column(self.declare(n, "column", is_fixed=True), relation) for n in names]
        return Rows(columns, not names, [] if relation is None else [relation])

    def relation(self, node: Any, before: Rows, parent: Scope | None) -> Rows:
        """Return the columns of a relation and of the relations that it is joined with."""
        if isinstance(node, s.Join):
            return self.join(self.relation(node.left, before, parent), node, parent)
        if isinstance(node, s.Extended):
            return self.extended(self.relation(node.relation, before, parent), node.extension, parent)
        return self._beside(before, self._single(node, before, parent))

    def _single(self, node: Any, before: Rows, parent: Scope | None) -> Rows:
        """Return the columns of a single relation, which sees the preceding ones if it is lateral."""
        if isinstance(node, s.Table):
            return self._table(node.path, node.alias, node.sample)
        if isinstance(node, s.Derived):
            return self._derived(node, parent)
        if isinstance(node, s.Lateral):
            scope = Scope(before, parent)
            if isinstance(node.relation, s.TableFunction):
                return self._function(node.relation, scope)
            return self.relation(node.relation, Rows([]), scope)
        if isinstance(node, s.TableFunction):
            return self._function(node, Scope(Rows([]), parent))
        raise Undecided(type(node).__name__)

    def join(self, left: Rows, node: s.Join, parent: Scope | None) -> Rows:
        """Return the columns of a join."""
        right = self._single(node.right, left, parent)
        both = self._beside(left, right)
        words = {word.text.upper() for word in node.words}
        keys: list[Column] = []
        if "NATURAL" in words:
            if both.has_others:
                raise Undecided("NATURAL JOIN with names that the text does not have")
            for column in right.columns:
                same = [c for c in left.columns if fold(c.symbol.text) == fold(column.symbol.text)]
                if same:
                    self._use(-1, [*[c.symbol for c in same], column.symbol])
                    keys += [*same, column]
            self.uses.append(self.declare("", "end of the shared names"))
        for name in node.using or ():
            path = s.Path(name.position, [name])
            found = [*Scope(left).find(path)[1], *Scope(right).find(path)[1]]
            if both.has_others or not found:
                raise Undecided("USING with names that the text does not have")
            self._use(name.position, [c.symbol for c in found])
            keys += found
        both = attrs.evolve(both, keys=[*left.keys, *[attrs.evolve(key, is_passed_on=True) for key in keys]])
        if node.match is not None:
            self.expressions(node.match, Scope(both, parent))
        if isinstance(node.condition, s.Nearest):
            self.expressions(node.condition.ranking, Scope(both, parent))
        elif node.condition is not None:
            self.expressions(node.condition, Scope(both, parent))
        return left if words & {"SEMI", "ANTI"} else both

    def extended(self, rows: Rows, node: Any, parent: Scope | None) -> Rows:
        """Return the columns of PIVOT or UNPIVOT, which turn names into values and parts of other names."""
        scope, first = Scope(rows, parent), len(self.sites)
        if isinstance(node, s.Pivot):
            self.expressions([node.aggregates, [s.Path(n.position, [n]) for n in node.columns]], scope)
            self.expressions([v.expression if isinstance(v, s.Aliased) else v for v in node.values], Scope(Rows([])))
        else:
            self.expressions([path for group in node.groups for path in group.columns], scope)
        for site in self.sites[first:]:
            if site.symbol.kind == "column":
                site.symbol.root.is_fixed = True
        used = {site.symbol.root for site in self.sites[first:]}
        others = [c for c in rows.columns if c.symbol.root not in used]
        # UNPIVOT keeps the remaining columns with their relations.
        kept = others if isinstance(node, s.Unpivot) else [Column(c.symbol) for c in others]
        if isinstance(node, s.Unpivot):
            kept += [Column(symbol) for symbol in self._named([node.label, *node.values])]
            self.together.append([c.symbol for c in kept])
        made = Rows(kept, rows.has_others or isinstance(node, s.Pivot))
        return made if node.alias is None else self._under(made, node.alias)

    def _function(self, node: s.TableFunction, scope: Scope) -> Rows:
        _refuse_watermark(node.sample)
        self.expressions(node.call, scope)
        if node.alias is None:
            return self._rows_of_function(node.call, None)
        relation = self.declare(node.alias.name.text, "relation", node.alias.name.position)
        if node.alias.columns:
            columns = self._named(node.alias.columns)
            self.together.append(columns)
            return Rows([Column(symbol, relation) for symbol in columns])
        return self._rows_of_function(node.call, relation)

    def _derived(self, node: s.Derived, parent: Scope | None) -> Rows:
        _refuse_watermark(node.sample)
        if isinstance(node.inner, _RELATIONS):
            rows = self.relation(node.inner, Rows([]), parent)
            return rows if node.alias is None else self._under(rows, node.alias)
        rows = self.query(node.inner, parent)
        if node.alias is not None:
            return self._under(rows, node.alias)
        return Rows([Column(c.symbol) for c in rows.columns], rows.has_others)

    def _under(self, rows: Rows, alias: s.Alias, relation: Symbol | None = None) -> Rows:
        relation = relation or self.declare(alias.name.text, "relation", alias.name.position)
        if alias.columns is not None:
            columns = self._named(alias.columns)
            self.together.append(columns)
            return Rows([Column(symbol, relation) for symbol in columns])
        self.together.append([c.symbol for c in rows.columns])
        opaque = [relation] if rows.has_others else []
        return Rows([Column(c.symbol, relation) for c in rows.columns], rows.has_others, opaque)

    def _table(self, path: s.Path, alias: s.Alias | None, sample: Any = None) -> Rows:
        _refuse_watermark(sample)
        name = path.names[-1]
        known = self._tables[-1].get(fold(name.text)) if len(path.names) == 1 else None
        if known is not None:
            symbol, rows = known
            self._use(name.position, [symbol])
            before: tuple[str, ...] = ()
        else:
            symbol = self.declare(name.text, "relation", name.position)
            columns = [self.declare(column, "column") for column in self.columns_of(path.parts)]
            self.tables[name.position] = symbol, columns
            self.together.append(columns)
            rows, before = Rows([Column(column) for column in columns]), path.parts[:-1]
        if alias is not None:
            return self._under(rows, alias)
        opaque = [symbol] if rows.has_others else []
        return Rows([Column(c.symbol, symbol, before) for c in rows.columns], rows.has_others, opaque)

    # --- pipes -------------------------------------------------------------------------------------------------------

    def _pipe(self, node: s.Pipe, parent: Scope | None) -> Rows:
        steps: list[s.PipeStep] = []
        current: Any = node
        while isinstance(current, s.Pipe):
            steps.append(current.step)
            current = current.query
        is_from = isinstance(current, s.FromFirst) and not current.selects
        rows = self.from_clause(current.source, parent) if is_from else self.query(current, parent)
        for step in reversed(steps):
            rows = self._step(step, rows, parent)
        return rows

    def _step(self, step: s.PipeStep, rows: Rows, parent: Scope | None) -> Rows:
        scope = Scope(rows, parent)
        if step.kind == "select":
            return self.select_from(step.items[0], rows, [], parent)
        if step.kind in ("where", "modifier"):
            self.expressions([c.items if isinstance(c, s.Clause) else c for c in step.items], scope)
            return rows
        if step.kind == "extend":
            every = s.Star(step.position, None, None)
            return self.select_from(s.Select(step.position, [], None, [every, *step.items], []), rows, [], parent)
        if step.kind == "as":
            return self._under(rows, s.Alias(step.position, step.items[0], None))
        if step.kind == "aggregate":
            keys = [key.expression if isinstance(key, s.Aliased) else key for key in step.detail or []]
            select = s.Select(step.position, [], None, [*(step.detail or []), *step.items], [])
            made = self.select_from(select, rows, [], parent)
            return made if all(isinstance(key, s.Path) for key in keys) else attrs.evolve(made, has_others=True)
        if step.kind == "join":
            return self.join(rows, step.items[0], parent)
        if step.kind == "lateral view":
            return self._view(step.items[0], rows, parent)
        if step.kind == "set operation":
            self.query(step.items[2], parent)
            return rows
        if step.kind == "pivot":
            return self.extended(rows, step.items[0], parent)
        if step.kind == "drop":
            gone = {self._bare(path, scope) for path in step.items}
            return attrs.evolve(rows, columns=[c for c in rows.columns if c.symbol.root not in gone])
        if step.kind == "set":
            for item in step.items:
                self.expressions(item.expression, Scope(rows, parent))
                changed = self._bare(s.Path(item.names[0].position, item.names), Scope(rows))
                columns = [Column(c.symbol) if c.symbol is changed else c for c in rows.columns]
                rows = attrs.evolve(rows, columns=columns)
            return rows
        if step.kind == "sample":
            return rows
        raise Undecided(f"|> {step.kind.upper()}")


def _holds_query(part: Any) -> bool:
    if isinstance(part, (list, tuple)):
        return any(map(_holds_query, part))
    if isinstance(part, QUERIES):
        return True
    return isinstance(part, s.Syntax) and any(_holds_query(getattr(part, name)) for name in s.fields_of(part))


def _refuse_watermark(sample: Any) -> None:
    if isinstance(sample, s.Watermark):
        raise Undecided("WATERMARK")
