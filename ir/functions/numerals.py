"""Digits of numbers, strings and bytes in other bases, and IP addresses as numbers.

Sources: ``mathExpressions.scala`` of Spark 4.3; https://spark.apache.org/docs/latest/api/sql/#math-functions
"""

from __future__ import annotations

from ir import types as t
from ir.calls import build_without_recognition
from ir.calls import construct as call
from ir.expressions import ResolvedExpression, TypeLiteral
from ir.functions.arithmetic import PLUS, TIMES
from ir.functions.bitwise import BIT_AND, SHIFT_RIGHT
from ir.functions.builder import as_method, as_property, on_spark, scalar
from ir.functions.comparison import BETWEEN
from ir.functions.conversion import CAST
from ir.functions.definition import Shown
from ir.functions.higher_order import AGGREGATE
from ir.functions.let_bindings import bind_value, function
from ir.functions.logic import CASE
from ir.functions.regexp import REGEXP_REPLACE, REGEXP_SUBSTR
from ir.functions.string import CONCAT_WS, SPLIT
from ir.inference.arguments import BIGINT, INTEGER, STRING, TEXT_OR_NULL, Family, Implicit
from ir.inference.inputs import positional
from ir.inference.results import CollatedAs, maybe_null, nullable_if_arguments, text_if_arguments
from ir.literals import literal

BIN = scalar(
    "bin",
    positional(BIGINT, names="number"),
    nullable_if_arguments(t.STRING),
    sql="BIN",
    fluent=as_property("bin"),
    doc="The number in binary digits; a negative number as 64 bits in two's complement.",
    example=("BIN(10)", "'1010'"),
)
HEX = scalar(
    "hex",
    positional(Implicit("BIGINT, BYTES or STRING", (t.BIGINT, t.BYTES, t.STRING)), names="value"),
    text_if_arguments(),
    sql="HEX",
    fluent=as_property("hex"),
    doc="An integer, or the bytes of a byte string or of a string in UTF-8, in hexadecimal digits.",
    example=("HEX('ab')", "'6162'"),
)
UNHEX = scalar(
    "UNHEX",
    positional(STRING, names="digits"),
    maybe_null(t.BYTES),
    sql="UNHEX",
    fluent=as_property("unhex"),
    doc="The bytes that digits represents in hexadecimal; NULL if digits is invalid.",
    example=("CAST(UNHEX('6162') AS STRING)", "'ab'"),
    shown=Shown(result=t.BYTES),
)
CONV = scalar(
    "conv",
    positional(STRING, INTEGER, INTEGER, names="digits from_base to_base"),
    CollatedAs(0, maybe_null(t.STRING)),
    sql="CONV",
    fluent=as_method("conv", "from_base to_base"),
    in_flink=False,
    doc="The number that digits represents in from_base, written in to_base.",
    example=("CONV('100', 2, 10)", "'4'"),
)

# --- IP addresses -----------------------------------------------------------------------------------------------------

_BYTE = "0*(?:25[0-5]|2[0-4][0-9]|1?[0-9]?[0-9])"
_ADDRESS = rf"^(?:{_BYTE}\.){{0,3}}{_BYTE}\z"
# The last number is the last byte, the numbers before it are the first bytes, and missing bytes are 0.
_NUMBERS, _BYTES = r"^(?:([0-9]+)\.)?(?:([0-9]+)\.)?(?:([0-9]+)\.)?([0-9]+)$", "0$1.0$2.0$3.$4"


def _number_of_address(address: ResolvedExpression) -> ResolvedExpression:
    valid = call(REGEXP_SUBSTR, (address, literal(_ADDRESS)))
    numbers = call(SPLIT, (call(REGEXP_REPLACE, (valid, literal(_NUMBERS), literal(_BYTES))), literal(r"\.")))

    def add(number: ResolvedExpression, byte: ResolvedExpression) -> ResolvedExpression:
        return call(PLUS, (call(TIMES, (number, literal(256))), call(CAST, (byte, TypeLiteral(t.BIGINT)))))

    start = call(CAST, (literal(0), TypeLiteral(t.BIGINT)))
    return build_without_recognition(
        AGGREGATE, (numbers, start, function(add, number=t.BIGINT, byte=t.STRING.not_null()))
    )


INET_ATON = scalar(
    "INET_ATON",
    positional(TEXT_OR_NULL, names="address"),
    maybe_null(t.BIGINT),
    sql="INET_ATON",
    spark_form=on_spark(_number_of_address, t.STRING),
    fluent=as_property("inet_aton"),
    doc="The number of an IPv4 address, whose bytes before the last may be missing; NULL if address is invalid.",
    example=("INET_ATON('127.0.0.1')", "2130706433"),
)


def _address_of_number(number: ResolvedExpression) -> ResolvedExpression:
    def address(given: ResolvedExpression) -> ResolvedExpression:
        shifted = [call(SHIFT_RIGHT, (given, literal(bits))) for bits in (24, 16, 8)]
        written = call(CONCAT_WS, (literal("."), *[call(BIT_AND, (part, literal(255))) for part in (*shifted, given)]))
        return call(CASE, (call(BETWEEN, (given, literal(0), literal((1 << 32) - 1))), written))

    return bind_value(number, address)


INET_NTOA = scalar(
    "INET_NTOA",
    positional(Family("INTEGRAL_NUMERIC", (t.IntegralType, t.NullType)), names="number"),
    maybe_null(t.STRING),
    sql="INET_NTOA",
    spark_form=on_spark(_address_of_number, t.BIGINT),
    fluent=as_property("inet_ntoa"),
    doc="The IPv4 address with the given number; NULL if there is none.",
    example=("INET_NTOA(2130706433)", "'127.0.0.1'"),
)
