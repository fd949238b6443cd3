"""Tables whose rows are grouped, and wait to be aggregated."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ir.expressions import Expression as Unresolved
from ir.implicit_notices import without_notices
from ir.resolution.grouping import Grouping, aggregate_groups, group_and_select, refuse_aggregates
from tableapi.arguments import called_with_row, pivot_values, unresolved
from tableapi.copies import StepOfTable
from tableapi.expression import Expression
from tableapi.tracebacks import boundaries

if TYPE_CHECKING:
    from tableapi.table import Table
    from tableapi.user_functions.wrapper import UserDefinedFunctionWrapper

__all__ = ["AggregatedTable", "FlatAggregateTable", "GroupedTable", "PivotedTable"]


@boundaries
class GroupedTable(StepOfTable):
    """A table whose rows are grouped, and wait to be aggregated."""

    _receiver = "grouped table"

    def __init__(self, table: Table, grouping: Grouping) -> None:
        self._table = table
        self._grouping = grouping

    def select(self, *fields: Expression[Any]) -> Table:
        """Compute columns of each group from its keys and from aggregates.

        Raises:
            ValidationException: a column is neither a key nor inside of an aggregate, or an aggregate is inside of
                another.
        """
        table = self._table
        expressions = unresolved(fields, "select")
        return table._next(group_and_select(table._operation, self._grouping, expressions, table._lookup))

    def aggregate(self, func: Expression[Any] | UserDefinedFunctionWrapper) -> AggregatedTable:
        """Aggregate each group; ``select`` then says which of the keys and of the aggregate's columns are wanted.

        Args:
            func: an aggregate, with an alias where ``select`` is to name it; or an aggregate of a user itself, which
                is then given whole rows. A value of type ROW becomes a column for each of its fields, which ``alias``
                may name.

        Raises:
            ValidationException: it holds no aggregate.
        """
        table = self._table
        (expression,) = unresolved((called_with_row(func, table),), "aggregate")
        return AggregatedTable(
            table._next(aggregate_groups(table._operation, self._grouping, expression, table._lookup))
        )

    def flat_aggregate(self, func: Expression[Any] | UserDefinedFunctionWrapper) -> FlatAggregateTable:
        """Make rows of each group with a table aggregate; ``select`` then says which columns are wanted.

        Args:
            func: a call of a table aggregate, whose columns ``alias`` names; or the function itself, which is then
                given whole rows.

        Raises:
            ValidationException: it is none, or gives a column with the name of a key.
        """
        from ir.resolution.flat_aggregation import flat_aggregate

        table = self._table
        (expression,) = unresolved((called_with_row(func, table),), "flat_aggregate")
        return FlatAggregateTable(
            table._next(flat_aggregate(table._operation, self._grouping, expression, table._lookup))
        )

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
        from ir.resolution.pivoting import check_pivot

        given = [column] if isinstance(column, Expression | str) else list(column)
        columns, parts = unresolved(given, "pivot"), pivot_values(values, len(given))
        with without_notices():
            check_pivot(self._table._operation, self._grouping, columns, parts, self._table._lookup)
        return PivotedTable(self._table, self._grouping, columns, parts)

    def __repr__(self) -> str:
        return f"Group of\n{self._table!r}"


@boundaries
class AggregatedTable(StepOfTable):
    """A table whose groups are aggregated, and wait for the choice of columns."""

    _receiver = "grouped table"

    def __init__(self, table: Table) -> None:
        self._table = table

    def select(self, *fields: Expression[Any]) -> Table:
        """Compute columns from the keys and from the aggregate.

        Raises:
            ValidationException: a column does not exist, or an expression holds a further aggregate.
        """
        for expression in unresolved(fields, "select"):
            refuse_aggregates(self._table._operation, expression, self._table._lookup)
        return self._table.select(*fields)

    def __repr__(self) -> str:
        return f"Aggregate of\n{self._table!r}"


@boundaries
class FlatAggregateTable(StepOfTable):
    """A table whose groups have become rows, which wait for the choice of columns."""

    _receiver = "grouped table"

    def __init__(self, table: Table) -> None:
        self._table = table

    def select(self, *fields: Expression[Any]) -> Table:
        """Compute columns from the keys and from the columns of the table aggregate.

        Raises:
            ValidationException: a column does not exist.
        """
        return self._table.select(*fields)

    def __repr__(self) -> str:
        return f"Table aggregate of\n{self._table!r}"


@boundaries
class PivotedTable(StepOfTable):
    """A table whose rows are grouped, with columns for some values, and wait to be aggregated."""

    _receiver = "grouped table"

    def __init__(
        self, table: Table, grouping: Grouping, columns: list[Unresolved], values: dict[str, tuple[Any, ...]]
    ) -> None:
        self._table = table
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
        from ir.resolution.pivoting import pivot_groups

        table = self._table
        expressions = unresolved(aggregates, "select")
        operation = pivot_groups(
            table._operation, self._grouping, self._columns, self._values, expressions, table._lookup
        )
        return table._next(operation)

    def __repr__(self) -> str:
        return f"Pivot of\n{self._table!r}"
