"""The features that subqueries need of an engine, by the names of the probes with which engines are asked.

The probes are in ``tests/versions/syntax.sql``; ``ir/dialects`` says which of them each engine refuses.
"""

from __future__ import annotations

from collections.abc import Iterator

from ir.call_expressions import Call
from ir.contents import OUTER, OVER, QUERY
from ir.expressions import FieldReference, OuterReference, ResolvedExpression
from ir.functions.comparison import EQUALS, IN, IS_DISTINCT_FROM, IS_NOT_DISTINCT_FROM, IS_NOT_NULL, IS_NULL
from ir.functions.context import TYPE_OF
from ir.functions.definition import FunctionDefinition
from ir.functions.logic import AND, CASE
from ir.functions.subquery import EXISTS, SCALAR
from ir.operations.aggregate import Aggregate
from ir.operations.filter import Filter
from ir.operations.join import Join, JoinType
from ir.operations.lateral import LateralJoin
from ir.operations.operation import QueryOperation, TableReference
from ir.operations.project import Project
from ir.operations.set_operation import SetOperation
from ir.operations.sort import Sort
from ir.operations.source import SINGLE_ROW
from ir.types import BooleanType, MapType, NullType

OUTER_LIMIT = "subquery: EXISTS with LIMIT"
SCALAR_LIMIT = "subquery: scalar with ORDER BY and LIMIT"
LATERAL_LIMIT = "LATERAL with ORDER BY and LIMIT"
LIMIT_OF_OUTER_CONDITION = "subquery: ORDER BY and LIMIT beside a condition of the outer row alone"
OUTER_UNION = "subquery: EXISTS with UNION ALL"
LATERAL_UNION = "LATERAL with UNION ALL"
OUTER_WINDOW = "LATERAL with a window"
OUTER_JOIN_CONDITION = "subquery: EXISTS with an outer reference in a join condition"
OUTER_MAP = "LATERAL with a map of the outer row"
OUTER_TABLE_FUNCTION = "subquery: a table function of the outer row"
OUTER_COLUMN = "subquery: EXISTS with a column of the outer row"
OUTER_COMPARISON = "subquery: EXISTS with a condition that is not an equality"
SCALAR_WITHOUT_AGGREGATE = "subquery: scalar and correlated without an aggregate"
SCALAR_COMPARISON = "subquery: scalar with a condition that is not an equality"
LATERAL_COMPARISON = "LATERAL with a condition that is not an equality"
LATERAL_OF_LATERAL = "LATERAL of a LATERAL"
LEFT_LATERAL = "LEFT JOIN LATERAL"
LEFT_LATERAL_FUNCTION = "LEFT JOIN LATERAL of a table function with a condition"
QUERY_IN_JOIN = "subquery: EXISTS in the condition of an outer join"
IN_AS_VALUE = "subquery: IN in SELECT"
SCALAR_IN_AGGREGATE = "subquery: scalar below an aggregate"
EXISTS_IN_AGGREGATE = "subquery: EXISTS in an aggregate"
SCALAR_CONSTANT = "subquery: scalar with a constant in place of its aggregate"


# With an untyped NULL, or alone, they ask whether a value is NULL.
_NULL_TESTS = (IS_NULL, IS_NOT_NULL, IS_DISTINCT_FROM, IS_NOT_DISTINCT_FROM)


def features_of_subqueries(operation: QueryOperation) -> Iterator[str]:
    """Yield the features that an operation needs because of the subqueries in its expressions."""
    calls = list(_subqueries(operation))
    for call, read in calls:
        yield from _of_place(operation, call.function, is_correlated=bool(read.contents & OUTER))
        if read.contents & OUTER:
            yield from _of_correlated(read, call.function)
            if call.function is SCALAR:
                if not _is_aggregate(read):
                    yield SCALAR_WITHOUT_AGGREGATE
                elif _may_be_constant(read):
                    yield SCALAR_CONSTANT
    if isinstance(operation, LateralJoin):
        yield from _of_lateral(operation)
    if any(call.function in (EXISTS, IN) and _computes_outer_column(read) for call, read in calls):
        yield OUTER_COLUMN


def _subqueries(operation: QueryOperation) -> Iterator[tuple[Call, QueryOperation]]:
    """Yield the subqueries in the expressions of an operation, each with the call that reads it."""
    for expression in operation.expressions:
        if expression.contents & QUERY:
            for part in expression.walk():
                if isinstance(part, Call):
                    reads = [given.operation for given in part.arguments if isinstance(given, TableReference)]
                    yield from [(part, read) for read in reads]


def _of_place(operation: QueryOperation, function: FunctionDefinition, *, is_correlated: bool) -> Iterator[str]:
    """Yield the features that a subquery needs because of the operation that contains it."""
    if isinstance(operation, Join) and (function is EXISTS or is_correlated):
        yield QUERY_IN_JOIN
    if function is IN and not isinstance(operation, Filter | Join):
        yield IN_AS_VALUE
    if isinstance(operation, Aggregate) and function in (EXISTS, SCALAR):
        yield EXISTS_IN_AGGREGATE if function is EXISTS else SCALAR_IN_AGGREGATE


def _of_lateral(operation: LateralJoin) -> Iterator[str]:
    is_left = operation.join_type is JoinType.LEFT_OUTER
    if not isinstance(operation.right, TableReference):
        if is_left and operation.condition is not None:
            yield LEFT_LATERAL_FUNCTION
        return
    query = operation.right.operation
    if query.contents & OUTER:
        if is_left:
            yield LEFT_LATERAL
        if any(isinstance(part, LateralJoin) for part in query.walk()):
            yield LATERAL_OF_LATERAL
        yield from _of_correlated(query, None)


def _is_aggregate(subquery: QueryOperation) -> bool:
    """Whether a subquery is an aggregation, which may be filtered and projected."""
    while isinstance(subquery, Project | Filter):
        subquery = subquery.input
    return isinstance(subquery, Aggregate)


def _may_be_constant(subquery: QueryOperation) -> bool:
    """Whether the column that is computed from the aggregates of all rows may be simplified to a constant.

    An older version forgets then that the aggregates have a row even if the subquery has none.
    """
    while isinstance(subquery, Project | Filter):
        if isinstance(subquery, Project) and not all(map(_needs_column, subquery.projections)):
            return True
        subquery = subquery.input
    return False


def _needs_column(expression: ResolvedExpression) -> bool:
    """Whether an expression has a column, and no part that Spark may simplify to a constant."""
    parts = list(expression.walk())
    return any(isinstance(part, FieldReference) for part in parts) and not any(map(_is_known, parts))


def _is_known(part: ResolvedExpression) -> bool:
    """Whether Spark may simplify a call or a condition to a constant."""
    if isinstance(part, Call):
        first, *others = part.arguments or (None,)
        if part.function is TYPE_OF:
            return True
        if part.function is CASE:
            results = [*part.arguments[1::2], *part.arguments[len(part.arguments) // 2 * 2 :]]
            return len(set(results)) == 1
        if first is not None and not first.data_type.nullable and part.function in _NULL_TESTS:
            return all(isinstance(other.data_type, NullType) for other in others)
        if isinstance(part.data_type, BooleanType) and others == [first]:
            return True
    # A condition of constants.
    is_condition = isinstance(part.data_type, BooleanType)
    return is_condition and not any(isinstance(inner, FieldReference) for inner in part.walk())


def _depends_on_outer_row_alone(operation: QueryOperation) -> bool:
    """Whether a query reads the row around it in conditions without columns of its own, and nowhere else."""
    found = False
    for part in operation.walk():
        for expression in part.expressions:
            for condition in _conjuncts(expression) if isinstance(part, Filter) else (expression,):
                if condition.contents & OUTER:
                    if not isinstance(part, Filter) or any(isinstance(p, FieldReference) for p in condition.walk()):
                        return False
                    found = True
    return found


def _conjuncts(condition: ResolvedExpression) -> Iterator[ResolvedExpression]:
    waiting = [condition]
    while waiting:
        part = waiting.pop()
        if isinstance(part, Call) and part.function is AND:
            waiting += part.arguments
        else:
            yield part


def _computes_outer_column(subquery: QueryOperation) -> bool:
    """Return whether a projection in a subquery computes a column from the row around the subquery."""
    return any(
        isinstance(operation, Project) and any(column.contents & OUTER for column in operation.expressions)
        for operation in subquery.walk()
    )


def _of_correlated(subquery: QueryOperation, function: FunctionDefinition | None) -> Iterator[str]:
    """Yield the features of a subquery with references to the query around it; it is LATERAL without a function."""
    is_lateral, is_scalar = function is None, function is SCALAR
    for operation in subquery.walk():
        own = 0
        for expression in operation.expressions:
            own |= expression.contents
            if expression.contents & OUTER and (is_lateral or (is_scalar and not _has_equalities_alone(expression))):
                yield from _of_outer_references(expression)
        below = any(read.contents & OUTER for read in operation.inputs)
        match operation:
            case Sort() if below and operation.is_limited:
                yield LATERAL_LIMIT if is_lateral else SCALAR_LIMIT if is_scalar else OUTER_LIMIT
                if operation.order and _depends_on_outer_row_alone(operation.input):
                    yield LIMIT_OF_OUTER_CONDITION
            case SetOperation() if below:
                yield LATERAL_UNION if is_lateral else OUTER_UNION
            case Join() if own & OUTER:
                yield OUTER_JOIN_CONDITION
            case LateralJoin() if own & OUTER and operation.input is SINGLE_ROW and not (is_lateral or is_scalar):
                yield OUTER_TABLE_FUNCTION
            case Filter() if own & OUTER and not _has_equalities_alone(operation.condition):
                yield LATERAL_COMPARISON if is_lateral else SCALAR_COMPARISON if is_scalar else OUTER_COMPARISON
        if own & OVER and below:
            yield OUTER_WINDOW


def _has_equalities_alone(condition: ResolvedExpression) -> bool:
    """Whether each part of a condition that reads the row around the subquery compares it by = with one of its own."""
    for part in _conjuncts(condition):
        if part.contents & OUTER:
            if not isinstance(part, Call) or part.function is not EQUALS:
                return False
            if all(side.contents & OUTER for side in part.arguments):
                return False
    return True


def _of_outer_references(expression: ResolvedExpression) -> Iterator[str]:
    for part in expression.walk():
        if isinstance(part, OuterReference) and any(isinstance(kind, MapType) for kind in part.data_type.walk()):
            yield OUTER_MAP
