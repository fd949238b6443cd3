"""Builds the steps of a pipe, each of which transforms the rows of the query before it."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

from grammar import syntax as s
from grammar.builder.clause_names import ClauseNames
from grammar.builder.from_clause.relations import Relations
from grammar.builder.from_clause.samples import build_sample
from grammar.builder.query_parts import Steps, Tables
from grammar.builder.scopes import Column, Relation, Scope
from grammar.builder.select.blocks import SelectBlocks
from grammar.builder.select.generators import Item
from grammar.builder.select.grouping import contains_part, is_aggregate
from grammar.builder.select.mentions import Mentions
from grammar.errors import Misread
from ir import light_attrs as attrs
from ir.identifiers import fold


class PipeSteps(SelectBlocks, Relations):
    """Builds pipes."""

    def pipes(self, node: s.Pipe, parent: Scope | None, tables: Tables) -> Steps:
        """Build a pipe: its first query and each of its steps."""
        steps: list[s.PipeStep] = []
        current: Any = node
        while type(current) is s.Pipe:
            steps.append(current.step)
            current = current.query
        steps.reverse()
        mentions = Mentions(steps)
        relation: Relation
        if isinstance(current, s.FromFirst) and not current.selects:
            relation = yield self.from_clause(current.source, parent, tables)
        else:
            first = current.query if type(current) is s.Modified else current
            self.mentioned = (first, mentions) if type(first) is s.Select else None
            relation = _restore_qualifiers((yield self.query(current, parent, tables)))
        for index, step in enumerate(steps):
            is_distinct = step.kind == "select" and step.items[0].quantifier == "DISTINCT"
            later = mentions.of(relation.columns, index + 1, outside_queries=is_distinct)
            if step.kind == "modifier" and not mentions.of(relation.columns, index):
                relation = self.visible(relation)
            relation = _restore_qualifiers((yield self.pipe_step(step, relation, parent, tables, later)))
        return relation

    def pipe_step(
        self, step: s.PipeStep, relation: Relation, parent: Scope | None, tables: Tables, later: Sequence[Column]
    ) -> Steps:
        """Apply one step, and keep the hidden keys that ``later`` steps name."""
        if step.kind == "select":
            (select,) = step.items
            return (yield self.select_from(select, relation, [], parent, tables, None, later))
        if step.kind == "where":
            condition = yield self.expression(step.items[0], ClauseNames(Scope(relation.columns, parent)), tables)
            clause = s.Clause(step.position, "where", step.items)
            made = self.build_filter(relation.operation, condition, clause, Scope(relation.columns, parent))
            return Relation(made, relation.columns)
        if step.kind == "extend":
            _require_no_star(step)
            star = s.Star(step.position, None, None)
            select = s.Select(step.position, [], None, [star, *step.items], [])
            return (yield self.select_from(select, relation, [], parent, tables, None, later))
        if step.kind == "set":
            return (yield self._pipe_set(step, relation, parent, tables, later))
        if step.kind == "drop":
            star = s.Star(step.position, None, step.items)
            select = s.Select(step.position, [], None, [star], [])
            return (yield self.select_from(select, relation, [], parent, tables, None, later))
        if step.kind == "as":
            return relation.renamed((fold(step.items[0].text),))
        if step.kind == "aggregate":
            _require_no_star(step)
            keys = [_input_column(key, relation) for key in step.detail or []]
            clauses = [s.Clause(step.position, "group by", [_strip_alias(key) for key in keys])] if keys else []
            select = s.Select(step.position, [], None, [*keys, *step.items], clauses)
            check = _AggregatesBehind(len(keys), any(map(_is_ordinal, step.detail or [])))
            return (yield self.select_from(select, relation, [], parent, tables, check))
        if step.kind == "join":
            return (yield self.join(relation, step.items[0], parent, tables))
        if step.kind == "lateral view":
            return (yield self.lateral_view(relation, step.items[0], parent, tables))
        if step.kind == "set operation":
            operator, quantifier, query = step.items
            right = yield self.query(query, parent, tables)
            chosen = None if quantifier is None else quantifier.text.upper()
            relation.sources = [column.qualifier for column in relation.columns if not column.hidden]
            return self.build_set_operation(operator.text.upper(), chosen, relation, right, step.position)
        if step.kind == "modifier":
            for clauses in _split_steps(step.items):
                relation = yield self.apply(relation, clauses, parent, tables)
            return relation
        if step.kind == "pivot":
            return (yield self.build_extension(relation, step.items[0], parent, tables))
        return (yield build_sample(self, relation, step.items[0]))

    def _pipe_set(
        self, step: s.PipeStep, relation: Relation, parent: Scope | None, tables: Tables, later: Sequence[Column]
    ) -> Steps:
        named_later = [(column.qualifier, column.name) for column in later]
        mentions = Mentions([s.PipeStep(item.position, "set", [item]) for item in step.items])
        for number, item in enumerate(step.items, 1):
            # Each assignment sees the results of the earlier ones.
            wanted = fold(item.names[0].text)
            items: list[Any] = []
            found = 0
            for column in relation.columns:
                if column.hidden:
                    continue
                chosen = item.expression if fold(column.name) == wanted else column.field
                found += chosen is item.expression
                items.append(s.Aliased(item.position, chosen, [s.Name(item.position, column.name, True)]))
            if not found:
                message = f"SET changes columns, and there is none named {wanted!r}; EXTEND adds some."
                raise Misread(item.position, message, "UNRESOLVED_COLUMN.WITH_SUGGESTION")
            if found > 1:
                message = f"SET changes one column, and {found} are named {wanted!r}; give them other names first."
                raise Misread(item.position, message, "AMBIGUOUS_REFERENCE")
            select = s.Select(item.position, [], None, items, [])
            visible = [column for column in relation.columns if not column.hidden]
            again = mentions.of(relation.columns, number)
            kept = [
                column
                for column in relation.columns
                if column.hidden and (column in again or (column.qualifier, column.name) in named_later)
            ]
            relation = yield self.select_from(select, relation, [], parent, tables, None, kept)
            relation.sources = [() if fold(c.name) == wanted else c.qualifier for c in visible]
            for made, given in zip(relation.columns, visible, strict=False):
                made.origin = None if fold(given.name) == wanted else given.origin
            relation = _restore_qualifiers(relation)
        return relation


def _restore_qualifiers(relation: Relation) -> Relation:
    """Restore the qualifiers of columns that a step passes on, so that later steps may use them."""
    for column, qualifier in zip(relation.columns, relation.sources, strict=False):
        column.qualifier = column.qualifier or qualifier
    return relation


def _input_column(item: Any, relation: Relation) -> Any:
    """Return a key of AGGREGATE. A number denotes an input column."""
    if not _is_ordinal(item):
        return item
    names = relation.names
    if not 1 <= int(item.text) <= len(names):
        raise Misread(item.position, f"GROUP BY {item.text} means a column, of which there are {len(names)}.")
    return s.Path(item.position, [s.Name(item.position, names[int(item.text) - 1], True)])


def _is_ordinal(item: Any) -> bool:
    return isinstance(item, s.Number) and item.text.isdigit()


def _strip_alias(item: Any) -> Any:
    return item.expression if isinstance(item, s.Aliased) else item


def _require_no_star(step: s.PipeStep) -> None:
    for item in step.items:
        if isinstance(item, s.Star):
            message = f"{step.kind.upper()} computes columns; the star stands for those that are there already."
            raise Misread(item.position, message, "INVALID_USAGE_OF_STAR_OR_REGEX")


@attrs.frozen
class _AggregatesBehind:
    """Rejects a result of AGGREGATE without an aggregate. The group keys come first."""

    keys: int
    has_ordinals: bool

    def __call__(self, items: list[Item]) -> None:
        for item in items[self.keys :]:
            if not contains_part([item.expression], is_aggregate):
                message = "AGGREGATE computes aggregates; what groups are made by stands behind GROUP BY in it."
                condition = "PIPE_OPERATOR_AGGREGATE_EXPRESSION_CONTAINS_NO_AGGREGATE_FUNCTION"
                raise Misread(item.position, message, condition)
            if item.of_star and self.has_ordinals:
                message = "A number in GROUP BY of AGGREGATE means a column; write its name where there is a star."
                raise Misread(item.position, message, "STAR_GROUP_BY_POS")


_IN_ORDER = ("order by", "cluster by", "distribute by", "sort by", "window", "limit", "offset")
_OF_ROWS = ("limit", "offset")


def _split_steps(clauses: Sequence[s.Clause]) -> list[list[s.Clause]]:
    """Split off the clauses after a step that end the query.

    Raises:
        Misread: a step has both an order and a limit.
    """
    ends = len(clauses)
    for index, (clause, following) in enumerate(itertools.pairwise(clauses), 1):
        if _IN_ORDER.index(following.kind) <= _IN_ORDER.index(clause.kind):
            ends = index
            break
    step, behind = list(clauses[:ends]), list(clauses[ends:])
    for clause in step:
        if clause.kind == "window":
            message = "WINDOW is no step: write it in the SELECT that uses its windows."
            raise Misread(clause.position, message, "UNSUPPORTED_FEATURE.CLAUSE_WITH_PIPE_OPERATORS")
    if step[0].kind not in _OF_ROWS and step[-1].kind in _OF_ROWS:
        raise Misread(
            step[-1].position,
            f"One step has {step[0].kind.upper()} or {step[-1].kind.upper()}, not both: write |> before the second.",
            "MULTIPLE_QUERY_RESULT_CLAUSES_WITH_PIPE_OPERATORS",
        )
    return [step, behind] if behind else [step]
