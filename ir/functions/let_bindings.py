"""Single evaluation: lowered forms pass a value that they use several times to a lambda."""

from __future__ import annotations

from collections.abc import Callable

from ir import calls
from ir.call_expressions import Call
from ir.expressions import Lambda, LambdaVariable, ResolvedExpression
from ir.functions import collection
from ir.functions.higher_order import TRANSFORM
from ir.literals import literal
from ir.types import LogicalType


def function(use: Callable[..., ResolvedExpression], **parameters: LogicalType) -> Lambda:
    """Build a lambda; ``use`` takes the parameters as expressions and returns the body."""
    variables = tuple([LambdaVariable(name, data_type) for name, data_type in parameters.items()])
    return Lambda(variables, use(*variables))


def bind_value(
    value: ResolvedExpression, use: Callable[[ResolvedExpression], ResolvedExpression], name: str = "given"
) -> Call:
    """Return ``TRANSFORM(ARRAY(value), given -> …)[0]``, where ``use`` builds the body from the lambda's parameter."""
    array = calls.construct(collection.ARRAY, (value,))
    made = calls.construct(TRANSFORM, (array, function(use, **{name: value.data_type})))
    return calls.build_without_recognition(collection.ITEM, (made, literal(0)))
