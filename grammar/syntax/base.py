"""What all nodes of a text are."""

from __future__ import annotations

from typing import TypeVar, dataclass_transform

import attrs

N = TypeVar("N")


@dataclass_transform(field_specifiers=(attrs.field,))
def node(cls: type[N]) -> type[N]:
    """Make a class a slotted one of the fields that it declares; each node is itself alone."""
    return attrs.define(cls, eq=False, repr=False, slots=True, getstate_setstate=False)


class Syntax:
    """A part of a text."""

    __slots__ = ()
    position: int


def fields_of(part: Syntax) -> list[str]:
    """Return the names of what a part of a text holds."""
    return [name for kind in type(part).__mro__ for name in getattr(kind, "__slots__", ()) if name != "__weakref__"]
