"""Chooses and names the queries that the layout NESTED shares in WITH."""

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
    find_queries_outside_with,
    find_taken_names,
    name_by_title,
    name_cut_rows,
    name_groups,
    name_set,
    unshareable_queries,
)

_WITH_FIELDS = (ArrayType, MapType, RowType, VariantType)
# VALUES with this few rows is as short as a name.
_FEW_ROWS = 3


def choose_steps(
    root: QueryOperation, repeated: set[QueryOperation], given: RelationNames = NO_NAMES
) -> dict[QueryOperation, str]:
    """Choose the ``repeated`` operations that WITH shares, and return their names; each follows those that it reads.

    A step has its ``given`` name, or is named after what it reads and does.

    An operation stays in place if it depends on an outer query or a recursive query, or is nondeterministic, because
    Spark would give all readers the same rows. Tables and few rows stay in place, because they are as short as a name.
    """
    operations = list(root.walk_with_subqueries())
    bound = find_queries_outside_with(operations, has_subqueries=True)
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
    taken = find_taken_names(operations)
    for operation in operations:
        taken |= find_names_with_fields(operation)
    names = UnusedNames(taken)
    base_of = Bases()
    # Given names are taken first, so that they stay unchanged.
    called = {operation: names.take(given.steps[operation]) for operation in chosen if operation in given.steps}
    return {
        operation: called.get(operation) or names.take(_step_name(operation, base_of(operation)))
        for operation in chosen
    }


def find_names_with_fields(operation: QueryOperation) -> set[str]:
    """Return the folded names of columns with fields, which an alias of the same name would make ambiguous."""
    return {fold(column.name) for column in operation.schema.columns if isinstance(column.data_type, _WITH_FIELDS)}


def _is_worth_a_name(operation: QueryOperation) -> bool:
    """Whether a query is longer than its name, and can be read by name."""
    if isinstance(operation, (Source, InlineSource, RecursiveReference)):
        return False
    if isinstance(operation, Values):
        return len(operation.rows) > _FEW_ROWS
    # Columns with equal names cannot be selected by name.
    return not operation.schema.holds & EQUAL_NAMES


def _step_name(operation: QueryOperation, base: str) -> str:
    """Return a name for the output of an operation, based on the name of its table."""
    if isinstance(operation, Project) and not _computes(operation.projections):
        # A plain choice of columns says less than the operation below it.
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
