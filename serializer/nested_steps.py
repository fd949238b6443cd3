"""Which queries the layout NESTED shares by WITH, and what they are called there."""

from __future__ import annotations

from ir.contents import EQUAL_NAMES, OVER, QUERY
from ir.expressions import FieldReference, ResolvedExpression, TableReference
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
from serializer.step_names import (
    Bases,
    UnusedNames,
    bound_to_place,
    name_by_title,
    name_cut_rows,
    name_groups,
    name_set,
    random_queries,
    taken_names,
)

# So many rows of VALUES are written again as shortly as a name is.
_FEW_ROWS = 3


def shared_steps(root: QueryOperation) -> dict[QueryOperation, str]:
    """Return what the text of a query has more than once, by names for it, each after those that it reads.

    What depends on the row of a query around it, or on the rows of a recursive query, stays in its place. So does what
    has other rows each time, since Spark would give all readers the same. A table and a few rows are as short as a
    name.
    """
    if not _repeats_any(root):
        return {}
    operations = list(root.walk_with_subqueries())
    repeated = _repeated(operations)
    if not repeated:
        return {}
    bound = bound_to_place(operations, has_subqueries=True)
    random = random_queries(operations)
    chosen = [operation for operation in operations if operation in repeated - bound - random]
    if not chosen:
        return {}
    taken = taken_names(operations)
    # The field of a column of the name would be read as a column of the step.
    for operation in operations:
        taken.update(map(fold, operation.schema.names))
    names = UnusedNames(taken)
    base_of = Bases()
    return {operation: names.take(_step_name(operation, base_of(operation))) for operation in chosen}


def _repeats_any(root: QueryOperation) -> bool:
    """Whether a query reads something at two places, or has queries in its expressions, which it may repeat."""
    found = {root}
    stack = [root]
    while stack:
        operation = stack.pop()
        if operation.subqueries:
            return True
        for read in operation.inputs:
            if read in found:
                return True
            found.add(read)
            stack.append(read)
    return False


def _repeated(operations: list[QueryOperation]) -> set[QueryOperation]:
    """Return what is read at two places at least and is longer than a name."""
    counts: dict[QueryOperation, int] = {}
    for operation in operations:
        for read in operation.inputs:
            counts[read] = counts.get(read, 0) + 1
        for query, times in _queries_in(operation).items():
            counts[query] = counts.get(query, 0) + times
    return {operation for operation, count in counts.items() if count > 1 and _is_worth_a_name(operation)}


def _queries_in(operation: QueryOperation) -> dict[QueryOperation, int]:
    """Return how often the expressions of an operation have each query, where twice is as good as more often."""
    found: dict[QueryOperation, int] = {}
    if not operation.subqueries:
        return found
    for expression in operation.expressions:
        if not expression.contents & QUERY:
            continue
        times = {id(expression): 1}
        # Each part after those that have it.
        for part in reversed(list(expression.walk())):
            own = times[id(part)]
            if isinstance(part, TableReference):
                found[part.operation] = found.get(part.operation, 0) + own
            for child in part.children:
                times[id(child)] = min(times.get(id(child), 0) + own, 2)
    return found


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
