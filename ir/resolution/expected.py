"""The type that the surroundings of a call take a value of, for functions whose own type may follow from that.

It is what a cast around the call makes, or the one type that an argument may have. In the tree and in its text such a
call stands under a cast to that type: so its type follows from the text alone, wherever that is read.
"""

from __future__ import annotations

from collections.abc import Sequence

from ir.cast_rules import written_type
from ir.expressions import (
    Call,
    Expression,
    ResolvedExpression,
    TypeLiteral,
    UnresolvedExpected,
    UnresolvedLambda,
)
from ir.functions.conversion import CAST, NAMED_CASTS, TRY_CAST
from ir.functions.definition import FunctionDefinition
from ir.types import LogicalType

_CASTS = (CAST, TRY_CAST)


def is_asking(made: ResolvedExpression) -> bool:
    """Whether an expression is a call whose type may follow from what its surroundings expect."""
    return isinstance(made, Call) and made.function.inference.of_expected_output


def expected_by(around: ResolvedExpression | None) -> LogicalType | None:
    """Return the type that an expression, which holds a call, expects of it: that of a cast."""
    if not isinstance(around, Call) or around.function not in _CASTS:
        return None
    target = around.arguments[1]
    assert isinstance(target, TypeLiteral)
    return written_type(target.type_).as_nullable()


def expected_of(
    written: Expression, function: FunctionDefinition, operands: Sequence[Expression]
) -> UnresolvedExpected | None:
    """Return one of the operands of a call with the type that the called function expects of it, None for any type."""
    position = next((i for i, operand in enumerate(operands) if operand is written), None)
    # The parameters of lambdas have their types from the other operands as these were written.
    if position is None or any(isinstance(operand, UnresolvedLambda) for operand in operands):
        return None
    target = operands[1] if function in _CASTS else None
    wanted = target.type_ if isinstance(target, TypeLiteral) else NAMED_CASTS.get(function)
    if wanted is not None:
        return UnresolvedExpected(written, wanted, True)
    strategy = function.inference.inputs.strategy_for(position)
    only = getattr(strategy, "only_type", None)
    return None if only is None else UnresolvedExpected(written, only)
