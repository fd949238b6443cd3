"""How function names are found while a query is resolved."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from ir.errors import FunctionNotExistException, did_you_mean, shortened
from ir.expressions import ResolvedExpression
from ir.functions.builtins import BUILT_INS
from ir.functions.definition import FunctionDefinition


class FunctionLookup(Protocol):
    """Finds the function that a name means."""

    def find(self, name: str) -> FunctionDefinition:
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


class BuiltInLookup:
    """Finds built-in functions only."""

    def find(self, name: str) -> FunctionDefinition:
        """Return the built-in function of this name.

        Raises:
            FunctionNotExistException: there is none; the message suggests the nearest.
        """
        found = BUILT_INS.find(name)
        if found is None:
            raise FunctionNotExistException(
                f"There is no function named {shortened(name)!r}." + did_you_mean(name, BUILT_INS.names())
            )
        return found
