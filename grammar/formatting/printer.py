"""Renders a stream of tokens and break marks as lines of limited width.

The algorithm follows D. Oppen, "Prettyprinting" (1980): a group stays on one line if it fits, together with the text
up to the next possible break; otherwise all its marks break. Prefix sums decide this with one comparison a group, so
that the time is linear, and nothing recurses.
"""

from __future__ import annotations

from enum import IntEnum

from grammar.formatting.concrete import Comment, Leaf
from ir.operations.operation import MAX_INDENT

_INDENT = 4
# The room that deeply indented lines keep, whatever the width.
_LEAST_ROOM = 40
# Signs after which a comment belongs to the next token, and signs that directly follow a comment.
_OPENING = {"(", "[", ","}
_CLOSING = {",", ")", "]", ";"}


class Mark(IntEnum):
    """A mark between tokens."""

    SPACE = 0
    """A blank."""
    LINE = 1
    """A blank, or a line break if the group breaks."""
    SOFT = 2
    """Nothing, or a line break if the group breaks."""
    HARD = 3
    """A line break."""
    EMPTY = 4
    """A blank line."""
    OPEN = 5
    """Begins a group, which breaks if it does not fit or contains a line break."""
    OPEN_LOOSE = 6
    """Begins a group, which breaks if its part before the first line break does not fit."""
    CLOSE = 7
    INDENT = 8
    """Indents the following lines."""
    INDENT_BROKEN = 9
    """Indents the following lines if the group breaks."""
    DEDENT = 10
    """Ends the innermost INDENT or INDENT_BROKEN."""


Op = Mark | Leaf


def render(ops: list[Op], width: int, newline: str) -> str:
    """Return the text of a statement, without a final line break."""
    return _Writer(ops, width, newline).text()


def comment_text(comment: Comment, newline: str) -> str:
    """Return a comment unchanged, without trailing blanks."""
    text = comment.text.rstrip().replace("\r\n", "\n").replace("\n", newline)
    # A backslash before the line break would continue the comment on the next line.
    return text + " " if comment.is_line and text.endswith("\\") else text


class _Writer:
    def __init__(self, ops: list[Op], width: int, newline: str) -> None:
        self._ops = ops
        self._width = width
        self._newline = newline
        self._move_comments()
        self._join_lines()
        self._measure()

    def _join_lines(self) -> None:
        """Let the layout decide whether a line ends after a bracketed comment, if the line may end there.

        Otherwise a group that breaks there for its width would, when formatted again, break because of the comment.
        """
        last: Leaf | None = None
        for op in self._ops:
            if isinstance(op, Leaf):
                last = op if op.ends_line and not any(comment.is_line for comment in op.after) else None
            elif last is not None and (op is Mark.LINE or op is Mark.SOFT):
                last.ends_line, last = False, None

    def _move_comments(self) -> None:
        """Keep an inline comment on its line if the token after it begins the next line."""
        last: Leaf | None = None
        is_hard = False
        for op in self._ops:
            if isinstance(op, Leaf):
                is_inside = not op.breaks_after_comments and not any(c.breaks_before for c in op.before)
                if op.before and is_hard and is_inside and last is not None and last.text not in _OPENING:
                    last.after += op.before
                    op.before = []
                last, is_hard = op, False
            elif op is Mark.HARD or op is Mark.EMPTY:
                is_hard = True

    def _measure(self) -> None:
        """Compute the room that each group needs, or None if it must break."""
        ops = self._ops
        size = 0
        sizes = [0] * (len(ops) + 1)
        breaks = [False] * len(ops)
        # For each open group: its start, the size before its first line break, and whether it contains one.
        opened: list[int] = []
        first_break: dict[int, int] = {}
        ends: dict[int, int] = {}
        broken: set[int] = set()
        # The number of groups that contain both the last and the next token, and whether a comment ends the line
        # between.
        common, pending = 0, False
        # The group of the last break mark, and the groups that break at a mark because of a comment there.
        of_line: int | None = None
        broken_at_line: set[int] = set()
        for number, op in enumerate(ops):
            sizes[number] = size
            if isinstance(op, Leaf):
                if pending or op.begins_line:
                    breaks[number] = True
                    if common:
                        broken.add(opened[common - 1])
                        first_break.setdefault(opened[common - 1], size)
                    if of_line is not None:
                        broken_at_line.add(of_line)
                of_line = None
                size += len(op.text) + sum(len(c.text) + 1 for c in (*op.before, *op.after) if not c.is_line)
                common, pending = len(opened), op.ends_line
            elif op is Mark.SPACE:
                size += 1
            elif op is Mark.LINE or op is Mark.SOFT:
                breaks[number] = True
                size += op is Mark.LINE
                of_line = opened[-1] if opened else None
            elif op is Mark.HARD or op is Mark.EMPTY:
                breaks[number] = True
                if opened:
                    broken.add(opened[-1])
                    first_break.setdefault(opened[-1], size)
            elif op is Mark.OPEN or op is Mark.OPEN_LOOSE:
                opened.append(number)
            elif op is Mark.CLOSE:
                group = opened.pop()
                ends[group] = number
                common = min(common, len(opened))
                if group in broken and opened:
                    broken.add(opened[-1])
                    first_break.setdefault(opened[-1], first_break[group])
        sizes[len(ops)] = size
        # For each place, the size at the next possible line break.
        following = [size] * (len(ops) + 1)
        for number in range(len(ops) - 1, -1, -1):
            following[number] = sizes[number] if breaks[number] else following[number + 1]
        self._needed: dict[int, int | None] = {}
        self._broken = broken
        for group, end in ends.items():
            if group not in broken:
                self._needed[group] = following[end] - sizes[group]
            elif ops[group] is Mark.OPEN_LOOSE and group not in broken_at_line:
                self._needed[group] = first_break[group] - sizes[group]
            else:
                self._needed[group] = None

    def text(self) -> str:
        parts: list[str] = []
        column = start = depth = 0
        flat = [False]
        depths: list[int] = []
        # The pending whitespace before the next token: line breaks with their depth, or a blank.
        lines, at, blank = 0, 0, False
        before = ""

        def put(text: str) -> None:
            nonlocal column, start, lines, blank
            if lines and parts:
                start = column = _INDENT * min(at, MAX_INDENT)
                parts.append(self._newline * lines + " " * column)
            elif blank and parts:
                parts.append(" ")
                column += 1
            lines, blank = 0, False
            parts.append(text)
            last = text.rfind("\n")
            column = column + len(text) if last < 0 else len(text) - last - 1

        for number, op in enumerate(self._ops):
            if isinstance(op, Leaf):
                # After a line break that the layout does not have, the next line is indented.
                at = at if lines else depth + 1
                for comment in op.before:
                    if comment.breaks_before and op.begins_line:
                        lines = max(lines, 1)
                    else:
                        blank = blank or before not in ("(", "[")
                    put(comment_text(comment, self._newline))
                    blank, lines = True, int(comment.is_line)
                if op.before and op.breaks_after_comments:
                    lines = 1
                if op.text in _CLOSING:
                    blank = False
                put(op.text)
                before = op.text
                for comment in op.after:
                    blank = before not in ("(", "[") or comment.is_line
                    put(comment_text(comment, self._newline))
                    blank = True
                if op.ends_line:
                    lines, at = 1, depth + 1
            elif op is Mark.SPACE:
                blank = True
            elif op is Mark.LINE or op is Mark.SOFT:
                if not flat[-1]:
                    lines, at = max(lines, 1), depth
                elif op is Mark.LINE:
                    blank = True
            elif op is Mark.HARD:
                lines, at = max(lines, 1), depth
            elif op is Mark.EMPTY:
                lines, at = 2, depth
            elif op is Mark.OPEN or op is Mark.OPEN_LOOSE:
                if flat[-1] and number not in self._broken:
                    flat.append(True)
                else:
                    needed = self._needed[number]
                    here = (_INDENT * min(at, MAX_INDENT)) if lines else column + blank
                    begin = here if lines else start
                    flat.append(needed is not None and here + needed <= max(self._width, begin + _LEAST_ROOM))
            elif op is Mark.CLOSE:
                flat.pop()
            elif op is Mark.DEDENT:
                depth = depths.pop()
            else:
                depths.append(depth)
                depth += op is Mark.INDENT or not flat[-1]
        return "".join(parts)
