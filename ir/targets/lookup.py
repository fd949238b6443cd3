"""A lookup of functions that refuses calls which a target lacks, while the place in the SQL text is known."""

from __future__ import annotations

from ir.expressions import ResolvedExpression
from ir.functions.definition import FunctionDefinition
from ir.operations.operation import QueryOperation
from ir.resolution.lookup import FunctionLookup, FunctionName, can_evaluate
from ir.targets.preparation import Preparation


class TargetLookup:
    """Finds functions as another lookup does, and checks each resolved expression for a target.

    The check of a whole query finds the same mistakes, but an error in a resolved expression has the position of the
    call in the text.
    """

    def __init__(self, lookup: FunctionLookup, preparation: Preparation) -> None:
        self._lookup = lookup
        self._preparation = preparation

    def find(self, name: FunctionName) -> FunctionDefinition:
        """Return the function of a name.

        Raises:
            FunctionNotExistException: there is no such function.
        """
        return self._lookup.find(name)

    def finished(self, expression: ResolvedExpression) -> ResolvedExpression:
        """Return the expression.

        Raises:
            TableException: the target lacks a call or a type in it.
        """
        self._preparation.check_expression(expression)
        return expression

    def check(self, operation: QueryOperation) -> None:
        """Check that the target has what a query needs.

        Raises:
            TableException: the target lacks something.
        """
        self._preparation.check(operation)


class EvaluatingTargetLookup(TargetLookup):
    """The same over a lookup that can have an engine evaluate constant expressions."""

    def constant(self, expression: ResolvedExpression) -> ResolvedExpression:
        """Return the value of an expression over no columns as a constant.

        Raises:
            TableException: the engine fails to compute the value, or there is no engine.
        """
        assert can_evaluate(self._lookup)
        return self._lookup.constant(expression)


def lookup_for(lookup: FunctionLookup, preparation: Preparation | None) -> FunctionLookup:
    """Return a lookup that checks expressions for a target; the given one if there is no target to check for."""
    if preparation is None or preparation.target.is_newest:
        return lookup
    return (EvaluatingTargetLookup if can_evaluate(lookup) else TargetLookup)(lookup, preparation)
