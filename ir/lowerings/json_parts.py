"""Lowering of SQL/JSON query functions to functions of VARIANT.

With ``x`` for ``VARIANT_GET(TRY_PARSE_JSON(j), '$.a')``, ``JSON_VALUE(j, '$.a')`` becomes ``CASE WHEN
SCHEMA_OF_VARIANT(x) NOT LIKE '%<%' THEN CAST(x AS STRING) END``. A default becomes a COALESCE around that, which is
skipped where the JSON itself is NULL. ``json_steps`` lowers paths that VARIANT_GET does not support.
"""

from __future__ import annotations

from ir import calls
from ir import types as t
from ir.call_expressions import Call
from ir.errors import TableException
from ir.expressions import ResolvedExpression, SymbolLiteral, TypeLiteral, ValueLiteral
from ir.functions.collection import ARRAY
from ir.functions.comparison import EQUALS, IS_NOT_NULL, LIKE, NOT_EQUALS
from ir.functions.context import RAISE_ERROR
from ir.functions.conversion import CAST
from ir.functions.definition import FunctionDefinition
from ir.functions.higher_order import TRANSFORM
from ir.functions.json import (
    IS_JSON,
    IS_JSON_ARRAY,
    IS_JSON_OBJECT,
    IS_JSON_SCALAR,
    JSON_EXISTS,
    JSON_QUERY,
    JSON_UNQUOTE,
    JSON_VALUE,
)
from ir.functions.json_paths import WILDCARD, has_wildcard
from ir.functions.logic import CASE, COALESCE, NOT
from ir.functions.string import CONCAT
from ir.functions.text_formats import TO_JSON
from ir.functions.variant import SCHEMA_OF_VARIANT, TRY_PARSE_JSON, TRY_VARIANT_GET, VARIANT_GET
from ir.literals import literal
from ir.lowerings import json_steps
from ir.lowerings.lowering import Lowering

_NO_DEFAULT = ValueLiteral(None, t.NULL)
_TRUE, _FALSE = literal(True), literal(False)
_ERROR, _NULL = SymbolLiteral("ERROR"), SymbolLiteral("NULL")


def _schema(variant: ResolvedExpression) -> ResolvedExpression:
    return calls.call(SCHEMA_OF_VARIANT, (variant,))


def _is_like(variant: ResolvedExpression, pattern: str) -> ResolvedExpression:
    return calls.call(LIKE, (_schema(variant), literal(pattern)))


def _negate(condition: ResolvedExpression) -> ResolvedExpression:
    return calls.call(NOT, (condition,))


def _parse_variant(text: ResolvedExpression) -> ResolvedExpression:
    return calls.call(TRY_PARSE_JSON, (text,))


# --- IS JSON ---------------------------------------------------------------------------------------------------------

# Only the type names of objects and arrays contain brackets.
_NESTED = "%<%"
_KINDS = {IS_JSON_OBJECT: "OBJECT<%", IS_JSON_ARRAY: "ARRAY<%", IS_JSON_SCALAR: _NESTED}


def _lower_is_json(call: Call) -> ResolvedExpression:
    return Call(IS_NOT_NULL, (_parse_variant(call.arguments[0]),), call.data_type)


def _raise_is_json(call: Call) -> ResolvedExpression | None:
    (value,) = call.arguments
    is_parsed = isinstance(value, Call) and value.function is TRY_PARSE_JSON
    return calls.call(IS_JSON, value.children) if is_parsed else None


def _lower_kind(call: Call) -> ResolvedExpression:
    matches = _is_like(_parse_variant(call.arguments[0]), _KINDS[call.function])
    test = _negate(matches) if call.function is IS_JSON_SCALAR else matches
    return Call(COALESCE, (test, _FALSE), call.data_type)


def _raise_kind(coalesce: Call) -> ResolvedExpression | None:
    if len(coalesce.arguments) != 2 or coalesce.arguments[1] is not _FALSE:
        return None
    part = _inside(coalesce.arguments[0], (NOT, LIKE, SCHEMA_OF_VARIANT))
    if part is None or part.function is not TRY_PARSE_JSON:
        return None
    found = (_call_lowered_to(kind, part.arguments, coalesce) for kind in _KINDS)
    return next((kind for kind in found if kind is not None), None)


# --- JSON_UNQUOTE ----------------------------------------------------------------------------------------------------


def _lower_unquote(call: Call) -> ResolvedExpression:
    (text,) = call.arguments
    parsed = _parse_variant(text)
    is_text = calls.call(EQUALS, (_schema(parsed), literal("STRING")))
    unquoted = calls.call(CASE, (is_text, calls.call(CAST, (parsed, TypeLiteral(t.STRING)))))
    return Call(COALESCE, (unquoted, text), call.data_type)


def _raise_unquote(coalesce: Call) -> ResolvedExpression | None:
    text = coalesce.arguments[-1]
    if not isinstance(text.data_type, t.CharacterType | t.NullType):
        return None
    part = _inside(coalesce.arguments[0], (CASE, EQUALS, SCHEMA_OF_VARIANT))
    if part is None or part.function is not TRY_PARSE_JSON or part.arguments[0] is not text:
        return None
    return _call_lowered_to(JSON_UNQUOTE, (text,), coalesce)


# --- JSON_EXISTS, JSON_VALUE and JSON_QUERY --------------------------------------------------------------------------


def _path(call: Call) -> str:
    path = call.arguments[1]
    assert isinstance(path, ValueLiteral)
    return str(path.value)


def _part(call: Call) -> ResolvedExpression:
    return json_steps.part(_parse_variant(call.arguments[0]), _path(call))


def _place(call: Call) -> tuple[ResolvedExpression, ResolvedExpression]:
    return json_steps.place(_parse_variant(call.arguments[0]), _path(call))


def _find_all_parts(call: Call) -> ResolvedExpression:
    return json_steps.find_parts(_parse_variant(call.arguments[0]), _path(call).removeprefix("lax "))


def _build_presence_test(call: Call) -> ResolvedExpression:
    """Return whether a path with a wildcard has a result, possibly an empty array."""
    parsed, path = _parse_variant(call.arguments[0]), _path(call)
    way = "$" if path.startswith("lax ") else json_steps.way(path)
    if way == "$":
        return calls.call(NOT_EQUALS, (_schema(json_steps.part(parsed, way)), literal("VOID")))
    return calls.call(IS_NOT_NULL, (json_steps.part(parsed, way),))


def _drop_default(call: Call) -> tuple[ResolvedExpression, ...]:
    """Return the arguments of the same call without a default, so that the result is NULL if nothing is found."""
    return (*call.arguments[:-1], _NOTHING[call.function])


_NOTHING: dict[FunctionDefinition, ResolvedExpression] = {
    JSON_EXISTS: SymbolLiteral("UNKNOWN"),
    JSON_QUERY: SymbolLiteral("NULL"),
    JSON_VALUE: _NO_DEFAULT,
}
_DEFAULTS: dict[str, ValueLiteral] = {
    "TRUE": _TRUE,
    "FALSE": _FALSE,
    "EMPTY ARRAY": literal("[]"),
    "EMPTY OBJECT": literal("{}"),
}


def _failure(function: FunctionDefinition) -> ResolvedExpression:
    problem = "found nothing"
    return calls.call(RAISE_ERROR, (literal(f"{function.sql_name} with ERROR ON ERROR {problem}."),))


_NO_STRINGS = calls.construct(ARRAY, ())


def _find_default(call: Call) -> ResolvedExpression | None:
    """Return the default for a path that finds nothing, None for NULL."""
    default = call.arguments[-1]
    if default is _ERROR:
        return _failure(call.function)
    if default is SymbolLiteral("EMPTY ARRAY") and isinstance(call.data_type, t.ArrayType):
        return _NO_STRINGS
    return _DEFAULTS.get(default.symbol) if isinstance(default, SymbolLiteral) else default


def _lower(call: Call) -> ResolvedExpression:
    instead = _find_default(call)
    if instead is None or instead is _NO_DEFAULT:
        return _BASES[call.function](call)
    base = calls.call(call.function, _drop_default(call))
    text = call.arguments[0]
    if not text.data_type.nullable:
        return Call(COALESCE, (base, instead), call.data_type)
    with_default = Call(COALESCE, (base, instead), call.data_type.with_nullability(instead.data_type.nullable))
    return Call(CASE, (calls.call(IS_NOT_NULL, (text,)), with_default), call.data_type)


def _exists(call: Call) -> ResolvedExpression:
    if has_wildcard(_path(call)):
        return Call(CASE, (_build_presence_test(call), _TRUE), call.data_type)
    is_something = calls.call(NOT_EQUALS, (_schema(_part(call)), literal("VOID")))
    return Call(CASE, (is_something, _TRUE), call.data_type)


_STRINGS = "ARRAY<STRING>"
_TYPE_NAMES = {t.BooleanType: "BOOLEAN", t.IntType: "INT", t.DoubleType: "DOUBLE"}


def _value(call: Call) -> ResolvedExpression:
    name = _TYPE_NAMES.get(type(call.arguments[2].data_type))
    if name is not None:
        return Call(TRY_VARIANT_GET, (*_place(call), literal(name)), call.data_type)
    part = _part(call)
    as_text = calls.call(CAST, (part, TypeLiteral(t.STRING)))
    return Call(CASE, (_negate(_is_like(part, _NESTED)), as_text), call.data_type)


def _query(call: Call) -> ResolvedExpression:
    is_unconditional = call.arguments[3] is SymbolLiteral("UNCONDITIONAL")
    if has_wildcard(_path(call)):
        found = (_strings_of_all if isinstance(call.data_type, t.ArrayType) else _text_of_all)(call, is_unconditional)
        return Call(CASE, (_build_presence_test(call), found), call.data_type)
    return _strings(call) if isinstance(call.data_type, t.ArrayType) else _text(call)


def _text(call: Call) -> ResolvedExpression:
    part, wrapper = _part(call), call.arguments[3]
    as_json = calls.call(TO_JSON, (part,))
    wrapped = (calls.call(NOT_EQUALS, (_schema(part), literal("VOID"))), _wrap_in_brackets(as_json))
    branches: dict[str, tuple[ResolvedExpression, ...]] = {
        "WITHOUT": (_is_like(part, _NESTED), as_json),
        "CONDITIONAL": (_is_like(part, "ARRAY<%"), as_json, *wrapped),
        "UNCONDITIONAL": wrapped,
    }
    assert isinstance(wrapper, SymbolLiteral)
    return Call(CASE, branches[wrapper.symbol], call.data_type)


def _strings(call: Call) -> ResolvedExpression:
    wrapper = call.arguments[3]
    elements = (*_place(call), literal(_STRINGS))
    if wrapper is SymbolLiteral("WITHOUT"):
        return Call(TRY_VARIANT_GET, elements, call.data_type)
    part = _part(call)
    alone = calls.call(ARRAY, (calls.call(CAST, (part, TypeLiteral(t.STRING))),))
    wrapped = (calls.call(NOT_EQUALS, (_schema(part), literal("VOID"))), alone)
    if wrapper is SymbolLiteral("UNCONDITIONAL"):
        return Call(CASE, wrapped, call.data_type)
    return Call(CASE, (_is_like(part, "ARRAY<%"), calls.call(TRY_VARIANT_GET, elements), *wrapped), call.data_type)


def _text_of_all(call: Call, is_wrapped: bool) -> ResolvedExpression:
    as_json = calls.call(TO_JSON, (_find_all_parts(call),))
    return _wrap_in_brackets(as_json) if is_wrapped else as_json


def _strings_of_all(call: Call, is_wrapped: bool) -> ResolvedExpression:
    found = _find_all_parts(call)
    if is_wrapped:
        return calls.call(ARRAY, (calls.call(TO_JSON, (found,)),))
    return json_steps.apply_to_each(found, _cast_to_text)


def _cast_to_text(variant: ResolvedExpression) -> ResolvedExpression:
    return calls.call(CAST, (variant, TypeLiteral(t.STRING)))


def _wrap_in_brackets(as_json: ResolvedExpression) -> ResolvedExpression:
    return calls.call(CONCAT, (literal("["), as_json, literal("]")))


_BASES = {JSON_EXISTS: _exists, JSON_VALUE: _value, JSON_QUERY: _query}


# --- raising ---------------------------------------------------------------------------------------------------------


def _inside(part: ResolvedExpression, functions: tuple[FunctionDefinition, ...]) -> Call | None:
    """Follow the first arguments of nested calls of the given functions, and return the call at which this ends."""
    for _ in functions:
        if isinstance(part, Call) and part.function in functions:
            part = part.arguments[0]
    return part if isinstance(part, Call) else None


def _call_lowered_to(
    function: FunctionDefinition, arguments: tuple[ResolvedExpression, ...], lowered: Call
) -> ResolvedExpression | None:
    """Return the call of a function if its lowered form is ``lowered``, else None."""
    try:
        call = calls.call(function, arguments)
    except TableException:
        return None
    lower = _lower_unquote if function is JSON_UNQUOTE else _lower_kind if function in _KINDS else _lower
    return call if isinstance(call, Call) and call.function is function and lower(call) is lowered else None


def _raise_default(coalesce: Call, lowered: Call) -> ResolvedExpression | None:
    if len(coalesce.arguments) != 2:
        return None
    base, instead = coalesce.arguments
    if not isinstance(base, Call) or base.function not in _BASES:
        return None
    *others, default = base.arguments
    if instead is _failure(base.function):
        return _call_lowered_to(base.function, (*others, _ERROR), lowered)
    if instead is _NO_STRINGS:
        return _call_lowered_to(base.function, (*others, SymbolLiteral("EMPTY ARRAY")), lowered)
    if not isinstance(instead, ValueLiteral):
        return None
    if not isinstance(default, SymbolLiteral):
        return _call_lowered_to(base.function, (*others, instead), lowered)
    names = [name for name, value in _DEFAULTS.items() if value is instead]
    return _call_lowered_to(base.function, (*others, SymbolLiteral(names[0])), lowered) if names else None


def _raise_coalesce(coalesce: Call) -> ResolvedExpression | None:
    return _raise_default(coalesce, coalesce)


def _raise_case(case: Call) -> ResolvedExpression | None:
    condition, value = case.arguments[:2]
    if isinstance(value, Call) and value.function is COALESCE:
        return _raise_default(value, case)
    part = _inside(condition, (NOT, LIKE, NOT_EQUALS, IS_NOT_NULL, SCHEMA_OF_VARIANT))
    if part is None or part.function is not VARIANT_GET or len(part.arguments) != 2:
        return None
    traced = json_steps.trace(*part.children)
    if traced is None or (text := _find_parsed_text(traced[0])) is None:
        return None
    to_one, paths = traced[1], _paths_of_all(value, traced[1])
    candidates: list[tuple[FunctionDefinition, tuple[ResolvedExpression, ...]]] = [
        (JSON_VALUE, (text, literal(to_one), TypeLiteral(t.STRING), _NO_DEFAULT)),
    ]
    for path in (to_one, *paths):
        candidates.append((JSON_EXISTS, (text, literal(path), SymbolLiteral("UNKNOWN"))))
        for wrapper in ("WITHOUT", "CONDITIONAL", "UNCONDITIONAL"):
            target = TypeLiteral(case.data_type.as_nullable())
            candidates.append((JSON_QUERY, (text, literal(path), target, SymbolLiteral(wrapper), _NULL)))
    found = (_call_lowered_to(function, arguments, case) for function, arguments in candidates)
    return next((call for call in found if call is not None), None)


def _find_parsed_text(parsed: ResolvedExpression) -> ResolvedExpression | None:
    is_parsed = isinstance(parsed, Call) and parsed.function is TRY_PARSE_JSON
    return parsed.children[0] if is_parsed else None


def _paths_of_all(value: ResolvedExpression, way: str) -> list[str]:
    """Return candidate paths with wildcards for a result whose condition tests the path before the first wildcard."""
    if value is _TRUE:
        # The steps after the wildcard do not matter to JSON_EXISTS.
        return [way + WILDCARD]
    traced = json_steps.trace_all(_find_all_parts_in(value))
    return [] if traced is None else [traced[1], f"lax {traced[1]}"]


def _find_all_parts_in(value: ResolvedExpression) -> ResolvedExpression:
    """Return the array of VARIANTs from which the result of JSON_QUERY is computed."""
    for function_, position in ((CONCAT, 1), (ARRAY, 0), (TO_JSON, 0), (TRANSFORM, 0)):
        if isinstance(value, Call) and value.function is function_ and len(value.arguments) > position:
            if function_ is TRANSFORM and isinstance(value.data_type, t.ArrayType):
                return value.arguments[position]
            value = value.arguments[position]
    return value


def _raise_typed(got: Call) -> ResolvedExpression | None:
    if len(got.arguments) != 3 or not isinstance(got.data_type, (*_TYPE_NAMES, t.ArrayType)):
        return None
    traced = json_steps.trace(*got.arguments[:2])
    if traced is None or (text := _find_parsed_text(traced[0])) is None:
        return None
    given = (text, literal(traced[1]), TypeLiteral(got.data_type.as_nullable()))
    if isinstance(got.data_type, t.ArrayType):
        return _call_lowered_to(JSON_QUERY, (*given, SymbolLiteral("WITHOUT"), _NULL), got)
    return _call_lowered_to(JSON_VALUE, (*given, _NO_DEFAULT), got)


LOWERINGS = (
    Lowering(IS_JSON, IS_NOT_NULL, _lower_is_json, _raise_is_json),
    Lowering(IS_JSON_OBJECT, COALESCE, _lower_kind, _raise_kind),
    Lowering(IS_JSON_ARRAY, (), _lower_kind, _raise_kind),
    Lowering(IS_JSON_SCALAR, (), _lower_kind, _raise_kind),
    Lowering(JSON_UNQUOTE, COALESCE, _lower_unquote, _raise_unquote),
    Lowering(JSON_EXISTS, CASE, _lower, _raise_case),
    Lowering(JSON_QUERY, COALESCE, _lower, _raise_coalesce),
    Lowering(JSON_VALUE, TRY_VARIANT_GET, _lower, _raise_typed),
)
