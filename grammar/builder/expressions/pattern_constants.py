"""Evaluates constant patterns of LIKE ANY and LIKE ALL, such as casts and CASE, as Spark does while it parses."""

from __future__ import annotations

import datetime as dt
import operator
from collections.abc import Callable
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from ir.call_expressions import Call
from ir.calls.folding import fold_constant
from ir.expressions import ResolvedExpression, TypeLiteral, ValueLiteral
from ir.functions import comparison as c
from ir.functions import logic as lg
from ir.functions.conversion import CAST
from ir.functions.string import CONCAT
from ir.literals import literal
from ir.resolution.expressions import ExpressionResolver, Scope
from ir.types import STRING, DecimalType, IntegralType, StringType

if TYPE_CHECKING:
    from grammar.builder.expressions.building import BuildsExpressions

_COMPARISONS: dict[object, Callable[[Any, Any], bool]] = {
    c.EQUALS: operator.eq,
    c.NOT_EQUALS: operator.ne,
    c.LESS_THAN: operator.lt,
    c.LESS_THAN_OR_EQUAL: operator.le,
    c.GREATER_THAN: operator.gt,
    c.GREATER_THAN_OR_EQUAL: operator.ge,
}


class _Unknown(Exception):
    """The value of an expression cannot be computed here."""


def compute_text(builder: BuildsExpressions, written: Any) -> tuple[bool, ValueLiteral | None]:
    """Return whether a constant expression is a string, and its value, or None if this module cannot evaluate it."""
    from grammar.builder.clause_names import ClauseNames
    from grammar.builder.scopes import Scope as Columns

    steps = builder.build(written, ClauseNames(Columns([])))
    try:
        next(steps)
    except StopIteration as done:
        resolved = ExpressionResolver(Scope(()), builder.surroundings.lookup).resolve(done.value)
    else:
        return False, None
    if not isinstance(resolved.data_type, StringType):
        return False, None
    try:
        text = _value(resolved)
    except _Unknown:
        return True, None
    return True, ValueLiteral(None, STRING) if text is None else literal(text)


def _value(root: ResolvedExpression) -> Any:
    """Return the value of a constant expression, None for NULL. A part that is not needed may be unknown."""
    found: dict[ResolvedExpression, Any] = {}
    for part in root.walk():
        known = fold_constant(part)
        if isinstance(known, ValueLiteral):
            found[part] = known.value
        elif isinstance(part, Call):
            try:
                found[part] = _compute_call(part, found)
            except _Unknown:
                continue
    if root not in found:
        raise _Unknown
    return found[root]


def _compute_call(call: Call, found: dict[ResolvedExpression, Any]) -> Any:
    given = [argument for argument in call.arguments if not isinstance(argument, TypeLiteral)]
    if call.function is lg.CASE:
        return _compute_case(given, found)
    if any(argument not in found for argument in given):
        raise _Unknown
    values = [found[argument] for argument in given]
    if call.function is c.IS_NULL:
        return values[0] is None
    if call.function is c.IS_NOT_NULL:
        return values[0] is not None
    if call.function in (lg.AND, lg.OR):
        decisive = call.function is lg.OR
        return decisive if decisive in values else None if None in values else not decisive
    if None in values:
        if call.function is c.IN:
            raise _Unknown
        return None
    if call.function is lg.NOT:
        return not values[0]
    if len({type(value) for value in values}) == 1:
        if call.function in _COMPARISONS:
            return _COMPARISONS[call.function](*values)
        if call.function is c.IN:
            return values[0] in values[1:]
    if call.function is CONCAT and all(isinstance(value, str) for value in values):
        return "".join(values)
    if call.function is CAST and isinstance(call.data_type, StringType):
        return _cast_to_text(values[0], given[0])
    raise _Unknown


def _compute_case(given: list[ResolvedExpression], found: dict[ResolvedExpression, Any]) -> Any:
    """Return the value of the first branch whose condition is TRUE. Conditions and values alternate."""
    for condition, value in zip(given[:-1:2], given[1::2], strict=False):
        if condition not in found:
            raise _Unknown
        if found[condition] is True:
            chosen = value
            break
    else:
        if len(given) % 2 == 0:
            return None
        chosen = given[-1]
    if chosen not in found:
        raise _Unknown
    return found[chosen]


def _cast_to_text(value: Any, constant: ResolvedExpression) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(constant.data_type, DecimalType):
        return str(Decimal(value).quantize(Decimal(1).scaleb(-constant.data_type.scale)))
    if isinstance(value, int) and isinstance(constant.data_type, IntegralType):
        return str(value)
    if type(value) is dt.date:
        return value.isoformat()
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    raise _Unknown
