"""Conversion of values from one type to another."""

from __future__ import annotations

from collections.abc import Callable

from ir import types as t
from ir.call_expressions import Call
from ir.calls.clauses import Clauses
from ir.cast_rules import written_type
from ir.casts import can_cast, can_try_cast, cast_result, try_cast_result
from ir.dialects.syntax import OwnSyntax, special
from ir.expressions import ResolvedExpression, TypeLiteral, ValueLiteral
from ir.fine_times import MICROSECOND_DIGITS, has_digits
from ir.functions import constant_values
from ir.functions.builder import scalar
from ir.functions.definition import Canonical, CollationOf, CollationRules, Construct, FunctionDefinition, Shown
from ir.inference import CallContext
from ir.inference.arguments import ANY, TYPE
from ir.inference.inputs import Computed
from ir.inference.results import Computed as ComputedResult
from ir.light_typing import TYPE_CHECKING
from ir.types import LogicalType

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ir.functions.entries import CastFacts

Arguments = tuple[ResolvedExpression, ...]


def _cast_types(context: CallContext) -> tuple[LogicalType, ...] | None:
    source, target = context.argument_types[0], context.type_argument(1)
    return context.argument_types if target is not None and can_cast(source, target) else None


def _cast_result(context: CallContext) -> LogicalType | None:
    target = context.type_argument(1)
    return None if target is None else cast_result(context.argument_types[0], target)


def _canonical(function: Callable[[], FunctionDefinition]) -> Canonical:
    """Return the canonical form of a cast: to a type that SQL can express, and possibly a literal."""

    def canonical(arguments: Arguments, call: Construct) -> ResolvedExpression | None:
        value, target = arguments
        assert isinstance(target, TypeLiteral)
        sayable = written_type(target.type_)
        if sayable is not target.type_:
            return call(function(), (value, TypeLiteral(sayable)))
        if isinstance(value, Call) and value.function.inference.of_expected_output:
            # The parser infers the type of this call from the cast, so every other builder must, too.
            typed = call(value.function, value.arguments, Clauses(expected_output=sayable.as_nullable()))
            if typed is not value:
                return call(function(), (typed, target))
        return _constant(arguments) if function() is CAST else None

    return canonical


def _constant(arguments: tuple[ResolvedExpression, ...]) -> ResolvedExpression | None:
    """Return the literal that is written as such a cast, such as a typed NULL or a wider DECIMAL, or None."""
    value, target = arguments
    assert isinstance(target, TypeLiteral)
    if isinstance(value, ValueLiteral) and value.is_null:
        result = cast_result(value.data_type, target.data_type)
        # A cast of a typed NULL to another type is written as two nested casts, and stays a call.
        return ValueLiteral(None, result) if value.data_type.root == "NULL" else None
    if isinstance(value, ValueLiteral):
        given, wanted = value.data_type, target.data_type
        if isinstance(given, t.DecimalType) and isinstance(wanted, t.DecimalType):
            if given.scale == wanted.scale and given.precision < wanted.precision:
                return ValueLiteral(value.value, wanted.not_null())
        elif isinstance(given, t.StringType) and isinstance(wanted, t.StringType):
            # A literal with a collation is written as a cast of a plain string.
            if wanted.has_collation and not given.has_collation:
                return ValueLiteral(value.value, wanted.not_null())
        elif isinstance(given, t.TimeType) and isinstance(wanted, t.TimeType) and given.precision > wanted.precision:
            is_exact = has_digits(value.value, wanted.precision)
            # Times with more digits than microseconds have a literal of their own.
            has_literal = wanted.precision > MICROSECOND_DIGITS or given.precision > MICROSECOND_DIGITS
            return ValueLiteral(value.value, wanted.not_null()) if is_exact and not has_literal else None
    return None


CAST: FunctionDefinition = scalar(
    "cast",
    Computed(2, 2, "ANY", _cast_types, ("<ANY>, <data type>",), (ANY, TYPE)),
    ComputedResult(_cast_result),
    sql="CAST",
    syntax=special(OwnSyntax.CAST),
    canonical=_canonical(lambda: CAST),
    doc="The value converted to a type; an error if it cannot be converted.",
    example=("CAST('1' AS INT)", "1"),
    folding=constant_values.CAST,
    can_fail=True,
    collating=CollationRules(unites=False, result=CollationOf.CAST),
    read_as=OwnSyntax.CAST,
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
    syntax=special(OwnSyntax.CAST),
    canonical=_canonical(lambda: TRY_CAST),
    doc="The value converted to a type; NULL if it cannot be converted.",
    example=("TRY_CAST('x' AS INT)", "NULL"),
    collating=CollationRules(unites=False, result=CollationOf.CAST),
    read_as=OwnSyntax.TRY_CAST,
)


def _cast_named(
    sql: str, target: LogicalType, example: tuple[str, str], **facts: Unpack[CastFacts]
) -> FunctionDefinition:
    """Return Spark's function that is named like a type; a call becomes a cast to that type."""

    def to_target(context: CallContext) -> CallContext:
        return CallContext.of(context.name, (*context.arguments, TypeLiteral(target)))

    def inputs(context: CallContext) -> tuple[LogicalType, ...] | None:
        found = _cast_types(to_target(context))
        return None if found is None else found[:1]

    return scalar(
        sql.lower(),
        Computed(1, 1, "ANY", inputs),
        ComputedResult(lambda context: _cast_result(to_target(context))),
        sql=sql,
        canonical=lambda arguments, call: call(CAST, (*arguments, TypeLiteral(target))),
        doc=f"The value converted to {target.as_summary_string()}: ``CAST(value AS {sql})``.",
        example=example,
        casts_to=target,
        **facts,
    )


TO_BOOLEAN = _cast_named("BOOLEAN", t.BOOLEAN, ("BOOLEAN('true')", "TRUE"))
TO_TINYINT = _cast_named("TINYINT", t.TINYINT, ("TINYINT('1')", "1"))
TO_SMALLINT = _cast_named("SMALLINT", t.SMALLINT, ("SMALLINT('1')", "1"))
TO_INT = _cast_named("INT", t.INT, ("INT('1')", "1"))
TO_BIGINT = _cast_named("BIGINT", t.BIGINT, ("BIGINT('1')", "1"))
TO_FLOAT = _cast_named("FLOAT", t.FLOAT, ("FLOAT('1.5')", "1.5"))
TO_DOUBLE = _cast_named("DOUBLE", t.DOUBLE, ("DOUBLE('1.5')", "1.5"))
TO_DECIMAL = _cast_named("DECIMAL", t.DecimalType(10, 0), ("DECIMAL('2')", "2"))
TO_STRING = _cast_named("STRING", t.STRING, ("STRING(1)", "'1'"))
TO_BINARY = _cast_named("BINARY", t.BYTES, ("BINARY('a') = X'61'", "TRUE"), shown=Shown(result=t.BYTES))
AS_DATE = _cast_named("DATE", t.DATE, ("DATE(TIMESTAMP_NTZ '2024-02-29 01:02:03')", "'2024-02-29'"))
AS_TIME = _cast_named("TIME", t.TimeType(6), ("TIME('01:02:03')", "'01:02:03'"))
AS_TIMESTAMP = _cast_named(
    "TIMESTAMP", t.TIMESTAMP_LTZ, ("TIMESTAMP(DATE '2024-02-29') = TIMESTAMP_LTZ '2024-02-29 00:00:00Z'", "TRUE")
)
