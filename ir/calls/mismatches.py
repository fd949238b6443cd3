"""Spark's error conditions for arguments of wrong types, most of them under DATATYPE_MISMATCH.

Most functions use the general conditions; the ``mismatch`` of an entry names the exceptions. The conditions were
found by submitting invalid calls to Spark's analyzer. Source:
https://spark.apache.org/docs/latest/sql-error-conditions.html
"""

from __future__ import annotations

from typing import Final

from ir import types as t
from ir.casts import cast_mismatch
from ir.expressions import TypeLiteral, ValueLiteral
from ir.functions.definition import FunctionDefinition
from ir.functions.schemas import OPTIONS
from ir.inference import CallContext
from ir.inference.arguments import ANY, Constant, Literal, Where, is_constant
from ir.inference.type_inference import ArgumentTypeStrategy
from ir.operations.operation import TableReference
from ir.types import LogicalType

_UNEXPECTED: Final = "UNEXPECTED_INPUT_TYPE"
# These are top-level conditions, outside DATATYPE_MISMATCH.
_NO_OPTIONS: Final = "INVALID_OPTIONS.NON_MAP_FUNCTION"
_NO_NUMBER: Final = "CAST_INVALID_INPUT"
_BINARY: Final = "BINARY_OP_DIFF_TYPES"
_NUMBER: Final = ValueLiteral(1, t.INT.not_null())


def mismatch_of_argument(
    definition: FunctionDefinition, context: CallContext, position: int, strategy: ArgumentTypeStrategy | None = None
) -> str:
    """Return the mismatch of an argument that is wrong regardless of the others; ``strategy`` rejected it."""
    given, own = context.argument_types[position], definition.mismatch
    if definition.casts_to is not None:
        return cast_mismatch(given, definition.casts_to)
    known = None if own.of_argument is None else own.of_argument(context, position)
    known = known or (own.first if position == 0 else "") or own.alone
    return known or (_UNEXPECTED if strategy is None else _describe_strategy(strategy, context, position))


def _describe_strategy(strategy: ArgumentTypeStrategy, context: CallContext, position: int) -> str:
    given = context.arguments[position]
    if strategy is OPTIONS and not isinstance(given.data_type, t.MapType):
        return _NO_OPTIONS
    if isinstance(context.literal_value(position), str) and _takes_numbers(strategy, context, position):
        return _NO_NUMBER
    if isinstance(given.data_type, t.SpatialType):
        # If Spark casts numbers to strings here, it tries to cast a shape, too, and reports an invalid cast.
        made = _infer_with_number(strategy, context, position)
        return "CAST_WITHOUT_SUGGESTION" if isinstance(made, t.CharacterType) else _UNEXPECTED
    inner = strategy.inner if isinstance(strategy, (Constant, Literal, Where)) else None
    if inner is None or inner is ANY or inner.infer_argument(context, position) is None:
        return _UNEXPECTED
    if not any(word in strategy.describe() for word in ("literal", "constant")):
        return _UNEXPECTED
    return "VALUE_OUT_OF_RANGE" if is_constant(given) else "NON_FOLDABLE_INPUT"


def _takes_numbers(strategy: ArgumentTypeStrategy, context: CallContext, position: int) -> bool:
    return isinstance(_infer_with_number(strategy, context, position), t.NumericType)


def _infer_with_number(strategy: ArgumentTypeStrategy, context: CallContext, position: int) -> LogicalType | None:
    arguments = (*context.arguments[:position], _NUMBER, *context.arguments[position + 1 :])
    return strategy.infer_argument(CallContext.of(context.name, arguments), position)


def condition_of(mismatch: str) -> str:
    """Return the full name of the error condition of a mismatch."""
    return mismatch if mismatch in (_NO_OPTIONS, _NO_NUMBER) else f"DATATYPE_MISMATCH.{mismatch}"


def mismatch_together(definition: FunctionDefinition, context: CallContext) -> str:
    """Return the mismatch of arguments that are only wrong in combination."""
    if any(isinstance(argument, TypeLiteral) for argument in context.arguments):
        source, target = context.argument_types[:2]
        return cast_mismatch(source, target)
    if any(isinstance(argument, TableReference) for argument in context.arguments):
        return "IN_SUBQUERY_LENGTH_MISMATCH"
    if definition.mismatch.together:
        return definition.mismatch.together
    # Spark has separate conditions for operators and for functions whose arguments share a type.
    return _BINARY if is_operator(definition, context) else "DATA_DIFF_TYPES"


def is_operator(definition: FunctionDefinition, context: CallContext) -> bool:
    """Whether a call is a binary operator."""
    return len(context) == 2 and not definition.sql_name.isidentifier()
