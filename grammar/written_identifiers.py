"""Replaces IDENTIFIER('name') by the name itself wherever the string is constant.

https://spark.apache.org/docs/latest/sql-ref-identifier-clause.html
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from grammar.errors import Misread
from grammar.identifier_clause import NAMES
from grammar.lexemes import Token
from grammar.spark import unquote
from ir.errors import ValidationException
from ir.identifiers import fold, parse_path, quote

if TYPE_CHECKING:
    from grammar.parser import Parser

FindText = Callable[[str], str | None]
"""Returns the string value of a session variable, None if there is no such variable or it holds no string."""


class Clause(NamedTuple):
    """An IDENTIFIER call: its position and end, the quoted name that it gives, and its text without blanks."""

    position: int
    end: int
    name: str
    written: str


def replace_identifiers(parser: Parser, text: str, find: FindText | None = None) -> str:
    """Replace each IDENTIFIER call in a text with its name.

    No position in the text changes, unless ``find`` returns the values of variables. With ``find``, a name may be
    longer, and may be concatenated with

    .
    """
    pieces: list[str] = []
    done = 0
    for clause in identifier_clauses(parser, text, find):
        pieces += [text[done : clause.position], clause.name.ljust(clause.end - clause.position)]
        done = clause.end
    return "".join([*pieces, text[done:]])


def identifier_clauses(parser: Parser, text: str, find: FindText | None = None) -> Iterator[Clause]:
    """Yield the IDENTIFIER calls that a name can replace."""
    tokens = list(parser.words(text))
    parameters = _parameters(tokens)
    done = 0
    for index, token in enumerate(tokens):
        if token.text.upper() != "IDENTIFIER" or token.position < done:
            continue
        found = _name(tokens, index + 1, find)
        if found is None:
            continue
        name, last = found
        if _is_field(tokens, index, last) and not _is_relation(tokens, index):
            # After an expression in parentheses or brackets, the name is a field. Anywhere else beside a dot, it
            # cannot be replaced.
            of_value = index > 1 and tokens[index - 1].text == "." and tokens[index - 2].text in (")", "]")
            if not of_value or "`.`" in name:
                continue
        if parameters and fold(parse_path(name)[0]) in parameters and not _is_parameter(tokens, last):
            # In the body of a lambda the name denotes a column, whatever the parameters are called.
            continue
        end = tokens[last].position + 1
        if len(name) <= end - token.position or find is not None:
            yield Clause(token.position, end, name, "".join([word.text for word in tokens[index : last + 1]]))
            done = end


def _parameters(tokens: list[Token]) -> set[str]:
    """Return the folded names of all lambda parameters in a text."""
    found: set[str] = set()
    for index, token in enumerate(tokens):
        if token.text != "->":
            continue
        before = index - 1
        while before > 0 and tokens[before].text in (")", ","):
            found.add(fold(tokens[before - 1].text.strip("`")))
            before -= 2
        found.add(fold(tokens[before].text.strip("`")))
    return found


def _is_parameter(tokens: list[Token], last: int) -> bool:
    """Whether a name is the parameter of a lambda, so that the arrow follows it or further parameters."""
    while last + 1 < len(tokens) and tokens[last + 1].text in (",", ")"):
        last += 1 if tokens[last + 1].text == ")" else 2
    return last + 1 < len(tokens) and tokens[last + 1].text == "->"


def _is_field(tokens: list[Token], first: int, last: int) -> bool:
    """Whether a dot precedes or follows a name, which in an expression is then no part of a longer name."""
    return "." in (tokens[first - 1].text if first else "", tokens[last + 1].text if last + 1 < len(tokens) else "")


def _is_relation(tokens: list[Token], index: int) -> bool:
    """Whether the word belongs to a table name."""
    while index >= 2 and tokens[index - 1].text == ".":
        index -= 2
        if tokens[index].text == ")":
            while index and tokens[index].text.upper() != "IDENTIFIER":
                index -= 1
    return index > 0 and tokens[index - 1].text.upper() in ("FROM", "JOIN", "TABLE", "INTO")


def _name(tokens: list[Token], index: int, find: FindText | None) -> tuple[str, int] | None:
    """Return the quoted name that strings in parentheses give, and the index of its end; None for anything else."""
    if index >= len(tokens) or tokens[index].text != "(":
        return None
    written = ""
    piece: list[str] = []
    for position in range(index + 1, len(tokens)):
        word = tokens[position].text
        if word not in ("||", ")"):
            piece.append(word)
            continue
        found = _text(piece, find)
        if found is None or (word == "||" and find is None):
            return None
        written, piece = written + found, []
        if word == ")":
            break
    else:
        return None
    if NAMES.fullmatch(written) is None:
        return None
    try:
        names = parse_path(written)
    except ValidationException:
        return None
    return ".".join(map(quote, names)), position


def _text(words: list[str], find: FindText | None) -> str | None:
    """Return the value of a string literal or variable, None for any other expression."""
    if words and all(word[0] in "'\"" and len(word) > 1 and word[-1] == word[0] for word in words):
        try:
            return "".join([unquote(word, 0) for word in words])
        except Misread:
            return None
    if find is None or not words:
        return None
    before = [fold(word) for word in words[:-1]]
    if before not in ([], ["session", "."], ["system", ".", "session", "."]):
        return None
    try:
        (name,) = parse_path(words[-1])
    except (ValueError, ValidationException):
        return None
    return find(name)
