"""Builds JOIN … NEAREST, which joins each row with the nearest rows of another relation."""

from __future__ import annotations

from grammar import syntax as s
from grammar.builder.clause_names import ClauseNames
from grammar.builder.error_origins import ErrorOrigins
from grammar.builder.query_parts import QueryParts, Steps, Tables
from grammar.builder.scopes import Relation, Scope, list_join_columns, prepare_join_sides
from grammar.errors import Misread
from grammar.language import Language
from ir.operations.join import JoinType
from ir.operations.nearest_join import Measure, NearestJoin, Search
from ir.operations.source import SINGLE_ROW
from ir.resolution.nearest import join_nearest

INNER_AND_LEFT = {(): JoinType.INNER, ("INNER",): JoinType.INNER}
INNER_AND_LEFT |= {("LEFT",): JoinType.LEFT_OUTER, ("LEFT", "OUTER"): JoinType.LEFT_OUTER}
"""The types of the joins that Spark has as INNER and LEFT JOIN alone, by the words before JOIN."""


def require_nearest(node: s.Join, words: list[str], language: Language) -> JoinType:
    """Return the type of a join with NEAREST.

    Raises:
        Misread: NEAREST does not support the join type, or the dialect lacks NEAREST.
    """
    position = node.condition.position
    language.refuse_operation(NearestJoin, position)
    if type(node.right) is s.Lateral:
        message = "A relation that refers to the one before it, with LATERAL, is joined without NEAREST."
        raise Misread(position, message, "UNSUPPORTED_FEATURE.LATERAL_JOIN_NEAREST_BY")
    join_type = INNER_AND_LEFT.get(tuple(words))
    if join_type is None:
        message = f"{' '.join(words)} JOIN has no NEAREST, which is for [INNER] JOIN and LEFT [OUTER] JOIN alone."
        raise Misread(position, message, "NEAREST_BY_JOIN.UNSUPPORTED_JOIN_TYPE")
    return join_type


def nearest_joined(
    builder: QueryParts,
    left: Relation,
    right: Relation,
    join_type: JoinType,
    nearest: s.Nearest,
    parent: Scope | None,
    tables: Tables,
) -> Steps:
    """Join each row of a relation with the nearest rows of another."""
    if left.operation is SINGLE_ROW:
        raise Misread(
            nearest.position, "The relation before JOIN has no columns, so that no row is nearest to its one."
        )
    left, columns, right = prepare_join_sides(left, right)
    ranking = yield builder.expression(nearest.ranking, ClauseNames(Scope(columns, parent)), tables)
    near = ErrorOrigins(
        {"NEAREST": [nearest.ranking]}, [ranking], Scope(columns, parent), left.operation, builder.places
    )
    how = (nearest.count, Measure(nearest.measure), Search(nearest.search))
    by = (left.operation, right.operation, join_type, ranking, *how, builder.lookup)
    made = builder.call_resolver(nearest.position, join_nearest, *by, near=near)
    return Relation(made, list_join_columns(left, right, made))
