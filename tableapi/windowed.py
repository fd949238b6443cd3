"""Tables whose rows are put into group windows, and wait to be grouped and aggregated."""

from __future__ import annotations

from typing import Any

from ir.errors import ValidationException
from ir.expressions import Expression as Unresolved
from ir.resolution import windowing
from ir.resolution.group_windows import aggregate_by_window, check_group_by, group_by_window
from tableapi.arguments import unresolved
from tableapi.expression import Expression
from tableapi.grouped_table import AggregatedTable
from tableapi.table import Table
from tableapi.window.group import GroupWindow

__all__ = ["GroupWindowedTable", "WindowGroupedTable"]


class GroupWindowedTable:
    """A table whose rows are put into windows."""

    def __init__(self, table: Table, window: GroupWindow) -> None:
        if not isinstance(window, GroupWindow):
            raise ValidationException(
                "window takes a group window with its time and its alias, as in "
                f"Tumble.over(lit(10).minutes).on(col('ts')).alias('w'), but was given {window!r}."
            )
        self._table = table
        self._window = window._window

    def group_by(self, *fields: Expression[Any]) -> WindowGroupedTable:
        """Group rows by the window, given by its alias, and by the values of further expressions.

        Raises:
            ValidationException: the window's alias is not among the keys exactly once, or the window is not over a
                time.
        """
        table = self._table
        expressions = unresolved(fields, "group_by")
        check_group_by(table._operation, self._window, expressions, table._lookup)
        return WindowGroupedTable(table, self._window, expressions)

    def __repr__(self) -> str:
        return f"Windows {self._window.alias!r} of\n{self._table!r}"


class WindowGroupedTable:
    """A table whose rows are grouped by a window, and wait to be aggregated."""

    def __init__(self, table: Table, window: windowing.GroupWindow, keys: list[Unresolved]) -> None:
        self._table = table
        self._window = window
        self._keys = keys

    def select(self, *fields: Expression[Any]) -> Table:
        """Compute columns of each group from its keys, from aggregates, and from the window.

        Of the window's alias, ``start`` is its first instant, ``end`` the first one after it and ``rowtime`` its last
        millisecond. Windows of a number of rows have none of them.

        Raises:
            ValidationException: a column is neither a key nor inside of an aggregate, or an aggregate is inside of
                another.
        """
        table = self._table
        expressions = unresolved(fields, "select")
        operation = group_by_window(table._operation, self._window, self._keys, expressions, table._lookup)
        return table._next(operation)

    def aggregate(self, func: Expression[Any]) -> AggregatedTable:
        """Aggregate each group; ``select`` then says which of the keys and of the aggregate's columns are wanted.

        Args:
            func: an aggregate, with an alias where ``select`` is to name it.

        Raises:
            ValidationException: it holds no aggregate.
        """
        table = self._table
        (expression,) = unresolved((func,), "aggregate")
        operation = aggregate_by_window(table._operation, self._window, self._keys, expression, table._lookup)
        return AggregatedTable(table._next(operation))

    def __repr__(self) -> str:
        return f"Window group of\n{self._table!r}"
