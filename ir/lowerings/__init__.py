"""Calls that Spark lacks, as calls that it has, and back: one module for each family of functions.

A lowering and its raising are declared together, so that ``raise_(lower(x)) == x``. Lowering happens when text is
made; raising when a call is made, so that a query never holds a lowered form: the text of the one would be read back
as the other. A module's ``LOWERINGS`` count once it is among ``_FAMILIES``; what the definition of a function says by
itself (``spark_form``) needs no module here.
"""

from __future__ import annotations

from ir.expressions import Call, Over, ResolvedExpression
from ir.functions import calls
from ir.lowerings import (
    aggregates,
    collections,
    declared,
    json,
    json_aggregates,
    json_parts,
    mathematics,
    text,
    time_windows,
    times,
)
from ir.lowerings import floating_point as _floating_point  # noqa: F401  # registers its raising, and lowers nothing
from ir.lowerings.lowering import Lowering, over_inside

__all__ = ["SPARK_LOWERINGS", "Lowering", "lower_for_spark", "over_inside"]

_FAMILIES = (
    aggregates,
    json,
    json_parts,
    times,
    text,
    json_aggregates,
    mathematics,
    collections,
    time_windows,
    declared,
)

SPARK_LOWERINGS: tuple[Lowering, ...] = tuple([lowering for family in _FAMILIES for lowering in family.LOWERINGS])
_LOWER = {lowering.function: lowering.lower for lowering in SPARK_LOWERINGS}

for _lowering in SPARK_LOWERINGS:
    for _lowered_to in _lowering.lowered_to:
        calls.register_raising(_lowered_to, _lowering.raise_)


def lower_for_spark(part: ResolvedExpression) -> ResolvedExpression:
    """Return a call that Spark lacks as calls that it has, and anything else as it is."""
    if isinstance(part, Call):
        lower = _LOWER.get(part.function)
        if lower is not None:
            return lower(part)
    if isinstance(part, Over):
        return over_inside(part, lower_for_spark(part.call))
    return part
