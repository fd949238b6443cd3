"""Lowering of functions that Spark lacks, and its inverse: one module for each family of functions.

A lowering rewrites a call that Spark lacks to calls that Spark has; a raising recognizes the result and restores the
call. Both are declared together, so that ``raise_(lower(x)) == x``. Lowering happens when text is written. Raising
happens when a call is made, so that a query never contains a lowered form: otherwise text written from one form would
be parsed to the other. The ``LOWERINGS`` of a module take effect once the module is in ``FAMILIES``. A function whose
definition gives its Spark equivalent (``spark_form``) needs no module here.

A family is loaded for the first call that it lowers or may raise; ``ir.functions.form_index`` lists these calls by
function name.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from importlib import import_module

from ir.call_expressions import Call, Over
from ir.expressions import ResolvedExpression
from ir.functions.builtins import BUILT_INS
from ir.functions.definition import FunctionDefinition
from ir.functions.form_index import LOWERED, RAISED
from ir.lowerings.declared import build_declared_lowering
from ir.lowerings.lowering import Lowering, Raise, move_window_inside

__all__ = ["FAMILIES", "Lowering", "lower_for_spark", "lowerings_in", "move_window_inside", "raisings_of"]

# If two families can raise a call, the first one does.
FAMILIES = (
    "floating_point",
    "aggregates",
    "json",
    "json_parts",
    "times",
    "text",
    "json_aggregates",
    "mathematics",
    "collections",
    "time_windows",
)


def lowerings_in(family: str) -> tuple[Lowering, ...]:
    """Return the lowerings of a family."""
    found: tuple[Lowering, ...] = import_module(f"ir.lowerings.{family}").LOWERINGS
    return found


@cache
def lowering_of(function: FunctionDefinition) -> Lowering | None:
    """Return the lowering of a function, None if Spark has the function."""
    if function.emission.spark_form is not None:
        return build_declared_lowering(function)
    family = LOWERED.get(function.name)
    if family is None or function.emission.in_spark:
        return None
    return next(lowering for lowering in lowerings_in(family) if lowering.function is function)


def raisings_of(function: FunctionDefinition) -> tuple[Raise, ...]:
    """Return the raisings that may recognize a call of a function as a lowered form."""
    return tuple([lowering.recognise for lowering in _raising(function) if function in lowering.lowered_to])


def _raising(function: FunctionDefinition) -> Iterator[Lowering]:
    families, declared = RAISED[function.name]
    for family in families:
        yield from lowerings_in(family)
    for name in declared:
        lowering = lowering_of(BUILT_INS.by_name(name))
        assert lowering is not None
        yield lowering


def lower_for_spark(part: ResolvedExpression) -> ResolvedExpression:
    """Return the lowered form of a call that Spark lacks; return any other expression unchanged."""
    if isinstance(part, Call):
        lowering = None if part.function.emission.in_spark else lowering_of(part.function)
        return part if lowering is None else lowering.lower(part)
    if isinstance(part, Over):
        return move_window_inside(part, lower_for_spark(part.call))
    return part
