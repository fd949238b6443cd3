"""The rewriting of a call that Spark lacks, and the recognition of the result."""

from __future__ import annotations

from collections.abc import Callable

from ir import light_attrs as attrs
from ir.call_expressions import Call, Over
from ir.calls.clauses import is_aggregate, is_window_function
from ir.expressions import ResolvedExpression
from ir.functions.definition import FunctionDefinition
from ir.rewriting import replace

Raise = Callable[[Call], ResolvedExpression | None]
"""Returns the call whose lowered form one is, None if it is no such form."""


def _collect_definitions(
    definitions: FunctionDefinition | tuple[FunctionDefinition, ...],
) -> tuple[FunctionDefinition, ...]:
    return definitions if isinstance(definitions, tuple) else (definitions,)


@attrs.frozen
class Lowering:
    """How a call of ``function`` is rewritten, and how a call of a function in ``lowered_to`` is recognized.

    ``function`` is None for a constant.
    """

    function: FunctionDefinition | None
    lowered_to: tuple[FunctionDefinition, ...] = attrs.field(converter=_collect_definitions)
    lower: Callable[[Call], ResolvedExpression]
    recognise: Raise


def move_window_inside(over: Over, made: ResolvedExpression) -> ResolvedExpression:
    """Return the lowered form of a call over a window, with the aggregate or window function in it over the window."""
    if made is over.call:
        return over

    def find(part: ResolvedExpression) -> ResolvedExpression | None:
        found = is_aggregate(part) or is_window_function(part)
        return over.evolve(call=part) if found else None

    return replace(made, find)
