"""The stored functions that the expressions of a query call."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from ir.call_expressions import Call, Over
from ir.expressions import ResolvedExpression
from ir.functions.definition import FunctionDefinition
from ir.identifiers import FunctionIdentifier
from ir.operations.operation import QueryOperation
from ir.rewriting import replace_functions, user_functions
from tableapi.process_functions.declaration import ProcessFunction
from tableapi.user_functions.declaration import UserFunction

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

    def changed(function: FunctionDefinition) -> FunctionDefinition:
        identifier = function.user_code.identifier
        return function if identifier is None else change(identifier, function)

    return replace_functions(expression, changed)


def python_functions(operation: QueryOperation) -> list[str]:
    """Return the names of the functions in Python that a query calls, process table functions among them."""
    found = user_functions(operation)
    return [one.sql_name for one in found if isinstance(one.user_code.implementation, (UserFunction, ProcessFunction))]
