"""Lowering of SQL/JSON constructors: JSON_OBJECT becomes TO_JSON of a row, JSON_ARRAY TO_JSON of an array."""

from __future__ import annotations

from ir import calls
from ir import types as t
from ir.call_expressions import Call
from ir.casts import apply_collation
from ir.collations import BINARY_COLLATION
from ir.errors import TableException
from ir.expressions import ResolvedExpression, SymbolLiteral, TypeLiteral
from ir.functions.arrays import ARRAY_COMPACT
from ir.functions.collection import ARRAY, ROW
from ir.functions.conversion import CAST
from ir.functions.json import JSON_ARRAY, JSON_OBJECT, JSON_STRING, KEEP_NULLS, is_variant_object
from ir.functions.text_formats import TO_JSON
from ir.functions.variant import PARSE_JSON, TO_VARIANT_OBJECT
from ir.lowerings.lowering import Lowering
from ir.types import LogicalType


def _holds_row(data_type: LogicalType) -> bool:
    return isinstance(data_type, t.RowType) or any(map(_holds_row, data_type.children))


def _build_to_json(row: ResolvedExpression, on_null: str) -> ResolvedExpression:
    arguments = (row, KEEP_NULLS) if on_null == "NULL" else (row,)
    return Call(TO_JSON, arguments, t.STRING)


def _parse_to_variant(text: ResolvedExpression) -> ResolvedExpression:
    return calls.call(PARSE_JSON, (text,))


def _json_value(value: ResolvedExpression, on_null: str) -> ResolvedExpression:
    """Return a value as a field of the row that becomes JSON, so that an object is nested and not quoted.

    TO_JSON has one option for NULL at all depths. A value with other NULL handling becomes a VARIANT first: an object
    with the other option and, where NULLs are dropped, a row in the data, which keeps its NULLs.
    """
    if isinstance(value, Call) and value.function is JSON_OBJECT:
        inner = _symbol(value)
        return (
            _json_row(value, inner)
            if inner == on_null
            else _parse_to_variant(_build_to_json(_json_row(value, inner), inner))
        )
    if isinstance(value, Call) and value.function is JSON_ARRAY:
        return _parse_to_variant(value)
    if on_null == "ABSENT" and _holds_row(value.data_type):
        return _parse_to_variant(_build_to_json(value, "NULL"))
    return value


def _symbol(json_object: Call) -> str:
    symbol = json_object.arguments[0]
    assert isinstance(symbol, SymbolLiteral)
    return symbol.symbol


def _json_row(json_object: Call, on_null: str) -> ResolvedExpression:
    fields = json_object.arguments[1:]
    return calls.call(ROW, [f if i % 2 == 0 else _json_value(f, on_null) for i, f in enumerate(fields)])


def _lower_json_object(json_object: Call) -> ResolvedExpression:
    return _build_to_json(_json_row(json_object, _symbol(json_object)), _symbol(json_object))


def _raise_json_object(to_json: Call) -> ResolvedExpression | None:
    row, *options = to_json.arguments
    if not isinstance(row, Call) or row.function is not ROW or options not in ([], [KEEP_NULLS]):
        return None
    if apply_collation(row.data_type, BINARY_COLLATION) is not row.data_type:
        # JSON_OBJECT supports strings without a collation only.
        return None
    on_null = "NULL" if options else "ABSENT"
    return _json_object(row, on_null)


def _json_object(row: Call, on_null: str) -> ResolvedExpression:
    fields = [f if i % 2 == 0 else _raise_value(f, on_null) for i, f in enumerate(row.arguments)]
    return calls.call(JSON_OBJECT, (SymbolLiteral(on_null), *fields))


def _raise_value(value: ResolvedExpression, on_null: str) -> ResolvedExpression:
    if isinstance(value, Call) and value.function is ROW:
        return _json_object(value, on_null)
    if isinstance(value, Call) and value.function is PARSE_JSON:
        (text,) = value.arguments
        if isinstance(text, Call) and text.function is JSON_ARRAY:
            return text
        if isinstance(text, Call) and text.function is JSON_OBJECT and _symbol(text) != on_null:
            return text
        if isinstance(text, Call) and text.function is TO_JSON and text.arguments[1:] == (KEEP_NULLS,):
            return text.arguments[0]
    return value


# --- JSON_ARRAY becomes TO_JSON of an array --------------------------------------------------------------------------


def _lower_json_array(json_array: Call) -> ResolvedExpression:
    on_null, *values = json_array.arguments
    kinds = {value.data_type.as_nullable() for value in values if not isinstance(value.data_type, t.NullType)}
    of_one_type = len(kinds) <= 1 and not any(map(_is_json, values))
    elements = values if of_one_type else [_element(value) for value in values]
    array = calls.call(ARRAY, elements)
    kept = calls.call(ARRAY_COMPACT, (array,)) if on_null is SymbolLiteral("ABSENT") else array
    return Call(TO_JSON, (kept, KEEP_NULLS), json_array.data_type)


def _is_json(value: ResolvedExpression) -> bool:
    return isinstance(value, Call) and value.function in (JSON_ARRAY, JSON_OBJECT)


def _element(value: ResolvedExpression) -> ResolvedExpression:
    """Return a value as a VARIANT, to which every type converts."""
    if isinstance(value.data_type, t.VariantType):
        return value
    if _is_json(value):
        return _parse_to_variant(value)
    if isinstance(value.data_type, t.ArrayType | t.MapType | t.RowType):
        if is_variant_object(value):
            return calls.call(TO_VARIANT_OBJECT, (value,))
        return calls.call(PARSE_JSON, (calls.call(TO_JSON, (value, KEEP_NULLS)),))
    return calls.call(CAST, (value, TypeLiteral(t.VARIANT)))


def _raise_json_array(to_json: Call) -> ResolvedExpression | None:
    array, *options = to_json.arguments
    if options != [KEEP_NULLS] or not isinstance(array, Call):
        return None
    on_null = "NULL"
    if array.function is ARRAY_COMPACT:
        on_null, inner = "ABSENT", array.arguments[0]
        if not isinstance(inner, Call):
            return None
        array = inner
    if array.function is not ARRAY:
        return None
    try:
        made = calls.call(JSON_ARRAY, (SymbolLiteral(on_null), *array.arguments))
    except TableException:
        return None
    is_same = isinstance(made, Call) and made.function is JSON_ARRAY and _lower_json_array(made) is to_json
    return made if is_same else None


# --- JSON_STRING becomes TO_JSON of a VARIANT ------------------------------------------------------------------------


def _lower_json_string(json_string: Call) -> ResolvedExpression:
    return Call(TO_JSON, (_element(json_string.arguments[0]),), json_string.data_type)


def _raise_json_string(to_json: Call) -> ResolvedExpression | None:
    value, *options = to_json.arguments
    is_variant = isinstance(value, Call) and value.function is CAST and isinstance(value.type_, t.VariantType)
    if not is_variant or options:
        return None
    made = calls.call(JSON_STRING, value.children[:1])
    is_same = isinstance(made, Call) and made.function is JSON_STRING and _lower_json_string(made) is to_json
    return made if is_same else None


LOWERINGS = (
    Lowering(JSON_STRING, TO_JSON, _lower_json_string, _raise_json_string),
    Lowering(JSON_ARRAY, TO_JSON, _lower_json_array, _raise_json_array),
    Lowering(JSON_OBJECT, TO_JSON, _lower_json_object, _raise_json_object),
)
