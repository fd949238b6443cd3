"""Over windows: for each row, an ordered partition of rows and a frame within it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import attrs

from ir.errors import ValidationException
from ir.expressions import Expression as Unresolved
from ir.expressions import ValueLiteral
from ir.types import IntervalType, NumericType
from ir.unresolved import Ordering, UnresolvedBound, UnresolvedReference, UnresolvedWindow
from tableapi.advice.misused_members import describe_given
from tableapi.expression import Expression, unwrap
from tableapi.lazy import lazy
from tableapi.members.unresolved_summary import display_window
from tableapi.tracebacks import boundaries

if TYPE_CHECKING:
    from ir.resolution.windows import frames
else:
    frames = lazy(__name__, "ir.resolution.windows.frames")

__all__ = [
    "Over",
    "OverWindow",
    "OverWindowPartitioned",
    "OverWindowPartitionedOrdered",
    "OverWindowPartitionedOrderedPreceding",
]


def _expressions(given: tuple[Any, ...], method: str) -> tuple[Unresolved, ...]:
    for argument in given:
        if isinstance(argument, str):
            raise ValidationException(
                f"{method} takes expressions, but was given the text {argument!r}. Write col({argument!r})."
            )
    return tuple([unwrap(argument) for argument in given])


def _check_bound(given: Any, method: str) -> Unresolved:
    (bound,) = _expressions((given,), method)
    offset = bound.offset if isinstance(bound, UnresolvedBound) else bound
    is_value = isinstance(offset, ValueLiteral) and not isinstance(offset.data_type, NumericType | IntervalType)
    if is_value or isinstance(offset, UnresolvedReference):
        raise frames.make_bound_error(method, describe_given(given))
    return bound


@boundaries
class OverWindow:
    """A window over rows, for ``over`` and, with an alias, for ``Table.over_window``.

    A window is a description; it is checked together with the functions that use it.
    """

    def __init__(self, window: UnresolvedWindow, alias: str | None = None) -> None:
        self._window = window
        self._alias = alias

    def alias(self, alias: str) -> OverWindow:
        """Name the window, so that ``over`` can refer to it: ``col("v").sum.over(col("w"))``.

        Raises:
            ValidationException: the alias is not a string, or is empty.
        """
        given = alias.as_summary_string() if isinstance(alias, Expression) else alias
        if not isinstance(given, str) or not given:
            raise ValidationException(f"The alias of a window must be text that is not empty, but is {given!r}.")
        return OverWindow(self._window, given)

    def __repr__(self) -> str:
        return display_window(self._window) + (f" as {self._alias}" if self._alias else "")


def unwrap_window(window: OverWindow) -> UnresolvedWindow:
    """Return the description that a window is."""
    return window._window


def alias_of(window: OverWindow) -> str | None:
    """Return the name of a window, None where it has none."""
    return window._alias


@boundaries
class OverWindowPartitionedOrderedPreceding(OverWindow):
    """A window whose frame has a lower bound."""

    def following(self, following: Any) -> OverWindowPartitionedOrderedPreceding:
        """Set the end of the frame; without this call, the frame ends at the current row.

        Args:
            following: ``UNBOUNDED_ROW`` or ``UNBOUNDED_RANGE`` for the last row, ``CURRENT_ROW`` or
                ``CURRENT_RANGE``, a number of rows such as ``row_interval(2)``, or a distance from the sort key, an
                interval such as ``lit(10).minutes`` or ``range_interval(5)``. A negative bound is before the current
                row.

        Raises:
            ValidationException: the bound is a column, or neither a number nor an interval.
        """
        return OverWindowPartitionedOrderedPreceding(
            attrs.evolve(self._window, following=_check_bound(following, "following"))
        )


@boundaries
class OverWindowPartitionedOrdered(OverWindow):
    """A window with its partitioning and order."""

    def preceding(self, preceding: Any) -> OverWindowPartitionedOrderedPreceding:
        """Set the beginning of the frame.

        Args:
            preceding: ``UNBOUNDED_ROW`` or ``UNBOUNDED_RANGE`` for the first row, ``CURRENT_ROW`` or
                ``CURRENT_RANGE``, a number of rows such as ``row_interval(2)``, or a distance from the sort key, an
                interval such as ``lit(10).minutes`` or ``range_interval(5)``. A negative bound is after the current
                row. For bounds on the sort key, all rows with the same sort key count as the current row.

        Raises:
            ValidationException: the bound is a column, or neither a number nor an interval.
        """
        return OverWindowPartitionedOrderedPreceding(
            attrs.evolve(self._window, preceding=_check_bound(preceding, "preceding"))
        )


@boundaries
class OverWindowPartitioned(OverWindowPartitionedOrdered):
    """A window with its partitioning; without an order, the frame is the whole partition."""

    def order_by(self, *order_by: Expression[Any]) -> OverWindowPartitionedOrdered:
        """Sort the rows of a partition by one or more keys; NULL is the least value.

        Raises:
            ValidationException: no key is given.
        """
        return OverWindowPartitionedOrdered(attrs.evolve(self._window, order_by=_orders(order_by)))


def _orders(order_by: tuple[Any, ...]) -> tuple[Unresolved, ...]:
    if not order_by:
        raise ValidationException("order_by of a window needs at least one expression.")
    return _expressions(order_by, "order_by")


@boundaries
class Over:
    """The entry point for building a window over rows.

    >>> from tableapi.expressions import col, row_interval
    >>> Over.partition_by(col("k")).order_by(col("ts").desc).preceding(row_interval(2)).alias("w")
    Over(partition: [k], order: [desc(ts)], preceding: 2) as w
    """

    @classmethod
    def partition_by(cls, *partition_by: Expression[Any]) -> OverWindowPartitioned:
        """Partition rows by the values of expressions; without expressions, all rows are one partition."""
        keys = _expressions(partition_by, "partition_by")
        if any(isinstance(key, (Ordering, UnresolvedBound)) for key in keys):
            raise ValidationException(
                "partition_by takes expressions without a direction; asc and desc are for order_by."
            )
        return OverWindowPartitioned(UnresolvedWindow(keys))

    @classmethod
    def order_by(cls, *order_by: Expression[Any]) -> OverWindowPartitionedOrdered:
        """Sort all rows by one or more keys; NULL is the least value.

        Raises:
            ValidationException: no key is given.
        """
        return OverWindowPartitionedOrdered(UnresolvedWindow((), _orders(order_by)))
