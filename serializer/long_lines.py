"""Lines that are too long to read, broken where their conditions, parentheses and CASEs are.

Only blanks between words change. A condition that is broken has its alternatives one a line or, where it has none, what
it consists of; then a line has its calls one argument a line, as far as they need it: a call of one argument goes on in
its own line, and a list of short values fills its lines.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator

import attrs

from ir.rendering import Dialect

LONGEST = 120
"""Lines up to this length stay as they are."""
long_line = re.compile(rf"^.{{{LONGEST + 1}}}", re.MULTILINE).search
_WIDTH = 110
_INDENT = 4
# What is nested deeper, or longer, no person reads; it stays on one line.
_DEEPEST, _MOST = 40, 50_000
_SHORT = 24

# What is quoted, a word with the bracket of a type after it perhaps, or a sign that groups or separates.
_WORD_OR_SIGN = r"|OVER \(|WITHIN GROUP \(|[A-Za-z_]\w*<?|[()\[\],>\n]"
_TOKENS = {
    Dialect.SPARK: r"'(?:[^'\\]|\\.)*'|`(?:[^`]|``)*`" + _WORD_OR_SIGN,
    Dialect.FLINK: r"'(?:[^']|'')*'|`(?:[^`]|``)*`" + _WORD_OR_SIGN,
}
# What begins a part of a group of the kind.
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
    """What stands between parentheses, CASE and END, or in the angle brackets of a type.

    It goes from its first character to the one after its last. ``kind`` is ``CASE``, ``window`` or nothing. ``starts``
    are where its parts begin: after a comma, with WHEN and ELSE, with the clauses of a window, whose ``commas`` stand
    within its parts.
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


def broken(text: str, dialect: Dialect) -> str:
    """Return text with its long lines broken; of a line that cannot be, the line itself.

    >>> print(broken(" OR ".join(["`a` = 1"] * 30), Dialect.SPARK).splitlines()[1])
        OR `a` = 1
    """
    return "\n".join([_written(line, text) for line in _lines(text, dialect)])


@attrs.define(eq=False)
class _Line:
    """A line: where it begins and ends, the groups in it that are in no other one, and where its AND and OR stand."""

    begin: int
    end: int = 0
    groups: list[_Group] = attrs.Factory(list)
    joints: dict[str, list[int]] = attrs.Factory(dict)


def _lines(text: str, dialect: Dialect) -> Iterator[_Line]:
    """Yield the lines of a text."""
    line = _Line(0)
    stack: list[_Group] = []
    # The next AND belongs to the last BETWEEN.
    is_between = False
    for token in re.finditer(_TOKENS[dialect], text):
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


def _written(line: _Line, text: str) -> str:
    written = text[line.begin : line.end]
    too_deep = any(group.height > _DEEPEST for group in line.groups)
    if len(written) <= LONGEST or len(written) > _MOST or too_deep:
        return written
    indent = len(written) - len(written.lstrip(" "))
    return _joined(text, line, line.begin, line.end, deque(line.groups), ("OR", "AND"), indent)


def _joined(
    text: str, line: _Line, begin: int, end: int, groups: deque[_Group], words: tuple[str, ...], indent: int
) -> str:
    """Return a part of a line, broken before each of the first words that join it, and its parts before the others.

    Groups that it has are taken from the left of ``groups``.
    """
    own = []
    if not words or end - begin <= LONGEST:
        while groups and groups[0].start < end:
            own.append(groups.popleft())
        return (_laid(text, begin, end, own, indent) if end - begin > LONGEST else text[begin:end]).rstrip(" ")
    parts, start = [], begin
    for stop in [*(at for at in line.joints.get(words[0], ()) if begin < at < end), end]:
        # What is joined to the first part stands a step further in.
        below = indent + _INDENT * (start > begin)
        parts.append(_joined(text, line, start, stop, groups, words[1:], below))
        start = stop
    return ("\n" + " " * (indent + _INDENT)).join(parts)


def _laid(text: str, begin: int, end: int, groups: list[_Group], indent: int) -> str:
    """Return a part of a line in as many lines as it needs; those after the first begin at an indent."""
    if not groups or end - begin <= _WIDTH - indent:
        return text[begin:end]
    longest = max(group.end - group.start for group in groups)
    made, position = [], begin
    for group in groups:
        is_broken = 2 * (group.end - group.start) >= longest
        made.append(text[position : group.start])
        made.append(_broken_group(text, group, indent) if is_broken else text[group.start : group.end])
        position = group.end
    return "".join([*made, text[position:end]])


def _broken_group(text: str, group: _Group, indent: int) -> str:
    if len(group.starts) == 1 and not group.kind:
        return _laid(text, group.start, group.end, group.groups, indent)
    opening, closing = text[group.start : group.inside], text[group.until : group.end]
    below, ends = indent + _INDENT, [*group.starts[1:], group.until]
    parts = []
    for start, end in zip(group.starts, ends, strict=True):
        inner = [one for one in group.groups if start <= one.start < end]
        first = len(text[start:end]) - len(text[start:end].lstrip(" "))
        part = _laid(text, start + first, end, inner, below).rstrip(" ")
        if group.kind == "window" and len(part) > _WIDTH - below:
            ends_of_keys = [*[comma for comma in group.commas if start < comma < end], end]
            keys = [text[a:b].strip(" ") for a, b in zip([start, *ends_of_keys], ends_of_keys, strict=False)]
            part = _filled(keys, below + _INDENT)
        parts.append(part)
    line_end = "\n" + " " * below
    if group.kind == "CASE":
        head = f"{opening} {parts[0]}" if parts[0] else opening
        return f"{line_end.join([head, *parts[1:]])}\n{' ' * indent}{closing}"
    if not group.kind and max(map(len, parts)) <= _SHORT:
        return f"{opening}{line_end}{_filled(parts, below)}\n{' ' * indent}{closing}"
    return f"{opening}{line_end}{line_end.join(parts)}\n{' ' * indent}{closing}"


def _filled(parts: list[str], indent: int) -> str:
    """Return short parts in lines that are as long as they may be."""
    lines = [parts[0]]
    for part in parts[1:]:
        if len(lines[-1]) + 1 + len(part) <= _WIDTH - indent:
            lines[-1] += f" {part}"
        else:
            lines.append(part)
    return ("\n" + " " * indent).join(lines)
