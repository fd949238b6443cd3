"""SQL/JSON functions: JSON_OBJECT is TO_JSON of a row."""

from __future__ import annotations

from ir import types as t
from ir.expressions import Call, ResolvedExpression, SymbolLiteral, ValueLiteral
from ir.functions import calls
from ir.functions.collection import MAP, ROW
from ir.functions.json import JSON_OBJECT, PARSE_JSON, TO_JSON
from ir.lowerings.lowering import Lowering
from ir.types import LogicalType

_KEEP_NULLS = calls.call(
    MAP, (ValueLiteral("ignoreNullFields", t.STRING.not_null()), ValueLiteral("false", t.STRING.not_null()))
)


def _holds_row(data_type: LogicalType) -> bool:
    return isinstance(data_type, t.RowType) or any(map(_holds_row, data_type.children))


def _to_json(row: ResolvedExpression, on_null: str) -> ResolvedExpression:
    arguments = (row, _KEEP_NULLS) if on_null == "NULL" else (row,)
    return Call(TO_JSON, arguments, t.STRING)


def _as_variant(text: ResolvedExpression) -> ResolvedExpression:
    return calls.call(PARSE_JSON, (text,))


def _json_value(value: ResolvedExpression, on_null: str) -> ResolvedExpression:
    """Return a value as a field of the row that becomes JSON, so that an object nests and is not quoted.

    One option of TO_JSON decides about NULL at every depth. What has its own way with NULL becomes a VARIANT first:
    an object made with the other behaviour and, where NULL is left out, a row among the data, which keeps its own.
    """
    if isinstance(value, Call) and value.function is JSON_OBJECT:
        inner = _symbol(value)
        return _json_row(value, inner) if inner == on_null else _as_variant(_to_json(_json_row(value, inner), inner))
    if on_null == "ABSENT" and _holds_row(value.data_type):
        return _as_variant(_to_json(value, "NULL"))
    return value


def _symbol(json_object: Call) -> str:
    symbol = json_object.arguments[0]
    assert isinstance(symbol, SymbolLiteral)
    return symbol.symbol


def _json_row(json_object: Call, on_null: str) -> ResolvedExpression:
    fields = json_object.arguments[1:]
    return calls.call(ROW, [f if i % 2 == 0 else _json_value(f, on_null) for i, f in enumerate(fields)])


def _lower_json_object(json_object: Call) -> ResolvedExpression:
    return _to_json(_json_row(json_object, _symbol(json_object)), _symbol(json_object))


def _raise_json_object(to_json: Call) -> ResolvedExpression | None:
    row, *options = to_json.arguments
    if not isinstance(row, Call) or row.function is not ROW or options not in ([], [_KEEP_NULLS]):
        return None
    on_null = "NULL" if options else "ABSENT"
    return _json_object(row, on_null)


def _json_object(row: Call, on_null: str) -> ResolvedExpression:
    fields = [f if i % 2 == 0 else _raised_value(f, on_null) for i, f in enumerate(row.arguments)]
    return calls.call(JSON_OBJECT, (SymbolLiteral(on_null), *fields))


def _raised_value(value: ResolvedExpression, on_null: str) -> ResolvedExpression:
    if isinstance(value, Call) and value.function is ROW:
        return _json_object(value, on_null)
    if isinstance(value, Call) and value.function is PARSE_JSON:
        (text,) = value.arguments
        if isinstance(text, Call) and text.function is JSON_OBJECT and _symbol(text) != on_null:
            return text
        if isinstance(text, Call) and text.function is TO_JSON and text.arguments[1:] == (_KEEP_NULLS,):
            return text.arguments[0]
    return value


LOWERINGS = (Lowering(JSON_OBJECT, TO_JSON, _lower_json_object, _raise_json_object),)
