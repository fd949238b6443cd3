"""Bitwise operators on integers.

Sources: ``bitwiseExpressions.scala`` and ``AnsiTypeCoercion`` of Spark 4.3;
https://spark.apache.org/docs/latest/sql-ref-operators.html#bitwise-operators
"""

from __future__ import annotations

from ir import types as t
from ir.casts import cast_is_nullable, implicit_cast, least_common_type, plain_type
from ir.dialects.syntax import CallSyntax, OwnSyntax, Precedence, special, syntax
from ir.functions import constant_values
from ir.functions.builder import scalar
from ir.functions.definition import FunctionDefinition, Mismatch
from ir.inference import CallContext
from ir.inference.arguments import BIGINT, INTEGER, Family
from ir.inference.inputs import Computed, positional
from ir.inference.results import Computed as ComputedResult
from ir.inference.results import nullable_if_arguments
from ir.light_typing import TYPE_CHECKING
from ir.types import LogicalType

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ir.functions.entries import Facts

_TWO = ("<INTEGRAL>, <INTEGRAL>",)


def _cast(source: LogicalType, target: LogicalType) -> LogicalType:
    return target.with_nullability(cast_is_nullable(source, target))


def _infer_common_type(context: CallContext) -> tuple[LogicalType, ...] | None:
    left, right = (plain_type(given) for given in context.argument_types)
    if all(isinstance(given, t.NullType) for given in (left, right)):
        return _cast(left, t.INT), _cast(right, t.INT)
    if any(isinstance(given, t.CharacterType) for given in (left, right)):
        # A string beside an integer is cast to BIGINT; two strings are invalid.
        if not any(isinstance(given, t.IntegralType) for given in (left, right)):
            return None
        return _cast(left, t.BIGINT), _cast(right, t.BIGINT)
    common = least_common_type((left, right))
    if common is None or not isinstance(common, t.IntegralType):
        return None
    return _cast(left, common), _cast(right, common)


def _common_result(context: CallContext) -> LogicalType | None:
    left, right = context.argument_types
    return left.with_nullability(left.nullable or right.nullable)


def _combination(
    name: str, sql: str, doc: str, example: tuple[str, str], written: CallSyntax | None = None, **facts: Unpack[Facts]
) -> FunctionDefinition:
    # Operands in parentheses need no precedence rules.
    return scalar(
        name,
        Computed(2, 2, "INTEGRAL", _infer_common_type, _TWO),
        ComputedResult(_common_result),
        sql=sql,
        syntax=written or syntax(f"{{0}} {sql} {{1}}", Precedence.PREDICATE, Precedence.UNARY),
        doc=doc,
        example=example,
        **facts,
    )


BIT_AND = _combination(
    "bitwiseAnd", "&", "The bitwise AND of two numbers.", ("5 & 3", "1"), folding=constant_values.BITWISE_AND
)
BIT_OR = _combination(
    *("bitwiseOr", "|", "The bitwise OR of two numbers.", ("5 | 3", "7")),
    special(OwnSyntax.BIT_OR, Precedence.PREDICATE),
    folding=constant_values.BITWISE_OR,
)
BIT_XOR = _combination(
    "bitwiseXor",
    "^",
    "The bitwise exclusive OR of two numbers.",
    ("5 ^ 3", "6"),
    folding=constant_values.BITWISE_XOR,
)


def _infer_one_number(context: CallContext) -> tuple[LogicalType, ...] | None:
    operand = plain_type(context.argument_types[0])
    if isinstance(operand, t.IntegralType):
        return (operand,)
    return (_cast(operand, t.INT),) if isinstance(operand, t.NullType) else None


BIT_NOT = scalar(
    "bitwiseNot",
    Computed(1, 1, "INTEGRAL", _infer_one_number, ("<INTEGRAL>",)),
    ComputedResult(lambda context: context.argument_types[0]),
    sql="~",
    syntax=syntax("~{0}", Precedence.UNARY, Precedence.PRIMARY),
    doc="The bitwise NOT of a number.",
    example=("~5", "-6"),
    folding=constant_values.BITWISE_NOT,
)


def _infer_shift_inputs(context: CallContext) -> tuple[LogicalType, ...] | None:
    value, distance = (plain_type(given) for given in context.argument_types)
    kept = isinstance(value, (t.IntType, t.BigIntType))
    number = value if kept else implicit_cast(value, t.INT)
    steps = implicit_cast(distance, t.INT)
    return None if number is None or steps is None else (number, steps)


def _shift(name: str, doc: str, example: tuple[str, str], **facts: Unpack[Facts]) -> FunctionDefinition:
    return scalar(
        name,
        Computed(2, 2, "INTEGRAL", _infer_shift_inputs, ("<INTEGRAL>, <INT>",)),
        ComputedResult(_common_result),
        sql=name,
        doc=doc,
        example=example,
        **facts,
    )


SHIFT_LEFT = _shift(
    "SHIFTLEFT",
    "The number with its bits shifted to the left.",
    ("SHIFTLEFT(2, 1)", "4"),
    folding=constant_values.SHIFT_LEFT,
    mismatch=Mismatch(together="UNEXPECTED_INPUT_TYPE"),
)
SHIFT_RIGHT = _shift(
    "SHIFTRIGHT",
    "The number with its bits shifted to the right; the sign is kept.",
    ("SHIFTRIGHT(-4, 1)", "-2"),
    mismatch=Mismatch(together="UNEXPECTED_INPUT_TYPE"),
)
SHIFT_RIGHT_UNSIGNED = _shift(
    "SHIFTRIGHTUNSIGNED",
    "The number with its bits shifted to the right; zeros are shifted in.",
    ("SHIFTRIGHTUNSIGNED(4, 1)", "2"),
    mismatch=Mismatch(together="UNEXPECTED_INPUT_TYPE"),
)

# --- counts of bits, and bits in bitmaps ------------------------------------------------------------------------------

_INTEGRAL = Family("INTEGRAL", (t.IntegralType, t.NullType))
_BITS = Family("INTEGRAL or BOOLEAN", (t.IntegralType, t.BooleanType, t.NullType))
BIT_COUNT = scalar(
    "bit_count",
    positional(_BITS, names="number"),
    nullable_if_arguments(t.INT),
    sql="BIT_COUNT",
    in_flink=False,
    doc="The number of bits of number that are 1.",
    example=("BIT_COUNT(7)", "3"),
)
BIT_GET = scalar(
    "bit_get",
    positional(_INTEGRAL, INTEGER, names="number position"),
    nullable_if_arguments(t.TINYINT),
    sql="BIT_GET",
    also=("GETBIT",),
    in_flink=False,
    doc="The bit of number at position, counted from 0 at the least significant bit.",
    example=("BIT_GET(11, 2)", "0"),
)


def _define_bitmap_function(name: str, doc: str, example: tuple[str, str]) -> FunctionDefinition:
    return scalar(
        name,
        positional(BIGINT, names="number"),
        nullable_if_arguments(t.BIGINT),
        sql=name.upper(),
        in_flink=False,
        doc=doc,
        example=example,
    )


BITMAP_BIT_POSITION = _define_bitmap_function(
    "bitmap_bit_position",
    "The position, from 0, of the bit that represents number in the bitmap of its bucket.",
    ("BITMAP_BIT_POSITION(123)", "122"),
)
BITMAP_BUCKET_NUMBER = _define_bitmap_function(
    "bitmap_bucket_number",
    "The number of the bucket whose bitmap represents number.",
    ("BITMAP_BUCKET_NUMBER(123)", "1"),
)
BITMAP_COUNT = scalar(
    "bitmap_count",
    positional(Family("BYTES", (t.BytesType,)), names="bitmap"),
    nullable_if_arguments(t.BIGINT),
    sql="BITMAP_COUNT",
    in_flink=False,
    doc="The number of bits of bitmap that are 1.",
    example=("BITMAP_COUNT(X'1010')", "2"),
)
# Functions that Flink lacks in any form.
FUNCTIONS = (BIT_AND, BIT_OR, BIT_XOR, BIT_NOT, SHIFT_LEFT, SHIFT_RIGHT, SHIFT_RIGHT_UNSIGNED)
