"""Formats whole texts, statement by statement, and verifies each result."""

from __future__ import annotations

import itertools
import re
from typing import NamedTuple

from grammar.diagnostics.unreadable import unreadable
from grammar.errors import SyntaxProblem
from grammar.formatting.concrete import ConcreteParser, Leaf, Node, concrete_parser, list_leaves, shape_of
from grammar.formatting.layout import layout
from grammar.formatting.printer import comment_text, render
from grammar.formatting.statements import Chunk, Gap, Scanner, attach, chunks
from grammar.lexemes import Token
from grammar.written_identifiers import Clause, identifier_clauses, replace_identifiers
from ir.errors import TableException
from ir.rendering import Dialect

DEFAULT_WIDTH = 100
_BREAK = re.compile(r"\r\n|\n|\r")
# Blanks at the end of a line, except after a backslash, which would then end the line.
_TRAILING = re.compile(r"(?<![\\ \t])[ \t]+(?=\n)")
# A statement with one of these words must match the grammar.
_QUERY_WORDS = {"SELECT", "FROM", "VALUES", "WITH"}
# A statement that begins like a query may be one of these.
_CHANGES = {"INSERT", "MERGE", "UPDATE", "DELETE"}


class Note(NamedTuple):
    """A remark about a formatted text, with its line number."""

    line: int
    message: str


class Formatted(NamedTuple):
    """A formatted text without a final line break, its notes, and its line break style."""

    text: str
    notes: list[Note]
    newline: str


def format_text(text: str, dialect: Dialect, width: int) -> Formatted:
    """Format the statements of a text in the layout of the serializer.

    Tokens and comments stay unchanged, except for the case of keywords. Statements outside the grammar stay unchanged.

    Raises:
        SqlParserException: a query does not match the grammar.
    """
    parser = concrete_parser(dialect)
    scanner = Scanner(text, parser)
    words = scanner.words()
    return _Text(scanner, parser, width, _newline(scanner, text, words)).format(chunks(words))


def _newline(scanner: Scanner, text: str, words: list[Token]) -> str:
    """Return the most frequent line break outside tokens."""
    counts: dict[str, int] = {}
    start = 0
    for word, position in [*words, Token("", len(text))]:
        for found in _BREAK.findall(text, start, position):
            counts[found] = counts.get(found, 0) + 1
        start = position + len(word)
    counts.pop("\r", None)
    return max(counts, key=lambda newline: counts[newline]) if counts else "\n"


class _Text:
    """The output of formatting a text, and its state."""

    def __init__(self, scanner: Scanner, parser: ConcreteParser, width: int, newline: str) -> None:
        self._scanner = scanner
        self._text = scanner.text
        self._parser = parser
        self._width = width
        self._newline = newline
        self._parts: list[str] = []
        self._notes: list[Note] = []

    def format(self, statements: list[Chunk]) -> Formatted:
        end = 0
        was_long = False
        held = Gap([], 0)
        for number, chunk in enumerate(statements):
            tokens = [*chunk.words, *([chunk.semicolon] if chunk.semicolon else [])]
            gap = self._end_line(_move_comments(held, self._scanner.gap(end, tokens[0].position)), is_first=number == 0)
            body = self._statement(chunk) if chunk.words else ""
            end = tokens[-1].position + len(tokens[-1].text)
            is_long = self._newline in body
            empty = was_long or is_long or (gap.comments[0].breaks_before if gap.comments else gap.breaks) > 1
            self._lead(gap, empty, number == 0)
            self._parts.append(body + (";" if chunk.semicolon else ""))
            held = self._before_semicolon(chunk)
            was_long = is_long
        gap = _move_comments(held, self._scanner.gap(end, len(self._text)))
        # The end of the text counts as a line break.
        gap = self._end_line(Gap(gap.comments, max(gap.breaks, 1)), is_first=not statements)
        empty = bool(gap.comments) and gap.comments[0].breaks_before > 1
        self._lead(gap, empty, not statements, is_last=True)
        return Formatted("".join(self._parts), self._notes, self._newline)

    def _before_semicolon(self, chunk: Chunk) -> Gap:
        """Return the comments between a statement and its semicolon, which move behind the semicolon."""
        if not chunk.semicolon or not chunk.words:
            return Gap([], 0)
        last = chunk.words[-1]
        return self._scanner.gap(last.position + len(last.text), chunk.semicolon.position)

    def _end_line(self, gap: Gap, is_first: bool) -> Gap:
        """Write the comments on the line of the previous statement, and return the remaining ones."""
        comments = list(gap.comments)
        ends_line = not is_first and (gap.breaks > 0 or any(c.breaks_before for c in comments))
        while ends_line and comments and not comments[0].breaks_before:
            self._parts += [" ", comment_text(comments.pop(0), self._newline)]
        return Gap(comments, gap.breaks)

    def _lead(self, gap: Gap, empty: bool, is_first: bool, is_last: bool = False) -> None:
        """Write the text before a statement, up to its first token."""
        if not is_first and not (is_last and not gap.comments):
            self._parts.append(self._newline * (2 if empty else 1))
        for number, comment in enumerate(gap.comments):
            if number:
                self._parts.append(self._breaks(comment.breaks_before))
            self._parts.append(comment_text(comment, self._newline))
        if gap.comments and not is_last:
            self._parts.append(self._breaks(gap.breaks))

    def _breaks(self, count: int) -> str:
        return self._newline * min(count, 2) if count else " "

    def _statement(self, chunk: Chunk) -> str:
        start = chunk.words[0].position
        end = chunk.words[-1].position + len(chunk.words[-1].text)
        text = self._text[start:end]
        try:
            tree = self._tree(text)
        except SyntaxProblem as problem:
            return self._unknown(chunk, text, problem)
        leaves = list_leaves(tree)
        for leaf in leaves:
            leaf.position += start
            leaf.end += start
        attach(leaves, self._scanner)
        made = render(layout(tree), self._width, self._newline)
        self._require_same(tree, made, leaves)
        return made

    def _tree(self, text: str) -> Node:
        """Return the concrete syntax tree of a statement, also with an IDENTIFIER('name') in a name's place.

        Raises:
            SyntaxProblem: the statement does not match the grammar.
        """
        try:
            return self._parser.tree(text)
        except SyntaxProblem as problem:
            clauses = list(identifier_clauses(self._parser, text)) if "identifier" in text.lower() else []
            if not clauses or any(_has_comment(text, clause) for clause in clauses):
                raise
            try:
                tree = self._parser.tree(replace_identifiers(self._parser, text))
            except SyntaxProblem:
                raise problem from None
        begins = {clause.position: clause for clause in clauses}
        stack = [tree]
        while stack:
            node = stack.pop()
            # A name of several parts comes from one clause.
            node.children = [
                child for child in node.children if isinstance(child, Node) or not _is_within(child, clauses)
            ]
            for child in node.children:
                if isinstance(child, Node):
                    stack.append(child)
                elif child.position in begins:
                    child.text, child.end = begins[child.position].written, begins[child.position].end
        return tree

    def _unknown(self, chunk: Chunk, text: str, problem: SyntaxProblem) -> str:
        """Return a statement outside the grammar unchanged, without trailing blanks."""
        start = chunk.words[0].position
        known = {word.text.upper() for word in chunk.words if word.position - start < problem.position}
        first = chunk.words[0].text.upper()
        is_query = known & _QUERY_WORDS or first in _QUERY_WORDS or first in ("(", "TABLE")
        if is_query and problem.found.upper() not in _CHANGES:
            # Blanks replace the text before, so that the message has the position in the whole text.
            before = re.sub(r"[^\r\n]", " ", self._text[:start])
            moved = SyntaxProblem(problem.position + start, problem.found, problem.kind, problem.states)
            raise unreadable(before + text, moved, self._parser, "sql")
        line = self._text.count("\n", 0, start) + 1
        shown = " ".join([word.text for word in chunk.words[:3]])
        self._notes.append(Note(line, f"{shown} … is left as it is: the grammar does not have this statement."))
        parts: list[str] = []
        position = start
        for word in chunk.words:
            gap = self._text[position : word.position].replace("\r\n", "\n")
            parts += [_TRAILING.sub("", gap).replace("\n", self._newline), word.text]
            position = word.position + len(word.text)
        return "".join(parts)

    def _require_same(self, tree: Node, made: str, leaves: list[Leaf]) -> None:
        """Verify that formatting has not changed a statement's tokens and comments."""
        try:
            again = self._tree(made)
            is_same = shape_of(again) == shape_of(tree)
        except SyntaxProblem:
            is_same = False
        if not is_same or _comments_of(list_leaves(again), Scanner(made, self._parser)) != _comments_of(
            leaves, self._scanner
        ):
            line = self._text.count("\n", 0, leaves[0].position) + 1
            raise TableException(
                f"The statement that begins in line {line} would be another one when formatted, and was left alone. "
                "This is a defect of the formatter: please report it with the statement."
            )


def _is_within(leaf: Leaf, clauses: list[Clause]) -> bool:
    return any(clause.position < leaf.position < clause.end for clause in clauses)


def _has_comment(text: str, clause: Clause) -> bool:
    return "".join(text[clause.position : clause.end].split()) != "".join(clause.written.split())


def _move_comments(held: Gap, gap: Gap) -> Gap:
    """Move the comments before a semicolon behind it."""
    if not held.comments:
        return gap
    if gap.comments:
        gap.comments[0].breaks_before = max(gap.comments[0].breaks_before, held.breaks)
        return Gap(held.comments + gap.comments, gap.breaks)
    return Gap(held.comments, max(held.breaks, gap.breaks))


def _comments_of(leaves: list[Leaf], scanner: Scanner) -> list[str]:
    found = []
    for left, right in itertools.pairwise(leaves):
        found += [comment_text(comment, "\n") for comment in scanner.gap(left.end, right.position).comments]
    return found
