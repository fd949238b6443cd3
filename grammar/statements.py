"""Statements as they were written."""

from __future__ import annotations

from grammar.syntax import Syntax


class Statement(Syntax):
    """A statement that is no query; ``called`` says which, with its article."""

    __slots__ = ()
    called = "a statement"
