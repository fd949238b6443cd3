"""Constant folding per function, exactly as Spark computes in ANSI mode.

The entry of a function names its ``Folding``. Only functions that Spark folds during analysis have one; NVL and ELT do
not. A folding takes Python values, where ``None`` is NULL. It returns ``UNKNOWN`` if the result is uncertain or Spark
raises an error.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from decimal import ROUND_HALF_UP, Decimal

from ir import types as t
from ir.expressions import SymbolLiteral
from ir.functions.definition import Folding
from ir.late_patterns import late_pattern
from ir.light_typing import TYPE_CHECKING, Any, Final
from ir.literal_values import MICROSECONDS

if TYPE_CHECKING:
    from ir.call_expressions import Call

UNKNOWN: Final = object()
_BITS: dict[type[t.LogicalType], int] = {t.TinyIntType: 7, t.SmallIntType: 15, t.IntType: 31, t.BigIntType: 63}
_LARGEST_SINGLE = 3.4028234663852886e38
# Compiled on first use, because few programs need them and every program imports this module.
_WHOLE = late_pattern(r"[+-]?[0-9]+")
_NUMBER = late_pattern(r"[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?")
_LENGTHS = {**MICROSECONDS, t.IntervalField.SECOND: 1_000_000, t.IntervalField.YEAR: 12, t.IntervalField.MONTH: 1}
_TRUTH = {**dict.fromkeys(("t", "true", "y", "yes", "1"), True), **dict.fromkeys(("f", "false", "n", "no", "0"), False)}


def convert_result(value: Any, kind: t.LogicalType) -> Any:
    """Convert a result to its type; decimals are rounded half up, as in Spark.

    A number that the type cannot hold is UNKNOWN, because Spark raises an overflow error.
    """
    if value is None or value is UNKNOWN:
        return value
    match kind:
        case t.BooleanType():
            return value if isinstance(value, bool) else UNKNOWN
        case t.StringType() if not kind.has_collation:
            return value if isinstance(value, str) else UNKNOWN
        case t.DoubleType() if _is_number(value):
            return _finite(float(value))
        case t.FloatType() if _is_number(value):
            return _single(float(value))
        case t.DecimalType() if _is_number(value) and not isinstance(value, float):
            rounded = Decimal(value).quantize(Decimal(1).scaleb(-kind.scale), ROUND_HALF_UP)
            return rounded if abs(rounded) < Decimal(1).scaleb(kind.precision - kind.scale) else UNKNOWN
        case t.IntervalType():
            limit = 1 << (31 if isinstance(kind, t.YearMonthIntervalType) else 63)
            return value if _is_whole(value) and -limit <= value < limit else UNKNOWN
    bits = _BITS.get(type(kind))
    return value if bits is not None and _is_whole(value) and -(1 << bits) <= value < 1 << bits else UNKNOWN


def cast(value: Any, given: t.LogicalType, kind: t.LogicalType) -> Any:
    """Cast a constant from one type to another."""
    if value is None:
        return None
    if isinstance(kind, t.IntervalType) or isinstance(given, t.IntervalType):
        return _interval(value, given, kind)
    if not isinstance(value, (bool, int, float, Decimal, str)):
        return UNKNOWN
    if isinstance(value, str):
        return _parse_text(value.strip(), value, kind)
    if isinstance(kind, t.BooleanType):
        return value != 0
    if isinstance(kind, t.StringType):
        if isinstance(value, bool):
            return str(value).lower()
        return str(value) if _is_whole(value) else UNKNOWN
    if isinstance(value, float) and isinstance(kind, t.DecimalType):
        return convert_result(Decimal(repr(value)), kind)
    if isinstance(kind, t.IntegralType):
        return convert_result(int(value), kind)
    return convert_result(int(value) if isinstance(value, bool) else value, kind)


def _interval(value: Any, given: t.LogicalType, kind: t.LogicalType) -> Any:
    """Cast an interval to another interval type or to a number, or a number to an interval.

    The number counts units of the interval's last field. A result with a fraction of that unit is UNKNOWN.
    """
    if isinstance(given, t.IntervalType) and isinstance(kind, t.IntervalType):
        if type(given) is not type(kind):
            return UNKNOWN
        unit = 1 if kind.end is t.IntervalField.SECOND else _LENGTHS[kind.end]
        return _divide_truncating(value, unit) * unit
    interval = kind if isinstance(kind, t.IntervalType) else given
    if not isinstance(interval, t.IntervalType):
        return UNKNOWN
    length = _LENGTHS[interval.end]
    if interval is given:
        if interval.start is not interval.end:
            return UNKNOWN
        if isinstance(kind, t.DecimalType):
            return convert_result(Decimal(value) / length, kind)
        return convert_result(_divide_truncating(value, length), kind) if isinstance(kind, t.IntegralType) else UNKNOWN
    if not _is_whole(value) and not isinstance(value, Decimal):
        return UNKNOWN
    made = int((Decimal(value) * length).quantize(Decimal(1), ROUND_HALF_UP))
    return convert_result(made, kind) if made % length == 0 or interval.end is t.IntervalField.SECOND else UNKNOWN


def _divide_truncating(value: int, divisor: int) -> int:
    """Divide integers, truncating towards zero."""
    return abs(value) // divisor * (1 if value >= 0 else -1)


def _parse_text(text: str, given: str, kind: t.LogicalType) -> Any:
    """Parse a string as a value of a type: ``text`` is stripped of whitespace, ``given`` is the original."""
    match kind:
        case t.StringType():
            return convert_result(given, kind)
        case t.BooleanType():
            return _TRUTH.get(text.lower(), UNKNOWN)
        case t.IntegralType():
            return convert_result(int(text), kind) if _WHOLE.fullmatch(text) else UNKNOWN
        case t.DoubleType() | t.FloatType() | t.DecimalType():
            return convert_result(Decimal(text), kind) if _NUMBER.fullmatch(text) else UNKNOWN
    return UNKNOWN


def _is_whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_number(value: Any) -> bool:
    return _is_whole(value) or isinstance(value, (float, Decimal))


def _single(value: float) -> Any:
    """Round a number to the nearest FLOAT."""
    import struct

    return struct.unpack("f", struct.pack("f", value))[0] if abs(value) <= _LARGEST_SINGLE else UNKNOWN


def _power(base: float, exponent: float) -> Any:
    """Return an exact integer power of integers; other powers are UNKNOWN, because their last digit may differ."""
    if not base.is_integer() or not exponent.is_integer() or exponent < 0:
        return base if exponent == 1 else UNKNOWN
    exact = int(base) ** int(exponent) if exponent <= 64 else 1 << 64
    return float(exact) if abs(exact) < 1 << 53 else UNKNOWN


def _finite(value: float) -> Any:
    return value if math.isfinite(value) else UNKNOWN


# --- numbers ---------------------------------------------------------------------------------------------------------


def _apply_to_numbers(operation: Callable[..., Any]) -> Callable[..., Any]:
    """Return an operation on numbers that converts all of them to doubles if one is a double."""

    def operate(*values: Any) -> Any:
        if not all(map(_is_number, values)):
            return UNKNOWN
        return operation(*map(float, values) if any(isinstance(value, float) for value in values) else values)

    return operate


def _apply_to_integers(operation: Callable[..., Any]) -> Callable[..., Any]:
    return lambda *values: operation(*values) if all(map(_is_whole, values)) else UNKNOWN


def _quotient(left: Any, right: Any) -> Any:
    """Divide integers as Spark does, truncating towards zero."""
    quotient = abs(left) // abs(right)
    return quotient if (left < 0) == (right < 0) else -quotient


def _shift(value: int, bits: int) -> Any:
    return value << bits if 0 <= bits < 32 else UNKNOWN


def _divide(left: Any, right: Any, kind: t.LogicalType) -> Any:
    """Return a quotient as a decimal, a double, or the nearest interval."""
    if not (_is_number(left) and _is_number(right)) or right == 0:
        return UNKNOWN
    if isinstance(kind, t.DoubleType):
        return float(left) / float(right)
    if isinstance(left, float) or isinstance(right, float):
        return UNKNOWN
    exact = Decimal(left) / Decimal(right)
    return int(exact.to_integral_value(ROUND_HALF_UP)) if isinstance(kind, t.IntervalType) else exact


def _multiply(left: Any, right: Any, kind: t.LogicalType) -> Any:
    """Return a product as a number or the nearest interval."""
    product = _apply_to_numbers(operator.mul)(left, right)
    if isinstance(kind, t.IntervalType) and isinstance(product, Decimal):
        return int(product.to_integral_value(ROUND_HALF_UP))
    return product


# --- strings ---------------------------------------------------------------------------------------------------------


def _apply_to_text(operation: Callable[..., Any]) -> Callable[..., Any]:
    return lambda *texts: operation(*texts) if all(isinstance(text, str) for text in texts) else UNKNOWN


def _apply_to_ascii(operation: Callable[[str], Any]) -> Callable[..., Any]:
    # Beyond ASCII, case conversion depends on Unicode tables, whose versions differ between Python and Spark.
    return _apply_to_text(lambda text: operation(text) if text.isascii() else UNKNOWN)


def _substring(text: Any, start: Any, length: Any = 1 << 31) -> Any:
    if not (isinstance(text, str) and _is_whole(start) and _is_whole(length)):
        return UNKNOWN
    first = start - 1 if start > 0 else len(text) + start if start < 0 else 0
    return text[max(first, 0) : max(first + length, 0)]


def _repeat(text: Any, times: Any) -> Any:
    return text * times if isinstance(text, str) and _is_whole(times) and times * len(text) < 10_000 else UNKNOWN


def _take_left(text: Any, length: Any) -> Any:
    return text[: max(length, 0)] if isinstance(text, str) and _is_whole(length) else UNKNOWN


def _right(text: Any, length: Any) -> Any:
    return text[max(len(text) - length, 0) :] if isinstance(text, str) and _is_whole(length) else UNKNOWN


def _trim(call: Call, text: Any, *characters: Any) -> Any:
    """Strip spaces from one side of a string or both."""
    side = call.arguments[0]
    if characters or not isinstance(side, SymbolLiteral) or not isinstance(text, str):
        return UNKNOWN
    left = text.lstrip(" ") if side.symbol in ("BOTH", "LEADING") else text
    return left.rstrip(" ") if side.symbol in ("BOTH", "TRAILING") else left


def _schema_of_json(text: str) -> Any:
    from ir.functions.schema_inference import json_schema

    return _text_of(json_schema(text))


def _schema_of_csv(text: str) -> Any:
    from ir.functions.schema_inference import csv_schema

    return _text_of(csv_schema(text))


def _text_of(schema: t.LogicalType | None) -> Any:
    return UNKNOWN if schema is None else schema.as_serializable_string()


# --- logic, and functions that accept NULL ---------------------------------------------------------------------------


def _compare(operation: Callable[[Any, Any], bool]) -> Callable[..., Any]:
    def compare(left: Any, right: Any) -> Any:
        if _is_number(left) and _is_number(right):
            return _apply_to_numbers(operation)(left, right)
        return operation(left, right) if type(left) is type(right) and isinstance(left, (str, bool)) else UNKNOWN

    return compare


def _pick(pick: Callable[..., Any]) -> Callable[..., Any]:
    return lambda *values: (
        _apply_to_numbers(pick)(*values) if all(map(_is_number, values)) else _apply_to_text(pick)(*values)
    )


def _evaluate_and(*values: Any) -> Any:
    return False if False in values else None if None in values else True


def _evaluate_or(*values: Any) -> Any:
    return True if True in values else None if None in values else False


def _case(*values: Any) -> Any:
    pairs = len(values) // 2
    for condition, value in zip(values[: 2 * pairs : 2], values[1 : 2 * pairs : 2], strict=True):
        if condition is True:
            return value
    return values[-1] if len(values) % 2 else None


def _coalesce(*values: Any) -> Any:
    return next((value for value in values if value is not None), None)


def _null_if(left: Any, right: Any) -> Any:
    is_equal = False if left is None or right is None else _compare(operator.eq)(left, right)
    return UNKNOWN if is_equal is UNKNOWN else None if is_equal else left


# --- intervals -------------------------------------------------------------------------------------------------------


def _months(years: Any = 0, months: Any = 0) -> Any:
    return years * 12 + months if _is_whole(years) and _is_whole(months) else UNKNOWN


def _length(days: Any = 0, hours: Any = 0, minutes: Any = 0, seconds: Any = 0) -> Any:
    whole = (days, hours, minutes)
    if not all(map(_is_whole, whole)) or isinstance(seconds, float) or not _is_number(seconds):
        return UNKNOWN
    units = [MICROSECONDS[field] for field in (t.IntervalField.DAY, t.IntervalField.HOUR, t.IntervalField.MINUTE)]
    exact = sum(count * unit for count, unit in zip(whole, units, strict=True)) + Decimal(seconds) * 1_000_000
    return int(exact) if exact == int(exact) else UNKNOWN


# --- the functions ---------------------------------------------------------------------------------------------------

ADDITION = Folding(_apply_to_numbers(operator.add))
SUBTRACTION = Folding(_apply_to_numbers(operator.sub))
MULTIPLICATION = Folding(lambda call, left, right: _multiply(left, right, call.data_type), takes_call=True)
DIVISION = Folding(lambda call, left, right: _divide(left, right, call.data_type), takes_call=True)
WHOLE_DIVISION = Folding(_apply_to_numbers(_quotient))
REMAINDER = Folding(_apply_to_integers(lambda left, right: left - right * _quotient(left, right)))
POSITIVE_REMAINDER = Folding(_apply_to_integers(lambda left, right: left % right if right > 0 else UNKNOWN))
NEGATION = Folding(_apply_to_numbers(operator.neg))
IDENTITY = Folding(_apply_to_numbers(operator.pos))
ABSOLUTE_VALUE = Folding(_apply_to_numbers(abs))
SQUARE_ROOT = Folding(_apply_to_numbers(lambda value: math.sqrt(value) if value >= 0 else UNKNOWN))
CEILING = Folding(_apply_to_numbers(math.ceil))
FLOOR = Folding(_apply_to_numbers(math.floor))
ROUNDING = Folding(lambda value, *digits: UNKNOWN if digits or isinstance(value, float) else value)
POWER = Folding(
    lambda base, exponent: _apply_to_numbers(_power)(float(base), exponent) if _is_number(base) else UNKNOWN,
)
EXPONENTIAL = Folding(lambda value: 1.0 if _is_number(value) and value == 0 else UNKNOWN)
BINARY_LOGARITHM = Folding(
    lambda value: float(value.bit_length() - 1) if _is_whole(value) and value.bit_count() == 1 else UNKNOWN
)
GREATEST = Folding(_pick(max))
LEAST = Folding(_pick(min))

BITWISE_AND = Folding(_apply_to_integers(operator.and_))
BITWISE_OR = Folding(_apply_to_integers(operator.or_))
BITWISE_XOR = Folding(_apply_to_integers(operator.xor))
BITWISE_NOT = Folding(_apply_to_integers(operator.invert))
SHIFT_LEFT = Folding(_apply_to_integers(_shift))

CODE_POINT = Folding(_apply_to_ascii(lambda text: ord(text[0]) if text else 0))
CONCATENATION = Folding(_apply_to_text(lambda *texts: "".join(texts)))
JOINING = Folding(_apply_to_text(lambda between, *texts: between.join(texts)))
LOWER_CASE = Folding(_apply_to_ascii(str.lower))
UPPER_CASE = Folding(_apply_to_ascii(str.upper))
SUBSTRING = Folding(_substring)
REPLACEMENT = Folding(_apply_to_text(lambda text, old, new="": text.replace(old, new) if old else text))
REPETITION = Folding(_repeat)
LEFT_PART = Folding(_take_left)
RIGHT_PART = Folding(_right)
LENGTH = Folding(_apply_to_text(len))
TRIMMING = Folding(lambda call, *texts: _trim(call, *texts), takes_call=True)
JSON_SCHEMA = Folding(_apply_to_text(lambda text: _schema_of_json(text)))
CSV_SCHEMA = Folding(_apply_to_text(lambda text: _schema_of_csv(text)))

EQUALITY = Folding(_compare(operator.eq))
INEQUALITY = Folding(_compare(operator.ne))
LESS = Folding(_compare(operator.lt))
LESS_OR_EQUAL = Folding(_compare(operator.le))
GREATER = Folding(_compare(operator.gt))
GREATER_OR_EQUAL = Folding(_compare(operator.ge))
NOT = Folding(lambda value: not value if isinstance(value, bool) else UNKNOWN)
CONJUNCTION = Folding(_evaluate_and, takes_null=True)
DISJUNCTION = Folding(_evaluate_or, takes_null=True)
CASE = Folding(_case, takes_null=True)
FIRST_VALUE = Folding(_coalesce, takes_null=True)
NULL_IF_EQUAL = Folding(_null_if, takes_null=True)
IS_NULL = Folding(lambda value: value is None, takes_null=True)
IS_NOT_NULL = Folding(lambda value: value is not None, takes_null=True)

DAY_TIME_INTERVAL = Folding(_length)
YEAR_MONTH_INTERVAL = Folding(_months)
CAST = Folding(lambda call, value: cast(value, call.arguments[0].data_type, call.data_type), takes_call=True)
