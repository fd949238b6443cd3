"""Decimal types: the type of an integer beside a decimal, common types, and result types of operators.

Source: the class ``DecimalType`` of Spark 4.3 and https://spark.apache.org/docs/latest/sql-ref-ansi-compliance.html
"""

from __future__ import annotations

from ir.types import (
    MAX_DECIMAL_PRECISION,
    DecimalType,
    FloatType,
    FractionalType,
    IntegralType,
    LogicalType,
    NumericType,
    TinyIntType,
)


def decimal_of(data_type: NumericType) -> DecimalType:
    """Return the decimal type that holds every value of a numeric type, like ``DecimalType.forType``."""
    if isinstance(data_type, DecimalType):
        return data_type.as_nullable()
    if isinstance(data_type, IntegralType):
        return DecimalType(data_type.precision, 0)
    return DecimalType(14, 7) if isinstance(data_type, FloatType) else DecimalType(30, 15)


def decimal_of_literal(data_type: LogicalType, value: int | None) -> DecimalType | None:
    """Return the decimal type of an integer literal beside a decimal, None for a type of another kind.

    Its precision is the number of digits of the literal (``DataTypeUtils.fromLiteral``), so that multiplication by 2
    adds one digit instead of the ten of INT. As in Spark, TINYINT literals are an exception.
    """
    if not isinstance(data_type, IntegralType):
        return None
    if value is None or isinstance(data_type, TinyIntType):
        return decimal_of(data_type)
    return DecimalType(len(str(abs(value))), 0)


def wider_decimal(left: DecimalType, right: DecimalType) -> DecimalType:
    """Return the decimal type that holds both, dropping digits of the fraction before those of the integer part."""
    scale = max(left.scale, right.scale)
    precision = max(left.precision - left.scale, right.precision - right.scale) + scale
    excess = max(precision - MAX_DECIMAL_PRECISION, 0)
    return DecimalType(precision - excess, max(scale - excess, 0))


def holds_all_values(target: DecimalType, source: NumericType) -> bool:
    """Whether a decimal type holds every value of a numeric type; False for FLOAT and DOUBLE."""
    if isinstance(source, FractionalType):
        return False
    inner = decimal_of(source)
    return target.precision - target.scale >= inner.precision - inner.scale and target.scale >= inner.scale


# --- results of operators --------------------------------------------------------------------------------------------

_MINIMUM_ADJUSTED_SCALE = 6


def limit_decimal(precision: int, scale: int) -> DecimalType:
    """Return a decimal type limited to 38 digits; the fraction is cut first, down to six digits.

    This is ``DecimalType.adjustPrecisionScale``, which applies if ``spark.sql.decimalOperations.allowPrecisionLoss`` is
    on.
    """
    if precision <= MAX_DECIMAL_PRECISION:
        return DecimalType(precision, scale)
    whole = precision - scale
    return DecimalType(MAX_DECIMAL_PRECISION, max(MAX_DECIMAL_PRECISION - whole, min(scale, _MINIMUM_ADJUSTED_SCALE)))


def decimal_sum(left: DecimalType, right: DecimalType) -> DecimalType:
    """Return the type of a sum or a difference: one integer digit more than the wider operand."""
    scale = max(left.scale, right.scale)
    return limit_decimal(max(left.precision - left.scale, right.precision - right.scale) + scale + 1, scale)


def decimal_product(left: DecimalType, right: DecimalType) -> DecimalType:
    """Return the type of a product."""
    return limit_decimal(left.precision + right.precision + 1, left.scale + right.scale)


def decimal_quotient(left: DecimalType, right: DecimalType) -> DecimalType:
    """Return the type of a quotient, which has at least six fractional digits."""
    scale = max(_MINIMUM_ADJUSTED_SCALE, left.scale + right.precision + 1)
    return limit_decimal(left.precision - left.scale + right.scale + scale, scale)


def decimal_remainder(left: DecimalType, right: DecimalType) -> DecimalType:
    """Return the type of a remainder, which has as many integer digits as the narrower operand."""
    scale = max(left.scale, right.scale)
    whole = min(left.precision - left.scale, right.precision - right.scale)
    return limit_decimal(max(whole + scale, 1), scale)


def round_decimal_type(given: DecimalType, digits: int) -> DecimalType:
    """Return the type of a decimal rounded to ``digits`` fractional digits, with one more integer digit for a carry."""
    whole = given.precision - given.scale + 1
    if digits < 0:
        # Spark computes the number of digits as an INT, which may overflow.
        least = 1 - digits if 1 - digits < 1 << 31 else 0
        return DecimalType(min(max(whole, least), MAX_DECIMAL_PRECISION), 0)
    scale = min(given.scale, digits)
    return DecimalType(min(whole + scale, MAX_DECIMAL_PRECISION), scale)
