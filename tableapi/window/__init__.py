"""Group windows and over windows, under PyFlink's module name."""

from typing import TYPE_CHECKING

from tableapi.unknown_members import names_on_request
from tableapi.window.over import (
    Over,
    OverWindow,
    OverWindowPartitioned,
    OverWindowPartitionedOrdered,
    OverWindowPartitionedOrderedPreceding,
)

if TYPE_CHECKING:
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

if not TYPE_CHECKING:
    # A type checker would otherwise accept any attribute of this module.
    __getattr__, __dir__ = names_on_request(__name__, dict.fromkeys(__all__, "tableapi.window.group"))
