"""Conversion of values from one type to another."""

from __future__ import annotations

from collections.abc import Callable

from ir import types as t
from ir.cast_rules import written_type
from ir.casts import can_cast, can_try_cast, cast_result, try_cast_result
from ir.dialects.syntax import special
from ir.expressions import ResolvedExpression, TypeLiteral, ValueLiteral
from ir.functions import calls
from ir.functions.builder import scalar
from ir.functions.definition import FunctionDefinition
from ir.inference import CallContext
from ir.inference.arguments import ANY, TYPE, Computed
from ir.inference.results import Computed as ComputedResult
from ir.types import LogicalType

Arguments = tuple[ResolvedExpression, ...]


def _cast_types(context: CallContext) -> tuple[LogicalType, ...] | None:
    source, target = context.argument_types[0], context.type_argument(1)
    return context.argument_types if target is not None and can_cast(source, target) else None


def _cast_result(context: CallContext) -> LogicalType | None:
    target = context.type_argument(1)
    return None if target is None else cast_result(context.argument_types[0], target)


def _canonical(function: Callable[[], FunctionDefinition]) -> Callable[[Arguments], ResolvedExpression | None]:
    """Return what a cast is really: to a type of which the text can say everything, and perhaps a constant."""

    def canonical(arguments: Arguments) -> ResolvedExpression | None:
        value, target = arguments
        assert isinstance(target, TypeLiteral)
        sayable = written_type(target.type_)
        if sayable is not target.type_:
            return calls.call(function(), (value, TypeLiteral(sayable)))
        return _constant(arguments) if function() is CAST else None

    return canonical


def _constant(arguments: tuple[ResolvedExpression, ...]) -> ResolvedExpression | None:
    """Return the constant whose text such a cast is: a typed NULL, or digits in a type that is wider than they are."""
    value, target = arguments
    assert isinstance(target, TypeLiteral)
    if isinstance(value, ValueLiteral) and value.is_null:
        result = cast_result(value.data_type, target.data_type)
        # A cast of one typed NULL to another type is not the text CAST(NULL AS t) and stays a call.
        return ValueLiteral(None, result) if value.data_type.root == "NULL" else None
    if isinstance(value, ValueLiteral):
        given, wanted = value.data_type, target.data_type
        if isinstance(given, t.DecimalType) and isinstance(wanted, t.DecimalType):
            if given.scale == wanted.scale and given.precision < wanted.precision:
                return ValueLiteral(value.value, wanted.not_null())
        elif isinstance(given, t.TimeType) and isinstance(wanted, t.TimeType) and given.precision > wanted.precision:
            is_exact = value.value.microsecond % 10 ** (6 - wanted.precision) == 0
            return ValueLiteral(value.value, wanted.not_null()) if is_exact else None
    return None


CAST: FunctionDefinition = scalar(
    "cast",
    Computed(2, 2, "ANY", _cast_types, ("<ANY>, <data type>",), (ANY, TYPE)),
    ComputedResult(_cast_result),
    sql="CAST",
    syntax=special("cast"),
    canonical=_canonical(lambda: CAST),
    doc="The value converted to a type; an error where it cannot be.",
    example=("CAST('1' AS INT)", "1"),
)


def _try_cast_types(context: CallContext) -> tuple[LogicalType, ...] | None:
    source, target = context.argument_types[0], context.type_argument(1)
    return context.argument_types if target is not None and can_try_cast(source, target) else None


def _try_cast_result(context: CallContext) -> LogicalType | None:
    target = context.type_argument(1)
    return None if target is None else try_cast_result(context.argument_types[0], target)


TRY_CAST: FunctionDefinition = scalar(
    "TRY_CAST",
    Computed(2, 2, "ANY", _try_cast_types, ("<ANY>, <data type>",), (ANY, TYPE)),
    ComputedResult(_try_cast_result),
    sql="TRY_CAST",
    syntax=special("cast"),
    canonical=_canonical(lambda: TRY_CAST),
    doc="The value converted to a type; NULL where it cannot be.",
    example=("TRY_CAST('x' AS INT)", "NULL"),
)
