"""Group windows and over windows, by PyFlink's module name."""

from tableapi.window.group import (
    GroupWindow,
    Session,
    SessionWithGap,
    SessionWithGapOnTime,
    Slide,
    SlideWithSize,
    SlideWithSizeAndSlide,
    SlideWithSizeAndSlideOnTime,
    Tumble,
    TumbleWithSize,
    TumbleWithSizeOnTime,
)
from tableapi.window.over import (
    Over,
    OverWindow,
    OverWindowPartitioned,
    OverWindowPartitionedOrdered,
    OverWindowPartitionedOrderedPreceding,
)

__all__ = [
    "GroupWindow",
    "Over",
    "OverWindow",
    "OverWindowPartitioned",
    "OverWindowPartitionedOrdered",
    "OverWindowPartitionedOrderedPreceding",
    "Session",
    "SessionWithGap",
    "SessionWithGapOnTime",
    "Slide",
    "SlideWithSize",
    "SlideWithSizeAndSlide",
    "SlideWithSizeAndSlideOnTime",
    "Tumble",
    "TumbleWithSize",
    "TumbleWithSizeOnTime",
]
