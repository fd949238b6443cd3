"""The names of ``typing`` for modules that a first query loads, without ``typing``.

``typing`` and the modules that it imports, such as ``re``, took a tenth of the time from the start of Python to the
first SQL text. Annotations are not evaluated, so that most of its names need no value when a program runs. A module
that is loaded before the first text imports them from here::

    from ir.light_typing import TYPE_CHECKING, Any

Type checkers see ``typing`` itself. Decision record 56 has the reasons.
"""

from __future__ import annotations

TYPE_CHECKING = False

if TYPE_CHECKING:
    from typing import (
        Any,
        ClassVar,
        Final,
        Generic,
        Literal,
        NoReturn,
        Protocol,
        TypeAlias,
        TypeVar,
        cast,
        get_args,
        overload,
    )
else:
    from types import GenericAlias

    class _Name:
        """A name in annotations, with or without arguments."""

        __slots__ = ()

        def __getitem__(self, arguments):
            return self

        def __or__(self, other):
            return self

        __ror__ = __or__

        def __call__(self, *arguments, **named):
            # The call of TypeVar.
            return self

    Any = ClassVar = Final = NoReturn = TypeAlias = TypeVar = _Name()

    class Literal:
        """A type of some strings, which ``get_args`` returns, also that of ``typing``."""

        def __class_getitem__(cls, arguments):
            return GenericAlias(cls, arguments)

    def get_args(literal):
        """Return the arguments of a literal type."""
        return literal.__args__

    class Generic:
        """The base of a class with type arguments, which nothing but annotations has."""

        __slots__ = ()

        def __class_getitem__(cls, arguments):
            return cls if cls is Generic else GenericAlias(cls, arguments)

    class Protocol:
        """The base of a protocol, which is an ordinary class when a program runs."""

        __slots__ = ()

    def cast(_, value):
        """Return a value unchanged."""
        return value

    def overload(function):
        """Return a declaration of which only type checkers know."""
        return function


__all__ = [
    "TYPE_CHECKING",
    "Any",
    "ClassVar",
    "Final",
    "Generic",
    "Literal",
    "NoReturn",
    "Protocol",
    "TypeAlias",
    "TypeVar",
    "cast",
    "get_args",
    "overload",
]
