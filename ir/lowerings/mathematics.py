"""Lowering of numeric functions that Spark lacks.

``TRUNCATE(x, n)`` of a decimal becomes CEIL to n digits for a negative x, else FLOOR. ``RAND_INTEGER(n)`` becomes the
integer part of ``RAND() * n``.
"""

from __future__ import annotations

from ir import calls
from ir import types as t
from ir.call_expressions import Call
from ir.errors import TableException, ValidationException
from ir.expressions import ResolvedExpression, TypeLiteral, ValueLiteral
from ir.functions.arithmetic import MINUS, MOD, TIMES
from ir.functions.comparison import LESS_THAN
from ir.functions.conversion import CAST
from ir.functions.logic import CASE
from ir.functions.mathematics import CEIL, FLOOR, TRUNCATE
from ir.functions.random import RAND, RAND_INTEGER
from ir.lowerings.lowering import Lowering
from ir.types import LogicalType

# Holds most binary floating-point numbers exactly as they are displayed.
_EXACT = t.DecimalType(38, 18)


def _integer(value: int) -> ValueLiteral:
    return ValueLiteral(value, t.INT.not_null())


def _cast(value: ResolvedExpression, target: LogicalType) -> ResolvedExpression:
    return calls.call(CAST, (value, TypeLiteral(target.as_nullable())))


def _round_towards_zero(number: ResolvedExpression, digits: ResolvedExpression) -> ResolvedExpression:
    is_negative = calls.call(LESS_THAN, (number, _integer(0)))
    up, down = calls.call(CEIL, (number, digits)), calls.call(FLOOR, (number, digits))
    return Call(CASE, (is_negative, up, down), up.data_type)


def _lower_truncate(truncate: Call) -> ResolvedExpression:
    assert len(truncate.arguments) == 2, "a call that was accepted has its digits"
    number, digits = truncate.arguments
    kind = number.data_type
    if isinstance(kind, t.DecimalType):
        return _round_towards_zero(number, digits)
    if isinstance(kind, t.IntegralType):
        made = _round_towards_zero(number, digits)
    elif digits is _integer(0):
        rest = calls.call(MOD, (number, ValueLiteral(1.0, kind.not_null())))
        return Call(MINUS, (number, rest), kind.as_nullable())
    else:
        # Truncate the displayed digits: as a FLOAT, 2.3 is stored as slightly less.
        made = _round_towards_zero(_cast(_cast(number, t.STRING), _EXACT), digits)
    return Call(CAST, (made, TypeLiteral(kind.as_nullable())), kind.as_nullable())


def _raise_truncate(call: Call) -> ResolvedExpression | None:
    """Return TRUNCATE of the number and digits in a lowered form, None for any other call."""
    truncated: tuple[ResolvedExpression, ...] | None = None
    inner = call.arguments[0]
    if call.function is CAST and isinstance(inner, Call):
        if inner.function is CASE:
            truncated = _match_case(inner)
        elif inner.function is TRUNCATE:
            truncated = inner.arguments
        if truncated is not None and isinstance(call.data_type, t.FloatType | t.DoubleType):
            number, digits = truncated
            for _ in range(2):
                if not isinstance(number, Call) or number.function is not CAST:
                    return None
                number = number.arguments[0]
            truncated = (number, digits)
    elif call.function is CASE:
        truncated = _match_case(call)
    elif call.function is MINUS and isinstance(call.arguments[1], Call) and call.arguments[1].function is MOD:
        truncated = (inner, _integer(0))
    if truncated is None:
        return None
    try:
        found = calls.call(TRUNCATE, truncated)
    except (TableException, ValidationException):
        return None
    return found if isinstance(found, Call) and found.function is TRUNCATE and _is_lowered(found, call) else None


def _match_case(case: Call) -> tuple[ResolvedExpression, ...] | None:
    """Return the number and digits of a CASE between CEIL and FLOOR, None for any other CASE."""
    part = case.arguments[1]
    if isinstance(part, Call) and part.function is CEIL and len(part.arguments) == 2:
        return part.arguments
    return None


def _is_lowered(truncate: Call, call: Call) -> bool:
    lowered = _lower_truncate(truncate)
    assert isinstance(lowered, Call)
    if lowered is call:
        return True
    if lowered.function is not CAST or call.function is not CAST or lowered.arguments[1] is not call.arguments[1]:
        return False
    inner = lowered.arguments[0]
    return isinstance(inner, Call) and _raise_truncate(inner) is call.arguments[0]


# --- RAND_INTEGER ----------------------------------------------------------------------------------------------------


def _lower_rand_integer(call: Call) -> ResolvedExpression:
    *seed, bound = call.arguments
    product = calls.call(TIMES, (calls.call(RAND, seed), bound))
    return Call(CAST, (calls.call(FLOOR, (product,)), TypeLiteral(t.INT)), t.INT)


def _raise_rand_integer(cast: Call) -> ResolvedExpression | None:
    floor = cast.arguments[0]
    if not isinstance(floor, Call) or floor.function is not FLOOR or len(floor.arguments) != 1:
        return None
    product = floor.arguments[0]
    if not isinstance(product, Call) or product.function is not TIMES:
        return None
    random, bound = product.arguments
    if not isinstance(random, Call) or random.function is not RAND:
        return None
    try:
        found = calls.call(RAND_INTEGER, (*random.arguments, bound))
    except ValidationException:
        return None
    return found if isinstance(found, Call) and _lower_rand_integer(found) is cast else None


LOWERINGS = (
    Lowering(TRUNCATE, (CASE, CAST, MINUS), _lower_truncate, _raise_truncate),
    Lowering(RAND_INTEGER, CAST, _lower_rand_integer, _raise_rand_integer),
)
