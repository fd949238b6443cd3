"""Python functions as lambdas of collection functions: ``call("transform", col("a"), lambda x: x + 1)``."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ir.errors import ValidationException
from ir.expressions import Expression
from ir.unresolved import UnresolvedLambda, UnresolvedVariable
from tableapi.advice.misused_members import describe_uncalled_method
from tableapi.lazy import lazy

if TYPE_CHECKING:
    import inspect
else:
    inspect = lazy(__name__, "inspect")


def lambda_expression(
    function: Callable[..., Any], wrap: Callable[[Expression], Any], unwrap: Callable[[Any], Expression]
) -> UnresolvedLambda:
    """Convert a Python function to a lambda; call it once, with a fluent expression for each parameter.

    The parameters keep their Python names. Parameters with defaults do not become parameters of the lambda.

    Raises:
        ValidationException: the function has variadic or keyword-only parameters, returns None, or is an uncalled
            method of this library.
    """
    uncalled = describe_uncalled_method(function)
    if uncalled:
        raise ValidationException(uncalled)
    parameters = [UnresolvedVariable(name) for name in _parameters(function)]
    returned = function(*[wrap(parameter) for parameter in parameters])
    if returned is None:
        raise ValidationException(
            f"{_display(function)} returns None. A lambda returns the expression that it makes of its parameters; NULL "
            "is null_of(DataTypes.INT())."
        )
    return UnresolvedLambda(tuple(parameters), unwrap(returned))


def _parameters(function: Callable[..., Any]) -> list[str]:
    names = []
    for parameter in inspect.signature(function).parameters.values():
        if parameter.default is not parameter.empty:
            continue
        if parameter.kind not in (parameter.POSITIONAL_ONLY, parameter.POSITIONAL_OR_KEYWORD):
            raise ValidationException(
                f"{_display(function)} takes {parameter}, but a lambda has a fixed number of parameters that are given "
                "by position: lambda x: x + 1, lambda x, i: x * i."
            )
        names.append(parameter.name)
    return names


def _display(function: Callable[..., Any]) -> str:
    name = getattr(function, "__name__", "")
    return f"The Python function {name}" if name.isidentifier() else "The Python lambda"
