"""How function names are found while a query is resolved."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

from ir.errors import FunctionNotExistException, did_you_mean, shortened
from ir.expressions import ResolvedExpression
from ir.functions.builtins import BUILT_INS
from ir.functions.definition import FunctionDefinition
from ir.functions.refused import REFUSED, SECTIONS
from ir.identifiers import fold
from ir.migration_page import see

FunctionName = str | tuple[str, ...]
"""What names a function: a name alone as text, or the parts of a path, as a tuple of two or three."""

# Where Spark has its own functions and those of a session: what these names mean depends on nothing else.
_BUILT_IN_NAMESPACES = (("system", "builtin"), ("builtin",))

_SESSION_NAMESPACES = (("system", "session"), ("session",))

RESERVED_DATABASES = ("builtin", "session")
"""Databases of these names hold functions that a name of two parts does not mean."""


def name_in_session(parts: Sequence[str]) -> str | None:
    """Return the name that follows Spark's namespace of what is temporary, or None where another or none stands there.

    >>> name_in_session(("session", "v")), name_in_session(("sales", "v")), name_in_session(("v",))
    ('v', None, None)
    """
    return parts[-1] if tuple(map(fold, parts[:-1])) in _SESSION_NAMESPACES else None


class FunctionLookup(Protocol):
    """Finds the function that a name means."""

    def find(self, name: FunctionName) -> FunctionDefinition:
        """Return the function that ``name`` means.

        Raises:
            FunctionNotExistException: it means none.
        """
        ...


@runtime_checkable
class Finishing(Protocol):
    """A lookup that has the last word on what is resolved, as a dialect has that writes calls in another form."""

    def finished(self, expression: ResolvedExpression) -> ResolvedExpression:
        """Return the expression that a resolved one means."""
        ...


@runtime_checkable
class Evaluating(Protocol):
    """A lookup that can have an engine say what a constant is."""

    def constant(self, expression: ResolvedExpression) -> ResolvedExpression:
        """Return the constant that an expression over no columns is.

        Raises:
            TableException: the engine fails to compute it, or there is none.
        """
        ...


class BuiltInLookup:
    """Finds built-in functions only."""

    def find(self, name: FunctionName) -> FunctionDefinition:
        """Return the built-in function of this name.

        Raises:
            FunctionNotExistException: there is none; the message suggests the nearest.
            TableException: there is one in Spark or Flink that no query here can call; the message says why.
        """
        found = built_in(name)
        if found is None:
            raise no_function(name, BUILT_INS.names())
        return found


def built_in(name: FunctionName) -> FunctionDefinition | None:
    """Return the built-in function that a name means, None where it means none: ``system.builtin.f`` always does."""
    if isinstance(name, str):
        return BUILT_INS.find(name)
    return BUILT_INS.find(name[-1]) if is_built_in_path(name) else None


def is_built_in_path(name: tuple[str, ...]) -> bool:
    """Whether the parts of a name mean a built-in function and nothing else: ``system.builtin.f``."""
    return tuple(fold(part) for part in name[:-1]) in _BUILT_IN_NAMESPACES


def no_function(name: FunctionName, known: list[str]) -> FunctionNotExistException:
    """Return the error about a name that means no function; ``known`` are those that could have been meant."""
    shown = name if isinstance(name, str) else ".".join(name)
    if fold(shown) in REFUSED:
        reason, instead = REFUSED[fold(shown)]
        more = see(SECTIONS[reason]) if reason in SECTIONS else ""
        return FunctionNotExistException(f"{shown.upper()} is not supported: {reason}. {instead}{more}")
    from ir.functions.other_databases import WRITTEN_HERE

    written = WRITTEN_HERE.get(fold(shown))
    advice = did_you_mean(shown, known) if written is None else f" Write {written}."
    return FunctionNotExistException(f"There is no function named {shortened(shown)!r}.{advice}")
