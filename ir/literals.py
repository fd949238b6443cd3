"""Literals: convert a Python value, with or without a type, to a literal in canonical form.

A value is converted exactly or rejected: never rounded, truncated or moved to another time zone silently. The types are
those that Spark gives to the literal's text: https://spark.apache.org/docs/latest/sql-ref-literals.html
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Mapping
from decimal import Decimal
from enum import Enum

from ir.cast_rules import written_type
from ir.errors import ValidationException
from ir.expressions import ValueLiteral
from ir.far_dates import FarDate, FarTimestamp
from ir.fine_times import FineTime
from ir.light_typing import Any
from ir.literal_values import NESTED_HINT, convert_to_stored, describe_value, is_uuid, width_of
from ir.types import (
    BIGINT,
    BOOLEAN,
    BYTES,
    DATE,
    DOUBLE,
    FLOAT,
    INT,
    MAX_DECIMAL_PRECISION,
    MAX_TIME_PRECISION,
    NULL,
    SMALLINT,
    STRING,
    TIMESTAMP,
    TIMESTAMP_LTZ,
    TINYINT,
    DayTimeIntervalType,
    DecimalType,
    FractionalType,
    IntegralType,
    LogicalType,
    TimeType,
    YearMonthIntervalType,
)


def literal(value: object, data_type: LogicalType | None = None) -> ValueLiteral:
    """Return the literal of a Python value, of the given type or of the type that Spark infers for such a literal.

    A literal other than NULL has a NOT NULL type; CHAR(n) and VARCHAR(n), which Spark has in tables only, become
    STRING. Enum members stand for their values, and NaT and NA for NULL; numpy scalars keep their width. A float
    becomes the nearest FLOAT, since Python has no other way to write one; every other conversion is exact.

    Raises:
        ValidationException: the type cannot hold the value exactly, or such values have no literals.

    >>> literal(5), literal(5).data_type
    (5, INT NOT NULL)
    >>> literal("2024-02-29", DATE).value
    datetime.date(2024, 2, 29)
    >>> try:
    ...     literal(300, TINYINT)
    ... except ValidationException as error:
    ...     print(error)
    The int 300 is not a value of TINYINT: accepted are whole numbers from -128 to 127.
    """
    if data_type is None:
        usual = _USUAL.get(type(value))
        made = None if usual is None else usual(value)
        if made is not None:
            return made
    if is_nested(value):
        raise ValidationException(f"{describe_value(value)} is not a value of an atomic type: {NESTED_HINT}.")
    plain, own_type = _unwrap_scalar(value)
    target = data_type or own_type or _derive_type(plain)
    if plain is None:
        return _null(target)
    return ValueLiteral(convert_to_stored(plain, target), written_type(target).not_null())


def is_nested(value: object) -> bool:
    """Whether a Python value is a list, tuple, dict, row, array or object with fields, which needs a constructor."""
    kind = type(value)
    if kind in ATOMIC:
        return False
    return (
        isinstance(value, (list, tuple, Mapping))
        # Few programs use such arrays, and import their modules.
        or kind.__name__ in ("array", "ndarray")
        or hasattr(kind, "as_dict")  # PyFlink's Row, which is not a tuple
        or hasattr(kind, "__dataclass_fields__")
        or hasattr(kind, "__attrs_attrs__")
    )


ATOMIC = frozenset((type(None), bool, int, float, str, bytes, Decimal, dt.date, dt.datetime, dt.time, dt.timedelta)) | {
    FarDate,
    FarTimestamp,
    FineTime,
}
"""The Python types that have literals; a subclass may have another meaning."""


def negate(operand: ValueLiteral) -> ValueLiteral | None:
    """Return the literal ``-operand``, None if it does not exist: not a number, NULL, or out of range.

    The result is exact, like a number with a sign in SQL; Spark's minus operator rounds decimals to 34 digits.

    >>> negate(literal(5))
    -5
    >>> negate(literal(-128, TINYINT)) is None
    True
    """
    value, data_type = operand.value, operand.type_
    if value is None:
        return None
    if isinstance(data_type, FractionalType):
        return ValueLiteral(-value, data_type)
    if isinstance(data_type, DecimalType):
        return ValueLiteral(value.copy_negate() if value else value, data_type)
    if isinstance(data_type, (IntegralType, YearMonthIntervalType, DayTimeIntervalType)):
        return ValueLiteral(-value, data_type) if -value < 1 << (width_of(data_type) - 1) else None
    return None


# --- fast paths ------------------------------------------------------------------------------------------------------

_NOT_NULL_INT, _NOT_NULL_STRING, _NOT_NULL_DATE = INT.not_null(), STRING.not_null(), DATE.not_null()
_INT_LIMIT = 1 << 31


def _usual_integer(value: int) -> ValueLiteral | None:
    return ValueLiteral(value, _NOT_NULL_INT) if -_INT_LIMIT <= value < _INT_LIMIT else None


def _usual_text(value: str) -> ValueLiteral | None:
    return ValueLiteral(value, _NOT_NULL_STRING) if value.isascii() else None


def _usual_date(value: dt.date) -> ValueLiteral:
    return ValueLiteral(value, _NOT_NULL_DATE)


def _usual_decimal(value: Decimal) -> ValueLiteral | None:
    sign, digits, exponent = value.as_tuple()
    # A number without an exponent is stored unchanged; no decimal is -0.
    if not isinstance(exponent, int) or exponent > 0 or (sign and not value):
        return None
    precision = max(len(digits), -exponent)
    if precision > MAX_DECIMAL_PRECISION:
        return None
    return ValueLiteral(value, DecimalType(precision, -exponent).not_null())


# Fast paths for types whose values are usually stored unchanged; each returns None for other values.
_USUAL: dict[type, Callable[[Any], ValueLiteral | None]] = {
    int: _usual_integer,
    str: _usual_text,
    dt.date: _usual_date,
    Decimal: _usual_decimal,
}

# --- conversion of Python values -------------------------------------------------------------------------------------


def _unwrap_scalar(value: object) -> tuple[object, LogicalType | None]:
    """Return the Python value in an Enum member or a numpy or pandas scalar, and the type that it implies."""
    if type(value) in ATOMIC:
        return value, None
    while isinstance(value, Enum):
        value = value.value
    library = type(value).__module__.partition(".")[0]  # does not import the libraries
    if library == "numpy":
        return _unwrap_numpy(value)
    if library == "pandas":
        return _unwrap_pandas(value), None
    return value, None


_NUMPY_TYPES: dict[str, LogicalType] = {
    "int8": TINYINT,
    "int16": SMALLINT,
    "int32": INT,
    "int64": BIGINT,
    "uint8": SMALLINT,
    "uint16": INT,
    "uint32": BIGINT,
    "uint64": DecimalType(20, 0),
    "float16": FLOAT,
    "float32": FLOAT,
}


def _unwrap_numpy(value: Any) -> tuple[object, LogicalType | None]:
    name = str(value.dtype)
    if name.startswith(("datetime64", "timedelta64")):
        return (None if value != value else _convert_numpy_time(value, name)), None  # NaT differs from itself
    return value.item(), _NUMPY_TYPES.get(name)


def _convert_numpy_time(value: Any, name: str) -> dt.date | dt.timedelta:
    """Convert a datetime64 or timedelta64 to a date, datetime or timedelta.

    Months, years and timedeltas without a unit are rejected, because numpy would guess their length.

    Raises:
        ValidationException: the value has no fixed length, is finer than a microsecond, or is out of range.
    """
    kind, _, unit = name.partition("[")
    in_microseconds = value.astype(f"{kind}[us]")
    plain = value.item() if name == "datetime64[D]" else in_microseconds.item()
    exact = (kind == "datetime64" or unit not in ("", "Y]", "M]")) and in_microseconds == value
    if not exact or not isinstance(plain, (dt.date, dt.timedelta)):
        raise ValidationException(
            f"{describe_value(value)} is no literal: accepted are whole microseconds in the years 1 to 9999, and "
            "durations in units of fixed length."
        )
    return plain


def _unwrap_pandas(value: Any) -> object:
    kind = type(value).__name__
    if kind in ("NaTType", "NAType"):
        return None
    if kind in ("Timestamp", "Timedelta"):
        if value.nanosecond if kind == "Timestamp" else value.nanoseconds:
            raise ValidationException(f"{describe_value(value)} has nanoseconds: accepted are whole microseconds.")
        plain: object = value.to_pydatetime() if kind == "Timestamp" else value.to_pytimedelta()
        return plain
    return value


def _derive_type(value: object) -> LogicalType:
    match value:
        case None:
            return NULL
        case bool():
            return BOOLEAN
        case int():
            return _type_of_integer(value)
        case float():
            return DOUBLE
        case Decimal():
            return _type_of_decimal(value)
        case str():
            return STRING
        case _ if is_uuid(value):
            return STRING
        case bytes() | bytearray() | memoryview():
            return BYTES
        case dt.datetime():
            return TIMESTAMP if value.utcoffset() is None else TIMESTAMP_LTZ
        case dt.date() | FarDate():
            return DATE
        case FarTimestamp():
            return TIMESTAMP_LTZ if value.is_instant else TIMESTAMP
        case dt.time():
            return TimeType(6)
        case FineTime():
            return TimeType(MAX_TIME_PRECISION)
        case dt.timedelta():
            return DayTimeIntervalType()
    raise ValidationException(
        f"{describe_value(value)} has no literal: accepted are None, bool, int, float, Decimal, str, UUID, bytes, "
        "date, time, datetime and timedelta, and Enum members and numpy or pandas scalars that hold one of them."
    )


def _type_of_integer(value: int) -> LogicalType:
    for data_type in (INT, BIGINT):
        if -1 << (data_type.width - 1) <= value < 1 << (data_type.width - 1):
            return data_type
    if abs(value) < 10**MAX_DECIMAL_PRECISION:
        return DecimalType(len(str(abs(value))), 0)
    from ir.messages import Term, message

    raise ValidationException(
        message(
            "{value} is too large: the largest type, DECIMAL(38, 0), holds 38 digits.",
            value=Term(describe_value(value), "The number"),
        ),
        condition="DECIMAL_PRECISION_EXCEEDS_MAX_PRECISION",
    )


def _type_of_decimal(value: Decimal) -> LogicalType:
    """Return the type of a number as written: trailing zeros of the fraction count."""
    _, digits, exponent = value.as_tuple()
    if isinstance(exponent, int):  # NaN and infinity have a letter
        scale = max(-exponent, 0)
        precision = max(len(digits) + (max(exponent, 0) if value else 0), scale)
        if precision <= MAX_DECIMAL_PRECISION:
            return DecimalType(precision, scale)
    raise ValidationException(
        f"{describe_value(value)} is not a value of DECIMAL: accepted are numbers of at most 38 digits."
    )


def _null(data_type: LogicalType) -> ValueLiteral:
    if not data_type.nullable:
        raise ValidationException(f"NULL is not a value of {data_type.as_summary_string()}.")
    return ValueLiteral(None, written_type(data_type))
