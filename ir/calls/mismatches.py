"""Spark's names of what is wrong with the types of a call's arguments: the conditions under DATATYPE_MISMATCH.

Most functions have the general ones, and the ``mismatch`` of an entry names the others; they were found by asking
Spark's analyzer about calls that it refuses. Source: https://spark.apache.org/docs/latest/sql-error-conditions.html
"""

from __future__ import annotations

from typing import Final

from ir import types as t
from ir.casts import cast_mismatch
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
_NUMBER: Final = ValueLiteral(1, t.INT.not_null())


def mismatch_of_argument(
    definition: FunctionDefinition, context: CallContext, position: int, strategy: ArgumentTypeStrategy | None = None
) -> str:
    """Return what is wrong where one argument is, whatever the others are, which ``strategy`` does not accept."""
    given, own = context.argument_types[position], definition.mismatch
    if definition.casts_to is not None:
        return cast_mismatch(given, definition.casts_to)
    known = None if own.of_argument is None else own.of_argument(context, position)
    known = known or (own.first if position == 0 else "") or own.alone
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
    if definition.mismatch.together:
        return definition.mismatch.together
    # Spark tells operators apart from functions whose arguments have one type in common.
    return _BINARY if is_operator(definition, context) else "DATA_DIFF_TYPES"


def is_operator(definition: FunctionDefinition, context: CallContext) -> bool:
    """Whether a call is an operator between two operands."""
    return len(context) == 2 and not definition.sql_name.isidentifier()
