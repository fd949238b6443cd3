"""Pairs of queries, and what is said of the second as a successor of the first."""

from __future__ import annotations

from collections.abc import Callable

import attrs

from tableapi import Table
from tests.programs.tables import Tables

Build = Callable[[Tables], Table]


@attrs.frozen
class Pair:
    """Two queries, what is said of them and, where it is given, the tree; tables without catalog and columns.

    ``exact`` says that only an exact comparison finds a difference.
    """

    old: Build
    new: Build
    text: str
    tree: str | None = None
    exact: bool = False


PAIRS: dict[str, Pair] = {}


def pair(name: str, old: Build, new: Build, text: str, tree: str | None = None, *, exact: bool = False) -> None:
    """Register a pair."""
    assert name not in PAIRS, name
    PAIRS[name] = Pair(old, new, text, tree, exact)


def said(text: str) -> str:
    """Return a text without the line breaks around it."""
    return text.strip("\n")
