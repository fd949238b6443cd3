"""Lowering of Flink's collection functions to Spark's higher-order functions, with each argument written once."""

from __future__ import annotations

from collections.abc import Callable

from ir import calls
from ir.call_expressions import Call
from ir.expressions import Lambda, LambdaVariable, ResolvedExpression, ValueLiteral
from ir.functions import collection as c
from ir.functions.arithmetic import MINUS, PLUS
from ir.functions.arrays import SMALL
from ir.functions.comparison import EQUALS, GREATER_THAN_OR_EQUAL, IS_NOT_NULL, LESS_THAN
from ir.functions.flink_collections import ARRAY_SLICE, MAP_UNION
from ir.functions.higher_order import AGGREGATE, FILTER, MAP_FILTER, TRANSFORM
from ir.functions.logic import AND, CASE, NOT, OR
from ir.functions.maps import MAP_CONCAT, MAP_CONTAINS_KEY
from ir.literals import literal
from ir.lowerings.lowering import Lowering
from ir.types import INT, ArrayType, LogicalType, MapType

_ZERO, _ONE = literal(0), literal(1)

# --- evaluation of each value once -----------------------------------------------------------------------------------


def _bind_once(
    values: dict[str, ResolvedExpression], use: Callable[..., ResolvedExpression]
) -> tuple[ResolvedExpression, ResolvedExpression]:
    """Return the arguments of ``TRANSFORM(ARRAY(NAMED_STRUCT(…)), given -> …)[0]``, which evaluates each value once."""
    row = calls.call(c.ROW, [part for name, value in values.items() for part in (literal(name), value)])
    given = LambdaVariable("given", row.data_type)
    # A constant is in the row as well, because raising reads the values from the row.
    made = use(
        *[
            value
            if isinstance(value, ValueLiteral) and not value.is_null
            else calls.call(c.GET, (given, literal(name)))
            for name, value in values.items()
        ]
    )
    return calls.call(TRANSFORM, (calls.call(c.ARRAY, (row,)), Lambda((given,), made))), _ZERO


def _values_of(element: Call) -> tuple[ResolvedExpression, ...] | None:
    """Return the values in an element access of that form, None if it has another form."""
    transform, index = element.arguments
    if index is not _ZERO or not isinstance(transform, Call) or transform.function is not TRANSFORM:
        return None
    array = transform.arguments[0]
    if not isinstance(array, Call) or array.function is not c.ARRAY or len(array.arguments) != 1:
        return None
    row = array.arguments[0]
    return row.arguments[1::2] if isinstance(row, Call) and row.function is c.ROW else None


# --- ARRAY_SLICE becomes FILTER by index -----------------------------------------------------------------------------


def _build_slice(array: ResolvedExpression, start: ResolvedExpression, end: ResolvedExpression) -> ResolvedExpression:
    """Return the elements between two bounds as Flink counts them: negative from the end, 0 as the first element."""
    size = calls.call(c.CARDINALITY, (array,))
    element, index = LambdaVariable("element", _element_of(array)), LambdaVariable("index", INT.not_null())
    tests = []
    if not _is_constant(start, 0, 1):
        tests.append(calls.call(GREATER_THAN_OR_EQUAL, (index, _build_first_index(start, size))))
    if not _is_constant(end, -1):
        tests.append(calls.call(LESS_THAN, (index, _build_last_index(end, size))))
    condition = tests[0] if len(tests) == 1 else calls.call(AND, tests)
    chosen = calls.call(FILTER, (array, Lambda((element, index), condition)))
    given = [calls.call(IS_NOT_NULL, (bound,)) for bound in (start, end) if bound.data_type.nullable]
    if not given:
        return chosen
    return calls.call(CASE, (given[0] if len(given) == 1 else calls.call(AND, given), chosen))


def _build_first_index(start: ResolvedExpression, size: ResolvedExpression) -> ResolvedExpression:
    """Return the index of the first element, from 0."""
    if isinstance(start, ValueLiteral):
        return literal(start.value - 1) if start.value > 0 else calls.call(PLUS, (size, start))
    is_negative = calls.call(LESS_THAN, (start, _ZERO))
    return calls.call(CASE, (is_negative, calls.call(PLUS, (size, start)), calls.call(MINUS, (start, _ONE))))


def _build_last_index(end: ResolvedExpression, size: ResolvedExpression) -> ResolvedExpression:
    """Return the index after the last element, from 0; a bound of 0 means the first element."""
    if isinstance(end, ValueLiteral) and end.value >= 0:
        return literal(max(end.value, 1))
    from_end = calls.call(PLUS, (size, literal(end.value + 1) if isinstance(end, ValueLiteral) else end))
    at_zero = calls.call(EQUALS, (from_end, _ZERO if isinstance(end, ValueLiteral) else literal(-1)))
    if isinstance(end, ValueLiteral):
        return calls.call(CASE, (at_zero, _ONE, from_end))
    at_zero = calls.call(OR, (calls.call(EQUALS, (end, _ZERO)), at_zero))
    is_negative = calls.call(LESS_THAN, (end, _ZERO))
    return calls.call(CASE, (at_zero, _ONE, is_negative, calls.call(PLUS, (from_end, _ONE)), end))


def _is_constant(bound: ResolvedExpression, *values: int) -> bool:
    return isinstance(bound, ValueLiteral) and bound.value in values


def _element_of(array: ResolvedExpression) -> LogicalType:
    assert isinstance(array.data_type, ArrayType)
    return array.data_type.element


def _lower_slice(call: Call) -> ResolvedExpression:
    names = ("array", "start", "end")
    assert all(isinstance(bound.data_type, SMALL.members) for bound in call.arguments[1:])
    assert len(call.arguments) == len(names)
    return Call(c.ITEM, _bind_once(dict(zip(names, call.arguments, strict=True)), _build_slice), call.type_)


def _raise_slice(element: Call) -> ResolvedExpression | None:
    values = _values_of(element)
    if values is None or len(values) != 3 or not isinstance(values[0].data_type, ArrayType):
        return None
    candidate = Call(ARRAY_SLICE, values, element.type_)
    return candidate if _lower_slice(candidate) is element else None


# --- MAP_UNION becomes MAP_CONCAT without repeated keys --------------------------------------------------------------


def _lower_union(call: Call) -> ResolvedExpression:
    first, *others = call.arguments
    maps = calls.call(c.ARRAY, others)
    assert isinstance(maps.data_type, ArrayType)
    result = call.type_
    assert isinstance(result, MapType)
    united, map_ = LambdaVariable("united", result), LambdaVariable("map", maps.data_type.element)
    key, value = LambdaVariable("key", result.key), LambdaVariable("value", result.value)
    is_new = calls.call(NOT, (calls.call(MAP_CONTAINS_KEY, (map_, key)),))
    kept = calls.call(MAP_FILTER, (united, Lambda((key, value), is_new)))
    merge = Lambda((united, map_), calls.call(MAP_CONCAT, (kept, map_)))
    return Call(AGGREGATE, (maps, first, merge), result)


def _raise_union(aggregate: Call) -> ResolvedExpression | None:
    maps, first, *functions = aggregate.arguments
    is_array = isinstance(maps, Call) and maps.function is c.ARRAY and len(maps.arguments) > 0
    if not is_array or len(functions) != 1 or not isinstance(aggregate.type_, MapType):
        return None
    assert isinstance(maps, Call)
    if not all(isinstance(one.data_type, MapType) for one in maps.arguments):
        return None
    candidate = Call(MAP_UNION, (first, *maps.arguments), aggregate.type_)
    return candidate if _lower_union(candidate) is aggregate else None


LOWERINGS = (
    Lowering(ARRAY_SLICE, c.ITEM, _lower_slice, _raise_slice),
    Lowering(MAP_UNION, AGGREGATE, _lower_union, _raise_union),
)
