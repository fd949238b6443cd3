"""Tables with group windows and with over windows, before the following ``group_by`` or ``select``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ir.errors import ValidationException
from ir.expressions import Expression as Unresolved
from ir.identifiers import fold
from ir.implicit_notices import suppress_notices
from ir.resolution import operations as resolve
from ir.resolution.windows import unresolved_windows
from ir.resolution.windows.definitions import check_over_window
from ir.resolution.windows.group import aggregate_by_window, check_group_by, group_by_window
from ir.resolution.windows.unresolved_windows import window_time
from ir.unresolved import UnresolvedWindow
from tableapi.advice.copies import StepOfTable
from tableapi.advice.misused_members import describe_given
from tableapi.expression import Expression
from tableapi.lazy import lazy
from tableapi.queries.query import Query
from tableapi.steps.grouped_table import AggregatedTable
from tableapi.steps.step_arguments import unwrap_arguments
from tableapi.tracebacks import boundaries
from tableapi.window.over import OverWindow, alias_of, unwrap_window

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
    """A table whose rows are assigned to windows."""

    _receiver = "windowed table"

    def __init__(self, query: Query, window: GroupWindow) -> None:
        if not isinstance(window, group.GroupWindow):
            raise ValidationException(
                "window takes a group window with its time and its alias, as in "
                f"Tumble.over(lit(10).minutes).on(col('ts')).alias('w'), but was given {describe_given(window)}."
            )
        with suppress_notices():
            window_time(query.operation, group.unwrap_window(window), query.lookup)
        self._query = query
        self._window = group.unwrap_window(window)

    def group_by(self, *fields: Expression[Any]) -> WindowGroupedTable:
        """Group rows by the window's alias and by further expressions.

        Raises:
            ValidationException: the keys do not contain the window's alias exactly once, or the window is not over a
                time.
        """
        query = self._query
        expressions = unwrap_arguments(fields, "group_by")
        check_group_by(query.operation, self._window, expressions, query.lookup)
        return WindowGroupedTable(query, self._window, expressions)

    def __repr__(self) -> str:
        return f"Windows {self._window.alias!r} of\n{self._query!r}"


@boundaries
class WindowGroupedTable(StepOfTable):
    """A table with rows grouped by a window, which ``select`` or ``aggregate`` aggregates."""

    _receiver = "grouped table"

    def __init__(self, query: Query, window: unresolved_windows.GroupWindow, keys: list[Unresolved]) -> None:
        self._query = query
        self._window = window
        self._keys = keys

    def select(self, *fields: Expression[Any]) -> Table:
        """Compute columns of each group from its keys, aggregates and the window.

        On the window's alias, ``start`` is the window's start, ``end`` its exclusive end and ``rowtime`` its last
        millisecond. Windows of a number of rows have none of these.

        Raises:
            ValidationException: a column is neither a key nor inside an aggregate, or an aggregate is inside another.
        """
        query = self._query
        expressions = unwrap_arguments(fields, "select")
        operation = group_by_window(query.operation, self._window, self._keys, expressions, query.lookup)
        return table.Table(query.next(operation))

    def aggregate(self, func: Expression[Any]) -> AggregatedTable:
        """Aggregate each group; the following ``select`` chooses from the keys and the aggregate's columns.

        Args:
            func: an aggregate call, with an alias if ``select`` refers to it.

        Raises:
            ValidationException: the expression contains no aggregate.
        """
        query = self._query
        (expression,) = unwrap_arguments((func,), "aggregate")
        operation = aggregate_by_window(query.operation, self._window, self._keys, expression, query.lookup)
        return AggregatedTable(query.next(operation))

    def __repr__(self) -> str:
        return f"Window group of\n{self._query!r}"


def windows_by_alias(given: Sequence[Any]) -> dict[str, UnresolvedWindow]:
    """Return windows by alias.

    Raises:
        ValidationException: no window is given, an argument is not a window, a window has no alias, or two windows
            have the same alias.
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
        found[alias] = unwrap_window(window)
    return found


@boundaries
class OverWindowedTable(StepOfTable):
    """A table with over windows, to which the following ``select`` refers."""

    def __init__(self, query: Query, windows: dict[str, UnresolvedWindow]) -> None:
        with suppress_notices():
            for window in windows.values():
                check_over_window(query.operation, window, query.lookup)
        self._query = query
        self._windows = windows

    def select(self, *fields: Expression[Any]) -> Table:
        """Compute columns; ``col("v").sum.over(col("w"))`` is the sum over the window with the alias ``w``.

        Raises:
            ValidationException: no window has the alias, or a condition of ``Table.select`` applies.
        """
        query = self._query
        expressions = unwrap_arguments(fields, "select")
        return table.Table(query.next(resolve.select(query.operation, expressions, query.lookup, self._windows)))

    def __repr__(self) -> str:
        return f"Windows {', '.join(self._windows)} over\n{self._query!r}"
