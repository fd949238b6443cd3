"""Which queries the layout NESTED shares by WITH, and what they are called there."""

from __future__ import annotations

from ir.contents import EQUAL_NAMES, OVER
from ir.expressions import FieldReference, ResolvedExpression
from ir.identifiers import fold
from ir.operations.aggregate import Aggregate
from ir.operations.join import Pairing
from ir.operations.lateral import LateralJoin
from ir.operations.operation import QueryOperation
from ir.operations.project import Project
from ir.operations.recursion import RecursiveReference
from ir.operations.set_operation import SetOperation
from ir.operations.sort import Sort
from ir.operations.source import InlineSource, Source, Values
from ir.relation_names import NO_NAMES, RelationNames
from ir.types import ArrayType, MapType, RowType, VariantType
from serializer.step_names import (
    Bases,
    UnusedNames,
    bound_to_place,
    name_by_title,
    name_cut_rows,
    name_groups,
    name_set,
    taken_names,
    unshareable_queries,
)

_WITH_FIELDS = (ArrayType, MapType, RowType, VariantType)
# So many rows of VALUES are written again as shortly as a name is.
_FEW_ROWS = 3


def named_steps(
    root: QueryOperation, repeated: set[QueryOperation], given: RelationNames = NO_NAMES
) -> dict[QueryOperation, str]:
    """Return what of the ``repeated`` operations of a query WITH shares, by names, each after those that it reads.

    Steps have the names that are ``given`` for them, the others are named after what they read and do.

    What depends on the row of a query around it, or on the rows of a recursive query, stays in its place. So does what
    has other rows each time, since Spark would give all readers the same. A table and a few rows are as short as a
    name.
    """
    operations = list(root.walk_with_subqueries())
    bound = bound_to_place(operations, has_subqueries=True)
    unshareable = unshareable_queries(operations)
    chosen = [
        operation
        for operation in operations
        if operation in repeated
        and operation not in bound
        and operation not in unshareable
        and _is_worth_a_name(operation)
    ]
    if not chosen:
        return {}
    taken = taken_names(operations)
    for operation in operations:
        taken |= names_with_fields(operation)
    names = UnusedNames(taken)
    base_of = Bases()
    # Names that are given come first, so that they stay as they are.
    called = {operation: names.take(given.steps[operation]) for operation in chosen if operation in given.steps}
    return {
        operation: called.get(operation) or names.take(_step_name(operation, base_of(operation)))
        for operation in chosen
    }


def names_with_fields(operation: QueryOperation) -> set[str]:
    """Return the folded names of columns whose fields would be read as columns of a relation of the name."""
    return {fold(column.name) for column in operation.schema.columns if isinstance(column.data_type, _WITH_FIELDS)}


def _is_worth_a_name(operation: QueryOperation) -> bool:
    """Whether a query is longer than its name would be, and can be read by one."""
    if isinstance(operation, (Source, InlineSource, RecursiveReference)):
        return False
    if isinstance(operation, Values):
        return len(operation.rows) > _FEW_ROWS
    # Columns of one name cannot be selected by it.
    return not operation.schema.holds & EQUAL_NAMES


def _step_name(operation: QueryOperation, base: str) -> str:
    """Return a name for what an operation makes of the table that it is named after."""
    if isinstance(operation, Project) and not _computes(operation.projections):
        # The choice of columns tells less than what is below it.
        below = operation.input
        if not isinstance(below, (Project, Source, Values)):
            operation = below
    match operation:
        case Aggregate():
            return name_groups(base, operation.group_keys)
        case SetOperation():
            return name_set(base, operation.kind)
        case Sort() if operation.is_limited:
            return name_cut_rows(base, is_sorted=bool(operation.order))
        case Pairing() | LateralJoin():
            return f"{base}_joined"
        case Project() if _computes(operation.projections):
            over = any(projection.contents & OVER for projection in operation.projections)
            return f"{base}_windowed" if over else f"{base}_computed"
    return name_by_title(base, operation)


def _computes(projections: tuple[ResolvedExpression, ...]) -> bool:
    return not all(isinstance(projection, FieldReference) for projection in projections)
