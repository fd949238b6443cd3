"""How a query uses a call, as far as the type of the call may depend on it."""

from __future__ import annotations

from ir.light_typing import TYPE_CHECKING
from ir.nodes import Node, node

if TYPE_CHECKING:
    from ir.frames import Direction, Frame, FrameBound


@node
class WindowUsage(Node):
    """The window over which a call is computed; without an explicit frame, the frame is SQL's default.

    Attributes:
        is_partitioned: whether it has PARTITION BY.
        is_ordered: whether it has ORDER BY.
        frame: the rows of the partition over which each row's value is computed.
    """

    is_partitioned: bool
    is_ordered: bool
    frame: Frame

    @property
    def is_whole_partition(self) -> bool:
        """Whether each row sees all rows of its partition."""
        from ir.frames import FIRST_ROW, LAST_ROW

        return self.frame.lower is FIRST_ROW and self.frame.upper is LAST_ROW

    @property
    def has_current_row(self) -> bool:
        """Whether the frame of each row contains the row itself, so that no frame is empty."""
        from ir.frames import Direction

        return _is_within_side(self.frame.lower, Direction.FOLLOWING) and _is_within_side(
            self.frame.upper, Direction.PRECEDING
        )


def _is_within_side(bound: FrameBound, beyond: Direction) -> bool:
    """Whether a bound is at the current row or on its own side of it, that is, not ``beyond`` it."""
    return bound.direction is not beyond


@node
class Usage(Node):
    """How a query uses a call.

    Attributes:
        is_grouped: whether the call aggregates groups with keys, each of which has at least one row.
        is_filtered: whether the call is part of an aggregate expression with a FILTER condition.
        window: the window over which the call is computed, None without OVER.
    """

    is_grouped: bool = False
    is_filtered: bool = False
    window: WindowUsage | None = None


ALONE = Usage()
GROUPED = Usage(is_grouped=True)


def usage_of_groups(keys: object) -> Usage:
    """Return the usage of an aggregate beside group keys, or without keys."""
    return GROUPED if keys else ALONE


def usage_of_cells(keys: object) -> Usage:
    """Return the usage of a PIVOT aggregate, each cell of which aggregates the rows of one value, possibly none."""
    return Usage(is_grouped=bool(keys), is_filtered=True)
