"""Expected types: the type that the context of a call requires, for functions whose type may follow from it.

The expected type is the target of a cast around the call, or the only type that an argument accepts. The tree and its
text have a cast to that type around such a call, so that the type follows from the text alone wherever it is parsed.
"""

from __future__ import annotations

from collections.abc import Sequence

from ir.call_expressions import Call
from ir.cast_rules import written_type
from ir.expressions import Expression, ResolvedExpression, TypeLiteral
from ir.functions.conversion import CAST, TRY_CAST
from ir.functions.definition import FunctionDefinition
from ir.types import LogicalType
from ir.unresolved import UnresolvedExpected, UnresolvedLambda

_CASTS = (CAST, TRY_CAST)


def can_expect_type(made: ResolvedExpression) -> bool:
    """Whether an expression is a call whose type may follow from the expected type."""
    return isinstance(made, Call) and made.function.inference.of_expected_output


def find_cast_target(around: ResolvedExpression | None) -> LogicalType | None:
    """Return the type that a cast expects of the call inside it, None if ``around`` is not a cast."""
    if not isinstance(around, Call) or around.function not in _CASTS:
        return None
    target = around.arguments[1]
    assert isinstance(target, TypeLiteral)
    return written_type(target.type_).as_nullable()


def expect_argument_type(
    written: Expression, function: FunctionDefinition, operands: Sequence[Expression]
) -> UnresolvedExpected | None:
    """Return an operand with the type that the called function expects of it, None if it expects no single type."""
    position = next((i for i, operand in enumerate(operands) if operand is written), None)
    # The types of lambda parameters come from the other operands as they were written.
    if position is None or any(isinstance(operand, UnresolvedLambda) for operand in operands):
        return None
    target = operands[1] if function in _CASTS else None
    wanted = target.type_ if isinstance(target, TypeLiteral) else function.casts_to
    if wanted is not None:
        return UnresolvedExpected(written, wanted, True)
    strategy = function.inference.inputs.strategy_for(position)
    only = getattr(strategy, "only_type", None)
    return None if only is None else UnresolvedExpected(written, only)
