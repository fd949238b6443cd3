"""Find the table that a person would name when a subquery refers to a column of an outer query."""

from __future__ import annotations

from ir.expressions import OuterReference
from ir.operations.operation import QueryOperation

# The limit keeps the cost low for many subqueries over a long chain.
_MOST_STEPS = 20


def origin(operation: QueryOperation, reference: OuterReference) -> QueryOperation | None:
    """Return the lowest table that has the column of a reference; None if ``operation`` does not have it."""
    found = operation if _has(operation, reference) else None
    below: QueryOperation | None = operation
    for _ in range(_MOST_STEPS):
        if found is None or below is None:
            break
        below = _find_below(below, reference)
        if below is not None and _has(below, reference):
            found = below
    return found


def _has(operation: QueryOperation, reference: OuterReference) -> bool:
    index = operation.schema.index_of(reference.name)
    column = None if index is None else operation.schema.columns[index]
    return column is not None and column.name == reference.name and column.data_type is reference.type_


def _find_below(operation: QueryOperation, reference: OuterReference) -> QueryOperation | None:
    """Return the input from which an operation takes the column, unchanged and with the same name."""
    index = operation.schema.index_of(reference.name)
    if index is None:
        return None
    below = operation.column_below(index)
    if below is None:
        return None
    input, position = below
    return input if input.schema.names[position] == reference.name else None
