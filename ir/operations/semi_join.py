"""Semi joins of streams: filters by EXISTS over a stream, as joins of two sides.

The tree has no semi join of its own: ``LEFT SEMI JOIN`` is a filter by EXISTS. Spark refuses a subquery over a stream,
and runs the join. The text for Spark therefore has the join, and the rules of streams judge it as one.
"""

from __future__ import annotations

from ir import light_attrs as attrs
from ir.call_expressions import Call
from ir.contents import CHANGING, OUTER, QUERY, UNBOUNDED
from ir.expressions import FieldReference, OuterReference, ResolvedExpression
from ir.functions.logic import AND
from ir.functions.subquery import EXISTS
from ir.operations.filter import Filter
from ir.operations.operation import QueryOperation, TableReference
from ir.rewriting import replace


@attrs.frozen
class SemiJoin:
    """The sides of a semi join with a stream, and its condition.

    Attributes:
        matches: the filter in EXISTS, whose condition refers to the left side.
        left: the rows that are kept if they have a match.
        right: the rows among which a match is searched, a stream.
        condition: the condition; a field reference with input index 0 is a column of ``left``, one with input index 1
            a column of ``right``.
    """

    matches: QueryOperation
    left: QueryOperation
    right: QueryOperation
    condition: ResolvedExpression


def find_semi_join(operation: QueryOperation) -> SemiJoin | None:
    """Return the semi join that a filter is, None if it is another filter or the right side is not a stream.

    The condition is EXISTS of a filter all of whose conjuncts refer to the left side; ``ir.resolution.semi_joins``
    makes this form.
    """
    query = find_matches(operation)
    if query is None:
        return None
    assert isinstance(operation, Filter)
    columns = operation.input.schema

    def move_to_sides(part: ResolvedExpression) -> ResolvedExpression | None:
        if isinstance(part, OuterReference):
            index = None if columns.is_repeated(part.name) else columns.index_of(part.name)
            return None if index is None else FieldReference(part.name, part.type_, 0, index)
        return part.evolve(input_index=1) if isinstance(part, FieldReference) else None

    condition = replace(query.condition, move_to_sides)
    return None if condition.contents & OUTER else SemiJoin(query, operation.input, query.input, condition)


def find_matches(operation: QueryOperation) -> Filter | None:
    """Return the filter in the EXISTS of a semi join with a stream, None if an operation is no such join."""
    if type(operation) is not Filter or not operation.condition.contents & UNBOUNDED:
        return None
    test = operation.condition
    if not isinstance(test, Call) or test.function is not EXISTS:
        return None
    (table,) = test.arguments
    query = table.operation if isinstance(table, TableReference) else None
    if not isinstance(query, Filter) or query.input.contents & OUTER or not can_join(query.condition):
        return None
    return query


def can_join(condition: ResolvedExpression) -> bool:
    """Whether each conjunct of a condition in EXISTS can be a condition of a join: it refers to the left side."""
    parts = list_conjuncts(condition)
    return all(part.contents & OUTER for part in parts) and not condition.contents & (QUERY | CHANGING)


def list_conjuncts(condition: ResolvedExpression) -> tuple[ResolvedExpression, ...]:
    """Return the operands of a conjunction, or the only condition."""
    return condition.arguments if isinstance(condition, Call) and condition.function is AND else (condition,)
