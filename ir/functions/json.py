"""Functions that make JSON."""

from __future__ import annotations

from ir import types as t
from ir.dialects.syntax import special
from ir.expressions import Call, ResolvedExpression, SymbolLiteral, ValueLiteral
from ir.functions import calls
from ir.functions.builder import scalar
from ir.functions.collection import MAP, ROW
from ir.inference.arguments import ANY, TEXT_LITERAL, Family, Paired, Where, positional, symbol
from ir.inference.results import maybe_null, nullable_if_arguments


def _rows_as_objects(arguments: tuple[ResolvedExpression, ...]) -> ResolvedExpression | None:
    """Take a row that is written among the values for the object that it becomes, so that there is one form of it."""

    def as_object(value: ResolvedExpression) -> ResolvedExpression:
        if isinstance(value, Call) and value.function is ROW:
            return calls.call(JSON_OBJECT, (SymbolLiteral("NULL"), *value.arguments))
        return value

    replaced = tuple([as_object(argument) for argument in arguments])
    return None if replaced == arguments else calls.call(JSON_OBJECT, replaced)


JSON_OBJECT = scalar(
    "JSON_OBJECT",
    Paired(TEXT_LITERAL, ANY, (symbol("NULL", "ABSENT"),)),
    maybe_null(t.STRING),
    sql="JSON_OBJECT",
    syntax=special("json_object"),
    in_spark=False,
    canonical=_rows_as_objects,
    doc="A JSON object of the keys and values; a value that is itself made by JSON_OBJECT is nested, not quoted.",
    example=("JSON_OBJECT(KEY 'a' VALUE 1 NULL ON NULL)", "'{\"a\":1}'"),
)


def _are_options(argument: ResolvedExpression) -> bool:
    return (
        isinstance(argument, Call)
        and argument.function is MAP
        and all(isinstance(part, t.CharacterType) for part in argument.data_type.children)
        and all(isinstance(part, ValueLiteral) for part in argument.arguments)
    )


TO_JSON = scalar(
    "to_json",
    positional(
        Family("ROW, ARRAY, MAP or VARIANT", (t.RowType, t.ArrayType, t.MapType, t.VariantType, t.NullType)),
        Where(ANY, _are_options, "MAP of STRING literals"),
        optional=1,
        names="value options",
    ),
    maybe_null(t.STRING),
    sql="TO_JSON",
    doc="A row, map, array or variant as JSON; a function of Spark.",
    example=("TO_JSON(NAMED_STRUCT('a', 1))", "'{\"a\":1}'"),
)
PARSE_JSON = scalar(
    "PARSE_JSON",
    positional(Family("STRING", (t.CharacterType, t.NullType)), names="text"),
    nullable_if_arguments(t.VARIANT),
    sql="PARSE_JSON",
    doc="The value that a JSON text describes, as a VARIANT.",
    example=("TO_JSON(PARSE_JSON('{\"a\": 1}'))", "'{\"a\":1}'"),
)
