"""Group windows and over windows, by PyFlink's module name."""

from tableapi.window.group import (
    Cumulate,
    CumulateWithSize,
    CumulateWithSizeAndStep,
    CumulateWithSizeAndStepOnTime,
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
    "Cumulate",
    "CumulateWithSize",
    "CumulateWithSizeAndStep",
    "CumulateWithSizeAndStepOnTime",
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
