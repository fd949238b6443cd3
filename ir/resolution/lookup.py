"""Lookup of function names during resolution."""

from __future__ import annotations

from collections.abc import Sequence

from ir.errors import FunctionNotExistException, did_you_mean, shorten
from ir.expressions import ResolvedExpression
from ir.functions.builtins import BUILT_INS
from ir.functions.definition import FunctionDefinition
from ir.identifiers import fold
from ir.light_typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from typing import TypeGuard

FunctionName = str | tuple[str, ...]
"""A function name: a single name as a string, or the two or three parts of a path as a tuple."""

# The namespaces of Spark's built-in functions and of those of a session; nothing else decides their meaning.
_BUILT_IN_NAMESPACES = (("system", "builtin"), ("builtin",))

_SESSION_NAMESPACES = (("system", "session"), ("session",))

RESERVED_DATABASES = ("builtin", "session")
"""Database names that a function name of two parts cannot refer to."""


def name_in_session(parts: Sequence[str]) -> str | None:
    """Return the name inside Spark's namespace of temporary objects, None for a name outside of it.

    >>> name_in_session(("session", "v")), name_in_session(("sales", "v")), name_in_session(("v",))
    ('v', None, None)
    """
    return parts[-1] if tuple(map(fold, parts[:-1])) in _SESSION_NAMESPACES else None


class FunctionLookup(Protocol):
    """Finds the function to which a name refers."""

    def find(self, name: FunctionName) -> FunctionDefinition:
        """Return the function to which ``name`` refers.

        Raises:
            FunctionNotExistException: there is no such function.
        """
        ...


class Finishing(Protocol):
    """A lookup that rewrites each resolved expression last, for a dialect that writes some calls in another form."""

    def finished(self, expression: ResolvedExpression) -> ResolvedExpression:
        """Return the final form of a resolved expression."""
        ...


class Evaluating(Protocol):
    """A lookup that can have an engine evaluate constant expressions."""

    def constant(self, expression: ResolvedExpression) -> ResolvedExpression:
        """Return the value of an expression over no columns as a constant.

        Raises:
            TableException: the engine fails to compute the value, or there is no engine.
        """
        ...


def has_final_forms(lookup: object) -> TypeGuard[Finishing]:
    """Whether a lookup rewrites resolved expressions."""
    return hasattr(lookup, "finished")


def can_evaluate(lookup: object) -> TypeGuard[Evaluating]:
    """Whether a lookup can have an engine evaluate constants."""
    return hasattr(lookup, "constant")


class BuiltInLookup:
    """Finds built-in functions only."""

    def find(self, name: FunctionName) -> FunctionDefinition:
        """Return the built-in function called ``name``.

        Raises:
            FunctionNotExistException: there is no such function; the message suggests the nearest name.
            TableException: Spark or Flink has the function, but no query here can call it; the message says why.
        """
        found = find_built_in(name)
        if found is None:
            raise make_unknown_function_error(name, BUILT_INS.names())
        return found


def find_built_in(name: FunctionName) -> FunctionDefinition | None:
    """Return the built-in function called ``name``, None if there is none; ``system.builtin.f`` is always built in."""
    if isinstance(name, str):
        return BUILT_INS.find(name)
    return BUILT_INS.find(name[-1]) if is_built_in_path(name) else None


def is_built_in_path(name: tuple[str, ...]) -> bool:
    """Whether a path can name a built-in function only, as ``system.builtin.f`` does."""
    return tuple(fold(part) for part in name[:-1]) in _BUILT_IN_NAMESPACES


def make_unknown_function_error(name: FunctionName, known: list[str]) -> FunctionNotExistException:
    """Return the error for an unknown function name; ``known`` are the names to suggest from."""
    shown = name if isinstance(name, str) else ".".join(name)
    from ir.functions.unsupported import REFUSED, SECTIONS
    from ir.migration_page import see

    if fold(shown) in REFUSED:
        reason, instead = REFUSED[fold(shown)]
        more = see(SECTIONS[reason]) if reason in SECTIONS else ""
        return FunctionNotExistException(f"{shown.upper()} is not supported: {reason}. {instead}{more}")
    from ir.functions.other_databases import WRITTEN_HERE

    written = WRITTEN_HERE.get(fold(shown))
    advice = did_you_mean(shown, known) if written is None else f" Write {written}."
    return FunctionNotExistException(f"There is no function named {shorten(shown)!r}.{advice}")
