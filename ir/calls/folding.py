"""Constant folding: ``ROUND(x, 1 + 1)`` becomes ``ROUND(x, 2)``, because the type depends on the value.

An expression is folded only if a function requires a literal for the argument. The ``folding`` of each function in the
expression computes the value.
"""

from __future__ import annotations

from decimal import DecimalException, localcontext

from ir import types as t
from ir.call_expressions import Call, SchemaUnknown
from ir.contents import COLUMN, OUTER, OVER, QUERY
from ir.expressions import ResolvedExpression, SymbolLiteral, TypeLiteral, ValueLiteral
from ir.functions.constant_values import UNKNOWN, convert_result
from ir.light_typing import Any

# Contents that no constant has. Searching every call of a chain for them would take quadratic time.
_NO_CONSTANT = COLUMN | OUTER | OVER | QUERY


def fold_constant(expression: ResolvedExpression) -> ResolvedExpression:
    """Return the constant to which an expression folds, or the expression itself if its value is unknown here."""
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
        # An element of an array constructor can be known even if other elements are not.
        return _item(call, found) if call.function.name == "item" else None
    try:
        with localcontext() as context:
            context.prec = 100
            value = convert_result(_evaluate(call, symbols, given), call.data_type)
    except (ArithmeticError, DecimalException):
        return None
    if value is UNKNOWN:
        return None
    return ValueLiteral(value, call.data_type.with_nullability(value is None))


def _evaluate(call: Call, symbols: list[str], given: list[ValueLiteral]) -> Any:
    folding, values = call.function.folding, [one.value for one in given]
    if any(isinstance(one.data_type, t.StringType) and one.data_type.has_collation for one in given):
        return UNKNOWN
    if None in values and (folding is None or not folding.takes_null):
        return None
    if folding is None:
        return UNKNOWN
    if folding.takes_call:
        return folding.compute(call, *values)
    return UNKNOWN if symbols else folding.compute(*values)


def _item(call: Call, found: dict[ResolvedExpression, ValueLiteral]) -> ValueLiteral | None:
    array, index = call.arguments
    if not isinstance(array, Call) or array.function.name != "array" or index not in found:
        return None
    position = found[index].value
    is_inside = isinstance(position, int) and 0 <= position < len(array.arguments)
    return found.get(array.arguments[position]) if is_inside else None


_SCHEMAS_OF = ("schema_of_json", "schema_of_csv", "schema_of_xml")


def check_schema_is_known(expression: ResolvedExpression) -> None:
    """Reject an argument that calls SCHEMA_OF_JSON or a similar function and could not be folded.

    Raises:
        SchemaUnknown: the argument is such a call; the message names an alternative.
    """
    if isinstance(expression, Call) and expression.function.name in _SCHEMAS_OF:
        raise SchemaUnknown.of(expression)
