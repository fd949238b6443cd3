"""Properties of expressions that record their name in the expression that they return.

A later call of the expression, as of a method, can then be explained (``tableapi.advice.misused_members``).
"""

from __future__ import annotations

import functools
from collections.abc import Callable

from ir.light_typing import Any


def note_property(name: str, get: Callable[[Any], Any], doc: str | None) -> property:
    """Wrap a property so that the returned expression records the property's name and receiver."""

    @functools.wraps(get)
    def noted(self: Any) -> Any:
        made = get(self)
        if made is not self:
            made._origin = (name, self)
        return made

    return property(noted, doc=doc)


def note_properties(*classes: type) -> None:
    """Wrap the public properties of expression classes so that their results record their origin."""
    for cls in classes:
        for name, member in list(vars(cls).items()):
            if isinstance(member, property) and member.fget is not None and not name.startswith("_"):
                setattr(cls, name, note_property(name, member.fget, member.__doc__))


def origin_of(expression: Any) -> tuple[str, Any] | None:
    """Return the property that returned an expression, and the expression that has the property; None if none did."""
    found: tuple[str, Any] | None = getattr(expression, "_origin", None)
    return found
