"""Writes the clauses of SELECT that both layouts share."""

from __future__ import annotations

from collections.abc import Sequence

from ir.expressions import ResolvedExpression, SortOrder
from ir.operations.aggregate import GroupingSets, are_in_order, cube_sets, rollup_sets
from ir.operations.join import JoinClause, JoinType
from ir.operations.set_operation import SetOperationType
from serializer.expressions import ColumnNames
from serializer.items import Item, Line
from serializer.notation import Notation
from serializer.pieces import Piece
from serializer.select_block import expression_item, item_lines, separate_items


def join_keyword(
    join_type: JoinType, condition: ResolvedExpression | None, notation: Notation, *, is_correlated: bool = False
) -> str:
    """Return the keyword before the right side of a join.

    Args:
        join_type: the type of the join.
        condition: its condition.
        notation: the notation of the dialect.
        is_correlated: whether the join or what it joins refers to columns of the enclosing query.
    """
    if join_type is not JoinType.INNER:
        return f"{join_type.value} JOIN"
    if is_correlated and notation.correlated_join is not None:
        return notation.correlated_join
    return notation.cross_join if condition is None else f"{join_type.value} JOIN"


def write_join_clause(clause: JoinClause, depth: int, notation: Notation, columns: ColumnNames | None = None) -> Line:
    """Write a clause of a join after its right side."""
    written = expression_item(clause.expression, notation, columns)
    return Line(depth, (f"{clause.keyword} ", *(("(", *written, ")") if clause.has_parentheses else written)))


def write_join_condition(
    join_type: JoinType,
    condition: ResolvedExpression | None,
    depth: int,
    notation: Notation,
    columns: ColumnNames | None = None,
) -> list[Item]:
    """Write the condition of a join with ON. An outer join must have one."""
    if condition is not None:
        return [Line(depth, ("ON ", *expression_item(condition, notation, columns)))]
    return [] if join_type is JoinType.INNER else [Line(depth, ("ON TRUE",))]


def group_lines(keys: list[tuple[Piece, ...]], sets: GroupingSets | None, depth: int) -> list[Item]:
    """Write the GROUP BY clause; an aggregation of all rows has none."""
    if sets is not None:
        written = write_grouping_sets(sets, keys)
        if not are_in_order(sets, len(keys)):
            # Keys in another order, or in no grouping set, precede the sets.
            *first, last = keys
            return item_lines("GROUP BY", [*first, (*last, " ", *written)], depth)
        return item_lines("GROUP BY", [written], depth)
    return item_lines("GROUP BY", keys, depth) if keys else []


def write_grouping_sets(sets: GroupingSets, keys: list[tuple[Piece, ...]]) -> tuple[Piece, ...]:
    """Write grouping sets in their shortest form."""
    if sets == rollup_sets(len(keys)):
        return ("ROLLUP(", *separate_items(keys), ")")
    if sets == cube_sets(len(keys)):
        return ("CUBE(", *separate_items(keys), ")")
    each = [("(", *separate_items([keys[position] for position in chosen]), ")") for chosen in sets]
    return ("GROUPING SETS (", *separate_items(each), ")")


def order_lines(
    order: Sequence[SortOrder], depth: int, notation: Notation, columns: ColumnNames | None = None
) -> list[Item]:
    """Write the ORDER BY clause."""
    return item_lines("ORDER BY", [expression_item(key, notation, columns) for key in order], depth) if order else []


def limit_lines(offset: int | None, fetch: int | None, depth: int, notation: Notation) -> list[Item]:
    """Write the LIMIT and OFFSET clauses."""
    if offset is None and fetch is None:
        return []
    return [Line(depth, (text,)) for text in notation.limit_clauses(offset, fetch)]


def choose_set_keyword(kind: SetOperationType, all: bool) -> str:
    """Return the keyword between the sides of a set operation."""
    return ("EXCEPT" if kind is SetOperationType.MINUS else kind.value) + (" ALL" if all else "")
