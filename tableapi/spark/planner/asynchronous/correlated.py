"""Move calls of correlated subqueries on outer columns alone to the outer query, where they run once per row."""

from __future__ import annotations

from collections.abc import Mapping

from ir.call_expressions import Call
from ir.contents import OUTER
from ir.expressions import FieldReference, OuterReference, ResolvedExpression
from ir.identifiers import fold
from ir.operations.aggregate import Aggregate
from ir.operations.filter import Filter
from ir.operations.operation import QueryOperation, TableReference
from ir.operations.project import Project
from ir.rewriting import rebuild_over_changed, replace
from tableapi.spark.planner.asynchronous.call_guards import is_async, is_movable
from tableapi.spark.planner.asynchronous.chain import conjunction, conjuncts
from tableapi.spark.planner.asynchronous.extraction import Below, project_columns


def move_outer_calls(root: QueryOperation) -> QueryOperation:
    """Move calls on outer columns out of correlated subqueries; return the same query if none moves."""
    done: dict[QueryOperation, QueryOperation] = {}
    for current in root.walk_with_subqueries():
        made = rebuild_over_changed(current, done)
        done[current] = _split(made) if isinstance(made, (Filter, Project, Aggregate)) else made
    return done[root]


def _split(operation: Filter | Project | Aggregate) -> QueryOperation:
    """Move the calls on outer columns from the subqueries of an operation into a projection below it."""
    queries = [query for query in operation.subqueries if query.contents & OUTER]
    columns = {column.name: i for i, column in enumerate(operation.input.schema.columns)}
    calls = [call for query in queries for call in _outer_calls(query, columns)]
    if not calls:
        return operation
    input, rest = operation.input, []
    if isinstance(operation, Filter):
        # The other conditions filter rows before the calls.
        given = conjuncts(operation.condition)
        rest = [condition for condition in given if not _holds_query(condition, queries)]
        input = Filter(input, conjunction(rest)) if rest else input
    used = {fold(name) for query in queries for below in query.walk() for name in below.schema.names}
    below = Below(input, used=used)
    known: dict[ResolvedExpression, ResolvedExpression] = {}
    for call in calls:
        column = below.take(_rewrite_over_columns(call, input, columns))
        known[call] = OuterReference(column.name, column.data_type)
    done = {query: _replace_expressions(query, known) if query in queries else query for query in operation.subqueries}
    if not isinstance(operation, Filter):
        return rebuild_over_changed(operation, {**done, operation.input: below.made()})
    kept = Filter(operation.input, conjunction([condition for condition in given if condition not in rest]))
    filtered = rebuild_over_changed(kept, {**done, operation.input: below.made()})
    return project_columns(filtered, operation.schema, range(len(operation.schema)))


def _outer_calls(query: QueryOperation, columns: Mapping[str, int]) -> list[Call]:
    """Return the calls in a subquery whose arguments use only columns of the outer query."""
    return [
        part
        for operation in query.walk()
        for expression in operation.expressions
        if expression.contents & OUTER
        for part in expression.walk()
        if isinstance(part, Call) and is_async(part) and is_movable(part) and _is_outer(part, columns)
    ]


def _is_outer(call: Call, columns: Mapping[str, int]) -> bool:
    leaves = [part for part in call.walk() if isinstance(part, (FieldReference, OuterReference))]
    return bool(leaves) and all(isinstance(leaf, OuterReference) and leaf.name in columns for leaf in leaves)


def _rewrite_over_columns(call: Call, input: QueryOperation, columns: Mapping[str, int]) -> ResolvedExpression:
    schema = input.schema.columns

    def column(part: ResolvedExpression) -> ResolvedExpression | None:
        if not isinstance(part, OuterReference):
            return None
        index = columns[part.name]
        return FieldReference(part.name, schema[index].data_type, 0, index)

    return replace(call, column)


def _holds_query(condition: ResolvedExpression, queries: list[QueryOperation]) -> bool:
    return any(isinstance(part, TableReference) and part.operation in queries for part in condition.walk())


def _replace_expressions(
    query: QueryOperation, known: Mapping[ResolvedExpression, ResolvedExpression]
) -> QueryOperation:
    """Replace expressions in a query; keep its subqueries, because their outer references are to its columns."""
    done: dict[QueryOperation, QueryOperation] = {}
    for current in query.walk():
        own = {inner: inner for inner in current.subqueries}
        done[current] = rebuild_over_changed(
            current, {**own, **done}, lambda expression: replace(expression, known.get)
        )
    return done[query]
