"""Constants that are computed: ``ROUND(x, 1 + 1)`` is ``ROUND(x, 2)``, since the type depends on the value.

Only where a constant that is written out is wanted and another expression is given is that computed, by what
``ir.functions.constant_values`` knows.
"""

from __future__ import annotations

from decimal import DecimalException, localcontext
from typing import Any

from ir import types as t
from ir.contents import COLUMN, OUTER, OVER, QUERY
from ir.expressions import Call, ResolvedExpression, SymbolLiteral, TypeLiteral, ValueLiteral
from ir.functions.calls import SchemaUnknown
from ir.functions.constant_values import OF_NULL, OPERATIONS, UNKNOWN, cast, divided, multiplied, of_type, trimmed

# What no constant has in it: to look for it in each call of a chain would cost the square of its length.
_NO_CONSTANT = COLUMN | OUTER | OVER | QUERY


def folded(expression: ResolvedExpression) -> ResolvedExpression:
    """Return the constant that an expression is, or the expression itself where it is none that is known here."""
    if not isinstance(expression, Call) or expression.contents & _NO_CONSTANT:
        return expression
    found: dict[ResolvedExpression, ValueLiteral] = {}
    for part in expression.walk():
        if isinstance(part, ValueLiteral):
            found[part] = part
        elif isinstance(part, Call) and (value := _value(part, found)) is not None:
            found[part] = value
        elif not isinstance(part, (Call, TypeLiteral, SymbolLiteral)):
            return expression
    return found.get(expression, expression)


def _value(call: Call, found: dict[ResolvedExpression, ValueLiteral]) -> ValueLiteral | None:
    if not call.function.is_built_in:
        return None
    symbols = [one.symbol for one in call.arguments if isinstance(one, SymbolLiteral)]
    values = [one for one in call.arguments if not isinstance(one, (SymbolLiteral, TypeLiteral))]
    given = [found[one] for one in values if one in found]
    if len(given) < len(values):
        # Of a list that is written out, one of its values may be known.
        return _item(call, found) if call.function.name == "item" else None
    try:
        with localcontext(prec=100):
            value = of_type(_computed(call, symbols, given), call.data_type)
    except (ArithmeticError, DecimalException):
        return None
    if value is UNKNOWN:
        return None
    return ValueLiteral(value, call.data_type.with_nullability(value is None))


def _computed(call: Call, symbols: list[str], given: list[ValueLiteral]) -> Any:
    name, kind, values = call.function.name, call.data_type, [one.value for one in given]
    if any(isinstance(one.data_type, t.StringType) and one.data_type.has_collation for one in given):
        return UNKNOWN
    if name in OF_NULL:
        return OF_NULL[name](*values)
    if None in values:
        return None
    match name:
        case "cast":
            return cast(values[0], given[0].data_type, kind)
        case "times":
            return multiplied(values[0], values[1], kind)
        case "divide":
            return divided(values[0], values[1], kind)
        case "trim" if len(values) == 1:
            return trimmed(symbols[0], values[0])
        case "round" if len(values) == 1:
            return values[0] if not isinstance(values[0], float) else UNKNOWN
    return UNKNOWN if symbols or name not in OPERATIONS else OPERATIONS[name](*values)


def _item(call: Call, found: dict[ResolvedExpression, ValueLiteral]) -> ValueLiteral | None:
    array, index = call.arguments
    if not isinstance(array, Call) or array.function.name != "array" or index not in found:
        return None
    position = found[index].value
    is_inside = isinstance(position, int) and 0 <= position < len(array.arguments)
    return found.get(array.arguments[position]) if is_inside else None


_SCHEMAS_OF = ("schema_of_json", "schema_of_csv", "schema_of_xml")


def check_schema_is_known(expression: ResolvedExpression) -> None:
    """Refuse the schema of a constant as an argument, where it is not known here what Spark finds.

    Raises:
        SchemaUnknown: it is one; the message says what to write instead.
    """
    if isinstance(expression, Call) and expression.function.name in _SCHEMAS_OF:
        raise SchemaUnknown.of(expression)
