"""Where a column comes from: the table that a person would name when a subquery refers to the row around it."""

from __future__ import annotations

from ir.expressions import FieldReference, OuterReference
from ir.operations.aggregate import Aggregate
from ir.operations.filter import Distinct, Filter
from ir.operations.hint import Hint, Sample
from ir.operations.join import Join
from ir.operations.lateral import LateralJoin
from ir.operations.operation import QueryOperation
from ir.operations.partitions import Distribute, SortPartitions
from ir.operations.project import Project
from ir.operations.sort import Sort

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
    if isinstance(operation, Filter | Distinct | Sort | Hint | Sample | Distribute | SortPartitions):
        return operation.input
    if isinstance(operation, Join):
        return operation.left if index < len(operation.left.schema) else operation.right
    if isinstance(operation, LateralJoin):
        return operation.input if index < len(operation.input.schema) else None
    if isinstance(operation, Project | Aggregate):
        made = operation.projections if isinstance(operation, Project) else operation.group_keys
        column = made[index] if index < len(made) else None
        return operation.input if isinstance(column, FieldReference) and column.name == reference.name else None
    return None
