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

__all__ = [
    "GroupWindow",
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
