"""Tables whose rows are grouped, and wait to be aggregated."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ir.expressions import Expression as Unresolved
from ir.implicit_notices import without_notices
from ir.resolution.grouping import Grouping, aggregate_groups, group_and_select, refuse_aggregates
from tableapi.advice.copies import StepOfTable
from tableapi.expression import Expression
from tableapi.lazy import lazy
from tableapi.queries.query import Query
from tableapi.steps.step_arguments import called_with_row, pivot_values, unresolved
from tableapi.tracebacks import boundaries

if TYPE_CHECKING:
    from ir.resolution import flat_aggregation, pivoting
    from tableapi import table
    from tableapi.table import Table
    from tableapi.user_functions.wrapper import UserDefinedFunctionWrapper
else:
    flat_aggregation = lazy(__name__, "ir.resolution.flat_aggregation")
    pivoting = lazy(__name__, "ir.resolution.pivoting")
    table = lazy(__name__, "tableapi.table")

__all__ = ["AggregatedTable", "FlatAggregateTable", "GroupedTable", "PivotedTable"]


@boundaries
class GroupedTable(StepOfTable):
    """A table whose rows are grouped, and wait to be aggregated."""

    _receiver = "grouped table"

    def __init__(self, query: Query, grouping: Grouping) -> None:
        self._query = query
        self._grouping = grouping

    def select(self, *fields: Expression[Any]) -> Table:
        """Compute columns of each group from its keys and from aggregates.

        Raises:
            ValidationException: a column is neither a key nor inside of an aggregate, or an aggregate is inside of
                another.
        """
        query = self._query
        expressions = unresolved(fields, "select")
        return table.Table(query.next(group_and_select(query.operation, self._grouping, expressions, query.lookup)))

    def aggregate(self, func: Expression[Any] | UserDefinedFunctionWrapper) -> AggregatedTable:
        """Aggregate each group; ``select`` then says which of the keys and of the aggregate's columns are wanted.

        Args:
            func: an aggregate, with an alias where ``select`` is to name it; or an aggregate of a user itself, which
                is then given whole rows. A value of type ROW becomes a column for each of its fields, which ``alias``
                may name.

        Raises:
            ValidationException: it holds no aggregate.
        """
        query = self._query
        (expression,) = unresolved((called_with_row(func, query.operation.schema.names),), "aggregate")
        return AggregatedTable(query.next(aggregate_groups(query.operation, self._grouping, expression, query.lookup)))

    def flat_aggregate(self, func: Expression[Any] | UserDefinedFunctionWrapper) -> FlatAggregateTable:
        """Make rows of each group with a table aggregate; ``select`` then says which columns are wanted.

        Args:
            func: a call of a table aggregate, whose columns ``alias`` names; or the function itself, which is then
                given whole rows.

        Raises:
            ValidationException: it is none, or gives a column with the name of a key.
        """
        query = self._query
        (expression,) = unresolved((called_with_row(func, query.operation.schema.names),), "flat_aggregate")
        operation = flat_aggregation.flat_aggregate(query.operation, self._grouping, expression, query.lookup)
        return FlatAggregateTable(query.next(operation))

    def pivot(
        self, column: Expression[Any] | Sequence[Expression[Any]], values: Sequence[Any] | Mapping[str, Any]
    ) -> PivotedTable:
        """Give each of some values of a column, or of several columns, columns of its own.

        The values must be named, since a query's columns are known before it runs. PyFlink has nothing like it.

        Args:
            column: the column or expression, or several.
            values: its values; or what to call each, ``{"paid": "p", "open": "o"}``. Of several columns, a value is a
                tuple. Without names, a value is called by its text.

        >>> # orders.group_by(col("customer")).pivot(col("status"), ["paid", "open"]).select(col("amount").sum)

        Raises:
            ValidationException: there is no value, two have the same name, or one is not of the type of its column; or
                a column does not exist or holds an aggregate.
        """
        given = [column] if isinstance(column, Expression | str) else list(column)
        columns, parts = unresolved(given, "pivot"), pivot_values(values, len(given))
        with without_notices():
            pivoting.check_pivot(self._query.operation, self._grouping, columns, parts, self._query.lookup)
        return PivotedTable(self._query, self._grouping, columns, parts)

    def __repr__(self) -> str:
        return f"Group of\n{self._query!r}"


@boundaries
class AggregatedTable(StepOfTable):
    """A table whose groups are aggregated, and wait for the choice of columns."""

    _receiver = "grouped table"

    def __init__(self, query: Query) -> None:
        self._query = query

    def select(self, *fields: Expression[Any]) -> Table:
        """Compute columns from the keys and from the aggregate.

        Raises:
            ValidationException: a column does not exist, or an expression holds a further aggregate.
        """
        for expression in unresolved(fields, "select"):
            refuse_aggregates(self._query.operation, expression, self._query.lookup)
        return table.Table(self._query).select(*fields)

    def __repr__(self) -> str:
        return f"Aggregate of\n{self._query!r}"


@boundaries
class FlatAggregateTable(StepOfTable):
    """A table whose groups have become rows, which wait for the choice of columns."""

    _receiver = "grouped table"

    def __init__(self, query: Query) -> None:
        self._query = query

    def select(self, *fields: Expression[Any]) -> Table:
        """Compute columns from the keys and from the columns of the table aggregate.

        Raises:
            ValidationException: a column does not exist.
        """
        return table.Table(self._query).select(*fields)

    def __repr__(self) -> str:
        return f"Table aggregate of\n{self._query!r}"


@boundaries
class PivotedTable(StepOfTable):
    """A table whose rows are grouped, with columns for some values, and wait to be aggregated."""

    _receiver = "grouped table"

    def __init__(
        self, query: Query, grouping: Grouping, columns: list[Unresolved], values: dict[str, tuple[Any, ...]]
    ) -> None:
        self._query = query
        self._grouping = grouping
        self._columns = columns
        self._values = values

    def select(self, *aggregates: Expression[Any]) -> Table:
        """Compute aggregates of each group's rows that have each of the values.

        The result has the keys, then for each value a column for each aggregate: named by the value and, where there
        is more than one aggregate, ``_`` and the aggregate's name. It is NULL where a group has no such row.

        Raises:
            ValidationException: one is no aggregate, or two columns would have the same name.
        """
        query = self._query
        expressions = unresolved(aggregates, "select")
        operation = pivoting.pivot_groups(
            query.operation, self._grouping, self._columns, self._values, expressions, query.lookup
        )
        return table.Table(query.next(operation))

    def __repr__(self) -> str:
        return f"Pivot of\n{self._query!r}"
