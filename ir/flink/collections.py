"""Rewriting of collections and JSON to Flink's SQL."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ir import types as t
from ir.call_expressions import Call
from ir.cast_rules import written_type
from ir.expressions import ResolvedExpression, TypeLiteral, ValueLiteral
from ir.flink.arguments import (
    Forms,
    add_casts,
    constant_integer,
    reject,
    spark_types,
)
from ir.flink.casts import NoForm, cast, convert, integer
from ir.functions import arithmetic as ar
from ir.functions import comparison as cmp
from ir.functions import flink, logic
from ir.functions.arrays import REVERSE, SLICE, SORT_ARRAY
from ir.functions.collection import ARRAY, AT, CARDINALITY, ITEM, MAP
from ir.functions.conversion import CAST, TRY_CAST
from ir.functions.definition import FunctionDefinition
from ir.functions.flink_collections import ARRAY_REVERSE, ARRAY_SLICE
from ir.functions.higher_order import ARRAY_SORT
from ir.functions.json import JSON_ARRAY, JSON_EXISTS, JSON_OBJECT, JSON_QUERY, JSON_STRING, JSON_VALUE, KEEP_NULLS
from ir.functions.maps import MAP_FROM_ARRAYS
from ir.functions.text_formats import TO_JSON
from ir.functions.variant import PARSE_JSON
from ir.literals import literal
from ir.types import LogicalType


def is_empty_collection(part: ResolvedExpression) -> bool:
    """Whether this is an empty collection, which Flink can express only with a type."""
    return isinstance(part, Call) and part.function in (ARRAY, MAP) and not part.arguments


def _constructor(part: Call) -> ResolvedExpression:
    wanted = spark_types(part) if part.arguments else ()
    for kind, given in zip(wanted, part.arguments, strict=True):
        if isinstance(kind, t.IntervalType) and not given.data_type.same_type(kind):
            raise NoForm("intervals of different fields have no common type in a collection there")
    return add_casts(part)


def _access_element(part: Call) -> ResolvedExpression:
    """Return an element access; without nullable elements, Flink would return a default instead of NULL."""
    collection, key = part.arguments
    key = cast(key, spark_types(part)[1])
    kind = written_type(collection.data_type)
    if not collection.data_type.same_type(kind):
        collection = Call(CAST, (collection, TypeLiteral(kind.as_nullable())), kind)
    position = constant_integer(key) if isinstance(kind, t.ArrayType) else None
    if position is not None and position < 0:
        raise NoForm("a negative position is none there")
    if isinstance(kind, t.ArrayType) and position is None:
        # Spark counts a negative position from the end.
        size = Call(CARDINALITY, (collection,), t.INT.with_nullability(collection.data_type.nullable))
        after_last = Call(ar.PLUS, (size, integer(1)), size.data_type)
        from_end = Call(ar.PLUS, (after_last, key), t.INT)
        is_negative = Call(cmp.LESS_THAN, (key, integer(0)), t.BOOLEAN)
        key = Call(logic.CASE, (is_negative, from_end, key), t.INT)
    return Call(AT, (collection, key), part.type_)


_JSON_ALIKE = (
    t.BooleanType,
    t.IntegralType,
    t.DecimalType,
    t.DoubleType,
    t.CharacterType,
    t.BytesType,
    t.VariantType,
)


def _reverse(part: Call) -> ResolvedExpression:
    """Choose the array or the string overload of REVERSE."""
    (value,) = part.arguments
    if isinstance(value.data_type, t.ArrayType):
        return Call(ARRAY_REVERSE, part.arguments, part.type_)
    if isinstance(value.data_type, t.BytesType):
        raise NoForm("REVERSE is for text alone there")
    return add_casts(part)


def _slice(part: Call) -> ResolvedExpression:
    """Return the slice between two constant positions."""
    array, start, length = part.arguments
    first, count = constant_integer(start), constant_integer(length)
    if first is None or count is None or first < 1 or count < 1 or first + count > _MOST:
        raise NoForm("ARRAY_SLICE goes from a position to another there, and not over a number of elements")
    return Call(flink.ARRAY_SLICE, (array, integer(first), integer(first + count - 1)), part.type_)


# The greatest INT.
_MOST = 2**31 - 1


def _rename(function: FunctionDefinition) -> Callable[[Call], ResolvedExpression]:
    """Return a rewriting to the function that Flink's parser finds under the same name."""
    return lambda part: Call(function, add_casts(part).arguments, part.type_)


def _array_sort(part: Call) -> ResolvedExpression:
    """Return an ascending sort with NULL last."""
    if len(part.arguments) > 1:
        raise NoForm("there, ARRAY_SORT takes no comparator")
    return Call(flink.ARRAY_SORT, (part.arguments[0], literal(True), literal(False)), part.type_)


def _json_object(part: Call) -> ResolvedExpression:
    symbol, *fields = part.arguments
    keys = [key.value for key in fields[::2] if isinstance(key, ValueLiteral)]
    if len(set(keys)) < len(keys):
        raise NoForm("of a key that is given twice it keeps one value")
    values = [field if i % 2 == 0 else _json_part_of_json(field) for i, field in enumerate(fields)]
    return Call(JSON_OBJECT, (symbol, *values), part.type_)


def _json_array(part: Call) -> ResolvedExpression:
    symbol, *values = part.arguments
    if len({v.data_type.as_nullable() for v in values if not isinstance(v.data_type, t.NullType)}) > 1:
        _refuse_decimals(values)
    return Call(JSON_ARRAY, (symbol, *map(_json_part_of_json, values)), part.type_)


def _json_part_of_json(value: ResolvedExpression) -> ResolvedExpression:
    if isinstance(value, Call) and value.function is PARSE_JSON and isinstance(value.arguments[0], ValueLiteral):
        raise NoForm("Flink fails on JSON that is parsed from a constant within other JSON")
    return _json_value(value)


def json_aggregate(part: Call) -> ResolvedExpression:
    """Return the rewriting of a JSON aggregate."""
    if part.distinct or part.filter is not None:
        raise NoForm(f"its {part.function.sql_name} has neither DISTINCT nor FILTER")
    return part.evolve(arguments=(*part.arguments[:-1], _json_value(part.arguments[-1])))


def _json_value(value: ResolvedExpression) -> ResolvedExpression:
    kind = value.data_type
    if isinstance(kind, t.FloatType):
        raise NoForm("a FLOAT has more digits in JSON there; cast it to DOUBLE")
    if isinstance(kind, t.NullType | t.DateType | t.TimeType | t.IntervalType):
        return cast(value, t.STRING)
    _refuse_other_json(kind)
    return value


def _rewrite_to_json(part: Call) -> ResolvedExpression:
    """Rewrite TO_JSON to JSON_STRING if both return the same JSON."""
    value, *options = part.arguments
    if isinstance(value.data_type, t.VariantType) != (not options) or options not in ([], [KEEP_NULLS]):
        raise NoForm("Flink has no TO_JSON, and its JSON_STRING keeps NULL in rows")
    return Call(JSON_STRING, (_json_value(value),), part.type_)


def _json_string(part: Call) -> ResolvedExpression:
    _refuse_decimals(part.arguments)
    return Call(JSON_STRING, (_json_value(part.arguments[0]),), part.type_)


def _refuse_decimals(values: Sequence[ResolvedExpression]) -> None:
    """Refuse decimals that become part of a VARIANT in Spark."""
    if any(isinstance(value.data_type, t.DecimalType) and value.data_type.scale for value in values):
        raise NoForm("a decimal keeps the zeros at its end in JSON there")


def _json_part(part: Call) -> ResolvedExpression:
    text, *clauses = part.arguments
    given = cast(text, t.STRING) if isinstance(text.data_type, t.NullType) else text
    return Call(part.function, (given, *clauses), part.type_)


def _refuse_other_json(kind: LogicalType) -> None:
    if isinstance(kind, t.ArrayType | t.MapType | t.RowType):
        for part in kind.children:
            _refuse_other_json(part)
    elif not isinstance(kind, _JSON_ALIKE):
        raise NoForm(f"values of type {kind.as_nullable().as_summary_string()} become JSON in another form there")


def _empty(kind: LogicalType) -> ResolvedExpression:
    """Return an empty array or map of a type, made as a slice beyond the end of an array."""
    kind = written_type(kind).not_null()
    if isinstance(kind, t.MapType):
        return _empty_map(kind)
    assert isinstance(kind, t.ArrayType)
    one = Call(ARRAY, (ValueLiteral(None, kind.element.as_nullable()),), kind)
    return Call(flink.ARRAY_SLICE, (one, integer(2), integer(1)), kind)


def _empty_map(kind: t.MapType) -> ResolvedExpression:
    # Flink fails to access the result of MAP_FROM_ARRAYS, but not a cast of it.
    if kind.value.children:
        raise NoForm("a map of collections has no empty form there")
    other = t.INT if isinstance(kind.value, t.CharacterType) else t.STRING
    parts = (_empty(t.ArrayType(kind.key.as_nullable())), _empty(t.ArrayType(other)))
    made = Call(flink.MAP_FROM_ARRAYS, parts, t.MapType(kind.key, other, nullable=False))
    return Call(CAST, (made, TypeLiteral(kind.as_nullable())), kind)


def _cast(part: Call) -> ResolvedExpression:
    value, target = part.arguments
    if is_empty_collection(value):
        return _empty(target.data_type)
    return convert(value, target.data_type, attempt=part.function is TRY_CAST)


FORMS: Forms = {
    **dict.fromkeys((CAST, TRY_CAST), _cast),
    **dict.fromkeys((ARRAY, MAP), _constructor),
    AT: _access_element,
    ITEM: reject("an index that an array does not have is no error there"),
    JSON_ARRAY: _json_array,
    REVERSE: _reverse,
    SLICE: _slice,
    ARRAY_SLICE: _rename(flink.ARRAY_SLICE),
    SORT_ARRAY: _rename(flink.ARRAY_SORT),
    ARRAY_SORT: _array_sort,
    MAP_FROM_ARRAYS: _rename(flink.MAP_FROM_ARRAYS),
    JSON_OBJECT: _json_object,
    JSON_STRING: _json_string,
    TO_JSON: _rewrite_to_json,
    **dict.fromkeys((JSON_EXISTS, JSON_QUERY, JSON_VALUE), _json_part),
}
