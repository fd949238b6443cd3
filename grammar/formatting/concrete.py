"""A text as it was written: every token with the kind that it was taken as, under the rules that took it.

The parser's own loop makes it, over the same tables; only what a reduction makes is another thing than in ``actions``.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import attrs

from grammar.parser import Parser, Token
from grammar.tables import Reduction
from ir.rendering import Dialect

# Rules in which a word is no name although the grammar does not list it: DATE '…', CAST(a AS INT), 10 PERCENT.
_WORD_RULES = {"typed_literal", "plain_type", "table_sample", "sample_size", "schema_mode", "default_collation"}
# Calls with keywords in them, or of a query, are syntax and no names of functions: CAST(a AS …), EXISTS (SELECT …).
_SYNTAX_CALLS = {"query_call", "call_from", "call_trim", "call_placing", "call_to"}
_CASTS = {"CAST", "TRY_CAST"}
# Keywords that a rule took as a name keep their spelling.
_NAME_RULES = {"keyword_name", "version_name", "timestamp_name"}
_VALUE_RULES = {"null", "true", "false"}
# Lists that belong to what is around them.
_INLINED = {"arguments", "table_arguments"}
# Repetitions whose words belong to what is around them: LEFT OUTER JOIN.
_SPREAD = {"join_type", "pipe_modifier"}


@attrs.define(eq=False, slots=True)
class Comment:
    """A comment, and how many line breaks stand between it and what is before it."""

    text: str
    breaks_before: int

    @property
    def is_line(self) -> bool:
        """Whether it goes to the end of its line."""
        return self.text.startswith("--")


@attrs.define(eq=False, slots=True)
class Leaf:
    """A token as it is to be written, with the comments that stand before and after it.

    ``kind`` is ``word`` for keywords, ``value`` for NULL, TRUE and FALSE, ``sign``, or the terminal of the grammar.
    """

    kind: str
    text: str
    position: int
    end: int
    before: list[Comment] = attrs.field(factory=list)
    after: list[Comment] = attrs.field(factory=list)
    breaks_after_comments: int = 0
    ends_line: bool = False
    """Whether the line ends after the comments that stand after it."""

    @property
    def begins_line(self) -> bool:
        """Whether the comments before it stand on lines of their own.

        Where they do not, the line break before them is one of the layout.
        """
        return bool(self.before) and (
            self.breaks_after_comments > 0
            or any(comment.is_line for comment in self.before)
            or any(comment.breaks_before for comment in self.before[1:])
        )


@attrs.define(eq=False, slots=True)
class Node:
    """What a rule or an alias of the grammar took, in the order of the text."""

    name: str
    children: list[Node | Leaf]


class ConcreteParser(Parser):
    """Parses the texts of one dialect into leaves and nodes that lose nothing."""

    def __init__(self, dialect: Dialect) -> None:
        super().__init__(dialect, _NoActions())
        made = self._tables
        words = {made.terminals[number] for number in made.keywords.values()}
        signs = {made.terminals[number] for number in made.operators.values()}
        terminals = set(made.terminals)

        def kind(symbol: str) -> str | None:
            if symbol in words:
                return "word"
            if symbol in signs:
                return "sign"
            return symbol if symbol in terminals else None

        # Every symbol of every rule is kept.
        self._rules = [(r.origin, r.size, 1, _maker(r, kind), None) for r in made.reductions]

    def tree(self, text: str) -> Node:
        """Return a statement as it was written.

        Raises:
            SyntaxProblem: it does not fit the grammar.
        """
        made = self.parse(text, "sql")
        return made if isinstance(made, Node) else Node("sql", [made] if isinstance(made, Leaf) else list(made))


class _NoActions:
    """Takes the place of the actions, of which none is called."""

    def __getattr__(self, name: str) -> Callable[..., None]:
        return lambda *_: None


def _maker(reduction: Reduction, kind: Callable[[str], str | None]) -> Callable[..., Any]:
    """Return what a reduction makes: a node, the one thing in it, or the list of a repetition."""
    origin, _, expansion = reduction.rule.partition(": ")
    kinds = [kind(symbol) for symbol in expansion.split(" ")]
    name = reduction.callback or origin
    is_list = reduction.is_list or origin in _INLINED
    if is_list:
        return _lister(kinds, goes_on=expansion.split(" ")[0] == origin)
    if name in _NAME_RULES or name in _VALUE_RULES:
        single = "NAME" if name in _NAME_RULES else "value"

        def relabel(value: Any) -> Leaf:
            if isinstance(value, _Word):
                return _as_name(value)
            text = value.text if single == "NAME" else value.text.upper()
            return Leaf(single, text, value.position, value.position + len(value.text))

        return relabel
    if len(kinds) == 1 and kinds[0] is None:
        return (lambda value: value) if name in _SPREAD else (lambda value: _one_part(name, value))
    if name in _WORD_RULES:
        kinds = ["word" if one == "NAME" else one for one in kinds]
    if len(kinds) == 1:
        only = kinds[0]
        assert only is not None
        return lambda token: _leaf(only, token)
    collect = _lister(kinds, goes_on=False)
    if name in _SYNTAX_CALLS:

        def syntax_call(*values: Any) -> Node:
            children = collect(*values)
            _make_word(children[0])
            return Node(name, children)

        return syntax_call
    if name == "plain_call":

        def plain_call(*values: Any) -> Node:
            children = collect(*values)
            _settle_cast(children)
            return Node(name, children)

        return plain_call
    if name == "typed":
        # Of STRUCT(1 AS x), it is the name of a field; CAST alone takes a type here.
        def typed(*values: Any) -> Node:
            *children, last = collect(*values)
            return Node(name, [*children, _as_name(last) if isinstance(last, _Word) else last])

        return typed
    return lambda *values: Node(name, collect(*values))


def _one_part(name: str, value: Any) -> Any:
    """Return what a rule of one symbol took as one part, so that it is one operand of what is around it."""
    if not isinstance(value, list):
        return value
    return value[0] if len(value) == 1 else Node(name, value)


def _make_word(part: Node | Leaf) -> None:
    if isinstance(part, Leaf) and part.kind == "NAME":
        part.kind, part.text = "word", part.text.upper()


def _settle_cast(children: list[Node | Leaf]) -> None:
    """Make words of the name CAST and of the type in it."""
    callee, _, *arguments, _ = children
    if isinstance(callee, Leaf) and callee.kind == "NAME" and callee.text.upper() in _CASTS:
        for argument in arguments:
            if isinstance(argument, Node) and argument.name == "typed":
                _make_word(callee)
                _make_word(argument.children[-1])


def _lister(kinds: list[str | None], goes_on: bool) -> Callable[..., list[Node | Leaf]]:
    def collect(*values: Any) -> list[Node | Leaf]:
        made: list[Node | Leaf] = []
        rest = list(zip(kinds, values, strict=True))
        if goes_on:
            # The list of a repetition grows in place, else its time would grow with the square of its length.
            made, rest = values[0], rest[1:]
        for kind, value in rest:
            if kind is not None:
                made.append(_leaf(kind, value))
            elif isinstance(value, list):
                made.extend(value)
            else:
                made.append(value)
        return made

    return collect


@attrs.define(eq=False, slots=True)
class _Word(Leaf):
    """A keyword that may turn out to be a name, with its spelling."""

    spelling: str = ""


def _leaf(kind: str, token: Token) -> Leaf:
    end = token.position + len(token.text)
    if kind == "word":
        leaf = _Word(kind, token.text.upper(), token.position, end)
        leaf.spelling = token.text
        return leaf
    return Leaf(kind, token.text, token.position, end)


def _as_name(leaf: _Word) -> Leaf:
    return Leaf("NAME", leaf.spelling, leaf.position, leaf.end)


@cache
def concrete_parser(dialect: Dialect) -> ConcreteParser:
    """Return the parser of a dialect that loses nothing."""
    return ConcreteParser(dialect)


def leaves_of(tree: Node) -> list[Leaf]:
    """Return the tokens in the order of the text."""
    found: list[Leaf] = []
    stack: list[Node | Leaf] = [tree]
    while stack:
        part = stack.pop()
        if isinstance(part, Leaf):
            found.append(part)
        else:
            stack.extend(reversed(part.children))
    return found


def shape_of(tree: Node) -> list[Any]:
    """Return what a text means to the parser, as a list: two texts mean the same if theirs are equal."""
    shape: list[Any] = []
    stack: list[Node | Leaf] = [tree]
    while stack:
        part = stack.pop()
        if isinstance(part, Leaf):
            shape.append((part.kind, part.text))
        else:
            shape.append((part.name, len(part.children)))
            stack.extend(reversed(part.children))
    return shape
