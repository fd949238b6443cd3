"""Queries with equal column names, which SQL allows: ``SELECT a.id, b.id FROM …``.

Names are unique in every operation except one: the projection at the end of a whole query may have equal names. If such
a query is continued, its names become distinct below the next operation, and an operation that passes its columns on is
followed by a projection that restores the names. A name of several columns refers to none of them.
"""

from __future__ import annotations

from collections.abc import Callable

from ir.column_references import column_references
from ir.contents import EQUAL_NAMES
from ir.expressions import FieldReference, ResolvedExpression
from ir.identifiers import fold
from ir.names import make_distinct
from ir.operations.operation import QueryOperation
from ir.operations.project import Project, project
from ir.operations.set_operation import SetOperation
from ir.operations.sort import Sort
from ir.resolution.sorting import skip_rows, take_rows
from ir.rewriting import rebuild_over_changed, replace
from ir.schema import ResolvedSchema


def give_equal_names(operation: QueryOperation, names: tuple[str, ...]) -> QueryOperation:
    """Return a whole query with the column names that it has in SQL, some of which are equal."""
    if isinstance(operation, Project):
        return Project(operation.input, operation.projections, names)
    return Project(operation, tuple(column_references(operation.schema)), names)


def make_names_distinct(operation: QueryOperation) -> QueryOperation:
    """Return the query with distinct names in place of equal ones; return any other query unchanged."""
    if not operation.schema.holds & EQUAL_NAMES:
        return operation
    assert isinstance(operation, Project)
    return project(operation.input, operation.projections, tuple(make_distinct(operation.names, ())))


def change_query(operation: QueryOperation, change: Callable[[QueryOperation], QueryOperation]) -> QueryOperation:
    """Apply ``change``, which keeps the columns, to a query with distinct names, and restore its equal names."""
    if not operation.schema.holds & EQUAL_NAMES:
        return change(operation)
    return give_equal_names(change(make_names_distinct(operation)), operation.schema.names)


def number_equal_names(operation: QueryOperation) -> QueryOperation:
    """Return the query with a number behind each name that several columns have, for display.

    >>> from ir.literals import literal
    >>> from ir.operations.source import SINGLE_ROW
    >>> number_equal_names(Project(SINGLE_ROW, (literal(1), literal(2), literal(3)), ("id", "n", "ID"))).schema.names
    ('id (1)', 'n', 'ID (2)')
    """
    if not operation.schema.holds & EQUAL_NAMES:
        return operation
    assert isinstance(operation, Project)
    folded = [fold(name) for name in operation.names]
    numbered = [
        f"{name} ({folded[:at].count(folded[at]) + 1})" if folded.count(folded[at]) > 1 else name
        for at, name in enumerate(operation.names)
    ]
    return project(operation.input, operation.projections, tuple(make_distinct(numbered, ())))


def continue_query(operation: QueryOperation) -> QueryOperation:
    """Return an operation over queries with equal names as a tree in which only the last projection has them."""
    root = operation
    if _ends_with_equal_names(root):
        return root
    done: dict[QueryOperation, QueryOperation] = {}
    for current in root.walk_with_subqueries():
        if _ends_with_equal_names(current):
            done[current] = make_names_distinct(current)
        else:
            done[current] = _rename_to_distinct(current, done)
    made = done[root]
    return give_equal_names(made, root.schema.names) if root.schema.holds & EQUAL_NAMES else made


def _ends_with_equal_names(operation: QueryOperation) -> bool:
    """Whether an operation is the last projection of a whole query with equal names."""
    is_last = isinstance(operation, Project) and bool(operation.schema.holds & EQUAL_NAMES)
    return is_last and not any(read.contents & EQUAL_NAMES for read in (*operation.inputs, *operation.subqueries))


def _rename_to_distinct(operation: QueryOperation, done: dict[QueryOperation, QueryOperation]) -> QueryOperation:
    if not any(read.schema.holds & EQUAL_NAMES for read in operation.inputs):
        return rebuild_over_changed(operation, done)

    def find(part: ResolvedExpression) -> ResolvedExpression | None:
        if not isinstance(part, FieldReference):
            return None
        name = done[operation.inputs[part.input_index]].schema.names[part.index]
        return part if name == part.name else part.evolve(name=name)

    if isinstance(operation, SetOperation):
        distinct = make_distinct(operation.schema.names, ())
        operation = operation.evolve(schema=ResolvedSchema.of(distinct, operation.schema.types))
    if isinstance(operation, Sort) and not operation.order:
        # A limit merges with the order below it, as it would without the projection between them.
        made = done[operation.input]
        made = made if operation.offset is None else skip_rows(made, operation.offset)
        return made if operation.fetch is None else take_rows(made, operation.fetch)
    return rebuild_over_changed(operation, done, lambda expression: replace(expression, find))
