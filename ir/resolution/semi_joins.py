"""The canonical form of filters by rows of a stream: one filter by EXISTS for each semi join.

``a AND EXISTS (SELECT 1 FROM s WHERE b AND s.k = t.k)`` becomes a filter by ``a`` below a filter by EXISTS, in which
the filter by ``b`` is below the one by ``s.k = t.k``. ``t.k IN (SELECT k FROM s)`` becomes EXISTS. So a text with a
LEFT SEMI JOIN reads back as the same tree.
"""

from __future__ import annotations

from ir.call_expressions import Call
from ir.calls import call
from ir.contents import CHANGING, OUTER, OVER, QUERY, TIME_WINDOW, UNBOUNDED
from ir.expressions import FieldReference, OuterReference, ResolvedExpression
from ir.functions.comparison import EQUALS, IN, row_values
from ir.functions.logic import AND
from ir.functions.subquery import EXISTS
from ir.operations.filter import Filter
from ir.operations.operation import QueryOperation, TableReference
from ir.operations.project import Project
from ir.operations.semi_join import can_join, list_conjuncts
from ir.rewriting import replace
from ir.schema import ResolvedSchema
from ir.types import LogicalType, NumericType

_NOT_SUBSTITUTED = QUERY | OUTER | OVER | CHANGING | TIME_WINDOW


def filter_with_semi_joins(input: QueryOperation, condition: ResolvedExpression) -> QueryOperation:
    """Return the filter of ``input`` by ``condition``, with an operation for each semi join with a stream."""
    others: list[ResolvedExpression] = []
    tests: list[ResolvedExpression] = []
    for part in list_conjuncts(condition):
        matches = _find_matches(part, input.schema)
        if matches is None:
            others.append(part)
        else:
            tests.append(call(EXISTS, (TableReference(matches),)))
    if not tests:
        return Filter(input, condition)
    made = Filter(input, _conjunction(others)) if others else input
    for test in tests:
        made = Filter(made, test)
    return made


def _find_matches(part: ResolvedExpression, columns: ResolvedSchema) -> QueryOperation | None:
    """Return the query in the EXISTS of a conjunct that is a semi join with a stream, None for another conjunct."""
    if not isinstance(part, Call) or part.function not in (EXISTS, IN) or not part.contents & UNBOUNDED:
        return None
    table = part.arguments[-1]
    if not isinstance(table, TableReference) or not table.operation.is_unbounded:
        return None
    operation = table.operation
    pending: list[ResolvedExpression] | None = []
    if part.function is IN:
        pending = _equalities(part.arguments[0], operation, columns)
    while pending is not None:
        if isinstance(operation, Filter):
            pending = [*list_conjuncts(operation.condition), *pending]
            operation = operation.input
        elif isinstance(operation, Project) and (not pending or operation.contents & OUTER):
            pending = _below(operation, pending)
            operation = operation.input
        else:
            break
    if pending is None or operation.contents & OUTER:
        return None
    own = [condition for condition in pending if not condition.contents & OUTER]
    joining = [condition for condition in pending if condition.contents & OUTER]
    if not joining or not can_join(_conjunction(joining)):
        return None
    right = Filter(operation, _conjunction(own)) if own else operation
    return Filter(right, _conjunction(joining))


def _equalities(
    value: ResolvedExpression, query: QueryOperation, columns: ResolvedSchema
) -> list[ResolvedExpression] | None:
    """Return the conditions that a value, or each value of a row, equals the column of a query at its place.

    None if IN converts a value, or if a name would not say which column of the outer query it is.
    """
    searched = query.schema.columns
    values = row_values(value) if len(searched) > 1 else (value,)
    if value.contents & _NOT_SUBSTITUTED or len(values) != len(searched):
        return None

    def outer(part: ResolvedExpression) -> ResolvedExpression | None:
        return OuterReference(part.name, part.type_) if isinstance(part, FieldReference) else None

    made: list[ResolvedExpression] = []
    for index, (own, column) in enumerate(zip(values, searched, strict=True)):
        if not _compare_alike(own.data_type, column.data_type):
            return None
        if any(isinstance(part, FieldReference) and columns.is_repeated(part.name) for part in own.walk()):
            return None
        field = FieldReference(column.name, column.data_type, 0, index)
        made.append(call(EQUALS, (field, replace(own, outer))))
    return made


def _compare_alike(first: LogicalType, second: LogicalType) -> bool:
    """Whether IN and an equality compare values of two types alike."""
    return first.same_type(second) or (isinstance(first, NumericType) and isinstance(second, NumericType))


def _below(projection: Project, conditions: list[ResolvedExpression]) -> list[ResolvedExpression] | None:
    """Return conditions over a projection as conditions over its input, None if that would change a value."""
    if conditions and any(computed.contents & _NOT_SUBSTITUTED for computed in projection.projections):
        return None

    def computed(part: ResolvedExpression) -> ResolvedExpression | None:
        return projection.projections[part.index] if isinstance(part, FieldReference) else None

    return [replace(condition, computed) for condition in conditions]


def _conjunction(conditions: list[ResolvedExpression]) -> ResolvedExpression:
    return conditions[0] if len(conditions) == 1 else call(AND, conditions)
