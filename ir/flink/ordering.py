"""The order of a query's rows, which Flink's SQL drops in a subquery."""

from __future__ import annotations

from ir.expressions import FieldReference, ResolvedExpression, SortOrder
from ir.identifiers import fold
from ir.operations.filter import Filter
from ir.operations.operation import QueryOperation
from ir.operations.project import Project, project
from ir.operations.sort import Sort

# The prefix of the names of columns that exist only as sort keys.
KEY = "sort_key_"


def sort_at_end(root: QueryOperation) -> QueryOperation:
    """Add a Sort at the end of a query whose Sort is below projections and filters.

    The sort keys become additional columns, which the query drops at the end by a projection over a Sort, so that both
    are written as one SELECT. The original Sort stays, so that the text shows its position. A Sort with a limit needs
    no change, because Flink keeps it.
    """
    above: list[Project | Filter] = []
    current = root
    while isinstance(current, (Project, Filter)):
        above.append(current)
        current = current.input
    if not above or not isinstance(current, Sort) or current.is_limited:
        return root
    made: QueryOperation = current
    keys = [order.expression for order in current.order]
    prefix = _free_prefix(above)
    for step in reversed(above):
        made, keys = _rebuild_above(step, made, keys, prefix)
    order = tuple([SortOrder(k, o.ascending, o.nulls_first) for k, o in zip(keys, current.order, strict=True)])
    width = len(root.schema)
    if len(made.schema) == width:
        return Sort(made, order)
    columns = [FieldReference(c.name, c.data_type, 0, i) for i, c in enumerate(root.schema.columns)]
    return Project(Sort(made, order), tuple(columns), root.schema.names)


def _free_prefix(steps: list[Project | Filter]) -> str:
    """Return a prefix for the names of sort keys with which no name of the query begins."""
    names = {fold(name) for step in steps for name in (*step.schema.names, *step.input.schema.names)}
    prefix = KEY
    while any(name.startswith(prefix) for name in names):
        prefix += "_"
    return prefix


def _rebuild_above(
    step: Project | Filter, input: QueryOperation, keys: list[ResolvedExpression], prefix: str
) -> tuple[QueryOperation, list[ResolvedExpression]]:
    """Return an operation over an input with sort keys as its last columns, and the keys over its result."""
    if isinstance(step, Filter):
        return Filter(input, step.condition), keys
    projections, names = list(step.projections), list(step.names)
    found = []
    for number, key in enumerate(keys):
        if key not in projections:
            projections.append(key)
            names.append(f"{prefix}{number}")
        position = projections.index(key)
        found.append(FieldReference(names[position], key.data_type, 0, position))
    return project(input, tuple(projections), tuple(names)), list(found)
