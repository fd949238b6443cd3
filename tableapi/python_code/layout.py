"""Code as text: on one line where it fits, else broken as formatters of Python break it.

The printer is that of Wadler and of Prettier: a group is written on one line where it fits up to the next place at
which a line can end, and otherwise all its own places become ends of lines. The outcome is what ``ruff format`` leaves
as it is: each argument on a line of its own with a comma after the last, a chain of methods with a line for each, an
operator at the beginning of its line.
"""

from __future__ import annotations

from collections.abc import Sequence
from unicodedata import combining, east_asian_width

import attrs

from tableapi.python_code.code import (
    Attribute,
    Binary,
    Code,
    Constant,
    Display,
    Invocation,
    Name,
    Precedence,
    Unary,
    Variable,
)

INDENT = 4


@attrs.frozen(eq=False)
class Line:
    """A place where a line may end; where it does not, there is ``flat``."""

    flat: str = ""


@attrs.frozen(eq=False)
class IfBroken:
    """Text that is there only where the group is broken."""

    text: str


@attrs.frozen(eq=False)
class Indent:
    """Parts whose lines are indented."""

    parts: tuple[Part, ...]


@attrs.frozen(eq=False)
class Group:
    """Parts that are either all on one line, or broken at each of their own places."""

    parts: tuple[Part, ...]
    broken: bool = False


@attrs.frozen(eq=False)
class Whole:
    """A group that is on one line only where all of it is, up to its last character; else ``otherwise`` is taken."""

    parts: tuple[Part, ...]
    otherwise: tuple[Part, ...]


Part = str | Line | IfBroken | Indent | Group | Whole


def statement_text(target: str, code: Code, width: int) -> str:
    """Return the assignment of code to a name."""
    parts: tuple[Part, ...] = (f"{target} = ", *_right_side(code))
    return _printed(parts, width)


def _right_side(code: Code) -> tuple[Part, ...]:
    """Return code that may have parentheses around it where it does not fit on the line."""
    if isinstance(code, Attribute | Invocation) and not _is_fluent(code):
        return _hugging(*_links(code), is_statement=True)
    parts = document(code)
    if isinstance(code, Attribute | Invocation | Binary | Unary):
        return (Group((IfBroken("("), Indent((Line(), *parts)), Line(), IfBroken(")"))),)
    return parts


# --- documents -------------------------------------------------------------------------------------------------------


def document(code: Code) -> tuple[Part, ...]:
    """Return code with the places where its lines may end; code is never so deep that recursion is a problem."""
    if isinstance(code, Name | Constant):
        return (code.text,)
    if isinstance(code, Variable):
        return (code.definition.name,)
    if isinstance(code, Display):
        return _display(code)
    if isinstance(code, Unary):
        return (code.symbol, *_operand(code.operand, Precedence.UNARY))
    if isinstance(code, Binary):
        return (Group(tuple(_binary(code))),)
    assert isinstance(code, Attribute | Invocation), type(code)
    return _chain(code)


def _operand(code: Code, least: Precedence) -> tuple[Part, ...]:
    if code.precedence < least:
        return _in_parentheses(code)
    return document(code)


def _in_parentheses(code: Code) -> tuple[Part, ...]:
    return (Group(("(", Indent((Line(), *document(code))), Line(), ")")),)


def _binary(code: Binary) -> list[Part]:
    """Return operands of one precedence with an end of line before each operator, those of a tighter one grouped."""
    rest: list[tuple[str, Code]] = []
    current: Code = code
    own = code.precedence
    chained = own is not Precedence.COMPARISON
    while isinstance(current, Binary) and current.precedence is own:
        rest.append((current.symbol, current.right))
        current = current.left
        if not chained:
            break
    tighter = Precedence(own + 1)
    parts: list[Part] = list(_operand(current, tighter))
    for symbol, operand in reversed(rest):
        parts += [Line(" "), f"{symbol} ", *_operand(operand, tighter)]
    return parts


def _display(code: Display) -> tuple[Part, ...]:
    opening, closing = code.brackets
    items = []
    for item in code.items:
        if isinstance(item, tuple):
            items.append((*document(item[0]), ": ", *document(item[1])))
        else:
            items.append(document(item))
    if len(items) == 1 and opening == "(":
        return (Group((opening, Indent((Line(), *items[0], ",")), Line(), closing)),)
    return _bracketed(opening, items, closing)


def _bracketed(opening: str, items: Sequence[tuple[Part, ...]], closing: str, broken: bool = False) -> tuple[Part, ...]:
    if not items:
        return (opening + closing,)
    if len(items) == 1:
        # A comma after the only one is there where it takes several lines itself.
        return (Group((opening, Indent((Line(), Group((*items[0], IfBroken(","))))), Line(), closing), broken),)
    inner: list[Part] = []
    for number, item in enumerate(items):
        inner += [",", Line(" ")] if number else []
        inner += item
    return (Group((opening, Indent((Line(), *inner, IfBroken(","))), Line(), closing), broken),)


def _arguments(code: Invocation, broken: bool = False) -> tuple[Part, ...]:
    items = [(*(() if key is None else (f"{key}=",)), *document(argument)) for key, argument in code.arguments]
    return _bracketed("(", items, ")", broken)


@attrs.frozen(eq=False)
class _Link:
    """What follows in a chain: an attribute or arguments; ``starts_line`` where a line may end before it."""

    code: Attribute | Invocation
    starts_line: bool


def _links(code: Code) -> tuple[Code, list[_Link]]:
    links: list[_Link] = []
    while isinstance(code, Attribute | Invocation):
        if isinstance(code, Attribute):
            owner = code.owner
            after = isinstance(owner, Invocation) or owner.precedence < Precedence.PRIMARY
            links.append(_Link(code, after))
            code = owner
        else:
            links.append(_Link(code, False))
            code = code.function
    return code, links[::-1]


def _is_fluent(code: Code) -> bool:
    """Whether a chain has so many calls that each gets a line."""
    return sum(link.starts_line for link in _links(code)[1]) >= 2


def _chain(code: Attribute | Invocation) -> tuple[Part, ...]:
    root, links = _links(code)
    first = _operand(root, Precedence.PRIMARY)
    if sum(link.starts_line for link in links) >= 2:
        parts: list[Part] = list(first)
        for link in links:
            if isinstance(link.code, Attribute):
                parts += [Line(), f".{link.code.name}"] if link.starts_line else [f".{link.code.name}"]
            else:
                parts += _arguments(link.code)
        return (Group(tuple(parts)),)
    return _hugging(root, links)


def _hugging(root: Code, links: list[_Link], is_statement: bool = False) -> tuple[Part, ...]:
    """Return a short chain, of which the call with the longest arguments is broken rather than a later one.

    In a statement, a formatter would not leave it so where that is a call with one argument, without a comma.
    """

    def parts(broken: int | None) -> tuple[Part, ...]:
        made: list[Part] = list(_operand(root, Precedence.PRIMARY))
        for number, link in enumerate(links):
            if isinstance(link.code, Attribute):
                made.append(f".{link.code.name}")
            else:
                made += _arguments(link.code, number == broken)
        return tuple(made)

    calls = [n for n, link in enumerate(links) if isinstance(link.code, Invocation) and link.code.arguments]
    heaviest = max(calls, key=lambda n: links[n].code.weight - _weight_before(links, n), default=None)
    if heaviest is None:
        return parts(None)
    called = links[heaviest].code
    is_single = isinstance(called, Invocation) and len(called.arguments) == 1
    if is_single and is_statement:
        return parts(None)
    return (Whole(parts(None), parts(heaviest)),)


def _weight_before(links: list[_Link], number: int) -> int:
    code = links[number].code
    return code.function.weight if isinstance(code, Invocation) else 0


# --- printing --------------------------------------------------------------------------------------------------------


@attrs.frozen(eq=False)
class _Todo:
    indent: int
    flat: bool
    part: Part


def _printed(parts: Sequence[Part], width: int) -> str:
    text: list[str] = []
    column = 0
    stack = [_Todo(0, False, part) for part in reversed(parts)]
    while stack:
        todo = stack.pop()
        part, flat, indent = todo.part, todo.flat, todo.indent
        if isinstance(part, str):
            text.append(part)
            column += _width(part)
        elif isinstance(part, Line):
            if flat:
                text.append(part.flat)
                column += len(part.flat)
            else:
                text.append("\n" + " " * indent)
                column = indent
        elif isinstance(part, IfBroken):
            if not flat:
                text.append(part.text)
                column += len(part.text)
        elif isinstance(part, Indent):
            stack.extend(_Todo(indent + INDENT, flat, inner) for inner in reversed(part.parts))
        elif isinstance(part, Group):
            one_line = flat or (not part.broken and _fits(part.parts, stack, width - column))
            stack.extend(_todo(part.parts, indent, one_line))
        else:
            one_line = flat or _fits(part.parts, stack, width - column)
            stack.extend(_todo(part.parts if one_line else part.otherwise, indent, one_line))
    return "".join(text)


def _todo(parts: Sequence[Part], indent: int, flat: bool) -> list[_Todo]:
    return [_Todo(indent, flat, part) for part in reversed(parts)]


def _width(text: str) -> int:
    """Return how many columns text takes on a screen, by which formatters count."""
    if text.isascii():
        return len(text)
    return sum([0 if combining(c) else 2 if east_asian_width(c) in "WF" else 1 for c in text])


def _fits(parts: Sequence[Part], after: Sequence[_Todo], room: int) -> bool:
    """Whether parts fit into the room on one line, with what comes after them up to the next possible end of a line."""
    stack = _todo(parts, 0, True)
    following = len(after)
    while room >= 0:
        if not stack:
            if not following:
                return True
            following -= 1
            stack.append(after[following])
        todo = stack.pop()
        part = todo.part
        if isinstance(part, str):
            room -= _width(part)
        elif isinstance(part, Line):
            if not todo.flat:
                return True
            room -= len(part.flat)
        elif isinstance(part, IfBroken):
            room -= 0 if todo.flat else len(part.text)
        else:
            stack.extend(_todo(part.parts, 0, todo.flat))
    return False
