"""Parses a text into a concrete syntax tree, which keeps every token and its kind.

The parser's loop and tables are reused; only the result of each reduction differs from ``actions``.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from grammar.languages import find_language
from grammar.lexemes import Token
from grammar.parser import CALL, Parser, Rule, Words
from grammar.tables import Reduction
from ir import light_attrs as attrs
from ir.rendering import Dialect

# Rules in which a NAME is written like a keyword: DATE '…', CAST(a AS INT), 10 PERCENT.
_WORD_RULES = {"typed_literal", "plain_type", "table_sample", "sample_size", "schema_mode", "default_collation"}
# Calls with keywords or a query inside are syntax, and no function names: CAST(a AS …), EXISTS (SELECT …).
_SYNTAX_CALLS = {"query_call", "call_from", "call_trim", "call_placing", "call_to"}
_CASTS = {"CAST", "TRY_CAST"}
# Rules that read a keyword as a name, which keeps its spelling.
_NAME_RULES = {"keyword_name", "version_name", "timestamp_name"}
_VALUE_RULES = {"null", "true", "false"}
# Lists that are merged into the parent node.
_INLINED = {"arguments", "table_arguments"}
# Repetitions whose words are merged into the parent node: LEFT OUTER JOIN.
_SPREAD = {"join_type", "pipe_modifier"}


@attrs.define(eq=False, slots=True)
class Comment:
    """A comment, and the number of line breaks before it."""

    text: str
    breaks_before: int

    @property
    def is_line(self) -> bool:
        """Whether the comment extends to the end of its line."""
        return self.text.startswith("--")


@attrs.define(eq=False, slots=True)
class Leaf:
    """A token, with the comments before and after it.

    ``kind`` is ``word`` for a keyword, ``value`` for NULL, TRUE and FALSE, ``sign`` for an operator or punctuation,
    else the grammar's terminal.
    """

    kind: str
    text: str
    position: int
    end: int
    before: list[Comment] = attrs.field(factory=list)
    after: list[Comment] = attrs.field(factory=list)
    breaks_after_comments: int = 0
    ends_line: bool = False
    """Whether the line ends after the token's trailing comments."""

    @property
    def begins_line(self) -> bool:
        """Whether the comments before the token have lines of their own.

        Otherwise the layout decides about the line break before them.
        """
        return bool(self.before) and (
            self.breaks_after_comments > 0
            or any(comment.is_line for comment in self.before)
            or any(comment.breaks_before for comment in self.before[1:])
        )


@attrs.define(eq=False, slots=True)
class Node:
    """The parts that a rule or an alias of the grammar has reduced, in text order."""

    name: str
    children: list[Node | Leaf]


class ConcreteParser(Parser):
    """Parses texts of one dialect into a concrete syntax tree."""

    def __init__(self, words: Words) -> None:
        super().__init__(words, actions=None)
        made = self.tables
        self._keywords = {made.terminals[number] for number in made.keywords.values()}
        self._signs = {made.terminals[number] for number in made.operators.values()}
        self._terminals = set(made.terminals)

    def make_rule(self, reduction: Reduction) -> Rule:
        """Return a rule that keeps every symbol, unlike the actions."""
        return reduction.origin, reduction.size, CALL, _maker(reduction, self._kind_of), None

    def _kind_of(self, symbol: str) -> str | None:
        """Return the kind of a terminal's leaves; None for a rule."""
        if symbol in self._keywords:
            return "word"
        if symbol in self._signs:
            return "sign"
        return symbol if symbol in self._terminals else None

    def tree(self, text: str) -> Node:
        """Return the concrete syntax tree of a statement.

        Raises:
            SyntaxProblem: the text does not match the grammar.
        """
        made = self.parse(text, "sql")
        return made if isinstance(made, Node) else Node("sql", [made] if isinstance(made, Leaf) else list(made))


def _maker(reduction: Reduction, kind: Callable[[str], str | None]) -> Callable[..., Any]:
    """Return the constructor for a reduction's result: a node, its only part, or a list."""
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
                return _read_as_name(value)
            text = value.text if single == "NAME" else value.text.upper()
            return Leaf(single, text, value.position, value.position + len(value.text))

        return relabel
    if len(kinds) == 1 and kinds[0] is None:
        return (lambda value: value) if name in _SPREAD else (lambda value: _wrap_single_part(name, value))
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
        # In STRUCT(1 AS x), the word is a field name; only CAST takes a type here.
        def typed(*values: Any) -> Node:
            *children, last = collect(*values)
            return Node(name, [*children, _read_as_name(last) if isinstance(last, _Word) else last])

        return typed
    return lambda *values: Node(name, collect(*values))


def _wrap_single_part(name: str, value: Any) -> Any:
    """Return the parts of a one-symbol rule as a single part, so that the parent sees one operand."""
    if not isinstance(value, list):
        return value
    return value[0] if len(value) == 1 else Node(name, value)


def _make_word(part: Node | Leaf) -> None:
    if isinstance(part, Leaf) and part.kind == "NAME":
        part.kind, part.text = "word", part.text.upper()


def _settle_cast(children: list[Node | Leaf]) -> None:
    """Mark the name CAST and the type name in the call as keywords."""
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
            # The list of a repetition grows in place: a copy for each item would take quadratic time.
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
    """A keyword that may still turn out to be a name, with its spelling."""

    spelling: str = ""


def _leaf(kind: str, token: Token) -> Leaf:
    end = token.position + len(token.text)
    if kind == "word":
        leaf = _Word(kind, token.text.upper(), token.position, end)
        leaf.spelling = token.text
        return leaf
    return Leaf(kind, token.text, token.position, end)


def _read_as_name(leaf: _Word) -> Leaf:
    return Leaf("NAME", leaf.spelling, leaf.position, leaf.end)


@cache
def concrete_parser(dialect: Dialect) -> ConcreteParser:
    """Return the parser of a dialect for concrete syntax trees."""
    return ConcreteParser(find_language(dialect).words)


def list_leaves(tree: Node) -> list[Leaf]:
    """Return the tokens in text order."""
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
    """Flatten a tree to a list of its structure; two texts are equal to the parser if their lists are equal."""
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
