"""Builds Flink's group window functions: GROUP BY TUMBLE(ts, INTERVAL '10' MINUTE), TUMBLE_START and others.

These functions are older than the window table functions. TUMBLE groups rows by a window, and TUMBLE_START reads a
bound of the window.

Source: https://nightlies.apache.org/flink/flink-docs-stable/docs/dev/table/sql/queries/window-agg/
"""

from __future__ import annotations

from collections.abc import Sequence

from grammar import syntax as s
from grammar.builder.expressions.operands import Make
from grammar.builder.from_clause.window_functions import no_length
from grammar.errors import Misread
from ir.durations import duration_text
from ir.expressions import Expression, ValueLiteral
from ir.functions.arithmetic import MINUS
from ir.functions.collection import GET
from ir.functions.time_window import END, MILLISECOND, SESSION_WINDOW, START, WINDOW
from ir.identifiers import fold
from ir.literals import literal
from ir.types import DayTimeIntervalType
from ir.unresolved import UnresolvedCall

_LENGTHS = {"tumble": ("size",), "hop": ("slide", "size"), "session": ("gap",)}
_PARTS = ("start", "end", "rowtime", "proctime")


def _find_window_and_part(node: s.Call) -> tuple[str, str] | None:
    """Return the window function and window part that a call names, None for any other call."""
    if node.form or len(node.function.names) != 1 or node.function.names[0].quoted:
        return None
    window, _, part = fold(node.function.names[0].text).partition("_")
    if window not in _LENGTHS or part not in ("", *_PARTS):
        return None
    # Without a part, TUMBLE and its siblings may also be window table functions, which take a table.
    return (window, part) if part or len(node.arguments) == 1 + len(_LENGTHS[window]) else None


def read_group_window(node: s.Call) -> Make | None:
    """Return the function that builds the window of a call or the part of a window that the call names, else None."""
    found = _find_window_and_part(node)
    return None if found is None else lambda operands: _build_window(node, *found, operands)


def _build_window(node: s.Call, name: str, part: str, operands: Sequence[Expression]) -> Expression:
    """Build the window of a call, or the part of a window that it names.

    Raises:
        Misread: the arguments are not a time and intervals.
    """
    shown = node.function.names[0].text.upper()
    lengths = _LENGTHS[name]
    if len(operands) != 1 + len(lengths):
        raise Misread(
            node.position,
            f"{shown} takes a time and {' and '.join(f'a {length}' for length in lengths)}: "
            f"{shown}(ts, {', '.join(['INTERVAL …'] * len(lengths))}).",
        )
    if part == "proctime":
        raise Misread(
            node.position, f"{shown} needs processing time, which Spark does not have. Use a column of times."
        )
    time, *given = operands
    texts = {
        length: literal(_text(value, written.position, days=name != "session"))
        for length, value, written in zip(lengths, given, node.arguments[1:], strict=True)
    }
    window = (
        UnresolvedCall(SESSION_WINDOW, (time, texts["gap"]))
        if name == "session"
        else UnresolvedCall(WINDOW, (time, *[texts[length] for length in ("size", "slide") if length in texts]))
    )
    if not part:
        return window
    bound = UnresolvedCall(GET, (window, literal(START if part == "start" else END)))
    return UnresolvedCall(MINUS, (bound, MILLISECOND)) if part == "rowtime" else bound


def _text(length: Expression, position: int, *, days: bool) -> str:
    if not isinstance(length, ValueLiteral) or not isinstance(length.type_, DayTimeIntervalType) or length.is_null:
        raise no_length(length, position)
    return duration_text(length.value, days=days)
