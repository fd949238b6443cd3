"""Remove calls whose results nothing uses: their columns become NULL literals."""

from __future__ import annotations

from ir.expressions import ResolvedExpression
from ir.literals import literal
from ir.operations.join import Join
from ir.operations.lateral import LateralJoin
from ir.operations.operation import QueryOperation
from ir.operations.project import Project
from ir.operations.set_operation import SetOperation
from ir.rewriting import rebuild_over_changed
from tableapi.spark.planner.asynchronous.call_guards import holds_async, is_correlated, references


def drop_unused_calls(root: QueryOperation) -> QueryOperation:
    """Remove the calls in columns that nothing uses; return the same query if there are none."""
    operations = list(root.walk_with_subqueries())
    used: dict[QueryOperation, set[int]] = {operation: set() for operation in operations}
    used[root] = _all_positions(root)
    for current in reversed(operations):
        for query in current.subqueries:
            used[query] = _all_positions(query)
        for below, needed in zip(current.inputs, _find_used_below(current, used[current]), strict=True):
            used[below] |= needed
    done: dict[QueryOperation, QueryOperation] = {}
    for current in operations:
        made = rebuild_over_changed(current, done)
        if isinstance(made, Project):
            columns = list(made.projections)
            for i, column in enumerate(columns):
                if i not in used[current] and holds_async(column):
                    columns[i] = literal(None, column.data_type.as_nullable())
            made = made if columns == list(made.projections) else made.evolve(projections=tuple(columns))
        done[current] = made
    return done[root]


def _all_positions(operation: QueryOperation) -> set[int]:
    return set(range(len(operation.schema)))


def _find_used_below(operation: QueryOperation, used: set[int]) -> list[set[int]]:
    """Return for each input the positions of the columns that the used columns of an operation need."""
    expressions = operation.expressions
    if any(map(is_correlated, expressions)):
        # Outer references are by name.
        return [_all_positions(below) for below in operation.inputs]
    if isinstance(operation, Project):
        return [_find_used_in(*[column for i, column in enumerate(operation.projections) if i in used])]
    if operation.compares_rows:
        return [_all_positions(below) for below in operation.inputs]
    if operation.keeps_columns:
        return [used | _find_used_in(*expressions)]
    if isinstance(operation, SetOperation):
        return [used, used]
    if isinstance(operation, (Join, LateralJoin)):
        width = len(operation.inputs[0].schema)
        sides = [
            {i for i in used if i < width} | _find_used_in(*expressions),
            {i - width for i in used if i >= width} | _find_used_in(*expressions, side=1),
        ]
        return sides[: len(operation.inputs)]
    return [_all_positions(below) for below in operation.inputs]


def _find_used_in(*expressions: ResolvedExpression, side: int = 0) -> set[int]:
    found = (reference for expression in expressions for reference in references(expression))
    return {reference.index for reference in found if reference.input_index == side}
