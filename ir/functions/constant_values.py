"""What functions make of constants, exactly as Spark computes it in ANSI mode; nothing where that is not certain.

Only functions that Spark takes for constants as it checks a call are here, so NVL and ELT are not. The operations are
found by the names of definitions and take plain Python values. ``None`` is NULL; an operation that does not know the
result, or that Spark fails at, returns ``UNKNOWN``.
"""

from __future__ import annotations

import math
import operator
import re
import struct
from collections.abc import Callable
from decimal import ROUND_HALF_UP, Decimal
from typing import Any, Final

from ir import types as t
from ir.literal_values import MICROSECONDS

UNKNOWN: Final = object()

_BITS: dict[type[t.LogicalType], int] = {t.TinyIntType: 7, t.SmallIntType: 15, t.IntType: 31, t.BigIntType: 63}
_LARGEST_SINGLE = struct.unpack("f", b"\xff\xff\x7f\x7f")[0]
_WHOLE = re.compile(r"[+-]?[0-9]+", re.ASCII)
_NUMBER = re.compile(r"[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?", re.ASCII)
_LENGTHS = {**MICROSECONDS, t.IntervalField.SECOND: 1_000_000, t.IntervalField.YEAR: 12, t.IntervalField.MONTH: 1}
_TRUTH = {**dict.fromkeys(("t", "true", "y", "yes", "1"), True), **dict.fromkeys(("f", "false", "n", "no", "0"), False)}


def of_type(value: Any, kind: t.LogicalType) -> Any:
    """Return a result as a value of its type; decimals are rounded half up, as Spark does.

    A number that the type cannot hold is UNKNOWN: Spark fails then.
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
    """Return a constant of one type as one of another."""
    if value is None:
        return None
    if isinstance(kind, t.IntervalType) or isinstance(given, t.IntervalType):
        return _interval(value, given, kind)
    if not isinstance(value, (bool, int, float, Decimal, str)):
        return UNKNOWN
    if isinstance(value, str):
        return _read(value.strip(), value, kind)
    if isinstance(kind, t.BooleanType):
        return value != 0
    if isinstance(kind, t.StringType):
        if isinstance(value, bool):
            return str(value).lower()
        return str(value) if _is_whole(value) else UNKNOWN
    if isinstance(value, float) and isinstance(kind, t.DecimalType):
        return of_type(Decimal(repr(value)), kind)
    if isinstance(kind, t.IntegralType):
        return of_type(int(value), kind)
    return of_type(int(value) if isinstance(value, bool) else value, kind)


def _interval(value: Any, given: t.LogicalType, kind: t.LogicalType) -> Any:
    """Return an interval cut off at the last field of another one, or as a number of its field, or the reverse.

    A number counts the last field of an interval; of a part of it there is no constant.
    """
    if isinstance(given, t.IntervalType) and isinstance(kind, t.IntervalType):
        if type(given) is not type(kind):
            return UNKNOWN
        unit = 1 if kind.end is t.IntervalField.SECOND else _LENGTHS[kind.end]
        return _cut_off(value, unit) * unit
    interval = kind if isinstance(kind, t.IntervalType) else given
    if not isinstance(interval, t.IntervalType):
        return UNKNOWN
    length = _LENGTHS[interval.end]
    if interval is given:
        if interval.start is not interval.end:
            return UNKNOWN
        if isinstance(kind, t.DecimalType):
            return of_type(Decimal(value) / length, kind)
        return of_type(_cut_off(value, length), kind) if isinstance(kind, t.IntegralType) else UNKNOWN
    if not _is_whole(value) and not isinstance(value, Decimal):
        return UNKNOWN
    made = int((Decimal(value) * length).quantize(Decimal(1), ROUND_HALF_UP))
    return of_type(made, kind) if made % length == 0 or interval.end is t.IntervalField.SECOND else UNKNOWN


def _cut_off(value: int, divisor: int) -> int:
    """Return a whole quotient, cut off towards 0."""
    return abs(value) // divisor * (1 if value >= 0 else -1)


def _read(text: str, given: str, kind: t.LogicalType) -> Any:
    """Return what a text without blanks around it, or as it was given, says of a type."""
    match kind:
        case t.StringType():
            return of_type(given, kind)
        case t.BooleanType():
            return _TRUTH.get(text.lower(), UNKNOWN)
        case t.IntegralType():
            return of_type(int(text), kind) if _WHOLE.fullmatch(text) else UNKNOWN
        case t.DoubleType() | t.FloatType() | t.DecimalType():
            return of_type(Decimal(text), kind) if _NUMBER.fullmatch(text) else UNKNOWN
    return UNKNOWN


def _is_whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_number(value: Any) -> bool:
    return _is_whole(value) or isinstance(value, (float, Decimal))


def _single(value: float) -> Any:
    """Return the FLOAT that is nearest to a number."""
    return struct.unpack("f", struct.pack("f", value))[0] if abs(value) <= _LARGEST_SINGLE else UNKNOWN


def _power(base: float, exponent: float) -> Any:
    """Return a power of whole numbers that is a whole number: all others may differ in their last digit."""
    if not base.is_integer() or not exponent.is_integer() or exponent < 0:
        return base if exponent == 1 else UNKNOWN
    exact = int(base) ** int(exponent) if exponent <= 64 else 1 << 64
    return float(exact) if abs(exact) < 1 << 53 else UNKNOWN


def _finite(value: float) -> Any:
    return value if math.isfinite(value) else UNKNOWN


# --- numbers ---------------------------------------------------------------------------------------------------------


def _of_numbers(operation: Callable[..., Any]) -> Callable[..., Any]:
    """Return an operation of numbers: of doubles where one of them is a double."""

    def operate(*values: Any) -> Any:
        if not all(map(_is_number, values)):
            return UNKNOWN
        return operation(*map(float, values) if any(isinstance(value, float) for value in values) else values)

    return operate


def _of_whole(operation: Callable[..., Any]) -> Callable[..., Any]:
    return lambda *values: operation(*values) if all(map(_is_whole, values)) else UNKNOWN


def _quotient(left: Any, right: Any) -> Any:
    """Return the whole quotient as Spark does, which cuts off towards zero."""
    quotient = abs(left) // abs(right)
    return quotient if (left < 0) == (right < 0) else -quotient


def _shifted(value: int, bits: int) -> Any:
    return value << bits if 0 <= bits < 32 else UNKNOWN


def divided(left: Any, right: Any, kind: t.LogicalType) -> Any:
    """Return the quotient: a decimal, a double, or the length of time nearest to it."""
    if not (_is_number(left) and _is_number(right)) or right == 0:
        return UNKNOWN
    if isinstance(kind, t.DoubleType):
        return float(left) / float(right)
    if isinstance(left, float) or isinstance(right, float):
        return UNKNOWN
    exact = Decimal(left) / Decimal(right)
    return int(exact.to_integral_value(ROUND_HALF_UP)) if isinstance(kind, t.IntervalType) else exact


def multiplied(left: Any, right: Any, kind: t.LogicalType) -> Any:
    """Return the product: a number, or the length of time nearest to it."""
    product = _of_numbers(operator.mul)(left, right)
    if isinstance(kind, t.IntervalType) and isinstance(product, Decimal):
        return int(product.to_integral_value(ROUND_HALF_UP))
    return product


# --- text ------------------------------------------------------------------------------------------------------------


def _of_text(operation: Callable[..., Any]) -> Callable[..., Any]:
    return lambda *texts: operation(*texts) if all(isinstance(text, str) for text in texts) else UNKNOWN


def _of_ascii(operation: Callable[[str], Any]) -> Callable[..., Any]:
    # What is beyond ASCII changes its case by tables that the two need not have in the same version.
    return _of_text(lambda text: operation(text) if text.isascii() else UNKNOWN)


def _substring(text: Any, start: Any, length: Any = 1 << 31) -> Any:
    if not (isinstance(text, str) and _is_whole(start) and _is_whole(length)):
        return UNKNOWN
    first = start - 1 if start > 0 else len(text) + start if start < 0 else 0
    return text[max(first, 0) : max(first + length, 0)]


def _repeated(text: Any, times: Any) -> Any:
    return text * times if isinstance(text, str) and _is_whole(times) and times * len(text) < 10_000 else UNKNOWN


def _left(text: Any, length: Any) -> Any:
    return text[: max(length, 0)] if isinstance(text, str) and _is_whole(length) else UNKNOWN


def _right(text: Any, length: Any) -> Any:
    return text[max(len(text) - length, 0) :] if isinstance(text, str) and _is_whole(length) else UNKNOWN


def trimmed(side: str, text: Any) -> Any:
    """Return a text without the blanks on one side or both."""
    if not isinstance(text, str):
        return UNKNOWN
    left = text.lstrip(" ") if side in ("BOTH", "LEADING") else text
    return left.rstrip(" ") if side in ("BOTH", "TRAILING") else left


def _schema_of_json(text: str) -> Any:
    from ir.functions.schema_inference import json_schema

    return _text_of(json_schema(text))


def _schema_of_csv(text: str) -> Any:
    from ir.functions.schema_inference import csv_schema

    return _text_of(csv_schema(text))


def _text_of(schema: t.LogicalType | None) -> Any:
    return UNKNOWN if schema is None else schema.as_serializable_string()


# --- truth, and what takes NULL --------------------------------------------------------------------------------------


def _compared(operation: Callable[[Any, Any], bool]) -> Callable[..., Any]:
    def compare(left: Any, right: Any) -> Any:
        if _is_number(left) and _is_number(right):
            return _of_numbers(operation)(left, right)
        return operation(left, right) if type(left) is type(right) and isinstance(left, (str, bool)) else UNKNOWN

    return compare


def _picked(pick: Callable[..., Any]) -> Callable[..., Any]:
    return lambda *values: _of_numbers(pick)(*values) if all(map(_is_number, values)) else _of_text(pick)(*values)


def _and(*values: Any) -> Any:
    return False if False in values else None if None in values else True


def _or(*values: Any) -> Any:
    return True if True in values else None if None in values else False


def _case(*values: Any) -> Any:
    pairs = len(values) // 2
    for condition, value in zip(values[: 2 * pairs : 2], values[1 : 2 * pairs : 2], strict=True):
        if condition is True:
            return value
    return values[-1] if len(values) % 2 else None


def _coalesced(*values: Any) -> Any:
    return next((value for value in values if value is not None), None)


def _null_if(left: Any, right: Any) -> Any:
    is_equal = False if left is None or right is None else _compared(operator.eq)(left, right)
    return UNKNOWN if is_equal is UNKNOWN else None if is_equal else left


# --- lengths of time -------------------------------------------------------------------------------------------------


def _months(years: Any = 0, months: Any = 0) -> Any:
    return years * 12 + months if _is_whole(years) and _is_whole(months) else UNKNOWN


def _length(days: Any = 0, hours: Any = 0, minutes: Any = 0, seconds: Any = 0) -> Any:
    whole = (days, hours, minutes)
    if not all(map(_is_whole, whole)) or isinstance(seconds, float) or not _is_number(seconds):
        return UNKNOWN
    units = [MICROSECONDS[field] for field in (t.IntervalField.DAY, t.IntervalField.HOUR, t.IntervalField.MINUTE)]
    exact = sum(count * unit for count, unit in zip(whole, units, strict=True)) + Decimal(seconds) * 1_000_000
    return int(exact) if exact == int(exact) else UNKNOWN


OPERATIONS: dict[str, Callable[..., Any]] = {
    "plus": _of_numbers(operator.add),
    "minus": _of_numbers(operator.sub),
    "div": _of_numbers(_quotient),
    "mod": _of_whole(lambda left, right: left - right * _quotient(left, right)),
    "pmod": _of_whole(lambda left, right: left % right if right > 0 else UNKNOWN),
    "minusPrefix": _of_numbers(operator.neg),
    "positive": _of_numbers(operator.pos),
    "abs": _of_numbers(abs),
    "sqrt": _of_numbers(lambda value: math.sqrt(value) if value >= 0 else UNKNOWN),
    "ceil": _of_numbers(math.ceil),
    "floor": _of_numbers(math.floor),
    "power": lambda base, exponent: _of_numbers(_power)(float(base), exponent) if _is_number(base) else UNKNOWN,
    "exp": lambda value: 1.0 if _is_number(value) and value == 0 else UNKNOWN,
    "log2": lambda value: float(value.bit_length() - 1) if _is_whole(value) and value.bit_count() == 1 else UNKNOWN,
    "ascii": _of_ascii(lambda text: ord(text[0]) if text else 0),
    "bitwiseAnd": _of_whole(operator.and_),
    "bitwiseOr": _of_whole(operator.or_),
    "bitwiseXor": _of_whole(operator.xor),
    "bitwiseNot": _of_whole(operator.invert),
    "SHIFTLEFT": _of_whole(_shifted),
    "GREATEST": _picked(max),
    "LEAST": _picked(min),
    "concat": _of_text(lambda *texts: "".join(texts)),
    "concat_ws": _of_text(lambda between, *texts: between.join(texts)),
    "lower": _of_ascii(str.lower),
    "upper": _of_ascii(str.upper),
    "substring": _substring,
    "replace": _of_text(lambda text, old, new="": text.replace(old, new) if old else text),
    "repeat": _repeated,
    "left": _left,
    "right": _right,
    "charLength": _of_text(len),
    "schema_of_json": _of_text(lambda text: _schema_of_json(text)),
    "schema_of_csv": _of_text(lambda text: _schema_of_csv(text)),
    "not": lambda value: not value if isinstance(value, bool) else UNKNOWN,
    "equals": _compared(operator.eq),
    "notEquals": _compared(operator.ne),
    "lessThan": _compared(operator.lt),
    "lessThanOrEqual": _compared(operator.le),
    "greaterThan": _compared(operator.gt),
    "greaterThanOrEqual": _compared(operator.ge),
    "make_dt_interval": _length,
    "make_ym_interval": _months,
}
"""What a function makes of constants that are not NULL; of others it is NULL."""

OF_NULL: dict[str, Callable[..., Any]] = {
    "and": _and,
    "or": _or,
    "ifThenElse": _case,
    "COALESCE": _coalesced,
    "nullif": _null_if,
    "isNull": lambda value: value is None,
    "isNotNull": lambda value: value is not None,
}
"""What a function makes of constants, NULL among them."""
