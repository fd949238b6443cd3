"""Grouped tables, and the steps up to their aggregation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ir.expressions import Expression as Unresolved
from ir.implicit_notices import suppress_notices
from ir.light_typing import TYPE_CHECKING, Any
from ir.resolution.grouping import Grouping, aggregate_groups, group_and_select, refuse_aggregates
from tableapi.advice.copies import StepOfTable
from tableapi.expression import Expression
from tableapi.lazy import lazy
from tableapi.queries.query import Query
from tableapi.steps.step_arguments import call_with_row, pivot_values, require_several, unwrap_arguments
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
    """A table with grouped rows, which ``select`` or ``aggregate`` aggregates."""

    _receiver = "grouped table"

    def __init__(self, query: Query, grouping: Grouping) -> None:
        self._query = query
        self._grouping = grouping

    def select(self, *fields: Expression[Any]) -> Table:
        """Compute columns of each group from its keys and from aggregates.

        Raises:
            ValidationException: a column is neither a key nor inside an aggregate, or an aggregate is inside another.
        """
        query = self._query
        expressions = unwrap_arguments(fields, "select")
        return table.Table(query.next(group_and_select(query.operation, self._grouping, expressions, query.lookup)))

    def aggregate(self, func: Expression[Any] | UserDefinedFunctionWrapper) -> AggregatedTable:
        """Aggregate each group; the following ``select`` chooses from the keys and the aggregate's columns.

        Args:
            func: an aggregate call, with an alias if ``select`` refers to it, or a user-defined aggregate function,
                which then gets whole rows as its argument. A ROW result becomes one column per field, which ``alias``
                may rename.

        Raises:
            ValidationException: the expression contains no aggregate.
        """
        query = self._query
        (expression,) = unwrap_arguments((call_with_row(func, query.operation.schema.names),), "aggregate")
        return AggregatedTable(query.next(aggregate_groups(query.operation, self._grouping, expression, query.lookup)))

    def flat_aggregate(self, func: Expression[Any] | UserDefinedFunctionWrapper) -> FlatAggregateTable:
        """Apply a table aggregate to each group; the following ``select`` chooses the columns.

        Args:
            func: a call of a table aggregate function, whose columns ``alias`` names, or the function itself, which
                then gets whole rows as its argument.

        Raises:
            ValidationException: the expression is not a table aggregate, or returns a column with the name of a key.
        """
        query = self._query
        (expression,) = unwrap_arguments((call_with_row(func, query.operation.schema.names),), "flat_aggregate")
        operation = flat_aggregation.flat_aggregate(query.operation, self._grouping, expression, query.lookup)
        return FlatAggregateTable(query.next(operation))

    def pivot(
        self, column: Expression[Any] | Sequence[Expression[Any]], values: Sequence[Any] | Mapping[str, Any]
    ) -> PivotedTable:
        """Turn values of one or several columns into columns.

        The values must be given, because a query's columns are determined before it runs. PyFlink has no such method.

        Args:
            column: the column or expression, or several.
            values: the values, or a mapping from column names to values, ``{"paid": "p", "open": "o"}``. For several
                columns, a value is a tuple. Without a mapping, a value's string is its column name.

        >>> # orders.group_by(col("customer")).pivot(col("status"), ["paid", "open"]).select(col("amount").sum)

        Raises:
            ValidationException: no value is given, two values have the same name, a value does not have the type of
                its column, or a column does not exist or contains an aggregate.
        """
        given = [column] if isinstance(column, Expression | str) else list(require_several(column, "pivot", "column"))
        columns, parts = unwrap_arguments(given, "pivot"), pivot_values(values, len(given))
        with suppress_notices():
            pivoting.check_pivot(self._query.operation, self._grouping, columns, parts, self._query.lookup)
        return PivotedTable(self._query, self._grouping, columns, parts)

    def __repr__(self) -> str:
        return f"Group of\n{self._query!r}"


@boundaries
class AggregatedTable(StepOfTable):
    """A table with aggregated groups, whose columns ``select`` chooses."""

    _receiver = "grouped table"

    def __init__(self, query: Query) -> None:
        self._query = query

    def select(self, *fields: Expression[Any]) -> Table:
        """Compute columns from the keys and from the aggregate.

        Raises:
            ValidationException: a column does not exist, or an expression contains another aggregate.
        """
        for expression in unwrap_arguments(fields, "select"):
            refuse_aggregates(self._query.operation, expression, self._query.lookup)
        return table.Table(self._query).select(*fields)

    def __repr__(self) -> str:
        return f"Aggregate of\n{self._query!r}"


@boundaries
class FlatAggregateTable(StepOfTable):
    """A table with the result of a table aggregate, whose columns ``select`` chooses."""

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
    """A table with grouped rows and pivot values, which ``select`` aggregates."""

    _receiver = "grouped table"

    def __init__(
        self, query: Query, grouping: Grouping, columns: list[Unresolved], values: dict[str, tuple[Any, ...]]
    ) -> None:
        self._query = query
        self._grouping = grouping
        self._columns = columns
        self._values = values

    def select(self, *aggregates: Expression[Any]) -> Table:
        """Compute aggregates for each group and each value, over the group's rows with this value.

        The result has the keys, then one column for each value and aggregate. The column is named after the value,
        followed by ``_`` and the aggregate's name if there are several aggregates. It is NULL if the group has no such
        row.

        Raises:
            ValidationException: an expression is not an aggregate, or two columns would have the same name.
        """
        query = self._query
        expressions = unwrap_arguments(aggregates, "select")
        operation = pivoting.pivot_groups(
            query.operation, self._grouping, self._columns, self._values, expressions, query.lookup
        )
        return table.Table(query.next(operation))

    def __repr__(self) -> str:
        return f"Pivot of\n{self._query!r}"
