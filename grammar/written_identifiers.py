"""IDENTIFIER('name') where the text is written there: the name itself stands in its place, wherever a name may stand.

https://spark.apache.org/docs/latest/sql-ref-identifier-clause.html
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from grammar.builder.identifier_clause import NAMES
from ir.errors import ValidationException
from ir.identifiers import parse_path, quote

if TYPE_CHECKING:
    from grammar.parser import Parser, Token


def with_names(parser: Parser, text: str) -> str:
    """Return a text in which names are written that IDENTIFIER gives; every word stands where it stood."""
    tokens = list(parser.words(text))
    pieces: list[str] = []
    done = 0
    for index, token in enumerate(tokens):
        if token.text.upper() != "IDENTIFIER" or token.position < done:
            continue
        found = _name(tokens, index + 1)
        if found is None:
            continue
        name, last = found
        if "." in (tokens[index - 1].text if index else "", tokens[last + 1].text if last + 1 < len(tokens) else ""):
            # It is no part of a longer name: behind it is a field, and before it a function is named.
            continue
        end = tokens[last].position + 1
        if len(name) <= end - token.position:
            pieces += [text[done : token.position], name.ljust(end - token.position)]
            done = end
    return "".join([*pieces, text[done:]])


def _name(tokens: list[Token], index: int) -> tuple[str, int] | None:
    """Return the quoted name that texts in parentheses give, and where they end; None where something else stands."""
    parts: list[str] = []
    expected = "("
    while index < len(tokens):
        word = tokens[index].text
        if word == ")" and parts and expected == "||":
            break
        if expected == "text":
            if len(word) < 2 or word[0] not in "'\"" or word[-1] != word[0] or set(word[1:-1]) & {"\\", word[0]}:
                return None
            parts.append(word[1:-1])
        elif word != expected:
            return None
        expected = "||" if expected == "text" else "text"
        index += 1
    else:
        return None
    if NAMES.fullmatch("".join(parts)) is None:
        return None
    try:
        names = parse_path("".join(parts))
    except ValidationException:
        return None
    return ".".join(map(quote, names)), index
