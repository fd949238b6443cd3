"""The part of attrs that a first query needs, with classes that cost little to make.

attrs compiles the methods of a class when the class is made, which took nearly half of the time from the start of
Python to the first SQL text. The classes of this module have the same fields and behave the same, but compile their
``__init__`` with the first instance. ``attrs.fields``, ``attrs.evolve`` and ``attrs.asdict`` accept them. A module that
is loaded before the first text imports this module under the name of attrs::

    from ir import light_attrs as attrs

Type checkers see attrs itself. Some of attrs is missing: classes without slots, cached properties, ``on_setattr``, keys
of comparisons, and the validators and converters that attrs defines. A module that needs them imports attrs. A class
that extends ``Slotted`` is made only once, which takes half of the time. Decision record 44 has the reasons.
"""

from __future__ import annotations

from ir.light_typing import TYPE_CHECKING

if TYPE_CHECKING:
    from attrs import NOTHING, Attribute, Factory, define, evolve, field, fields, frozen, has

    class Slotted:
        """A base of classes that get their slots at once; the decorator need not make them a second time."""

        __slots__ = ()
else:
    from ir.light_classes import NOTHING, Attribute, Factory, Slotted, define, evolve, field, fields, frozen, has

__all__ = ["NOTHING", "Attribute", "Factory", "Slotted", "define", "evolve", "field", "fields", "frozen", "has"]
