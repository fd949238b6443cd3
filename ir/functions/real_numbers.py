"""Functions of real numbers: roots, powers, logarithms and trigonometry.

Sources: ``mathExpressions.scala`` of Spark 4.3; https://spark.apache.org/docs/latest/api/sql/#math-functions
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ir import types as t
from ir.casts import DAY_TIME_FAMILY, YEAR_MONTH_FAMILY
from ir.functions import constant_values
from ir.functions.builder import DECREASING, INCREASING, as_function, as_method, as_property, capitals, scalar
from ir.functions.definition import FluentForm, FunctionDefinition, Mismatch, Shown
from ir.inference.arguments import DOUBLE, FRACTIONAL, Implicit
from ir.inference.call_context import CallContext
from ir.inference.inputs import AnyOf, Computed, positional
from ir.inference.results import Computed as ComputedResult
from ir.inference.results import maybe_null, never_null, nullable_if_arguments
from ir.types import LogicalType

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ir.functions.entries import Facts, FamilyFacts

# --- functions of one number ------------------------------------------------------------------------------------------


def _define_unary(name: str, doc: str, example: tuple[str, str], **facts: Unpack[FamilyFacts]) -> FunctionDefinition:
    return scalar(
        name,
        positional(DOUBLE, names="number"),
        maybe_null(t.DOUBLE),
        sql=name.upper(),
        fluent=as_property(name),
        doc=doc,
        example=example,
        **facts,
    )


_RISES, _FALLS = (INCREASING,), (DECREASING,)
_NOT_POSITIVE = "Flink returns -Infinity for 0 and NaN for a negative number; here the result is NULL."

SQRT = _define_unary(
    "sqrt",
    "The square root of number; NaN if number is negative.",
    ("SQRT(4)", "2.0"),
    monotonicity=_RISES,
    folding=constant_values.SQUARE_ROOT,
    shown=Shown(names=capitals("SQRT")),
)
CBRT = _define_unary(
    "cbrt",
    "The cube root of number.",
    ("CBRT(-27)", "-3.0"),
    in_flink=False,
    monotonicity=_RISES,
    shown=Shown(names=capitals("CBRT")),
)
EXP = _define_unary(
    "exp",
    "The number e raised to the power of number.",
    ("EXP(0)", "1.0"),
    monotonicity=_RISES,
    folding=constant_values.EXPONENTIAL,
    shown=Shown(names=capitals("EXP")),
)
EXPM1 = _define_unary(
    "expm1",
    "The number e raised to the power of number, minus 1.",
    ("EXPM1(0)", "0.0"),
    in_flink=False,
    monotonicity=_RISES,
    shown=Shown(names=capitals("EXPM1")),
)
LN = _define_unary(
    "ln",
    "The natural logarithm; NULL unless the number is positive.",
    ("LN(1)", "0.0"),
    difference=_NOT_POSITIVE,
    monotonicity=_RISES,
)
LOG10 = _define_unary(
    "log10",
    "The base-10 logarithm; NULL unless the number is positive.",
    ("LOG10(100)", "2.0"),
    difference=_NOT_POSITIVE,
    monotonicity=_RISES,
    shown=Shown(names=capitals("LOG10")),
)
LOG2 = _define_unary(
    "log2",
    "The base-2 logarithm; NULL unless the number is positive.",
    ("LOG2(8)", "3.0"),
    difference=_NOT_POSITIVE,
    monotonicity=_RISES,
    folding=constant_values.BINARY_LOGARITHM,
    shown=Shown(names=capitals("LOG2")),
)
LOG1P = _define_unary(
    "log1p",
    "The natural logarithm of 1 plus number; NULL unless number is greater than -1.",
    ("LOG1P(0)", "0.0"),
    in_flink=False,
    monotonicity=_RISES,
    shown=Shown(names=capitals("LOG1P")),
)
SIN = _define_unary("sin", "The sine of an angle in radians.", ("SIN(0)", "0.0"), shown=Shown(names=capitals("SIN")))
COS = _define_unary("cos", "The cosine of an angle in radians.", ("COS(0)", "1.0"), shown=Shown(names=capitals("COS")))
TAN = _define_unary("tan", "The tangent of an angle in radians.", ("TAN(0)", "0.0"), shown=Shown(names=capitals("TAN")))
COT = _define_unary(
    "cot", "The cotangent of an angle in radians.", ("ROUND(COT(1), 4)", "0.6421"), shown=Shown(names=capitals("COT"))
)
SEC = _define_unary(
    "sec", "The secant of an angle in radians.", ("SEC(0)", "1.0"), in_flink=False, shown=Shown(names=capitals("SEC"))
)
CSC = _define_unary(
    "csc",
    "The cosecant of an angle in radians.",
    ("ROUND(CSC(1), 4)", "1.1884"),
    in_flink=False,
    shown=Shown(names=capitals("CSC")),
)
ASIN = _define_unary(
    "asin",
    "The arcsine of number in radians; NaN unless number is between -1 and 1.",
    ("ASIN(0)", "0.0"),
    monotonicity=_RISES,
    shown=Shown(names=capitals("ASIN")),
)
ACOS = _define_unary(
    "acos",
    "The arccosine of number in radians; NaN unless number is between -1 and 1.",
    ("ACOS(1)", "0.0"),
    monotonicity=_FALLS,
    shown=Shown(names=capitals("ACOS")),
)
ATAN = _define_unary(
    "atan",
    "The arctangent of number in radians.",
    ("ATAN(0)", "0.0"),
    monotonicity=_RISES,
    shown=Shown(names=capitals("ATAN")),
)
SINH = _define_unary(
    "sinh",
    "The hyperbolic sine of number.",
    ("SINH(0)", "0.0"),
    monotonicity=_RISES,
    shown=Shown(names=capitals("SINH")),
)
COSH = _define_unary(
    "cosh",
    "The hyperbolic cosine of number.",
    ("COSH(0)", "1.0"),
    shown=Shown(names=capitals("COSH")),
)
TANH = _define_unary(
    "tanh",
    "The hyperbolic tangent of number.",
    ("TANH(0)", "0.0"),
    monotonicity=_RISES,
    shown=Shown(names=capitals("TANH")),
)
ASINH = _define_unary(
    "asinh",
    "The inverse hyperbolic sine of number.",
    ("ASINH(0)", "0.0"),
    in_flink=False,
    monotonicity=_RISES,
    shown=Shown(names=capitals("ASINH")),
)
ACOSH = _define_unary(
    "acosh",
    "The inverse hyperbolic cosine of number; NaN if number is less than 1.",
    ("ACOSH(1)", "0.0"),
    in_flink=False,
    monotonicity=_RISES,
    shown=Shown(names=capitals("ACOSH")),
)
ATANH = _define_unary(
    "atanh",
    "The inverse hyperbolic tangent of number.",
    ("ATANH(0)", "0.0"),
    in_flink=False,
    monotonicity=_RISES,
    shown=Shown(names=capitals("ATANH")),
)
DEGREES = _define_unary(
    "degrees",
    "An angle in radians, converted to degrees.",
    ("DEGREES(PI())", "180.0"),
    monotonicity=_RISES,
    shown=Shown(names=capitals("DEGREES")),
)
RADIANS = _define_unary(
    "radians",
    "An angle in degrees, converted to radians.",
    ("RADIANS(180) = PI()", "TRUE"),
    monotonicity=_RISES,
    shown=Shown(names=capitals("RADIANS")),
)
RINT = _define_unary(
    "rint",
    "The integer nearest to number, as a DOUBLE; of two equally near integers, the even one.",
    ("RINT(2.5)", "2.0"),
    in_flink=False,
    monotonicity=_RISES,
)
SIGN = scalar(
    "sign",
    positional(Implicit("NUMERIC or INTERVAL", (t.DOUBLE, YEAR_MONTH_FAMILY, DAY_TIME_FAMILY)), names="number"),
    maybe_null(t.DOUBLE),
    sql="SIGN",
    monotonicity=_RISES,
    also=("SIGNUM",),
    fluent=as_property("sign"),
    doc="The sign of number: -1, 0 or 1, as a DOUBLE.",
    example=("SIGN(-7)", "-1.0"),
    difference="Flink's result has the type of the number; here it is a DOUBLE.",
    shown=Shown(names=capitals("SIGNUM")),
)

# --- functions of two numbers -----------------------------------------------------------------------------------------


def _define_binary(
    name: str,
    fluent: tuple[FluentForm, ...],
    doc: str,
    example: tuple[str, str],
    *,
    names: str,
    **facts: Unpack[FamilyFacts],
) -> FunctionDefinition:
    return scalar(
        name,
        positional(DOUBLE, DOUBLE, names=names),
        nullable_if_arguments(t.DOUBLE),
        sql=name.upper(),
        fluent=fluent,
        doc=doc,
        example=example,
        **facts,
    )


POWER = _define_binary(
    "power",
    as_method("power", "exponent"),
    "The value of base raised to the power of exponent.",
    ("POWER(2, 3)", "8.0"),
    names="base exponent",
    also=("POW",),
    folding=constant_values.POWER,
    shown=Shown(names=capitals("POWER")),
)
ATAN2 = _define_binary(
    "atan2",
    as_function("atan2", "y x"),
    "The angle in radians between the positive x-axis and the direction of the point (x, y).",
    ("ATAN2(0, 1)", "0.0"),
    names="y x",
    shown=Shown(names=capitals("ATAN2")),
)
HYPOT = _define_binary(
    "hypot",
    as_function("hypot", "a b"),
    "The square root of the sum of the squares of a and b.",
    ("HYPOT(3, 4)", "5.0"),
    names="a b",
    in_flink=False,
    shown=Shown(names=capitals("HYPOT")),
)
LOG = scalar(
    "log",
    AnyOf((positional(DOUBLE, names="number"), positional(DOUBLE, DOUBLE, names="base number"))),
    maybe_null(t.DOUBLE),
    sql="LOG",
    doc="The logarithm of number to base, or its natural logarithm without base; NULL unless both are positive.",
    example=("LOG(2, 8)", "3.0"),
    difference=_NOT_POSITIVE,
    shown=Shown(names=capitals("LOG")),
)

# --- constants and NaN ------------------------------------------------------------------------------------------------


def _constant(name: str, doc: str, example: tuple[str, str], **facts: Unpack[Facts]) -> FunctionDefinition:
    return scalar(
        name,
        positional(),
        never_null(t.DOUBLE),
        sql=name.upper(),
        fluent=as_function(name),
        doc=doc,
        example=example,
        **facts,
    )


PI = _constant(
    "pi",
    "The ratio of a circle's circumference to its diameter.",
    ("PI()", "3.141592653589793"),
    shown=Shown(names=capitals("PI")),
)
E = _constant(
    "e",
    "The base of natural logarithms.",
    ("E()", "2.718281828459045"),
    shown=Shown(names=capitals("E")),
)
IS_NAN = scalar(
    "isnan",
    positional(FRACTIONAL, names="number"),
    never_null(t.BOOLEAN),
    sql="ISNAN",
    fluent=as_property("is_nan"),
    in_flink=False,
    doc="Whether number is NaN; never NULL.",
    example=("ISNAN(CAST('NaN' AS DOUBLE))", "TRUE"),
)


def _infer_either_fraction(context: CallContext) -> tuple[LogicalType, ...] | None:
    found = [FRACTIONAL.infer_argument(context, position) for position in range(2)]
    if None in found:
        return None
    types = tuple([kind for kind in found if kind is not None])
    if types[0].same_type(types[1]):
        return types
    if isinstance(types[0], t.FloatType) and isinstance(context.argument_types[1], t.NullType):
        return types[0], t.FLOAT
    return tuple([t.DOUBLE.with_nullability(kind.nullable) for kind in types])


NANVL = scalar(
    "nanvl",
    Computed(
        2, 2, "DOUBLE or FLOAT", _infer_either_fraction, ("number <DOUBLE or FLOAT>, replacement <DOUBLE or FLOAT>",)
    ),
    ComputedResult(lambda c: c.argument_types[0].with_nullability(any(a.nullable for a in c.argument_types))),
    sql="NANVL",
    in_flink=False,
    doc="The number, or the replacement if the number is NaN.",
    example=("NANVL(CAST('NaN' AS DOUBLE), 1)", "1.0"),
    guards=True,
    mismatch=Mismatch(together="UNEXPECTED_INPUT_TYPE"),
)
