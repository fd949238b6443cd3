"""Raising of operations that Flink's SQL expresses by others.

The alias of the relation that a SELECT reads names the original operation: ``FROM (…) AS `pivot` ``. A SELECT that is
not the rewriting of that operation stays unchanged.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from ir import calls
from ir.call_expressions import Call
from ir.errors import TableException, ValidationException
from ir.expressions import FieldReference, ResolvedExpression, ValueLiteral
from ir.flink.arguments import cast_columns
from ir.flink.inverses import columns_without_casts, uncast
from ir.flink.ordering import KEY, sort_at_end
from ir.functions.comparison import EQUALS, IS_NULL
from ir.functions.logic import AND, CASE
from ir.identifiers import quote
from ir.literals import literal
from ir.operations.aggregate import Aggregate
from ir.operations.filter import Filter
from ir.operations.join import Join
from ir.operations.operation import QueryOperation
from ir.operations.pivot import Pivot, Unpivot
from ir.operations.project import Project
from ir.operations.set_operation import SetOperation
from ir.operations.sort import Sort
from ir.operations.source import Values
from ir.rewriting import replace, transform

CAST_ALIAS, SORT_ALIAS, PIVOT_ALIAS, UNPIVOT_ALIAS = "cast", "sorted", "pivot", "unpivot"
_NAME = re.compile(r"`((?:[^`]|``)*)`")


def pivot_alias(pivot: Pivot) -> str:
    """Return the alias for the text of a pivot, with the names from which its column names are made."""
    return " ".join([PIVOT_ALIAS, *[quote(name) for name in pivot.aggregate_names]])


def raise_operation(operation: QueryOperation, alias: str) -> QueryOperation:
    """Return the operation from which a SELECT was written, by the alias of the relation that it reads."""
    kind, _, rest = alias.partition(" ")
    inverse: Callable[[QueryOperation, list[str]], QueryOperation | None] | None = _INVERSES.get(kind)
    if inverse is None:
        return operation
    try:
        found = inverse(operation, [name.replace("``", "`") for name in _NAME.findall(rest)])
    except (TableException, ValidationException):
        return operation
    return operation if found is None or found.schema.names != operation.schema.names else found


# --- order -----------------------------------------------------------------------------------------------------------


def remove_final_sort(operation: QueryOperation) -> QueryOperation:
    """Remove a final sort that was added for Flink, so that the query sorts only where the user wrote it.

    Its sort keys are columns with reserved names beside those of the query.
    """
    width = len(operation.schema)
    current = operation.input if isinstance(operation, Project) else operation
    if not isinstance(current, Sort):
        return operation
    current = current.input
    if isinstance(operation, Project) and isinstance(current, Project) and not current.names[-1].startswith(KEY):
        # The parser of SELECT has added a projection with the sort keys.
        current = current.input
    steps: list[Project | Filter] = []
    while isinstance(current, (Project, Filter)):
        steps.append(current)
        current = current.input
    if not isinstance(current, Sort):
        return operation
    made: QueryOperation = current
    for step in reversed(steps):
        if isinstance(step, Filter):
            made = Filter(made, step.condition)
        else:
            kept = [i for i, name in enumerate(step.names) if not name.startswith(KEY)]
            made = Project(
                made, tuple([step.projections[i] for i in kept]), tuple([step.names[i] for i in kept])
            ).canonical()
    is_same = len(made.schema) == width and len(sort_at_end(made).schema) == width
    return made if is_same else operation


# --- casts of set operations -----------------------------------------------------------------------------------------


def drop_casts_of_sides(made: SetOperation, casts: tuple[bool, bool]) -> QueryOperation | None:
    """Return a set operation over its sides without the casts that were added for Flink, None if they are others."""
    sides = [columns_without_casts(s) if c else s for s, c in zip((made.left, made.right), casts, strict=True)]
    bare = made.evolve(left=sides[0], right=sides[1])
    again = [cast_columns(side, made.schema) for side in sides]
    return bare if again == [made.left, made.right] else None


# --- pivot -----------------------------------------------------------------------------------------------------------


def _raise_pivot(operation: QueryOperation, names: list[str]) -> QueryOperation | None:
    below = operation.input if isinstance(operation, Project) else operation
    if not isinstance(below, Aggregate) or below.grouping_sets is not None:
        return None
    width = len(below.group_keys)
    columns = [FieldReference(c.name, c.data_type, 0, i) for i, c in enumerate(below.schema.columns)]
    place: dict[ResolvedExpression, ResolvedExpression] = dict(zip(columns[width:], below.aggregates, strict=True))
    outputs = operation.projections if isinstance(operation, Project) else tuple(columns)
    cells = [replace(cell, place.get) for cell in outputs[width:]]
    count = max(len(names), 1)
    for size in _sizes(cells[0]):
        pivot = _pivot_of(below, cells, count, size, names, operation.schema.names[width:])
        if pivot is not None:
            return pivot
    return None


def _sizes(cell: ResolvedExpression) -> Iterator[int]:
    """Yield possible numbers of pivot columns: up to the number of conjuncts in the condition of an aggregate."""
    aggregates = [part for part in cell.walk() if isinstance(part, Call) and part.filter is not None]
    yield from range(1, 1 + min([len(_conjuncts(a.filter)) for a in aggregates if a.filter is not None], default=0))


def _pivot_of(
    below: Aggregate,
    cells: Sequence[ResolvedExpression],
    count: int,
    size: int,
    names: list[str],
    cell_names: Sequence[str],
) -> Pivot | None:
    values: list[tuple[ValueLiteral, ...]] = []
    pivoted: tuple[FieldReference, ...] = ()
    aggregates: tuple[ResolvedExpression, ...] = ()
    value_names: list[str] = []
    for start in range(0, len(cells), count):
        made = tuple([_drop_condition(cell, size) for cell in cells[start : start + count]])
        condition = next(_conditions(cells[start], size))
        tests = [_test(part) for part in condition]
        if None in tests:
            return None
        found = [test for test in tests if test is not None]
        own = tuple([column for column, _ in found])
        if start and (own != pivoted or made != aggregates):
            return None
        pivoted, aggregates = own, made
        values.append(tuple([value for _, value in found]))
        name, suffix = cell_names[start], f"_{names[0]}" if names else ""
        value_names.append(name.removesuffix(suffix) if suffix else name)
    return Pivot(below.input, pivoted, tuple(values), tuple(value_names), aggregates, tuple(names))


def _conjuncts(condition: ResolvedExpression) -> tuple[ResolvedExpression, ...]:
    return condition.arguments if isinstance(condition, Call) and condition.function is AND else (condition,)


def _conditions(cell: ResolvedExpression, size: int) -> Iterator[tuple[ResolvedExpression, ...]]:
    for part in cell.walk():
        if isinstance(part, Call) and part.filter is not None:
            yield _conjuncts(part.filter)[-size:]


def _test(condition: ResolvedExpression) -> tuple[FieldReference, ValueLiteral] | None:
    """Return the column and the value that a condition compares."""
    if not isinstance(condition, Call) or not isinstance(condition.arguments[0], FieldReference):
        return None
    column = condition.arguments[0]
    if condition.function is IS_NULL:
        return column, literal(None, column.type_.as_nullable())
    value = condition.arguments[-1]
    if condition.function is not EQUALS or not isinstance(value, ValueLiteral):
        return None
    return column, literal(value.value, column.type_)


def _drop_condition(cell: ResolvedExpression, size: int) -> ResolvedExpression:
    """Return the aggregate of a cell without the condition on the pivot value."""
    if isinstance(cell, Call) and cell.function is CASE and _is_presence(cell.arguments[0]):
        cell = cell.arguments[-1]

    def change(part: ResolvedExpression) -> ResolvedExpression:
        if not isinstance(part, Call) or part.filter is None:
            return part
        rest = _conjuncts(part.filter)[:-size]
        condition = None if not rest else rest[0] if len(rest) == 1 else calls.call(AND, rest)
        return part.evolve(filter=condition)

    return transform(cell, change)


def _is_presence(condition: ResolvedExpression) -> bool:
    if not isinstance(condition, Call) or condition.function is not EQUALS:
        return False
    count, zero = condition.arguments
    return isinstance(count, Call) and count.filter is not None and isinstance(zero, ValueLiteral) and zero.value == 0


# --- unpivot ---------------------------------------------------------------------------------------------------------


def _raise_unpivot(operation: QueryOperation, names: list[str]) -> QueryOperation | None:
    if not isinstance(operation, Project) or not isinstance(operation.input, Join):
        return None
    input, labels = operation.input.left, operation.input.right
    if not isinstance(labels, Values):
        return None
    texts = [str(row[0].value) for row in labels.rows if isinstance(row[0], ValueLiteral)]
    position = next(
        (
            i
            for i, e in enumerate(operation.projections)
            if isinstance(e, FieldReference) and e.index == len(input.schema)
        ),
        None,
    )
    if position is None:
        return None
    columns = [_find_chosen_columns(value, len(texts)) for value in operation.projections[position + 1 :]]
    if any(column is None for column in columns):
        return None
    groups = zip(*[column for column in columns if column is not None], strict=True)
    return Unpivot(
        input, tuple(groups), tuple(texts), operation.names[position], tuple(operation.names[position + 1 :])
    )


def _find_chosen_columns(value: ResolvedExpression, count: int) -> list[FieldReference] | None:
    """Return the columns among which a value is selected by the label."""
    if count == 1:
        branches: Sequence[ResolvedExpression] = [value]
    elif isinstance(value, Call) and value.function is CASE:
        branches = [*value.arguments[1:-1:2], value.arguments[-1]]
    else:
        return None
    bare = [uncast(branch) for branch in branches]
    found = [column for column in bare if isinstance(column, FieldReference)]
    return found if len(found) == len(bare) == count else None


_INVERSES: dict[str, Callable[[QueryOperation, list[str]], QueryOperation | None]] = {
    PIVOT_ALIAS: _raise_pivot,
    UNPIVOT_ALIAS: _raise_unpivot,
}
