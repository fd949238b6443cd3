"""Spark's names of what is wrong with the types of a call's arguments: the conditions under DATATYPE_MISMATCH.

Most functions have the general ones; here are those that have another, found by asking Spark's analyzer about calls
that it refuses. Source: https://spark.apache.org/docs/latest/sql-error-conditions.html
"""

from __future__ import annotations

from typing import Final

from ir import types as t
from ir.casts import cast_mismatch, has_part, is_orderable
from ir.expressions import TableReference, TypeLiteral, ValueLiteral
from ir.functions.definition import FunctionDefinition
from ir.functions.schemas import OPTIONS
from ir.inference import CallContext
from ir.inference.arguments import ANY, Constant, Literal, Where, is_constant
from ir.inference.type_inference import ArgumentTypeStrategy
from ir.types import LogicalType

_UNEXPECTED: Final = "UNEXPECTED_INPUT_TYPE"
# These are conditions of their own.
_NO_OPTIONS: Final = "INVALID_OPTIONS.NON_MAP_FUNCTION"
_NO_NUMBER: Final = "CAST_INVALID_INPUT"
_BINARY: Final = "BINARY_OP_DIFF_TYPES"
# Of what fits together no better, and of an argument that is wrong by itself.
_OF_FUNCTIONS: Final = {
    **dict.fromkeys(("ARRAY_EXCEPT", "ARRAY_INTERSECT", "ARRAY_UNION", "arrays_overlap"), "BINARY_ARRAY_DIFF_TYPES"),
    **dict.fromkeys(("isTrue", "isNotTrue", "isFalse", "isNotFalse", "nullifzero"), _BINARY),
    "collect_set": "UNSUPPORTED_INPUT_TYPE",
    "map_concat": "MAP_CONCAT_DIFF_TYPES",
    "map_contains_key": "MAP_FUNCTION_DIFF_TYPES",
    "to_variant_object": "CAST_WITHOUT_SUGGESTION",
    "zeroifnull": "DATA_DIFF_TYPES",
}
_OF_WRONG_VALUES: Final = {"to_csv": "UNSUPPORTED_INPUT_TYPE", "to_json": "INVALID_JSON_SCHEMA"}
_TOGETHER: Final = {
    **dict.fromkeys(
        ("ARRAY_APPEND", "ARRAY_CONTAINS", "ARRAY_POSITION", "ARRAY_PREPEND", "ARRAY_REMOVE", "array_insert"),
        "ARRAY_FUNCTION_DIFF_TYPES",
    ),
    **dict.fromkeys(("between", "notBetween", "div", "equal_null", "nullif", "pmod"), _BINARY),
    **dict.fromkeys(("try_add", "try_divide", "try_mod", "try_multiply", "try_subtract"), _BINARY),
    **dict.fromkeys(("nanvl", "SHIFTLEFT", "SHIFTRIGHT", "SHIFTRIGHTUNSIGNED", "timestampAdd"), _UNEXPECTED),
    **dict.fromkeys(("extract", "date_part", "at", "convert_timezone"), _UNEXPECTED),
    **dict.fromkeys(("make_timestamp", "make_timestamp_ltz", "make_timestamp_ntz"), _UNEXPECTED),
    **dict.fromkeys(("try_make_timestamp", "try_make_timestamp_ltz", "try_make_timestamp_ntz"), _UNEXPECTED),
    "map_zip_with": "MAP_ZIP_WITH_DIFF_TYPES",
    "sequence": "SEQUENCE_WRONG_INPUT_TYPES",
}
_CASTS: Final[dict[str, LogicalType]] = {
    "bigint": t.BIGINT,
    "binary": t.BYTES,
    "boolean": t.BOOLEAN,
    "date": t.DATE,
    "decimal": t.DecimalType(),
    "double": t.DOUBLE,
    "float": t.FLOAT,
    "int": t.INT,
    "smallint": t.SMALLINT,
    "string": t.STRING,
    "time": t.TimeType(),
    "timestamp": t.TIMESTAMP_LTZ,
    "tinyint": t.TINYINT,
}
_NUMBER: Final = ValueLiteral(1, t.INT.not_null())
# They compare values only after they have found a type for them.
CHECKED_BEFORE_ORDER: Final = frozenset(("extract", "date_part"))
_OF_ORDER: Final = ("max", "max_by", "min", "min_by")


def mismatch_of_argument(
    definition: FunctionDefinition, context: CallContext, position: int, strategy: ArgumentTypeStrategy | None = None
) -> str:
    """Return what is wrong where one argument is, whatever the others are, which ``strategy`` does not accept."""
    given = context.argument_types[position]
    target = _CASTS.get(definition.name)
    if target is not None:
        return cast_mismatch(given, target)
    if definition.name in _OF_ORDER and not is_orderable(given):
        return "INVALID_ORDERING_TYPE"
    if definition.name in ("hash", "xxhash64") and has_part(given, t.MapType):
        return "HASH_MAP_TYPE"
    if definition.name in ("and", "or") and len(context) == 2:
        first, second = context.argument_types
        is_one = first.same_type(second) or t.NullType in (type(first), type(second))
        return "BINARY_OP_WRONG_TYPE" if is_one else _BINARY
    if position == 0 and definition.name in _OF_WRONG_VALUES:
        return _OF_WRONG_VALUES[definition.name]
    if definition.name in ("ARRAY_REMOVE", "array_insert"):
        return _TOGETHER[definition.name]
    known = _OF_FUNCTIONS.get(definition.name)
    return known or (_UNEXPECTED if strategy is None else _of_strategy(strategy, context, position))


def _of_strategy(strategy: ArgumentTypeStrategy, context: CallContext, position: int) -> str:
    given = context.arguments[position]
    if strategy is OPTIONS and not isinstance(given.data_type, t.MapType):
        return _NO_OPTIONS
    if isinstance(context.literal_value(position), str) and _takes_numbers(strategy, context, position):
        return _NO_NUMBER
    if isinstance(given.data_type, t.SpatialType):
        # Where Spark makes text of a number, it has shapes cast to text, too, which is no cast.
        made = _with_number(strategy, context, position)
        return "CAST_WITHOUT_SUGGESTION" if isinstance(made, t.CharacterType) else _UNEXPECTED
    inner = strategy.inner if isinstance(strategy, (Constant, Literal, Where)) else None
    if inner is None or inner is ANY or inner.infer_argument(context, position) is None:
        return _UNEXPECTED
    if not any(word in strategy.describe() for word in ("literal", "constant")):
        return _UNEXPECTED
    return "VALUE_OUT_OF_RANGE" if is_constant(given) else "NON_FOLDABLE_INPUT"


def _takes_numbers(strategy: ArgumentTypeStrategy, context: CallContext, position: int) -> bool:
    return isinstance(_with_number(strategy, context, position), t.NumericType)


def _with_number(strategy: ArgumentTypeStrategy, context: CallContext, position: int) -> LogicalType | None:
    arguments = (*context.arguments[:position], _NUMBER, *context.arguments[position + 1 :])
    return strategy.infer_argument(CallContext.of(context.name, arguments), position)


def condition_of(mismatch: str) -> str:
    """Return the condition that a mismatch is."""
    return mismatch if mismatch in (_NO_OPTIONS, _NO_NUMBER) else f"DATATYPE_MISMATCH.{mismatch}"


def mismatch_together(definition: FunctionDefinition, context: CallContext) -> str:
    """Return what is wrong where each argument might be right beside others."""
    if any(isinstance(argument, TypeLiteral) for argument in context.arguments):
        source, target = context.argument_types[:2]
        return cast_mismatch(source, target)
    if any(isinstance(argument, TableReference) for argument in context.arguments):
        return "IN_SUBQUERY_LENGTH_MISMATCH"
    known = _TOGETHER.get(definition.name) or _OF_FUNCTIONS.get(definition.name)
    if known is not None:
        return known
    # Spark tells operators apart from functions whose arguments have one type in common.
    return _BINARY if is_operator(definition, context) else "DATA_DIFF_TYPES"


def is_operator(definition: FunctionDefinition, context: CallContext) -> bool:
    """Whether a call is an operator between two operands."""
    return len(context) == 2 and not definition.sql_name.isidentifier()
