"""How a call that Spark lacks is rewritten, and how the result is recognised."""

from __future__ import annotations

from collections.abc import Callable

import attrs

from ir.expressions import Call, Over, ResolvedExpression
from ir.functions import calls
from ir.functions.definition import FunctionDefinition
from ir.rewriting import replace


def _together(definitions: FunctionDefinition | tuple[FunctionDefinition, ...]) -> tuple[FunctionDefinition, ...]:
    return definitions if isinstance(definitions, tuple) else (definitions,)


@attrs.frozen
class Lowering:
    """How a call of ``function`` is rewritten, and how a call of one of ``lowered_to`` is recognised as the result.

    There is no function where a constant is.
    """

    function: FunctionDefinition | None
    lowered_to: tuple[FunctionDefinition, ...] = attrs.field(converter=_together)
    lower: Callable[[Call], ResolvedExpression]
    raise_: calls.Raise


def over_inside(over: Over, made: ResolvedExpression) -> ResolvedExpression:
    """Return what was made of a call over a window, with the aggregate or window function in it over that window."""
    if made is over.call:
        return over

    def find(part: ResolvedExpression) -> ResolvedExpression | None:
        found = calls.is_aggregate(part) or calls.is_window_function(part)
        return over.evolve(call=part) if found else None

    return replace(made, find)
