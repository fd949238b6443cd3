"""What was written: the nodes that the actions make of a text, each with the position where it begins.

Nothing here is checked or resolved; the builder makes operations and expressions of it.
"""

from __future__ import annotations

from grammar.syntax.base import Syntax, fields_of, node
from grammar.syntax.expressions import *  # noqa: F403  # all nodes are one vocabulary, in two files
from grammar.syntax.queries import *  # noqa: F403  # as above

__all__ = ["Syntax", "fields_of", "node"]
