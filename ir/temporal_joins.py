"""Temporal joins of Flink, which are as-of joins with the versions of a table.

Source: https://nightlies.apache.org/flink/flink-docs-stable/docs/sql/reference/queries/joins/#event-time-temporal-join
"""

from __future__ import annotations

from collections import Counter

from ir import light_attrs as attrs
from ir.call_expressions import Call
from ir.expressions import FieldReference, ResolvedExpression
from ir.functions.comparison import EQUALS, GREATER_THAN_OR_EQUAL, LESS_THAN_OR_EQUAL
from ir.operations.as_of_join import AsOfJoin
from ir.operations.hint import Hint
from ir.operations.operation import QueryOperation
from ir.operations.project import Project
from ir.operations.semi_join import list_conjuncts
from ir.operations.source import Source


@attrs.frozen
class TemporalJoin:
    """An as-of join that takes, for each left row, the version of a row that is valid at a time of the left row.

    Attributes:
        table: the versioned table.
        names: the names of its columns in the join.
        time: the column of the left row.
    """

    table: Source
    names: tuple[str, ...]
    time: FieldReference


def find_versioned_table(operation: QueryOperation) -> Source | None:
    """Return the table with versions whose columns an operation passes on, all in order; None for other operations."""
    while isinstance(operation, Hint) or (isinstance(operation, Project) and operation.is_renaming()):
        operation = operation.input
    if not isinstance(operation, Source) or operation.versions is None:
        return None
    return operation if operation.is_now and not operation.options else None


def find_temporal_join(join: AsOfJoin) -> TemporalJoin | None:
    """Return what Flink's form of an as-of join needs, None if the join is no temporal join.

    A temporal join compares a column of the left row with the time of the versions, which is of its kind, by >=, and
    each column of the primary key with a value of the left row by =. Other conditions mean something else: an as-of
    join tests them before it takes the closest row, a temporal join after that.
    """
    table = find_versioned_table(join.right)
    if table is None or table.versions is None or join.condition is None:
        return None
    operands = {GREATER_THAN_OR_EQUAL: join.match.arguments, LESS_THAN_OR_EQUAL: join.match.arguments[::-1]}
    time, version = operands.get(join.match.function, (None, None))
    if not isinstance(time, FieldReference) or time.input_index or _right_column(version) != table.versions.time:
        return None
    # Flink compares no instants with times without a zone, of which Spark casts one.
    if type(time.data_type) is not type(table.schema.columns[table.versions.time].data_type):
        return None
    key = [_compared_column(part) for part in list_conjuncts(join.condition)]
    return TemporalJoin(table, join.right.schema.names, time) if Counter(key) == Counter(table.versions.key) else None


def _compared_column(condition: ResolvedExpression) -> int | None:
    """Return the right column that a condition compares with a value of the left row, None for another condition."""
    if not isinstance(condition, Call) or condition.function is not EQUALS:
        return None
    for column, value in (condition.arguments, condition.arguments[::-1]):
        position = _right_column(column)
        if position is not None and _is_of_left(value):
            return position
    return None


def _right_column(expression: ResolvedExpression | None) -> int | None:
    return expression.index if isinstance(expression, FieldReference) and expression.input_index else None


def _is_of_left(value: ResolvedExpression) -> bool:
    sides = {part.input_index for part in value.walk() if isinstance(part, FieldReference)}
    return sides == {0}
