"""The syntax nodes that the parser's actions build from a text, each with its start position.

The nodes are neither checked nor resolved; the builder makes operations and expressions from them.
"""

from __future__ import annotations

from grammar.syntax.base import Statement, Syntax, fields_of, node
from grammar.syntax.expressions import *  # noqa: F403  # all nodes are one vocabulary, in two files
from grammar.syntax.queries import *  # noqa: F403  # as above

__all__ = ["Statement", "Syntax", "fields_of", "node"]
