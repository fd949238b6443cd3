"""Functions of numbers: signs, rounding, greatest and least, arithmetic without errors.

Sources: ``mathExpressions.scala`` of Spark 4.3; https://spark.apache.org/docs/latest/api/sql/#math-functions
"""

from __future__ import annotations

from collections.abc import Callable

from ir import types as t
from ir.call_expressions import Call
from ir.casts import DECIMAL_FAMILY
from ir.decimals import round_decimal_type
from ir.dialects.syntax import OwnSyntax
from ir.errors import ValidationException
from ir.expressions import ResolvedExpression, ValueLiteral
from ir.functions import constant_values
from ir.functions.arithmetic import DIFFERENCES, NUMBERS, PRODUCTS, SUMS
from ir.functions.builder import INCREASING, as_function, as_method, as_property, capitals, scalar
from ir.functions.definition import (
    Canonical,
    CollationRules,
    Construct,
    FluentForm,
    FunctionDefinition,
    Mismatch,
    Shown,
)
from ir.inference import CallContext
from ir.inference.arguments import (
    BIGINT,
    DECIMAL,
    DOUBLE,
    INTEGER,
    NUMERIC,
    Family,
    Implicit,
    cast_int_literal,
    int_constant,
    int_literal,
)
from ir.inference.arithmetic import arithmetic, negation
from ir.inference.inputs import AnyOf, Common, Computed, Positional, positional
from ir.inference.results import Computed as ComputedResult
from ir.inference.results import maybe_null
from ir.light_typing import TYPE_CHECKING
from ir.types import LogicalType

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ir.functions.entries import Facts, FamilyFacts

# --- signs -----------------------------------------------------------------------------------------------------------


def _number_or_interval(context: CallContext) -> tuple[LogicalType, ...] | None:
    found = negation(context)
    # Calendar intervals are excluded, because their months, days and microseconds can differ in sign.
    return None if found is None or isinstance(found, t.CalendarIntervalType) else (found,)


ABS = scalar(
    "abs",
    Computed(1, 1, "NUMERIC or INTERVAL", _number_or_interval),
    ComputedResult(lambda context: context.argument_types[0]),
    sql="ABS",
    fluent=as_property("abs"),
    doc="The absolute value of a number or interval.",
    example=("ABS(-2)", "2"),
    folding=constant_values.ABSOLUTE_VALUE,
)

# --- rounding --------------------------------------------------------------------------------------------------------


def _digits(context: CallContext) -> int:
    """Return the number of fraction digits to keep; NULL counts as 0, as in Spark."""
    return int_constant(context.arguments[1]) or 0 if len(context) > 1 else 0


def _infer_rounded_type(context: CallContext) -> LogicalType:
    """Return the type of a number rounded to digits; it is always nullable, like ``RoundBase`` in Spark."""
    number = context.argument_types[0]
    result = round_decimal_type(number, _digits(context)) if isinstance(number, t.DecimalType) else number
    return result.as_nullable()


def convert_literal_to_int(function: Callable[[], FunctionDefinition], position: int) -> Canonical:
    """Return the canonical form of calls with a literal integer argument, which becomes an INT."""

    def canonical(arguments: tuple[ResolvedExpression, ...], call: Construct) -> ResolvedExpression | None:
        number = arguments[position] if position < len(arguments) else None
        if not isinstance(number, ValueLiteral) or isinstance(number.type_, t.IntType):
            return None
        value = int_constant(number)
        if value is None:
            return None
        as_int = ValueLiteral(value, t.INT.not_null())
        return call(function(), (*arguments[:position], as_int, *arguments[position + 1 :]))

    return canonical


def _rounding(
    function: Callable[[], FunctionDefinition],
    name: str,
    sql: str,
    fluent: tuple[FluentForm, ...],
    doc: str,
    example: tuple[str, str],
    **facts: Unpack[FamilyFacts],
) -> FunctionDefinition:
    facts["monotonicity"] = (INCREASING,)
    return scalar(
        name,
        positional(NUMERIC, cast_int_literal(), optional=1, names="number digits"),
        ComputedResult(_infer_rounded_type),
        sql=sql,
        fluent=fluent,
        canonical=convert_literal_to_int(function, 1),
        doc=doc,
        example=example,
        **facts,
    )


ROUND: FunctionDefinition = _rounding(
    lambda: ROUND,
    "round",
    "ROUND",
    as_method("round", "places?"),
    "The number rounded to digits decimal places, 0 by default; halves are rounded away from zero.",
    ("ROUND(2.5)", "3"),
    folding=constant_values.ROUNDING,
    shown=Shown(defaults=(None, "0")),
)
BROUND: FunctionDefinition = _rounding(
    lambda: BROUND,
    "bround",
    "BROUND",
    as_method("bround", "places?"),
    "The number rounded to digits decimal places, 0 by default; halves are rounded to the even neighbour.",
    ("BROUND(2.5)", "2"),
    in_flink=False,
    shown=Shown(defaults=(None, "0")),
)


def _infer_whole_type(context: CallContext) -> LogicalType | None:
    """Return the result type of CEIL and FLOOR, like ``Ceil`` in Spark's ``mathExpressions.scala``.

    A decimal gets one more digit before the point and loses its fraction. A decimal without a fraction keeps its type.
    """
    number = context.argument_types[0]
    if len(context) > 1:
        return _infer_rounded_type(context)
    if not isinstance(number, t.DecimalType):
        return t.BIGINT
    return round_decimal_type(number, 0) if number.scale else number.as_nullable()


def _define_rounding(
    name: str, sql: str, doc: str, example: tuple[str, str], also: tuple[str, ...] = (), **facts: Unpack[Facts]
) -> FunctionDefinition:
    return scalar(
        name,
        AnyOf(
            (
                positional(Implicit("NUMERIC", (t.DOUBLE, DECIMAL_FAMILY, t.BIGINT)), names="number"),
                positional(DECIMAL, int_literal(null=False, exactly=t.INT), names="number digits"),
            )
        ),
        ComputedResult(_infer_whole_type),
        sql=sql,
        monotonicity=(INCREASING,),
        also=also,
        doc=doc,
        example=example,
        difference="Flink's result has the type of the number; here it is a BIGINT or a DECIMAL.",
        **facts,
    )


CEIL = _define_rounding(
    "ceil",
    "CEIL",
    "The number rounded up to digits decimal places, 0 by default.",
    ("CEIL(-1.2)", "-1"),
    ("CEILING",),
    folding=constant_values.CEILING,
    shown=Shown(names=capitals("CEIL")),
    read_as=OwnSyntax.CEIL,
)
FLOOR = _define_rounding(
    "floor",
    "FLOOR",
    "The number rounded down to digits decimal places, 0 by default.",
    ("FLOOR(-1.2)", "-2"),
    folding=constant_values.FLOOR,
    shown=Shown(names=capitals("FLOOR")),
    read_as=OwnSyntax.FLOOR,
)

_PLAIN_NUMBER = Family("NUMERIC", (t.NumericType,))


def _infer_truncated_type(context: CallContext) -> LogicalType:
    number, digits = context.argument_types[0], _digits(context)
    if isinstance(number, t.DecimalType) and digits < number.scale:
        return round_decimal_type(number, digits)
    return number.as_nullable()


def _drop_needless_truncation(arguments: tuple[ResolvedExpression, ...], call: Construct) -> ResolvedExpression | None:
    """Return the number itself if it has no further digits; reject operands that Spark would compute repeatedly."""
    number, *digits = arguments
    if not digits:
        return call(TRUNCATE, (number, ValueLiteral(0, t.INT.not_null())))
    count = digits[0].value if isinstance(digits[0], ValueLiteral) else 0
    kind = number.data_type
    if (isinstance(kind, t.IntegralType) and count >= 0) or (isinstance(kind, t.DecimalType) and count >= kind.scale):
        return number
    for part in number.walk():
        if isinstance(part, Call) and (part.function is TRUNCATE or not part.function.is_deterministic):
            raise ValidationException(
                f"TRUNCATE of {number.as_summary_string()} would compute {part.as_summary_string()} several times on "
                "Spark. Select that under a name first, and truncate the column."
            )
    return _with_int_digits(arguments, call)


_with_int_digits = convert_literal_to_int(lambda: TRUNCATE, 1)
TRUNCATE: FunctionDefinition = scalar(
    "truncate",
    positional(_PLAIN_NUMBER, int_literal(null=False), optional=1, names="number digits"),
    ComputedResult(_infer_truncated_type),
    monotonicity=(INCREASING,),
    sql="TRUNCATE",
    fluent=as_method("truncate", "n?"),
    canonical=_drop_needless_truncation,
    in_spark=False,
    doc="The number truncated toward zero to digits decimal places, 0 by default; negative digits set digits before "
    "the decimal point to zero.",
    example=("TRUNCATE(-1.29, 1)", "-1.2"),
    difference="The number of digits must be a constant here. With digits, a DOUBLE beyond 10 to the power of 20 is an "
    "error. For NaN and infinity Flink fails; here the result is NaN, or an error with digits.",
)

# --- greatest and least -----------------------------------------------------------------------------------------------


def _infer_unless_all_are_null(context: CallContext) -> LogicalType:
    first = context.argument_types[0]
    return first.with_nullability(all(argument.nullable for argument in context.argument_types))


def _extreme(name: str, doc: str, example: tuple[str, str], **facts: Unpack[Facts]) -> FunctionDefinition:
    return scalar(
        name,
        Common(2, None, "COMPARABLE", promote_strings=False, ordered=True),
        ComputedResult(_infer_unless_all_are_null),
        sql=name,
        fluent=as_function(name.lower(), "first second *others"),
        doc=doc,
        example=example,
        difference="Flink's result is NULL if any value is NULL; here NULL is skipped.",
        **facts,
    )


GREATEST = _extreme(
    "GREATEST",
    "The greatest of the values that are not NULL; NULL if all values are NULL.",
    ("GREATEST(1, NULL, 3)", "3"),
    folding=constant_values.GREATEST,
    collating=CollationRules(),
)
LEAST = _extreme(
    "LEAST",
    "The least of the values that are not NULL; NULL if all values are NULL.",
    ("LEAST(1, NULL, 3)", "1"),
    folding=constant_values.LEAST,
    collating=CollationRules(),
)

# --- arithmetic with NULL instead of an error, and a remainder that is never negative ---------------------------------


def _define_operator_function(
    name: str, operator: str, doc: str, example: tuple[str, str], forms: tuple[str, ...], **facts: Unpack[Facts]
) -> FunctionDefinition:
    def inputs(context: CallContext) -> tuple[LogicalType, ...] | None:
        found = arithmetic(operator, context)
        return None if found is None else found[0]

    def output(context: CallContext) -> LogicalType | None:
        found = arithmetic(operator, context.as_given())
        return None if found is None else found[1].as_nullable()

    return scalar(
        name,
        Computed(2, 2, "NUMERIC or INTERVAL", inputs, forms),
        ComputedResult(output),
        sql=name.upper(),
        in_flink=False,
        doc=doc,
        example=example,
        **facts,
    )


TRY_ADD = _define_operator_function(
    "try_add",
    "+",
    "The sum; NULL if it is out of range.",
    ("TRY_ADD(2147483647, 1)", "NULL"),
    SUMS,
    mismatch=Mismatch(together="BINARY_OP_DIFF_TYPES"),
)
TRY_SUBTRACT = _define_operator_function(
    "try_subtract",
    "-",
    "The difference; NULL if it is out of range.",
    ("TRY_SUBTRACT(-2147483648, 1)", "NULL"),
    DIFFERENCES,
    mismatch=Mismatch(together="BINARY_OP_DIFF_TYPES"),
)
TRY_MULTIPLY = _define_operator_function(
    "try_multiply",
    "*",
    "The product; NULL if it is out of range.",
    ("TRY_MULTIPLY(2147483647, 2)", "NULL"),
    PRODUCTS,
    mismatch=Mismatch(together="BINARY_OP_DIFF_TYPES"),
)
TRY_DIVIDE = _define_operator_function(
    "try_divide",
    "/",
    "The quotient; NULL if the divisor is 0.",
    ("TRY_DIVIDE(1, 0)", "NULL"),
    PRODUCTS,
    mismatch=Mismatch(together="BINARY_OP_DIFF_TYPES"),
)
TRY_MOD = _define_operator_function(
    "try_mod",
    "%",
    "The remainder; NULL if the divisor is 0.",
    ("TRY_MOD(1, 0)", "NULL"),
    NUMBERS,
    mismatch=Mismatch(together="BINARY_OP_DIFF_TYPES"),
)
PMOD = _define_operator_function(
    "pmod",
    "%",
    "The remainder, which is never negative if the divisor is positive.",
    ("PMOD(-7, 3)", "2"),
    NUMBERS,
    folding=constant_values.POSITIVE_REMAINDER,
    can_fail=True,
    mismatch=Mismatch(together="BINARY_OP_DIFF_TYPES"),
)

# --- numbers in ranges ------------------------------------------------------------------------------------------------


def _build_bucket_inputs(kind: type[LogicalType], name: str) -> Positional:
    interval = Family(name, (kind, t.NullType))
    return positional(interval, interval, interval, BIGINT, names="value minimum maximum buckets")


WIDTH_BUCKET = scalar(
    "width_bucket",
    AnyOf(
        (
            positional(DOUBLE, DOUBLE, DOUBLE, BIGINT, names="value minimum maximum buckets"),
            _build_bucket_inputs(t.YearMonthIntervalType, "INTERVAL YEAR TO MONTH"),
            _build_bucket_inputs(t.DayTimeIntervalType, "INTERVAL DAY TO SECOND"),
        )
    ),
    maybe_null(t.BIGINT),
    sql="WIDTH_BUCKET",
    in_flink=False,
    doc="The number, from 1, of the bucket that contains value, when the range from minimum to maximum is divided into "
    "buckets of equal width; 0 if value is before the range, buckets + 1 if it is after it.",
    example=("WIDTH_BUCKET(5.3, 0.2, 10.6, 5)", "3"),
)
FACTORIAL = scalar(
    "factorial",
    positional(INTEGER, names="number"),
    maybe_null(t.BIGINT),
    sql="FACTORIAL",
    in_flink=False,
    doc="The factorial of number; NULL if number is not between 0 and 20.",
    example=("FACTORIAL(5)", "120"),
)
