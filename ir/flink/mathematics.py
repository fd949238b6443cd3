"""Rewriting of numeric functions to Flink's SQL."""

from __future__ import annotations

from ir import types as t
from ir.call_expressions import Call
from ir.expressions import ResolvedExpression, ValueLiteral
from ir.flink.arguments import Forms, add_casts
from ir.flink.casts import NoForm, cast
from ir.functions import flink, logic, mathematics
from ir.functions import real_numbers as real
from ir.functions.conversion import CAST


def _rewrite_rounding(part: Call) -> ResolvedExpression:
    part = add_casts(part)
    number, *digits = part.arguments
    count = digits[0].value if digits and isinstance(digits[0], ValueLiteral) else 0
    if count is None:
        raise NoForm("a number of digits that is NULL makes no NULL there")
    if not isinstance(number.data_type, t.DecimalType):
        return part
    # Flink never adds digits to the fraction of a decimal.
    precision, scale = number.data_type.precision, number.data_type.scale
    if count >= scale:
        made = t.DecimalType(precision, scale)
    else:
        kept = max(count, 0)
        made = t.DecimalType(min(precision - scale + 1 + kept, t.MAX_DECIMAL_PRECISION), kept)
    return cast(Call(part.function, part.arguments, made), part.type_)


def _rewrite_whole(part: Call) -> ResolvedExpression:
    if len(part.arguments) > 1:
        raise NoForm(f"its {part.function.sql_name} keeps no digits of a fraction")
    (number,) = part.arguments
    if isinstance(number.data_type, t.IntegralType):
        return Call(part.function, (cast(number, t.BIGINT),), part.type_)
    part = add_casts(part)
    (number,) = part.arguments
    made = number.data_type
    if isinstance(made, t.DecimalType):
        made = t.DecimalType(made.precision, 0)
    return cast(Call(part.function, part.arguments, made), part.type_)


def _absolute(part: Call) -> ResolvedExpression:
    if isinstance(part.data_type, t.IntervalType):
        raise NoForm("its ABS takes no intervals")
    return add_casts(part)


_EXTREMES = {mathematics.GREATEST: flink.GREATEST, mathematics.LEAST: flink.LEAST}


def _extreme(part: Call) -> ResolvedExpression:
    """Return GREATEST or LEAST, which in Flink is NULL if any value is NULL."""
    if not isinstance(part.data_type, t.NumericType | t.CharacterType | t.TemporalType | t.BooleanType):
        raise NoForm(f"its {part.function.sql_name} takes no {part.data_type.as_nullable().as_summary_string()}")
    arguments = add_casts(part).arguments
    made = Call(_EXTREMES[part.function], arguments, part.type_)
    if not any(argument.data_type.nullable for argument in arguments):
        return made
    if len(arguments) > 2 or any(not is_repeatable(argument) for argument in arguments):
        raise NoForm(f"there, {part.function.sql_name} is NULL as soon as one value is")
    return Call(logic.COALESCE, (made, *arguments), part.type_)


def is_repeatable(value: ResolvedExpression) -> bool:
    """Whether an expression is deterministic."""
    return not any(isinstance(part, Call) and not part.function.is_deterministic for part in value.walk())


def _logarithm(part: Call) -> ResolvedExpression:
    """Return a logarithm that is NULL for a number that is not positive, where Flink's is NaN or infinite."""
    arguments = [_positive(argument) for argument in add_casts(part).arguments]
    return part.evolve(arguments=tuple(arguments))


def _positive(number: ResolvedExpression) -> ResolvedExpression:
    constant = number.arguments[0] if isinstance(number, Call) and number.function is CAST else number
    if isinstance(constant, ValueLiteral) and isinstance(constant.value, int | float) and constant.value > 0:
        return number
    zero = ValueLiteral(0.0, t.DOUBLE.not_null())
    kept = Call(flink.GREATEST, (number, zero), number.data_type)
    return Call(logic.NULLIF, (kept, zero), number.data_type.as_nullable())


def _sign(part: Call) -> ResolvedExpression:
    if isinstance(part.arguments[0].data_type, t.IntervalType):
        raise NoForm("its SIGN takes no intervals")
    return add_casts(part)


FORMS: Forms = {
    **dict.fromkeys((real.LN, real.LOG, real.LOG2, real.LOG10), _logarithm),
    real.SIGN: _sign,
    **dict.fromkeys((mathematics.ROUND, mathematics.TRUNCATE), _rewrite_rounding),
    **dict.fromkeys((mathematics.CEIL, mathematics.FLOOR), _rewrite_whole),
    mathematics.ABS: _absolute,
    **dict.fromkeys(_EXTREMES, _extreme),
}
