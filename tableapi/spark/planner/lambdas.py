"""Move calls of Python functions out of lambdas, where Spark rejects them.

A call that does not depend on the parameters of the lambda has one value per row. The value is computed outside, and
becomes the parameter of another lambda: ``TRANSFORM(ARRAY(ROW(f(a))), v -> <the call with v.v0 in place of f(a)>)[0]``.
"""

from __future__ import annotations

from collections.abc import Sequence

from ir.call_expressions import Call
from ir.calls import call
from ir.errors import TableException
from ir.expressions import Lambda, LambdaVariable, ResolvedExpression
from ir.functions.builtins import BUILT_INS
from ir.functions.collection import GET, row_of_values
from ir.functions.definition import takes_lambdas
from ir.identifiers import fold
from ir.literals import literal
from ir.resolution.lambdas import code_within_lambda
from ir.rewriting import choose_unused_name, free_variables, make_lambda, replace, transform
from tableapi.user_functions.declaration import UserFunction

_ARRAY = BUILT_INS.by_name("array")
_ELEMENT_AT = BUILT_INS.by_name("element_at")
_TRANSFORM = BUILT_INS.by_name("transform")


def extract_code_from_lambdas(root: ResolvedExpression) -> ResolvedExpression:
    """Rewrite an expression so that no lambda in it calls a Python function.

    Raises:
        TableException: such a call depends on a parameter of the lambda, or is not deterministic.
    """
    return transform(root, _extract_calls)


def _extract_calls(part: ResolvedExpression) -> ResolvedExpression:
    """Move calls of Python functions out of the lambdas of a call, whose inner lambdas have been rewritten already."""
    if not isinstance(part, Call) or not takes_lambdas(part.function):
        return part
    # The lowering of some functions for Spark puts their arguments into a lambda.
    has_own = any(isinstance(argument, Lambda) for argument in part.arguments)
    found: list[ResolvedExpression] = []

    def note(inner: ResolvedExpression) -> ResolvedExpression | None:
        if not isinstance(inner, Call) or not isinstance(inner.function.user_code.implementation, UserFunction):
            return None
        found.append(inner)
        return inner

    parameters: set[LambdaVariable] = set()
    for argument in part.arguments:
        if isinstance(argument, Lambda):
            parameters |= set(argument.parameters)
        if isinstance(argument, Lambda) or not has_own:
            replace(argument, note)
    for inner in found:
        assert isinstance(inner, Call)
        _require_one_value(inner, parameters)
    return _bind_values(part, list(dict.fromkeys(found))) if found else part


def _require_one_value(inner: Call, parameters: set[LambdaVariable]) -> None:
    for variable in sorted(free_variables(inner) & parameters, key=lambda variable: variable.name):
        raise TableException(code_within_lambda(inner.function, variable))
    if any(isinstance(p, Call) and not p.function.is_deterministic for p in inner.walk()):
        raise TableException(
            f"{inner.function.sql_name} is a function in Python that is not deterministic, which Spark does not call "
            "within a lambda. Make its value a column first, and use that in the lambda."
        )


def _bind_values(whole: ResolvedExpression, inner: Sequence[ResolvedExpression]) -> ResolvedExpression:
    """Compute some parts of an expression once, before all lambdas around them."""
    taken = {fold(part.name) for part in whole.walk() if isinstance(part, LambdaVariable)}
    taken |= {fold(p.name) for part in whole.walk() if isinstance(part, Lambda) for p in part.parameters}
    values = row_of_values(inner, call, [f"v{number}" for number in range(len(inner))])
    variable = LambdaVariable(choose_unused_name("values", taken), values.data_type)
    fields = {part: call(GET, (variable, literal(f"v{number}"))) for number, part in enumerate(inner)}
    body = make_lambda((variable,), replace(whole, fields.get))
    return call(_ELEMENT_AT, (call(_TRANSFORM, (call(_ARRAY, (values,)), body)), literal(1)))
