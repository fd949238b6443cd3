"""The parser of each dialect."""

from __future__ import annotations

from functools import cache

from grammar.actions import Actions
from grammar.languages import find_language
from grammar.parser import Parser
from ir.rendering import Dialect


@cache
def parser(dialect: Dialect) -> Parser:
    """Return the parser of a dialect, which builds the nodes of ``grammar.syntax``."""
    language = find_language(dialect)
    return Parser(language.words, Actions(language))
