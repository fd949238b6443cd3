"""Names in statements."""

from __future__ import annotations

from grammar import syntax as s
from ir.identifiers import quote


def path_of(name: s.Path) -> str:
    """Return a name as a path of the fluent API."""
    return ".".join(map(quote, name.parts))
