"""Calls that Spark lacks, as calls that it has, and back.

A lowering and its raising are declared together, so that ``raise_(lower(x)) == x``. Lowering happens when text is
made; raising when a call is made, so that a query never holds a lowered form: the text of the one would be read back
as the other.
"""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal

import attrs

from ir import types as t
from ir.expressions import Call, Over, ResolvedExpression, SymbolLiteral, ValueLiteral
from ir.functions import calls
from ir.functions.aggregate import SUM, SUM0
from ir.functions.collection import MAP, ROW
from ir.functions.conversion import CAST
from ir.functions.definition import FunctionDefinition
from ir.functions.json import JSON_OBJECT, PARSE_JSON, TO_JSON
from ir.functions.logic import COALESCE
from ir.rewriting import replace
from ir.types import LogicalType


@attrs.frozen
class Lowering:
    """How a call of ``function`` is rewritten, and how a call of ``lowered_to`` is recognised as the result."""

    function: FunctionDefinition
    lowered_to: FunctionDefinition
    lower: Callable[[Call], ResolvedExpression]
    raise_: Callable[[Call], ResolvedExpression | None]


# --- SUM0(x) is COALESCE(SUM(x), 0) -----------------------------------------------------------------------------------


def _zero(data_type: LogicalType) -> ValueLiteral:
    if isinstance(data_type, t.DecimalType):
        return ValueLiteral(Decimal(0).scaleb(-data_type.scale), data_type.not_null())
    return ValueLiteral(0.0 if isinstance(data_type, t.FractionalType) else 0, data_type.not_null())


def _lower_sum0(sum0: Call) -> ResolvedExpression:
    total = calls.call(SUM, sum0.arguments, distinct=sum0.distinct, filter=sum0.filter)
    return Call(COALESCE, (total, _zero(total.data_type)), sum0.data_type)


def _raise_sum0(coalesce: Call) -> ResolvedExpression | None:
    if len(coalesce.arguments) != 2:
        return None
    total, zero = coalesce.arguments
    if isinstance(total, Over) and total.call.function is SUM and zero is _zero(total.data_type):
        call = calls.call(SUM0, total.call.arguments, filter=total.call.filter)
        return total.evolve(call=call)
    if isinstance(total, Call) and total.function is SUM and zero is _zero(total.data_type):
        return calls.call(SUM0, total.arguments, distinct=total.distinct, filter=total.filter)
    return None


# --- NaN and the infinities ------------------------------------------------------------------------------------------

_NOT_FINITE = {"NaN": float("nan"), "Infinity": float("inf"), "-Infinity": float("-inf")}


def _raise_not_finite(coalesce: Call) -> ResolvedExpression | None:
    """Return the constant of which no literal exists: a cast of its name, which COALESCE makes NOT NULL for Spark."""
    if len(coalesce.arguments) != 2:
        return None
    cast, zero = coalesce.arguments
    if not isinstance(cast, Call) or cast.function is not CAST or not isinstance(zero, ValueLiteral):
        return None
    text = cast.arguments[0]
    if not isinstance(text, ValueLiteral) or not isinstance(cast.type_, (t.DoubleType, t.FloatType)):
        return None
    if zero is not _zero(cast.type_) or text.value not in _NOT_FINITE:
        return None
    return ValueLiteral(_NOT_FINITE[text.value], cast.type_.not_null())


calls.register_raising(COALESCE, _raise_not_finite)

# --- JSON_OBJECT is TO_JSON of a row ----------------------------------------------------------------------------------

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


SPARK_LOWERINGS: tuple[Lowering, ...] = (
    Lowering(SUM0, COALESCE, _lower_sum0, _raise_sum0),
    Lowering(JSON_OBJECT, TO_JSON, _lower_json_object, _raise_json_object),
)
_LOWER = {lowering.function: lowering.lower for lowering in SPARK_LOWERINGS}

for _lowering in SPARK_LOWERINGS:
    calls.register_raising(_lowering.lowered_to, _lowering.raise_)


def lower_for_spark(part: ResolvedExpression) -> ResolvedExpression:
    """Return a call that Spark lacks as calls that it has, and anything else as it is."""
    if isinstance(part, Call):
        lower = _LOWER.get(part.function)
        if lower is not None:
            return lower(part)
    if isinstance(part, Over):
        return over_inside(part, lower_for_spark(part.call))
    return part


def over_inside(over: Over, made: ResolvedExpression) -> ResolvedExpression:
    """Return what was made of a call over a window, with the aggregate or window function in it over that window."""
    if made is over.call:
        return over

    def find(part: ResolvedExpression) -> ResolvedExpression | None:
        found = calls.is_aggregate(part) or calls.is_window_function(part)
        return over.evolve(call=part) if found else None

    return replace(made, find)
