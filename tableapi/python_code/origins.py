"""Where a column comes from: the table that a person would name when a subquery refers to the row around it."""

from __future__ import annotations

from ir.expressions import OuterReference
from ir.operations.operation import QueryOperation

# Further down nobody looks, so that many subqueries over a long chain cost no more than a few.
_MOST_STEPS = 20


def origin(operation: QueryOperation, reference: OuterReference) -> QueryOperation | None:
    """Return the first table that has the column which a reference means, or None where ``operation`` has none."""
    found = operation if _has(operation, reference) else None
    below: QueryOperation | None = operation
    for _ in range(_MOST_STEPS):
        if found is None or below is None:
            break
        below = _below(below, reference)
        if below is not None and _has(below, reference):
            found = below
    return found


def _has(operation: QueryOperation, reference: OuterReference) -> bool:
    index = operation.schema.index_of(reference.name)
    column = None if index is None else operation.schema.columns[index]
    return column is not None and column.name == reference.name and column.data_type is reference.type_


def _below(operation: QueryOperation, reference: OuterReference) -> QueryOperation | None:
    """Return the input from which an operation has the column, unchanged and under the same name."""
    index = operation.schema.index_of(reference.name)
    if index is None:
        return None
    below = operation.column_below(index)
    if below is None:
        return None
    input, position = below
    return input if input.schema.names[position] == reference.name else None
