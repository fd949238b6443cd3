"""Window frames: the rows of a partition, relative to the current row, over which a function is computed."""

from __future__ import annotations

from enum import Enum

from ir.light_typing import TYPE_CHECKING
from ir.nodes import Node, node

if TYPE_CHECKING:
    from ir.expressions import ValueLiteral


class FrameUnit(Enum):
    """The unit of frame bounds: rows, or the distance between values of the sort key."""

    ROWS = "ROWS"
    RANGE = "RANGE"


class Direction(Enum):
    """The side of the current row on which a bound lies; for RANGE, rows with equal sort keys are the current row."""

    PRECEDING = "PRECEDING"
    CURRENT_ROW = "CURRENT ROW"
    FOLLOWING = "FOLLOWING"


@node
class FrameBound(Node):
    """The start or end of a frame; before or after the current row, the ``offset`` None means unbounded.

    The offset is positive: a distance of 0 is the current row, and -1 PRECEDING is 1 FOLLOWING. NULL and NaN, with
    which RANGE includes the rows whose keys are NULL or NaN, are the same on both sides.
    """

    direction: Direction
    offset: ValueLiteral | None = None

    @property
    def is_unbounded(self) -> bool:
        """Whether the bound is the first or the last row."""
        return self.offset is None and self.direction is not Direction.CURRENT_ROW

    def as_summary_string(self) -> str:
        """Return the bound for display: ``2 PRECEDING``."""
        amount = "UNBOUNDED " if self.is_unbounded else ""
        if self.offset is not None:
            amount = f"{self.offset.as_summary_string()} "
        return f"{amount}{self.direction.value}"


@node
class Frame(Node):
    """The rows from ``lower`` to ``upper``, both included."""

    unit: FrameUnit
    lower: FrameBound
    upper: FrameBound

    def as_summary_string(self) -> str:
        """Return the frame for display: ``ROWS BETWEEN 2 PRECEDING AND CURRENT ROW``."""
        return f"{self.unit.value} BETWEEN {self.lower.as_summary_string()} AND {self.upper.as_summary_string()}"

    def __repr__(self) -> str:
        return self.as_summary_string()


FIRST_ROW = FrameBound(Direction.PRECEDING)
CURRENT_ROW = FrameBound(Direction.CURRENT_ROW)
LAST_ROW = FrameBound(Direction.FOLLOWING)
ROWS_SO_FAR = Frame(FrameUnit.ROWS, FIRST_ROW, CURRENT_ROW)
VALUES_SO_FAR = Frame(FrameUnit.RANGE, FIRST_ROW, CURRENT_ROW)
EVERY_ROW = Frame(FrameUnit.ROWS, FIRST_ROW, LAST_ROW)
