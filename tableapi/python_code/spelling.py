"""Find the operators and members with which the fluent API builds calls, by trying them."""

from __future__ import annotations

from functools import cache
from typing import Any

from ir.functions.builtins import BUILT_INS
from ir.functions.definition import Fluent, FluentForm, FunctionDefinition
from ir.unresolved import UnresolvedCall, UnresolvedReference
from tableapi.expression import Expression, unwrap
from tableapi.members.symbols import JsonOnNull, TimeIntervalUnit, TimePointUnit
from tableapi.python_code.code import BINARY_OPERATORS, UNARY_OPERATORS, list_importable_names
from tableapi.python_code.python_names import is_python_name


def _definition(made: object) -> FunctionDefinition:
    assert isinstance(made, Expression)
    call = unwrap(made)
    assert isinstance(call, UnresolvedCall)
    assert isinstance(call.function, FunctionDefinition)
    # The operator + belongs to two functions. BUILT_INS has the numeric one under this name.
    return BUILT_INS.by_name(call.function.name)


def _column(name: str) -> Expression[Any]:
    return Expression(UnresolvedReference(name))


@cache
def binary_operators() -> dict[FunctionDefinition, str]:
    """Return the binary operators by the functions that they call."""
    a, b = _column("a"), _column("b")
    return {_definition(operator.apply(a, b)): symbol for symbol, operator in BINARY_OPERATORS.items()}


@cache
def unary_operators() -> dict[FunctionDefinition, str]:
    """Return the unary operators by the functions that they call."""
    a = _column("a")
    return {_definition(operator.apply(a)): symbol for symbol, operator in UNARY_OPERATORS.items()}


def form_of(definition: FunctionDefinition, count: int) -> FluentForm | None:
    """Return the first fluent form of a function that takes ``count`` arguments, or None."""
    for form in definition.documentation.fluent:
        given = count if form.kind is Fluent.FUNCTION else count - 1
        required = sum(not name.startswith("*") and not name.endswith("?") for name in form.parameters)
        unlimited = any(name.startswith("*") for name in form.parameters)
        if required <= given and (unlimited or given <= len(form.parameters)):
            return form
    return None


@cache
def symbols() -> dict[str, tuple[str, str]]:
    """Return the class and the member with which the API represents a keyword argument."""
    kinds = (TimePointUnit, TimeIntervalUnit, JsonOnNull)
    return {member.value: (kind.__name__, member.name) for kind in kinds for member in kind}


@cache
def _list_reserved_names() -> frozenset[str]:
    return frozenset(
        [*list_importable_names("tableapi.expressions"), *list_importable_names("tableapi"), "Decimal", "Over", "dt"]
    )


def is_free_name(name: str) -> bool:
    """Whether a name can be a parameter in generated code: a valid Python name that hides no name used there."""
    return is_python_name(name) and name not in _list_reserved_names()
