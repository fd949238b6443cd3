"""Error messages for called properties and uncalled methods.

``tableapi.advice.properties`` records which property returned an expression.
"""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType, MethodType
from typing import TYPE_CHECKING, Any

from ir.errors import ValidationException
from ir.expressions import Expression, ValueLiteral
from ir.unresolved import UnresolvedReference
from tableapi.advice.properties import origin_of
from tableapi.lazy import lazy

if TYPE_CHECKING:
    import inspect
else:
    inspect = lazy(__name__, "inspect")

_MOST_SHOWN = 40


def describe_called_property(expression: Any, has_arguments: bool) -> str:
    """Return the message for a call of an expression that a property returned, else an empty string."""
    origin = origin_of(expression)
    if origin is None:
        return ""
    takes = ", which takes no arguments" if has_arguments else ""
    return f"{origin[0]} is a property{takes}: write {receiver(origin[1])}.{origin[0]} without parentheses."


def null_comparison(operator: str, expression: Any) -> ValidationException:
    """Return the error about a comparison with None, which suggests ``is_null``."""
    member = "is_null" if operator == "==" else "is_not_null"
    return ValidationException(
        f"A comparison with NULL is never TRUE: instead of {operator} None write {receiver(expression)}.{member}. "
        "A comparison that is meant is written with lit(None)."
    )


def receiver(expression: Any) -> str:
    """Return short Python code for an expression: ``col('a')``, ``lit(1)``, ``col('a').sum``, otherwise an ellipsis."""
    names: list[str] = []
    while (origin := origin_of(expression)) is not None:
        names.append(origin[0])
        expression = origin[1]
    inner: Expression | None = getattr(expression, "_expression", None)
    shown = "…"
    if isinstance(inner, UnresolvedReference):
        shown = f"col({inner.name!r})"
    elif isinstance(inner, ValueLiteral):
        shown = f"lit({inner.value!r})"
    shown = ".".join([shown, *reversed(names)])
    return shown if len(shown) <= _MOST_SHOWN else "…"


def describe_uncalled_method(given: Any, *, functions: bool = False) -> str:
    """Return the message for an uncalled method of this library, an empty string for any other argument.

    Args:
        given: the argument.
        functions: whether functions of modules count, too; not where the argument may be a lambda.
    """
    if isinstance(given, MethodType):
        owner = given.__self__
        of = owner if isinstance(owner, type) else type(owner)
        if not _is_own(of.__module__):
            return ""
        kind = "method"
        shown = of.__name__ if isinstance(owner, type) else receiver(owner) if hasattr(of, "_expression") else "…"
        call = f"{shown}.{given.__name__}"
    elif functions and isinstance(given, FunctionType) and _is_own(given.__module__):
        kind, call = "function", given.__name__
    else:
        return ""
    return f"{given.__name__} is a {kind} that is not called: write {call}({_parameters(given)})."


def describe_given(given: Any) -> str:
    """Describe an argument in the message that rejects it: by its ``repr``, or as an uncalled method."""
    if not describe_uncalled_method(given):
        return repr(given)
    return f"the method {given.__name__}, which is not called: write ….{given.__name__}({_parameters(given)})"


def _is_own(module: str | None) -> bool:
    return (module or "").partition(".")[0] == "tableapi"


def _parameters(given: Callable[..., Any]) -> str:
    """Return the names of the required parameters, with an ellipsis for optional ones."""
    listed = list(inspect.signature(given).parameters.values())
    required = [
        p.name for p in listed if p.default is p.empty and p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)
    ]
    return ", ".join([*required, *["…"] * (len(required) < len(listed) and bool(required))])
