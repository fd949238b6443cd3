"""Report the failure of a user-defined function to the driver: with the user's traceback and the row's arguments."""

from __future__ import annotations

import json
import os
import traceback
from typing import Any

MARK = "TABLEAPI_FUNCTION_FAILED "
SOURCE_MARK = "TABLEAPI_SOURCE_FAILED "
# Exceptions that count as a failure of a user-defined function. sys.exit() ends the function, and not the worker.
FAILURES = (Exception, SystemExit, KeyboardInterrupt)
_MOST_CHARACTERS = 300
_MOST_FRAMES = 20


class FunctionFailed(Exception):
    """A user-defined function failed; the message is a line that the driver parses."""


class SourceFailed(Exception):
    """A data source of this library failed for a reason that users can act on; the driver parses the message.

    Attributes:
        sentence: the reason.
    """

    def __init__(self, sentence: str) -> None:
        super().__init__(SOURCE_MARK + json.dumps(sentence))
        self.sentence = sentence


def failure(
    name: str, arguments: Any, error: BaseException, *, skip: int = 1, attempts: int | None = None
) -> FunctionFailed:
    """Return the error to raise for an error of a user function; skip its first frames, which are not user code."""
    frames = traceback.extract_tb(error.__traceback__)[skip:][-_MOST_FRAMES:]
    told = {
        "function": name,
        "arguments": None if arguments is None else [_display_value(argument) for argument in arguments],
        "error": "".join(traceback.format_exception_only(type(error), error)).strip(),
        "traceback": "".join(traceback.format_list(frames)),
        "attempts": attempts,
    }
    return FunctionFailed(MARK + json.dumps(told))


def count_own_frames(error: BaseException) -> int:
    """Return the number of frames of the runtime modules that precede the user's code in a traceback."""
    frames = traceback.extract_tb(error.__traceback__)
    # A module that is pickled by value keeps the path of its source file.
    own = os.path.dirname(count_own_frames.__code__.co_filename)
    outside = (number for number, frame in enumerate(frames) if os.path.dirname(frame.filename) != own)
    return next(outside, len(frames))


def _display_value(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= _MOST_CHARACTERS else text[:_MOST_CHARACTERS] + "…"
