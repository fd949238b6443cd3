"""How a call stands in a query, as far as its type may follow from that."""

from __future__ import annotations

from ir.frames import FIRST_ROW, LAST_ROW, Direction, Frame, FrameBound
from ir.nodes import Node, node


@node
class WindowUsage(Node):
    """The window over which a call is computed; a frame that is not written is the one that SQL has for that.

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
        return self.frame.lower is FIRST_ROW and self.frame.upper is LAST_ROW

    @property
    def has_current_row(self) -> bool:
        """Whether each row sees itself, so that none is computed over no row at all."""
        return _reaches(self.frame.lower, Direction.FOLLOWING) and _reaches(self.frame.upper, Direction.PRECEDING)


def _reaches(bound: FrameBound, beyond: Direction) -> bool:
    """Whether a bound is at the current row or on its own side of it, and not ``beyond`` it."""
    return bound.direction is not beyond


@node
class Usage(Node):
    """How a call stands in a query, beside what it says itself.

    Attributes:
        is_grouped: whether it aggregates the rows of groups that have keys, so that each group has a row.
        is_filtered: whether a condition is said around it, of an aggregate made of expressions of which it is a part.
        window: the window over which it is computed, None where it is over none.
    """

    is_grouped: bool = False
    is_filtered: bool = False
    window: WindowUsage | None = None


ALONE = Usage()
GROUPED = Usage(is_grouped=True)


def usage_of_groups(keys: object) -> Usage:
    """Return how an aggregate is used beside some keys of groups, or none."""
    return GROUPED if keys else ALONE


def usage_of_cells(keys: object) -> Usage:
    """Return how an aggregate of PIVOT is used: in each cell it is of the rows with one value, of which none may be."""
    return Usage(is_grouped=bool(keys), is_filtered=True)
