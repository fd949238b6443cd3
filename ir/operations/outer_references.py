"""Outer references: references of a query to columns of its outer query."""

from __future__ import annotations

from ir.contents import OUTER
from ir.errors import TableException
from ir.expressions import FieldReference, OuterReference, ResolvedExpression
from ir.operations.operation import QueryOperation, TableReference
from ir.schema import ResolvedSchema


def outer_references(operation: QueryOperation) -> dict[OuterReference, list[QueryOperation]]:
    """Return the outer references of a query, each with the operations that contain it.

    References in its own subqueries refer to the query itself and do not count.
    """
    found: dict[OuterReference, list[QueryOperation]] = {}
    if not operation.contents & OUTER:
        return found
    for current in operation.walk():
        for reference in find_own_references(current):
            found.setdefault(reference, []).append(current)
    return found


def find_own_references(operation: QueryOperation) -> dict[OuterReference, ResolvedExpression]:
    """Return the outer references in the expressions of an operation itself, each with its expression."""
    return {
        part: expression
        for expression in operation.expressions
        if expression.contents & OUTER
        for part in expression.walk()
        if isinstance(part, OuterReference)
    }


def find_used_columns(expression: ResolvedExpression, schema: ResolvedSchema) -> dict[FieldReference, None]:
    """Return the columns of ``schema`` that an expression over it refers to, also from within its subqueries."""
    found: dict[FieldReference, None] = {}
    for part in expression.walk():
        if isinstance(part, FieldReference):
            found[part] = None
        elif isinstance(part, TableReference):
            for reference in outer_references(part.operation):
                index = schema.index_of(reference.name)
                if index is not None:
                    column = schema.columns[index]
                    found[FieldReference(column.name, column.data_type, 0, index)] = None
    return found


def require_no_outer_references(operation: QueryOperation) -> None:
    """Reject a query that is only valid as a subquery.

    Raises:
        TableException: the query refers to a column of an outer query.
    """
    for reference in outer_references(operation):
        raise TableException(
            f"The query refers to the column {reference.name!r} of a query around it, and means nothing without that. "
            "Use it as a subquery there: with exists(…), scalar(…) or in_(…)."
        )
