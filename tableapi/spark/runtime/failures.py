"""How a failure of a function that people wrote finds its way back: with their traceback and the row's arguments."""

from __future__ import annotations

import json
import os
import traceback
from typing import Any

MARK = "TABLEAPI_FUNCTION_FAILED "
# What a function of users fails with; sys.exit() ends a function as well, and not the worker.
FAILURES = (Exception, SystemExit, KeyboardInterrupt)
_MOST_CHARACTERS = 300
_MOST_FRAMES = 20


class FunctionFailed(Exception):
    """A function failed; the message is a line that the driver reads."""


def failure(
    name: str, arguments: Any, error: BaseException, *, skip: int = 1, attempts: int | None = None
) -> FunctionFailed:
    """Return the error to raise for one that a function raised, whose first ``skip`` frames are not the user's."""
    frames = traceback.extract_tb(error.__traceback__)[skip:][-_MOST_FRAMES:]
    told = {
        "function": name,
        "arguments": None if arguments is None else [_shown(argument) for argument in arguments],
        "error": "".join(traceback.format_exception_only(type(error), error)).strip(),
        "traceback": "".join(traceback.format_list(frames)),
        "attempts": attempts,
    }
    return FunctionFailed(MARK + json.dumps(told))


def own_frames(error: BaseException) -> int:
    """Return how many frames of a failure are of the modules beside this one, before those of the user's code."""
    frames = traceback.extract_tb(error.__traceback__)
    # Sent by value, a module keeps the path that its code was read from.
    own = os.path.dirname(own_frames.__code__.co_filename)
    outside = (number for number, frame in enumerate(frames) if os.path.dirname(frame.filename) != own)
    return next(outside, len(frames))


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= _MOST_CHARACTERS else text[:_MOST_CHARACTERS] + "…"
