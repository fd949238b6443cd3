"""Tables with windows over their rows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ir.errors import ValidationException
from ir.expressions import UnresolvedWindow
from ir.identifiers import fold
from ir.resolution import operations as resolve
from tableapi.arguments import unresolved
from tableapi.expression import Expression
from tableapi.window.over import OverWindow

if TYPE_CHECKING:
    from tableapi.table import Table

__all__ = ["OverWindowedTable"]


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
                f"{window!r}."
            )
        if window._alias is None:
            raise ValidationException(f"over_window takes windows with an alias; {window!r} has none: add .alias('w').")
        if fold(window._alias) in map(fold, found):
            raise ValidationException(f"over_window was given two windows with the alias {window._alias!r}.")
        found[window._alias] = window._window
    return found


class OverWindowedTable:
    """A table with windows over its rows, which wait for what is computed over them."""

    def __init__(self, table: Table, windows: dict[str, UnresolvedWindow]) -> None:
        self._table = table
        self._windows = windows

    def select(self, *fields: Expression[Any]) -> Table:
        """Compute columns; ``col("v").sum.over(col("w"))`` is the sum over the window with the alias ``w``.

        Raises:
            ValidationException: there is no window with the alias, or what ``Table.select`` raises.
        """
        table = self._table
        expressions = unresolved(fields, "select")
        return table._next(resolve.select(table._operation, expressions, table._lookup, self._windows))

    def __repr__(self) -> str:
        return f"Windows {', '.join(self._windows)} over\n{self._table!r}"
