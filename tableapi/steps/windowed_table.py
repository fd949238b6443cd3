"""Tables with group windows, to be grouped and aggregated, and with windows over rows, to be selected from."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ir.errors import ValidationException
from ir.expressions import Expression as Unresolved
from ir.expressions import UnresolvedWindow
from ir.identifiers import fold
from ir.implicit_notices import without_notices
from ir.resolution import operations as resolve
from ir.resolution.windows import written
from ir.resolution.windows.definitions import check_over_window
from ir.resolution.windows.group import aggregate_by_window, check_group_by, group_by_window
from ir.resolution.windows.written import window_time
from tableapi.advice.copies import StepOfTable
from tableapi.advice.misused_members import describe_given
from tableapi.expression import Expression
from tableapi.lazy import lazy
from tableapi.queries.query import Query
from tableapi.steps.grouped_table import AggregatedTable
from tableapi.steps.step_arguments import unresolved
from tableapi.tracebacks import boundaries
from tableapi.window.over import OverWindow, alias_of, written_window

if TYPE_CHECKING:
    from tableapi import table
    from tableapi.table import Table
    from tableapi.window import group
    from tableapi.window.group import GroupWindow
else:
    table = lazy(__name__, "tableapi.table")
    group = lazy(__name__, "tableapi.window.group")

__all__ = ["GroupWindowedTable", "OverWindowedTable", "WindowGroupedTable"]


@boundaries
class GroupWindowedTable(StepOfTable):
    """A table whose rows are put into windows."""

    _receiver = "windowed table"

    def __init__(self, query: Query, window: GroupWindow) -> None:
        if not isinstance(window, group.GroupWindow):
            raise ValidationException(
                "window takes a group window with its time and its alias, as in "
                f"Tumble.over(lit(10).minutes).on(col('ts')).alias('w'), but was given {describe_given(window)}."
            )
        with without_notices():
            window_time(query.operation, group.written_window(window), query.lookup)
        self._query = query
        self._window = group.written_window(window)

    def group_by(self, *fields: Expression[Any]) -> WindowGroupedTable:
        """Group rows by the window, given by its alias, and by the values of further expressions.

        Raises:
            ValidationException: the window's alias is not among the keys exactly once, or the window is not over a
                time.
        """
        query = self._query
        expressions = unresolved(fields, "group_by")
        check_group_by(query.operation, self._window, expressions, query.lookup)
        return WindowGroupedTable(query, self._window, expressions)

    def __repr__(self) -> str:
        return f"Windows {self._window.alias!r} of\n{self._query!r}"


@boundaries
class WindowGroupedTable(StepOfTable):
    """A table whose rows are grouped by a window, and wait to be aggregated."""

    _receiver = "grouped table"

    def __init__(self, query: Query, window: written.GroupWindow, keys: list[Unresolved]) -> None:
        self._query = query
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
        query = self._query
        expressions = unresolved(fields, "select")
        operation = group_by_window(query.operation, self._window, self._keys, expressions, query.lookup)
        return table.Table(query.next(operation))

    def aggregate(self, func: Expression[Any]) -> AggregatedTable:
        """Aggregate each group; ``select`` then says which of the keys and of the aggregate's columns are wanted.

        Args:
            func: an aggregate, with an alias where ``select`` is to name it.

        Raises:
            ValidationException: it holds no aggregate.
        """
        query = self._query
        (expression,) = unresolved((func,), "aggregate")
        operation = aggregate_by_window(query.operation, self._window, self._keys, expression, query.lookup)
        return AggregatedTable(query.next(operation))

    def __repr__(self) -> str:
        return f"Window group of\n{self._query!r}"


def windows_by_alias(given: Sequence[Any]) -> dict[str, UnresolvedWindow]:
    """Return windows by their aliases.

    Raises:
        ValidationException: there is none, one is none or has no alias, or two have the same.
    """
    if not given:
        raise ValidationException("over_window needs at least one window.")
    found: dict[str, UnresolvedWindow] = {}
    for window in given:
        if not isinstance(window, OverWindow):
            raise ValidationException(
                "over_window takes windows, as in Over.partition_by(…).order_by(…).alias('w'), but was given "
                f"{describe_given(window)}."
            )
        alias = alias_of(window)
        if alias is None:
            raise ValidationException(f"over_window takes windows with an alias; {window!r} has none: add .alias('w').")
        if fold(alias) in map(fold, found):
            raise ValidationException(f"over_window was given two windows with the alias {alias!r}.")
        found[alias] = written_window(window)
    return found


@boundaries
class OverWindowedTable(StepOfTable):
    """A table with windows over its rows, which wait for what is computed over them."""

    def __init__(self, query: Query, windows: dict[str, UnresolvedWindow]) -> None:
        with without_notices():
            for window in windows.values():
                check_over_window(query.operation, window, query.lookup)
        self._query = query
        self._windows = windows

    def select(self, *fields: Expression[Any]) -> Table:
        """Compute columns; ``col("v").sum.over(col("w"))`` is the sum over the window with the alias ``w``.

        Raises:
            ValidationException: there is no window with the alias, or what ``Table.select`` raises.
        """
        query = self._query
        expressions = unresolved(fields, "select")
        return table.Table(query.next(resolve.select(query.operation, expressions, query.lookup, self._windows)))

    def __repr__(self) -> str:
        return f"Windows {', '.join(self._windows)} over\n{self._query!r}"
