"""The stored functions that the expressions of a query call."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from ir.call_expressions import Call, Over
from ir.expressions import ResolvedExpression
from ir.functions.definition import FunctionDefinition
from ir.identifiers import FunctionIdentifier
from ir.operations.operation import QueryOperation
from ir.rewriting import transform

ChangeFunction = Callable[[FunctionIdentifier, FunctionDefinition], FunctionDefinition]
"""Returns the function that takes the place of a stored one, from its name and itself."""


def stored_functions(operation: QueryOperation) -> Iterator[FunctionIdentifier]:
    """Yield the names of the stored functions that a query calls, once for each call."""
    for current in operation.walk_with_subqueries():
        for expression in current.expressions:
            for part in expression.walk():
                call = part.call if isinstance(part, Over) else part
                if isinstance(call, Call) and call.function.user_code.identifier is not None:
                    yield call.function.user_code.identifier


def change_functions(expression: ResolvedExpression, change: ChangeFunction) -> ResolvedExpression:
    """Return an expression whose calls of stored functions call others."""

    def changed(part: ResolvedExpression) -> ResolvedExpression:
        if isinstance(part, Over):
            # Its call is no child of it.
            inner = changed(part.call)
            return part if inner is part.call else part.evolve(call=inner)
        identifier = part.function.user_code.identifier if isinstance(part, Call) else None
        if identifier is None:
            return part
        assert isinstance(part, Call)
        found = change(identifier, part.function)
        return part if found is part.function else part.evolve(function=found)

    return transform(expression, changed)
