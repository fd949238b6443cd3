"""What is read otherwise in Flink's SQL: its functions and forms, raised to what they were written of."""

from __future__ import annotations

from ir.expressions import ResolvedExpression
from ir.flink.raising import Raiser
from ir.functions.definition import FunctionDefinition
from ir.functions.flink import BY_NAME
from ir.identifiers import fold
from ir.resolution.lookup import FunctionLookup

_FUNCTIONS = {fold(name): definition for name, definition in BY_NAME.items()}


class FlinkLookup:
    """Finds the functions of Flink's SQL, too, and raises the expressions of one text."""

    def __init__(self, lookup: FunctionLookup) -> None:
        self._lookup = lookup
        self._raiser = Raiser()

    def find(self, name: str) -> FunctionDefinition:
        """Return the function that a name means.

        Raises:
            ValidationException: it means none.
        """
        found = _FUNCTIONS.get(fold(name))
        return self._lookup.find(name) if found is None else found

    def finished(self, expression: ResolvedExpression) -> ResolvedExpression:
        """Return the expression of which Flink's SQL has this one."""
        return self._raiser.raised(expression)
