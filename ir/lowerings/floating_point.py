"""NaN and the infinities, which have no literals: their text is a cast of their names."""

from __future__ import annotations

from decimal import Decimal

from ir import types as t
from ir.call_expressions import Call
from ir.expressions import ResolvedExpression, ValueLiteral
from ir.functions.conversion import CAST
from ir.functions.logic import COALESCE
from ir.lowerings.lowering import Lowering
from ir.types import LogicalType


def zero_of(data_type: LogicalType) -> ValueLiteral:
    """Return 0 as a constant of a numeric type."""
    if isinstance(data_type, t.DecimalType):
        return ValueLiteral(Decimal(0).scaleb(-data_type.scale), data_type.not_null())
    return ValueLiteral(0.0 if isinstance(data_type, t.FractionalType) else 0, data_type.not_null())


_NOT_FINITE = {"NaN": float("nan"), "Infinity": float("inf"), "-Infinity": float("-inf")}


def _raise_not_finite(coalesce: Call) -> ResolvedExpression | None:
    """Return the constant for a cast of its name, which COALESCE makes NOT NULL in Spark."""
    if len(coalesce.arguments) != 2:
        return None
    cast, zero = coalesce.arguments
    if not isinstance(cast, Call) or cast.function is not CAST or not isinstance(zero, ValueLiteral):
        return None
    text = cast.arguments[0]
    if not isinstance(text, ValueLiteral) or not isinstance(cast.type_, (t.DoubleType, t.FloatType)):
        return None
    if zero is not zero_of(cast.type_) or text.value not in _NOT_FINITE:
        return None
    return ValueLiteral(_NOT_FINITE[text.value], cast.type_.not_null())


# The serializer writes the text of these constants.
LOWERINGS = (Lowering(None, COALESCE, lambda call: call, _raise_not_finite),)
