"""Breaks lines that are too long, at their conditions, parentheses and CASEs.

Only blanks between words change. A condition breaks before each OR or, without OR, before each AND. A line that is
still too long breaks its calls, with an argument on each line; a call of one argument continues on its own line, and
short values share lines.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator

from ir import light_attrs as attrs
from serializer.items import LONGEST
from serializer.notation import Notation

long_line = re.compile(rf"^.{{{LONGEST + 1}}}", re.MULTILINE).search
_WIDTH = 110
_INDENT = 4
# Deeper or longer text, which nobody reads, stays on one line.
_DEEPEST, _MOST = 40, 50_000
_SHORT = 24

# Tokens: quoted text, a word with an optional type bracket, and signs that group or separate.
_OTHER_TOKENS = r"|`(?:[^`]|``)*`|OVER \(|WITHIN GROUP \(|[A-Za-z_]\w*<?|[()\[\],>\n]"
# The words that begin the parts of each kind of group.
_NEXT = {"": (",",), "CASE": ("WHEN", "ELSE"), "window": ("PARTITION", "ORDER", "ROWS", "RANGE")}
_WINDOWS = ("OVER (", "WITHIN GROUP (")
_KINDS = {
    **dict.fromkeys(("(", "[", "CASE", "ARRAY<", "MAP<", "MULTISET<", "ROW<", "STRUCT<", *_WINDOWS), "open"),
    **dict.fromkeys((")", "]", "END"), "close"),
    **{word: "next" for words in _NEXT.values() for word in words},
    **dict.fromkeys(("BETWEEN", "AND", "OR"), "joint"),
    ">": "close_type",
    "\n": "line end",
}


@attrs.define(eq=False)
class _Group:
    """The text between parentheses, between CASE and END, or in the angle brackets of a type.

    It extends from ``start`` to ``end``, exclusive. ``kind`` is ``CASE``, ``window`` or empty. ``starts`` are the
    starts of its parts: after a comma, at WHEN and ELSE, or at the clauses of a window. In a window, ``commas`` are
    the ends of the commas within its parts.
    """

    start: int
    inside: int
    kind: str
    starts: list[int]
    commas: list[int] = attrs.Factory(list)
    groups: list[_Group] = attrs.Factory(list)
    until: int = 0
    end: int = 0
    height: int = 1


def break_long_lines(text: str, notation: Notation) -> str:
    """Return a text with its long lines broken. A line that cannot break stays unchanged.

    >>> from serializer.spark_notation import SPARK
    >>> print(break_long_lines(" OR ".join(["`a` = 1"] * 30), SPARK).splitlines()[1])
        OR `a` = 1
    """
    return "\n".join([_write_line(line, text) for line in _lines(text, notation)])


@attrs.define(eq=False)
class _Line:
    """A line: its bounds, its outermost groups, and the positions of its AND and OR."""

    begin: int
    end: int = 0
    groups: list[_Group] = attrs.Factory(list)
    joints: dict[str, list[int]] = attrs.Factory(dict)


def _lines(text: str, notation: Notation) -> Iterator[_Line]:
    """Yield the lines of a text."""
    line = _Line(0)
    stack: list[_Group] = []
    # The AND after a BETWEEN belongs to the BETWEEN.
    is_between = False
    for token in re.finditer(notation.string_pattern + _OTHER_TOKENS, text):
        kind = _KINDS.get(token[0])
        if kind is None:
            continue
        if kind == "joint":
            if not stack and not (is_between and token[0] == "AND"):
                is_between = token[0] == "BETWEEN"
                line.joints.setdefault(token[0], []).append(token.start())
            elif not stack:
                is_between = False
        elif kind == "open":
            group_kind = "window" if token[0] in _WINDOWS else "CASE" if token[0] == "CASE" else ""
            stack.append(_Group(token.start(), token.end(), group_kind, [token.end()]))
        elif stack and (kind == "close" or (kind == "close_type" and text[stack[-1].inside - 1] == "<")):
            group = stack.pop()
            group.until, group.end = token.start(), token.end()
            (stack[-1].groups if stack else line.groups).append(group)
            if stack:
                stack[-1].height = max(stack[-1].height, group.height + 1)
        elif kind == "next" and stack and token[0] in _NEXT[stack[-1].kind]:
            start = token.start() if stack[-1].kind else token.end()
            if start > stack[-1].inside:
                stack[-1].starts.append(start)
        elif token[0] == "," and stack:
            stack[-1].commas.append(token.end())
        elif kind == "line end" and not stack:
            line.end = token.start()
            yield line
            line = _Line(token.end())
    line.end = len(text)
    yield line


def _write_line(line: _Line, text: str) -> str:
    written = text[line.begin : line.end]
    too_deep = any(group.height > _DEEPEST for group in line.groups)
    if len(written) <= LONGEST or len(written) > _MOST or too_deep:
        return written
    indent = len(written) - len(written.lstrip(" "))
    return _break_part(text, line, line.begin, line.end, deque(line.groups), ("OR", "AND"), indent)


def _break_part(
    text: str, line: _Line, begin: int, end: int, groups: deque[_Group], words: tuple[str, ...], indent: int
) -> str:
    """Break a part of a line before each of the first word in ``words``, then its parts before the next words.

    Groups in the part are removed from the left of ``groups``.
    """
    own = []
    if not words or end - begin <= LONGEST:
        while groups and groups[0].start < end:
            own.append(groups.popleft())
        return (_lay_out(text, begin, end, own, indent) if end - begin > LONGEST else text[begin:end]).rstrip(" ")
    parts, start = [], begin
    for stop in [*(at for at in line.joints.get(words[0], ()) if begin < at < end), end]:
        # Every part after the first is indented one step further.
        below = indent + _INDENT * (start > begin)
        parts.append(_break_part(text, line, start, stop, groups, words[1:], below))
        start = stop
    return ("\n" + " " * (indent + _INDENT)).join(parts)


def _lay_out(text: str, begin: int, end: int, groups: list[_Group], indent: int) -> str:
    """Lay out a part of a line on as many lines as it needs; the following lines begin at ``indent``."""
    if not groups or end - begin <= _WIDTH - indent:
        return text[begin:end]
    longest = max(group.end - group.start for group in groups)
    made, position = [], begin
    for group in groups:
        is_broken = 2 * (group.end - group.start) >= longest
        made.append(text[position : group.start])
        made.append(_break_group(text, group, indent) if is_broken else text[group.start : group.end])
        position = group.end
    return "".join([*made, text[position:end]])


def _break_group(text: str, group: _Group, indent: int) -> str:
    if len(group.starts) == 1 and not group.kind:
        return _lay_out(text, group.start, group.end, group.groups, indent)
    opening, closing = text[group.start : group.inside], text[group.until : group.end]
    below, ends = indent + _INDENT, [*group.starts[1:], group.until]
    parts = []
    for start, end in zip(group.starts, ends, strict=True):
        inner = [one for one in group.groups if start <= one.start < end]
        first = len(text[start:end]) - len(text[start:end].lstrip(" "))
        part = _lay_out(text, start + first, end, inner, below).rstrip(" ")
        if group.kind == "window" and len(part) > _WIDTH - below:
            ends_of_keys = [*[comma for comma in group.commas if start < comma < end], end]
            keys = [text[a:b].strip(" ") for a, b in zip([start, *ends_of_keys], ends_of_keys, strict=False)]
            part = _fill_lines(keys, below + _INDENT)
        parts.append(part)
    line_end = "\n" + " " * below
    if group.kind == "CASE":
        head = f"{opening} {parts[0]}" if parts[0] else opening
        return f"{line_end.join([head, *parts[1:]])}\n{' ' * indent}{closing}"
    if not group.kind and max(map(len, parts)) <= _SHORT:
        return f"{opening}{line_end}{_fill_lines(parts, below)}\n{' ' * indent}{closing}"
    return f"{opening}{line_end}{line_end.join(parts)}\n{' ' * indent}{closing}"


def _fill_lines(parts: list[str], indent: int) -> str:
    """Fill lines with short parts."""
    lines = [parts[0]]
    for part in parts[1:]:
        if len(lines[-1]) + 1 + len(part) <= _WIDTH - indent:
            lines[-1] += f" {part}"
        else:
            lines.append(part)
    return ("\n" + " " * indent).join(lines)
