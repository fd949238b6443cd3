"""Aggregate functions that return JSON."""

from __future__ import annotations

from ir import calls
from ir import types as t
from ir.call_expressions import Call
from ir.dialects.syntax import OwnSyntax, special
from ir.expressions import ResolvedExpression, SymbolLiteral, ValueLiteral
from ir.functions.builder import aggregate, as_function
from ir.functions.definition import Construct
from ir.functions.json import JSON_OBJECT, MEMBER, TIMES_IN_JSON
from ir.inference.arguments import TEXT, symbol
from ir.inference.inputs import positional
from ir.inference.results import maybe_null

_ON_NULL = symbol("NULL", "ABSENT")
_KEY = ValueLiteral("v", t.STRING.not_null())


def json_member(value: ResolvedExpression) -> ResolvedExpression:
    """Return a value as a member of a JSON object, where a nested row becomes an object."""
    made = calls.call(JSON_OBJECT, (SymbolLiteral("NULL"), _KEY, value))
    assert isinstance(made, Call)
    return made.arguments[2]


def _build_with_member(arguments: tuple[ResolvedExpression, ...], call: Construct) -> ResolvedExpression | None:
    value = json_member(arguments[-1])
    function = JSON_ARRAYAGG if len(arguments) == 2 else JSON_OBJECTAGG
    return None if value is arguments[-1] else Call(function, (*arguments[:-1], value), t.STRING)


JSON_OBJECTAGG = aggregate(
    "JSON_OBJECTAGG",
    positional(_ON_NULL, TEXT, MEMBER, names="on_null key value"),
    maybe_null(t.STRING),
    sql="JSON_OBJECTAGG",
    syntax=special(OwnSyntax.JSON_OBJECTAGG),
    fluent=as_function("json_object_agg", "on_null key_expr value_expr"),
    canonical=_build_with_member,
    in_spark=False,
    is_deterministic=False,
    difference="The result is STRING NOT NULL in Flink; here it is nullable, although it is never NULL. "
    + TIMES_IN_JSON,
    doc="A JSON object of the keys and values of all rows; ABSENT skips rows whose value is NULL. An error if a key is "
    "NULL or repeated.",
    example=("JSON_OBJECTAGG(KEY k VALUE v NULL ON NULL) FROM VALUES ('a', 1) AS t(k, v)", "'{\"a\":1}'"),
    read_as=OwnSyntax.JSON_OBJECTAGG,
)
JSON_ARRAYAGG = aggregate(
    "JSON_ARRAYAGG",
    positional(_ON_NULL, MEMBER, names="on_null value"),
    maybe_null(t.STRING),
    sql="JSON_ARRAYAGG",
    syntax=special(OwnSyntax.JSON_ARRAYAGG),
    fluent=as_function("json_array_agg", "on_null item_expr"),
    canonical=_build_with_member,
    in_spark=False,
    is_deterministic=False,
    difference="The result is STRING NOT NULL in Flink; here it is nullable, although it is never NULL. "
    + TIMES_IN_JSON,
    doc="A JSON array of the values of all rows; ABSENT skips NULL.",
    example=("JSON_ARRAYAGG(x NULL ON NULL) FROM VALUES (1), (NULL) AS t(x)", "'[1,null]'"),
    read_as=OwnSyntax.JSON_ARRAYAGG,
)
