"""Pairs of queries with the expected description of their difference."""

from __future__ import annotations

from collections.abc import Callable

import attrs

from tableapi import Table
from tests.programs.tables import Tables

Build = Callable[[Tables], Table]


@attrs.frozen
class Pair:
    """Two queries with the expected text and, if given, tree of their difference; tables without catalog and columns.

    With ``exact``, only an exact comparison finds a difference.
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
    """Strip the line breaks around a text."""
    return text.strip("\n")
