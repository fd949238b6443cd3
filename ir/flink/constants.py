"""Constants that Flink's SQL writes as casts, because it lacks literals of their types."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal

from ir import types as t
from ir.call_expressions import Call
from ir.errors import TableException, ValidationException
from ir.expressions import ResolvedExpression, TypeLiteral, ValueLiteral
from ir.functions.conversion import CAST
from ir.literals import literal
from ir.rendering import Dialect
from ir.types import LogicalType

_INTEGERS = (t.TinyIntType, t.SmallIntType, t.BigIntType)
_WITH_CASTS = (*_INTEGERS, t.DecimalType, t.FloatType, t.DoubleType, t.DateType, t.TimestampType)


def constant_of(value: ValueLiteral, target: LogicalType) -> ValueLiteral | None:
    """Return the constant that Flink's SQL writes as the cast of ``value`` to ``target``, None for a plain cast."""
    if value.is_null:
        return ValueLiteral(None, target.as_nullable()) if isinstance(value.type_, t.NullType) else None
    if not isinstance(target, _WITH_CASTS):
        return None
    wanted = target.not_null()
    try:
        made = ValueLiteral(_convert(value.value, wanted), wanted)
        text = made.as_serializable_string(Dialect.FLINK)
        given = str(value.value) if is_number(value) else value.as_serializable_string(Dialect.FLINK)
    except (TableException, ValidationException, ArithmeticError, ValueError, OverflowError):
        return None
    return made if text == f"CAST({given} AS {wanted.as_nullable().as_serializable_string(Dialect.FLINK)})" else None


_DIGITS = t.DecimalType(38, 0, nullable=False)


def is_number(value: ResolvedExpression) -> bool:
    """Whether this is an integer literal beyond INT as parsed, usually inside a cast."""
    return isinstance(value, ValueLiteral) and isinstance(value.value, int) and isinstance(value.type_, t.DecimalType)


def number(value: int) -> ValueLiteral:
    """Return an integer literal as parsed from its digits."""
    if -1 << 31 <= value < 1 << 31:
        return literal(value)
    return ValueLiteral(value, _DIGITS)


def constant_of_number(value: ValueLiteral) -> ValueLiteral:
    """Return the constant for digits without a cast."""
    return literal(value.value) if -1 << 63 <= value.value < 1 << 63 else literal(Decimal(value.value))


def _convert(value: object, wanted: LogicalType) -> object:
    if isinstance(wanted, _INTEGERS):
        number = int(value) if isinstance(value, (int, str)) and not isinstance(value, bool) else None
        if number is None:
            raise ValidationException("no whole number")
        return literal(number, wanted).value
    if isinstance(wanted, t.DecimalType):
        if isinstance(value, str) and value != value.strip():
            raise ValidationException("no digits alone")
        return literal(Decimal(str(value)), wanted).value
    if isinstance(wanted, (t.FloatType, t.DoubleType)):
        return literal(float(str(value)), wanted).value
    if not isinstance(value, str):
        raise ValidationException("no text")
    if isinstance(wanted, t.DateType):
        return dt.date.fromisoformat(value)
    return dt.datetime.fromisoformat(value)


def cast_of(constant: ValueLiteral) -> ResolvedExpression | None:
    """Return the cast that Flink's SQL writes for a constant, None if it writes a literal."""
    inner: ValueLiteral
    if constant.is_null:
        if isinstance(constant.type_, t.NullType):
            return None
        inner = ValueLiteral(None, t.NULL)
    else:
        found = _operand(constant)
        if found is None or constant_of(found, constant.type_) is not constant:
            return None
        inner = found
    return Call(CAST, (inner, TypeLiteral(constant.type_.as_nullable())), constant.type_)


def _operand(constant: ValueLiteral) -> ValueLiteral | None:
    value, kind = constant.value, constant.type_
    try:
        if isinstance(kind, _INTEGERS):
            return literal(str(value)) if value == -1 << 63 else number(value)
        if isinstance(kind, t.DecimalType):
            return number(int(value)) if not kind.scale else literal(value)
        if isinstance(kind, t.FloatType):
            return literal(float(str(value)), t.DOUBLE)
    except (ValidationException, OverflowError):
        return None
    return None
