"""Recognition of lowered calls: construct a call, or the call whose lowered form it is.

A call of a function that Spark lacks is lowered when SQL is written. Code that completes an expression, such as the
resolver, uses ``call``, so that the SQL parses back to the original call.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache

from ir.call_expressions import Call, install_lowering
from ir.calls.clauses import NO_CLAUSES, Clauses
from ir.calls.construction import build_call, cast
from ir.casts import differ_at_most_in_nullability
from ir.errors import ValidationException
from ir.expressions import ResolvedExpression, ValueLiteral
from ir.functions.definition import FunctionDefinition
from ir.literals import literal
from ir.types import LogicalType, NumericType


def call(
    definition: FunctionDefinition, arguments: Sequence[ResolvedExpression], clauses: Clauses = NO_CLAUSES
) -> ResolvedExpression:
    """Return the call of a function on resolved arguments, in canonical form.

    Raises:
        ValidationException: the function does not accept the arguments; the message shows the given arguments, the
            wrong argument if there is exactly one, and every accepted signature.
    """
    return build_call(definition, arguments, clauses, call, _recognise)


def _recognise(made: Call) -> ResolvedExpression:
    """Return the call whose lowered form ``made`` is, or ``made`` itself."""
    if made.function.is_built_in and not _is_sum_of_numbers(made):
        for raise_ in _raisings_of(made.function):
            raised = raise_(made)
            if raised is not None:
                return raised
    return made


def _is_sum_of_numbers(made: Call) -> bool:
    """Whether a call is a sum of numbers: the sums in lowered forms are times, so that no lowering has to be loaded."""
    return made.function.name == "plus" and isinstance(made.data_type, NumericType)


@cache
def _raisings_of(definition: FunctionDefinition) -> tuple[Callable[[Call], ResolvedExpression | None], ...]:
    # Loaded for the first call that may be a lowered form.
    from ir.lowerings import raisings_of

    return raisings_of(definition)


def _lower(part: Call) -> ResolvedExpression:
    from ir.lowerings import lower_for_spark

    return lower_for_spark(part)


install_lowering(_lower)


def convert_value(value: ResolvedExpression, data_type: LogicalType) -> ResolvedExpression:
    """Convert a value to a column type: a literal of that type if it can hold the value, otherwise a cast."""
    wanted = data_type.as_nullable()
    if differ_at_most_in_nullability(value.data_type, wanted):
        return value
    if isinstance(value, ValueLiteral):
        if value.is_null:
            return ValueLiteral(None, wanted)
        try:
            return literal(value.value, wanted)
        except ValidationException:
            # No literal of the type has this value.
            pass
    return cast(value, wanted, call)
