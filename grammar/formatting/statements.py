"""Splits a text into statements, and assigns its comments to tokens."""

from __future__ import annotations

import itertools
import re
from typing import NamedTuple

from grammar.diagnostics.unreadable import unreadable
from grammar.errors import SyntaxProblem
from grammar.formatting.concrete import Comment, ConcreteParser, Leaf
from grammar.lexemes import Token
from grammar.parser import skip_comment

_BREAK = re.compile(r"\r\n|\n|\r")
_CLOSING = {",", ")", "]", ";"}


class Gap(NamedTuple):
    """The comments between two tokens, and the number of line breaks after the last comment."""

    comments: list[Comment]
    breaks: int


class Chunk(NamedTuple):
    """A statement: its tokens, and the optional semicolon after it."""

    words: list[Token]
    semicolon: Token | None


class Scanner:
    """Finds the tokens, statements and comments of a text."""

    def __init__(self, text: str, parser: ConcreteParser) -> None:
        self.text = text
        self._parser = parser
        self._ignored = re.compile("|".join(parser.tables.ignored))

    def words(self) -> list[Token]:
        """Return the tokens of the text, whether or not they match the grammar.

        Raises:
            SqlParserException: a string, a quoted name, or a comment is unclosed.
        """
        text, position = self.text, 0
        found: list[Token] = []
        in_hint = False
        match, sign_group = self._parser.match, self._parser.sign_group
        while True:
            one = match(text, position)
            assert one is not None, "the pattern matches the empty text"
            group = one.lastindex
            if group is None:
                return found
            word, position = one[group], one.end()
            problem = None
            if word == "*/" and not in_hint:
                # The star before a comment: SELECT */* all */.
                word, position = "*", position - 1
            in_hint = word != "*/" and (in_hint or (word == "/*+" and self._is_hint(found)))
            if word == "/*" or (word == "/*+" and not in_hint):
                try:
                    position = skip_comment(text, one.start(group), [])
                except SyntaxProblem as error:
                    problem = error
            elif group > sign_group and word in "'\"`":
                problem = SyntaxProblem(one.start(group), word, "", [])
            else:
                found.append(Token(word, one.start(group)))
            if problem is not None:
                problem.states = [self._parser.tables.starts["sql"]]
                raise unreadable(text, problem, self._parser, "sql")

    def _is_hint(self, found: list[Token]) -> bool:
        return bool(found) and (found[-1].text.upper() == "SELECT" or found[-1].text == "*/")

    def gap(self, start: int, end: int) -> Gap:
        """Return the comments between two positions that enclose only comments and blanks."""
        text, comments, breaks, after_line = self.text, [], 0, False
        while start < end:
            match = self._ignored.match(text, start, end)
            stop = match.end() if match is not None and match.end() > start else skip_comment(text, start, [])
            part = text[start:stop]
            if part.isspace():
                breaks += len(_BREAK.findall(part))
            else:
                comments.append(Comment(part, max(breaks, int(after_line))))
                breaks = 0
                after_line = comments[-1].is_line
            start = stop
        return Gap(comments, max(breaks, int(after_line)))


def chunks(words: list[Token]) -> list[Chunk]:
    """Split tokens into statements at the semicolons outside statement blocks."""
    found: list[Chunk] = []
    current: list[Token] = []
    depth = 0
    is_block = False
    for number, word in enumerate(words):
        if word.text == ";" and depth <= 0:
            found.append(Chunk(current, word))
            current, depth, is_block = [], 0, False
            continue
        current.append(word)
        upper = word.text.upper()
        if upper == "BEGIN" and (len(current) == 1 or _is_set(current[:-1])):
            is_block = True
        if is_block and upper in ("BEGIN", "CASE"):
            depth += words[number - 1].text.upper() != "END" if number else True
        elif is_block and upper == "END":
            following = words[number + 1].text.upper() if number + 1 < len(words) else ""
            depth -= following not in ("IF", "WHILE", "LOOP", "REPEAT", "FOR")
    if current:
        found.append(Chunk(current, None))
    return found


def _is_set(words: list[Token]) -> bool:
    """Whether the tokens begin a statement set."""
    given = [word.text.upper() for word in words[:6]]
    return given[0] in ("EXECUTE", "EXPLAIN") and len(words) <= 6 and given[-2:] == ["STATEMENT", "SET"]


def attach(leaves: list[Leaf], scanner: Scanner) -> None:
    """Assign the comments within a statement to its tokens.

    A comment that ends a line belongs to the token before it, any other comment to the token after it. A comment
    before a comma that begins a line moves behind the comma.
    """
    # Comments to be moved behind the comma after them, and the line breaks between the last of them and the comma.
    held: list[Comment] = []
    held_breaks = 0
    for left, right in itertools.pairwise(leaves):
        comments, breaks = scanner.gap(left.end, right.position)
        if held:
            if comments:
                comments[0].breaks_before = max(comments[0].breaks_before, held_breaks)
            else:
                breaks = max(breaks, held_breaks)
            comments = held + comments
        held, held_breaks = [], 0
        if not comments:
            continue
        ends_line = breaks > 0 or any(comment.breaks_before for comment in comments)
        if right.kind == "sign" and right.text in _CLOSING:
            if not ends_line:
                left.after += comments
                continue
            if right.text in (",", ";"):
                held, held_breaks = comments, breaks
                continue
        same_line = 0
        while ends_line and same_line < len(comments) and not comments[same_line].breaks_before:
            same_line += 1
        left.after += comments[:same_line]
        left.ends_line = same_line > 0
        right.before = comments[same_line:]
        right.breaks_after_comments = breaks if right.before else 0
