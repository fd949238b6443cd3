"""Rewrite operations whose expressions make calls over projections that make them, until only chains have calls."""

from __future__ import annotations

from collections.abc import Callable

from ir.call_expressions import Call, Over
from ir.calls import call as make_call
from ir.calls import is_aggregate
from ir.expressions import FieldReference, ResolvedExpression, SortOrder
from ir.functions.logic import CASE
from ir.operations.aggregate import Aggregate
from ir.operations.hint import Hint
from ir.operations.join import Join
from ir.operations.lateral import LateralJoin
from ir.operations.operation import QueryOperation
from ir.operations.partitions import Distribute, SortPartitions
from ir.operations.pivot import Pivot
from ir.operations.project import Project, project
from ir.operations.set_operation import SetOperation, SetOperationType
from ir.operations.sort import Sort
from ir.operations.source import SINGLE_ROW, Values
from ir.rewriting import replace, replace_children
from tableapi.spark.planner.asynchronous.call_guards import (
    async_parts,
    find_guards,
    holds_async,
    holds_window,
    is_correlated,
    references,
)
from tableapi.spark.planner.asynchronous.extraction import Below, columns_of, extract_sides, project_columns
from tableapi.spark.planner.asynchronous.joins import split_join
from tableapi.spark.planner.asynchronous.rules import Rule

Apply = Callable[[Rule], None]


def split(operation: QueryOperation, apply: Apply) -> QueryOperation:
    """Move the calls of an operation into projections and filters where possible; return the equivalent query."""
    if not any(map(holds_async, operation.expressions)):
        return operation
    if isinstance(operation, Project):
        return _windows(operation, apply)
    if isinstance(operation, (Sort, Distribute, SortPartitions)):
        return _order(operation, apply)
    if isinstance(operation, Aggregate):
        return _aggregate(operation, apply)
    if any(map(is_correlated, operation.expressions)):
        # The rewrite would rename the columns to which the subqueries refer, or move them to the other side.
        return operation
    if isinstance(operation, Join):
        made = split_join(operation)
        apply(Rule.NO_ASYNC_JOIN_CONDITIONS)
        return made
    if isinstance(operation, LateralJoin):
        return _lateral(operation, apply)
    if isinstance(operation, Pivot):
        return _pivot(operation, apply)
    if isinstance(operation, Values):
        return _values(operation, apply)
    return operation


# --- one input -------------------------------------------------------------------------------------------------------


def _windows(operation: Project, apply: Apply) -> QueryOperation:
    """Move calls within windows below the projection, and calls on the results of windows above it."""
    if not any(map(holds_window, operation.projections)):
        return operation
    apply(Rule.WINDOW_SPLIT)
    below = Below(operation.input, operation.names)
    made = find_calls_in_windows(operation)

    def take(part: ResolvedExpression) -> ResolvedExpression | None:
        if not isinstance(part, Over):
            return below.take(part) if part in made else None
        return part.with_children(tuple([_extract(child, below) for child in part.children]))

    projections = [replace(projection, take) for projection in operation.projections]
    low = below.made()
    if not any(holds_async(projection) and holds_window(projection) for projection in projections) and not any(
        map(holds_async, projections)
    ):
        return Project(low, tuple(projections), operation.names)
    middle = Below(low, operation.names)
    above = tuple([replace(p, lambda part: middle.take(part) if isinstance(part, Over) else None) for p in projections])
    return Project(middle.made(), above, operation.names)


def find_calls_in_windows(operation: Project) -> set[ResolvedExpression]:
    """Return the calls within windows that run for all rows, and are not repeated outside of the windows."""
    windows = [part for projection in operation.projections for part in projection.walk() if isinstance(part, Over)]
    children = [child for window in windows for child in window.children]
    within = [child.expression if isinstance(child, SortOrder) else child for child in children]
    return {call for call, guards in find_guards(within, async_parts(within)).items() if () in guards}


def _extract(child: ResolvedExpression, below: Below) -> ResolvedExpression:
    if not holds_async(child) and not is_correlated(child):
        return child
    if isinstance(child, SortOrder):
        return SortOrder(below.take(child.expression), child.ascending, child.nulls_first)
    return below.take(child)


def _order(operation: Sort | Distribute | SortPartitions, apply: Apply) -> QueryOperation:
    apply(Rule.SORT_KEY_SPLIT)
    below = Below(operation.input)
    count = len(operation.schema)
    made: QueryOperation
    if isinstance(operation, Distribute):
        keys = tuple([_extract(key, below) for key in operation.keys])
        made = operation.evolve(input=below.made(), keys=keys)
    else:
        order = tuple([_extract(one, below) for one in operation.order])
        made = operation.evolve(input=below.made(), order=order)
    return project_columns(made, operation.schema, range(count))


def _aggregate(operation: Aggregate, apply: Apply) -> QueryOperation:
    apply(Rule.AGGREGATE_SPLIT)
    below = Below(operation.input)
    keys = tuple([_extract(key, below) for key in operation.group_keys])
    aggregates = tuple([_extract_from_aggregate(aggregate, below) for aggregate in operation.aggregates])
    return operation.evolve(input=below.made(), group_keys=keys, aggregates=aggregates)


def _extract_from_aggregate(aggregate: ResolvedExpression, below: Below) -> ResolvedExpression:
    """Extract the calls in aggregate arguments; if the aggregate has a FILTER, they run only for the rows it keeps."""

    def take(part: ResolvedExpression) -> ResolvedExpression | None:
        if not isinstance(part, Call) or not is_aggregate(part) or not holds_async(part):
            return None
        children = []
        for child in part.children:
            if part.filter is not None and child is not part.filter and holds_async(child):
                child = _extract_where(part.filter, child)
            children.append(_extract(child, below))
        return replace_children(part, tuple(children))

    return replace(aggregate, take)


def _extract_where(condition: ResolvedExpression, child: ResolvedExpression) -> ResolvedExpression:
    if isinstance(child, SortOrder):
        return SortOrder(_extract_where(condition, child.expression), child.ascending, child.nulls_first)
    return make_call(CASE, (condition, child))


def _lateral(operation: LateralJoin, apply: Apply) -> QueryOperation:
    right = operation.right
    below = Below(operation.input, operation.names)
    condition = operation.condition
    if isinstance(right, Call):
        right = right.with_children(tuple([_extract(child, below) for child in right.children]))
    if condition is not None:
        condition = extract_sides(condition, (below, None))
    width, added = len(operation.input.schema), len(below.names)
    if not added:
        return operation
    apply(Rule.LATERAL_SPLIT)
    made = operation.evolve(input=below.made(), right=right, condition=condition)
    total = len(operation.schema)
    return project_columns(made, operation.schema, [*range(width), *range(width + added, total + added)])


def _pivot(operation: Pivot, apply: Apply) -> QueryOperation:
    apply(Rule.AGGREGATE_SPLIT)
    below = Below(operation.input)
    aggregates = [_extract_from_aggregate(aggregate, below) for aggregate in operation.aggregates]
    low = below.made()
    # PIVOT groups by all other columns, so remove the columns that only the calls needed.
    used = {column.index for column in (*operation.group_columns, *operation.pivot_columns)}
    used |= {reference.index for aggregate in aggregates for reference in references(aggregate)}
    kept = sorted(used)
    columns = columns_of(low)
    moved = {i: FieldReference(columns[i].name, columns[i].type_, 0, n) for n, i in enumerate(kept)}

    def move(part: ResolvedExpression) -> ResolvedExpression | None:
        return moved[part.index] if isinstance(part, FieldReference) else None

    narrow = project(low, tuple([columns[i] for i in kept]), tuple([columns[i].name for i in kept]))
    return operation.evolve(
        input=narrow,
        aggregates=tuple([replace(aggregate, move) for aggregate in aggregates]),
        pivot_columns=tuple([moved[column.index] for column in operation.pivot_columns]),
    )


def _values(operation: Values, apply: Apply) -> QueryOperation:
    apply(Rule.SPLIT_PROJECT)
    rows: list[QueryOperation] = [Project(SINGLE_ROW, row, operation.schema.names) for row in operation.rows]
    made = rows[0]
    for row in rows[1:]:
        made = SetOperation(SetOperationType.UNION, True, made, row, operation.schema)
    return made


# --- barriers --------------------------------------------------------------------------------------------------------


def materialize(operation: QueryOperation) -> QueryOperation:
    """Materialize the rows, because Spark computes the input of a global sort twice, the first time to sample it."""
    return Hint(operation, "REPARTITION")
