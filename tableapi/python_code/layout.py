"""Print code as text: on one line if it fits, and otherwise broken like Python formatters break it.

The printer follows Wadler and Prettier: a group is printed on one line if it fits up to the next possible line break;
otherwise all its own break points become line breaks. ``ruff format`` does not change the result: arguments on lines of
their own with a trailing comma, a line for each method of a chain, an operator at the beginning of a line.
"""

from __future__ import annotations

from collections.abc import Sequence
from unicodedata import combining, east_asian_width

from ir import light_attrs as attrs
from tableapi.python_code.code import (
    Attribute,
    Binary,
    Code,
    Constant,
    Display,
    Invocation,
    Lambda,
    Name,
    Precedence,
    Unary,
    Variable,
)

INDENT = 4


@attrs.frozen(eq=False)
class Line:
    """A possible line break, printed as ``flat`` if the line does not break."""

    flat: str = ""


@attrs.frozen(eq=False)
class IfBroken:
    """Text that is printed only if the group is broken."""

    text: str


@attrs.frozen(eq=False)
class Indent:
    """Parts with indented lines."""

    parts: tuple[Part, ...]


@attrs.frozen(eq=False)
class Group:
    """Parts that are either all on one line, or broken at each of their own break points."""

    parts: tuple[Part, ...]
    broken: bool = False


@attrs.frozen(eq=False)
class Whole:
    """A group that is printed only if all of it fits on one line; otherwise ``otherwise`` is printed."""

    parts: tuple[Part, ...]
    otherwise: tuple[Part, ...]


Part = str | Line | IfBroken | Indent | Group | Whole


def statement_text(target: str | None, code: Code, width: int) -> str:
    """Return the assignment of code to a variable; without one, the statement that returns it from a function."""
    return _print(("return " if target is None else f"{target} = ", *_Documents().right_side(code)), width)


# --- documents -------------------------------------------------------------------------------------------------------


@attrs.frozen(eq=False)
class _Link:
    """A link of a chain: an attribute or a call; ``starts_line`` if a line may break before it."""

    code: Attribute | Invocation
    starts_line: bool


def _links(code: Code) -> tuple[Code, list[_Link]]:
    """Split a chain into its root and its links."""
    links: list[_Link] = []
    while isinstance(code, Attribute | Invocation):
        if isinstance(code, Attribute):
            owner = code.owner
            links.append(_Link(code, isinstance(owner, Invocation) or owner.precedence < Precedence.PRIMARY))
            code = owner
        else:
            links.append(_Link(code, False))
            code = code.function
    return code, links[::-1]


def _is_fluent(links: list[_Link]) -> bool:
    """Whether a chain has enough calls to put each of them on a line of its own."""
    return sum(link.starts_line for link in links) >= 2


class _Documents:
    """Builds the document of a statement, of each part of the code once; the recursion is limited by MAX_DEPTH."""

    def __init__(self) -> None:
        self._done: dict[int, tuple[Part, ...]] = {}

    def right_side(self, code: Code) -> tuple[Part, ...]:
        """Return the document of the right side of an assignment, with parentheses if it does not fit on the line."""
        root, links = _links(code)
        if links and not _is_fluent(links):
            return self._short_chain(root, links, is_statement=True)
        parts = self._build(code)
        if isinstance(code, Attribute | Invocation | Binary | Unary):
            return (Group((IfBroken("("), Indent((Line(), *parts)), Line(), IfBroken(")"))),)
        return parts

    def _build(self, code: Code) -> tuple[Part, ...]:
        found = self._done.get(id(code))
        if found is None:
            found = self._done[id(code)] = self._new(code)
        return found

    def _new(self, code: Code) -> tuple[Part, ...]:
        if isinstance(code, Name | Constant):
            return (code.text,)
        if isinstance(code, Variable):
            return (code.definition.name,)
        if isinstance(code, Display):
            return self._display(code)
        if isinstance(code, Lambda):
            return (f"lambda {', '.join([p.text for p in code.parameters])}: ", *self._body(code.body))
        if isinstance(code, Unary):
            return (code.symbol, *self._operand(code.operand, Precedence.UNARY))
        if isinstance(code, Binary):
            return (Group(tuple(self._binary(code))),)
        root, links = _links(code)
        return self._fluent_chain(root, links) if _is_fluent(links) else self._short_chain(root, links)

    def _operand(self, code: Code, least: Precedence) -> tuple[Part, ...]:
        if code.precedence < least:
            return (Group(("(", Indent((Line(), *self._build(code))), Line(), ")")),)
        return self._build(code)

    def _binary(self, code: Binary) -> list[Part]:
        """Return operands of one precedence with a line break before each operator; other operands are grouped."""
        own = code.precedence
        rest: list[tuple[str, Code]] = []
        current: Code = code
        while isinstance(current, Binary) and current.precedence is own:
            rest.append((current.symbol, current.right))
            current = current.left
            if own is Precedence.COMPARISON:
                # A chain of two comparisons would have another meaning in Python.
                break
        # Fewer people know that & binds tighter than | than that * binds tighter than +, so add parentheses for &.
        tighter = Precedence.ADDITIVE if own is Precedence.OR else Precedence(own + 1)
        parts: list[Part] = list(self._operand(current, tighter))
        for symbol, operand in reversed(rest):
            parts += [Line(" "), f"{symbol} ", *self._operand(operand, tighter)]
        return parts

    def _body(self, code: Code) -> tuple[Part, ...]:
        """Return the body of a lambda, with parentheses around operators that do not fit on the line."""
        if isinstance(code, Binary | Unary):
            return (Group((IfBroken("("), Indent((Line(), *self._build(code))), Line(), IfBroken(")"))),)
        return self._build(code)

    def _display(self, code: Display) -> tuple[Part, ...]:
        opening, closing = code.brackets[0], code.brackets[1]
        items: list[tuple[Part, ...]] = []
        for item in code.items:
            if isinstance(item, tuple):
                items.append((*self._build(item[0]), ": ", *self._build(item[1])))
            else:
                items.append(self._build(item))
        if len(items) == 1 and opening == "(":
            return (Group((opening, Indent((Line(), *items[0], ",")), Line(), closing)),)
        return _bracket(opening, items, closing)

    def _arguments(self, code: Invocation, broken: bool = False) -> tuple[Part, ...]:
        items = [
            self._build(argument) if key is None else (f"{key}=", *self._build(argument))
            for key, argument in code.arguments
        ]
        return _bracket("(", items, ")", broken)

    def _fluent_chain(self, root: Code, links: list[_Link]) -> tuple[Part, ...]:
        parts: list[Part] = list(self._operand(root, Precedence.PRIMARY))
        for link in links:
            parts += [Line()] if link.starts_line else []
            parts += [f".{link.code.name}"] if isinstance(link.code, Attribute) else self._arguments(link.code)
        return (Group(tuple(parts)),)

    def _short_chain(self, root: Code, links: list[_Link], is_statement: bool = False) -> tuple[Part, ...]:
        """Return a short chain, in which the longest bracketed part is broken instead of a later one.

        In a statement, formatters break the last call, unless an earlier call has a trailing comma.
        """

        def parts(broken: Code | None) -> tuple[Part, ...]:
            made = list(self._operand(root, Precedence.PRIMARY))
            for link in links:
                if isinstance(link.code, Attribute):
                    made.append(f".{link.code.name}")
                else:
                    made += self._arguments(link.code, link.code is broken)
            return tuple(made)

        weights: dict[int, tuple[int, Code]] = {id(root): (root.weight, root)}
        for link in links:
            if isinstance(link.code, Invocation) and link.code.arguments:
                weights[id(link.code)] = link.code.weight - link.code.function.weight, link.code
        _, heaviest = max(weights.values(), key=lambda pair: pair[0])
        # Without a trailing comma, formatters would join the lines again.
        if not isinstance(heaviest, Invocation) or (is_statement and len(heaviest.arguments) == 1):
            return parts(None)
        return (Whole(parts(None), parts(heaviest)),)


def _bracket(opening: str, items: Sequence[tuple[Part, ...]], closing: str, broken: bool = False) -> tuple[Part, ...]:
    if not items:
        return (opening + closing,)
    if len(items) == 1 and not broken:
        # A single argument gets a trailing comma only if it takes several lines itself.
        return (Group((opening, Indent((Line(), Group((*items[0], IfBroken(","))))), Line(), closing)),)
    inner: list[Part] = []
    for number, item in enumerate(items):
        inner += [",", Line(" ")] if number else []
        inner += item
    return (Group((opening, Indent((Line(), *inner, IfBroken(","))), Line(), closing), broken),)


# --- printing --------------------------------------------------------------------------------------------------------


@attrs.frozen(eq=False)
class _Todo:
    indent: int
    flat: bool
    part: Part


def _print(parts: Sequence[Part], width: int) -> str:
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
    """Return the display width of a text, which formatters count."""
    if text.isascii():
        return len(text)
    return sum([0 if combining(c) else 2 if east_asian_width(c) in "WF" else 1 for c in text])


def _fits(parts: Sequence[Part], after: Sequence[_Todo], room: int) -> bool:
    """Whether parts fit on the rest of a line, together with the text after them up to the next possible break."""
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
