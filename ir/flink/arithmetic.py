"""Rewriting of arithmetic to Flink's SQL."""

from __future__ import annotations

from ir import types as t
from ir.call_expressions import Call
from ir.expressions import ResolvedExpression, ValueLiteral
from ir.flink.arguments import (
    Forms,
    add_casts,
    reject,
)
from ir.flink.casts import NoForm, cast
from ir.flink.marks import mark
from ir.functions import arithmetic as ar
from ir.functions import bitwise, flink


def _sum_of_two(part: Call) -> ResolvedExpression:
    left, right = part.arguments
    _refuse_days(part)
    if isinstance(part.data_type, t.CharacterType):
        return _cast_moved_text(part)
    if isinstance(left, ValueLiteral) and left.is_null and isinstance(right.data_type, t.IntervalType | t.TemporalType):
        # Flink expects the interval as the second operand; a NULL in the other place has the type of the second
        # operand.
        raise NoForm("a constant NULL is added to a time or an interval there, and not the other way round")
    part = add_casts(part)
    left, right = part.arguments
    moved = isinstance(right.data_type, t.TemporalType) or right.data_type.nullable
    if isinstance(left.data_type, t.IntervalType) and moved:
        # Flink adds an interval to a timestamp in this order only, and turns NULL into -1 beside a NOT NULL operand.
        return mark(Call(ar.PLUS, (right, left), part.type_))
    return part


def _difference_of_two(part: Call) -> ResolvedExpression:
    _refuse_days(part)
    if isinstance(part.data_type, t.CharacterType):
        return _cast_moved_text(part)
    part = add_casts(part)
    left, right = part.arguments
    kinds = left.data_type, right.data_type
    if all(isinstance(kind, t.DateType) for kind in kinds):
        return Call(flink.DATE_DIFFERENCE, (left, right), part.type_)
    if all(isinstance(kind, t.TimeType) for kind in kinds):
        return Call(flink.TIME_DIFFERENCE, (left, right), part.type_)
    if all(isinstance(kind, t.TemporalType) for kind in kinds):
        raise NoForm("the difference of two timestamps has milliseconds there, microseconds in Spark")
    if isinstance(kinds[0], t.IntervalType) and kinds[1].nullable:
        negated = Call(ar.MINUS_PREFIX, (right,), right.data_type)
        return mark(Call(ar.PLUS, (mark(negated), left), part.type_))
    return part


def _refuse_days(part: Call) -> None:
    if isinstance(part.data_type, t.TemporalType) and any(
        isinstance(a.data_type, t.NumericType) for a in part.arguments
    ):
        raise NoForm("a number of days is no interval there; write the interval, as in col + lit(1).days")


def _cast_moved_text(part: Call) -> ResolvedExpression:
    """Return the string of a timestamp that is cast from a string and moved by an interval."""
    left, right = add_casts(part).arguments
    is_swapped = isinstance(left.data_type, t.IntervalType)
    if is_swapped:
        left, right = right, left
    moved = Call(part.function, (left, right), t.TIMESTAMP_LTZ.with_nullability(part.data_type.nullable))
    made = cast(moved, part.data_type)
    return mark(made) if is_swapped else made


def _product(part: Call) -> ResolvedExpression:
    if isinstance(part.data_type, t.IntervalType):
        factors = [a for a in part.arguments if not isinstance(a.data_type, t.IntervalType)]
        if not isinstance(factors[0].data_type, t.IntegralType | t.NullType):
            raise NoForm("an interval can be multiplied by whole numbers only")
        if isinstance(factors[0].data_type, t.NullType):
            typed = tuple([cast(a, t.INT) if a is factors[0] else a for a in part.arguments])
            return part.evolve(arguments=typed)
    return add_casts(part)


def _quotient(part: Call) -> ResolvedExpression:
    if isinstance(part.data_type, t.IntervalType):
        raise NoForm("an interval cannot be divided")
    part = add_casts(part)
    left, right = part.arguments
    if isinstance(part.data_type, t.DoubleType):
        # Flink divides integers as integers.
        return Call(ar.DIVIDE, (cast(left, t.DOUBLE), right), part.type_)
    return part


def _remainder(part: Call) -> ResolvedExpression:
    wanted = part.data_type
    if isinstance(wanted, t.FractionalType):
        raise NoForm("its % is for whole and decimal numbers")
    part = add_casts(part)
    left, right = part.arguments
    # Flink's remainder has the type of the divisor, unless the divisor has a fraction.
    if isinstance(wanted, t.IntegralType):
        return Call(ar.MOD, (left, cast(right, wanted)), part.type_)
    whole = all(isinstance(a.data_type, t.DecimalType) and not a.data_type.scale for a in (left, right))
    return cast(Call(ar.MOD, (left, right), right.data_type), wanted) if whole else part


FORMS: Forms = {
    **dict.fromkeys((*bitwise.FUNCTIONS, ar.DIV), reject("it has no {name}")),
    ar.PLUS: _sum_of_two,
    ar.MINUS: _difference_of_two,
    ar.TIMES: _product,
    ar.DIVIDE: _quotient,
    ar.MOD: _remainder,
}
