"""Constants that are computed: ``ROUND(x, 1 + 1)`` is ``ROUND(x, 2)``, since the type depends on the value.

Only where a function takes a constant that is written out and is given another expression is that computed: numbers
added, subtracted, multiplied and divided as ANSI mode does it, text put together, and the schemas of constants.
"""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal, localcontext
from typing import Any

from ir import types as t
from ir.errors import TableException
from ir.expressions import Call, ResolvedExpression, TypeLiteral, ValueLiteral
from ir.functions.schema_inference import csv_schema, json_schema

_OPERATIONS: dict[str, Callable[..., Any]] = {
    "plus": lambda left, right: left + right,
    "minus": lambda left, right: left - right,
    "times": lambda left, right: left * right,
    "div": lambda left, right: _divided(left, right),
    "mod": lambda left, right: left - right * _divided(left, right),
    "minusPrefix": lambda value: -value,
    "positive": lambda value: value,
    "concat": lambda *texts: "".join(texts),
    "schema_of_json": lambda text: _text_of(json_schema(text)),
    "schema_of_csv": lambda text: _text_of(csv_schema(text)),
}
_OF_TYPE: dict[type[t.LogicalType], tuple[type, ...]] = {
    t.StringType: (str,),
    t.DecimalType: (int, Decimal),
    **dict.fromkeys((t.TinyIntType, t.SmallIntType, t.IntType, t.BigIntType), (int,)),
}
_BITS: dict[type[t.LogicalType], int] = {t.TinyIntType: 7, t.SmallIntType: 15, t.IntType: 31, t.BigIntType: 63}


def _text_of(schema: t.LogicalType | None) -> str | None:
    return None if schema is None else schema.as_serializable_string()


def _divided(left: int, right: int) -> int:
    """Return the quotient as Spark does, which cuts off towards zero."""
    quotient = abs(left) // abs(right)
    return quotient if (left < 0) == (right < 0) else -quotient


def folded(expression: ResolvedExpression) -> ResolvedExpression:
    """Return the constant that an expression is, or the expression itself where it is none that is known here."""
    if not isinstance(expression, Call):
        return expression
    found: dict[ResolvedExpression, ValueLiteral] = {}
    for part in expression.walk():
        if isinstance(part, ValueLiteral):
            found[part] = part
        elif isinstance(part, Call) and (value := _value(part, found)) is not None:
            found[part] = value
        elif not isinstance(part, TypeLiteral):
            return expression
    return found.get(expression, expression)


def _value(call: Call, found: dict[ResolvedExpression, ValueLiteral]) -> ValueLiteral | None:
    if not call.function.is_built_in:
        return None
    given = [found[argument] for argument in call.arguments if argument in found]
    kind, name = call.data_type, call.function.name
    wanted = _OF_TYPE.get(type(kind))
    if wanted is None or any(not isinstance(one.value, wanted) or isinstance(one.value, bool) for one in given):
        return None
    if name == "cast" and len(given) == 1:
        value = given[0].value
    elif name in _OPERATIONS and len(given) == len(call.arguments):
        try:
            with localcontext(prec=100):
                value = _OPERATIONS[name](*[one.value for one in given])
        except ArithmeticError:
            return None
    else:
        return None
    return ValueLiteral(value, kind.not_null()) if value is not None and _fits(value, kind) else None


def _fits(value: Any, kind: t.LogicalType) -> bool:
    """Whether a type holds a value as it is, without rounding it."""
    if isinstance(kind, t.DecimalType):
        digits = Decimal(value).as_tuple()
        scale = max(-int(digits.exponent), 0)
        return scale <= kind.scale and len(digits.digits) - scale <= kind.precision - kind.scale
    bits = _BITS.get(type(kind))
    return bits is None or -(1 << bits) <= value < 1 << bits


_SCHEMAS_OF = ("schema_of_json", "schema_of_csv", "schema_of_xml")


def check_schema_is_known(expression: ResolvedExpression) -> None:
    """Refuse the schema of a constant as an argument, where it is not known here what Spark finds.

    Raises:
        TableException: it is one; the message says what to write instead.
    """
    if isinstance(expression, Call) and expression.function.name in _SCHEMAS_OF:
        raise TableException(
            f"What schema {expression.as_summary_string()} finds is known to Spark alone: here it is, without options, "
            "that of JSON with fields, and that of a CSV line of plain numbers and words. Select it once, and write "
            "the text that it is."
        )
