"""The parsers, one for each dialect."""

from __future__ import annotations

from functools import cache

from grammar.actions import Actions
from grammar.parser import Parser
from ir.rendering import Dialect


@cache
def parser(dialect: Dialect) -> Parser:
    """Return the parser of a dialect that makes the nodes of ``syntax.py``."""
    return Parser(dialect, Actions(dialect))
