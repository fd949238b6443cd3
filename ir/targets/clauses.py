"""The features that operations need of an engine, by the names of the probes with which engines are asked.

The probes are in ``tests/versions/syntax.sql``; ``ir/dialects/spark`` says which of them each version refuses.
"""

from __future__ import annotations

from collections.abc import Iterator

from ir.contents import OUTER, OVER, QUERY
from ir.expressions import Call, OuterReference, ResolvedExpression, TableReference
from ir.functions.comparison import IN
from ir.functions.subquery import EXISTS
from ir.operations.aggregate import Aggregate
from ir.operations.filter import Distinct
from ir.operations.join import Join
from ir.operations.lateral import LateralJoin
from ir.operations.operation import QueryOperation
from ir.operations.pivot import Pivot
from ir.operations.project import Project
from ir.operations.set_operation import SetOperation
from ir.operations.sort import Sort
from ir.operations.source import SINGLE_ROW, Source
from ir.types import CalendarIntervalType, LogicalType, MapType

OUTER_LIMIT = "subquery: EXISTS with LIMIT"
LATERAL_LIMIT = "LATERAL with ORDER BY and LIMIT"
OUTER_UNION = "subquery: EXISTS with UNION ALL"
OUTER_WINDOW = "LATERAL with a window"
OUTER_JOIN_CONDITION = "subquery: EXISTS with an outer reference in a join condition"
OUTER_MAP = "LATERAL with a map of the outer row"
OUTER_TABLE_FUNCTION = "subquery: a table function of the outer row"
OUTER_COLUMN = "subquery: EXISTS with a column of the outer row"
QUERY_IN_JOIN = "subquery: EXISTS in the condition of an outer join"
GROUP_BY_MAP = "GROUP BY of a map"
GROUP_BY_INTERVAL = "GROUP BY of a calendar interval"
DISTINCT_MAP = "DISTINCT of a map"
TABLE_OPTIONS = "table options"
SPECIAL_NAME = "IDENTIFIER of an alias"
EMPTY_GROUPING_SET = "GROUPING SETS of the empty set alone"
EQUAL_PIVOT_VALUES = "PIVOT with a value twice"


def features_of(operation: QueryOperation) -> Iterator[str]:
    """Yield the features that an operation and the subqueries in its expressions need, without those of its inputs."""
    if operation.feature is not None:
        yield operation.feature
    match operation:
        case Source() if operation.options:
            yield TABLE_OPTIONS
        case Aggregate():
            yield from _of_keys([key.data_type for key in operation.group_keys])
            if operation.grouping_sets == ((),):
                yield EMPTY_GROUPING_SET
        case Distinct() if any(_has_map(column.data_type) for column in operation.schema.columns):
            yield DISTINCT_MAP
        case Pivot() if len(set(operation.values)) < len(operation.values):
            yield EQUAL_PIVOT_VALUES
        case Join() if any(call.function is EXISTS or read.contents & OUTER for call, read in _subqueries(operation)):
            yield QUERY_IN_JOIN
    is_lateral = isinstance(operation, LateralJoin)
    for subquery in operation.subqueries:
        if subquery.contents & OUTER:
            yield from _of_correlated(subquery, is_lateral=is_lateral)
    if any(call.function in (EXISTS, IN) and _computes_outer_column(read) for call, read in _subqueries(operation)):
        yield OUTER_COLUMN


def _subqueries(operation: QueryOperation) -> Iterator[tuple[Call, QueryOperation]]:
    """Yield the subqueries in the expressions of an operation, each with the call that reads it."""
    for expression in operation.expressions:
        if expression.contents & QUERY:
            for part in expression.walk():
                if isinstance(part, Call):
                    reads = [given.operation for given in part.arguments if isinstance(given, TableReference)]
                    yield from [(part, read) for read in reads]


def _computes_outer_column(subquery: QueryOperation) -> bool:
    """Return whether a projection in a subquery computes a column from the row around the subquery."""
    return any(
        isinstance(operation, Project) and any(column.contents & OUTER for column in operation.expressions)
        for operation in subquery.walk()
    )


def _of_keys(types: list[LogicalType]) -> Iterator[str]:
    if any(map(_has_map, types)):
        yield GROUP_BY_MAP
    if any(isinstance(part, CalendarIntervalType) for kind in types for part in kind.walk()):
        yield GROUP_BY_INTERVAL


def _has_map(data_type: LogicalType) -> bool:
    return any(isinstance(part, MapType) for part in data_type.walk())


def _of_correlated(subquery: QueryOperation, *, is_lateral: bool) -> Iterator[str]:
    """Yield the features of a subquery with references to the query around it."""
    for operation in subquery.walk():
        own = 0
        for expression in operation.expressions:
            own |= expression.contents
            if expression.contents & OUTER:
                yield from _of_outer_references(expression)
        below = any(read.contents & OUTER for read in operation.inputs)
        match operation:
            case Sort() if below and operation.is_limited:
                yield LATERAL_LIMIT if is_lateral else OUTER_LIMIT
            case SetOperation() if below and not is_lateral:
                yield OUTER_UNION
            case Join() if own & OUTER:
                yield OUTER_JOIN_CONDITION
            case LateralJoin() if own & OUTER and operation.input is SINGLE_ROW and not is_lateral:
                yield OUTER_TABLE_FUNCTION
        if own & OVER and below:
            yield OUTER_WINDOW


def _of_outer_references(expression: ResolvedExpression) -> Iterator[str]:
    for part in expression.walk():
        if isinstance(part, OuterReference) and _has_map(part.data_type):
            yield OUTER_MAP
