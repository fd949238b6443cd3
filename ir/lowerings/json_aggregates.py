"""Lowering of SQL/JSON aggregates: TO_JSON of an array of the values, or of a map of the entries, of a group."""

from __future__ import annotations

from ir import calls
from ir import types as t
from ir.call_expressions import Call, Over
from ir.expressions import ResolvedExpression, SymbolLiteral
from ir.functions.aggregate import ARRAY_AGG
from ir.functions.collection import ROW
from ir.functions.comparison import IS_NOT_NULL
from ir.functions.definition import FunctionDefinition
from ir.functions.json import JSON_OBJECT, KEEP_NULLS
from ir.functions.json_aggregates import JSON_ARRAYAGG, JSON_OBJECTAGG
from ir.functions.logic import CASE
from ir.functions.maps import MAP_FROM_ENTRIES
from ir.functions.text_formats import TO_JSON
from ir.literals import literal
from ir.lowerings.json import LOWERINGS as OF_VALUES
from ir.lowerings.lowering import Lowering
from ir.types import LogicalType

_NULL, _ABSENT = SymbolLiteral("NULL"), SymbolLiteral("ABSENT")
_KEY = literal("v")


def _build_object(value: ResolvedExpression) -> Call:
    """Return the lowered JSON object with one value that keeps NULL."""
    made = calls.call(JSON_OBJECT, (_NULL, _KEY, value))
    assert isinstance(made, Call)
    lowered = next(lowering for lowering in OF_VALUES if lowering.function is JSON_OBJECT).lower(made)
    assert isinstance(lowered, Call)
    return lowered


def _lower_value(value: ResolvedExpression) -> ResolvedExpression:
    """Return a value as an element of the array that becomes JSON, so that an object is nested and not quoted."""
    row = _build_object(value).arguments[0]
    assert isinstance(row, Call)
    return row.arguments[1]


def _raise_value(value: ResolvedExpression) -> ResolvedExpression | None:
    row = calls.call(ROW, (_KEY, value))
    made = calls.call(TO_JSON, (row, KEEP_NULLS))
    return made.arguments[2] if isinstance(made, Call) and made.function is JSON_OBJECT else None


def _build_to_json(value: ResolvedExpression, data_type: LogicalType) -> ResolvedExpression:
    return Call(TO_JSON, (value, KEEP_NULLS), data_type)


def _collect(aggregate: Call, value: ResolvedExpression, *, nulls: bool) -> ResolvedExpression:
    return calls.call(ARRAY_AGG, (value,), calls.Clauses(aggregate.distinct, aggregate.filter, respect_nulls=nulls))


def _lower_array(aggregate: Call) -> ResolvedExpression:
    on_null, value = aggregate.arguments
    return _build_to_json(_collect(aggregate, _lower_value(value), nulls=on_null is _NULL), aggregate.type_)


def _lower_object(aggregate: Call) -> ResolvedExpression:
    on_null, key, value = aggregate.arguments
    entry = calls.call(ROW, (literal("key"), key, literal("value"), _lower_value(value)))
    if on_null is _ABSENT:
        entry = calls.call(CASE, (calls.call(IS_NOT_NULL, (value,)), entry))
    entries = _collect(aggregate, entry, nulls=False)
    return _build_to_json(calls.call(MAP_FROM_ENTRIES, (entries,)), aggregate.type_)


def _raise_array(to_json: Call) -> ResolvedExpression | None:
    collected = _find_collected_with_nulls(to_json)
    if collected is None:
        return None
    array, call = collected
    value = _raise_value(call.arguments[0])
    if value is None:
        return None
    return _restore_call(array, call, JSON_ARRAYAGG, (_NULL if call.respect_nulls else _ABSENT, value))


def _raise_object(to_json: Call) -> ResolvedExpression | None:
    made = to_json.arguments[0]
    if not isinstance(made, Call) or made.function is not MAP_FROM_ENTRIES:
        return None
    collected = _find_collected_with_nulls(to_json.evolve(arguments=(made.arguments[0], *to_json.arguments[1:])))
    if collected is None or collected[1].respect_nulls:
        return None
    array, call = collected
    entry, on_null, tested = call.arguments[0], _NULL, None
    if isinstance(entry, Call) and entry.function is CASE and len(entry.arguments) == 2:
        (tested, entry), on_null = entry.arguments, _ABSENT
    if not isinstance(entry, Call) or entry.function is not ROW or entry.arguments[::2] != _ENTRY:
        return None
    key, value = entry.arguments[1], _raise_value(entry.arguments[3])
    if value is None or not isinstance(key.data_type, t.CharacterType):
        return None
    if tested is not None and tested is not calls.call(IS_NOT_NULL, (value,)):
        return None
    return _restore_call(array, call, JSON_OBJECTAGG, (on_null, key, value))


_ENTRY = (literal("key"), literal("value"))


def _find_collected_with_nulls(to_json: Call) -> tuple[ResolvedExpression, Call] | None:
    """Return the array that becomes JSON with its NULLs, and the ARRAY_AGG call that computes the array."""
    array, *options = to_json.arguments
    call = array.call if isinstance(array, Over) else array
    if options != [KEEP_NULLS] or not isinstance(call, Call) or call.function is not ARRAY_AGG:
        return None
    return array, call


def _restore_call(
    array: ResolvedExpression,
    call: Call,
    function: FunctionDefinition,
    arguments: tuple[ResolvedExpression, ...],
) -> ResolvedExpression | None:
    made = calls.call(function, arguments, calls.Clauses(call.distinct, call.filter))
    if not isinstance(array, Over):
        return made
    return array.evolve(call=made) if isinstance(made, Call) else None


LOWERINGS = (
    Lowering(JSON_ARRAYAGG, TO_JSON, _lower_array, _raise_array),
    Lowering(JSON_OBJECTAGG, TO_JSON, _lower_object, _raise_object),
)
