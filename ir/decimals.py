"""Decimals that hold other numbers: what a whole number becomes beside a decimal, and what holds two decimals.

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
    """Return the decimal that holds every value of a numeric type, as ``DecimalType.forType`` has it."""
    if isinstance(data_type, DecimalType):
        return data_type.as_nullable()
    if isinstance(data_type, IntegralType):
        return DecimalType(data_type.precision, 0)
    return DecimalType(14, 7) if isinstance(data_type, FloatType) else DecimalType(30, 15)


def decimal_of_literal(data_type: LogicalType, value: int | None) -> DecimalType | None:
    """Return the decimal that a whole-number literal becomes beside a decimal, or None for a type of another kind.

    It has the literal's own digits (``DataTypeUtils.fromLiteral``), so that multiplying with 2 costs one digit rather
    than the ten of INT. TINYINT literals are left out there, and so they are here.
    """
    if not isinstance(data_type, IntegralType):
        return None
    if value is None or isinstance(data_type, TinyIntType):
        return decimal_of(data_type)
    return DecimalType(len(str(abs(value))), 0)


def wider_decimal(left: DecimalType, right: DecimalType) -> DecimalType:
    """Return the decimal that holds both, giving up digits of the fraction before those of the whole number."""
    scale = max(left.scale, right.scale)
    precision = max(left.precision - left.scale, right.precision - right.scale) + scale
    excess = max(precision - MAX_DECIMAL_PRECISION, 0)
    return DecimalType(precision - excess, max(scale - excess, 0))


def holds(target: DecimalType, source: NumericType) -> bool:
    """Whether a decimal holds every value of a numeric type; false for binary fractions."""
    if isinstance(source, FractionalType):
        return False
    inner = decimal_of(source)
    return target.precision - target.scale >= inner.precision - inner.scale and target.scale >= inner.scale


# --- results of operators --------------------------------------------------------------------------------------------

_MINIMUM_ADJUSTED_SCALE = 6


def adjusted_decimal(precision: int, scale: int) -> DecimalType:
    """Return the decimal of so many digits, cut to 38 at the cost of the fraction, of which six digits are kept.

    This is ``DecimalType.adjustPrecisionScale``, used while ``spark.sql.decimalOperations.allowPrecisionLoss`` is on.
    """
    if precision <= MAX_DECIMAL_PRECISION:
        return DecimalType(precision, scale)
    whole = precision - scale
    return DecimalType(MAX_DECIMAL_PRECISION, max(MAX_DECIMAL_PRECISION - whole, min(scale, _MINIMUM_ADJUSTED_SCALE)))


def decimal_sum(left: DecimalType, right: DecimalType) -> DecimalType:
    """Return the type of a sum or a difference: one whole digit more than the wider operand has."""
    scale = max(left.scale, right.scale)
    return adjusted_decimal(max(left.precision - left.scale, right.precision - right.scale) + scale + 1, scale)


def decimal_product(left: DecimalType, right: DecimalType) -> DecimalType:
    """Return the type of a product."""
    return adjusted_decimal(left.precision + right.precision + 1, left.scale + right.scale)


def decimal_quotient(left: DecimalType, right: DecimalType) -> DecimalType:
    """Return the type of a quotient, which has at least six digits after the point."""
    scale = max(_MINIMUM_ADJUSTED_SCALE, left.scale + right.precision + 1)
    return adjusted_decimal(left.precision - left.scale + right.scale + scale, scale)


def decimal_remainder(left: DecimalType, right: DecimalType) -> DecimalType:
    """Return the type of a remainder, which has no more whole digits than either operand."""
    scale = max(left.scale, right.scale)
    whole = min(left.precision - left.scale, right.precision - right.scale)
    return adjusted_decimal(max(whole + scale, 1), scale)


def rounded_decimal(given: DecimalType, digits: int) -> DecimalType:
    """Return the type of a decimal rounded to so many digits of its fraction, which may need a whole digit more."""
    whole = given.precision - given.scale + 1
    if digits < 0:
        # As an INT, the number of digits wraps around in Spark.
        least = 1 - digits if 1 - digits < 1 << 31 else 0
        return DecimalType(min(max(whole, least), MAX_DECIMAL_PRECISION), 0)
    scale = min(given.scale, digits)
    return DecimalType(min(whole + scale, MAX_DECIMAL_PRECISION), scale)
