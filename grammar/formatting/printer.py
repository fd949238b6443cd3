"""Lines made of a stream of tokens and places where lines may break.

After D. Oppen, "Prettyprinting" (1980): a group is written on one line if it fits there with what follows it up to the
next place to break, else all its places break. Sums from the left and from the right make that one comparison for each
group, so that the time is linear in the text, and nothing is recursive.
"""

from __future__ import annotations

from enum import IntEnum

from grammar.formatting.concrete import Comment, Leaf
from ir.operations.operation import MAX_INDENT

_INDENT = 4
# What is left to lines that are indented far, whatever the width.
_LEAST_ROOM = 40
# Signs after which a comment belongs to what follows, and signs that stand directly after a comment.
_OPENING = {"(", "[", ","}
_CLOSING = {",", ")", "]", ";"}


class Mark(IntEnum):
    """What stands between tokens."""

    SPACE = 0
    """A blank."""
    LINE = 1
    """A blank, or a line break if the group breaks."""
    SOFT = 2
    """Nothing, or a line break if the group breaks."""
    HARD = 3
    """A line break."""
    EMPTY = 4
    """An empty line."""
    OPEN = 5
    """Begins a group, which breaks if it does not fit or holds a line break."""
    OPEN_LOOSE = 6
    """Begins a group, which breaks if what it holds before the first line break does not fit."""
    CLOSE = 7
    INDENT = 8
    """Lines from here on are indented."""
    INDENT_BROKEN = 9
    """Lines from here on are indented if the group breaks."""
    DEDENT = 10
    """Ends what the last of either began."""


Op = Mark | Leaf


def render(ops: list[Op], width: int, newline: str) -> str:
    """Return the text of a statement, without a line break at its end."""
    return _Writer(ops, width, newline).text()


def comment_text(comment: Comment, newline: str) -> str:
    """Return a comment as it is written: as it was, without blanks at its end."""
    text = comment.text.rstrip().replace("\r\n", "\n").replace("\n", newline)
    # A backslash before the line break would make the next line part of the comment.
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
        """Leave it to the layout whether a line ends behind a comment in brackets, where it may end one.

        Else a group that was broken there for its width would be held to be broken for the comment the next time.
        """
        last: Leaf | None = None
        for op in self._ops:
            if isinstance(op, Leaf):
                last = op if op.ends_line and not any(comment.is_line for comment in op.after) else None
            elif last is not None and (op is Mark.LINE or op is Mark.SOFT):
                last.ends_line, last = False, None

    def _move_comments(self) -> None:
        """Leave comments inside of a line on that line where the token after them begins another."""
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
        """Find out for each group how much room it needs, or that it breaks."""
        ops = self._ops
        size = 0
        sizes = [0] * (len(ops) + 1)
        breaks = [False] * len(ops)
        # Of each open group: where it begins, the size before its first line break, and whether there is one.
        opened: list[int] = []
        first_break: dict[int, int] = {}
        ends: dict[int, int] = {}
        broken: set[int] = set()
        # How many groups hold both the last token and the next, and whether a comment ends the line between.
        common, pending = 0, False
        # The group that the last place to break is of, and those that break at one because of a comment there.
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
        # From each place, where the next line break can be.
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
        # What must stand before the next token: a line break with its depth, or blanks.
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
                # A line break where the layout has none indents what follows it.
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
