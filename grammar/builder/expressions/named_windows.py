"""Resolves the windows of OVER: the window that one is based on, and its frame."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from grammar import syntax as s
from grammar.errors import Misread
from grammar.language import Form, Language
from grammar.syntax.base import Syntax, fields_of
from ir.errors import did_you_mean
from ir.identifiers import fold


def _adds(window: s.Window) -> bool:
    return not (window.partition_by is None and window.order_by is None and window.frame is None)


def merge_base_windows(
    window: s.Window | s.Name, windows: Mapping[str, s.Window | s.Name], language: Language
) -> s.Window:
    """Merge a window with the windows that it is based on.

    Raises:
        Misread: a window is unknown, or the dialect does not allow parts beside a base window.
    """
    seen: set[str] = set()
    parts: list[s.Window] = []
    current: s.Window | s.Name | None = window
    while current is not None:
        if isinstance(current, s.Name):
            known = list(windows)
            found = windows.get(current.text)
            if isinstance(found, s.Name) and seen:
                language.refuse(Form.RENAMED_WINDOW, current.position, name=current.text, other=found.text)
            if found is None and not current.quoted and current.text.upper() in ("FROM", "AS"):
                raise Misread(current.position, "After OVER stands a window: OVER (PARTITION BY … ORDER BY …).")
            if found is None or current.text in seen:
                raise Misread(
                    current.position,
                    f"There is no window named {current.text!r}; declare it with WINDOW {current.text} AS (…)."
                    + did_you_mean(current.text, known),
                    "MISSING_WINDOW_SPECIFICATION",
                )
            seen.add(current.text)
            current = found
        else:
            parts.append(current)
            if current.base is not None and _adds(current):
                language.refuse(Form.EXTENDED_WINDOW, current.base.position, name=current.base.text)
            current = current.base
    made = s.Window(parts[0].position)
    for part in parts:
        for field in ("partition_by", "order_by", "frame"):
            value = getattr(part, field)
            if value is not None:
                if getattr(made, field) is not None:
                    raise Misread(
                        part.position, f"Two windows, one based on the other, have {field.replace('_', ' ')}."
                    )
                setattr(made, field, value)
    return made


def require_constants(distances: Sequence[Any]) -> None:
    """Reject a frame offset that Spark does not accept as a constant when it parses the text.

    Raises:
        Misread: the offset contains a name or a call.
    """
    waiting = list(distances)
    while waiting:
        part = waiting.pop()
        is_cast = isinstance(part, s.Call) and fold(part.function.names[-1].text) in ("cast", "try_cast")
        if is_cast:
            waiting += part.arguments
        elif isinstance(part, (s.Path, s.Call, s.ScalarSubquery, s.Subscript, s.Member)):
            raise Misread(
                part.position,
                "A distance of a frame is made of literals, operators and casts alone: 2, INTERVAL 10 MINUTES. Spark "
                "takes no name and no call of a function there.",
                "INVALID_SQL_SYNTAX.INVALID_WINDOW_FRAME_BOUND",
            )
        elif isinstance(part, (list, tuple)):
            waiting += part
        elif isinstance(part, Syntax):
            waiting += [getattr(part, name) for name in fields_of(part)]
