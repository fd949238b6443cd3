"""Steps of a pipe: each takes the rows of the query before it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from grammar import syntax as s
from grammar.builder.expressions import NamesOf
from grammar.builder.parts import Steps, Tables
from grammar.builder.relations import Relations
from grammar.builder.scopes import Relation, Scope
from grammar.builder.select import SelectBlocks
from grammar.errors import Misread
from ir.identifiers import fold


class PipeSteps(SelectBlocks, Relations):
    """Builds pipes."""

    def pipes(self, node: s.Pipe, parent: Scope | None, tables: Tables) -> Steps:
        """Return what the steps of a pipe make of the query before them."""
        steps: list[s.PipeStep] = []
        current: Any = node
        while type(current) is s.Pipe:
            steps.append(current.step)
            current = current.query
        relation: Relation
        if isinstance(current, s.FromFirst) and current.select is None:
            relation = yield self.from_clause(current.source, parent, tables)
        else:
            relation = yield self.query(current, parent, tables)
        for step in reversed(steps):
            relation = yield self.pipe_step(step, relation, parent, tables)
        return relation

    def pipe_step(self, step: s.PipeStep, relation: Relation, parent: Scope | None, tables: Tables) -> Steps:
        """Return the rows after one step."""
        if step.kind == "select":
            quantifier, windows = step.detail
            chosen = None if quantifier is None else quantifier.text.upper()
            select = s.Select(step.position, [], chosen, step.items, [] if windows is None else [windows])
            return (yield self.select_from(select, relation, [], parent, tables))
        if step.kind == "where":
            condition = yield self.expression(step.items[0], NamesOf(Scope(relation.columns, parent)), tables)
            clause = s.Clause(step.position, "where", step.items)
            made = self.filtered(relation.operation, condition, clause, Scope(relation.columns, parent))
            return Relation(made, relation.columns)
        if step.kind == "extend":
            star = s.Star(step.position, None, None)
            return (
                yield self.select_from(
                    s.Select(step.position, [], None, [star, *step.items], []), relation, [], parent, tables
                )
            )
        if step.kind == "set":
            return (yield self._pipe_set(step, relation, parent, tables))
        if step.kind == "drop":
            star = s.Star(step.position, None, [s.Path(name.position, [name]) for name in step.items])
            return (yield self.select_from(s.Select(step.position, [], None, [star], []), relation, [], parent, tables))
        if step.kind == "as":
            return relation.renamed((fold(step.items[0].text),))
        if step.kind == "aggregate":
            keys = [_input_column(key, relation) for key in step.detail or []]
            clauses = [s.Clause(step.position, "group by", [_unaliased(key) for key in keys])] if keys else []
            select = s.Select(step.position, [], None, [*keys, *step.items], clauses)
            return (yield self.select_from(select, relation, [], parent, tables))
        if step.kind == "join":
            return (yield self.join(relation, step.items[0], parent, tables))
        if step.kind == "lateral view":
            return (yield self.lateral_view(relation, step.items[0], parent, tables))
        if step.kind == "set operation":
            operator, quantifier, query = step.items
            right = yield self.query(query, parent, tables)
            chosen = None if quantifier is None else quantifier.text.upper()
            return self.combined(operator.text.upper(), chosen, relation, right, step.position)
        if step.kind == "modifier":
            relation = self.visible(relation)
            for clauses in _in_steps(step.items):
                relation = yield self.modified(relation, clauses, parent, tables)
            return relation
        if step.kind == "pivot":
            return (yield self.pivoted(relation, step.items[0], parent, tables))
        return (yield self.sampled(relation, step.items[0]))

    def _pipe_set(self, step: s.PipeStep, relation: Relation, parent: Scope | None, tables: Tables) -> Steps:
        for item in step.items:
            # Each assignment sees what those before it have set.
            wanted = fold(item.names[0].text)
            items: list[Any] = []
            found = False
            for column in relation.columns:
                if column.hidden:
                    continue
                chosen = item.expression if fold(column.name) == wanted else column.field
                found = found or chosen is item.expression
                items.append(s.Aliased(item.position, chosen, [s.Name(item.position, column.name, True)]))
            if not found:
                raise Misread(
                    item.position, f"SET changes columns, and there is none named {wanted!r}; EXTEND adds some."
                )
            select = s.Select(item.position, [], None, items, [])
            relation = yield self.select_from(select, relation, [], parent, tables)
        return relation


def _input_column(item: Any, relation: Relation) -> Any:
    """Return a key of AGGREGATE; a number there is that of a column before it."""
    if not isinstance(item, s.Number) or not item.text.isdigit():
        return item
    names = relation.names
    if not 1 <= int(item.text) <= len(names):
        raise Misread(item.position, f"GROUP BY {item.text} means a column, of which there are {len(names)}.")
    return s.Path(item.position, [s.Name(item.position, names[int(item.text) - 1], True)])


def _unaliased(item: Any) -> Any:
    return item.expression if isinstance(item, s.Aliased) else item


_TOGETHER = (("distribute by", "sort by"), ("limit", "offset"))


def _in_steps(clauses: Sequence[s.Clause]) -> list[list[s.Clause]]:
    """Return the clauses that are steps: what cannot be part of the same one ends the query behind the pipe."""
    steps: list[list[s.Clause]] = []
    for clause in clauses:
        if steps and len(steps[-1]) == 1 and (steps[-1][0].kind, clause.kind) in _TOGETHER:
            steps[-1].append(clause)
        else:
            steps.append([clause])
    return steps
