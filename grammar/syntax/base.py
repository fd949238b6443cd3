"""The base class of all syntax nodes."""

from __future__ import annotations

from typing import Any, ClassVar, TypeVar

from ir import light_attrs as attrs
from ir.light_classes import slotted
from ir.records import dataclass_transform

N = TypeVar("N")


@dataclass_transform(field_specifiers=(attrs.field,))
def node(cls: type[N]) -> type[N]:
    """Mark a class of ``Syntax`` whose annotations are the arguments of ``__init__``."""
    return cls


class _SlottedMeta(type):
    """Makes slots of the declared fields before the class exists, so that no class is made twice."""

    def __new__(mcls, name: str, bases: tuple[type, ...], namespace: dict[str, Any]) -> type:
        if "__slots__" not in namespace:
            namespace = slotted(namespace, bases)
        return super().__new__(mcls, name, bases, namespace)


class Syntax(metaclass=_SlottedMeta):
    """A part of a text. Nodes compare by identity."""

    __slots__ = ()
    position: int


class Statement(Syntax):
    """A statement other than a query; ``called`` is its name with an article, for messages."""

    __slots__ = ()
    called: ClassVar[str] = "a statement"


def fields_of(part: Syntax) -> list[str]:
    """Return the field names of a node."""
    return [name for kind in type(part).__mro__ for name in getattr(kind, "__slots__", ()) if name != "__weakref__"]
