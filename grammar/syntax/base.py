"""The base class of all syntax nodes."""

from __future__ import annotations

from typing import TypeVar

from ir import light_attrs as attrs
from ir.records import dataclass_transform

N = TypeVar("N")


@dataclass_transform(field_specifiers=(attrs.field,))
def node(cls: type[N]) -> type[N]:
    """Make a class a slotted attrs class of its declared fields. Nodes compare by identity."""
    return attrs.define(cls, eq=False, repr=False, slots=True, getstate_setstate=False)


class Syntax:
    """A part of a text."""

    __slots__ = ()
    position: int


def fields_of(part: Syntax) -> list[str]:
    """Return the field names of a node."""
    return [name for kind in type(part).__mro__ for name in getattr(kind, "__slots__", ()) if name != "__weakref__"]
