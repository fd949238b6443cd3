"""Builds ASOF JOIN, which joins each row with the row of another relation that is closest to it by a comparison."""

from __future__ import annotations

from grammar import syntax as s
from grammar.builder.clause_names import ClauseNames
from grammar.builder.error_origins import ErrorOrigins
from grammar.builder.from_clause.joins_by_names import find_shared_keys, join_by_names
from grammar.builder.from_clause.nearest import INNER_AND_LEFT
from grammar.builder.from_clause.relation_names import NotedNames
from grammar.builder.query_parts import Hints, QueryParts, Steps, Tables
from grammar.builder.scopes import Relation, Scope, list_join_columns, prepare_join_sides
from grammar.errors import Misread
from ir import light_attrs as attrs
from ir.expressions import Expression
from ir.operations.as_of_join import AsOfJoin
from ir.operations.join import JoinType
from ir.operations.source import SINGLE_ROW
from ir.resolution.as_of import join_as_of


def build_as_of_join(
    builder: QueryParts, left: Relation, node: s.Join, parent: Scope | None, tables: Tables, hints: Hints
) -> Steps:
    """Join each row of a relation with the closest row of another.

    Raises:
        Misread: ASOF JOIN does not support the join type or the clause after it, or the dialect lacks ASOF JOIN.
    """
    join_type = _require_type(builder, node)
    right = yield builder.primary(node.right, parent, tables, hints)
    shared = find_shared_keys(left, right, node, is_natural=False)
    if left.operation is SINGLE_ROW:
        raise Misread(node.position, "The relation before ASOF JOIN has no columns, so that it has no value to match.")
    left, columns, theirs = prepare_join_sides(left, right)
    builder.noted.note_same(right.operation, theirs.operation)
    scope = Scope(columns, parent)
    match = yield builder.expression(node.match, ClauseNames(scope), tables)
    nodes, expressions = {"MATCH_CONDITION": [node.match], "ON": [node.condition]}, [match]
    near = ErrorOrigins(nodes, expressions, scope, left.operation, builder.places)
    joiner = _Joiner(builder, match, near, builder.noted)
    if shared is not None:
        return join_by_names(joiner, left, right, join_type, shared, node.position)
    condition = None
    if node.condition is not None:
        condition = yield builder.expression(node.condition, ClauseNames(scope), tables)
        expressions.append(condition)
    return joiner.build_join(left, theirs, join_type, condition, node.match.position)


def _require_type(builder: QueryParts, node: s.Join) -> JoinType:
    builder.language.refuse_operation(AsOfJoin, node.match.position)
    words = [word.text.upper() for word in node.words]
    join_type = INNER_AND_LEFT.get(tuple(words))
    if join_type is None:
        message = f"{' '.join(words)} ASOF JOIN does not exist; ASOF JOIN is [INNER] or LEFT [OUTER]."
        raise Misread(node.words[0].position, message, "PARSE_SYNTAX_ERROR")
    if type(node.condition) is s.Nearest:
        message = "ASOF JOIN and NEAREST are two kinds of join: a join has one of them."
        raise Misread(node.condition.position, message, "PARSE_SYNTAX_ERROR")
    return join_type


@attrs.define(eq=False)
class _Joiner:
    """Builds the as-of joins with one match condition."""

    builder: QueryParts
    match: Expression
    near: ErrorOrigins
    noted: NotedNames

    def build_join(
        self, left: Relation, right: Relation, join_type: JoinType, condition: Expression | None, position: int
    ) -> Relation:
        by = (left.operation, right.operation, join_type, self.match, condition, self.builder.lookup)
        made = self.builder.call_resolver(position, join_as_of, *by, near=self.near)
        self.noted.note_sides(made, left, right)
        return Relation(made, list_join_columns(left, right, made), tested=left.tested | right.tested)
