"""``typing.NamedTuple`` for modules that a first query loads, with classes that cost less to make.

``typing`` compiles the annotation of each field when the class is made, which took a thirtieth of the time from the
start of Python to the first SQL text. These classes keep the annotations as they are written. Type checkers see
``typing.NamedTuple`` itself.
"""

from __future__ import annotations

from ir.light_typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import NamedTuple
else:
    from collections import namedtuple

    # What ``namedtuple`` itself puts into the class.
    _OF_TUPLES = frozenset(("__annotations__", "__module__", "__qualname__"))

    class _NamedTupleMeta(type):
        """Makes a class body with annotations into a named tuple with the methods of the body."""

        def __new__(mcls, name, bases, namespace):
            if not bases:
                return super().__new__(mcls, name, bases, namespace)
            fields = namespace.get("__annotations__", {})
            defaults = [namespace[field] for field in fields if field in namespace]
            made = namedtuple(name, fields, defaults=defaults, module=namespace["__module__"])
            made.__annotations__ = made.__new__.__annotations__ = dict(fields)
            made.__qualname__ = namespace["__qualname__"]
            for key, value in namespace.items():
                if key not in fields and key not in _OF_TUPLES:
                    setattr(made, key, value)
            return made

    class NamedTuple(metaclass=_NamedTupleMeta):
        """The base of a named tuple, as ``typing.NamedTuple`` is."""


__all__ = ["NamedTuple"]
