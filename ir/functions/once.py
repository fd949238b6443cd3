"""Values of which a form on Spark makes several uses: each is computed once, and a lambda is called with it."""

from __future__ import annotations

from collections.abc import Callable

from ir import calls
from ir.expressions import Call, Lambda, LambdaVariable, ResolvedExpression
from ir.functions import collection
from ir.functions.higher_order import TRANSFORM
from ir.literals import literal
from ir.types import LogicalType


def function(use: Callable[..., ResolvedExpression], **parameters: LogicalType) -> Lambda:
    """Return the lambda of some parameters, ``use`` being given them as expressions."""
    variables = tuple([LambdaVariable(name, data_type) for name, data_type in parameters.items()])
    return Lambda(variables, use(*variables))


def with_value(
    value: ResolvedExpression, use: Callable[[ResolvedExpression], ResolvedExpression], name: str = "given"
) -> Call:
    """Return ``TRANSFORM(ARRAY(value), given -> …)[0]``: what ``use`` makes of a value."""
    array = calls.construct(collection.ARRAY, (value,))
    made = calls.construct(TRANSFORM, (array, function(use, **{name: value.data_type})))
    return calls.as_written(collection.ITEM, (made, literal(0)))
