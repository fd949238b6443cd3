"""How the API spells functions, found by asking it: which operator or member makes a call of which."""

from __future__ import annotations

from functools import cache

import tableapi
from ir.expressions import UnresolvedCall
from ir.functions.builtins import BUILT_INS
from ir.functions.definition import Fluent, FluentForm, FunctionDefinition
from tableapi import expressions
from tableapi.expression import Expression
from tableapi.python_code.code import BINARY_OPERATORS, UNARY_OPERATORS
from tableapi.python_code.python_names import is_python_name
from tableapi.symbols import JsonOnNull, TimeIntervalUnit, TimePointUnit


def _definition(made: object) -> FunctionDefinition:
    assert isinstance(made, Expression)
    call = made._expression
    assert isinstance(call, UnresolvedCall)
    assert isinstance(call.function, FunctionDefinition)
    # The operator + is that of two functions, of which BUILT_INS has the one of numbers.
    return BUILT_INS.by_name(call.function.name)


@cache
def binary_operators() -> dict[FunctionDefinition, str]:
    """Return the operators between two expressions by the functions that they call."""
    a, b = expressions.col("a"), expressions.col("b")
    return {_definition(operator.apply(a, b)): symbol for symbol, operator in BINARY_OPERATORS.items()}


@cache
def unary_operators() -> dict[FunctionDefinition, str]:
    """Return the operators before an expression by the functions that they call."""
    a = expressions.col("a")
    return {_definition(operator.apply(a)): symbol for symbol, operator in UNARY_OPERATORS.items()}


def form_of(definition: FunctionDefinition, count: int) -> FluentForm | None:
    """Return the first form in which the API offers a function of so many arguments, or None."""
    for form in definition.fluent:
        given = count if form.kind is Fluent.FUNCTION else count - 1
        required = sum(not name.startswith("*") and not name.endswith("?") for name in form.parameters)
        unlimited = any(name.startswith("*") for name in form.parameters)
        if required <= given and (unlimited or given <= len(form.parameters)):
            return form
    return None


@cache
def symbols() -> dict[str, tuple[str, str]]:
    """Return the class and the member by which the API takes a keyword as an argument."""
    kinds = (TimePointUnit, TimeIntervalUnit, JsonOnNull)
    return {member.value: (kind.__name__, member.name) for kind in kinds for member in kind}


@cache
def _names_of_code() -> frozenset[str]:
    return frozenset([*expressions.__all__, *tableapi.__all__, "Decimal", "Over", "dt"])


def is_free_name(name: str) -> bool:
    """Whether a name may be that of a parameter in code: it is one of Python's, and hides none that code may use."""
    return is_python_name(name) and name not in _names_of_code()
