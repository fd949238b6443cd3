"""Lines that are too long to read, broken where their parentheses and CASEs are.

Only blanks between words change. A line that is broken has its calls one argument a line, as far as they need it:
a call of one argument goes on in its own line, and a list of short values fills its lines.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import attrs

from ir.rendering import Dialect

LONGEST = 200
"""Lines up to this length stay as they are."""
long_line = re.compile(rf"^.{{{LONGEST + 1}}}", re.MULTILINE).search
_WIDTH = 110
_INDENT = 4
# What is nested deeper, or longer, no person reads; it stays on one line.
_DEEPEST, _MOST = 40, 50_000
_SHORT = 24

_QUOTED = {
    Dialect.SPARK: r"'(?:[^'\\]|\\.)*'|`(?:[^`]|``)*`",
    Dialect.FLINK: r"'(?:[^']|'')*'|`(?:[^`]|``)*`",
}
_TOKEN = {
    dialect: re.compile(
        rf"{quoted}|(?P<open>[(\[]|\bCASE\b|\b(?:ARRAY|MAP|MULTISET|ROW|STRUCT)<)|(?P<close>[)\]]|\bEND\b)"
        r"|(?P<close_type>>)|(?P<next>,|\b(?:WHEN|ELSE)\b)|\n"
    )
    for dialect, quoted in _QUOTED.items()
}


@attrs.define(eq=False)
class _Group:
    """What stands between parentheses, CASE and END, or in the angle brackets of a type.

    It goes from its first character to the one after its last.
    ``starts`` are where its parts begin: after a comma, or with WHEN and ELSE.
    """

    start: int
    inside: int
    is_case: bool
    starts: list[int]
    groups: list[_Group] = attrs.Factory(list)
    until: int = 0
    end: int = 0
    height: int = 1


def broken(text: str, dialect: Dialect) -> str:
    """Return text with its long lines broken; of a line that cannot be, the line itself.

    >>> print(broken(f"    F({', '.join(40 * ['`a` + 1'])}, CONCAT('(', `b`)) AS `x`", Dialect.SPARK).splitlines()[-2])
            CONCAT('(', `b`)
    """
    return "\n".join([_line(line, groups, text) for line, groups in _lines(text, dialect)])


def _lines(text: str, dialect: Dialect) -> Iterator[tuple[tuple[int, int], list[_Group]]]:
    """Yield where each line begins and ends, with the groups in it that are in no other one."""
    begin = 0
    outer: list[_Group] = []
    stack: list[_Group] = []
    for token in _TOKEN[dialect].finditer(text):
        kind = token.lastgroup
        if kind == "open":
            stack.append(_Group(token.start(), token.end(), token[0] == "CASE", [token.end()]))
        elif stack and (kind == "close" or (kind == "close_type" and text[stack[-1].inside - 1] == "<")):
            group = stack.pop()
            group.until, group.end = token.start(), token.end()
            (stack[-1].groups if stack else outer).append(group)
            if stack:
                stack[-1].height = max(stack[-1].height, group.height + 1)
        elif kind == "next" and stack and stack[-1].is_case == (token[0] != ","):
            stack[-1].starts.append(token.start() if stack[-1].is_case else token.end())
        elif token[0] == "\n" and not stack:
            yield (begin, token.start()), outer
            begin, outer = token.end(), []
    yield (begin, len(text)), outer


def _line(bounds: tuple[int, int], groups: list[_Group], text: str) -> str:
    begin, end = bounds
    line = text[begin:end]
    too_deep = any(group.height > _DEEPEST for group in groups)
    if len(line) <= LONGEST or len(line) > _MOST or too_deep:
        return line
    return _laid(text, begin, end, groups, len(line) - len(line.lstrip(" ")))


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
    if len(group.starts) == 1 and not group.is_case:
        return _laid(text, group.start, group.end, group.groups, indent)
    opening, closing = text[group.start : group.inside], text[group.until : group.end]
    below, ends = indent + _INDENT, [*group.starts[1:], group.until]
    parts = []
    for start, end in zip(group.starts, ends, strict=True):
        inner = [one for one in group.groups if start <= one.start < end]
        first = len(text[start:end]) - len(text[start:end].lstrip(" "))
        parts.append(_laid(text, start + first, end, inner, below).rstrip(" "))
    line_end = "\n" + " " * below
    if group.is_case:
        head = f"{opening} {parts[0]}" if parts[0] else opening
        return f"{line_end.join([head, *parts[1:]])}\n{' ' * indent}{closing}"
    if max(map(len, parts)) <= _SHORT:
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
